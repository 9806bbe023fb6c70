//! `provoke csimpl FILE`

mod excerpt;
mod json;
mod text;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use csimpl::{Analysis, Budget, Limits, Module, Options, Problem, Strength, Value, analyse};

use self::excerpt::Source;
use crate::exit::{self, BAD_INPUT, FINDINGS, Failure};
use crate::interrupt;

const LANGUAGE: &str = "\
The language:
  type index = {i : Int | 0 <= i < 20};         a set of integers; A & B is what is in both
  op load(i : index) : int = 2 * i;             an operator
  input x : int = 3;   var y : int;             variables; inputs are searched, from the first value on
  env strict { x : index; op load(index); }     a property: smaller types for what is declared
  (x : index) y := <int> load(x);               casts of variables, and of what is assigned; can be left out
  if y > 7 then { y := 0; stop } else stop      nothing follows an if: both branches end the program
Expressions have one operator; integers have no size. docs/languages.md has the grammar.

Exit codes: 0 proved, verified or undecided (the last line says which), 1 ill-typed or a cast can fail, 2 wrong usage or bad \
input, 3 internal error, 130 interrupted.";

/// Arguments of `provoke csimpl`.
#[derive(Args, Debug)]
#[command(after_help = LANGUAGE)]
pub struct Arguments {
    /// Types, operators, environments, variables and a program
    #[arg(required_unless_present = "library", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Environments to check the program in, combined by intersection [default: all of the file's]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    env: Vec<String>,
    /// How hard subtyping is tried before a cast is inserted
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Subtyping::Decide)]
    subtyping: Subtyping,
    /// Value of an input for the first run; can be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_input)]
    input: Vec<(String, Value)>,
    /// Show the derivation: the program, the program with its casts, and what the first run says, side by side
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the library: the types and operators that are always there
    #[arg(long)]
    library: bool,
    /// What it may cost: runs=NUMBER, and for one query query-steps=NUMBER, query-time=SECONDS [default:
    /// runs=10000,query-steps=2000000,query-time=10]
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = parse_limit)]
    limit: Vec<Limit>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Subtyping {
    /// Prove or refute it; a program with a refuted one is rejected
    Decide,
    /// Prove it; where that fails a cast is inserted, so that an input can be searched for
    Prove,
    /// Compare types by their form alone, as if the prover always timed out
    Form,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Limit {
    Runs(usize),
    QuerySteps(u32),
    QueryTime(Duration),
}

fn parse_input(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, x=5 for example")?;
    let value = match value {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        number => Value::Int(num_bigint::BigInt::from_str(number).map_err(|_| "a value is a number, true or false")?),
    };
    Ok((name.to_owned(), value))
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, runs=100 for example")?;
    let not_a_number = |_| format!("`{value}` is not a number");
    Ok(match key {
        "runs" => Limit::Runs(value.parse().map_err(not_a_number)?),
        "query-steps" => Limit::QuerySteps(value.parse().map_err(not_a_number)?),
        "query-time" => {
            let seconds: f64 = value.parse().map_err(|_| format!("`{value}` is not a number of seconds"))?;
            Limit::QueryTime(Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?)
        }
        _ => return Err(format!("there is no limit `{key}`; there are runs, query-steps and query-time")),
    })
}

fn limits(given: &[Limit]) -> Limits {
    let mut limits = Limits { query: Budget::default(), ..Limits::default() };
    for limit in given {
        match *limit {
            Limit::Runs(runs) => limits.runs = runs,
            Limit::QuerySteps(steps) => limits.query.steps = steps,
            Limit::QueryTime(time) => limits.query.time = time,
        }
    }
    limits
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let mut out = io::stdout().lock();
    let Some(file) = arguments.file.as_ref().filter(|_| !arguments.library) else {
        write!(out, "{}", csimpl::LIBRARY)?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    let (name, text) = (file.display().to_string(), text.map_err(Failure::Input)?);
    let source = Source::new(&name, &text, io::stdout().is_terminal());
    let mut limits = limits(&arguments.limit);
    limits.query.stop = Some(Arc::clone(&interrupted));
    let options = Options {
        environments: arguments.env.clone(),
        subtyping: match arguments.subtyping {
            Subtyping::Decide => Strength::Decide,
            Subtyping::Prove => Strength::Prove,
            Subtyping::Form => Strength::Form,
        },
        input: arguments.input.clone(),
        limits,
    };
    let analysed = Module::parse(&text)
        .map_err(Problem::from)
        .and_then(|module| analyse(&module, &options).map(|analysis| (module, analysis)));
    let (module, analysis): (Module, Analysis) = match analysed {
        Ok(analysed) => analysed,
        // It may be that alone which has led to a problem.
        Err(_) if interrupted.load(Ordering::Relaxed) => return Err(Failure::Interrupted("there is no verdict")),
        Err(Problem::Source(diagnostic)) => {
            if arguments.json {
                exit::shown(json::write_error(&mut out, &source, &diagnostic))?;
            } else {
                eprint!("{}", Source::new(&name, &text, io::stderr().is_terminal()).error(&diagnostic));
            }
            return Ok(ExitCode::from(BAD_INPUT));
        }
        Err(problem) => return Err(Failure::input(problem)),
    };
    exit::shown(match arguments.json {
        true => json::write(&mut out, &source, &module, &analysis, arguments.explain),
        false => text::write(&mut out, &source, &module, &analysis, arguments.explain),
    })?;
    if interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted("what there was until then has been shown"));
    }
    Ok(if analysis.has_findings() { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_the_defaults() {
        let limits = limits(&[]);
        let defaults = format!(
            "runs={},query-steps={},query-time={}",
            limits.runs,
            limits.query.steps,
            limits.query.time.as_secs()
        );
        assert_eq!(defaults, "runs=10000,query-steps=2000000,query-time=10");
    }

    #[test]
    fn inputs_and_limits_are_parsed() {
        assert_eq!(parse_input("x=-5"), Ok(("x".to_owned(), (-5).into())));
        assert_eq!(parse_input("b=true"), Ok(("b".to_owned(), true.into())));
        assert_eq!(parse_limit("runs=7"), Ok(Limit::Runs(7)));
        for text in ["x", "x=", "x=1.5", "x=yes"] {
            assert!(parse_input(text).is_err(), "{text}");
        }
        for text in ["runs", "runs=-1", "query-time=-1", "frobs=1"] {
            assert!(parse_limit(text).is_err(), "{text}");
        }
    }
}
