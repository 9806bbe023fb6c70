//! From what a run did to what must hold: the checks that are injected into a path constraint.
//!
//! One file for each family of observations; each says what must hold for the rules that are about it.

mod access;
mod as_it_came;
mod assertion;
mod condition;
mod reach;
mod size;

use std::sync::atomic::{AtomicBool, Ordering};

use path::{Observation, Observed, Path};
use rustc_hash::FxHashSet;
use trace::layout::{Node, Region};
use trace::reader::Trace;
use trace::rule::Rule;
use trace::sites::SiteTable;

use crate::selection::{Scope, Selection};
use expr::{Claim, Store, Term};
use reach::Reach;

/// A condition that must hold at some point of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injected {
    /// What is violated if it does not hold.
    pub rule: Rule,
    /// One bit wide, in both of its forms.
    pub holds: Claim,
    /// What the program has to keep to there: of a result that must neither be too large nor too small, both.
    pub stated: Claim,
    /// Where this can be chosen, the violations that are seen most clearly: just behind the end of a block, say.
    pub near: Option<Claim>,
    /// Whether it held in the run.
    pub held: bool,
    /// Index into the view's site table.
    pub site: u32,
    /// Number of the check that stands in the program's code, if it does.
    pub number: Option<u32>,
    /// Whether a run ends with a violation: the processor refuses, unless nobody needs the result and nobody computes it.
    pub fatal: bool,
    /// Whether it counts only for what the value is used for, which nobody sees in a replay.
    pub by_use: bool,
    /// How many constraints of the path come before it; of one that counts by a use, before the use.
    pub before: usize,
    /// Index of the event in the trace that it comes from.
    pub event: usize,
}

impl Injected {
    /// A condition that held when the run came to an observation.
    fn at(observation: &Observation, rule: Rule, holds: Claim) -> Injected {
        let (site, before, event) = (observation.site, observation.before, observation.event);
        let (near, held, number, fatal, by_use) = (None, true, None, false, false);
        Injected { rule, holds, stated: holds, near, held, site, number, fatal, by_use, before, event }
    }
}

/// What the checkers see of a run.
struct Run<'a> {
    store: &'a mut Store,
    regions: &'a [Region],
    nodes: &'a [Node],
    sites: &'a SiteTable,
    selection: &'a Selection,
    /// What decides about memory.
    reach: Reach,
    injected: Vec<Injected>,
    /// What has been injected: the same condition is decided once on a path.
    seen: FxHashSet<(Rule, Term)>,
    /// How often one was decided already.
    repeated: usize,
}

/// The checks on a path, in its order. No two are the same, and none holds whatever the input is. When `stop` becomes true, those of the
/// rest of the path are left out.
pub fn inject(
    path: &mut Path,
    trace: &Trace,
    sites: &SiteTable,
    selection: &Selection,
    stop: &AtomicBool,
) -> Vec<Injected> {
    // A path that was cut off is long, as a rule.
    if stop.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let reach = Reach::of(path, trace, sites);
    let mut run = Run {
        store: &mut path.store,
        regions: trace.regions(),
        nodes: trace.nodes(),
        sites,
        selection,
        reach,
        injected: Vec::new(),
        seen: FxHashSet::default(),
        repeated: 0,
    };
    for (index, observation) in path.observations.iter().enumerate().take_while(|_| !stop.load(Ordering::Relaxed)) {
        match &observation.what {
            Observed::Condition { held, subject, below } => {
                let later = path.observations.get(index + 1..).unwrap_or_default();
                condition::inject(&mut run, observation, later, *held, *subject, *below);
            }
            Observed::Access { address, bytes, region, .. } => {
                access::inject(&mut run, observation, *address, *bytes, *region);
            }
            Observed::Bounds { region, end } => access::inject_bounds(&mut run, observation, *region, *end),
            Observed::Size { size_use, about, region } => {
                size::inject(&mut run, &path.observations, index, *size_use, *about, *region);
            }
        }
    }
    for (index, constraint) in path.constraints.iter().enumerate().take_while(|_| !stop.load(Ordering::Relaxed)) {
        assertion::inject(&mut run, constraint, index);
    }
    path.sizes.repeated_checks = path.sizes.repeated_checks.saturating_add(run.repeated);
    let mut injected = run.injected;
    injected.sort_by_key(|check| check.before);
    injected
}

impl Run<'_> {
    fn is_on(&self, rule: Rule) -> bool {
        self.selection.scope(rule) != Scope::Nowhere
    }

    fn region(&self, index: Option<u32>) -> Option<Region> {
        self.regions.get(index? as usize).copied()
    }

    /// Injects a condition, unless it says nothing new.
    fn check(&mut self, check: Injected) {
        if self.is_new(check.rule, check.holds.term) {
            self.injected.push(check);
        }
    }

    /// Whether a condition is worth to be injected, which nobody asks twice: it can be false, and stands not there already.
    fn is_new(&mut self, rule: Rule, holds: Term) -> bool {
        if self.store.value(holds).is_some_and(|value| value.is_true()) {
            return false;
        }
        let is_new = self.seen.insert((rule, holds));
        self.repeated += usize::from(!is_new);
        is_new
    }
}
