//! Models: values for variables.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::bitvec::BitVec;
use crate::store::{Sort, Store, Var, VarName};

/// The bytes of an input, by part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    /// Contents of each part.
    pub parts: Vec<Vec<u8>>,
}

impl Input {
    /// The byte at a place, if there is one.
    pub fn byte(&self, part: u32, offset: u64) -> Option<u8> {
        self.parts.get(part as usize)?.get(usize::try_from(offset).ok()?).copied()
    }
}

/// The value of an array variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArrayValue {
    /// Elements by index; others have the default.
    pub elements: FxHashMap<BitVec, BitVec>,
    /// Value of all other elements; 0 if there is none.
    pub default: Option<BitVec>,
}

/// A value for every variable: the ones that were set, else those of the original input, else 0.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: BTreeMap<Var, BitVec>,
    arrays: BTreeMap<Var, ArrayValue>,
    original: Option<Arc<Input>>,
}

impl Model {
    /// Everything 0.
    pub fn new() -> Model {
        Model::default()
    }

    /// The original input as it is.
    pub fn of_input(original: Arc<Input>) -> Model {
        Model { original: Some(original), ..Model::default() }
    }

    /// Sets a variable.
    pub fn set(&mut self, var: Var, value: BitVec) {
        self.values.insert(var, value);
    }

    /// Sets an element of an array variable.
    pub fn set_element(&mut self, array: Var, index: BitVec, value: BitVec) {
        self.arrays.entry(array).or_default().elements.insert(index, value);
    }

    /// Sets the elements of an array variable that have no value of their own.
    pub fn set_default(&mut self, array: Var, value: BitVec) {
        self.arrays.entry(array).or_default().default = Some(value);
    }

    /// The variables that were set, with their values.
    pub fn values(&self) -> impl Iterator<Item = (Var, &BitVec)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }

    /// The array variables that were set.
    pub fn arrays(&self) -> impl Iterator<Item = (Var, &ArrayValue)> {
        self.arrays.iter().map(|(var, value)| (*var, value))
    }

    /// What was set for an array variable.
    pub fn array(&self, var: Var) -> Option<&ArrayValue> {
        self.arrays.get(&var)
    }

    /// The original input, if there is one.
    pub fn original(&self) -> Option<&Arc<Input>> {
        self.original.as_ref()
    }

    /// What was set for a variable.
    pub fn get(&self, var: Var) -> Option<&BitVec> {
        self.values.get(&var)
    }

    /// The value of a bit-vector variable.
    pub fn value(&self, store: &Store, var: Var) -> BitVec {
        if let Some(value) = self.values.get(&var) {
            return value.clone();
        }
        let byte = match (store.var_name(var), &self.original) {
            (VarName::Input { part, offset }, Some(input)) => input.byte(*part, *offset),
            _ => None,
        };
        BitVec::new(store.var_sort(var).width(), byte.unwrap_or(0).into())
    }

    /// The element of an array variable.
    pub fn element(&self, store: &Store, array: Var, index: &BitVec) -> BitVec {
        let known = self.arrays.get(&array).and_then(|value| value.elements.get(index).or(value.default.as_ref()));
        known.cloned().unwrap_or_else(|| match store.var_sort(array) {
            Sort::Array { element, .. } | Sort::BitVec(element) => BitVec::zero(element),
        })
    }

    /// The input that the model describes: the original one with the bytes that were set. A part grows where a byte
    /// beyond its end was set.
    pub fn input(&self, store: &Store) -> Input {
        let mut input = self.original.as_deref().cloned().unwrap_or_default();
        for (var, value) in &self.values {
            let VarName::Input { part, offset } = store.var_name(*var) else { continue };
            let (Ok(part), Ok(offset)) = (usize::try_from(*part), usize::try_from(*offset)) else { continue };
            if input.parts.len() <= part {
                input.parts.resize(part + 1, Vec::new());
            }
            let bytes = &mut input.parts[part];
            if bytes.len() <= offset {
                bytes.resize(offset + 1, 0);
            }
            bytes[offset] = value.low64() as u8;
        }
        input
    }
}
