//! Reading and writing memory.

use super::names::{Distance, Name, Place};
use super::state::{Nullness, Slot, State, Value};
use super::walk::Walk;
use ir::{CellId, Operand, Type};
use std::rc::Rc;

/// A stretch of memory at a known distance from a named pointer.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Where it starts.
    pub start: Place,
    /// Its length.
    pub bytes: u64,
}

impl Stretch {
    fn contains(self, place: Place, bytes: u64) -> bool {
        self.touches(place, bytes)
            && place.distance.bytes >= self.start.distance.bytes
            && end(place, bytes) <= end(self.start, self.bytes)
    }

    fn touches(self, place: Place, bytes: u64) -> bool {
        self.is_comparable(place)
            && place.distance.bytes < end(self.start, self.bytes)
            && self.start.distance.bytes < end(place, bytes)
    }

    /// Whether both are in memory that nobody else knows of, and not in the same.
    fn is_in_other_fresh_memory(self, state: &State, place: Place) -> bool {
        let is_fresh = |base| state.fresh().contains_key(&base);
        place.base != self.start.base && is_fresh(place.base) && is_fresh(self.start.base)
    }

    /// Whether it is known how far apart they are.
    fn is_comparable(self, place: Place) -> bool {
        place.base == self.start.base && place.distance.index == self.start.distance.index
    }
}

fn end(start: Place, bytes: u64) -> i64 {
    start.distance.bytes.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX))
}

/// The place that a pointer points to, if it is known.
pub fn place_of(pointer: Value) -> Option<Place> {
    match pointer {
        Value::Named(base, Some(distance)) => Some(Place { base, distance }),
        _ => None,
    }
}

/// Lets the slots go that may be overwritten, and gives the values back that may be there still. Slots at other distances from
/// the very pointer that is written through are not overwritten, nor are those in memory that the pointer cannot know of or
/// that is hidden from whoever writes; others that may be the same place hold what they held or what is written, if that is
/// as long.
pub fn overwrite(
    state: &mut State,
    written: impl Fn(CellId) -> bool,
    stretch: Option<Stretch>,
    by: Option<(Value, u64)>,
    is_hidden: impl Fn(Place) -> bool,
) -> Vec<Value> {
    let is_hit = |place: &Place, slot: &Slot| match stretch {
        Some(stretch) if stretch.is_comparable(*place) => stretch.touches(*place, slot.bytes),
        Some(stretch) if stretch.is_in_other_fresh_memory(state, *place) => false,
        _ => !is_hidden(*place) && slot.cells.iter().any(|cell| written(*cell)),
    };
    let hit: Vec<Place> =
        state.slots.iter().filter(|(place, slot)| is_hit(place, slot)).map(|(place, _)| *place).collect();
    let mut lost = Vec::new();
    for place in hit {
        let Some(slot) = state.slots.get(&place) else { continue };
        let (old, bytes) = (slot.value, slot.bytes);
        let nullness = by.map_or(Nullness::Maybe, |(new, _)| state.nullness(old).join(state.nullness(new)));
        let is_other = stretch.is_none_or(|stretch| !stretch.is_comparable(place));
        if is_other {
            lost.push(slot.value);
        }
        let slots = Rc::make_mut(&mut state.slots);
        match by {
            Some((new, length)) if is_other && length == bytes => {
                if let Some(slot) = slots.get_mut(&place) {
                    slot.value = Value::either(old, new, nullness);
                }
            }
            _ => {
                slots.remove(&place);
            }
        }
    }
    lost
}

impl Walk<'_, '_> {
    /// Reads memory. `typed` is what the types say of it.
    pub fn load(&mut self, state: &mut State, at: (u32, u32), address: &Operand, ty: Type, typed: Nullness) -> Value {
        let pointer = self.value(state, address);
        let place = place_of(pointer);
        let known = place.and_then(|place| state.slots.get(&place)).filter(|slot| slot.bytes == ty.bytes());
        let known_bytes = known.map(|slot| slot.bytes);
        let nullness = match known.map(|slot| slot.value) {
            Some(Value::Nameless(nullness) | Value::NamelessNumber(nullness)) => nullness,
            Some(value) => return value,
            None if place.is_some_and(|place| self.is_nonnull_global(state, place, ty)) => Nullness::Nonnull,
            None => self.read_fresh(state, pointer).unwrap_or(typed),
        };
        if known_bytes.is_none() {
            self.publish_read(state, pointer, ty.bytes());
        }
        let cells = self.cells(at, address, ty.bytes());
        if let (Value::Named(base, _), true) = (pointer, nullness.may_be_null())
            && state.fresh().contains_key(&base)
        {
            // Zeros that somebody sees.
            for cell in cells.iter() {
                let node = self.analysis.constraints.nodes.cell(*cell);
                self.analysis.tell(node);
            }
        }
        if !ty.is_pointer && place.is_none() {
            return Value::NamelessNumber(nullness);
        }
        // It gets a name, so that what is learned of it is learned of the place too.
        let name = self.define(state, Name::Defined(at.0, at.1), nullness);
        let value = if ty.is_pointer { Value::named(name) } else { Value::Number(name, nullness) };
        if let Some(place) = place
            && !place.mentions(|other| self.names.is_made_of(other, name))
            && !cells.is_empty()
        {
            Rc::make_mut(&mut state.slots).insert(place, Slot { value, bytes: ty.bytes(), cells });
        }
        value
    }

    /// What is read as a part of something else, or from a place that is not known, is no longer followed.
    fn publish_read(&mut self, state: &mut State, pointer: Value, bytes: u64) {
        let Value::Named(base, distance) = pointer else { return };
        let stretch = distance.map(|distance| Stretch { start: Place { base, distance }, bytes });
        let is_read = |place: &Place, slot: &Slot| {
            place.base == base
                && stretch.is_none_or(|stretch| !stretch.is_comparable(*place) || stretch.touches(*place, slot.bytes))
        };
        let read: Vec<Value> =
            state.slots.iter().filter(|(place, slot)| is_read(place, slot)).map(|(_, slot)| slot.value).collect();
        read.into_iter().for_each(|value| self.publish_value(state, value));
    }

    /// Whether a place is a global variable that is followed through the whole program and not null here.
    fn is_nonnull_global(&self, state: &State, place: Place, ty: Type) -> bool {
        ty.bytes() == 8 && self.followed_cell(place).is_some_and(|cell| state.globals.contains(cell))
    }

    /// Writes memory.
    pub fn store(&mut self, state: &mut State, at: (u32, u32), address: &Operand, value: Value, ty: Type) {
        let bytes = ty.bytes();
        let cells = self.cells(at, address, bytes);
        let place = place_of(self.value(state, address));
        let stretch = place.map(|start| Stretch { start, bytes });
        let nullness = state.nullness(value);
        let pointer = self.value(state, address);
        if place.is_none_or(|place| place.distance.index.is_some()) {
            // Where in it that is, nobody knows.
            self.publish_value(state, pointer);
        }
        let lost =
            overwrite(state, |cell| cells.binary_search(&cell).is_ok(), stretch, Some((value, bytes)), |_| false);
        lost.into_iter().for_each(|value| self.publish_value(state, value));
        if nullness.may_be_null() || bytes != 8 {
            state.forget_globals(&cells.iter().copied().collect());
        }
        if let Some(place) = place
            && !cells.is_empty()
        {
            Rc::make_mut(&mut state.slots).insert(place, Slot { value, bytes, cells });
        }
    }

    /// Copies memory.
    pub fn copy(&mut self, state: &mut State, at: (u32, u32), to: &Operand, from: &Operand, bytes: Option<u64>) {
        let places = [to, from].map(|operand| place_of(self.value(state, operand)));
        let moved: Vec<(i64, Slot)> = match (places[1], bytes) {
            (Some(start), Some(bytes)) => {
                let stretch = Stretch { start, bytes };
                let inside = state.slots.iter().filter(|(place, slot)| stretch.contains(**place, slot.bytes));
                let found = inside.map(|(place, slot)| (place.distance.bytes - start.distance.bytes, slot.clone()));
                self.constants(stretch).into_iter().chain(found).collect()
            }
            _ => Vec::new(),
        };
        self.overwritten_by(state, at, places[0].zip(bytes).map(|(start, bytes)| Stretch { start, bytes }));
        let Some(start) = places[0] else { return };
        for (distance, slot) in moved {
            let cells = self.cells_behind(to, distance, slot.bytes);
            if let (false, Some(distance)) = (cells.is_empty(), start.distance.plus(distance)) {
                let place = Place { base: start.base, distance };
                Rc::make_mut(&mut state.slots).insert(place, Slot { cells, ..slot });
            }
        }
    }

    /// The pointers in a constant, by their distance from the start of a stretch of it.
    fn constants(&self, stretch: Stretch) -> Vec<(i64, Slot)> {
        let Some(Name::Global(global)) = self.names.name(stretch.start.base) else { return Vec::new() };
        let global = self.analysis.program.global(global);
        let (true, None) = (global.is_constant, stretch.start.distance.index) else { return Vec::new() };
        let pointers = global.initial.iter().flatten().filter(|part| {
            part.ty.is_pointer
                && matches!(part.value, Operand::Global(..) | Operand::Function(_))
                && !self.analysis.program.may_be_missing(&part.value)
        });
        let found = pointers.filter_map(|part| {
            let distance = Distance { bytes: i64::try_from(part.offset).ok()?, index: None };
            let place = Place { base: stretch.start.base, distance };
            let slot = Slot { value: Value::Nameless(Nullness::Nonnull), bytes: 8, cells: Rc::from([]) };
            stretch.contains(place, 8).then_some((distance.bytes - stretch.start.distance.bytes, slot))
        });
        found.collect()
    }

    /// The cells at a distance behind where an operand points to.
    fn cells_behind(&self, operand: &Operand, distance: i64, bytes: u64) -> Rc<[CellId]> {
        let points_to = self.analysis.points_to;
        let starts = points_to.of(self.id, operand);
        let mut cells: Vec<CellId> = Vec::new();
        for start in starts.iter().map(|cell| points_to.cell(CellId(cell))) {
            match start.offset.checked_add_signed(distance) {
                Some(offset) => cells.extend(points_to.cells_within(start.object, offset, bytes)),
                None => return Rc::from([]),
            }
        }
        cells.sort_unstable();
        cells.dedup();
        Rc::from(cells)
    }
}
