//! Runs a program and its concolic view on inputs and compares them; prints one line of JSON for each input.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use run::{Inputs, Limits};
use testing::compare::Pair;
use trace::layout::Counter;

/// Runs a program and its concolic view under self-check and compares them.
#[derive(Parser)]
struct Options {
    /// The native program.
    native: PathBuf,
    /// Its concolic view.
    view: PathBuf,
    /// An input file, which `@@` stands for in the arguments; once for each run.
    #[arg(long)]
    file: Vec<PathBuf>,
    /// A file for standard input; once for each run.
    #[arg(long)]
    stdin: Vec<PathBuf>,
    /// Seconds that a run may take.
    #[arg(long, default_value_t = 60)]
    time: u64,
    /// Arguments of the program.
    #[arg(last = true)]
    args: Vec<OsString>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let file = options.file.iter().map(|file| Inputs { files: vec![file.clone()], ..Inputs::default() });
    let stdin = options.stdin.iter().map(|file| Inputs { stdin: Some(file.clone()), ..Inputs::default() });
    let mut runs: Vec<_> = file.chain(stdin).collect();
    if runs.is_empty() {
        runs.push(Inputs::default());
    }
    let mut code = ExitCode::SUCCESS;
    for inputs in runs {
        let pair = Pair {
            native: options.native.clone(),
            view: options.view.clone(),
            args: options.args.clone(),
            inputs: inputs.clone(),
            limits: Limits { time: Duration::from_secs(options.time), ..Limits::default() },
        };
        let traced = pair.traced()?;
        let problems = pair.problems(&traced)?;
        if !problems.is_empty() {
            code = ExitCode::FAILURE;
        }
        let line = serde_json::json!({
            "input": inputs.files.first().or(inputs.stdin.as_ref()),
            "problems": problems,
            "status": format!("{:?}", traced.status),
            "state": format!("{:?}", traced.trace.state()),
            "nodes": traced.trace.nodes().len(),
            "events": traced.trace.events().len(),
            "branches": traced.trace.counter(Counter::Branches),
            "stale_labels": traced.trace.counter(Counter::StaleLabels),
        });
        println!("{line}");
    }
    Ok(code)
}
