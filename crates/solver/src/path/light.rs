//! The path without its constraints on floating-point numbers.
//!
//! A single division of such numbers can cost a backend more than all other constraints together, and a slice has it in it as soon
//! as there is any way from one variable to the other. What has no model without these constraints has none with them; and what
//! has one has often changed nothing that they are about, which is soon seen. What is left is asked with all of them.

use expr::{Store, Term};

use super::{PathSolver, slice_of};
use crate::answer::{Answer, Budget, Solution};
use crate::session::{Query, Raw};
use crate::tiers::groups::Groups;

/// The constraints that are not about floating-point numbers.
#[derive(Default)]
pub(super) struct Light {
    groups: Groups,
    /// How many of the path's constraints have been looked at.
    ready: usize,
    /// How many of these are left out.
    left_out: usize,
    /// For each term whether there is a floating-point number in it.
    with_floats: Vec<bool>,
}

impl Light {
    /// Whether there is a floating-point number in a term.
    pub(super) fn is_about_floats(&mut self, store: &Store, term: Term) -> bool {
        if !store.has_floats() {
            return false;
        }
        for known in expr::terms_from(store, self.with_floats.len()) {
            let node = store.node(known);
            let has_floats =
                node.kind.is_float() || node.operands().iter().any(|operand| self.with_floats[operand.index()]);
            self.with_floats.push(has_floats);
        }
        self.with_floats[term.index()]
    }

    /// Looks at the constraints that have come since it was done last.
    fn get_ready(&mut self, store: &Store, order: &[Term], next_lineage: &mut u64) {
        for part in &order[self.ready..] {
            if self.is_about_floats(store, *part) {
                self.left_out += 1;
            } else {
                self.groups.join(store, *part, next_lineage);
                self.groups.add(*part);
            }
        }
        self.ready = order.len();
    }

    /// Says which constraint is added next, as to the path.
    pub(super) fn expect(&mut self, store: &Store, order: &[Term], constraint: Term, next_lineage: &mut u64) {
        if store.has_floats() && !self.is_about_floats(store, constraint) {
            self.get_ready(store, order, next_lineage);
            self.groups.join(store, constraint, next_lineage);
        }
    }
}

impl PathSolver<'_> {
    /// What the constraints without floating-point numbers say about a goal without any, where there are others in its slice.
    pub(super) fn solve_light(&mut self, store: &mut Store, goal: Term) -> Option<Answer> {
        if !store.has_floats() || self.light.is_about_floats(store, goal) {
            return None;
        }
        self.light.get_ready(store, &self.order, &mut self.session.next_lineage);
        if self.light.left_out == 0 || self.session.config.no_slicing {
            return None;
        }
        let (roots, light_roots) = (self.groups.touching(store, goal), self.light.groups.touching(store, goal));
        let (lineage, slice) = slice_of(&self.light.groups, &light_roots);
        // All of it is part of the path's own slice.
        if slice.len() == slice_of(&self.groups, &roots).1.len() {
            return None;
        }
        let base = self.evaluated.base().clone();
        let query = Query { lineage, constraints: &slice, goals: &[goal], base: &base };
        let budget = self.session.budget();
        self.session.set_budget(Budget { time: budget.time / 2, ..budget });
        let raw = self.session.ask(store, query);
        self.session.set_budget(budget);
        match raw {
            Raw::Unsat => Some(Answer::Unsat),
            Raw::Unknown(_) => None,
            Raw::Sat(model, tier) => {
                self.verify(store, &model, goal).then_some(Answer::Sat(Solution { model, tier, optimistic: false }))
            }
        }
    }
}
