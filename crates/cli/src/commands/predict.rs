//! `provoke predict PROG --tests DIR [-- ARGS]`

pub mod suite;
mod summary;

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use checkers::selection::Selection;
use clap::Args;
use predict::{Effort, Ran, Record, Test, Words, Worker};
use refine::Specification;
use replay::Replayer;
use report::Destination;
use search::check::{self, Checked, Found};
use search::loops::Policy;
use search::{Branches, Options};
use solver::Combination;
use store::{Claim, Suite};

use self::summary::Done;
use crate::exit::{FINDINGS, Failure, INTERRUPTED};
use crate::progress::Progress;
use crate::refinements::Refinements;
use crate::solving::Solving;
use crate::sources::Built;
use crate::target::Target;
use crate::{describe, finding, interrupt, preconditions, program, project, saved, shown, time};

/// How often tests that another process has are looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Arguments of `provoke predict`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// The tests: a folder in which each file is the input file if an argument contains @@, and standard input otherwise; what
    /// `provoke wrap` recorded; or a file with a command line for each test [default: the program as it is run here is one test]
    #[arg(long, value_name = "TESTS")]
    tests: Option<PathBuf>,
    /// How many tests at a time [default: one for each processor]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,
    /// Folder for what is known about the tests and what they come close to; if there is one already, it goes on
    /// [default: .provoke/predictions]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    /// How checks between the same two branches share queries: naive, weak or strong
    #[arg(long, value_name = "HOW", default_value_t = Combination::default())]
    combine: Combination,
    /// How many runs may be spent on making each failing input small
    #[arg(long, value_name = "RUNS", default_value_t = 200)]
    minimise: usize,
    /// How long a test may take in all: a number of seconds, or with m or h behind it; what is not decided by then is left
    #[arg(long, value_name = "TIME", default_value = "20", value_parser = crate::time::parse)]
    test_time: Duration,
    /// Stop after a number of seconds, or with m or h behind it of minutes or hours, and show what is known by then; the same command
    /// goes on; the time that the making of views takes is not counted
    #[arg(long, value_name = "TIME", value_parser = crate::time::parse)]
    time: Option<Duration>,
    #[arg(long, value_name = "KIND=FILE", help = report::destination::HELP)]
    report: Vec<Destination>,
    /// An earlier report (JSON or SARIF): show only what it does not have
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Do not check the preconditions that `provoke hoist` found
    #[arg(long)]
    no_preconditions: bool,
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
    let out = project::place(arguments.out.as_deref(), "predictions");
    let mut folder = saved::Folder::prepare(out.join("findings"))?;
    let baseline = arguments.baseline.as_deref().map(crate::baseline::read).transpose()?;
    let target = &arguments.target;
    let opened = target.open()?;
    let read = suite::read(target, arguments.tests.as_deref())?;
    let not_read: Vec<(String, Record)> = read.not_read().collect();
    let rules = arguments.checks.in_views();
    let mut specification = arguments.refinements.read(rules)?;
    let known = if arguments.no_preconditions { Specification::default() } else { preconditions::read()? };
    specification.lines.extend(known.lines.iter().cloned());
    let view = program::concolic_of(&opened, rules, &specification)?;
    preconditions::note_unused(&known, &view.sites);
    let replayed = program::view(&opened, views::Kind::Replay(rules), &specification)?;
    let sources = Built::new(&opened, Some(replayed.clone()));
    let views_took = started.elapsed();
    drop(preparing);
    let identity = predict::program(&[
        &view.path.file_name().unwrap_or_default().to_string_lossy(),
        &replayed.file_name().unwrap_or_default().to_string_lossy(),
        &format!("{:?} {:?}", arguments.checks, target.request(PathBuf::new()).memory),
    ]);
    let keyed: Vec<(Test, Vec<u8>)> = read
        .tests
        .into_iter()
        .map(|test| {
            // What cannot be read is told when the test is run.
            let key = test.key(&identity, &test.inputs.read(&test.args).unwrap_or_default());
            (test, key)
        })
        .collect();
    let replayer = Replayer::new(
        replay::Target {
            view: replayed,
            name: Some(target.program.clone().into_os_string()),
            args: target.args.clone(),
            surroundings: run::Surroundings::default(),
        },
        replay::Settings {
            limits: target.limits(),
            output: target.output(),
            reuse: false,
            serve_at_once: true,
            interrupt: interrupted.clone(),
        },
    )
    .map_err(Failure::input)?;
    let is_over = arguments.time.map(|time| time::stop_after(time, &interrupted));
    let file = suite_file(&out)?;
    let suite = Suite::open(&file).map_err(Failure::input)?;
    let sites = &view.sites;
    let describe_finding = |checked: &Checked, found: &Found, test: &Test| {
        let finding = finding::of_checked(sites, checked, found, &test.name);
        serde_json::to_string(&finding).unwrap_or_default()
    };
    let settings = predict::Settings {
        check: check::Settings {
            selection: &arguments.checks,
            options: Options { combination: arguments.combine, branches: Branches::None, ..Options::default() },
            loops: Policy::Ask,
            growth: false,
            minimise: arguments.minimise,
            interrupt: &interrupted,
            until: None,
            known: &BTreeSet::new(),
        },
        effort: Effort::new(
            arguments.test_time,
            target.budget().time,
            &target.limits(),
            format!("{:?}", arguments.combine),
        ),
        program: identity.clone(),
        words: Words { finding: &describe_finding, losses: &describe::losses_by_line, end: &describe::status },
    };
    let request = target.request(view.path.clone());
    let work = Work {
        arguments,
        tests: &keyed,
        next: AtomicUsize::new(0),
        stop: &interrupted,
        done: Mutex::new(Vec::new()),
        cut: Mutex::new(Vec::new()),
        failed: Mutex::new(Vec::new()),
        unsaved: Mutex::new(Vec::new()),
        progress: Progress::start(),
    };
    let jobs = arguments.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let one = |suite: Suite| -> (Suite, Result<(), Failure>) {
        let mut worker = Worker { request: &request, sites, replayer: &replayer, settings: &settings, suite };
        let result = work.run(&mut worker);
        if result.is_err() {
            // What keeps one from working keeps all from it.
            interrupted.store(true, Ordering::Relaxed);
        }
        (worker.suite, result)
    };
    let (suite, worked) = thread::scope(|scope| {
        let other = || Suite::open(&file).map_err(Failure::input).and_then(|suite| one(suite).1);
        let others: Vec<_> = (1..jobs).map(|_| scope.spawn(other)).collect();
        // The panic has been reported where it happened.
        let first = scope.spawn(|| one(suite)).join();
        let (suite, mut worked) = first.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        for other in others {
            worked = worked.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        // Whoever closes the file last puts it in order: once is enough.
        (suite, worked)
    });
    // What was found is shown even if nothing more can be kept, because the disk is full for instance; why is said in the end.
    if let Err(Failure::Internal(_)) = worked {
        return worked.map(|()| ExitCode::SUCCESS);
    }
    let unsaved = std::mem::take(&mut *work.unsaved.lock().unwrap_or_else(PoisonError::into_inner));
    let (mut done, cut) = work.finish(&suite)?;
    let all = keyed.len() + not_read.len();
    done.extend(not_read.into_iter().map(|(name, record)| Done { name, record, was_known: false }));
    let records = done.iter().map(|test| (test.name.clone(), test.record.clone()));
    let records: Vec<(String, Record)> = records.chain(cut).collect();
    let summary = predict::Summary::new(&suite, &identity, &records, &unsaved).map_err(Failure::input)?;
    let mut report = summary::report(&target.program, (&done, all), &summary)?;
    for (finding, (defect, _)) in report.findings.iter_mut().zip(&summary.defects) {
        let Some((test, _)) = keyed.iter().find(|(test, _)| test.name == defect.test) else { continue };
        let run = saved::Run {
            target: &target.with_args(test.args.clone()),
            refinements: &arguments.refinements,
            surroundings: &test.surroundings,
        };
        folder.save(&run, &defect.input, &defect.armed, finding);
    }
    // What cannot be written is said when everything else has been.
    let kept = match &report.summary.suite {
        Some(suite) => write(&out.join("verified.info"), &report::lcov::render(suite)),
        None => Ok(()),
    };
    if let Some(baseline) = &baseline {
        baseline.leave_out_known(&mut report);
    }
    report.summary.interrupted = interrupted.load(Ordering::Relaxed) || worked.is_err();
    report.summary.seconds.views = views_took.as_secs_f64();
    report.summary.seconds.total = started.elapsed().as_secs_f64();
    report.tally();
    let written = shown::show(&arguments.report, &report, &sources);
    let saved = folder.finish(!report.findings.is_empty());
    worked.and(written).and(kept).and(saved)?;
    let was_interrupted = report.summary.interrupted && !is_over.is_some_and(|over| over.load(Ordering::Relaxed));
    Ok(match (was_interrupted, report.findings.is_empty()) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(FINDINGS),
    })
}

/// The names of tests that were interrupted, and the bugs that were seen until then.
type Cut = Vec<(String, Record)>;

/// The tests, and how far they are.
struct Work<'a> {
    arguments: &'a Arguments,
    tests: &'a [(Test, Vec<u8>)],
    next: AtomicUsize,
    stop: &'a Arc<AtomicBool>,
    done: Mutex<Vec<(usize, Done)>>,
    cut: Mutex<Cut>,
    /// Why tests cannot be run.
    failed: Mutex<Vec<predict::Error>>,
    /// Bugs that could not be written to the suite's file.
    unsaved: Mutex<Vec<(String, String)>>,
    progress: Progress,
}

impl Work<'_> {
    /// Takes one test after the other.
    fn run(&self, worker: &mut Worker<'_>) -> Result<(), Failure> {
        let mut session = self.arguments.solving.session(self.arguments.target.budget())?;
        session.stop_when(self.stop);
        let mut taken = Vec::new();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((test, key)) = self.tests.get(index) else { break };
            if !self.one(index, test, key, worker, &mut session)? {
                taken.push((index, test, key));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        // What other processes have is theirs to do, for as long as they live.
        for (index, test, key) in taken {
            while !self.stop.load(Ordering::Relaxed) && !self.one(index, test, key, worker, &mut session)? {
                thread::sleep(GLANCE);
            }
        }
        Ok(())
    }

    /// Runs a test, unless another process has it.
    fn one(
        &self,
        index: usize,
        test: &Test,
        key: &[u8],
        worker: &mut Worker<'_>,
        session: &mut solver::Session,
    ) -> Result<bool, Failure> {
        let before: Option<Record> = match worker.suite.claim(key).map_err(Failure::input)? {
            Claim::Taken => return Ok(false),
            Claim::Ours => None,
            Claim::Done(data) => {
                let record: Record = serde_json::from_str(&data).map_err(Failure::input)?;
                if !record.can_gain(&worker.settings.effort) {
                    self.add(index, test, record, true);
                    return Ok(true);
                }
                if !worker.suite.claim_again(key, &data).map_err(Failure::input)? {
                    return Ok(false);
                }
                Some(record)
            }
        };
        match worker.run(test, key, before.as_ref(), session) {
            Ok(ran) => self.note(index, test, ran),
            // It keeps no other from being run, and is tried again the next time.
            Err(predict::Error::Test { source, .. }) if !matches!(source, check::Error::Mismatch(_)) => {
                worker.suite.release(key).map_err(Failure::input)?;
                self.not_run(index, test, before, source);
            }
            Err(predict::Error::Unsaved { unsaved, source }) => {
                self.note(index, test, unsaved.ran);
                self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).extend(unsaved.findings);
                return Err(Failure::input(source));
            }
            Err(error) => return Err(failure(error)),
        }
        Ok(true)
    }

    /// Notes what came of a test that was run.
    fn note(&self, index: usize, test: &Test, ran: Ran) {
        match ran {
            Ran::Done(record) => self.add(index, test, record, false),
            Ran::Interrupted(record) => {
                self.cut.lock().unwrap_or_else(PoisonError::into_inner).push((test.name.clone(), record));
            }
        }
    }

    /// Notes what is known of a test.
    fn add(&self, index: usize, test: &Test, record: Record, was_known: bool) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.push((index, Done { name: test.name.clone(), record, was_known }));
        self.progress.step(&format!("{} of {} tests done", done.len(), self.tests.len()));
    }

    /// Notes that a test cannot be run, or not any more.
    fn not_run(&self, index: usize, test: &Test, before: Option<Record>, source: check::Error) {
        match before {
            Some(before) => {
                eprintln!("provoke: test {} cannot be run again: {source}; what is known of it stays", test.name);
                self.add(index, test, before, true);
            }
            None => {
                self.add(index, test, Record::not_run(&source.to_string()), false);
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.push(predict::Error::Test { test: test.name.clone(), source });
            }
        }
    }

    /// What came of the tests, in their order, and what was seen of those that were interrupted. What is known from before of tests that
    /// nobody came to this time is part of it. That none of them can be run is no matter of the tests.
    fn finish(self, suite: &Suite) -> Result<(Vec<Done>, Cut), Failure> {
        let mut done = self.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let cut = self.cut.into_inner().unwrap_or_else(PoisonError::into_inner);
        let failed = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        if failed.len() == self.tests.len()
            && let Some(first) = failed.into_iter().next()
        {
            return Err(failure(first));
        }
        let reached: BTreeSet<usize> = done.iter().map(|(index, _)| *index).collect();
        for (index, (test, key)) in self.tests.iter().enumerate().filter(|(index, _)| !reached.contains(index)) {
            if let Some(data) = suite.known(key).map_err(Failure::input)? {
                let record = serde_json::from_str(&data).map_err(Failure::input)?;
                done.push((index, Done { name: test.name.clone(), record, was_known: true }));
            }
        }
        done.sort_by_key(|(index, _)| *index);
        Ok((done.into_iter().map(|(_, done)| done).collect(), cut))
    }
}

/// The file of the suite, in a folder that is made if there is none.
fn suite_file(folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))
        .map_err(Failure::Input)?;
    Ok(folder.join("suite.sqlite"))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    report::destination::replace(file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
        .map_err(Failure::Input)
}

fn failure(error: predict::Error) -> Failure {
    match error {
        predict::Error::Test { source: check::Error::Path(_) | check::Error::Mismatch(_), .. } => {
            Failure::internal(error)
        }
        _ => Failure::input(error),
    }
}
