//! What models are checked against before anybody sees them: the path as it was said.
//!
//! Everything else here works on simplified terms. A mistake of the simplifier would make models of another program; so
//! each model is evaluated once more under the terms as they were before, which costs about as much as trying a model.

use expr::{BitVec, Claim, Evaluator, Model, Store, Term};
use rustc_hash::FxHashSet;

use crate::tiers::what_if::{Evaluated, WhatIf};

/// The originals of a path's constraints, as far as they differ from the simplified ones. Nothing is evaluated before there is a
/// model: on many paths there is none.
pub(super) struct Originals {
    evaluated: Evaluated,
    said: FxHashSet<Term>,
    /// The same in the order in which they came.
    order: Vec<Term>,
    /// How many of them have been evaluated.
    ready: usize,
    /// Whether the path's input satisfies them.
    consistent: bool,
}

impl Originals {
    pub(super) fn new(base: Model) -> Originals {
        Originals {
            evaluated: Evaluated::new(base),
            said: FxHashSet::default(),
            order: Vec::new(),
            ready: 0,
            consistent: true,
        }
    }

    pub(super) fn push(&mut self, original: Term) {
        if self.said.insert(original) {
            self.order.push(original);
        }
    }

    /// Evaluates what has been said since it was done last.
    fn get_ready(&mut self, store: &Store) {
        for original in self.order.iter().skip(self.ready) {
            self.evaluated.evaluate(store, *original);
            self.evaluated.link(store, *original);
            self.consistent &= self.evaluated.value(*original).is_some_and(BitVec::is_true);
        }
        self.ready = self.order.len();
    }

    /// Whether nobody has said anything that differs from its simplified form, so that there is nothing left to check.
    fn are_none(&self, goals: &[Claim]) -> bool {
        self.order.is_empty() && goals.iter().all(|goal| goal.original == goal.term)
    }

    /// Gets ready for a goal that many models will be asked about.
    pub(super) fn expect(&mut self, store: &Store, goal: Claim) {
        if !self.are_none(&[goal]) {
            self.get_ready(store);
            self.evaluated.evaluate(store, goal.original);
            self.evaluated.link(store, goal.original);
        }
    }

    /// Whether the path and the goal, whose simplified forms do, hold under a model.
    pub(super) fn hold(&mut self, store: &mut Store, model: &Model, goal: Claim) -> bool {
        if self.are_none(&[goal]) {
            return true;
        }
        let goal = goal.original;
        self.get_ready(store);
        self.evaluated.evaluate(store, goal);
        if self.consistent {
            let is_said = |term| self.said.contains(&term);
            self.evaluated.what_if(store, model, goal, is_said, usize::MAX) == WhatIf::Holds
        } else {
            let mut evaluator = Evaluator::new(store, model);
            evaluator.all_true(&self.order) && evaluator.eval(goal).is_true()
        }
    }

    /// Which of the goals hold under a model together with the path, as far as their simplified forms do.
    pub(super) fn which_hold(&mut self, store: &mut Store, model: &Model, goals: &[Claim]) -> Vec<bool> {
        if self.are_none(goals) {
            return vec![true; goals.len()];
        }
        self.get_ready(store);
        let goals: Vec<Term> = goals.iter().map(|goal| goal.original).collect();
        for goal in &goals {
            self.evaluated.evaluate(store, *goal);
        }
        if self.consistent {
            return self.evaluated.which_hold(store, model, &goals, |term| self.said.contains(&term));
        }
        let mut evaluator = Evaluator::new(store, model);
        let path = evaluator.all_true(&self.order);
        goals.iter().map(|goal| path && evaluator.eval(*goal).is_true()).collect()
    }
}
