//! Tables: what the elements of a constant array are, for terms that choose one of them by an index.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::bitvec::BitVec;
use crate::build::SortError;
use crate::store::{Kind, NO_OPERAND, Node, Sort, Store, Term};

/// The widest index of a table.
pub const MAX_TABLE_INDEX: u16 = 12;

/// The tables of a store, each once.
#[derive(Default)]
pub(crate) struct Tables {
    known: Vec<Arc<[BitVec]>>,
    numbers: FxHashMap<Arc<[BitVec]>, u32>,
    derived: FxHashMap<Derivation, u32>,
}

/// How one table is made from another: by an operator on its elements or on its index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Derivation {
    /// The table.
    pub table: u32,
    /// The operator; operands that are no constants are [`NO_OPERAND`].
    pub node: Node,
    /// Which operand changes.
    pub place: usize,
    /// The width of the new index where the operator is one on the index.
    pub index: Option<u16>,
}

impl Tables {
    fn number(&mut self, values: Vec<BitVec>) -> u32 {
        let values: Arc<[BitVec]> = values.into();
        let next = self.known.len() as u32;
        let number = *self.numbers.entry(values.clone()).or_insert(next);
        if number == next {
            self.known.push(values);
        }
        number
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Arc<[BitVec]>> {
        self.known.get(number as usize)
    }
}

/// A step of a [`decision`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice<'a> {
    /// An element.
    Value(&'a BitVec),
    /// What one of two earlier steps gives, by a bit of the index.
    Either {
        /// The bit.
        bit: u32,
        /// The step for 1.
        high: usize,
        /// The step for 0.
        low: usize,
    },
}

/// The element that an index chooses, in steps: every bit of it halves the elements. No two steps are the same, and the last one
/// gives the result.
pub fn decision(values: &[BitVec]) -> Vec<Choice<'_>> {
    let mut steps = Vec::new();
    let mut numbers: FxHashMap<Choice<'_>, usize> = FxHashMap::default();
    let mut step = |choice| {
        *numbers.entry(choice).or_insert_with(|| {
            steps.push(choice);
            steps.len() - 1
        })
    };
    let mut level: Vec<usize> = values.iter().map(|value| step(Choice::Value(value))).collect();
    let mut bit = 0;
    while level.len() > 1 {
        let halved = level.chunks(2).map(|pair| match pair {
            [low, high] if low != high => step(Choice::Either { bit, high: *high, low: *low }),
            _ => pair.first().copied().unwrap_or(0),
        });
        level = halved.collect();
        bit += 1;
    }
    // The root is the last step that was made, unless all elements are the same.
    steps
}

impl Store {
    /// The one of `values` that `index` says: as many as the index can tell apart, all of one width.
    pub fn lookup(&mut self, index: Term, values: Vec<BitVec>) -> Result<Term, SortError> {
        let table = self.table_number(values)?;
        self.apply(Kind::Lookup, &[index], table, 0)
    }

    /// The number of a table, which is made if it is new.
    pub(crate) fn table_number(&mut self, values: Vec<BitVec>) -> Result<u32, SortError> {
        let first = values.first().map(BitVec::width);
        if values.iter().any(|value| Some(value.width()) != first) {
            return Err(SortError("Lookup: elements of different widths".to_owned()));
        }
        Ok(self.tables.number(values))
    }

    /// The elements that a `Lookup` chooses from.
    pub fn table(&self, term: Term) -> Option<&[BitVec]> {
        self.table_of(&self.node(term)).map(|table| &**table)
    }

    pub(crate) fn table_of(&self, node: &Node) -> Option<&Arc<[BitVec]>> {
        if node.kind == Kind::Lookup { self.tables.get(node.imm) } else { None }
    }

    /// The element of a `Lookup` for the value of its index.
    pub fn element(&self, node: &Node, index: &BitVec) -> Option<BitVec> {
        self.table_of(node)?.get(usize::try_from(index.to_u64()?).ok()?).cloned()
    }

    /// The sort of a `Lookup` by an index of a width, if it fits the table.
    pub(crate) fn lookup_sort(&self, table: u32, index: u16) -> Option<Sort> {
        let table = self.tables.get(table)?;
        let fits = index <= MAX_TABLE_INDEX && table.len() == 1 << index;
        fits.then(|| table.first().map(|value| Sort::BitVec(value.width())))?
    }

    /// The simplified `Lookup` by `index` in a table that is derived from another one, and made if it is new.
    pub(crate) fn derived_lookup(
        &mut self,
        index: Term,
        derivation: Derivation,
        make: impl FnOnce(&Store) -> Option<Vec<BitVec>>,
    ) -> Option<Term> {
        let number = match self.tables.derived.get(&derivation) {
            Some(number) => *number,
            None => {
                let values = make(self)?;
                let number = self.tables.number(values);
                self.tables.derived.insert(derivation, number);
                number
            }
        };
        let sort = self.lookup_sort(number, self.width(index))?;
        Some(self.build(Node { kind: Kind::Lookup, sort, operands: [index, NO_OPERAND, NO_OPERAND], imm: number }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn values(numbers: impl IntoIterator<Item = u64>) -> Vec<BitVec> {
        numbers.into_iter().map(|number| BitVec::new(16, number)).collect()
    }

    #[test]
    fn elements_are_found_by_their_number() {
        let mut store = Store::new();
        let byte = store.input(0, 0);
        let term = store.lookup(byte, values((0..256).map(|x| x * x))).unwrap();
        let again = store.lookup(byte, values((0..256).map(|x| x * x))).unwrap();
        assert_eq!(term, again);
        let mut model = Model::new();
        for (var, x) in store.vars().zip([200]) {
            model.set(var, BitVec::new(8, x));
        }
        assert_eq!(store.eval(term, &model), BitVec::new(16, 40_000));
    }

    #[test]
    fn tables_fit_their_index() {
        let mut store = Store::new();
        let byte = store.input(0, 0);
        let wide = store.named("x", 16);
        assert!(store.lookup(byte, values(0..255)).is_err());
        assert!(store.lookup(byte, vec![]).is_err());
        assert!(store.lookup(wide, values(0..65_536)).is_err());
        let mixed = (0..256).map(|x| BitVec::new(if x < 7 { 8 } else { 16 }, x)).collect();
        assert!(store.lookup(byte, mixed).is_err());
    }

    #[test]
    fn decisions_give_the_element() {
        let table = values([5, 5, 5, 5, 7, 8, 7, 8, 5, 5, 5, 5, 7, 8, 7, 9]);
        let steps = decision(&table);
        assert!(steps.len() < 12, "what is the same is there once: {steps:?}");
        for (index, expected) in table.iter().enumerate() {
            let mut results: Vec<&BitVec> = Vec::new();
            for step in &steps {
                results.push(match step {
                    Choice::Value(value) => value,
                    Choice::Either { bit, high, low } => results[if index >> bit & 1 == 1 { *high } else { *low }],
                });
            }
            assert_eq!(results.last(), Some(&expected));
        }
        assert_eq!(decision(&values([3, 3])).len(), 1);
    }
}
