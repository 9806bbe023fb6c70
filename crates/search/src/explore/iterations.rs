//! What is done about loops while a path is expanded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use checkers::inject::Injected;
use path::Path;
use replay::Input;
use run::Outcome;
use solver::Session;
use store::{Cut, Id, Item};

use super::expansion::{Predictions, Walked, last};
use super::findings::Way;
use super::{Origin, Step, Worker, is_interrupted, statistics, to_store};
use crate::check::{Error, LONGEST_ATTEMPT, replayable};
use crate::decisions::{Decision, Row, decision};
use crate::expand::{Aim, Candidate};
use crate::loops::{self, Finding, Independence, Policy, Proposal, Run};

/// How often many iterations of a loop are tried, from different paths.
const ATTEMPTS: u32 = 4;

/// A path that was expanded.
pub(super) struct Expanded<'a> {
    pub(super) item: &'a Item,
    pub(super) checks: &'a [Injected],
    pub(super) outcome: &'a Outcome,
    pub(super) base: &'a Arc<expr::Input>,
}

/// How a path begins, for inputs that keep some of that.
struct Beginning<'a> {
    parent: Id,
    outcome: &'a Outcome,
    sites: Vec<u32>,
    decisions: Vec<Option<Decision>>,
}

impl<'a> Beginning<'a> {
    fn of(path: &Path, subject: &Expanded<'a>) -> Beginning<'a> {
        Beginning {
            parent: subject.item.id,
            outcome: subject.outcome,
            sites: path.constraints.iter().map(|constraint| constraint.site).collect(),
            decisions: path.constraints.iter().map(decision).collect(),
        }
    }

    /// Where an input leaves the path that keeps so many of its constraints; nowhere if that is none.
    fn cut(&self, kept: usize) -> Option<Cut> {
        let last = kept.checked_sub(1)?;
        let mut row = Row::new(self.outcome);
        self.decisions.iter().take(kept).flatten().for_each(|decision| row.push(*decision));
        let site = self.sites.get(last).copied().unwrap_or(0);
        Some(Cut { parent: self.parent, decisions: row.len(), site, expected: row.name() })
    }
}

/// The loops of a path that is expanded.
pub(super) struct Iterations {
    pub(super) independence: Independence,
    /// Decisions that were not asked about, by the loop's number.
    pub(super) left_out: BTreeMap<u32, u64>,
    /// Inputs that were made for decisions of later iterations, by the loop's number.
    pub(super) children: BTreeMap<u32, u64>,
    /// Loops of which no path had enough iterations to try many: one more is asked for.
    pub(super) untried: BTreeSet<u32>,
    policy: Policy,
}

impl Iterations {
    /// Leaves out checks.
    pub(super) fn retain(&mut self, checks: &mut Vec<Injected>, mut keeps: impl FnMut(&Injected) -> bool) {
        let mut index = 0;
        let mut protected = Vec::new();
        let mut kept = 0;
        checks.retain(|check| {
            let keep = keeps(check);
            if keep && self.independence.protected.contains(&index) {
                protected.push(kept);
            }
            index += 1;
            kept += usize::from(keep);
            keep
        });
        self.independence.protected = protected;
    }

    /// The first decision from one on that is to be asked about later, when nothing else is left.
    pub(super) fn postponed(&self, from: usize) -> Option<usize> {
        self.independence.first_outside(from).filter(|_| self.policy == Policy::Postpone)
    }

    /// Whether a decision is left out, or left for later.
    pub(super) fn leaves_out(&self, constraint: usize) -> Option<u32> {
        self.independence.outside(constraint).filter(|_| self.policy != Policy::Ask)
    }

    /// In numbers.
    pub(super) fn counted(&self) -> Vec<(String, u64)> {
        let mut counted = Vec::new();
        if self.policy == Policy::LeaveOut {
            counted.push((statistics::LEFT_OUT.to_owned(), self.left_out.values().sum()));
        }
        let by_loop = |what: &'static str, numbers: &BTreeMap<u32, u64>| -> Vec<(String, u64)> {
            numbers.iter().map(|(number, count)| (statistics::of_loop(*number, what), *count)).collect()
        };
        counted.extend(by_loop("left-out", &self.left_out));
        counted.extend(by_loop("inputs", &self.children));
        counted.push((statistics::PROTECTED.to_owned(), self.independence.protected.len() as u64));
        for (number, finding) in &self.independence.findings {
            // Nobody asked what depends on it.
            if *finding == Finding::Independent && self.policy == Policy::Ask {
                continue;
            }
            counted.push((statistics::of_loop(*number, &statistics::of_finding(finding)), 1));
        }
        counted
    }
}

impl Worker<'_> {
    /// Looks at the loops of a path. For one whose postponed decisions are asked about now, nothing has to be proved.
    pub(super) fn iterations(
        &self,
        session: &mut Session,
        item: &Item,
        path: &mut Path,
        checks: &[Injected],
        run: &Run,
        skims: bool,
    ) -> Iterations {
        let settings = self.settings.loops;
        let independence = if skims {
            Independence::default()
        } else if item.postponed || settings.policy == Policy::Ask {
            loops::candidates(path, run)
        } else {
            loops::independence(session, path, checks, run, settings)
        };
        let untried = if skims { BTreeSet::new() } else { self.untried(path, run, &independence) };
        Iterations {
            independence,
            left_out: BTreeMap::new(),
            children: BTreeMap::new(),
            untried,
            policy: settings.policy,
        }
    }

    /// Loops of which neither this path nor one before has enough iterations to try many.
    fn untried(&self, path: &Path, run: &Run, independence: &Independence) -> BTreeSet<u32> {
        let tried = self.shared.tried_loops.lock().unwrap_or_else(PoisonError::into_inner);
        let countable = loops::countable(path, run);
        let shrinks = |number: &u32| run.sites.loops.get(*number as usize).is_some_and(|found| found.shrinks);
        let met = independence.findings.keys().copied().filter(|number| !shrinks(number));
        met.filter(|number| !tried.contains_key(number) && !countable.contains(number)).collect()
    }

    /// Looks for inputs behind loops that nothing depends on, with any number of iterations.
    pub(super) fn behind_loops(
        &mut self,
        session: &mut Session,
        path: &mut Path,
        subject: &Expanded,
        (iterations, walked, bound): (&Iterations, &Walked, usize),
    ) -> Result<(), Error> {
        let Expanded { item, checks, outcome, base } = subject;
        let Some(first) = iterations.independence.first_outside(0).filter(|_| iterations.policy != Policy::Ask) else {
            return Ok(());
        };
        let steps: Vec<Option<Step>> = path.constraints.iter().map(Step::of).collect();
        let cut = Beginning::of(path, subject).cut(first);
        let run = Run { trace: &outcome.trace, sites: self.subject.sites, base, stop: self.settings.stop };
        let mut failed = None;
        let mut found = |candidate: Candidate| {
            let input = replayable(outcome, &candidate.input);
            let result = match candidate.aim {
                Aim::Check(index) => {
                    // What does not come true was no prediction: the loop may have to do with it after all.
                    let mut attempts = Predictions::default();
                    let before = checks.get(index).and_then(|check| steps.get(..check.before)).unwrap_or(&steps);
                    self.predicted(item, checks, (index, false), input, last(before), &mut attempts)
                }
                Aim::Branch { .. } => match &cut {
                    Some(cut) => self.campaign.add_child(&to_store(&input), cut),
                    None => self.campaign.add_mutant(&to_store(&input), item.id),
                }
                .map(drop)
                .map_err(Error::from),
            };
            self.goes_on(result, &mut failed)
        };
        let known = (&walked.expansion, bound);
        loops::relaxed(session, path, checks, &run, &iterations.independence, known, &mut found);
        failed.map_or(Ok(()), Err)
    }

    /// Runs inputs that make many more iterations of the loops on a path.
    pub(super) fn many_iterations(
        &mut self,
        session: &mut Session,
        path: &mut Path,
        subject: &Expanded,
    ) -> Result<(), Error> {
        let Expanded { item, checks, outcome, base } = subject;
        if self.settings.loops.policy == Policy::Ask {
            return Ok(());
        }
        let run = Run { trace: &outcome.trace, sites: self.subject.sites, base, stop: self.settings.stop };
        let beginning = Beginning::of(path, subject);
        let shared = self.shared;
        let mut due = |number: u32| {
            let mut tried = shared.tried_loops.lock().unwrap_or_else(PoisonError::into_inner);
            let count = tried.entry(number).or_default();
            *count += 1;
            *count <= ATTEMPTS
        };
        let mut failed = None;
        let mut found = |proposal: Proposal, input: expr::Input| {
            let input = replayable(outcome, &input);
            let result = match proposal {
                Proposal::Check(index) => {
                    self.predicted(item, checks, (index, false), input, vec![], &mut Predictions::default())
                }
                Proposal::Iterations { number, before } => self.attempt(item, number, &input, beginning.cut(before)),
            };
            self.goes_on(result, &mut failed)
        };
        loops::propose(session, path, checks, &run, &mut due, &mut found);
        failed.map_or(Ok(()), Err)
    }

    /// Runs an input that was made for many iterations. Its path is long and says little, so that is expanded only if the input
    /// reaches code that nothing has reached; and only from where it leaves the other one.
    fn attempt(&mut self, item: &Item, number: u32, input: &Input, cut: Option<Cut>) -> Result<(), Error> {
        let outcome = self.subject.replayer.replay_within(input, LONGEST_ATTEMPT)?;
        if is_interrupted(&outcome) {
            return Ok(());
        }
        self.campaign.count(&[(statistics::of_loop(number, "attempts"), 1)])?;
        let site = self.subject.sites.loops.get(number as usize).map_or(0, |found| found.site);
        let way = Way { prediction: None, follows: false, armed: &[], origin: Origin::Branch { site }, steps: vec![] };
        self.keep(item.id, input, outcome.violations, &way)?;
        if self.reached().reaches_more(&outcome.coverage) {
            match cut {
                Some(cut) => self.campaign.add_attempt(&to_store(input), &cut)?,
                None => self.campaign.add_mutant(&to_store(input), item.id)?,
            };
        }
        Ok(())
    }
}
