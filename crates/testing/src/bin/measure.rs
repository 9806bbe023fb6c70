//! Times a program and its concolic view, in turns; prints JSON.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;
use run::{Finished, Inputs, Limits, Output, PLACEHOLDER, Request, Status};
use trace::layout::Counter;
use trace::reader::Memory;

/// Times a program and its concolic view, in turns, so that a change of the machine's pace touches both.
#[derive(Parser)]
struct Options {
    /// The native program.
    native: PathBuf,
    /// Its concolic view; without one only the native program is timed.
    view: Option<PathBuf>,
    /// The input is symbolic; else the view runs without a trace.
    #[arg(long)]
    symbolic: bool,
    /// Rounds.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// An input file, which `@@` stands for in the arguments.
    #[arg(long)]
    file: Option<PathBuf>,
    /// A file for standard input.
    #[arg(long)]
    stdin: Option<PathBuf>,
    /// Symbolic addresses are pinned.
    #[arg(long)]
    concrete_memory: bool,
    /// Seconds that a run may take.
    #[arg(long, default_value_t = 120)]
    time: u64,
    /// Arguments of the program.
    #[arg(last = true)]
    args: Vec<OsString>,
}

impl Options {
    fn limits(&self) -> Limits {
        Limits { time: Duration::from_secs(self.time), trace: 4 << 30, memory: 8 << 30, ..Limits::default() }
    }

    fn plain(&self, program: &Path) -> Result<Finished> {
        let file = self.file.as_ref().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
        let args = self.args.iter().map(|arg| match arg.to_str() {
            Some(text) => text.replace(PLACEHOLDER, &file).into(),
            None => arg.clone(),
        });
        let command = run::Command {
            program: program.to_owned(),
            args: args.collect(),
            stdin: self.stdin.clone(),
            output: Output::Discard,
            fixed_addresses: true,
            ..run::Command::default()
        };
        let finished = run::execute(&command, &self.limits(), &AtomicBool::new(false))?;
        sound(finished.status, program)?;
        Ok(finished)
    }

    fn symbolic(&self, view: &Path) -> Result<serde_json::Value> {
        let request = Request {
            view: view.to_owned(),
            name: None,
            args: self.args.clone(),
            inputs: Inputs {
                stdin: self.stdin.clone(),
                files: self.file.iter().cloned().collect(),
                ..Inputs::default()
            },
            surroundings: run::Surroundings::default(),
            limits: self.limits(),
            output: Output::Discard,
            selfcheck: false,
            memory: if self.concrete_memory { Memory::Concrete } else { Memory::Precise },
        };
        let outcome = run::concolic(&request, &AtomicBool::new(false))?;
        sound(outcome.status, view)?;
        Ok(serde_json::json!({
            "seconds": outcome.wall.as_secs_f64(),
            "peak_bytes": outcome.peak_memory,
            "state": format!("{:?}", outcome.trace.state()),
            "nodes": outcome.trace.nodes().len(),
            "events": outcome.trace.events().len(),
            "branches": outcome.trace.counter(Counter::Branches),
            "trace_bytes": outcome.trace.size(),
        }))
    }
}

/// A program that crashed or hung was not measured, it was stopped.
fn sound(status: Status, program: &Path) -> Result<()> {
    match status {
        Status::Exited(_) => Ok(()),
        other => bail!("{} ended with {other:?}", program.display()),
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let (mut native, mut view) = (Vec::new(), Vec::new());
    for _ in 0..options.runs {
        native.push(options.plain(&options.native)?.wall.as_secs_f64());
        match &options.view {
            Some(path) if options.symbolic => view.push(options.symbolic(path)?),
            Some(path) => {
                let finished = options.plain(path)?;
                let (seconds, peak) = (finished.wall.as_secs_f64(), finished.peak_memory);
                view.push(serde_json::json!({ "seconds": seconds, "peak_bytes": peak }));
            }
            None => {}
        }
    }
    println!("{}", serde_json::json!({ "native": native, "view": view }));
    Ok(())
}
