//! `provoke status DIR`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use search::explore::missing;
use store::Campaign;

use super::explore::{campaign_file, live, words};
use crate::exit::Failure;
use crate::project;

/// Arguments of `provoke status`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The folder of the campaign, as `provoke explore` has it in --out [default: .provoke/campaign]
    folder: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = arguments.folder.clone().unwrap_or_else(|| project::existing("campaign"));
    let file = campaign_file(&folder);
    if !file.is_file() {
        let what = anyhow!("there is no campaign in {}; `provoke explore` makes one", folder.display());
        return Err(Failure::Input(what));
    }
    let mut campaign = Campaign::look(&file).map_err(Failure::input)?;
    let (counts, found) = live::seen(&mut campaign).map_err(Failure::input)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", live::line(&counts))?;
    for missing in missing(&counts) {
        writeln!(out, "missing: {}", words(&missing))?;
    }
    for finding in found {
        writeln!(out, "found: {}", report::escape::visible(&finding.what))?;
    }
    Ok(ExitCode::SUCCESS)
}
