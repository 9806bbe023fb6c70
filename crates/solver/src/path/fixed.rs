//! Terms that the path leaves one value.
//!
//! A length that has to fit all that is around it is compared with each number up to it, and none of these questions has another
//! answer than the one before. Where a backend has said so a few times, it is asked for the reason: whether the terms that are
//! compared can have any other value at all. What cannot is known from then on, and the tiers in front answer the rest.

use expr::{BitVec, Kind, Sort, Store, Term};
use rustc_hash::FxHashMap;

use super::PathSolver;
use super::quick::bounds_of;
use crate::session::{Query, Raw};
use crate::stats::Tier;
use crate::tiers::bounds::Bounds;
use crate::tiers::byte_set::ByteSet;

/// How many terms of a goal are looked at.
const MAX_COMPARED: usize = 4;
/// How many terms are gone through to find them.
const MAX_STEPS: usize = 24;
/// Wider ones are nothing that bounds can be kept of.
const WIDEST: u16 = 64;
/// Goals about a term that have no model before it is asked about. Each time that another value was possible, four times as many.
const FIRST: u32 = 2;

/// How often terms were compared in vain.
#[derive(Default)]
pub(super) struct Compared {
    /// For each term the goals without a model, and at how many of them it is asked about.
    counts: FxHashMap<Term, (u32, u32)>,
}

impl Compared {
    /// Counts a goal without a model, and says which of its terms are to be asked about.
    fn count(&mut self, store: &Store, goal: Term) -> Vec<Term> {
        let mut due = Vec::new();
        for term in compared(store, goal) {
            let (count, limit) = self.counts.entry(term).or_insert((0, FIRST));
            *count += 1;
            if count == limit {
                *limit = limit.saturating_mul(4);
                due.push(term);
            }
        }
        due
    }
}

/// The terms that a condition compares: without constants that are added to them, and each part of what is put together.
fn compared(store: &Store, goal: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![goal];
    for _ in 0..MAX_STEPS {
        let Some(term) = stack.pop() else { break };
        let node = store.node(term);
        let [a, b, _] = node.operands;
        let is_core = match node.kind {
            Kind::Const => continue,
            Kind::Add | Kind::Sub => store.value(a).is_none() && store.value(b).is_none(),
            Kind::Concat | Kind::ZExt | Kind::SExt | Kind::Extract | Kind::Not => false,
            Kind::Var | Kind::Ite => true,
            _ => node.sort != Sort::BitVec(1),
        };
        match is_core {
            false => stack.extend(node.operands()),
            true if found.contains(&term) || !matches!(node.sort, Sort::BitVec(2..=WIDEST)) => {}
            true if found.len() == MAX_COMPARED => break,
            true => found.push(term),
        }
    }
    found
}

impl PathSolver<'_> {
    /// Learns from a goal for which the backend has found no model.
    pub(super) fn learn_fixed(&mut self, store: &mut Store, goal: Term) {
        if !self.consistent || !self.session.enabled(Tier::Bounds) {
            return;
        }
        for term in self.compared.count(store, goal) {
            let Some(value) = self.evaluated.value(term).cloned() else { continue };
            let constant = store.constant(value.clone());
            let other = store.ne(term, constant);
            if self.is_impossible(store, other) {
                self.fix(store, term, &value);
            }
        }
    }

    /// Whether the backend says that the path excludes a goal.
    fn is_impossible(&mut self, store: &mut Store, goal: Term) -> bool {
        let base = self.evaluated.base().clone();
        let roots = self.groups.touching(store, goal);
        let [root] = roots[..] else { return false };
        let group = self.groups.group(root);
        let query =
            Query { lineage: Some(group.lineage), constraints: &group.constraints, goals: &[goal], base: &base };
        matches!(self.session.ask(store, query), Raw::Unsat)
    }

    fn fix(&mut self, store: &Store, term: Term, value: &BitVec) {
        let Some(number) = value.to_u64() else { return };
        if let Some(var) = store.var_of(term).filter(|_| value.width() <= 8) {
            let mut only = ByteSet::EMPTY;
            only.insert(number);
            self.domains.insert(var, only);
        }
        let domains = &self.domains;
        self.bounds.say(store, term, Bounds::exactly(value.width(), number), |var| bounds_of(store, domains, var));
    }
}
