//! `provoke solve FILE…`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde_json::json;
use solver::Answer;
use solver::command::{Query, answer, read};

use crate::exit::Failure;
use crate::interrupt;
use crate::limits::{self, Limit};
use crate::solving::Solving;

const LANGUAGE: &str = "\
The text form:
  (assert (ult 300 (add (zext 16 stdin[0]) (zext 16 x:8))))    x:8 is a variable of 8 bits
  (define NAME TERM)    ; input stdin 4142                     a name; values for what is left open
docs/languages.md has the grammar, the operators, and what is read of SMT-LIB 2.

Exit codes: 0 answered, also with unknown; 2 wrong usage or bad input; 130 interrupted.";

/// Arguments of `provoke solve`.
#[derive(Args, Debug)]
#[command(after_help = LANGUAGE)]
pub struct Arguments {
    /// Queries, in the text form of terms or in SMT-LIB 2, where each `check-sat` is answered
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = limits::parse, help = limits::HELP)]
    limit: Vec<Limit>,
    #[command(flatten)]
    solving: Solving,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let mut session = arguments.solving.session(limits::budget(&arguments.limit))?;
    session.stop_when(&interrupted);
    let mut out = io::stdout().lock();
    let mut answers = Vec::new();
    'files: for file in &arguments.files {
        let mut query = query(file)?;
        for number in 0..query.questions.len() {
            let (answer, text) = answer(&mut session, &mut query, number);
            if session.is_stopped() && matches!(answer, Answer::Unknown(_)) {
                break 'files;
            }
            if arguments.json {
                let file = file.display().to_string();
                answers.push(json!({ "file": file, "number": number + 1, "answer": answer.word(), "text": text }));
            } else {
                if arguments.files.len() > 1 {
                    write!(out, "{}: ", file.display())?;
                }
                write!(out, "{text}")?;
            }
        }
    }
    if arguments.json {
        let document = json!({ "queries": answers, "stats": session.stats().to_json() });
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else if arguments.solving.stats {
        write!(out, "{}", session.stats())?;
    }
    match session.is_stopped() {
        true => Err(Failure::Interrupted("what was answered until then has been shown")),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn query(file: &Path) -> Result<Query, Failure> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    text.and_then(|text| read(&text).with_context(|| file.display().to_string())).map_err(Failure::Input)
}
