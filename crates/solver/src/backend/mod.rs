//! Solvers behind one interface.
//!
//! Bitwuzla and Z3 are linked in, but run in a *worker*: a child process of the same executable that is fed through a
//! pipe. Only that makes a crash, a hang inside preprocessing (where neither looks at its limits) or exhausted memory
//! end as an answer and not as the end of the run. The worker keeps its solver instances between queries, so that
//! constraints which queries have in common are sent and translated once; a round trip costs about 10 µs. A program
//! that did not call [`worker::init`](crate::worker::init) first thing in `main` has no worker, and gets the solver in
//! its own process, with limits that the solver itself looks at.

mod bitwuzla;
mod child;
mod command;
mod engine;
mod lineage;
pub(crate) mod wire;
pub mod worker;
mod z3;

use std::sync::atomic::AtomicBool;

use expr::{BitVec, Store, Term};

use crate::answer::{BackendChoice, Budget, Reason};
use engine::Engine;

/// A query for a backend.
pub(crate) struct BackendQuery<'a> {
    /// Queries with the same number are about the same constraints: each one's `constraints` start with those of the
    /// one before. `None` for a query that has nothing in common with others.
    pub lineage: Option<u64>,
    /// What must hold, and is likely to be part of later queries.
    pub constraints: &'a [Term],
    /// What must hold in this query.
    pub goals: &'a [Term],
    /// Terms whose values a model is made of.
    pub wanted: &'a [Term],
    /// Values of the first of these, which are variables, under the path's input: that satisfies the constraints as a rule.
    pub near: &'a [BitVec],
    /// Ends the query when it becomes true, where the solver has a process of its own.
    pub stop: Option<&'a AtomicBool>,
}

/// A backend's answer: the values of the wanted terms, in their order, if there is a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Sat(Vec<BitVec>),
    Unsat,
    Unknown(Reason),
}

/// Something that answers queries.
pub(crate) trait Backend {
    fn solve(&mut self, store: &Store, query: &BackendQuery<'_>, budget: &Budget) -> Outcome;
}

/// The backend for a choice: a linked solver in a worker, where there is one and it may be used.
pub(crate) fn make(choice: &BackendChoice, in_process: bool) -> Box<dyn Backend> {
    match choice {
        BackendChoice::Command(command) => Box::new(command::Command::new(command)),
        linked if !in_process && worker::is_available() => Box::new(worker::Worker::new(linked)),
        linked => Box::new(lineage::InProcess::new(engine(linked))),
    }
}

fn engine(choice: &BackendChoice) -> Box<dyn Engine> {
    match choice {
        BackendChoice::Z3 => Box::new(z3::Z3Engine::new()),
        _ => Box::new(bitwuzla::BitwuzlaEngine::new()),
    }
}

/// Names and versions of the solvers that are linked in.
pub fn versions() -> Vec<(&'static str, String)> {
    vec![("bitwuzla", bitwuzla::version()), ("z3", z3::version())]
}
