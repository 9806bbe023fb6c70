//! What a path leaves of the indices of tables.
//!
//! A program looks many things up under one index: how long a code is, what it stands for, what comes next. Where the path says
//! one of them, as a pin does, only some values of the index are left; and what is the same for all of these is no choice any more.

use rustc_hash::FxHashMap;

use crate::bitvec::BitVec;
use crate::store::{Kind, Sort, Store, Term};
use crate::tables::MAX_TABLE_INDEX;

/// How deeply conditions are looked into.
const DEPTH: u32 = 8;

/// Some values of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set {
    words: Vec<u64>,
    count: usize,
}

impl Set {
    /// The values of an index of `width` bits for which something is so.
    fn where_true(width: u16, is_so: impl Fn(u64) -> bool) -> Set {
        let count = 1usize << width.min(MAX_TABLE_INDEX);
        let mut words = vec![0; count.div_ceil(64)];
        (0..count).filter(|value| is_so(*value as u64)).for_each(|value| words[value / 64] |= 1 << (value % 64));
        Set { words, count }
    }

    fn contains(&self, value: u64) -> bool {
        self.words.get((value / 64) as usize).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    fn zip(&self, other: &Set, operation: impl Fn(u64, u64) -> u64) -> Set {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| operation(*a, *b)).collect();
        Set { words, count: self.count }
    }

    fn complement(&self) -> Set {
        Set::where_true(self.count.trailing_zeros() as u16, |value| !self.contains(value))
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    fn values(&self) -> impl Iterator<Item = u64> {
        (0..self.count as u64).filter(|value| self.contains(*value))
    }
}

/// What is known of an index.
#[derive(Default)]
struct Index {
    /// The values that the conditions on it leave, where there have been any.
    left: Option<Set>,
    /// Lookups by it that still are choices.
    choices: Vec<Term>,
}

/// The indices of a path.
#[derive(Default)]
pub(super) struct Indices {
    known: FxHashMap<Term, Index>,
}

/// A term that has one value only, and that value.
pub(super) type Settled = (Term, BitVec);

impl Indices {
    /// Takes note of a one-bit term that is true from here on. Terms that have one value only from here on are the result.
    pub(super) fn learn(&mut self, store: &Store, holds: Term) -> Vec<Settled> {
        let Some(term) = index_of(store, holds, DEPTH) else { return Vec::new() };
        let index = self.known.entry(term).or_default();
        let Some(set) = set_of(store, holds, DEPTH) else { return Vec::new() };
        index.left = Some(match &index.left {
            Some(left) => left.zip(&set, |a, b| a & b),
            None => set,
        });
        index.settled(store, term)
    }

    /// Takes note of a term that is new. If it is looked up, and the path leaves one element only, it is the result.
    pub(super) fn made(&mut self, store: &Store, term: Term) -> Vec<Settled> {
        if store.kind(term) == Kind::Lookup {
            let by = store.node(term).operands[0];
            let index = self.known.entry(by).or_default();
            if index.choices.contains(&term) {
                return Vec::new();
            }
            index.choices.push(term);
            return index.settled(store, by);
        }
        Vec::new()
    }
}

impl Index {
    /// What has one value only by now.
    fn settled(&mut self, store: &Store, index: Term) -> Vec<Settled> {
        // A path that leaves nothing contradicts itself, which others find out.
        let Some(left) = self.left.as_ref().filter(|left| !left.is_empty()) else { return Vec::new() };
        let mut settled = Vec::new();
        let mut values = left.values();
        if let (Some(only), None) = (values.next(), values.next()) {
            settled.push((index, BitVec::new(store.width(index), only)));
        }
        self.choices.retain(|choice| match only_element(store, *choice, left) {
            Some(value) => {
                settled.push((*choice, value));
                false
            }
            None => true,
        });
        settled
    }
}

/// The element of a table that all of some values choose.
fn only_element(store: &Store, lookup: Term, values: &Set) -> Option<BitVec> {
    let table = store.table(lookup)?;
    let mut elements = values.values().map(|value| table.get(value as usize));
    let first = elements.next()??;
    elements.all(|element| element == Some(first)).then(|| first.clone())
}

/// The narrow term that a condition of a form that [`set_of`] knows is about.
fn index_of(store: &Store, condition: Term, depth: u32) -> Option<Term> {
    let node = store.node(condition);
    let [a, b, _] = node.operands;
    let is_constant = |term: Term| store.value(term).is_some();
    let found = match node.kind {
        _ if depth == 0 || node.sort != Sort::BitVec(1) => return None,
        Kind::Not => return index_of(store, a, depth - 1),
        Kind::And | Kind::Or => {
            let index = index_of(store, a, depth - 1)?;
            return (index_of(store, b, depth - 1) == Some(index)).then_some(index);
        }
        Kind::Lookup => a,
        Kind::Eq | Kind::Ult | Kind::Ule if is_constant(b) => moved(store, a).0,
        Kind::Eq | Kind::Ult | Kind::Ule if is_constant(a) => moved(store, b).0,
        _ => return None,
    };
    let is_narrow = matches!(store.sort(found), Sort::BitVec(2..=MAX_TABLE_INDEX)) && !is_constant(found);
    is_narrow.then_some(found)
}

/// A term without the constant that is added to it, and the constant.
fn moved(store: &Store, term: Term) -> (Term, u64) {
    let node = store.node(term);
    let [a, b, _] = node.operands;
    let constant = |term: Term| store.value(term).and_then(BitVec::to_u64);
    match node.kind {
        Kind::Add => match (constant(a), constant(b)) {
            (None, Some(more)) => (a, more),
            (Some(more), None) => (b, more),
            _ => (term, 0),
        },
        Kind::Sub => match (constant(a), constant(b)) {
            (None, Some(less)) => (a, less.wrapping_neg()),
            _ => (term, 0),
        },
        _ => (term, 0),
    }
}

/// The values of the index that a condition is about for which it holds.
fn set_of(store: &Store, condition: Term, depth: u32) -> Option<Set> {
    let index = index_of(store, condition, depth)?;
    let width = store.width(index);
    let node = store.node(condition);
    let [a, b, _] = node.operands;
    Some(match node.kind {
        Kind::Not => set_of(store, a, depth - 1)?.complement(),
        Kind::And => set_of(store, a, depth - 1)?.zip(&set_of(store, b, depth - 1)?, |a, b| a & b),
        Kind::Or => set_of(store, a, depth - 1)?.zip(&set_of(store, b, depth - 1)?, |a, b| a | b),
        Kind::Lookup => {
            let table = store.table(condition)?;
            Set::where_true(width, |value| table.get(value as usize).is_some_and(BitVec::is_true))
        }
        kind => {
            let side = |term: Term| {
                let constant = store.value(term).and_then(BitVec::to_u64);
                let more = moved(store, term).1;
                let mask = (1u64 << width) - 1;
                move |value: u64| constant.unwrap_or(value.wrapping_add(more) & mask)
            };
            let (a, b) = (side(a), side(b));
            Set::where_true(width, |value| match kind {
                Kind::Eq => a(value) == b(value),
                Kind::Ult => a(value) < b(value),
                _ => a(value) <= b(value),
            })
        }
    })
}

#[cfg(test)]
mod tests;
