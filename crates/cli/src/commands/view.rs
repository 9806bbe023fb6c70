//! `provoke view concolic|replay|coverage PROG -o OUT`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use trace::rule::{Rule, RuleSet};

use crate::exit::Failure;
use crate::program;
use crate::refinements::Refinements;

/// Arguments of `provoke view`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Which view
    kind: Kind,
    /// The program: built with `provoke cc`, or a C source file
    program: PathBuf,
    /// Where the view goes
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    refinements: Refinements,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Kind {
    /// Labels and events: runs leave a trace
    Concolic,
    /// AddressSanitizer and edge coverage
    Replay,
    /// Edge coverage alone
    Coverage,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    // Whoever gives refinements wants them checked; otherwise a view has no checks.
    let rules = match arguments.refinements.are_given() {
        true => RuleSet::from_iter([Rule::Refinement]),
        false => RuleSet::NONE,
    };
    let specification = arguments.refinements.read(rules)?;
    let mut program = program::open(&arguments.program)?;
    program::repeat_random_numbers(&mut program)?;
    let kind = match arguments.kind {
        Kind::Concolic => views::Kind::Concolic(rules),
        Kind::Replay => views::Kind::Replay(rules),
        Kind::Coverage => views::Kind::Coverage(rules),
    };
    let view = program::view(&program, kind, &specification)?;
    copy(&view, &arguments.output).map_err(Failure::Input)?;
    Ok(ExitCode::SUCCESS)
}

/// Puts a copy at `to` at once, also where a program that is running has that name.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", to.display());
    // Devices and pipes must not be replaced, only written to.
    if fs::metadata(to).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return fs::copy(from, to).map(drop).with_context(cannot);
    }
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(format!(".new-{}", std::process::id()));
    let copied = fs::copy(from, &unfinished).and_then(|_| fs::rename(&unfinished, to));
    if copied.is_err() {
        // Nothing may be there, if that was what could not be written.
        let _ = fs::remove_file(&unfinished);
    }
    copied.with_context(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (from, pipe) = (folder.path().join("view"), folder.path().join("pipe"));
        fs::write(&from, "contents").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let other_end = pipe.clone();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            fs::File::open(other_end).unwrap().read_to_string(&mut text).unwrap();
            text
        });
        copy(&from, &pipe).unwrap();
        assert_eq!(reader.join().unwrap(), "contents");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
    }
}
