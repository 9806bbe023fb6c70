//! Intervals and known bits: goals that are false whatever the variables are, as far as the path leaves them a choice.

mod facts;
mod float;
mod inwards;
mod transfer;
mod value;

use std::collections::VecDeque;

use expr::{Store, Term, Var, postorder};
use rustc_hash::FxHashMap;

use super::table::Table;
use facts::{Fact, implied};
use inwards::inwards;
pub(crate) use inwards::not_zero;
use transfer::of_term;
pub(crate) use value::Bounds;

/// Goals with more terms than this are left to others.
const MAX_TERMS: usize = 1000;
/// Terms that get narrower because another one did, at most.
const MAX_NARROWED: usize = 64;

/// Whether the one-bit `goal` is false for all values that the variables can have.
pub(crate) fn is_never(store: &Store, goal: Term) -> bool {
    is_never_with(store, goal, |_| None, &FxHashMap::default())
}

/// The same where something is known of variables, and of terms.
fn is_never_with(
    store: &Store,
    goal: Term,
    of_var: impl Fn(Var) -> Option<Bounds>,
    facts: &FxHashMap<Term, Bounds>,
) -> bool {
    let mut seen = 0;
    let mut known: FxHashMap<Term, Bounds> = FxHashMap::default();
    let order = postorder(store, &[goal], |term| {
        seen += 1;
        // What has one value needs no more.
        let only = facts.get(&term).filter(|fact| fact.only().is_some());
        known.extend(only.map(|fact| (term, *fact)));
        seen > 4 * MAX_TERMS || only.is_some()
    });
    if seen > 4 * MAX_TERMS || order.len() > MAX_TERMS {
        return false;
    }
    for term in order {
        let operand = |term: Term| known.get(&term).copied();
        if let Some(found) = of_term(store, term, operand, &of_var) {
            known.insert(term, with_fact(found, facts.get(&term)));
        }
    }
    known.get(&goal).is_some_and(Bounds::is_false)
}

/// What is computed and what the path says. If that is nothing at all the path has no input, which others find out.
fn with_fact(found: Bounds, fact: Option<&Bounds>) -> Bounds {
    fact.and_then(|fact| found.and(*fact)).unwrap_or(found)
}

/// What is known of the terms of a path. Along a path variables can only have fewer and fewer values, so what was true of a
/// term stays true; more may be true later.
#[derive(Default)]
pub(crate) struct Remembered {
    known: Table<Known>,
    /// What the constraints of the path say of terms.
    facts: FxHashMap<Term, Bounds>,
}

#[derive(Clone, Copy)]
enum Known {
    /// It is too wide.
    Nothing,
    Bounds(Bounds),
}

impl Remembered {
    /// Whether the one-bit `goal` is false for all values that the variables can have on the path. This takes little where most of
    /// the goal's terms have been looked at before.
    pub(crate) fn is_never(&mut self, store: &Store, goal: Term, of_var: impl Fn(Var) -> Option<Bounds>) -> bool {
        self.look_at(store, goal, &of_var);
        // More may be known now than when its terms were looked at.
        self.bounds(goal).is_some_and(|goal| goal.is_false()) || is_never_with(store, goal, of_var, &self.facts)
    }

    /// Whether the one-bit `check` is true for all of them, as far as what is known of its terms says. This takes less than asking
    /// whether its negation never is.
    pub(crate) fn is_always(&mut self, store: &Store, check: Term, of_var: impl Fn(Var) -> Option<Bounds>) -> bool {
        self.look_at(store, check, of_var);
        self.bounds(check).is_some_and(|check| check.is_true())
    }

    /// Learns from a constraint of the path.
    pub(crate) fn learn(&mut self, store: &Store, constraint: Term, of_var: impl Fn(Var) -> Option<Bounds>) {
        self.look_at(store, constraint, of_var);
        self.narrow(store, constraint, Bounds::exactly(1, 1));
    }

    /// Learns that a term is between bounds on the path.
    pub(crate) fn say(&mut self, store: &Store, term: Term, is: Bounds, of_var: impl Fn(Var) -> Option<Bounds>) {
        self.look_at(store, term, of_var);
        self.narrow(store, term, is);
    }

    fn look_at(&mut self, store: &Store, root: Term, of_var: impl Fn(Var) -> Option<Bounds>) {
        for term in postorder(store, &[root], |term| self.known.get(term).is_some()) {
            let operand = |term: Term| self.bounds(term);
            let found = of_term(store, term, operand, &of_var);
            let found = found.map(|found| with_fact(found, self.facts.get(&term)));
            self.known.insert(term, found.map_or(Known::Nothing, Known::Bounds));
        }
    }

    /// Lets a term have fewer values, and what it is made of where that follows.
    fn narrow(&mut self, store: &Store, term: Term, more: Bounds) {
        let mut open: VecDeque<Fact> = VecDeque::from([(term, more)]);
        for _ in 0..MAX_NARROWED {
            let Some((term, more)) = open.pop_front() else { return };
            let Some(before) = self.bounds(term) else { continue };
            let Some(now) = before.and(more).filter(|now| *now != before) else { continue };
            self.known.insert(term, Known::Bounds(now));
            self.facts.insert(term, now);
            let known = |term: Term| self.bounds(term);
            open.extend(inwards(store, term, now, &known).into_iter().flatten());
            if let (1, Some(value)) = (now.width, now.only()) {
                open.extend(implied(store, term, value == 1, &known).into_iter().flatten());
            }
        }
    }

    fn bounds(&self, term: Term) -> Option<Bounds> {
        match self.known.get(term) {
            Some(Known::Bounds(bounds)) => Some(*bounds),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
