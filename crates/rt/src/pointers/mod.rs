//! Accesses through addresses that depend on input, followed to all that they can refer to.
//!
//! The nodes of an address show which values it can have ([`values`]). Those that lie in regions that are known are the
//! *places* of the access ([`places`]). A read gives a choice between what is at these places ([`choice`]); a write gives
//! each place a choice between what is written and what was there. That the address is one of the places is a bound
//! that the path has from then on. All of it is made of ordinary nodes, so whatever comes after, at concrete addresses
//! too, needs to know nothing of this.
//!
//! Sizes of blocks ([`extents`]) and lengths of block operations ([`lengths`]) that depend on input are followed in the
//! same way.
//!
//! Where too much would have to be followed, or nothing is known, the address is pinned.

mod amounts;
mod arms;
mod blocks;
mod choice;
mod extents;
mod lengths;
mod nesting;
mod origin;
mod owners;
mod places;
mod range;
mod strings;
mod tables;
mod targets;
mod transfers;
mod updates;
mod values;

use trace::layout::{Event, EventKind, Label, Reason};
use trace::op::Op;

use self::arms::Arms;
pub use self::choice::Address;
pub use self::extents::Allotment;
use self::nesting::{DEEPEST, Nesting};
use self::places::{Access, Bounds, Finder, MOST_PLACES};
use self::tables::{Array, Tables};
use self::updates::Updates;
use self::values::{Ranges, Unions};
use crate::build::{Operand, mask};
use crate::recorder::flag;
use crate::runtime::Runtime;
use crate::shadow;
use crate::system::List;

/// Nodes that a run spends on places; when they are used up, addresses are pinned. A choice costs as many as it has
/// places, in the trace and once more in the engine.
const MOST_NODES: u32 = 1 << 17;

/// Places that are no further apart are looked at together.
const CLOSE: u64 = 1 << 16;

/// What is needed to follow addresses.
pub struct Pointers {
    places: List<u64>,
    bounds: Bounds,
    ranges: Ranges,
    elements: List<Operand>,
    sources: List<Operand>,
    /// Where the elements of a table of pointers are meant to be.
    owners: List<Operand>,
    arms: Arms,
    tables: Tables,
    updates: Updates,
    unions: Unions,
    nesting: Nesting,
    spent: u32,
}

impl Pointers {
    /// Nothing followed yet.
    pub fn new() -> Pointers {
        // SAFETY: integers only.
        let (places, elements) = unsafe { (List::zeroed(MOST_PLACES), List::zeroed(MOST_PLACES)) };
        // SAFETY: as above.
        let (sources, owners) = unsafe { (List::zeroed(lengths::LONGEST as usize), List::zeroed(MOST_PLACES)) };
        Pointers {
            places,
            bounds: Bounds::new(),
            ranges: Ranges::new(),
            elements,
            sources,
            owners,
            arms: Arms::new(),
            tables: Tables::new(),
            updates: Updates::new(),
            unions: Unions::new(),
            nesting: Nesting::new(),
            spent: 0,
        }
    }
}

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers::new()
    }
}

/// `bytes` bytes, at most 8, of memory that is known to be there.
#[inline(always)]
fn contents(address: u64, bytes: usize) -> u64 {
    // SAFETY: places lie in regions, and regions are memory that the program has.
    unsafe {
        // Tables are read an element at a time, so this is not left to a function for any size.
        match bytes {
            1 => (address as *const u8).read().into(),
            2 => (address as *const u16).read_unaligned().into(),
            4 => (address as *const u32).read_unaligned().into(),
            8 => (address as *const u64).read_unaligned(),
            _ => {
                let mut word = [0; 8];
                core::ptr::copy_nonoverlapping(address as *const u8, word.as_mut_ptr(), bytes.min(8));
                u64::from_le_bytes(word)
            }
        }
    }
}

/// Writes what the program is about to write, at most 8 bytes, to memory that is known to be there.
fn set_contents(address: u64, bytes: usize, value: u64) {
    let word = value.to_le_bytes();
    // SAFETY: the memory is one that the program writes to next, with the same bytes.
    unsafe { core::ptr::copy_nonoverlapping(word.as_ptr(), address as *mut u8, bytes.min(8)) };
}

impl Runtime {
    /// The label of what was read: `bytes` bytes, at most 8, that were `value`.
    #[inline(always)]
    pub fn read(&mut self, label: Label, site: u32, address: u64, bytes: usize, value: u64) -> Label {
        if label == 0 {
            self.touch(site, address, bytes as u64);
            return self.recorder.load(address, bytes, value);
        }
        self.read_through(label, site, address, bytes, value)
    }

    #[inline(never)]
    fn read_through(&mut self, label: Label, site: u32, address: u64, bytes: usize, value: u64) -> Label {
        self.recorder.check(label, site, address);
        let width = bytes as u32 * 8;
        let followed = self.places_of(label, address, bytes);
        let Some(count) = followed.filter(|_| !self.is_deep(address, bytes)) else {
            self.decide_room(Address { label, value: address }, site, bytes as u64);
            self.address(label, site, address, bytes as u64, false);
            return self.recorder.load(address, bytes, value);
        };
        let address = Address { label, value: address };
        self.follow(address, site, bytes, EventKind::Read);
        let places = self.pointers.places.items_mut().get_mut(..count).unwrap_or_default();
        let elements = self.pointers.elements.items_mut().get_mut(..count).unwrap_or_default();
        let (first, last) = (places.first().copied().unwrap_or(0), places.last().copied().unwrap_or(0));
        // One look at all of it, where it is not spread over memory.
        let is_clean = last - first <= CLOSE && shadow::is_clean(first, last - first + bytes as u64);
        let before = self.recorder.node_count();
        let array = self.pointers.bounds.step.map(|step| Array { first, step, count, bytes });
        let array = array.filter(|array| is_clean && array.is_table());
        let known = array.and_then(|array| self.recorder.known_element(&self.pointers.tables, &array, address));
        let (read, cost) = known.map(|read| (read, 0)).unwrap_or_else(|| {
            for (element, place) in elements.iter_mut().zip(places.iter()) {
                let value = contents(*place, bytes);
                let label = if is_clean { 0 } else { self.recorder.look_at(*place, bytes, value) };
                *element = Operand { label, value };
            }
            let (tables, updates) = (&mut self.pointers.tables, &mut self.pointers.updates);
            // Without labels memory is what it is, and a table of it is kept as such.
            if is_clean {
                updates.take_nothing();
            } else {
                updates.take_away(address, bytes, places, elements);
            }
            // Labels among the elements cost the engine a choice for each of them, constants are one table for all reads.
            let cost = if elements.iter().any(|element| element.label != 0) { count } else { 0 };
            let below = self.recorder.element_at((&mut self.pointers.arms, tables), width, address, places, elements);
            (self.recorder.behind_writes(updates, width, address, below), cost)
        });
        if let Some(array) = array.filter(|_| known.is_none()) {
            self.pointers.tables.keep(&array);
        }
        self.spend(before, cost as u32);
        if read.value != value & mask(width) {
            // Another thread has written since.
            self.recorder.log(pinned(address, site, bytes, EventKind::Read));
            return 0;
        }
        read.label
    }

    /// Labels what is about to be written: `bytes` bytes, at most 8, of which `written` says label and value.
    #[inline(always)]
    pub fn write(&mut self, label: Label, site: u32, address: u64, bytes: usize, written: Operand) {
        self.recorder.check(written.label, site, written.value);
        if label == 0 {
            self.touch(site, address, bytes as u64);
            return self.recorder.store(address, bytes, written.label);
        }
        self.write_through(label, site, address, bytes, written);
    }

    #[inline(never)]
    fn write_through(&mut self, label: Label, site: u32, address: u64, bytes: usize, written: Operand) {
        let width = bytes as u32 * 8;
        let written = Operand { value: written.value & mask(width), ..written };
        let before = self.recorder.node_count();
        let followed = self.places_of(label, address, bytes);
        let Some(count) = followed.filter(|_| !self.is_deep(address, bytes)) else {
            self.decide_room(Address { label, value: address }, site, bytes as u64);
            self.address(label, site, address, bytes as u64, true);
            return self.recorder.store(address, bytes, written.label);
        };
        self.recorder.check(label, site, address);
        let address = Address { label, value: address };
        self.follow(address, site, bytes, EventKind::Write);
        let places = self.pointers.places.items().get(..count).unwrap_or_default();
        self.pointers.updates.begin(address, bytes, written, places);
        // The place that is really written comes last: until then memory is what it was.
        let is_here = |index: &usize| places.get(*index) == Some(&address.value);
        let here = (0..count).find(is_here);
        for index in (0..count).filter(|index| !is_here(index)).chain(here) {
            let Some(place) = places.get(index).copied() else { continue };
            let is_here = place == address.value;
            let value = contents(place, bytes);
            let old = Operand { label: self.recorder.look_at(place, bytes, value), value };
            let at = Operand::concrete(place);
            let condition = self.recorder.binary(Op::Eq, 64, address.operand(), at, u64::from(is_here));
            let new = self.recorder.either(width, condition, is_here, written, old);
            self.recorder.store(place, bytes, new.label);
            self.pointers.updates.set(index, old, new);
        }
        self.spend(before, 0);
    }

    /// Counts the nodes that were made since there were `before`, or `least`.
    fn spend(&mut self, before: u32, least: u32) {
        let made = self.recorder.node_count().saturating_sub(before);
        self.pointers.spent = self.pointers.spent.saturating_add(made.max(least));
    }

    /// Whether what is at a place is a choice within so many others that there should not be one more.
    fn is_deep(&mut self, place: u64, bytes: usize) -> bool {
        let old = self.recorder.look_at(place, bytes, contents(place, bytes));
        self.pointers.nesting.of(&self.recorder, old) > DEEPEST
    }

    /// Finds the places of an access, and what must hold for it to go to one of them; how many they are. `None` where the
    /// address has to be pinned.
    fn places_of(&mut self, label: Label, address: u64, bytes: usize) -> Option<usize> {
        let is_possible = self.recorder.follows_pointers()
            && (1..=8).contains(&bytes)
            && self.recorder.width(label) == 64
            && self.recorder.node(label).flags() & flag::PIN_ADDRESS == 0
            && self.pointers.spent < MOST_NODES
            && self.pointers.nesting.of(&self.recorder, label) <= DEEPEST;
        if !is_possible {
            return None;
        }
        self.find_places(Access { label, address, bytes: bytes as u64 })
    }

    fn find_places(&mut self, access: Access) -> Option<usize> {
        let Pointers { places, bounds, ranges, unions, .. } = &mut self.pointers;
        let finder = Finder { recorder: &self.recorder, ranges, unions, regions: &mut self.regions };
        places::find(finder, access, places.items_mut(), bounds)
    }

    /// Logs an access whose address is followed.
    fn follow(&mut self, address: Address, site: u32, bytes: usize, kind: EventKind) {
        let region = self.regions.index_of(&mut self.recorder, address.value).map_or(0, |index| index + 1);
        // Checkers look at the address itself where it lies in one region, at the bounds where it may be in several.
        let (own, shared) = if self.pointers.bounds.is_one() { (region, 0) } else { (0, region) };
        let bit = if kind == EventKind::Write { flag::WRITE } else { flag::READ };
        if self.recorder.first_time(address.label, bit) {
            self.recorder.log(Event { aux: own, reason: 0, ..pinned(address, site, bytes, kind) });
        }
        let Pointers { bounds, owners, .. } = &mut self.pointers;
        let condition = bounds.condition(&mut self.recorder, address, owners.items_mut());
        if self.pointers.bounds.has_unknown {
            self.loss(site, Reason::Address, bytes as u64);
        }
        self.decide_room(address, site, bytes as u64);
        if condition != 0 && self.recorder.first_time(condition, flag::BRANCH) {
            let kind = EventKind::Bounds as u8;
            self.recorder.log(Event { kind, taken: 1, reason: 0, site, label: condition, aux: shared, value: 0 });
        }
    }
}

/// The event of an access that is pinned, in no region.
fn pinned(address: Address, site: u32, bytes: usize, kind: EventKind) -> Event {
    let reason = Reason::Address as u16;
    Event { kind: kind as u8, taken: bytes as u8, reason, site, label: address.label, aux: 0, value: address.value }
}

#[cfg(test)]
mod size_tests;
#[cfg(test)]
mod tests;
