//! One test.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use path::Completeness;
use replay::{Input, Replayer, Violation};
use run::{Outcome, Request, Status};
use search::check::{self, Cause, Checked, Found, Subject, Traced};
use serde::{Deserialize, Serialize};
use solver::Session;
use store::{Done, Loss, Pair, Suite};
use trace::sites::SiteTable;

use crate::decided::{Decided, TIME_OVER, count_shown, decided, tallied};
use crate::pairs::{self, Names};
use crate::record::{Cost, Effort, Record, micros};
use crate::test::Test;

/// How tests are run.
pub struct Settings<'a> {
    /// How checks are decided.
    pub check: check::Settings<'a>,
    /// What may be spent: what was not decided with less is tried again.
    pub effort: Effort,
    /// Hash of everything about the program that what comes of a test depends on.
    pub program: Vec<u8>,
    /// What is said about it.
    pub words: Words<'a>,
}

/// What is said about runs and findings.
pub struct Words<'a> {
    /// Describes a finding; kept with it.
    pub finding: &'a (dyn Fn(&Checked, &Found, &Test) -> String + Sync),
    /// What the constraint of a path does not cover.
    pub losses: &'a (dyn Fn(&Completeness, &Outcome) -> Vec<Loss> + Sync),
    /// How a program ended.
    pub end: &'a (dyn Fn(Status) -> String + Sync),
}

/// A bug that a test shows or comes close to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Defect {
    /// What happened.
    pub violation: Violation,
    /// An input that shows it.
    pub input: Input,
    /// Checks for what is often meant that were reported.
    pub armed: Vec<u32>,
    /// The test that it was found from.
    pub test: String,
    /// What [`Words::finding`] says.
    pub description: String,
}

/// How far a test came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// To its end. What came of it is kept, unless there is [`Error::Unsaved`].
    Done(Record),
    /// It was interrupted, and has been given back. The record has the bugs that were seen until then, and nothing else.
    Interrupted(Record),
}

/// What came of a test, and is nowhere but here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsaved {
    /// What the suite would keep about the test, if it was run to its end.
    pub ran: Ran,
    /// The bugs in it that were not known, each with its [`Defect`].
    pub findings: Vec<(String, String)>,
}

impl Unsaved {
    fn error(self, source: store::Error) -> Error {
        Error::Unsaved { unsaved: Box::new(self), source }
    }
}

/// What goes wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A test cannot be run.
    #[error("test {test}: {source}")]
    Test {
        /// The test.
        test: String,
        /// Why.
        source: check::Error,
    },
    /// The suite's file cannot be used.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The same, when there was something to write to it.
    #[error("{source}")]
    Unsaved {
        /// What came of the test.
        unsaved: Box<Unsaved>,
        /// Why it cannot be used.
        source: store::Error,
    },
    /// What the suite's file keeps cannot be read.
    #[error("what is kept about the suite cannot be read: {0}; choose another folder with --out")]
    Kept(#[from] serde_json::Error),
}

/// Runs tests.
pub struct Worker<'a> {
    /// A run of the concolic view; each test has its own arguments and inputs.
    pub request: &'a Request,
    /// The concolic view's sites.
    pub sites: &'a SiteTable,
    /// Runs the replay view; the same holds for it.
    pub replayer: &'a Replayer,
    /// How.
    pub settings: &'a Settings<'a>,
    /// What is known.
    pub suite: Suite,
}

impl Worker<'_> {
    /// Runs a test that is ours, and keeps what came of it, together with what came of it `before`.
    ///
    /// # Errors
    /// If it cannot be run, or nothing can be kept.
    pub fn run(
        &mut self,
        test: &Test,
        key: &[u8],
        before: Option<&Record>,
        session: &mut Session,
    ) -> Result<Ran, Error> {
        match self.attempt(test, key, before, session) {
            // A run that is ended from outside looks as if it could not be done.
            Err(Error::Test {
                source: check::Error::NoTrace | check::Error::Run(_) | check::Error::Replay(_), ..
            }) if self.is_interrupted() => {
                self.suite.release(key)?;
                Ok(Ran::Interrupted(Record::default()))
            }
            ran => ran,
        }
    }

    fn is_interrupted(&self) -> bool {
        self.settings.check.interrupt.load(Ordering::Relaxed)
    }

    fn attempt(
        &mut self,
        test: &Test,
        key: &[u8],
        before: Option<&Record>,
        session: &mut Session,
    ) -> Result<Ran, Error> {
        let failed = |source| Error::Test { test: test.name.clone(), source };
        let started = Instant::now();
        let request = Request {
            args: test.args.clone(),
            inputs: test.inputs.clone(),
            surroundings: test.surroundings.clone(),
            ..self.request.clone()
        };
        let time = Duration::from_micros(self.settings.effort.test);
        let replayer = self.replayer.with(test.args.clone(), test.surroundings.clone()).within(time);
        let subject = Subject { request: &request, sites: self.sites, replayer: &replayer };
        let known_bugs = self.suite.buckets(&self.settings.program)?;
        let known_bugs = known_bugs.iter().filter_map(|bucket| bucket.parse().ok()).collect();
        let settings = check::Settings { until: started.checked_add(time), known: &known_bugs, ..self.settings.check };
        if started.elapsed() >= time {
            return self.not_begun(key, before).map(Ran::Done);
        }
        // The test itself is run in the replay view, whatever comes of its trace: that can go on beside it.
        if let Ok(input) = request.inputs.read(&request.args) {
            replayer.begin(input);
        }
        let mut traced = match check::trace(&request, self.sites, &settings) {
            Err(check::Error::NoTrace) if started.elapsed() >= time / 2 && !self.is_interrupted() => {
                return self.not_begun(key, before).map(Ran::Done);
            }
            traced => traced.map_err(failed)?,
        };
        let is_cut = traced.is_cut;
        let all = std::mem::take(&mut traced.checks);
        let covered = covered(&traced, self.sites);
        let is_late = started.elapsed() >= time;
        let names = if is_late { Vec::new() } else { pairs::names(&traced.path, &all) };
        let (known, asked) = self.suite.reading(|suite| self.known(suite, &names))?;
        traced.checks = asked.iter().filter_map(|index| all.get(*index)).cloned().collect();
        let spent = Spent::of(session);
        let checked = check::decide(&subject, session, &settings, traced, &mut |_| {}).map_err(failed)?;
        let (shown, others): (Vec<&Found>, Vec<&Found>) =
            checked.found.iter().partition(|found| found.cause == Cause::Run);
        let new = checked.found.iter().filter(|found| !known_bugs.contains(&found.bucket));
        let findings =
            new.map(|found| self.finding(&checked, found, test)).collect::<Result<Vec<(String, String)>, Error>>()?;
        let found = buckets(shown);
        if self.is_interrupted() {
            let record = Record { found, predicted: buckets(others), ..Record::default() };
            return match self.suite.interrupted(key, &self.settings.program, &findings) {
                Ok(()) => Ok(Ran::Interrupted(record)),
                Err(source) => Err(Unsaved { ran: Ran::Interrupted(record), findings }.error(source)),
            };
        }
        let mut decided: BTreeMap<usize, Decided> = asked.iter().copied().zip(decided(&checked)).collect();
        let known_checks = known.len() as u64;
        decided.extend(known);
        if is_late {
            decided.extend((0..all.len()).map(|index| (index, Decided::Late)));
        }
        let mut record = tallied(self.sites, &all, &decided, covered, !found.is_empty());
        let own = checked.found.iter().filter(|found| found.cause == Cause::Run);
        count_shown(&mut record, own.map(|found| &found.violation));
        record.effort = self.settings.effort.clone();
        record.end = (self.settings.words.end)(checked.outcome.status);
        record.losses = (self.settings.words.losses)(&checked.path.record, &checked.outcome);
        if is_cut {
            let text = format!("what comes behind the place at which {TIME_OVER}");
            record.losses.push(Loss { cause: "test-time".to_owned(), text, ..Loss::default() });
        }
        // A run that took all of the time was not killed because of its own limit.
        let is_killed = checked.outcome.status == Status::TimedOut && time / 2 < request.limits.time;
        if is_killed {
            record.end = "program took longer than the test may (--test-time)".to_owned();
        }
        record.is_late = is_cut || is_killed || decided.values().any(|decided| *decided == Decided::Late);
        record.found = found;
        let predicted = decided.values().filter_map(|decided| match decided {
            Decided::Violated(buckets) | Decided::Elsewhere(buckets) | Decided::Behind(buckets) => Some(buckets),
            Decided::Holds | Decided::Unknown(_) | Decided::PassedOver | Decided::Late => None,
        });
        let others = buckets(others);
        let predicted: BTreeSet<&String> =
            predicted.flatten().chain(&others).filter(|bucket| !record.found.contains(bucket)).collect();
        record.predicted = predicted.into_iter().cloned().collect();
        record.cost = spent.cost(session, &checked, started);
        record.cost.known = known_checks;
        let record = match before {
            Some(before) => record.after(before),
            None => record,
        };
        let data = serde_json::to_string(&record)?;
        let done = self.done(data, &names, (&asked, &decided), findings)?;
        match self.suite.done(key, &self.settings.program, &done) {
            Ok(()) => Ok(Ran::Done(record)),
            Err(source) => Err(Unsaved { ran: Ran::Done(record), findings: done.findings }.error(source)),
        }
    }

    /// Keeps that the time for a test was over before it began.
    fn not_begun(&mut self, key: &[u8], before: Option<&Record>) -> Result<Record, Error> {
        let record = Record { effort: self.settings.effort.clone(), is_late: true, ..Record::not_run(TIME_OVER) };
        let record = match before {
            Some(before) => record.after(before),
            None => record,
        };
        let done = Done { data: serde_json::to_string(&record)?, ..Done::default() };
        self.suite.done(key, &self.settings.program, &done)?;
        Ok(record)
    }

    /// What is known about checks, and which are to be decided, by index.
    fn known(&self, suite: &Suite, names: &[Names]) -> Result<(BTreeMap<usize, Decided>, Vec<usize>), Error> {
        let (mut known, mut asked) = (BTreeMap::new(), Vec::new());
        let everywhere: Vec<store::Name> = names.iter().map(|names| names.everywhere).collect();
        let here: Vec<store::Name> = names.iter().map(|names| names.here).collect();
        let (settled, seen) = (suite.are_settled(&everywhere)?, suite.have_pairs(&here)?);
        for (index, (names, (is_settled, is_seen))) in names.iter().zip(settled.into_iter().zip(seen)).enumerate() {
            let decided = match (is_settled, is_seen) {
                // That it holds is so wherever it stands, the rest only where it was seen.
                (true, _) => Some(Decided::Holds),
                (false, true) => self.look_up(suite, names)?,
                (false, false) => None,
            };
            match decided {
                Some(decided) => {
                    known.insert(index, decided);
                }
                None => asked.push(index),
            }
        }
        Ok((known, asked))
    }

    /// What is known about a check where it stands.
    fn look_up(&self, suite: &Suite, names: &Names) -> Result<Option<Decided>, Error> {
        let Some((pair, is_this_program)) = suite.pair(&names.here, &self.settings.program)? else { return Ok(None) };
        let decided = serde_json::from_str(&pair.data)?;
        let counts = match &decided {
            Decided::Holds | Decided::PassedOver | Decided::Late => false,
            Decided::Violated(_) | Decided::Elsewhere(_) | Decided::Behind(_) => is_this_program,
            Decided::Unknown(_) => is_this_program && pair.budget >= self.settings.effort.query,
        };
        Ok(counts.then_some(decided))
    }

    /// What is kept of a test: it, what came of its checks, and what was found.
    fn done(
        &self,
        data: String,
        names: &[Names],
        (asked, decided): (&[usize], &BTreeMap<usize, Decided>),
        findings: Vec<(String, String)>,
    ) -> Result<Done, Error> {
        let mut done = Done { data, findings, ..Done::default() };
        for (names, decided) in asked.iter().filter_map(|index| Some((names.get(*index)?, decided.get(index)?))) {
            match decided {
                Decided::Holds => done.settled.push(names.everywhere),
                Decided::Late | Decided::PassedOver => {}
                Decided::Violated(_) | Decided::Elsewhere(_) | Decided::Behind(_) | Decided::Unknown(_) => {
                    let (name, budget) = (names.here, self.settings.effort.query);
                    done.pairs.push(Pair { name, budget, data: serde_json::to_string(decided)? });
                }
            }
        }
        Ok(done)
    }

    fn finding(&self, checked: &Checked, found: &Found, test: &Test) -> Result<(String, String), Error> {
        let defect = Defect {
            violation: found.violation.clone(),
            input: found.input.clone(),
            armed: found.armed.clone(),
            test: test.name.clone(),
            description: (self.settings.words.finding)(checked, found, test),
        };
        Ok((found.bucket.to_string(), serde_json::to_string(&defect)?))
    }
}

/// How many constraints of a path come before anything that it does not cover. A check that comes before one of those
/// is decided for all inputs that take the path up to it.
fn covered(traced: &Traced, sites: &SiteTable) -> usize {
    if traced.path.record.has_loss_without_place() {
        return 0;
    }
    match path::first_loss(&traced.outcome.trace, sites) {
        None => usize::MAX,
        Some(loss) => traced.path.constraints.iter().take_while(|constraint| constraint.event < loss).count(),
    }
}

fn buckets(found: Vec<&Found>) -> Vec<String> {
    let buckets: BTreeSet<String> = found.into_iter().map(|found| found.bucket.to_string()).collect();
    buckets.into_iter().collect()
}

/// What a session had done at some time.
struct Spent {
    queries: u64,
    sat: u64,
    unsat: u64,
    nanoseconds: u64,
}

impl Spent {
    fn of(session: &Session) -> Spent {
        let stats = session.stats();
        let nanoseconds = stats.tiers.iter().map(|tier| tier.nanoseconds).sum();
        Spent { queries: stats.queries, sat: stats.sat, unsat: stats.unsat, nanoseconds }
    }

    /// What came after that.
    fn cost(self, session: &Session, checked: &Checked, started: Instant) -> Cost {
        let now = Spent::of(session);
        let verdicts = &checked.verdicts;
        Cost {
            known: 0,
            queries: now.queries.saturating_sub(self.queries),
            answered: (now.sat.saturating_sub(self.sat), now.unsat.saturating_sub(self.unsat)),
            replays: checked.candidates,
            verdicts: [verdicts.confirmed, verdicts.confirmed_elsewhere, verdicts.diverged, verdicts.not_reproduced],
            run: micros(checked.outcome.wall),
            solve: now.nanoseconds.saturating_sub(self.nanoseconds) / 1000,
            total: micros(started.elapsed()),
        }
    }
}
