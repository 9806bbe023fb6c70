//! What if some bytes were different: evaluation of a path under a model that is close to its input.
//!
//! The path's own input satisfies the path. So under a model that differs from it in a few variables only the
//! constraints above those variables can fail, and only the terms above them have other values. These are found by
//! walking up from the changed variables, operands before users, and stopping where a value stays the same. This is
//! exactly evaluating the whole path, at a fraction of the cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use expr::{BitVec, Model, Sort, Store, Term, Values, Var, eval_step, postorder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::table::Table;

/// The end of a list of users.
const END: u32 = u32::MAX;

/// The terms of a path with their values under its input.
pub(crate) struct Evaluated {
    base: Model,
    /// For each term its value, and the variable that it depends on, if it is only one.
    values: Table<(BitVec, Single)>,
    /// For each term its first user: a place in `users`.
    first_user: Table<u32>,
    users: Vec<(Term, u32)>,
    linked: FxHashSet<Term>,
}

/// How many variables a term depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Single {
    None,
    One(Var),
    Many,
}

impl Single {
    fn with(self, other: Single) -> Single {
        match (self, other) {
            (Single::None, other) | (other, Single::None) => other,
            (Single::One(a), Single::One(b)) if a == b => self,
            _ => Single::Many,
        }
    }
}

/// What came of a what-if.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhatIf {
    /// The path and the goal hold.
    Holds,
    /// The goal or a constraint of the path does not.
    Fails,
    /// More terms would change than were allowed to.
    TooMany,
}

/// The new values over the old ones.
struct Overlay<'a> {
    changed: FxHashMap<Term, BitVec>,
    below: &'a Evaluated,
}

impl Values for Evaluated {
    fn value(&self, term: Term) -> Option<&BitVec> {
        self.values.get(term).map(|(value, _)| value)
    }
}

impl Values for Overlay<'_> {
    fn value(&self, term: Term) -> Option<&BitVec> {
        self.changed.get(&term).or_else(|| self.below.value(term))
    }
}

impl Evaluated {
    pub(crate) fn new(base: Model) -> Evaluated {
        Evaluated {
            base,
            values: Table::default(),
            first_user: Table::default(),
            users: Vec::new(),
            linked: FxHashSet::default(),
        }
    }

    /// The path's own input.
    pub(crate) fn base(&self) -> &Model {
        &self.base
    }

    /// Evaluates a term and everything below it under the path's input.
    pub(crate) fn evaluate(&mut self, store: &Store, root: Term) {
        for term in postorder(store, &[root], |term| self.values.get(term).is_some()) {
            let value = eval_step(store, &self.base, term, self);
            let own = store.var_of(term).map_or(Single::None, Single::One);
            let single = store.node(term).operands().iter().fold(own, |all, operand| all.with(self.single(*operand)));
            self.values.insert(term, (value, single));
        }
    }

    /// The value of a term that has been evaluated.
    pub(crate) fn value(&self, term: Term) -> Option<&BitVec> {
        Values::value(self, term)
    }

    /// The variables of a term that has been evaluated.
    pub(crate) fn single(&self, term: Term) -> Single {
        self.values.get(term).map_or(Single::None, |(_, single)| *single)
    }

    /// Makes a term part of the path: it is found from the variables below it.
    pub(crate) fn link(&mut self, store: &Store, root: Term) {
        for term in postorder(store, &[root], |term| self.linked.contains(&term)) {
            self.linked.insert(term);
            for operand in store.node(term).operands() {
                let next = self.first_user.get(*operand).copied().unwrap_or(END);
                self.first_user.insert(*operand, self.users.len() as u32);
                self.users.push((term, next));
            }
        }
    }

    fn users(&self, term: Term) -> impl Iterator<Item = Term> {
        let mut next = self.first_user.get(term).copied().unwrap_or(END);
        core::iter::from_fn(move || {
            let (user, after) = self.users.get(next as usize).copied()?;
            next = after;
            Some(user)
        })
    }

    /// Whether the path (of which `is_constraint` knows the constraints) and the goal hold under a model that is close to
    /// the path's input. The goal has been evaluated.
    pub(crate) fn what_if(
        &self,
        store: &mut Store,
        model: &Model,
        goal: Term,
        is_constraint: impl Fn(Term) -> bool,
        limit: usize,
    ) -> WhatIf {
        match self.overlay(store, model, is_constraint, limit) {
            Ok(mut overlay) => match self.under(store, model, &mut overlay, goal) {
                true => WhatIf::Holds,
                false => WhatIf::Fails,
            },
            Err(why) => why,
        }
    }

    /// Which of the goals hold, together with the path, under a model that is close to its input. The goals have been
    /// evaluated.
    pub(crate) fn which_hold(
        &self,
        store: &mut Store,
        model: &Model,
        goals: &[Term],
        is_constraint: impl Fn(Term) -> bool,
    ) -> Vec<bool> {
        match self.overlay(store, model, is_constraint, usize::MAX) {
            Ok(mut overlay) => goals.iter().map(|goal| self.under(store, model, &mut overlay, *goal)).collect(),
            Err(_) => vec![false; goals.len()],
        }
    }

    /// The values of the linked terms that a model changes; an error if a constraint fails or there are too many.
    fn overlay(
        &self,
        store: &mut Store,
        model: &Model,
        is_constraint: impl Fn(Term) -> bool,
        limit: usize,
    ) -> Result<Overlay<'_>, WhatIf> {
        let mut overlay = Overlay { changed: FxHashMap::default(), below: self };
        let vectors = model.values().filter(|(var, value)| self.base.get(*var) != Some(*value)).map(|(var, _)| var);
        let arrays = model.arrays().map(|(var, _)| var);
        let mut queue: BinaryHeap<Reverse<Term>> =
            vectors.chain(arrays).map(|var| Reverse(store.var_term(var))).collect();
        let mut last = None;
        while let Some(Reverse(term)) = queue.pop() {
            if last.replace(term) == Some(term) {
                continue;
            }
            if overlay.changed.len() >= limit {
                return Err(WhatIf::TooMany);
            }
            let value = eval_step(store, model, term, &overlay);
            let is_array = matches!(store.sort(term), Sort::Array { .. });
            if !is_array && overlay.below.value(term) == Some(&value) {
                continue;
            }
            if value.is_zero() && is_constraint(term) {
                return Err(WhatIf::Fails);
            }
            overlay.changed.insert(term, value);
            queue.extend(self.users(term).map(Reverse));
        }
        Ok(overlay)
    }

    /// Whether a goal, which may have terms that are not linked into the path, is true over an overlay.
    fn under(&self, store: &Store, model: &Model, overlay: &mut Overlay<'_>, goal: Term) -> bool {
        for term in postorder(store, &[goal], |term| self.linked.contains(&term)) {
            let value = eval_step(store, model, term, overlay);
            overlay.changed.insert(term, value);
        }
        overlay.value(goal).is_some_and(BitVec::is_true)
    }
}
