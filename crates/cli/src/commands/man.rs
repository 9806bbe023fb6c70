//! `provoke man`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::exit::Failure;
use crate::version;

/// Arguments of `provoke man`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Folder to write the pages of all commands to
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let command = crate::arguments::Arguments::command().version(version::short());
    match &arguments.output {
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            std::io::stdout().lock().write_all(&page)?;
        }
        Some(folder) => {
            let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
            written.map_err(|error| {
                Failure::input(anyhow::Error::new(error).context(format!("cannot write to {}", folder.display())))
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
