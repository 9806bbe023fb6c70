//! What is known at a point of a function, and what is left of it where ways meet.

use super::fresh::Fresh;
use super::names::{Distance, Name, NameId, Names, Place};
use ir::{BlockId, CellId, Cells, Register};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Whether a value is null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nullness {
    /// Never.
    Nonnull,
    /// Always.
    Null,
    /// Nobody knows.
    Maybe,
}

impl Nullness {
    /// What holds of either.
    pub fn join(self, other: Nullness) -> Nullness {
        if self == other { self } else { Nullness::Maybe }
    }

    /// Whether it may be null.
    pub fn may_be_null(self) -> bool {
        self != Nullness::Nonnull
    }

    /// Null if a condition holds.
    pub fn of(may_be_null: bool) -> Nullness {
        if may_be_null { Nullness::Maybe } else { Nullness::Nonnull }
    }
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A pointer with a name, and what was added to it, if that is known.
    Named(NameId, Option<Distance>),
    /// A number with a name, and whether it would be null as a pointer.
    Number(NameId, Nullness),
    /// Any other number that is no pointer for all that is known, and whether it would be null as one. Whatever meets it is no
    /// pointer either: a cast to one must not take it for that.
    NamelessNumber(Nullness),
    /// Any other one.
    Nameless(Nullness),
    /// A number that is not 0 just if a pointer is not null (or just if it is).
    Test {
        /// The pointer.
        name: NameId,
        /// What it is if the number is not 0.
        then: Nullness,
        /// What it is if the number is 0.
        otherwise: Nullness,
    },
}

impl Value {
    /// A pointer with a name.
    pub fn named(name: NameId) -> Value {
        Value::Named(name, Some(Distance::ZERO))
    }

    /// Whether it is a number that is no pointer for all that is known.
    fn is_number(self) -> bool {
        matches!(self, Value::Number(..) | Value::NamelessNumber(_) | Value::Test { .. })
    }

    /// What may be either of two values and has no name.
    pub fn either(a: Value, b: Value, nullness: Nullness) -> Value {
        match a.is_number() || b.is_number() {
            true => Value::NamelessNumber(nullness),
            false => Value::Nameless(nullness),
        }
    }

    fn mentions(self, gone: impl Fn(NameId) -> bool) -> bool {
        match self {
            Value::Named(base, Some(distance)) => Place { base, distance }.mentions(gone),
            Value::Named(name, None) | Value::Number(name, _) | Value::Test { name, .. } => gone(name),
            Value::Nameless(_) | Value::NamelessNumber(_) => false,
        }
    }
}

/// What is known to be at a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// The value.
    pub value: Value,
    /// Its size.
    pub bytes: u64,
    /// The cells that it lies in.
    pub cells: Rc<[CellId]>,
}

/// What is known at a point of a function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Registers.
    pub registers: Rc<BTreeMap<Register, Value>>,
    /// Memory.
    pub slots: Rc<BTreeMap<Place, Slot>>,
    /// Global variables that are followed through the whole program and not null, where no slot says more.
    pub globals: Rc<Cells>,
    /// Which names are null or not; nothing is known of the others.
    known: Rc<BTreeMap<NameId, Nullness>>,
    /// Memory that nobody else knows of, by the names of its addresses.
    fresh: Rc<BTreeMap<NameId, Fresh>>,
}

impl State {
    /// Whether a name is null.
    pub fn name_nullness(&self, name: NameId) -> Nullness {
        self.known.get(&name).copied().unwrap_or(Nullness::Maybe)
    }

    /// Whether a value is null.
    pub fn nullness(&self, value: Value) -> Nullness {
        match value {
            Value::Named(name, _) => self.name_nullness(name),
            Value::Nameless(nullness) | Value::NamelessNumber(nullness) | Value::Number(_, nullness) => nullness,
            // As a pointer it would be something like 1.
            Value::Test { .. } => Nullness::Nonnull,
        }
    }

    /// Says whether a name is null.
    pub fn know(&mut self, name: NameId, nullness: Nullness) {
        if self.name_nullness(name) == nullness {
            return;
        }
        match nullness {
            Nullness::Maybe => Rc::make_mut(&mut self.known).remove(&name),
            _ => Rc::make_mut(&mut self.known).insert(name, nullness),
        };
    }

    /// Learns something of a name; false if it cannot be so.
    pub fn learn(&mut self, name: NameId, nullness: Nullness) -> bool {
        match (self.name_nullness(name), nullness) {
            (_, Nullness::Maybe) => true,
            (Nullness::Maybe, _) => {
                self.know(name, nullness);
                true
            }
            (old, new) => old == new,
        }
    }

    /// Learns something of a value; false if it cannot be so.
    pub fn learn_value(&mut self, value: Value, nullness: Nullness) -> bool {
        match value {
            Value::Named(name, _) => self.learn(name, nullness),
            Value::Nameless(known) | Value::NamelessNumber(known) => {
                known == Nullness::Maybe || nullness == Nullness::Maybe || known == nullness
            }
            Value::Test { .. } | Value::Number(..) => true,
        }
    }

    /// Sets a register.
    pub fn set(&mut self, register: Register, value: Value) {
        Rc::make_mut(&mut self.registers).insert(register, value);
    }

    /// Gives a name to something new: what had the name before is nameless from now on.
    pub fn rename(&mut self, names: &Names, name: NameId, nullness: Nullness) {
        self.drop_names(|other| names.is_made_of(other, name));
        self.know(name, nullness);
    }

    /// Takes names away.
    pub fn drop_names(&mut self, gone: impl Fn(NameId) -> bool) {
        let is_gone = |value: &Value| value.mentions(&gone);
        if self.registers.values().any(is_gone) {
            let known = self.known.clone();
            let nameless = |value: &mut Value| *value = without_name(&known, *value, &gone);
            Rc::make_mut(&mut self.registers).values_mut().filter(|value| is_gone(value)).for_each(nameless);
        }
        if self.slots.iter().any(|(place, slot)| place.mentions(&gone) || is_gone(&slot.value)) {
            let known = self.known.clone();
            let slots = Rc::make_mut(&mut self.slots);
            slots.retain(|place, _| !place.mentions(&gone));
            for slot in slots.values_mut().filter(|slot| is_gone(&slot.value)) {
                slot.value = without_name(&known, slot.value, &gone);
            }
        }
        if self.known.keys().any(|name| gone(*name)) {
            Rc::make_mut(&mut self.known).retain(|name, _| !gone(*name));
        }
    }

    /// Forgets all that is known of memory, but where names point to that are kept.
    pub fn forget_memory(&mut self, is_kept: impl Fn(NameId) -> bool) {
        Rc::make_mut(&mut self.slots).retain(|place, _| is_kept(place.base));
        self.globals = Rc::default();
    }

    /// Forgets what is known of global variables in some cells.
    pub fn forget_globals(&mut self, written: &Cells) {
        if self.globals.meets(written) {
            Rc::make_mut(&mut self.globals).remove_all(written);
        }
    }

    /// Memory that nobody else knows of.
    pub fn fresh(&self) -> &BTreeMap<NameId, Fresh> {
        &self.fresh
    }

    /// Nobody else knows of this memory.
    pub fn set_fresh(&mut self, name: NameId, fresh: Fresh) {
        Rc::make_mut(&mut self.fresh).insert(name, fresh);
    }

    /// Somebody else knows of memory from now on.
    pub fn take_fresh(&mut self, name: NameId) -> Option<Fresh> {
        if self.fresh.contains_key(&name) { Rc::make_mut(&mut self.fresh).remove(&name) } else { None }
    }

    /// Whether pointers with this name are in the same places in both states.
    pub fn holds_like(&self, other: &State, name: NameId) -> bool {
        let holds = |value: Value| matches!(value, Value::Named(held, _) if held == name);
        let held = |state: &State| -> Vec<(Place, Value)> {
            let slots = state.slots.iter().filter(|(_, slot)| holds(slot.value));
            slots.map(|(place, slot)| (*place, slot.value)).collect()
        };
        // A register that one of them does not have is not used any more.
        let registers = self.registers.iter().filter_map(|(at, value)| Some((*value, *other.registers.get(at)?)));
        held(self) == held(other) && registers.into_iter().all(|(a, b)| a == b || !holds(a) && !holds(b))
    }

    /// Writes what may be zeros to the places behind a name that only another state has slots for.
    pub fn add_zeros(&mut self, other: &State, name: NameId) {
        let missing: Vec<(Place, Slot)> = other
            .slots
            .iter()
            .filter(|(place, _)| place.base == name && !self.slots.contains_key(*place))
            .map(|(place, slot)| (*place, Slot { value: Value::Nameless(Nullness::Maybe), ..slot.clone() }))
            .collect();
        if !missing.is_empty() {
            Rc::make_mut(&mut self.slots).extend(missing);
        }
    }

    /// Whether pointers are null that were written behind a name, by their distance.
    pub fn written_to(&self, name: NameId) -> BTreeMap<i64, Nullness> {
        let written = self.slots.iter().filter(|(place, slot)| place.base == name && slot.bytes == 8);
        let known = written.filter(|(place, _)| place.distance.index.is_none());
        known.map(|(place, slot)| (place.distance.bytes, self.nullness(slot.value))).collect()
    }

    /// What holds in this state and in one that comes into the same block another way, in which no name is of that block. Both
    /// must agree about what is fresh.
    pub fn join(&self, other: &State, at: BlockId, names: &mut Names) -> State {
        let mut known: BTreeMap<NameId, Nullness> = self
            .known
            .iter()
            .filter(|(name, nullness)| other.known.get(*name) == Some(*nullness))
            .map(|(name, nullness)| (*name, *nullness))
            .collect();
        let mut meet = |a: Value, b: Value, name: &mut dyn FnMut() -> Option<NameId>| {
            if a == b {
                return a;
            }
            let nullness = self.nullness(a).join(other.nullness(b));
            let named =
                matches!(a, Value::Named(..)) && !b.is_number() || matches!(b, Value::Named(..)) && !a.is_number();
            match named.then(name).flatten() {
                Some(name) => {
                    match nullness {
                        Nullness::Maybe => known.remove(&name),
                        _ => known.insert(name, nullness),
                    };
                    Value::named(name)
                }
                None => Value::either(a, b, nullness),
            }
        };
        let mut registers = BTreeMap::new();
        for (register, a) in self.registers.iter() {
            if let Some(b) = other.registers.get(register) {
                let mut name = || Some(names.id(Name::JoinedRegister(at, *register)));
                registers.insert(*register, meet(*a, *b, &mut name));
            }
        }
        let mut slots = BTreeMap::new();
        for (place, a) in self.slots.iter() {
            if let Some(b) = other.slots.get(place)
                && a.bytes == b.bytes
            {
                let mut name = || names.joined_place(at, *place);
                let value = meet(a.value, b.value, &mut name);
                slots.insert(*place, Slot { value, ..a.clone() });
            }
        }
        let mut globals = self.globals.clone();
        if !Rc::ptr_eq(&globals, &other.globals) {
            Rc::make_mut(&mut globals).keep(&other.globals);
        }
        let fresh = self.fresh.clone();
        State { registers: Rc::new(registers), slots: Rc::new(slots), globals, known: Rc::new(known), fresh }
    }
}

fn without_name(known: &BTreeMap<NameId, Nullness>, value: Value, gone: impl Fn(NameId) -> bool) -> Value {
    match value {
        Value::Named(name, _) if !gone(name) => Value::Named(name, None),
        Value::Named(name, _) => Value::Nameless(known.get(&name).copied().unwrap_or(Nullness::Maybe)),
        Value::Nameless(nullness) => Value::Nameless(nullness),
        Value::NamelessNumber(nullness) | Value::Number(_, nullness) => Value::NamelessNumber(nullness),
        Value::Test { .. } => Value::NamelessNumber(Nullness::Nonnull),
    }
}
