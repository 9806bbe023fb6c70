//! Which constraints an engine has been given already.

use std::collections::VecDeque;

use expr::Store;

use super::engine::{Engine, Step};
use super::{Backend, BackendQuery, Outcome};
use crate::answer::Budget;

/// Instances kept at the same time. Paths rarely have more independent groups of constraints that are hard.
const MAX_INSTANCES: usize = 16;
/// Constraints below which a new instance costs less than keeping one.
pub(super) const SMALL: usize = 8;
/// Terms after which an engine starts afresh.
pub(super) const MAX_TRANSLATED: usize = 2_000_000;

/// The instances of an engine, the one used last at the back, with the number of constraints each one has.
#[derive(Default)]
pub(super) struct Lineages {
    known: VecDeque<(u64, usize)>,
}

/// How a query is put to an engine.
pub(super) struct Placement {
    pub instance: Option<u64>,
    /// How many of the constraints the instance has already.
    pub asserted: usize,
    /// An instance that has to go.
    pub evicted: Option<u64>,
}

impl Lineages {
    pub(super) fn place(&mut self, query: &BackendQuery<'_>) -> Placement {
        let known = query.lineage.and_then(|id| self.known.iter().position(|(known, _)| *known == id));
        let Some(id) = query.lineage.filter(|_| known.is_some() || query.constraints.len() >= SMALL) else {
            return Placement { instance: None, asserted: 0, evicted: None };
        };
        let asserted = known.and_then(|place| self.known.remove(place)).map_or(0, |(_, count)| count);
        self.known.push_back((id, query.constraints.len()));
        let evicted = if self.known.len() > MAX_INSTANCES { self.known.pop_front() } else { None };
        let asserted = asserted.min(query.constraints.len());
        Placement { instance: Some(id), asserted, evicted: evicted.map(|(id, _)| id) }
    }

    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

/// An engine in this process.
pub(super) struct InProcess {
    engine: Box<dyn Engine>,
    /// The store whose terms the engine knows.
    store: Option<u64>,
    lineages: Lineages,
}

impl InProcess {
    pub(super) fn new(engine: Box<dyn Engine>) -> InProcess {
        InProcess { engine, store: None, lineages: Lineages::default() }
    }
}

impl Backend for InProcess {
    fn solve(&mut self, store: &Store, query: &BackendQuery<'_>, budget: &Budget) -> Outcome {
        if self.store != Some(store.id()) || self.engine.translated() > MAX_TRANSLATED {
            self.store = Some(store.id());
            self.engine.reset();
            self.lineages.clear();
        }
        let placement = self.lineages.place(query);
        if let Some(evicted) = placement.evicted {
            self.engine.forget(evicted);
        }
        let step = Step {
            instance: placement.instance,
            constraints: &query.constraints[placement.asserted..],
            goals: query.goals,
            wanted: query.wanted,
            near: query.near,
            limits: budget.into(),
        };
        self.engine.step(store, &step)
    }
}
