//! `provoke check PROG [--stdin FILE] [--file FILE] [-- ARGS]`

mod next;
mod summary;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use replay::{Bucket, Input, Replayer};
use report::Destination;
use search::check::{self, Others, Progress, Settings, Subject};
use search::{Branches, Options};
use solver::Combination;

use crate::exit::{self, FINDINGS, Failure, INTERRUPTED};
use crate::loops::Loops;
use crate::progress;
use crate::refinements::Refinements;
use crate::solving::Solving;
use crate::sources::Built;
use crate::target::Target;
use crate::{baseline, hangs, interrupt, program, project, saved, shown, time};

/// Arguments of `provoke check`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub target: Target,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: next::Checks,
    /// How checks between the same two branches share queries: naive, weak or strong
    #[arg(long, value_name = "HOW", default_value_t = Combination::default())]
    combine: Combination,
    /// Decide the checks of the path only; leave its branches as they are
    #[arg(long)]
    no_branches: bool,
    /// Run inputs that go another way at a branch, but do not decide the checks behind it
    #[arg(long)]
    no_neighbours: bool,
    /// Look only for inputs that are as long as this one
    #[arg(long)]
    same_length: bool,
    /// Stop after a number of seconds, or with m or h behind it of minutes or hours, and show what was found until then; the time
    /// that the making of views takes is not counted
    #[arg(long, value_name = "TIME", value_parser = crate::time::parse)]
    time: Option<Duration>,
    /// Folder for the inputs that make the program fail [default: .provoke/findings]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many runs may be spent on making each of them small
    #[arg(long, value_name = "RUNS", default_value_t = 200)]
    minimise: usize,
    #[arg(long, value_name = "KIND=FILE", help = report::destination::HELP)]
    report: Vec<Destination>,
    /// An earlier report (JSON or SARIF): show only what it does not have
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    loops: Loops,
    #[command(flatten)]
    refinements: Refinements,
    #[command(flatten)]
    solving: Solving,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let preparing = interrupt::Preparing::start(&interrupted);
    let out = project::place(arguments.out.as_deref(), "findings");
    let mut folder = saved::Folder::prepare(out)?;
    let baseline = arguments.baseline.as_deref().map(baseline::read).transpose()?;
    let target = &arguments.target;
    let rules = arguments.checks.selection.in_views();
    let specification = arguments.refinements.read(rules)?;
    let opened = target.open_with_input()?;
    let view = program::concolic_of(&opened, rules, &specification)?;
    let replayed = program::view(&opened, views::Kind::Replay(rules), &specification)?;
    let sources = Built::new(&opened, Some(replayed.clone()));
    let views_took = started.elapsed();
    drop(preparing);
    let settings = replay::Settings {
        limits: target.limits(),
        output: target.output(),
        reuse: false,
        serve_at_once: false,
        interrupt: interrupted.clone(),
    };
    let replay_target = replay::Target {
        view: replayed,
        name: Some(target.program.clone().into_os_string()),
        args: target.args.clone(),
        surroundings: run::Surroundings::default(),
    };
    let replayer = Replayer::new(replay_target, settings).map_err(Failure::input)?;
    let is_over = arguments.time.map(|time| time::stop_after(time, &interrupted));
    let mut session = arguments.solving.session(target.budget())?;
    session.stop_when(&interrupted);
    let request = target.request(view.path.clone());
    let subject = Subject { request: &request, sites: &view.sites, replayer: &replayer };
    let branches = if arguments.no_branches { Branches::None } else { Branches::All };
    let (combination, contradiction) = (arguments.combine, arguments.loops.contradiction);
    let options = Options { combination, contradiction, branches, sizes: true, ..Options::default() };
    let settings = Settings {
        selection: &arguments.checks.selection,
        options,
        loops: arguments.loops.policy,
        growth: !arguments.no_branches && !arguments.same_length,
        minimise: arguments.minimise,
        interrupt: &interrupted,
        until: None,
        known: &BTreeSet::new(),
    };
    let line = progress::Progress::start();
    let mut shown = Instant::now();
    let mut show = |progress| {
        if shown.elapsed().as_millis() < 100 {
            return;
        }
        shown = Instant::now();
        match progress {
            Progress::Solving(done, all) => line.step(&format!("solving, {done} of {all} constraints done")),
            Progress::Replaying(_) => line.step("running candidates"),
            Progress::Neighbours(done, all) => {
                line.step(&format!("deciding checks beside the run, {done} of {all} neighbours done"))
            }
        }
    };
    let failure = |error| match error {
        check::Error::Path(_) | check::Error::Mismatch(_) => Failure::internal(error),
        _ => Failure::input(error),
    };
    let checked = check::check(&subject, &mut session, &settings, &mut show).map_err(failure)?;
    let missing = |what: &str, error: &check::Error| {
        // A run that is ended from outside looks as if it could not be done.
        if !interrupted.load(Ordering::Relaxed) {
            eprintln!("provoke: not all {what} were looked at: {error}");
        }
    };
    let mut known: BTreeSet<Bucket> = checked.found.iter().map(|found| found.bucket).collect();
    let mut more = Vec::new();
    let mut neighbours = None;
    let mut further = Vec::new();
    let mut candidates = 0;
    let mut spent = check::Spent::default();
    if !arguments.no_branches && !arguments.no_neighbours && !checked.expansion.stopped {
        let settings = Settings { known: &known, ..settings };
        let looked = check::check_neighbours(&subject, &mut session, &settings, &checked, &mut show);
        neighbours = summary::neighbours(&checked, &looked);
        looked.failed.iter().for_each(|error| missing("neighbours", error));
        candidates = looked.candidates;
        spent = looked.spent;
        further = looked.further;
        more = looked.looks;
        known.extend(more.iter().flat_map(|checked| &checked.found).map(|found| found.bucket));
    }
    let neighbours_looks = more.len();
    // What is said about the path is about inputs that are as long as this one. More looks are for the others; where a run does not end,
    // they would not either.
    let ends = checked.outcome.status != run::Status::TimedOut;
    if !arguments.same_length && !checked.expansion.stopped && ends {
        let settings = Settings { growth: false, known: &known, ..settings };
        let mut looks = Vec::new();
        if let Some(target) = target.of_any_length() {
            let request = target.request(view.path.clone());
            let branches = if arguments.no_branches { Branches::None } else { Branches::OfLengths };
            let settings = Settings { options: Options { branches, ..options }, ..settings };
            let (more, failed) =
                check::check_any_length(&subject, &request, &mut session, &settings, &checked, &mut show);
            looks.extend(more.into_iter().map(Ok).chain(failed.map(Err)));
        }
        for others in Others::ALL {
            let this = (&checked, &further[..], others);
            let (more, failed) = check::check_others(&subject, &mut session, &settings, this, &mut show);
            let has_failed = failed.is_some();
            // What the looks before found is not lost with one that fails.
            looks.extend(more.into_iter().map(Ok).chain(failed.map(Err)));
            if has_failed {
                break;
            }
        }
        let said = |error: &check::Error| missing("longer and shorter inputs", error);
        more.extend(looks.into_iter().filter_map(|look| look.inspect_err(said).ok()));
    }
    drop(line);
    let mut report = summary::report(arguments, &view.sites, &checked, &more, session.stats());
    report.summary.neighbours = neighbours;
    let variants = more.get(neighbours_looks..).unwrap_or_default();
    report.summary.variants = summary::variants(variants);
    summary::add_time(&mut report.summary.seconds, spent, variants);
    report.summary.candidates += candidates;
    report.summary.interrupted = interrupted.load(Ordering::Relaxed) || checked.expansion.stopped;
    report.summary.seconds.views = views_took.as_secs_f64();
    if let Some(baseline) = &baseline {
        baseline.leave_out_known(&mut report);
    }
    report.tally();
    report.advice = summary::advice(arguments, &checked, &report);
    let run = saved::Run { target, refinements: &arguments.refinements, surroundings: &run::Surroundings::default() };
    for finding in &mut report.findings {
        let mut looks = std::iter::once(&checked).chain(&more);
        if let Some(found) = looks.find_map(|checked| summary::found_of(checked, finding)) {
            folder.save(&run, &found.input, &found.armed, finding);
        }
    }
    let looks = std::iter::once(&checked).chain(&more);
    if let Some(slow) = &mut report.summary.slow {
        let inputs: Vec<Input> =
            looks.filter_map(|checked| checked.slow.as_ref()).flat_map(|slow| &slow.first).cloned().collect();
        // When the time is over there is still some for this; nobody has interrupted it.
        let is_late = is_over.as_ref().is_some_and(|over| over.load(Ordering::Relaxed));
        let stop = if is_late { &AtomicBool::new(false) } else { &*interrupted };
        hangs::tell(slow, &inputs, (&opened, &run), &mut folder, stop);
    }
    report.summary.seconds.total = started.elapsed().as_secs_f64();
    let written = shown::show(&arguments.report, &report, &sources);
    if arguments.solving.stats {
        exit::shown(writeln!(std::io::stdout(), "\n{}", session.stats()))?;
    }
    let saved = folder.finish(!report.findings.is_empty());
    written.and(saved)?;
    let was_interrupted = report.summary.interrupted && !is_over.is_some_and(|over| over.load(Ordering::Relaxed));
    Ok(match (was_interrupted, report.findings.is_empty()) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(FINDINGS),
    })
}
