//! One run of a program, actively checked: its checks are decided, its neighbours are run, and what fails is found.

mod any_length;
mod deadline;
mod findings;
mod iterations;
mod limits;
mod lines;
mod mended;
mod neighbours;
mod others;
mod records;
mod rows;
mod splice;
mod unpinned;
mod walk;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use checkers::inject::{Injected, inject};
use checkers::selection::Selection;
use path::Path;
use replay::{Bucket, Change, Input, Prediction, Replayer, Violation};
use run::{Limits, Outcome, Request};
use solver::Session;
use trace::reader::{Memory, Note};
use trace::sites::{SiteKind, SiteTable};

use crate::divisions::{Division, divisions};
use crate::expand::{Branches, Expansion, Options};
use crate::growth::{self, Series};
use crate::loops::{Policy, Run};
use crate::reached::Reached;
pub use any_length::check_any_length;
pub(crate) use findings::LONGEST_ATTEMPT;
use findings::{Findings, Hope, Missed, Results, Trial};
pub use iterations::{Cost, Looped};
pub use neighbours::{Neighbour, Neighbours, Spent, check_neighbours};
pub use others::{Others, check_others};
use unpinned::{Known, unpinned};
use walk::Walk;

/// What is checked.
pub struct Subject<'a> {
    /// A run of the concolic view.
    pub request: &'a Request,
    /// The concolic view's sites.
    pub sites: &'a SiteTable,
    /// Runs the replay view.
    pub replayer: &'a Replayer,
}

/// How it is checked.
pub struct Settings<'a> {
    /// The checkers that are wanted.
    pub selection: &'a Selection,
    /// What to look for.
    pub options: Options,
    /// What is done about loops.
    pub loops: Policy,
    /// Whether longer inputs are run too.
    pub growth: bool,
    /// Replays that may be spent on making an input small.
    pub minimise: usize,
    /// Ends everything when it becomes true; what was found until then is kept.
    pub interrupt: &'a AtomicBool,
    /// The same at this moment.
    pub until: Option<Instant>,
    /// Bugs that somebody has an input for already: theirs are not made small.
    pub known: &'a BTreeSet<Bucket>,
}

impl Settings<'_> {
    /// Whether the time is over.
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether to come to an end.
    fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.is_late()
    }
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// So many constraints of so many are done.
    Solving(usize, usize),
    /// So many candidates have been run.
    Replaying(usize),
    /// So many neighbours of so many have been looked at.
    Neighbours(usize, usize),
}

/// A violation that was seen to happen.
#[derive(Clone, Debug)]
pub struct Found {
    /// What happened.
    pub violation: Violation,
    /// Which bug it is.
    pub bucket: Bucket,
    /// What led to it.
    pub cause: Cause,
    /// Whether that was what had been predicted.
    pub as_predicted: bool,
    /// Whether what had been predicted fails on this input, be it this or something else.
    pub is_confirmed: bool,
    /// The input.
    pub input: Input,
    /// How it differs from the input of the run.
    pub changes: Vec<Change>,
    /// Checks for what is often meant that were reported.
    pub armed: Vec<u32>,
}

/// A bug that an input showed which was made for a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The check's index.
    pub check: usize,
    /// The bug.
    pub bucket: Bucket,
    /// Whether that is the violation of this check.
    pub as_predicted: bool,
}

/// What led to an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// It is the input of the run itself.
    Run,
    /// The check with this index was to be violated.
    Check(usize),
    /// The path was to be left at the constraint with this index.
    Branch(usize),
    /// The loop with this number was to make many more iterations.
    Iterations(u32),
    /// There was to be more of something in the input.
    Growth,
    /// A check at this site was to be violated, behind something that is not followed.
    Unpinned(u32),
}

/// How predictions of checkers turned out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// The property failed at the predicted site.
    pub confirmed: u64,
    /// Another property failed.
    pub confirmed_elsewhere: u64,
    /// The run left the predicted path.
    pub diverged: u64,
    /// Nothing failed.
    pub not_reproduced: u64,
}

/// Inputs of those that took too long that are kept.
const SLOW_KEPT: usize = 4;

/// Inputs whose runs took too long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slow {
    /// How many.
    pub inputs: u64,
    /// The first ones of them, of which there is at least one.
    pub first: Vec<Input>,
    /// How long each of them ran at least.
    pub least: Duration,
}

impl Slow {
    fn count(slow: &mut Option<Slow>, input: &Input, ran: Duration) {
        let slow = slow.get_or_insert_with(|| Slow { inputs: 0, first: Vec::new(), least: ran });
        slow.inputs += 1;
        if slow.first.len() < SLOW_KEPT {
            slow.first.push(input.clone());
        }
        slow.least = slow.least.min(ran);
    }
}

/// Why a prediction did not come true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Miss {
    /// The run left the path.
    Left(replay::Divergence),
    /// It took too long.
    TookTooLong,
    /// Nothing failed.
    NothingFailed,
}

/// What came of it.
pub struct Checked {
    /// The run.
    pub outcome: Outcome,
    /// Its path.
    pub path: Path,
    /// The checks on it.
    pub checks: Vec<Injected>,
    /// What was found out about checks and branches.
    pub expansion: Expansion,
    /// What was seen to fail, the first one first.
    pub found: Vec<Found>,
    /// How predictions turned out.
    pub verdicts: Verdicts,
    /// The checks whose violation was seen where it was predicted, by index.
    pub confirmed: Vec<usize>,
    /// What failed on inputs that were made for checks. There may be several for one.
    pub shown: Vec<Shown>,
    /// Predictions that did not come true: the check, and why.
    pub missed: Vec<(usize, Miss)>,
    /// Checks for which there was an input, and no time to run it to its end.
    pub late: Vec<usize>,
    /// Inputs that were run.
    pub candidates: u64,
    /// Inputs that were not, since the run's own fails and so did many of them.
    pub left_out: u64,
    /// Those that reached what nothing before them had reached.
    pub neighbours: Vec<Neighbour>,
    /// What it and all others have reached.
    reached: Reached,
    /// For what the run did not reach, others that did, those that left its path last first.
    pub beside: Vec<Arc<Neighbour>>,
    /// Inputs of branches that do again what was done once before: in them loops have begun to repeat.
    pub second_rounds: Vec<Input>,
    /// Inputs that decide otherwise, and come to nothing new.
    rows: rows::Rows,
    /// Longer inputs that do not come to all that the run's own comes to.
    turned_away: Vec<Input>,
    /// Those beside the run's own that took too long.
    pub slow: Option<Slow>,
    /// What was found out about its loops.
    pub loops: Looped,
    /// Time that the making of path and checks took.
    pub building: Duration,
    /// Time spent in replays, of which most goes by while the path is walked.
    pub replaying: Duration,
}

/// What goes wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program cannot be run.
    #[error(transparent)]
    Run(#[from] run::Error),
    /// Nor replayed.
    #[error(transparent)]
    Replay(#[from] replay::Error),
    /// The program left no trace.
    #[error("the program wrote no trace: it ended before its runtime was ready")]
    NoTrace,
    /// The trace contradicts itself.
    #[error(transparent)]
    Path(#[from] path::Error),
    /// The campaign cannot be used.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// What the campaign keeps about a finding cannot be read.
    #[error("a finding of the campaign cannot be read: {0}; choose another folder with --out")]
    Record(serde_json::Error),
    /// Self-check: a label contradicts the value it stands for.
    #[error("self-check: {0}")]
    Mismatch(String),
}

/// A run that has been traced, before anything about it is decided.
pub struct Traced {
    /// The run.
    pub outcome: Outcome,
    /// Its path.
    pub path: Path,
    /// The checks that are to be decided, in the order of the path.
    pub checks: Vec<Injected>,
    /// Whether the time was over before the end of the path.
    pub is_cut: bool,
    /// Time that the making of path and checks took.
    pub building: Duration,
    /// The divisions on it, whether they are to be decided or not.
    divisions: Vec<Division>,
    /// Its input, as terms see it.
    base: Arc<expr::Input>,
    /// Its input, as it can be replayed.
    input: Input,
    /// What led to this input.
    cause: Cause,
    /// The input that findings are brought close to.
    original: Input,
    /// Inputs that are run as well, made one at a time: they may be large.
    tried: Box<dyn Iterator<Item = Input> + Send>,
    /// What was reached before.
    reached: Reached,
}

impl Traced {
    /// The input of the run, as terms see it.
    pub fn values(&self) -> &expr::Input {
        &self.base
    }
}

/// Runs, decides, replays.
pub fn check(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, Error> {
    let traced = trace(subject.request, subject.sites, settings)?;
    decide(subject, session, settings, traced, progress)
}

/// Runs the program and sees which checks there are on its path.
pub fn trace(request: &Request, sites: &SiteTable, settings: &Settings) -> Result<Traced, Error> {
    trace_run(request, sites, settings, usize::MAX, |request| run::concolic(request, settings.interrupt))
}

fn trace_run(
    request: &Request,
    sites: &SiteTable,
    settings: &Settings,
    most: usize,
    run: impl FnOnce(&Request) -> Result<Outcome, run::Error>,
) -> Result<Traced, Error> {
    // A run may take half of the time that there is, and its path half of the rest: something has to be left to decide checks.
    let half = |until: Instant| until.saturating_duration_since(Instant::now()) / 2;
    let time = request.limits.time.min(settings.until.map_or(Duration::MAX, half));
    let limits = Limits { time, ..request.limits.clone() };
    let outcome = run(&Request { limits, ..request.clone() })?;
    if outcome.trace.state() == trace::layout::State::Unclaimed {
        return Err(Error::NoTrace);
    }
    let base = Arc::new(path::input(&outcome.trace, &outcome.contents));
    if request.selfcheck
        && let Some(mismatch) = path::selfcheck::selfcheck(&outcome.trace, &base)
    {
        return Err(Error::Mismatch(mismatch.message));
    }
    let build = |stop: &AtomicBool| {
        let mut path = path::build_first(&outcome.trace, sites, stop, most)?;
        let checks = inject(&mut path, &outcome.trace, sites, settings.selection, stop);
        Ok::<_, Error>((path, checks))
    };
    let until = settings.until.map(|until| Instant::now() + half(until));
    let started = Instant::now();
    let (built, is_cut) = deadline::with_flag(settings.interrupt, until, build);
    let (path, checks) = built?;
    let building = started.elapsed();
    if request.selfcheck
        && let Some(note) = path.record.damage.iter().find(|note| matches!(note, Note::Contradiction(_)))
    {
        return Err(Error::Mismatch(note.to_string()));
    }
    let divisions = divisions(&checks);
    let input = replayable(&outcome, &base);
    let original = input.clone();
    let (cause, tried, reached) = (Cause::Run, Box::new(std::iter::empty()), Reached::default());
    Ok(Traced { outcome, path, checks, is_cut, building, divisions, base, input, cause, original, tried, reached })
}

/// Does something, and adds the time that it takes.
fn counted<T>(total: &mut Duration, what: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = what();
    *total += started.elapsed();
    done
}

/// Decides checks of a run, and branches if they are wanted, and replays what comes out.
pub fn decide(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    traced: Traced,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, Error> {
    let Traced { outcome, mut path, checks, is_cut, building, divisions, base, input, cause, original, tried, reached } =
        traced;
    let total = path.constraints.len();
    // The path is walked here while what comes out of it is run in another thread.
    let predictions: Vec<Prediction> = checks.iter().map(|check| prediction(subject.sites, check)).collect();
    let (send, receive) = mpsc::channel::<Work>();
    let mut findings = Findings::new(subject.replayer, settings, &original, &predictions, outcome.status);
    findings.reached = reached;
    if settings.options.branches == Branches::All {
        findings.others = rows::others(&path);
    }
    let (expansion, loops, run) = std::thread::scope(|scope| {
        let runner = scope.spawn(|| {
            let started = Instant::now();
            let mut waiting = Duration::ZERO;
            findings.run(Trial { cause, input: input.clone(), hope: Hope::Sure })?;
            let mut receive = receive.into_iter();
            while let Some(work) = counted(&mut waiting, || receive.next()) {
                match (work, settings.is_over()) {
                    (Work::One(trial), true) => findings.leave_out(&trial),
                    (Work::One(trial), false) => findings.run(trial)?,
                    (Work::Longer(_), true) => {}
                    (Work::Longer(all), false) => findings.grow(&all, &input)?,
                }
            }
            findings.try_all(tried)?;
            if settings.growth {
                findings.mix_records(&input)?;
            }
            findings.minimise()?;
            Ok::<_, Error>(started.elapsed().saturating_sub(waiting))
        });
        let give = |cause: Cause, input: &expr::Input, hope: Hope| {
            let input = replayable(&outcome, input);
            // Many iterations may need more to read than there is.
            let longer = matches!(cause, Cause::Iterations(_)).then(|| growth::followed(&input));
            let inputs = std::iter::once(input).chain(longer.filter(|_| settings.growth));
            let mut trials = inputs.map(|input| Trial { cause, input, hope });
            let is_over = trials.any(|trial| send.send(Work::One(trial)).is_err()) || settings.is_over();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut step = |done: usize| {
            progress(Progress::Solving(done, total));
            let is_over = settings.is_over();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let run = Run { trace: &outcome.trace, sites: subject.sites, base: &base, stop: settings.interrupt };
        let walk = Walk { settings, checks: &checks, divisions: &divisions, run, give: &give };
        session.set_deadline(settings.until);
        let (mut expansion, loops) = walk.along(session, &mut path, &mut step);
        session.set_deadline(None);
        // What comes behind the end of this path was not even looked at.
        expansion.stopped |= is_cut;
        if settings.growth && !expansion.stopped {
            let longer = growth::longer(&path, outcome.trace.parts(), &input);
            // Nobody listens any more where the runner has failed, which says so itself.
            let _ = send.send(Work::Longer(longer));
        }
        // Whoever wants addresses pinned wants to see what comes of that.
        let follows = subject.request.memory == Memory::Precise;
        if follows && settings.options.branches == Branches::All && !expansion.stopped {
            session.set_deadline(settings.until);
            let known = Known { path: &path, checks: &checks, verdicts: &expansion.checks };
            unpinned(session, &walk.run, settings.selection, &known, &give);
            session.set_deadline(None);
        }
        drop(send);
        progress(Progress::Replaying(0));
        (expansion, loops, runner.join())
    });
    let replaying = match run {
        Ok(result) => result?,
        // The panic has been reported where it happened.
        Err(panic) => std::panic::resume_unwind(panic),
    };
    let Results {
        found,
        verdicts,
        confirmed,
        shown,
        missed,
        late,
        candidates,
        left_out,
        neighbours,
        reached,
        beside,
        second_rounds,
        rows,
        turned_away,
        slow,
    } = findings.finish();
    let mut checked = Checked {
        outcome,
        path,
        checks,
        expansion,
        found,
        verdicts,
        confirmed,
        shown,
        missed: vec![],
        late,
        candidates,
        left_out,
        neighbours,
        reached,
        beside,
        second_rounds,
        rows,
        turned_away,
        slow,
        loops,
        building,
        replaying,
    };
    for Missed { check: index, input, was_stopped } in missed {
        let end = checked.checks.get(index).map_or(0, |check| check.before);
        let miss = if was_stopped {
            Miss::TookTooLong
        } else if settings.is_over() {
            Miss::NothingFailed
        } else {
            let look = |stop: &AtomicBool| diverged(subject, stop, (&checked.path, end), &input);
            match deadline::with_flag(settings.interrupt, settings.until, look) {
                (divergence, false) => divergence?.map_or(Miss::NothingFailed, Miss::Left),
                (_, true) => Miss::NothingFailed,
            }
        };
        match miss {
            Miss::Left(_) => checked.verdicts.diverged += 1,
            Miss::TookTooLong | Miss::NothingFailed => checked.verdicts.not_reproduced += 1,
        }
        checked.missed.push((index, miss));
    }
    Ok(checked)
}

/// What the path's walk leaves to be run.
enum Work {
    /// An input.
    One(Trial),
    /// Inputs that are longer and longer.
    Longer(Vec<Series>),
}

/// What a check says will happen.
pub fn prediction(sites: &SiteTable, check: &Injected) -> Prediction {
    let site = sites.site(check.site);
    let positions = match &site.kind {
        // It fails where the branch leads to; the branch itself stands elsewhere, also where optimisation has moved it.
        SiteKind::Assertion(_, failure) if !failure.is_empty() => failure,
        _ => &site.positions,
    };
    Prediction { rule: check.rule, check: check.number, positions: positions.clone() }
}

/// The input of a run in the form in which it can be replayed.
pub(crate) fn replayable(outcome: &Outcome, input: &expr::Input) -> Input {
    Input::of_trace(outcome.trace.parts(), &input.parts)
}

/// Runs an input in the concolic view.
pub(crate) fn run_on(subject: &Subject, input: &Input, interrupt: &AtomicBool) -> Result<Outcome, Error> {
    let run = || run::concolic_on(subject.request, input, interrupt);
    Ok(run::undisturbed(run, |outcome: &Outcome| outcome.status)?)
}

/// Where the run of an input left the beginning of a path that was predicted for it.
pub(crate) fn diverged(
    subject: &Subject,
    interrupt: &AtomicBool,
    (predicted, end): (&Path, usize),
    input: &Input,
) -> Result<Option<replay::Divergence>, Error> {
    let outcome = run_on(subject, input, interrupt)?;
    let Ok(actual) = path::build(&outcome.trace, subject.sites, interrupt) else { return Ok(None) };
    if interrupt.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Ok(crate::divergence::divergence(predicted, end, &actual, subject.sites))
}
