//! `provoke trace PROG [--stdin FILE] [--file FILE] [-- ARGS]`

mod flip;
mod json;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use checkers::inject::{Injected, inject};
use checkers::selection::Selection;
use clap::Args;
use path::selfcheck::selfcheck;
use run::{Outcome, Status};
use solver::Stats;
use trace::layout::State;
use trace::rule::RuleSet;
use trace::sites::SiteTable;

use self::flip::Flips;
use crate::exit::Failure;
use crate::solving::Solving;
use crate::target::Target;
use crate::{describe, interrupt, program};

/// Arguments of `provoke trace`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
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
    #[command(flatten)]
    solving: Solving,
}

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
    /// Whether the constraint describes exactly the inputs that take the path.
    fn is_exact(&self) -> bool {
        self.path.record.is_empty() && describe::cut_short(self.outcome).is_none()
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let preparing = interrupt::Preparing::start(&interrupted);
    let rules = arguments.checks.as_ref().map_or(RuleSet::NONE, Selection::in_views);
    let view = program::concolic(&arguments.target, rules)?;
    drop(preparing);
    let request = arguments.target.request(view.path);
    if interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted("the program was not run"));
    }
    let outcome = run::concolic(&request, &interrupted).map_err(Failure::input)?;
    if outcome.trace.state() == State::Unclaimed && outcome.status != Status::Interrupted {
        let why = "the program wrote no trace: it ended before its runtime was ready, or it is not a concolic view";
        return Err(Failure::Input(anyhow::anyhow!("{why}; {}", describe::status(outcome.status))));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if arguments.raw {
        write!(out, "{}", trace::text::print(&outcome.trace))?;
    }
    if request.selfcheck {
        check(&outcome, &view.sites)?;
    }
    if !arguments.raw {
        // What was traced of a program that was interrupted is still to be seen.
        let never = AtomicBool::new(false);
        let stop = if outcome.status == Status::Interrupted { &never } else { &*interrupted };
        let mut path = path::build(&outcome.trace, &view.sites, stop).map_err(Failure::internal)?;
        let mut session = arguments.solving.session(arguments.target.budget())?;
        session.stop_when(&interrupted);
        let flips = match &arguments.flip {
            Some(folder) => Some(flip::flip(folder, &mut session, &outcome, &mut path, &interrupted)?),
            None => None,
        };
        let checks = match &arguments.checks {
            Some(selection) => inject(&mut path, &outcome.trace, &view.sites, selection, stop),
            None => Vec::new(),
        };
        let traced = Traced {
            program: &arguments.target.program,
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
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Failure::Interrupted("what there was until then has been shown")),
        false => Ok(ExitCode::SUCCESS),
    }
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
