//! `provoke info PROG`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use cc::bundle::Program;
use clap::Args;

use crate::exit::Failure;

/// Arguments of `provoke info`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The program: built with `provoke cc`, or a C source file
    program: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let program = Program::open(&arguments.program).map_err(Failure::input)?;
    let mut info = cc::info::describe(&program);
    if cc::bundle::source_language(&arguments.program).is_some() {
        // The program that was made of it goes away.
        info.path = arguments.program.display().to_string();
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &info).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{info}")?;
    }
    Ok(ExitCode::SUCCESS)
}
