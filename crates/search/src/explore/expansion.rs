//! From an input's path to its children.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checkers::inject::{Injected, inject};
use path::Path;
use replay::{Input, Prediction, Verdict, verdict};
use run::Outcome;
use solver::{Budget, Session};
use store::{CUT_SHORT, Cut, Expanded, Item, Knowledge};

use super::findings::Way;
use super::iterations::{self, Iterations};
use super::{Origin, Step, Strategy, Worker, from_store, is_interrupted, statistics, to_store};
use crate::check::{Error, diverged, prediction, replayable, run_on};
use crate::contradiction::Contradiction;
use crate::decisions::{Decision, Row, decision};
use crate::divisions::divisions;
use crate::expand::{Aim, Branches, Candidate, CheckVerdict, Checks, Choice, Expansion, Options, expand_chosen};
use crate::loops::Run;
use crate::novelty::Novelty;

/// Decisions that are kept with a finding.
const STEPS: usize = 30;
/// Constraints of a path that is expanded at once.
const SHORT: usize = 256;
/// How long what promises most on a path is looked for.
const SKIM: Duration = Duration::from_secs(2);
/// And how long one question may take then.
const SKIM_QUERY: Duration = Duration::from_millis(500);
/// How long a path is expanded before others have their turn.
const TURN: Duration = Duration::from_secs(5);

/// How the predictions of a path turned out.
#[derive(Default)]
pub(super) struct Predictions {
    /// Checks whose violation was seen.
    confirmed: Vec<usize>,
    elsewhere: u64,
    missed: Vec<(usize, Input)>,
}

/// A path that is walked.
struct Walk<'a> {
    item: &'a Item,
    path: &'a mut Path,
    checks: Checks<'a>,
    /// The run.
    outcome: &'a Outcome,
    /// Its input.
    base: Arc<expr::Input>,
    /// Its loops.
    iterations: &'a mut Iterations,
    /// Whether only what promises most is asked.
    skims: bool,
    /// The first constraint that is asked about.
    bound: usize,
    /// How long it may take.
    time: Option<Duration>,
}

/// What came of it.
pub(super) struct Walked {
    pub(super) expansion: Expansion,
    predictions: Predictions,
    /// Inputs that were made without an answer.
    optimistic: u64,
    /// The first constraint that is not done, if time ran out.
    next: Option<usize>,
}

impl Worker<'_> {
    pub(super) fn expand(&mut self, session: &mut Session, item: &Item) -> Result<(), Error> {
        if !item.checked {
            match self.passive(item)? {
                Some(run) => self.campaign.count(&run.counted)?,
                None => return Ok(self.campaign.release(item.id)?),
            }
        }
        let outcome = run_on(self.subject, &from_store(&item.input), self.settings.stop)?;
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        if outcome.trace.state() == trace::layout::State::Unclaimed {
            return if item.parent.is_none() { Err(Error::NoTrace) } else { self.broken(item) };
        }
        let base = Arc::new(path::input(&outcome.trace, &outcome.contents));
        if self.subject.request.selfcheck
            && let Some(mismatch) = path::selfcheck::selfcheck(&outcome.trace, &base)
        {
            return Err(Error::Mismatch(mismatch.message));
        }
        let built = path::build(&outcome.trace, self.subject.sites, self.settings.stop);
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        let Ok(mut path) = built else { return self.broken(item) };
        let mut whole = Row::new(&outcome);
        whole.extend(&path, 0..path.constraints.len());
        let name = whole.name();
        let start = self.start(item, &path, &outcome)?;
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        let mut losses = (self.settings.losses)(&path.record, &outcome);
        let complete = losses.is_empty();
        let cut_short = losses.iter().position(|loss| loss.cause == CUT_SHORT).map(|place| losses.remove(place).text);
        let known = self.campaign.knows_path(&name)?;
        if known == Knowledge::Expanded || (known == Knowledge::CutShort && cut_short.is_some()) {
            let repeated = [(statistics::REPEATED.to_owned(), 1)];
            return Ok(self.campaign.settled(item.id, &repeated, start.diverged)?);
        }

        let is_patient = self.settings.strategy != Strategy::Generational;
        let mut bound = start.bound.max(item.next);
        if known == Knowledge::CutShort {
            // Its decisions are done. What comes behind the last of them was not seen before.
            let last = path.constraints.iter().rposition(|constraint| decision(constraint).is_some());
            bound = bound.max(last.map_or(0, |last| last + 1));
        }
        let skims = !is_patient && !item.skimmed && path.constraints.len().saturating_sub(bound) > SHORT;
        let mut checks =
            inject(&mut path, &outcome.trace, self.subject.sites, self.settings.selection, self.settings.stop);
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        let run = Run { trace: &outcome.trace, sites: self.subject.sites, base: &base, stop: self.settings.stop };
        let mut iterations = self.iterations(session, item, &mut path, &checks, &run, skims);
        let divisions = divisions(&checks);
        iterations.retain(&mut checks, |check| !item.postponed && check.before >= bound);
        self.novelty().add_path(path.constraints.iter().filter_map(decision));
        let before = session.stats().clone();
        let walk = Walk {
            item,
            path: &mut path,
            checks: Checks { asked: &checks, divisions: &divisions, sites: Some(self.subject.sites) },
            outcome: &outcome,
            base: Arc::clone(&base),
            iterations: &mut iterations,
            skims,
            bound,
            time: if skims { Some(SKIM) } else { (!is_patient).then_some(TURN) },
        };
        let budget = session.budget();
        if skims {
            // Where one question is hard, others may be easy.
            session.set_budget(Budget { time: budget.time.min(SKIM_QUERY), ..budget });
        }
        let walked = self.walk(session, walk);
        session.set_budget(budget);
        let walked = walked?;
        if walked.next.is_none() && (walked.expansion.stopped || self.is_stopped()) {
            return Ok(self.campaign.release(item.id)?);
        }

        let mut counted = statistics::queries(&before, session.stats());
        counted.push((statistics::RUN_TIME.to_owned(), outcome.wall.as_micros() as u64));
        if skims {
            // What was asked will be asked again, and counted then.
            return Ok(self.campaign.paused(item.id, item.next, &counted)?);
        }
        let next = walked.next.unwrap_or(usize::MAX);
        counted.extend(self.judged(&path, &checks, &walked, next)?);
        if walked.next.is_none() && !item.postponed {
            let known = (&iterations, &walked, bound);
            let subject = iterations::Expanded { item, checks: &checks, outcome: &outcome, base: &base };
            self.behind_loops(session, &mut path, &subject, known)?;
            self.many_iterations(session, &mut path, &subject)?;
        }
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        counted.extend(iterations.counted());
        if !item.postponed && item.next == 0 {
            counted.push((statistics::REPEATED_CHECKS.to_owned(), path.sizes.repeated_checks as u64));
        }
        if let Some(next) = walked.next {
            return Ok(self.campaign.paused(item.id, next, &counted)?);
        }
        if let Some(next) = iterations.postponed(start.bound).filter(|_| !item.postponed) {
            return Ok(self.campaign.postponed(item.id, next, &counted)?);
        }
        let expanded = Expanded {
            path: name,
            decisions: path.constraints.iter().filter_map(decision).count(),
            complete,
            statistics: counted,
            losses,
            cut_short,
            diverged: start.diverged,
        };
        Ok(self.campaign.expanded(item.id, &expanded)?)
    }

    fn broken(&mut self, item: &Item) -> Result<(), Error> {
        Ok(self.campaign.settled(item.id, &[(statistics::BROKEN.to_owned(), 1)], None)?)
    }

    /// Walks along the path. Children go into the campaign as they come, so that others can run them meanwhile.
    fn walk(&mut self, session: &mut Session, walk: Walk) -> Result<Walked, Error> {
        let Walk { item, path, checks, outcome, base, iterations, skims, bound, time } = walk;
        let all_checks = checks;
        let checks = all_checks.asked;
        let started = Instant::now();
        let decisions: Vec<Option<Decision>> = path.constraints.iter().map(decision).collect();
        let sites: Vec<u32> = path.constraints.iter().map(|constraint| constraint.site).collect();
        let steps: Vec<Option<Step>> = path.constraints.iter().map(Step::of).collect();
        let combination = self.settings.combination;
        let contradiction = if skims { Contradiction::Plain } else { self.settings.loops.contradiction };
        let options = Options { combination, contradiction, branches: Branches::All, sizes: false, bound };
        let shared = self.shared;
        let independence = iterations.independence.clone();
        let mut children = BTreeMap::new();
        let mut choice = Skimming {
            novelty: &shared.novelty,
            decisions: &decisions,
            sites: &sites,
            checks,
            iterations: &mut *iterations,
            postponed: item.postponed,
            skims,
        };
        let (mut predictions, mut optimistic) = (Predictions::default(), 0);
        let mut row = Row::new(outcome);
        let (mut walked, mut failed, mut next) = (0, None, None);
        let stop = self.settings.stop;
        let mut found = |candidate: Candidate| {
            let input = replayable(outcome, &candidate.input);
            let result = match candidate.aim {
                Aim::Check(index) => {
                    let before = checks.get(index).and_then(|check| steps.get(..check.before)).unwrap_or(&steps);
                    self.predicted(item, checks, (index, candidate.follows), input, last(before), &mut predictions)
                }
                Aim::Branch { constraint, number, .. } => {
                    optimistic += u64::from(candidate.optimistic);
                    if let Some(number) = independence.within(constraint) {
                        *children.entry(number).or_default() += 1;
                    }
                    let passed = decisions.get(walked..constraint).unwrap_or_default();
                    passed.iter().flatten().for_each(|decision| row.push(*decision));
                    walked = constraint;
                    let site = sites.get(constraint).copied().unwrap_or(0);
                    let decision = Decision { site, way: number };
                    let mut expected = row.clone();
                    expected.push(decision);
                    self.novelty().add(previous(&decisions, constraint), decision);
                    let cut = Cut { parent: item.id, decisions: expected.len(), site, expected: expected.name() };
                    let child = to_store(&input);
                    self.campaign.add_child(&child, &cut).map(drop).map_err(Error::from)
                }
            };
            self.goes_on(result, &mut failed)
        };
        let mut go_on = |done: usize| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            // At least one constraint is done each time.
            if done > bound && time.is_some_and(|time| started.elapsed() > time) {
                next = Some(done);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let expansion = expand_chosen(session, path, all_checks, base, options, &mut choice, &mut go_on, &mut found);
        iterations.children = children;
        match failed {
            Some(error) => Err(error),
            None => Ok(Walked { expansion, predictions, optimistic, next }),
        }
    }

    /// Runs an input that is to violate a check, which may only fail where one of an index before does.
    pub(super) fn predicted(
        &mut self,
        item: &Item,
        checks: &[Injected],
        (index, follows): (usize, bool),
        input: Input,
        steps: Vec<Step>,
        predictions: &mut Predictions,
    ) -> Result<(), Error> {
        let Some(check) = checks.get(index) else { return Ok(()) };
        let prediction: Prediction = prediction(self.subject.sites, check);
        let replayer = self.subject.replayer;
        let is_often_meant = |number: &u32| {
            replayer.sites().checks.get(*number as usize).is_some_and(trace::sites::Check::counts_if_asked_for)
        };
        let armed: Vec<u32> = prediction.check.into_iter().filter(is_often_meant).collect();
        let outcome = replayer.replay_armed(&input, &armed)?;
        if is_interrupted(&outcome) {
            return Ok(());
        }
        match verdict(&prediction, &outcome) {
            Verdict::Confirmed { .. } => predictions.confirmed.push(index),
            Verdict::ConfirmedElsewhere { .. } => predictions.elsewhere += 1,
            Verdict::NotReproduced => predictions.missed.push((index, input.clone())),
        }
        let origin = Origin::Check { rule: check.rule, site: check.site };
        let way = Way { prediction: Some(&prediction), follows, armed: &armed, origin, steps };
        self.keep(item.id, &input, outcome.violations, &way)
    }

    /// Branches, and checks before the constraint `next`, in numbers.
    fn judged(
        &mut self,
        path: &Path,
        checks: &[Injected],
        walked: &Walked,
        next: usize,
    ) -> Result<Vec<(String, u64)>, Error> {
        let Walked { expansion, predictions, optimistic, .. } = walked;
        let mut counted = Vec::new();
        let decided = checks.iter().zip(&expansion.checks).enumerate();
        for (index, (check, verdict)) in decided.filter(|(_, (check, _))| check.before < next) {
            let is_confirmed = predictions.confirmed.contains(&index);
            let outcome = match verdict {
                CheckVerdict::Holds => "safe",
                CheckVerdict::Violable => "violated",
                CheckVerdict::Behind | CheckVerdict::Unknown if is_confirmed => "violated",
                CheckVerdict::Behind => "behind",
                CheckVerdict::Unknown => "unknown",
            };
            counted.push((statistics::check(check.rule, outcome), 1));
            if is_confirmed {
                counted.push((statistics::check(check.rule, "confirmed"), 1));
            }
        }
        let numbers = [
            (statistics::POSSIBLE, expansion.possible as u64),
            (statistics::IMPOSSIBLE, expansion.impossible as u64),
            (statistics::BEHIND, expansion.behind as u64),
            (statistics::UNKNOWN, expansion.unknown as u64),
            (statistics::OPTIMISTIC, *optimistic),
            (statistics::CONFIRMED, predictions.confirmed.len() as u64),
            (statistics::CONFIRMED_ELSEWHERE, predictions.elsewhere),
        ];
        counted.extend(numbers.map(|(name, value)| (name.to_owned(), value)));
        for (index, input) in &predictions.missed {
            let end = checks.get(*index).map_or(0, |check| check.before);
            let divergence = diverged(self.subject, self.settings.stop, (path, end), input)?;
            let name = if divergence.is_some() { statistics::DIVERGED } else { statistics::NOT_REPRODUCED };
            counted.push((name.to_owned(), 1));
        }
        Ok(counted)
    }
}

/// The last few decisions.
pub(super) fn last(steps: &[Option<Step>]) -> Vec<Step> {
    let mut steps: Vec<Step> = steps.iter().rev().flatten().take(STEPS).copied().collect();
    steps.reverse();
    steps
}

/// The last decision before a constraint.
fn previous(decisions: &[Option<Decision>], constraint: usize) -> Option<Decision> {
    decisions.get(..constraint).and_then(|before| before.iter().rev().find_map(|decision| *decision))
}

/// Asks everything but what loops leave out, or what promises most.
struct Skimming<'a> {
    novelty: &'a Mutex<Novelty>,
    decisions: &'a [Option<Decision>],
    sites: &'a [u32],
    checks: &'a [Injected],
    iterations: &'a mut Iterations,
    /// Whether only what was left for later is asked.
    postponed: bool,
    skims: bool,
}

impl Choice for Skimming<'_> {
    fn wants_way(&mut self, constraint: usize, number: u64) -> bool {
        let outside = self.iterations.leaves_out(constraint);
        if self.postponed {
            return outside.is_some();
        }
        if !self.skims && outside.is_none() {
            return true;
        }
        let decision = Decision { site: self.sites.get(constraint).copied().unwrap_or(0), way: number };
        let mut novelty = self.novelty.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = outside {
            if self.iterations.untried.remove(&number) {
                return true;
            }
            // Every branch is to be seen both ways, whatever iteration that takes.
            let is_known = novelty.knows(decision);
            *self.iterations.left_out.entry(number).or_default() += u64::from(is_known);
            return !is_known;
        }
        novelty.wants(previous(self.decisions, constraint), decision)
    }

    fn wants_check(&mut self, index: usize) -> bool {
        let mut novelty = self.novelty.lock().unwrap_or_else(PoisonError::into_inner);
        !self.skims || self.checks.get(index).is_some_and(|check| novelty.wants_check(check))
    }
}
