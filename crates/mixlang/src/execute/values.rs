//! Symbolic values and how they are told to the solver.
//!
//! | type | term |
//! |---|---|
//! | `bool` | one bit |
//! | `int` | 64 bits |
//! | `string` | 64 bits, a number for each text: strings are compared and nothing else |
//! | `float` | the 64 bits of the number |
//! | `unit` | 0 |
//! | `τ ref` | 64 bits, an address |
//! | functions | 64 bits, the place in a table of functions; any number for one that is not known |
//!
//! Memory is an array from addresses to 64-bit words. Bit 63 of an address says that the cell was allocated on this
//! path, and so is none of those that were there at the start. Bits 48 to 62 number the type of the cell: cells of
//! different types have different addresses.

use std::rc::Rc;

use expr::{BitVec, Kind, Store, Term};
use rustc_hash::FxHashMap;

use crate::evaluate::MAX_STRING;
use crate::syntax::{Lambda, Name};
use crate::types::{Sign, Type};

/// Width of a word of memory.
pub(crate) const WORD: u16 = 64;
const ALLOCATED: u64 = 1 << 63;
const TAG_SHIFT: u32 = 48;
const MAX_TAGS: usize = 1 << 15;
/// Bytes of all texts of an analysis: each is kept for as long as it lasts.
const MAX_TEXT: usize = 64 << 20;

/// A typed symbolic expression `u:τ`. What is known of an integer's sign is in the path condition, not in the type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sym {
    pub ty: Type,
    pub term: Term,
}

/// A function together with what it captured on this path.
#[derive(Debug)]
pub(crate) struct SymClosure {
    pub lambda: Rc<Lambda>,
    pub captured: Vec<(Name, Sym)>,
}

/// The numbers of what the solver knows as numbers.
#[derive(Default)]
pub(crate) struct Encoding {
    strings: Vec<Rc<str>>,
    string_ids: FxHashMap<Rc<str>, u64>,
    /// Bytes of all texts.
    text: usize,
    tags: FxHashMap<Type, u64>,
    closures: Vec<Rc<SymClosure>>,
    fresh: u64,
}

impl Encoding {
    /// The number of a text.
    pub fn string(&mut self, text: &Rc<str>) -> u64 {
        if let Some(id) = self.string_ids.get(text) {
            return *id;
        }
        self.text += text.len();
        self.strings.push(text.clone());
        let id = self.strings.len() as u64;
        self.string_ids.insert(text.clone(), id);
        id
    }

    /// The number of two texts put together; nothing if there is too much text.
    pub fn joined(&mut self, a: u64, b: u64) -> Option<u64> {
        let (a, b) = (self.text(a), self.text(b));
        let length = a.len().checked_add(b.len()).filter(|length| *length <= MAX_STRING)?;
        if self.text + length > MAX_TEXT {
            return None;
        }
        Some(self.string(&format!("{a}{b}").into()))
    }

    /// The text with a number; one that occurs nowhere else for a number that was given to none.
    pub fn text(&self, id: u64) -> Rc<str> {
        let place = id.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        match place.and_then(|place| self.strings.get(place)) {
            Some(text) => text.clone(),
            None => {
                let mut text = format!("text {id}");
                while self.string_ids.contains_key(text.as_str()) {
                    text.push('\'');
                }
                text.into()
            }
        }
    }

    /// The number of a cell's type; nothing if there are too many types.
    pub fn tag(&mut self, cell: &Type) -> Option<u64> {
        let next = self.tags.len() as u64;
        if let Some(tag) = self.tags.get(cell) {
            return Some(*tag);
        }
        if self.tags.len() >= MAX_TAGS {
            return None;
        }
        self.tags.insert(cell.clone(), next);
        Some(next)
    }

    /// The address of the cell that is allocated after `earlier` others.
    pub fn allocated(&mut self, cell: &Type, earlier: u64) -> Option<u64> {
        Some(ALLOCATED | self.tag(cell)? << TAG_SHIFT | earlier)
    }

    /// The address of a cell that was there at the start.
    #[cfg(test)]
    pub fn at_start(&mut self, cell: &Type, number: u64) -> Option<u64> {
        Some(self.tag(cell)? << TAG_SHIFT | number)
    }

    pub fn add_closure(&mut self, closure: SymClosure) -> u64 {
        self.closures.push(Rc::new(closure));
        self.closures.len() as u64 - 1
    }

    pub fn closure(&self, id: u64) -> Option<Rc<SymClosure>> {
        self.closures.get(usize::try_from(id).ok()?).cloned()
    }

    /// A name that no other unknown has.
    pub fn fresh_name(&mut self, base: &str) -> String {
        self.fresh += 1;
        format!("{base}#{}", self.fresh)
    }
}

/// The width of a type's terms.
pub(crate) fn width(ty: &Type) -> u16 {
    if *ty == Type::Bool { 1 } else { WORD }
}

/// A value as a word of memory.
pub(crate) fn to_word(store: &mut Store, value: &Sym) -> Term {
    store.zext(value.term, WORD)
}

/// A word of memory as a value.
pub(crate) fn from_word(store: &mut Store, ty: &Type, word: Term) -> Term {
    if *ty == Type::Bool { store.extract(word, 0, 1) } else { word }
}

/// The condition that an integer has a sign.
pub(crate) fn has_sign(store: &mut Store, sign: Sign, number: Term) -> Term {
    let zero = store.small(WORD, 0);
    match sign {
        Sign::Unknown => store.bool(true),
        Sign::Zero => store.eq(number, zero),
        Sign::Pos => store.binary(Kind::Slt, zero, number),
        Sign::Neg => store.binary(Kind::Slt, number, zero),
    }
}

/// The condition that an address is one of a cell with this tag that was there at the start or is one of the first
/// `allocations` allocated.
pub(crate) fn is_address(store: &mut Store, address: Term, tag: u64, allocations: u64) -> Term {
    let found = store.extract(address, TAG_SHIFT, 15);
    let tag = store.small(15, tag);
    let right_type = store.eq(found, tag);
    let allocated = store.extract(address, 63, 1);
    let number = store.extract(address, 0, TAG_SHIFT as u16);
    let limit = store.small(TAG_SHIFT as u16, allocations);
    let known = store.ult(number, limit);
    let not_allocated = store.not(allocated);
    let exists = store.or(not_allocated, known);
    store.and(right_type, exists)
}

/// The value of a constant term.
pub(crate) fn constant(store: &Store, term: Term) -> Option<u64> {
    store.value(term).and_then(BitVec::to_u64)
}
