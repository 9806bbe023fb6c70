//! Terms that depend on the input by way of one narrow term alone.
//!
//! When the path has said what a number is, all that was computed from it before is known as well: where a loop over a length has
//! ended, what lies behind it is no longer anywhere.

use rustc_hash::FxHashMap;

use super::indices::Settled;
use crate::bitvec::BitVec;
use crate::eval::eval_step;
use crate::model::Model;
use crate::store::{Kind, Sort, Store, Term};
use crate::walk::postorder;

/// Wider terms are no narrow ones.
const WIDEST: u16 = 12;
/// Terms that are remembered for each narrow one.
const MOST: usize = 256;
/// Looks at terms between the two.
const MOST_BETWEEN: usize = 96;

/// By way of what a term depends on the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    /// It does not.
    Nothing,
    /// Of this term alone.
    One(Term),
    /// Of anything else.
    Other,
}

/// The terms of a path, as far as they depend on one narrow term.
#[derive(Default)]
pub(super) struct Dependents {
    through: Vec<Option<Through>>,
    known: FxHashMap<Term, Vec<Term>>,
}

impl Dependents {
    fn of(&self, term: Term) -> Option<Through> {
        self.through.get(term.index()).copied().flatten()
    }

    /// Takes note of a term.
    pub(super) fn add(&mut self, store: &Store, root: Term) {
        if self.of(root).is_some() {
            return;
        }
        self.through.resize(store.len(), None);
        for term in postorder(store, &[root], |term| self.of(term).is_some()) {
            self.through[term.index()] = Some(self.look_at(store, term));
        }
        if let Some(Through::One(narrow)) = self.of(root)
            && narrow != root
        {
            let known = self.known.entry(narrow).or_default();
            if known.len() < MOST {
                known.push(root);
            }
        }
    }

    fn look_at(&self, store: &Store, term: Term) -> Through {
        let node = store.node(term);
        let is_narrow = matches!(node.sort, Sort::BitVec(2..=WIDEST));
        match node.kind {
            Kind::Const => return Through::Nothing,
            Kind::Var if is_narrow => return Through::One(term),
            Kind::Var | Kind::Select => return Through::Other,
            _ if matches!(node.sort, Sort::Array { .. }) => return Through::Other,
            _ => {}
        }
        let operands = node.operands().iter().map(|operand| self.of(*operand).unwrap_or(Through::Other));
        let all = operands.fold(Through::Nothing, |all, one| match (all, one) {
            (Through::Nothing, other) | (other, Through::Nothing) => other,
            (all, one) if all == one => all,
            _ => Through::Other,
        });
        if all == Through::Other && is_narrow { Through::One(term) } else { all }
    }

    /// The values of all terms that are known if one is, but for those that are known anyway.
    pub(super) fn known_from(
        &self,
        store: &Store,
        (term, value): &Settled,
        is_known: impl Fn(Term) -> bool,
    ) -> Vec<Settled> {
        let Some(Through::One(narrow)) = self.of(*term) else { return Vec::new() };
        let dependents = self.known.get(&narrow).map(Vec::as_slice).unwrap_or_default();
        let new = dependents.iter().copied().filter(|dependent| dependent > term && !is_known(*dependent));
        new.filter_map(|new| Some((new, evaluated(store, new, (*term, value))?))).collect()
    }
}

/// The value of a term that depends on one narrow term only, if that of another such term is enough for it.
fn evaluated(store: &Store, root: Term, (known, value): (Term, &BitVec)) -> Option<BitVec> {
    let mut looked_at = 0;
    let mut is_lost = false;
    let between = postorder(store, &[root], |term| {
        looked_at += 1;
        // What was made before the known term is not computed from it, but from what it is made of.
        is_lost |= looked_at > MOST_BETWEEN || term < known && store.value(term).is_none();
        is_lost || term == known
    });
    if is_lost {
        return None;
    }
    let mut values: FxHashMap<Term, BitVec> = FxHashMap::default();
    values.insert(known, value.clone());
    for term in between {
        let value = eval_step(store, &Model::default(), term, &values);
        values.insert(term, value);
    }
    values.remove(&root)
}
