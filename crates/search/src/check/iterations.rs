//! What is done about the loops of a run that is checked.

use std::cell::RefCell;
use std::collections::BTreeMap;

use path::Path;
use rustc_hash::FxHashSet;

use crate::decisions::{Decision, decision};
use crate::expand::Choice;
use crate::loops::{Finding, Independence, Policy};

/// How often many iterations of a loop are tried, from different entries.
const ATTEMPTS: u64 = 4;

/// What a loop cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Inputs that were made for decisions of its later iterations.
    pub inputs: u64,
    /// Such decisions that were left out.
    pub left_out: u64,
    /// Inputs that were made for many iterations.
    pub attempts: u64,
}

/// What was found out about the loops of a run, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Looped {
    /// Why their iterations matter, if they do; nothing if nobody asked.
    pub findings: BTreeMap<u32, Finding>,
    /// What they cost.
    pub costs: BTreeMap<u32, Cost>,
    /// Checks that hold whatever iterations decided.
    pub protected: usize,
}

/// The loops of a run while it is checked.
pub(super) struct Iterations {
    pub(super) independence: Independence,
    policy: Policy,
    sites: Vec<u32>,
    /// Decisions that this run made, or that an input was found for.
    known: RefCell<FxHashSet<Decision>>,
    /// Decisions of later iterations that were asked about although nothing depends on them: the constraint, and the way.
    asked: RefCell<FxHashSet<(usize, u64)>>,
    costs: RefCell<BTreeMap<u32, Cost>>,
    tried: RefCell<BTreeMap<u32, u64>>,
}

impl Iterations {
    pub(super) fn new(path: &Path, independence: Independence, policy: Policy) -> Iterations {
        Iterations {
            independence,
            policy,
            sites: path.constraints.iter().map(|constraint| constraint.site).collect(),
            known: RefCell::new(path.constraints.iter().filter_map(decision).collect()),
            asked: RefCell::default(),
            costs: RefCell::default(),
            tried: RefCell::default(),
        }
    }

    /// Whether more is asked for than the neighbours of the run.
    pub(super) fn asks_for_more(&self) -> bool {
        self.policy != Policy::Ask
    }

    /// The first decision that is left until there is nothing else to do.
    pub(super) fn postponed(&self) -> Option<usize> {
        self.independence.first_outside(0).filter(|_| self.policy == Policy::Postpone)
    }

    fn decision(&self, constraint: usize, way: u64) -> Decision {
        Decision { site: self.sites.get(constraint).copied().unwrap_or(0), way }
    }

    /// Notes that an input was found that goes another way.
    pub(super) fn goes(&self, constraint: usize, way: u64) {
        self.known.borrow_mut().insert(self.decision(constraint, way));
        if let Some(number) = self.independence.within(constraint) {
            self.costs.borrow_mut().entry(number).or_default().inputs += 1;
        }
    }

    /// Whether many iterations of a loop are tried once more.
    pub(super) fn is_due(&self, number: u32) -> bool {
        let mut tried = self.tried.borrow_mut();
        let tried = tried.entry(number).or_default();
        *tried += 1;
        *tried <= ATTEMPTS
    }

    /// Notes that many iterations of a loop are tried.
    pub(super) fn tries(&self, number: u32) {
        self.costs.borrow_mut().entry(number).or_default().attempts += 1;
    }

    /// What came of it.
    pub(super) fn finish(self) -> Looped {
        let protected = self.independence.protected.len();
        // Without a look at checks, independence is only what code says.
        let is_known = |finding: &Finding| self.policy != Policy::Ask || matches!(finding, Finding::Leaves(_));
        let mut findings = self.independence.findings;
        findings.retain(|_, finding| is_known(finding));
        Looped { findings, costs: self.costs.into_inner(), protected }
    }
}

/// Everything but what loops leave out; or that alone.
pub(super) struct Chosen<'a> {
    pub(super) iterations: &'a Iterations,
    /// Whether what was left is asked about now.
    pub(super) postponed: bool,
}

impl Choice for Chosen<'_> {
    fn wants_way(&mut self, constraint: usize, number: u64) -> bool {
        let Chosen { iterations, postponed } = self;
        let outside = iterations.independence.outside(constraint).filter(|_| iterations.policy != Policy::Ask);
        let Some(of) = outside else { return !*postponed };
        let mut asked = iterations.asked.borrow_mut();
        if *postponed {
            return !asked.contains(&(constraint, number));
        }
        // Every branch is to be seen both ways, whatever iteration that takes.
        let is_known = iterations.known.borrow().contains(&iterations.decision(constraint, number));
        if !is_known {
            asked.insert((constraint, number));
        } else if iterations.policy == Policy::LeaveOut {
            iterations.costs.borrow_mut().entry(of).or_default().left_out += 1;
        }
        !is_known
    }

    fn wants_check(&mut self, _: usize) -> bool {
        true
    }
}
