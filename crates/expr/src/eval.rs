//! The evaluator: a model in, a value out.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bitvec::BitVec;
use crate::model::Model;
use crate::semantics::eval_kind;
use crate::store::{Kind, Sort, Store, Term};

/// Where [`eval_step`] finds the values of operands.
pub trait Values {
    /// The value of a term that has been evaluated.
    fn value(&self, term: Term) -> Option<&BitVec>;
}

impl Values for FxHashMap<Term, BitVec> {
    fn value(&self, term: Term) -> Option<&BitVec> {
        self.get(&term)
    }
}

/// The value of a bit-vector term whose operands, and for a `select` everything that its array is made of, have been
/// evaluated. An array term has no value of this kind and gives 0, as does a missing operand.
pub fn eval_step(store: &Store, model: &Model, term: Term, values: &impl Values) -> BitVec {
    let node = store.node(term);
    let operands = node.operands();
    match (node.kind, node.sort) {
        (Kind::Const, Sort::BitVec(width)) => store.value(term).cloned().unwrap_or_else(|| BitVec::zero(width)),
        (Kind::Var, Sort::BitVec(width)) => {
            store.var_of(term).map_or_else(|| BitVec::zero(width), |var| model.value(store, var))
        }
        (_, Sort::Array { element, .. }) => BitVec::zero(element),
        (Kind::Select, _) => {
            let arrays = Arrays { store, model, values };
            arrays.element(operands[0], &arrays.known(operands[1]))
        }
        (Kind::Lookup, sort) => {
            let index = values.value(operands[0]).and_then(|index| store.element(&node, index));
            index.unwrap_or_else(|| BitVec::zero(sort.width()))
        }
        (Kind::Eq, _) if matches!(store.sort(operands[0]), Sort::Array { .. }) => {
            BitVec::bool(Arrays { store, model, values }.equal(operands[0], operands[1]))
        }
        (_, Sort::BitVec(width)) => {
            let zero = BitVec::zero(1);
            let mut found = [&zero; 3];
            for (place, operand) in found.iter_mut().zip(operands) {
                *place = values.value(*operand).unwrap_or(&zero);
            }
            eval_kind(node.kind, width, node.imm, &found[..operands.len()]).unwrap_or_else(|| BitVec::zero(width))
        }
    }
}

/// Evaluates terms under one model and remembers the values of all sub-terms.
pub struct Evaluator<'a> {
    store: &'a Store,
    model: &'a Model,
    memo: FxHashMap<Term, BitVec>,
}

impl Store {
    /// The value of a bit-vector term under a model. Several terms are evaluated faster with one [`Evaluator`].
    pub fn eval(&self, term: Term, model: &Model) -> BitVec {
        Evaluator::new(self, model).eval(term)
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator for the terms of `store` under `model`.
    pub fn new(store: &'a Store, model: &'a Model) -> Evaluator<'a> {
        Evaluator { store, model, memo: FxHashMap::default() }
    }

    /// Whether all of the one-bit terms are true; stops at the first that is not.
    pub fn all_true(&mut self, terms: &[Term]) -> bool {
        terms.iter().all(|term| self.eval(*term).is_true())
    }

    /// The value of a bit-vector term. An array term has no value of this kind and gives 0.
    pub fn eval(&mut self, root: Term) -> BitVec {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = self.store.node(term);
            let before = stack.len();
            stack.extend(node.operands().iter().filter(|operand| !self.memo.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                let value = eval_step(self.store, self.model, term, &self.memo);
                self.memo.insert(term, value);
            }
        }
        self.memo.get(&root).cloned().unwrap_or_else(|| BitVec::bool(false))
    }
}

/// An array as a finite map and the value of everything else.
struct Elements {
    map: FxHashMap<BitVec, BitVec>,
    default: BitVec,
}

/// Arrays are never computed as a whole: reads walk down their updates.
struct Arrays<'a, V> {
    store: &'a Store,
    model: &'a Model,
    values: &'a V,
}

impl<V: Values> Arrays<'_, V> {
    fn known(&self, term: Term) -> BitVec {
        self.values.value(term).cloned().unwrap_or_else(|| BitVec::zero(self.store.width(term)))
    }

    fn element(&self, mut array: Term, index: &BitVec) -> BitVec {
        loop {
            let node = self.store.node(array);
            match node.kind {
                Kind::Store if self.known(node.operands[1]) == *index => return self.known(node.operands[2]),
                Kind::Store => array = node.operands[0],
                Kind::Ite => array = node.operands[if self.known(node.operands[0]).is_true() { 1 } else { 2 }],
                Kind::ConstArray => return self.known(node.operands[0]),
                _ => {
                    return match self.store.var_of(array) {
                        Some(var) => self.model.element(self.store, var, index),
                        None => BitVec::zero(node.sort.width()),
                    };
                }
            }
        }
    }

    fn elements(&self, mut array: Term) -> Elements {
        let mut map = FxHashMap::default();
        loop {
            let node = self.store.node(array);
            match node.kind {
                Kind::Store => {
                    map.entry(self.known(node.operands[1])).or_insert_with(|| self.known(node.operands[2]));
                    array = node.operands[0];
                }
                Kind::Ite => array = node.operands[if self.known(node.operands[0]).is_true() { 1 } else { 2 }],
                Kind::ConstArray => return Elements { map, default: self.known(node.operands[0]) },
                _ => {
                    let zero = BitVec::zero(node.sort.width());
                    let value = self.store.var_of(array).and_then(|var| self.model.array(var)).cloned();
                    let value = value.unwrap_or_default();
                    for (index, element) in value.elements {
                        map.entry(index).or_insert(element);
                    }
                    return Elements { map, default: value.default.unwrap_or(zero) };
                }
            }
        }
    }

    fn equal(&self, a: Term, b: Term) -> bool {
        let (a_elements, b_elements) = (self.elements(a), self.elements(b));
        let mut listed = FxHashSet::default();
        for index in a_elements.map.keys().chain(b_elements.map.keys()) {
            let a_element = a_elements.map.get(index).unwrap_or(&a_elements.default);
            if a_element != b_elements.map.get(index).unwrap_or(&b_elements.default) {
                return false;
            }
            listed.insert(index);
        }
        let Sort::Array { index, .. } = self.store.sort(a) else { return true };
        // Where every index is listed, the defaults are nobody's value.
        let all_listed = index < 32 && listed.len() as u64 >= 1u64 << index;
        all_listed || a_elements.default == b_elements.default
    }
}
