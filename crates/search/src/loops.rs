//! Loop dependence: which iterations of loops no check depends on.
//!
//! A loop on input makes as many paths as it can have iterations. Where the checks of a path have nothing to do with what later
//! iterations compute, those paths differ in nothing that matters. A check depends on a loop
//! - if the loop leaves something behind that labels do not show (`trace::sites::Leaves`, which is found out from the code);
//! - if its condition is computed from values of later iterations, or from data that was moved in memory there;
//! - if it is made in a later iteration;
//!
//! unless it holds whatever the other iterations decided (`crate::contradiction`), or in all of them (`counting.rs`). The same goes
//! for branches behind the loop.

mod counting;
mod effort;
mod general;
mod relaxed;
mod touch;
mod trips;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checkers::inject::Injected;
use expr::{Claim, Input, Model, Store, Term};
use path::loops::Loops;
use path::{Kind, Path};
use rustc_hash::FxHashSet;
use solver::Session;
use trace::reader::Trace;
use trace::rule::Rule;
use trace::sites::{Leaves, SiteTable};

pub(crate) use effort::Effort;
pub(crate) use relaxed::relaxed;
pub(crate) use trips::{Proposal, propose};

use crate::contradiction::{Contradiction, Guards};
use counting::Counting;
use general::{generalise, is_next};
use touch::{MOST, Touched};

/// What is done about iterations that no check depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Their decisions are asked about when nothing else is left to do.
    #[default]
    Postpone,
    /// Their decisions are not asked about.
    LeaveOut,
    /// They are treated like everything else.
    Ask,
}

/// A name that is no policy's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` says nothing about loops; choose auto, dependence or off")]
pub struct UnknownPolicy(String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Policy, UnknownPolicy> {
        match text {
            "auto" => Ok(Policy::Postpone),
            "dependence" => Ok(Policy::LeaveOut),
            "off" => Ok(Policy::Ask),
            _ => Err(UnknownPolicy(text.to_owned())),
        }
    }
}

/// How loops are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// What is done about iterations that no check depends on.
    pub policy: Policy,
    /// How checks that cannot be violated anyway are recognised, so that nothing depends on them.
    pub contradiction: Contradiction,
}

/// Why the iterations of a loop matter, if they do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Nothing depends on them.
    Independent,
    /// The loop leaves something behind.
    Leaves(Leaves),
    /// A check depends on them.
    Check(Rule, u32),
    /// A branch behind the loop depends on them.
    Branch(u32),
    /// That would take too long to find out.
    Unknown,
}

/// What is known about the loops of a path.
#[derive(Clone, Debug, Default)]
pub struct Independence {
    /// For each constraint in a later iteration of a loop that nothing depends on: the loop's number, the outermost one.
    outside: Vec<Option<u32>>,
    /// For each constraint in a later iteration of any loop: the loop's number, the innermost one.
    within: Vec<Option<u32>>,
    /// For each loop with more than one iteration.
    pub findings: BTreeMap<u32, Finding>,
    /// Checks that hold whatever the iterations decided, by index.
    pub protected: Vec<usize>,
}

impl Independence {
    /// The loop that a constraint lies in, if it is a decision of a later iteration that nothing depends on.
    pub fn outside(&self, constraint: usize) -> Option<u32> {
        self.outside.get(constraint).copied().flatten()
    }

    /// The innermost loop in a later iteration of which a constraint lies.
    pub fn within(&self, constraint: usize) -> Option<u32> {
        self.within.get(constraint).copied().flatten()
    }

    /// The first such constraint from one on that nothing depends on.
    pub fn first_outside(&self, from: usize) -> Option<usize> {
        (from..self.outside.len()).find(|index| self.outside(*index).is_some())
    }
}

/// What a run is looked at with.
pub struct Run<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The view's sites.
    pub sites: &'a SiteTable,
    /// The run's input.
    pub base: &'a Arc<Input>,
    /// Ends everything when it becomes true.
    pub stop: &'a AtomicBool,
}

/// Decisions of later iterations of loops that may turn out to be independent, without a look at checks.
pub fn candidates(path: &Path, run: &Run) -> Independence {
    let loops = Loops::of(run.trace, run.sites);
    Analysis::new(path, run, &loops).result(vec![])
}

/// The loops of a path of which many more iterations can be asked for, by number.
pub fn countable(path: &Path, run: &Run) -> BTreeSet<u32> {
    let loops = Loops::of(run.trace, run.sites);
    Counting::of(path, run, &loops).iter().map(|counting| counting.number).collect()
}

/// Which decisions of later iterations nothing on a path depends on.
pub fn independence(
    session: &mut Session,
    path: &mut Path,
    checks: &[Injected],
    run: &Run,
    settings: Settings,
) -> Independence {
    let loops = Loops::of(run.trace, run.sites);
    let mut analysis = Analysis::new(path, run, &loops);
    if analysis.bits.is_empty() {
        return analysis.result(vec![]);
    }
    let touched = Touched::of(run.trace, &loops, &analysis.bits);
    let counting = Counting::of(path, run, &loops);
    let mut effort = Effort::new(run.stop);
    let mut protected = Vec::new();
    let model = Model::of_input(Arc::clone(run.base));
    // Checks that hold in all iterations.
    let mut proved = FxHashSet::default();
    let mut guards = Guards::default();
    let mut next = 0;
    for (index, check) in checks.iter().enumerate() {
        while let Some(constraint) = path.constraints.get(next).filter(|_| next < check.before) {
            if analysis.is_kept(next) {
                guards.push(&path.store, constraint.claim());
            }
            next += 1;
        }
        let bits = touched.by_event(check.event) | analysis.later(check.event);
        if bits & analysis.alive == 0 {
            continue;
        }
        let place = (check.rule, check.site, loops.around(check.event).next().map(|(entry, _)| entry));
        if proved.contains(&place) {
            protected.push(index);
            continue;
        }
        if !effort.allows() {
            analysis.depend(u64::MAX, || Finding::Unknown);
            break;
        }
        let how = settings.contradiction;
        let holds = how != Contradiction::Off && {
            let mut ask = |store: &mut Store, claims: &[Claim]| effort.ask(session, store, claims, &model);
            let all = induction(&mut path.store, checks, index, &loops, &counting);
            let in_all = all.is_some_and(|(goes_on, violated)| {
                guards.contradict(&mut path.store, &[goes_on.into()], violated.into(), how, &mut ask)
            });
            if in_all {
                proved.insert(place);
            }
            in_all || {
                let violated = check.holds.negated(&mut path.store);
                let own = analysis.own_iteration(path, check);
                guards.contradict(&mut path.store, &own, violated, how, &mut ask)
            }
        };
        if holds {
            protected.push(index);
        } else {
            analysis.depend(bits, || Finding::Check(check.rule, check.site));
        }
    }
    for (index, constraint) in path.constraints.iter().enumerate() {
        let decides = matches!(constraint.kind, Kind::Branch { .. } | Kind::Switch { .. });
        if decides && analysis.is_kept(index) {
            let bits = touched.by_event(constraint.event) & !analysis.around(constraint.event);
            analysis.depend(bits, || Finding::Branch(constraint.site));
        }
    }
    analysis.result(protected)
}

/// For a check that every iteration of a counting loop makes: that the loop comes to an iteration, any one, and that the check is
/// violated there.
fn induction(
    store: &mut Store,
    checks: &[Injected],
    index: usize,
    loops: &Loops,
    counting: &[Counting],
) -> Option<(Term, Term)> {
    let check = checks.get(index)?;
    let (entry, _) = loops.around(check.event).next()?;
    let same = checks.iter().filter(|other| (other.rule, other.site) == (check.rule, check.site));
    let mut alike: Vec<(u32, Term)> = Vec::new();
    for other in same {
        match loops.around(other.event).find(|(around, _)| *around == entry) {
            Some((_, iteration)) => alike.push((iteration, other.holds.original)),
            // The first iteration may have been over before the loop's condition was met.
            None if other.event < check.event => alike = vec![(0, other.holds.original)],
            None => break,
        }
    }
    let [.., (first, a), (second, b), (third, c)] = alike[..] else { return None };
    if second != first + 1 || third != second + 1 || !is_next(store, [a, b], c) {
        return None;
    }
    let counting = counting.iter().find(|counting| counting.entry == entry)?;
    if !counting.is_sure(store) {
        return None;
    }
    let any = store.named("iteration", 64);
    let known = store.small(64, u64::from(third));
    let further = store.sub(any, known);
    let holds = generalise(store, [b, c], further)?;
    let goes_on = counting.goes_on(store, any)?;
    // Farther than anything counts, so that nothing wraps around.
    let limit = store.small(64, 1 << 48);
    let is_near = store.ult(any, limit);
    let goes_on = store.and(goes_on, is_near);
    Some((goes_on, store.not(holds)))
}

struct Analysis<'a> {
    loops: &'a Loops,
    /// For each constraint the loops in whose later iterations it lies, as bits.
    later: Vec<u64>,
    /// The bit of each loop that may be independent.
    bits: BTreeMap<u32, u64>,
    /// The bits of those that still are.
    alive: u64,
    findings: BTreeMap<u32, Finding>,
    events: Vec<usize>,
}

impl<'a> Analysis<'a> {
    fn new(path: &Path, run: &Run, loops: &'a Loops) -> Analysis<'a> {
        let mut analysis = Analysis {
            loops,
            later: Vec::new(),
            bits: BTreeMap::new(),
            alive: 0,
            findings: BTreeMap::new(),
            events: path.constraints.iter().map(|constraint| constraint.event).collect(),
        };
        for constraint in &path.constraints {
            for (entry, _) in loops.around(constraint.event).filter(|(_, iteration)| *iteration > 0) {
                let Some(entry) = loops.entries.get(entry) else { continue };
                analysis.meet(entry.number, run.sites);
            }
        }
        analysis.alive = analysis.bits.values().fold(0, |all, bit| all | bit);
        analysis.later = analysis.events.iter().map(|event| analysis.later(*event)).collect();
        analysis
    }

    fn meet(&mut self, number: u32, sites: &SiteTable) {
        if self.findings.contains_key(&number) {
            return;
        }
        let leaves = sites.loops.get(number as usize).map(|found| found.leaves.clone());
        let finding = match leaves {
            Some(None) if self.bits.len() < MOST => {
                self.bits.insert(number, 1 << self.bits.len());
                Finding::Independent
            }
            Some(None) | None => Finding::Unknown,
            Some(Some(leaves)) => Finding::Leaves(leaves),
        };
        self.findings.insert(number, finding);
    }

    fn bit(&self, entry: usize) -> u64 {
        let number = self.loops.entries.get(entry).map(|entry| entry.number);
        number.and_then(|number| self.bits.get(&number)).copied().unwrap_or(0)
    }

    /// The loops in whose later iterations an event lies.
    fn later(&self, event: usize) -> u64 {
        let later = self.loops.around(event).filter(|(_, iteration)| *iteration > 0);
        later.fold(0, |all, (entry, _)| all | self.bit(entry))
    }

    /// The loops that an event lies in.
    fn around(&self, event: usize) -> u64 {
        self.loops.around(event).fold(0, |all, (entry, _)| all | self.bit(entry))
    }

    /// Whether a constraint lies in no later iteration of a loop that may be independent.
    fn is_kept(&self, constraint: usize) -> bool {
        self.later.get(constraint).is_none_or(|bits| bits & self.alive == 0)
    }

    /// What the iterations that a check is made in have decided before it, beside what is kept.
    fn own_iteration(&self, path: &Path, check: &Injected) -> Vec<Claim> {
        let around: BTreeMap<usize, u32> = self.loops.around(check.event).collect();
        let before = path.constraints.iter().enumerate().take(check.before);
        let own = before.filter(|(index, constraint)| {
            !self.is_kept(*index)
                && self.loops.around(constraint.event).all(|(entry, iteration)| {
                    iteration == 0 || self.bit(entry) & self.alive == 0 || around.get(&entry) == Some(&iteration)
                })
        });
        own.map(|(_, constraint)| constraint.claim()).collect()
    }

    fn depend(&mut self, bits: u64, finding: impl Fn() -> Finding) {
        for (number, bit) in &self.bits {
            if bits & self.alive & bit != 0 {
                self.alive &= !bit;
                self.findings.insert(*number, finding());
            }
        }
    }

    fn result(self, protected: Vec<usize>) -> Independence {
        let outside = |event: usize| {
            let later = self.loops.around(event).filter(|(_, iteration)| *iteration > 0);
            let independent = later.filter(|(entry, _)| self.bit(*entry) & self.alive != 0);
            independent.last().and_then(|(entry, _)| self.loops.entries.get(entry)).map(|entry| entry.number)
        };
        let within = |event: usize| {
            let mut later = self.loops.around(event).filter(|(_, iteration)| *iteration > 0);
            later.next().and_then(|(entry, _)| self.loops.entries.get(entry)).map(|entry| entry.number)
        };
        let within = self.events.iter().map(|event| within(*event)).collect();
        let outside: Vec<Option<u32>> = self.events.iter().map(|event| outside(*event)).collect();
        Independence { outside, within, findings: self.findings, protected }
    }
}
