//! Sets of the values of one byte, exactly.

use expr::{BitVec, Kind, Model, Sort, Store, Term, Values, Var, eval_step, postorder};
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
    /// The values of terms for all values of their variable; of a term without one, its only value.
    columns: FxHashMap<Term, Vec<BitVec>>,
}

/// Terms with more new pieces than this are not tabulated.
const MAX_TERMS: usize = 1000;
/// How many columns are kept: what a hash is made of comes again in all that is made of the hash.
const MAX_COLUMNS: usize = 4096;

impl ByteSets {
    /// The values of `var` (at most 8 bits wide, and the only variable of the one-bit `term`) for which `term` holds,
    /// or `None` if the term is too large.
    pub(crate) fn of(&mut self, store: &Store, term: Term, var: Var) -> Option<ByteSet> {
        if let Some(set) = self.known.get(&term) {
            return Some(*set);
        }
        let set = match compare(store, term, var) {
            Some(set) => set,
            None => self.tabulate(store, term, var)?,
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

impl ByteSets {
    fn tabulate(&mut self, store: &Store, root: Term, var: Var) -> Option<ByteSet> {
        if self.columns.len() > MAX_COLUMNS {
            self.columns.clear();
        }
        let order = postorder(store, &[root], |term| self.columns.contains_key(&term));
        let is_array = |term: &Term| matches!(store.sort(*term), Sort::Array { .. });
        if order.len() > MAX_TERMS || order.iter().any(is_array) {
            return None;
        }
        let width = store.var_sort(var).width();
        let model = Model::new();
        for term in order {
            let column = match store.kind(term) {
                Kind::Var => (0..1u64 << width.min(8)).map(|value| BitVec::new(width, value)).collect(),
                _ => {
                    let node = store.node(term);
                    let of =
                        |operand: &Term| (*operand, self.columns.get(operand).map(Vec::as_slice).unwrap_or_default());
                    let operands: Vec<(Term, &[BitVec])> = node.operands().iter().map(of).collect();
                    let rows = operands.iter().map(|(_, column)| column.len()).max().unwrap_or(1);
                    let value = |row| eval_step(store, &model, term, &Row { operands: &operands, row });
                    (0..rows).map(value).collect()
                }
            };
            self.columns.insert(term, column);
        }
        let mut set = ByteSet::EMPTY;
        let column = self.columns.get(&root)?;
        (0..).zip(column).filter(|(_, holds)| holds.is_true()).for_each(|(value, _)| set.insert(value));
        Some(set)
    }
}

/// The operands of a term for one value of the variable.
struct Row<'a> {
    operands: &'a [(Term, &'a [BitVec])],
    row: usize,
}

impl Values for Row<'_> {
    fn value(&self, term: Term) -> Option<&BitVec> {
        let (_, column) = self.operands.iter().find(|(operand, _)| *operand == term)?;
        // What has no variable has one value.
        column.get(self.row).or(column.first())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_what_evaluation_says() {
        let mut store = Store::new();
        store.set_part_name(0, "in");
        let texts = [
            "(ult (mul (zext 64 in[0]) 0x9e3779b97f4a7c15:64) 0x4000000000000000:64)",
            "(eq (xor (zext 64 in[0]) (mul (zext 64 in[0]) 0x9e3779b97f4a7c15:64)) 0x0:64)",
            "(not (eq (ite (ult in[0] 0x20:8) 0x1:8 (udiv in[0] 0x7:8)) 0x5:8))",
            "(eq (lookup 8 0x1 0x2 0x3 0x4 (extract 2 3 in[0])) 0x3:8)",
        ];
        let mut sets = ByteSets::default();
        for text in texts {
            let term = expr::parse_term(&mut store, text).unwrap();
            let var = expr::variables(&store, &[term])[0];
            // Asked twice, the second one with what the first one left.
            for _ in 0..2 {
                let set = sets.of(&store, term, var).unwrap();
                sets.known.clear();
                for value in 0..256 {
                    let mut model = Model::new();
                    model.set(var, BitVec::new(8, value));
                    assert_eq!(set.contains(value), store.eval(term, &model).is_true(), "{text} for {value}");
                }
            }
        }
    }
}
