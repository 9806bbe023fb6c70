//! `provoke mixlang FILE`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, str};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use mixlang::render::{self, Text};
use mixlang::syntax::Mode;
use mixlang::{Options, analyse, parse};
use serde_json::json;

use crate::exit::Failure;
use crate::limits::{self, Limit};
use crate::solving::Solving;

/// Arguments of `provoke mixlang`.
#[derive(Args, Debug)]
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

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let name = arguments.file.display().to_string();
    let bytes = fs::read(&arguments.file).with_context(|| format!("cannot read {name}")).map_err(Failure::Input)?;
    let source = str::from_utf8(&bytes).with_context(|| format!("{name} is no UTF-8 text")).map_err(Failure::Input)?;
    let mut out = io::stdout().lock();
    let text = Text { name: &name, source, colours: out.is_terminal() };
    let program = match parse(source) {
        Ok(program) => program,
        Err(error) if arguments.json => {
            let document = json!({ "file": name, "error": error.message, "span": error.span, "help": error.help });
            serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
            writeln!(out)?;
            return Err(Failure::Input(anyhow!("{name} is no program: {error}")));
        }
        Err(error) => {
            let text = Text { colours: io::stderr().is_terminal(), ..text };
            eprint!("{}", render::parse_error(text, &error));
            return Err(Failure::Input(anyhow!("{name} is no program")));
        }
    };
    let mut session = arguments.solving.session(limits::budget(&arguments.limit))?;
    let report = analyse(&program, &mut session, &arguments.options());
    if arguments.json {
        let mut document = json!(report);
        if let Some(object) = document.as_object_mut() {
            object.insert("file".to_owned(), name.clone().into());
        }
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", render::report(text, &report))?;
        if arguments.solving.stats {
            write!(out, "{}", session.stats())?;
        }
    }
    Ok(if report.is_accepted() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
