//! `provoke trace PROG [--stdin FILE] [--file FILE] [-- ARGS]`

mod describe;
mod flip;
mod json;
mod text;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use checkers::inject::{Injected, inject};
use checkers::selection::Selection;
use clap::Args;
use path::selfcheck::selfcheck;
use run::{Inputs, Outcome, Output, Request, Status};
use signal_hook::consts::{SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
use solver::Stats;
use trace::layout::State;
use trace::rule::RuleSet;
use trace::sites::SiteTable;

use self::flip::Flips;
use crate::exit::{Failure, INTERRUPTED};
use crate::limits::{self, Limit};
use crate::solving::Solving;
use crate::{interrupt, program};

/// Turns on the comparison of every term with what the program computed.
const SELFCHECK_VARIABLE: &str = "PROVOKE_SELFCHECK";

/// Arguments of `provoke trace`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The program: built with `provoke cc`, a concolic view, or a C source file
    program: PathBuf,
    /// File to be the program's standard input
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// File whose (copy's) path takes the place of @@ in the program's arguments
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "raw")]
    json: bool,
    /// Print the trace itself: nodes and events
    #[arg(long)]
    raw: bool,
    /// Print terms whole, however large, in the form that `provoke solve` reads
    #[arg(long)]
    full: bool,
    /// Solve for every branch and switch to go another way, and write those inputs to a folder
    #[arg(long, value_name = "DIR", conflicts_with = "raw")]
    flip: Option<PathBuf>,
    /// Log checks too: names and groups as `provoke checkers` lists them
    #[arg(long, value_name = "LIST")]
    checks: Option<Selection>,
    /// Show what the program prints, on standard error
    #[arg(long)]
    show_output: bool,
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', value_parser = limits::parse, help = limits::HELP)]
    limit: Vec<Limit>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
    #[command(flatten)]
    solving: Solving,
}

/// Signals that an instruction of the program itself causes.
const FAULTS: [i32; 5] = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP];

/// A run and where its events can come from.
struct Traced<'a> {
    program: &'a Path,
    sites: &'a SiteTable,
    outcome: &'a Outcome,
    path: &'a path::Path,
    /// The checks on it, if they were asked for.
    checks: &'a [Injected],
    /// Where the flipped inputs are, and what they are.
    flips: Option<(&'a Path, &'a Flips)>,
    /// What the solver did, if that is to be shown.
    stats: Option<&'a Stats>,
    /// Whether terms are printed whole.
    full: bool,
}

impl Traced<'_> {
    /// Why the constraint is one of the beginning of the run only, if it is.
    fn cut_short(&self) -> Option<&'static str> {
        match self.outcome.status {
            // Labels are computed when a stretch of code is through: the stretch that faulted is not in the trace.
            Status::Signalled(signal) if FAULTS.contains(&signal) => Some("the last steps before the program crashed"),
            Status::Signalled(_) => None,
            // The runtime marks the end of a program that ends in any of the ways it knows.
            Status::Exited(_) if self.outcome.trace.state() == State::Running => {
                Some("what came after the program replaced itself by another one (exec)")
            }
            Status::Exited(_) => None,
            _ => Some("what would have come after the program was killed"),
        }
    }

    /// Whether the constraint describes exactly the inputs that take the path.
    fn is_exact(&self) -> bool {
        self.path.record.is_empty() && self.cut_short().is_none()
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let rules = arguments.checks.as_ref().map_or(RuleSet::NONE, Selection::in_views);
    let view = program::concolic(&arguments.program, rules)?;
    let checked = std::env::var_os(SELFCHECK_VARIABLE).is_some_and(|value| !value.is_empty() && value != "0");
    let request = Request {
        view: view.path,
        name: Some(arguments.program.clone().into_os_string()),
        args: arguments.args.clone(),
        inputs: Inputs { stdin: arguments.stdin.clone(), file: arguments.file.clone() },
        limits: limits::apply(&arguments.limit),
        output: if arguments.show_output { Output::ToStderr } else { Output::Discard },
        selfcheck: checked,
    };
    let outcome = run::concolic(&request, &interrupted).map_err(Failure::input)?;
    if outcome.trace.state() == State::Unclaimed && outcome.status != Status::Interrupted {
        let why = "the program wrote no trace: it ended before its runtime was ready, or it is not a concolic view";
        return Err(Failure::Input(anyhow::anyhow!("{why}; {}", describe::status(outcome.status))));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.raw {
        write!(out, "{}", trace::text::print(&outcome.trace))?;
    }
    if checked {
        check(&outcome, &view.sites)?;
    }
    if !arguments.raw {
        let mut path = path::build(&outcome.trace, &view.sites).map_err(Failure::internal)?;
        let mut session = arguments.solving.session(limits::budget(&arguments.limit))?;
        let flips = match &arguments.flip {
            Some(folder) => Some(flip::flip(folder, &mut session, &outcome, &mut path)?),
            None => None,
        };
        let checks = match &arguments.checks {
            Some(selection) => inject(&mut path, &outcome.trace, &view.sites, selection),
            None => Vec::new(),
        };
        let traced = Traced {
            program: &arguments.program,
            sites: &view.sites,
            outcome: &outcome,
            path: &path,
            checks: &checks,
            flips: arguments.flip.as_deref().zip(flips.as_ref()),
            stats: arguments.solving.stats.then(|| session.stats()),
            full: arguments.full,
        };
        if arguments.json {
            serde_json::to_writer_pretty(&mut out, &json::document(&traced)).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            text::print(&mut out, &traced)?;
        }
    }
    out.flush()?;
    Ok(match outcome.status {
        Status::Interrupted => ExitCode::from(INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

/// The self-check; a mismatch is an internal error.
fn check(outcome: &Outcome, sites: &SiteTable) -> Result<(), Failure> {
    let input = path::input(&outcome.trace, &outcome.contents);
    let Some(mismatch) = selfcheck(&outcome.trace, &input) else { return Ok(()) };
    let place = match mismatch.site {
        Some(site) => format!("first used at {}", describe::site(sites, site)),
        None => "no event depends on it".to_owned(),
    };
    Err(Failure::Internal(anyhow::anyhow!("self-check: {}; {place}", mismatch.message)))
}
