//! Sets of the values of one byte, exactly.

use expr::{BitVec, Kind, Model, Store, Term, Var, eval_step, postorder};
use rustc_hash::FxHashMap;

/// A set of values below 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: ByteSet = ByteSet([0; 4]);

    /// All values of a variable of `width` bits, at most 8.
    pub(crate) fn all(width: u16) -> ByteSet {
        ByteSet::range(0, 1 << width.min(8))
    }

    /// The values from `from` on and below `to`.
    fn range(from: u64, to: u64) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        (from..to.min(256)).for_each(|value| set.insert(value));
        set
    }

    pub(crate) fn insert(&mut self, value: u64) {
        if let Some(word) = self.0.get_mut((value / 64) as usize) {
            *word |= 1 << (value % 64);
        }
    }

    pub(crate) fn contains(&self, value: u64) -> bool {
        self.0.get((value / 64) as usize).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    fn zip(&self, other: &ByteSet, operation: impl Fn(u64, u64) -> u64) -> ByteSet {
        let mut words = self.0;
        words.iter_mut().zip(other.0).for_each(|(a, b)| *a = operation(*a, b));
        ByteSet(words)
    }

    pub(crate) fn and(&self, other: &ByteSet) -> ByteSet {
        self.zip(other, |a, b| a & b)
    }

    fn or(&self, other: &ByteSet) -> ByteSet {
        self.zip(other, |a, b| a | b)
    }

    fn minus(&self, other: &ByteSet) -> ByteSet {
        self.zip(other, |a, b| a & !b)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    pub(crate) fn values(self) -> impl Iterator<Item = u64> {
        (0..256).filter(move |value| self.contains(*value))
    }
}

/// Remembers the sets of terms.
#[derive(Default)]
pub(crate) struct ByteSets {
    known: FxHashMap<Term, ByteSet>,
}

/// Terms larger than this are not tabulated.
const MAX_TERMS: usize = 200;

impl ByteSets {
    /// The values of `var` (at most 8 bits wide, and the only variable of the one-bit `term`) for which `term` holds,
    /// or `None` if the term is too large.
    pub(crate) fn of(&mut self, store: &Store, term: Term, var: Var) -> Option<ByteSet> {
        if let Some(set) = self.known.get(&term) {
            return Some(*set);
        }
        let set = match compare(store, term, var) {
            Some(set) => set,
            None => tabulate(store, term, var)?,
        };
        self.known.insert(term, set);
        Some(set)
    }
}

/// The comparisons that the simplifier leaves of byte-wise code, and their connectives to a small depth.
fn compare(store: &Store, root: Term, var: Var) -> Option<ByteSet> {
    let all = ByteSet::all(store.var_sort(var).width());
    fn go(store: &Store, term: Term, var: Var, all: &ByteSet, depth: u32) -> Option<ByteSet> {
        if depth == 0 {
            return None;
        }
        let [a, b, _] = store.node(term).operands;
        let is_var = |term: Term| store.var_of(term) == Some(var);
        let constant = |term: Term| store.value(term).and_then(BitVec::to_u64);
        Some(match store.kind(term) {
            Kind::Not => all.minus(&go(store, a, var, all, depth - 1)?),
            Kind::And => go(store, a, var, all, depth - 1)?.and(&go(store, b, var, all, depth - 1)?),
            Kind::Or => go(store, a, var, all, depth - 1)?.or(&go(store, b, var, all, depth - 1)?),
            Kind::Eq if is_var(a) => ByteSet::range(constant(b)?, constant(b)? + 1),
            Kind::Ult if is_var(a) => ByteSet::range(0, constant(b)?),
            Kind::Lookup if is_var(a) => {
                let mut set = ByteSet::EMPTY;
                let table = store.table(term).unwrap_or_default();
                (0..).zip(table).filter(|(_, value)| value.is_true()).for_each(|(number, _)| set.insert(number));
                set
            }
            Kind::Ult if is_var(b) => all.minus(&ByteSet::range(0, constant(a)? + 1)),
            _ => return None,
        })
    }
    go(store, root, var, &all, 8)
}

fn tabulate(store: &Store, root: Term, var: Var) -> Option<ByteSet> {
    let order = postorder(store, &[root], |_| false);
    if order.len() > MAX_TERMS {
        return None;
    }
    let width = store.var_sort(var).width();
    let mut set = ByteSet::EMPTY;
    let mut model = Model::new();
    let mut values: FxHashMap<Term, BitVec> = FxHashMap::default();
    for value in 0..1u64 << width.min(8) {
        model.set(var, BitVec::new(width, value));
        for term in &order {
            let result = eval_step(store, &model, *term, &values);
            values.insert(*term, result);
        }
        if values.get(&root).is_some_and(BitVec::is_true) {
            set.insert(value);
        }
    }
    Some(set)
}
