//! Solvers that are linked in.

use std::time::Duration;

use expr::{BitVec, Store, Term};

use super::Outcome;
use crate::answer::Budget;

/// One step of a solver: constraints to be added to an instance, then a question.
pub(crate) struct Step<'a> {
    /// The instance; made if it does not exist. `None` for one that is thrown away afterwards.
    pub instance: Option<u64>,
    /// Constraints to add for good.
    pub constraints: &'a [Term],
    /// What must hold this time.
    pub goals: &'a [Term],
    /// Terms whose values are asked for.
    pub wanted: &'a [Term],
    /// Values of the first of these, which are variables, under an input that satisfies the constraints as a rule.
    pub near: &'a [BitVec],
    /// What it may cost.
    pub limits: Limits,
}

/// The limits that a solver can look at itself.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub time: Duration,
    pub conflicts: Option<u64>,
}

impl From<&Budget> for Limits {
    fn from(budget: &Budget) -> Limits {
        Limits { time: budget.time, conflicts: budget.conflicts }
    }
}

/// A linked solver with its instances. Always used with the same store, whose terms it translates once.
pub(crate) trait Engine {
    fn step(&mut self, store: &Store, step: &Step<'_>) -> Outcome;

    /// Drops an instance.
    fn forget(&mut self, instance: u64);

    /// How many terms have been translated: a measure of memory that only [`Engine::reset`] gives back.
    fn translated(&self) -> usize;

    /// Drops everything.
    fn reset(&mut self);
}
