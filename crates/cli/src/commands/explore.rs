//! `provoke explore PROG [--seeds DIR] [--stdin FILE] [--file FILE] [-- ARGS]`

mod corpus;
mod coverage;
pub mod live;
mod seeds;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use checkers::selection::Selection;
use clap::Args;
use path::Completeness;
use replay::Replayer;
use report::Destination;
use run::Outcome;
use search::check::{Error, Subject};
use search::explore::{Settings, Strategy, Worker, to_store};
use solver::Combination;
use store::{Campaign, Loss};

use crate::exit::{FINDINGS, Failure, INTERRUPTED};
use crate::refinements::Refinements;
use crate::solving::Solving;
use crate::target::Target;
use crate::{describe, interrupt, program, saved, shown};
use live::Live;
pub use summary::words;

/// How often the state of the workers is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Arguments of `provoke explore`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Folder with inputs to start from: each file becomes the input file if an argument contains @@, standard input otherwise
    #[arg(long, value_name = "DIR")]
    seeds: Option<PathBuf>,
    /// Start from everything that inputs begin with, too: then inputs of all lengths are explored
    #[arg(long)]
    shorter: bool,
    /// How long: a number of seconds, or with m or h behind it of minutes or hours [default: until everything is explored]
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// How many workers [default: one for each processor]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// Folder for the campaign and what it finds; if there is one already, it goes on
    #[arg(long, value_name = "DIR", default_value = ".provoke/campaign")]
    out: PathBuf,
    /// Which path next: generational (what reached most that is new), dfs, bfs or random
    #[arg(long, value_name = "STRATEGY", default_value = "generational")]
    strategy: Strategy,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    /// How checks between the same two branches share queries: naive, weak or strong
    #[arg(long, value_name = "HOW", default_value_t = Combination::default())]
    combine: Combination,
    /// How many runs may be spent on making each failing input small
    #[arg(long, value_name = "RUNS", default_value_t = 200)]
    minimise: usize,
    #[arg(long, value_name = "KIND=FILE", help = report::destination::HELP)]
    report: Vec<Destination>,
    /// Say nothing until the end
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    refinements: Refinements,
    #[command(flatten)]
    solving: Solving,
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix('m').map(|t| (t, 60.0)).or(text.strip_suffix('h').map(|t| (t, 3600.0)))
    {
        Some(with_unit) => with_unit,
        None => (text.trim_end_matches('s'), 1.0),
    };
    let number: f64 = number.parse().map_err(|_| "the time is a number, with s, m or h behind it")?;
    Duration::try_from_secs_f64(number * unit).map_err(|error| error.to_string())
}

/// The file of the campaign in a folder.
pub fn campaign_file(folder: &Path) -> PathBuf {
    folder.join("campaign.sqlite")
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let stop = Arc::new(AtomicBool::new(false));
    let target = &arguments.target;
    let seeds = seeds::read(target, arguments.seeds.as_deref(), arguments.shorter)?;
    let rules = arguments.checks.in_views();
    let opened = target.open()?;
    let specification = arguments.refinements.read(rules)?;
    let view = program::concolic_of(&opened, rules, &specification)?;
    let replayed = program::view(&opened, views::Kind::Replay(rules), &specification)?;
    let views_took = started.elapsed();
    let replay_target = replay::Target {
        view: replayed,
        name: Some(target.program.clone().into_os_string()),
        args: target.args.clone(),
        surroundings: run::Surroundings::default(),
    };
    let settings = replay::Settings {
        limits: target.limits(),
        output: target.output(),
        largest_allocation: None,
        interrupt: Arc::clone(&stop),
    };
    let replayer = Replayer::new(replay_target, settings).map_err(Failure::input)?;

    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))
        .map_err(Failure::Input)?;
    let file = campaign_file(&arguments.out);
    let view_name = view.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let identity = [
        ("program", view_name),
        ("list of arguments", format!("{:?}", target.args)),
        // Checks of paths that are done would not be decided again.
        ("selection of checkers", format!("{:?}", arguments.checks)),
    ];
    let mut campaign = Campaign::open(&file, &identity).map_err(Failure::input)?;
    for seed in &seeds.inputs {
        campaign.add_seed(&to_store(seed)).map_err(Failure::input)?;
    }

    let mut request = target.request(view.path.clone());
    request.inputs = seeds.places;
    let subject = Subject { request: &request, sites: &view.sites, replayer: &replayer };
    let settings = Settings {
        selection: &arguments.checks,
        combination: arguments.combine,
        strategy: arguments.strategy,
        minimise: arguments.minimise,
        stop: &stop,
        losses: &losses,
    };
    let deadline = arguments.time.and_then(|time| Instant::now().checked_add(time));
    let is_over = || interrupted.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut live = Live::start(arguments.quiet);
    thread::scope(|scope| -> Result<(), Failure> {
        let jobs = arguments.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
        let work = || -> Result<(), Failure> {
            let campaign = Campaign::open(&file, &identity).map_err(Failure::input)?;
            let mut session = arguments.solving.session(target.budget())?;
            let mut worker = Worker { subject: &subject, settings: &settings, campaign };
            let result = worker.run(&mut session).map_err(failure);
            if result.is_err() {
                // What keeps one from working keeps all from it.
                stop.store(true, Ordering::Relaxed);
            }
            result
        };
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            if is_over() {
                stop.store(true, Ordering::Relaxed);
            }
            if let Err(error) = live.look(&mut campaign) {
                stop.store(true, Ordering::Relaxed);
                return Err(Failure::input(error));
            }
            thread::sleep(GLANCE);
        }
        for worker in workers {
            match worker.join() {
                Ok(result) => result?,
                // The panic has been reported where it happened.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    drop(live);

    let mut report = summary::report(&target.program, &view.sites, &replayer, &mut campaign)?;
    let run = saved::Run { target, refinements: &arguments.refinements };
    for (finding, found) in report.report.findings.iter_mut().zip(&report.found) {
        saved::save(&arguments.out.join("findings"), &run, &found.input, &found.armed, finding)?;
    }
    corpus::write(&arguments.out, &campaign, &report.found)?;
    coverage::write(&arguments.out, &campaign, replayer.sites())?;
    report.report.summary.interrupted = interrupted.load(Ordering::Relaxed);
    report.report.summary.seconds.views = views_took.as_secs_f64();
    report.report.summary.seconds.total = started.elapsed().as_secs_f64();
    shown::show(&arguments.report, &report.report)?;
    Ok(match (report.report.summary.interrupted, report.report.findings.is_empty()) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(FINDINGS),
    })
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Path(_) | Error::Mismatch(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}

/// What the constraint of a run does not cover, in words.
fn losses(record: &Completeness, outcome: &Outcome) -> Vec<Loss> {
    let mut losses = Vec::new();
    for loss in describe::losses_of_many(record, outcome) {
        let row = |file: &str, line: u32, count: u64| Loss {
            cause: loss.cause.clone(),
            text: loss.text.clone(),
            file: file.to_owned(),
            line,
            count,
        };
        if loss.places.is_empty() {
            losses.push(row("", 0, loss.count));
        }
        losses.extend(loss.places.iter().map(|place| row(&place.file, place.line, place.count)));
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(time("3s"), Ok(Duration::from_secs(3)));
        assert!(time("soon").is_err() && time("-1").is_err() && time("").is_err());
    }
}
