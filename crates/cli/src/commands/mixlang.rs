//! `provoke mixlang FILE`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, str};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use mixlang::evaluate::{Start, Stuck};
use mixlang::render::{self, Text};
use mixlang::syntax::{Mode, Program};
use mixlang::{Options, ParseError, analyse, parse};
use serde_json::json;

use crate::exit::{self, FINDINGS, Failure};
use crate::interrupt;
use crate::limits::{self, Limit};
use crate::narrow::narrow;
use crate::solving::Solving;

/// Steps after which a program that is run is stopped: some seconds.
const RUN_STEPS: u64 = 10_000_000;

const LANGUAGE: &str = "\
The language:
  {t … t} is type checked, {s … s} is executed symbolically; blocks nest.
  extern x : TYPE in …                     something that is defined elsewhere
  let x = … in …    let f x (y : TYPE) = … in …    fun x -> …    f 1 2
  var x = … in …    x <- …                 a variable that can be assigned to
  ref …    ref [TYPE] …    !p    p := …    references
  if … then … else …    while … do …    …; …    (… : TYPE)    (* comment *)
  + - * / **   ^   = <> < <= > >=   not && ||
  TYPE: int, pos int, neg int, zero int, bool, string, float, unit, TYPE ref, TYPE -> TYPE
Integers have 64 bits and wrap around; n / 0 is 0, and so is n to a negative power.
docs/languages.md has the grammar.

Exit codes: 0 accepted, 1 rejected, 2 wrong usage or no program, 3 internal error, 130 interrupted.";

/// Arguments of `provoke mixlang`.
#[derive(Args, Debug)]
#[command(after_help = LANGUAGE)]
pub struct Arguments {
    /// The program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to analyse what is in no block
    #[arg(long, value_name = "MODE", default_value = "typed")]
    outermost: Outermost,
    /// Ignore the blocks: analyse everything in the outermost mode
    #[arg(long)]
    ignore_blocks: bool,
    /// Hand conditionals to the solver instead of following each arm as a path of its own
    #[arg(long)]
    defer: bool,
    /// Accept after this many paths through each symbolic block, even if there are more
    #[arg(long, value_name = "PATHS")]
    good_enough: Option<usize>,
    /// Paths to explore in each symbolic block
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().paths)]
    paths: usize,
    /// Iterations of a loop to follow on each path
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().iterations)]
    iterations: usize,
    /// Run the program instead of checking it
    #[arg(long)]
    run: bool,
    /// Value of an extern for --run; for a reference, what its cell holds
    #[arg(long, value_name = "NAME=VALUE", requires = "run", value_parser = name_and_value)]
    set: Vec<(String, String)>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = limits::parse, help = limits::HELP)]
    limit: Vec<Limit>,
    #[command(flatten)]
    solving: Solving,
}

/// The outermost mode.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Outermost {
    /// Type checking
    Typed,
    /// Symbolic execution
    Symbolic,
}

impl Arguments {
    fn options(&self) -> Options {
        Options {
            outermost: match self.outermost {
                Outermost::Typed => Mode::Typed,
                Outermost::Symbolic => Mode::Symbolic,
            },
            defer: self.defer,
            good_enough: self.good_enough,
            paths: self.paths,
            iterations: self.iterations,
            ignore_blocks: self.ignore_blocks,
            ..Options::default()
        }
    }
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, x=5 for example")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let name = arguments.file.display().to_string();
    let bytes = fs::read(&arguments.file).with_context(|| format!("cannot read {name}")).map_err(Failure::Input)?;
    let source = str::from_utf8(&bytes).with_context(|| format!("{name} is no UTF-8 text")).map_err(Failure::Input)?;
    let text = Text { name: &name, source, colours: io::stdout().is_terminal() };
    let program = match parse(source) {
        Ok(program) => program,
        Err(error) => return Err(no_program(arguments, text, &error)?),
    };
    match arguments.run {
        true => evaluate(arguments, &program, text, &interrupted),
        false => check(arguments, &program, text, &interrupted),
    }
}

/// Says why a text is no program.
fn no_program(arguments: &Arguments, text: Text<'_>, error: &ParseError) -> Result<Failure, Failure> {
    if arguments.json {
        let document = json!({ "file": text.name, "error": error.message, "span": error.span, "help": error.help });
        exit::shown(print_json(&document))?;
    } else {
        let text = Text { colours: io::stderr().is_terminal(), ..text };
        eprint!("{}", narrow(&render::parse_error(text, error)));
    }
    Ok(Failure::Input(anyhow!("{} is no program", text.name)))
}

/// Analyses the program.
fn check(
    arguments: &Arguments,
    program: &Program,
    text: Text<'_>,
    interrupted: &Arc<AtomicBool>,
) -> Result<ExitCode, Failure> {
    let mut session = arguments.solving.session(limits::budget(&arguments.limit))?;
    session.stop_when(interrupted);
    let report = analyse(program, &mut session, &arguments.options());
    if session.is_stopped() {
        return Err(Failure::Interrupted("there is no verdict"));
    }
    if arguments.json {
        let mut document = json!(report);
        if let Some(object) = document.as_object_mut() {
            object.insert("file".to_owned(), text.name.into());
        }
        exit::shown(print_json(&document))?;
    } else {
        let mut out = io::stdout().lock();
        exit::shown(write!(out, "{}", narrow(&render::report(text, &report))))?;
        if arguments.solving.stats {
            exit::shown(write!(out, "{}", session.stats()))?;
        }
    }
    Ok(if report.is_accepted() { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// Evaluates the program.
fn evaluate(
    arguments: &Arguments,
    program: &Program,
    text: Text<'_>,
    interrupted: &AtomicBool,
) -> Result<ExitCode, Failure> {
    let start = Start::new(program, &arguments.set).map_err(Failure::input)?;
    let result = mixlang::evaluate::run(program, start, RUN_STEPS, interrupted);
    if interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted("the program did not come to its end"));
    }
    if arguments.json {
        exit::shown(print_json(&match &result {
            Ok(value) => json!({ "file": text.name, "value": value.to_string() }),
            Err(Stuck::Error { span, message }) => json!({ "file": text.name, "error": message, "span": span }),
            Err(stopped) => json!({ "file": text.name, "stopped": stopped.to_string() }),
        }))?;
    } else {
        let mut out = io::stdout().lock();
        exit::shown(match &result {
            Ok(value) => writeln!(out, "value: {value}"),
            Err(stuck) => write!(out, "{}", narrow(&render::stuck(text, stuck))),
        })?;
    }
    Ok(if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

fn print_json(document: &serde_json::Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, document)?;
    writeln!(out)
}
