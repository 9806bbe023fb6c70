//! Values.

use crate::Executor;
use expr::{BitVec, Term};
use ir::{FunctionId, Set, Type};

/// A region of memory, by its number in the executor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// What a pointer that was found in memory may point to, by its number in the executor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LazyId(pub u32);

/// A pointer whose target was not looked at yet, or was.
#[derive(Clone, Debug)]
pub struct Lazy {
    /// The cells that it may point to.
    pub cells: Set,
    /// The region that it points into, once somebody looked.
    pub region: Option<(RegionId, Term)>,
    /// Whether it was an integer.
    pub is_number: bool,
}

/// What a pointer points into, where it is not null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Nothing: a null pointer.
    Nothing,
    /// A region.
    Region(RegionId),
    /// Something that is decided when it is looked at.
    Lazy(LazyId),
    /// A function.
    Function(FunctionId),
}

/// A pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// When it is null, or was computed from null.
    pub null: Term,
    /// What it points into else.
    pub target: Target,
    /// How far behind its start.
    pub offset: Term,
    /// How far from null it is, where it was computed from that: only null itself compares as null.
    pub beyond: Term,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Bits.
    Bits(Term),
    /// A pointer; also as an integer of 64 bits.
    Pointer(Pointer),
}

impl Executor<'_> {
    /// A new variable.
    pub fn fresh_term(&mut self, bits: u32) -> Term {
        self.fresh += 1;
        let name = format!("v{}", self.fresh);
        // No value of C is wider than a term may be; a structure in a register could be in theory.
        self.store.named(&name, bits.clamp(1, u32::from(expr::MAX_WIDTH)) as u16)
    }

    /// A value of a type of which nothing is known but where it may point to.
    pub fn any_value(&mut self, ty: Type, cells: Set, may_be_null: bool) -> Value {
        match ty.is_pointer {
            true => Value::Pointer(self.lazy_pointer(cells, may_be_null)),
            false => Value::Bits(self.fresh_term(ty.bits)),
        }
    }

    /// A pointer to something that is decided when it is looked at: `(α ? loc : 0)`.
    pub fn lazy_pointer(&mut self, cells: Set, may_be_null: bool) -> Pointer {
        // A pointer that can point to nothing is null, or the program has no right to have it.
        let null = if may_be_null { self.fresh_term(1) } else { self.store.bool(false) };
        if may_be_null {
            self.guesses.insert(null);
        }
        let offset = self.store.small(64, 0);
        self.lazies.push(Lazy { cells, region: None, is_number: false });
        Pointer { null, target: Target::Lazy(LazyId(self.lazies.len() as u32 - 1)), offset, beyond: offset }
    }

    /// The null pointer.
    pub fn null_pointer(&mut self) -> Pointer {
        let zero = self.store.small(64, 0);
        Pointer { null: self.store.bool(true), target: Target::Nothing, offset: zero, beyond: zero }
    }

    /// A pointer into a region.
    pub fn pointer_to(&mut self, region: RegionId, offset: Term) -> Pointer {
        let beyond = self.store.small(64, 0);
        Pointer { null: self.store.bool(false), target: Target::Region(region), offset, beyond }
    }

    /// A pointer, some bytes further on.
    pub fn moved(&mut self, pointer: Pointer, bytes: Term) -> Pointer {
        let offset = self.store.add(pointer.offset, bytes);
        let beyond = match self.is_false(pointer.null) {
            true => pointer.beyond,
            false => self.store.add(pointer.beyond, bytes),
        };
        Pointer { offset, beyond, ..pointer }
    }

    /// A value as bits of a width.
    pub fn bits(&mut self, value: Value, bits: u32) -> Term {
        let term = match value {
            Value::Bits(term) => term,
            Value::Pointer(pointer) => self.address(pointer),
        };
        self.resized(term, bits)
    }

    /// A term with another width: bits are left out or unknown.
    pub fn resized(&mut self, term: Term, bits: u32) -> Term {
        let bits = bits.clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
        match self.store.width(term) {
            width if width == bits => term,
            width if width > bits => self.store.extract(term, 0, bits),
            width => {
                let above = self.fresh_term(u32::from(bits - width));
                self.store.concat(above, term)
            }
        }
    }

    /// The address that a pointer is, as an integer: of anything but null one knows that it is not 0.
    fn address(&mut self, pointer: Pointer) -> Term {
        let zero = self.store.small(64, 0);
        // What is computed from null leads nowhere, but is not 0: here it is either.
        let null = match self.number(pointer.beyond) {
            Some(0) => zero,
            _ => {
                let leads_nowhere = self.fresh_term(1);
                self.store.ite(leads_nowhere, zero, pointer.beyond)
            }
        };
        let name = match pointer.target {
            Target::Nothing => return null,
            Target::Region(region) => format!("r{}", region.0),
            Target::Lazy(lazy) => format!("l{}", lazy.0),
            Target::Function(function) => format!("f{}", function.0),
        };
        // An address of 63 bits with a 1 above it is not 0, whatever it is.
        let low = self.store.named(&name, 63);
        let one = self.store.bool(true);
        let start = self.store.concat(one, low);
        let address = self.store.add(start, pointer.offset);
        self.store.ite(pointer.null, null, address)
    }

    /// A value as a pointer; an integer becomes one that may point to `cells`.
    pub fn pointer(&mut self, value: Value, cells: impl FnOnce() -> Set) -> Pointer {
        match value {
            Value::Pointer(pointer) => pointer,
            Value::Bits(term) => {
                let term = self.resized(term, 64);
                let zero = self.store.small(64, 0);
                let null = self.store.eq(term, zero);
                if self.store.value(null).is_some_and(BitVec::is_true) {
                    return self.null_pointer();
                }
                let pointer = self.lazy_pointer(cells(), false);
                if let Some(lazy) = self.lazies.last_mut() {
                    lazy.is_number = true;
                }
                Pointer { null, ..pointer }
            }
        }
    }

    /// Whether a condition is known to be false without asking anybody.
    pub fn is_false(&self, term: Term) -> bool {
        self.store.value(term).is_some_and(BitVec::is_zero)
    }

    /// Whether a condition is known to be true without asking anybody.
    pub fn is_true(&self, term: Term) -> bool {
        self.store.value(term).is_some_and(BitVec::is_true)
    }

    /// A number, if the term is one.
    pub fn number(&self, term: Term) -> Option<u64> {
        self.store.value(term).and_then(BitVec::to_u64)
    }

    /// The condition under which a value that may be a pointer is null.
    pub fn null_condition(&mut self, value: Value) -> Term {
        match value {
            Value::Pointer(pointer) => pointer.null,
            Value::Bits(term) => {
                let zero = self.store.constant(BitVec::zero(self.store.width(term)));
                self.store.eq(term, zero)
            }
        }
    }

    /// One of two values, by a condition. `cells` is what the result may point to, for pointers to different things.
    pub fn choose(&mut self, condition: Term, a: Value, b: Value, bits: u32, cells: impl FnOnce() -> Set) -> Value {
        if a == b || self.is_true(condition) {
            return a;
        }
        if self.is_false(condition) {
            return b;
        }
        match (a, b) {
            (Value::Pointer(a), Value::Pointer(b)) => Value::Pointer(self.choose_pointer(condition, a, b, cells)),
            (Value::Pointer(_), _) | (_, Value::Pointer(_)) if bits == 64 => {
                let cells = cells();
                let [a, b] = [a, b].map(|value| self.pointer(value, || cells.clone()));
                Value::Pointer(self.choose_pointer(condition, a, b, || cells))
            }
            _ => {
                let (a, b) = (self.bits(a, bits), self.bits(b, bits));
                Value::Bits(self.store.ite(condition, a, b))
            }
        }
    }

    fn choose_pointer(&mut self, condition: Term, a: Pointer, b: Pointer, cells: impl FnOnce() -> Set) -> Pointer {
        let null = self.store.ite(condition, a.null, b.null);
        let (target, offset) = match (a.target, b.target) {
            (same, other) if same == other => (same, self.store.ite(condition, a.offset, b.offset)),
            (Target::Nothing, target) => (target, b.offset),
            (target, Target::Nothing) => (target, a.offset),
            _ => {
                let either = self.lazy_pointer(cells(), false);
                (either.target, either.offset)
            }
        };
        let beyond = self.store.ite(condition, a.beyond, b.beyond);
        Pointer { null, target, offset, beyond }
    }

    /// What may be any of some values: null if one of them may be.
    pub fn blur(&mut self, values: &[Value], bits: u32, cells: impl FnOnce() -> Set) -> Value {
        if let [first, rest @ ..] = values
            && rest.iter().all(|value| value == first)
        {
            return *first;
        }
        if bits == 64 && values.iter().any(|value| matches!(value, Value::Pointer(_))) {
            let may_be_null = values.iter().any(|value| match value {
                Value::Pointer(pointer) => !self.is_false(pointer.null),
                Value::Bits(term) => self.number(*term).is_none_or(|number| number == 0),
            });
            let is_moved = values.iter().any(|value| match value {
                Value::Pointer(pointer) => self.number(pointer.beyond) != Some(0),
                Value::Bits(_) => false,
            });
            let mut pointer = self.lazy_pointer(cells(), may_be_null);
            if may_be_null && is_moved {
                pointer.beyond = self.fresh_term(64);
            }
            return Value::Pointer(pointer);
        }
        Value::Bits(self.fresh_term(bits))
    }
}
