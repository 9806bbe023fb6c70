//! `provoke explore PROG [--seeds DIR] [--stdin FILE] [--file FILE] [-- ARGS]`

mod corpus;
mod coverage;
pub mod live;
mod loops;
mod seeds;
mod summary;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use checkers::selection::Selection;
use clap::{Args, ValueEnum};
use replay::Replayer;
use report::{Destination, Slow};
use search::check::{Error, Subject};
use search::explore::{Mutating, Settings, Shared, Strategy, Worker, from_store, to_store};
use search::loops::Policy;
use solver::Combination;
use store::Campaign;
use trace::sites::SiteTable;

use crate::exit::{self, FINDINGS, Failure, INTERRUPTED};
use crate::loops::Loops;
use crate::refinements::Refinements;
use crate::solving::Solving;
use crate::sources::Built;
use crate::target::Target;
use crate::{describe, driver, hangs, interrupt, program, project, saved, shown};
use corpus::{Layout, Which};
use live::{Live, Voice};
pub use summary::words;

/// What the file of a campaign is called.
pub const CAMPAIGN: &str = "campaign.sqlite";

/// Where the inputs go that make the program fail.
const FINDINGS_FOLDER: &str = "findings";

/// Said where there was nothing to start from.
const ASSUMED: &str = "It started from an empty standard input that may go on, since nothing else was given: real inputs \
                       (--seeds DIR, --stdin FILE, --file FILE and @@ among the arguments) lead further.";

/// How often files are written while it runs.
const WRITE: Duration = Duration::from_secs(60);

/// Who waited as long for views wants to know what the time that was asked for is.
const LONG: Duration = Duration::from_secs(2);

/// How often the state of the workers is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Arguments of `provoke explore`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Folder with inputs to start from, or what AFL++ or another campaign left, or one input: each file becomes the input file if an argument
    /// contains @@, standard input otherwise; .ktest files of KLEE have names for what they contain [default: a standard input
    /// that is empty and may go on, if nothing else is input]
    #[arg(long, value_name = "DIR")]
    seeds: Option<PathBuf>,
    /// Start from everything that inputs begin with, too: then inputs of all lengths are explored
    #[arg(long)]
    shorter: bool,
    /// How long: a number of seconds, or with m or h behind it of minutes or hours, counted from when the views of the program
    /// are made, which happens once for each build of it [default: until everything is explored]
    #[arg(long, value_name = "TIME", value_parser = crate::time::parse)]
    time: Option<Duration>,
    /// How many workers [default: one for each processor]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,
    /// Folder for the campaign and what it finds; if there is one already, it goes on [default: .provoke/campaign]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Which path next: generational (what reached most that is new), dfs, bfs or random
    #[arg(long, value_name = "STRATEGY", default_value = "generational")]
    strategy: Strategy,
    /// Whether inputs are made by chance too, which changes their lengths: auto is with --time, where not everything is explored
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    mutate: Mutate,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    /// How checks between the same two branches share queries: naive, weak or strong
    #[arg(long, value_name = "HOW", default_value_t = Combination::default())]
    combine: Combination,
    /// In which layout inputs are written to the folder: afl, libfuzzer, or ktest, which inputs of several parts get
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<Layout>,
    /// Which inputs are written: all that reached something new, or a minimal set that reaches the same
    #[arg(long, value_name = "WHICH", default_value = "all")]
    corpus: Which,
    /// How many runs may be spent on making each failing input small
    #[arg(long, value_name = "RUNS", default_value_t = 200)]
    minimise: usize,
    #[arg(long, value_name = "KIND=FILE", help = report::destination::HELP)]
    report: Vec<Destination>,
    /// Say nothing until the end
    #[arg(long)]
    quiet: bool,
    /// Say what happens as JSON, an event on each line of standard output, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    loops: Loops,
    #[command(flatten)]
    refinements: Refinements,
    #[command(flatten)]
    solving: Solving,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Mutate {
    /// If there is a limit to the time
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Arguments {
    fn mutates(&self) -> bool {
        match self.mutate {
            Mutate::Auto => self.time.is_some(),
            Mutate::Always => true,
            Mutate::Never => false,
        }
    }
}

/// The file of the campaign in a folder.
pub fn campaign_file(folder: &Path) -> PathBuf {
    folder.join(CAMPAIGN)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let preparing = interrupt::Preparing::start(&interrupted);
    let stop = Arc::new(AtomicBool::new(false));
    let out = project::place(arguments.out.as_deref(), "campaign");
    fs::create_dir_all(&out)
        .with_context(|| format!("cannot make the folder {}", out.display()))
        .map_err(Failure::Input)?;
    let mut folder = saved::Folder::prepare(out.join(FINDINGS_FOLDER))?;
    let target = match &arguments.refinements.unit {
        Some(unit) => &driver::prepare(&out, unit, &arguments.target, arguments.seeds.is_some())?,
        None => &arguments.target,
    };
    let seeds = seeds::read(target, arguments.seeds.as_deref(), arguments.shorter)?;
    let rules = arguments.checks.in_views();
    let opened = target.open()?;
    let specification = arguments.refinements.read(rules)?;
    let view = program::concolic_of(&opened, rules, &specification)?;
    let replayed = program::view(&opened, views::Kind::Replay(rules), &specification)?;
    let sources = Built::new(&opened, Some(replayed.clone()));
    let counted = arguments.mutates().then(|| program::view(&opened, views::Kind::Coverage(rules), &specification));
    let counted = counted.transpose()?;
    let views_took = started.elapsed();
    drop(preparing);
    let replayer = |view: PathBuf, reuse: bool| {
        let replay_target = replay::Target {
            view,
            name: Some(target.program.clone().into_os_string()),
            args: target.args.clone(),
            surroundings: run::Surroundings::default(),
        };
        let settings = replay::Settings {
            limits: target.limits(),
            output: target.output(),
            reuse,
            serve_at_once: false,
            interrupt: Arc::clone(&stop),
        };
        Replayer::new(replay_target, settings).map_err(Failure::input)
    };
    // What is new there is run again in a process of its own.
    let coverage = counted.map(|view| replayer(view, true)).transpose()?;
    let replayer = replayer(replayed, false)?;
    let tokens = coverage.as_ref().map(Replayer::texts).transpose().map_err(Failure::input)?.unwrap_or_default();

    let file = campaign_file(&out);
    let view_name = view.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let identity = [
        // Checks of paths that are done would not be decided again. Views of other checkers are others too, but that says less.
        ("selection of checkers", format!("{:?}", arguments.checks)),
        ("program", view_name),
        ("list of arguments", format!("{:?}", target.args)),
        // Nor would decisions that were left out be asked about.
        (
            "treatment of loops",
            (if arguments.loops.policy == Policy::LeaveOut { "dependence" } else { "complete" }).to_owned(),
        ),
    ];
    let mut request = target.request(view.path.clone());
    request.limits.trace = target.explored_trace();
    let seeds = seeds.or_standard_input(&request, &interrupted)?;
    let mut campaign = Campaign::open(&file, &identity).map_err(Failure::input)?;
    for seed in &seeds.inputs {
        campaign.add_seed(&to_store(seed)).map_err(Failure::input)?;
    }

    request.inputs = seeds.places;
    let subject = Subject { request: &request, sites: &view.sites, replayer: &replayer };
    let settings = Settings {
        selection: &arguments.checks,
        combination: arguments.combine,
        strategy: arguments.strategy,
        loops: arguments.loops.settings(),
        minimise: arguments.minimise,
        stop: &stop,
        mutating: coverage.as_ref().map(|coverage| Mutating { coverage, tokens: &tokens }),
        losses: &describe::losses_by_line,
    };
    let shared = Shared::default();
    let deadline = arguments.time.and_then(|time| Instant::now().checked_add(time));
    let is_over = || interrupted.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let voice = match (arguments.quiet, arguments.json) {
        (true, _) => Voice::Silent,
        (false, true) => Voice::Events,
        (false, false) => Voice::Words,
    };
    if let Some(time) = arguments.time.filter(|_| voice == Voice::Words && views_took >= LONG) {
        let (views, time) = (views_took.as_secs_f64(), time.as_secs_f64());
        eprintln!(
            "provoke: the views of the program took {views:.0} s, and are kept; the {time:.0} s of --time begin now"
        );
    }
    let mut live = Live::start(voice, &mut campaign).map_err(Failure::input)?;
    let mut written = Instant::now();
    let worked = thread::scope(|scope| -> Result<(), Failure> {
        let jobs = arguments.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
        let work = || -> Result<(), Failure> {
            let campaign = Campaign::open(&file, &identity).map_err(Failure::input)?;
            let mut session = arguments.solving.session(target.budget())?;
            session.stop_when(&stop);
            let mut worker = Worker::new(&subject, &settings, &shared, campaign);
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
            let mut looked = live.look(&mut campaign).map_err(Failure::input);
            if looked.is_ok() && written.elapsed() >= WRITE {
                looked = put_files(arguments, &out, &view.sites, &replayer, &mut campaign);
                written = Instant::now();
            }
            if looked.is_err() {
                stop.store(true, Ordering::Relaxed);
                return looked;
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
    });
    let worked = worked.and(live.finish(&mut campaign).map_err(Failure::input));
    if let Err(Failure::Internal(_)) = worked {
        return worked.map(|()| ExitCode::SUCCESS);
    }
    // What was found is shown even if nothing more can be found, because the disk is full for instance; why is said in the end.
    let more = (shared.unsaved(), summary::Lengths::of(&request.inputs));
    let reported = summary::report(&target.program, &view.sites, &replayer, &mut campaign, (&more.0, more.1));
    let (mut report, worked) = match (reported, worked) {
        (Ok(report), worked) => (report, worked),
        (Err(_), Err(failure)) | (Err(failure), Ok(())) => return Err(failure),
    };
    if seeds.is_assumed {
        report.report.advice.push(ASSUMED.to_owned());
    }
    let run = saved::Run { target, refinements: &arguments.refinements, surroundings: &run::Surroundings::default() };
    for (finding, found) in report.report.findings.iter_mut().zip(&report.found) {
        folder.save(&run, &found.input, &found.armed, finding);
    }
    let hangs = campaign.hangs().map_err(Failure::input)?;
    if !hangs.is_empty() {
        let mut slow =
            Slow { inputs: hangs.len() as u64, seconds: target.limits().time.as_secs_f64(), ..Slow::default() };
        let inputs: Vec<_> = hangs.iter().map(|hang| from_store(&hang.input)).collect();
        hangs::tell(&mut slow, &inputs, (&opened, &run), &mut folder, &interrupted);
        report.report.summary.slow = Some(slow);
    }
    let how = (arguments.layout, arguments.corpus, corpus::Moment::End);
    // What cannot be written is said when everything else has been.
    let mut kept = corpus::write(&out, &mut campaign, &report.found, &replayer, how);
    if let Some(exploration) = &report.report.summary.exploration {
        kept = kept.and(coverage::write(&out, &exploration.files));
    }
    report.report.summary.interrupted = interrupted.load(Ordering::Relaxed) || worked.is_err();
    report.report.summary.seconds.views = views_took.as_secs_f64();
    report.report.summary.seconds.total = started.elapsed().as_secs_f64();
    report.report.tally();
    if arguments.json {
        kept = kept.and(shown::write(&arguments.report, &report.report, &sources));
        let summary = serde_json::to_value(&report.report.summary).map_err(Failure::internal)?;
        exit::shown(live::event("summary", summary))?;
    } else {
        kept = kept.and(shown::show(&arguments.report, &report.report, &sources));
    }
    let saved = folder.finish(!report.report.findings.is_empty());
    worked.and(kept).and(saved)?;
    Ok(match (report.report.summary.interrupted, report.report.findings.is_empty()) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(FINDINGS),
    })
}

/// Writes what was found and reached so far, for whoever looks while it runs. What cannot be written now is tried again at the end, and
/// said then.
fn put_files(
    arguments: &Arguments,
    out: &Path,
    sites: &SiteTable,
    replayer: &Replayer,
    campaign: &mut Campaign,
) -> Result<(), Failure> {
    let surroundings = run::Surroundings::default();
    let run =
        saved::Run { target: &arguments.target, refinements: &arguments.refinements, surroundings: &surroundings };
    let (mut findings, found): (Vec<_>, Vec<_>) = summary::found(sites, campaign, &[])?.into_iter().unzip();
    let Ok(mut folder) = saved::Folder::prepare(out.join(FINDINGS_FOLDER)) else { return Ok(()) };
    for (finding, found) in findings.iter_mut().zip(&found) {
        folder.save(&run, &found.input, &found.armed, finding);
    }
    // A minimal set takes runs, and is made once.
    if arguments.corpus == Which::Minimal {
        return Ok(());
    }
    let how = (arguments.layout, arguments.corpus, corpus::Moment::Meanwhile);
    let _ = corpus::write(out, campaign, &found, replayer, how);
    Ok(())
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Path(_) | Error::Mismatch(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
