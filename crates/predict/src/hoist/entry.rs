//! The times that units were entered in a run: what they got, and what happened until they were left.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use trace::layout::{EventKind, Given, LENGTH_BYTES, PartKind, Region, RegionKind, STRING_ROOM};
use trace::reader::{Trace, event_kind, given, region_kind};
use trace::sites::{SiteTable, Unit};

use super::express::Input;

/// One time that a unit was entered.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Index of the unit in the view's table.
    pub unit: usize,
    /// The events in it.
    pub events: Range<usize>,
    /// Its inputs, by their parts.
    pub inputs: FxHashMap<u32, Vec<Input>>,
    /// The part that is the length of a string, by the string's.
    pub strings: FxHashMap<u32, u32>,
    /// The pointers that it got.
    pub pointers: Vec<Pointer>,
    /// Whether two of them point to the same memory.
    pub is_shared: bool,
    /// Whether some of its inputs could not be made input.
    pub is_incomplete: bool,
    /// Whether it got pointers to memory that is not known, or larger than what was made input.
    pub has_unknown_memory: bool,
    pub(super) number: u32,
    pub(super) frame: u64,
    /// What pointers point to, from and to.
    pub(super) pointed_to: Vec<Range<u64>>,
}

/// A pointer that a unit got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// As the source writes it.
    pub name: String,
    /// Whether it was null.
    pub is_null: bool,
    /// Whether the unit compares it with null.
    pub is_compared: bool,
    /// The names of the pointers before it on the way to it, and its own.
    pub way: Vec<String>,
    /// The part that became of what it points to.
    pub part: Option<u32>,
}

/// An object that a unit gets: its index, what became of it, and where it is.
type Object = (u32, Given, u64);

/// All of them, in their order.
pub fn entries(trace: &Trace, sites: &SiteTable) -> Vec<Entry> {
    let mut parts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (index, part) in (0..).zip(trace.parts()) {
        if matches!(part.kind, PartKind::Buffer | PartKind::String) && part.device != 0 {
            parts.insert((part.device as u32, (part.device >> 32) as u32), index);
        }
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut running: BTreeMap<u32, usize> = BTreeMap::new();
    // With the numbers that units are to be entered as.
    let mut objects: Vec<(u32, u32, Given, u64)> = Vec::new();
    for (index, event) in trace.events().iter().enumerate() {
        match event_kind(event.kind) {
            Some(EventKind::Object) => {
                let given = given(event.taken).unwrap_or(Given::Unknown);
                objects.push((event.aux, event.site, given, event.value));
            }
            Some(EventKind::Enter) => {
                let got = std::mem::take(&mut objects);
                let Some(unit) = sites.units.get(event.site as usize) else { continue };
                let events = index + 1..trace.events().len();
                let (number, frame) = (event.aux, event.value);
                let unit_index = event.site as usize;
                let mut entry = Entry { unit: unit_index, events, number, frame, ..Entry::default() };
                // Those of a unit that was not entered after all come before.
                for (_, index, given, address) in got.into_iter().filter(|(of, ..)| *of == number) {
                    entry.take(trace, unit, (index, given, address), parts.get(&(number, index)).copied());
                }
                running.insert(number, entries.len());
                entries.push(entry);
            }
            Some(EventKind::Exit) => {
                if let Some(entry) = running.remove(&event.aux).and_then(|entry| entries.get_mut(entry)) {
                    entry.events.end = index;
                }
            }
            _ => {}
        }
    }
    entries
}

impl Entry {
    fn take(&mut self, trace: &Trace, unit: &Unit, (index, given, address): Object, part: Option<u32>) {
        let Some(object) = unit.objects.get(index as usize) else { return };
        self.is_shared |= given == Given::Shared;
        self.is_incomplete |= given == Given::NoRoom;
        self.has_unknown_memory |= matches!(given, Given::Unknown | Given::Beginning);
        if !object.pointer.is_empty() {
            let mut way = vec![object.pointer.clone()];
            let mut holder = object.holder;
            // Every object comes after the one that points to it.
            while let Some(outer) =
                holder.and_then(|holder| unit.objects.get(holder as usize)).filter(|_| way.len() < 8)
            {
                way.insert(0, outer.pointer.clone());
                holder = outer.holder;
            }
            let (name, is_compared) = (object.pointer.clone(), object.is_compared);
            self.pointers.push(Pointer { name, is_null: given == Given::Null, is_compared, way, part });
        }
        let Some((part_index, part)) = part.and_then(|index| Some((index, trace.parts().get(index as usize)?))) else {
            return;
        };
        let len = if part.kind == PartKind::String { part.len.saturating_sub(STRING_ROOM) } else { part.len };
        if !object.pointer.is_empty() {
            self.pointed_to.push(address..address.saturating_add(len.max(1)));
        }
        let within = object.leaves.iter().filter(|leaf| leaf.offset.saturating_add(leaf.size) <= len);
        let inputs = within.map(|leaf| Input {
            name: leaf.name.clone(),
            offset: leaf.offset,
            size: leaf.size,
            signed: leaf.signed,
        });
        self.inputs.insert(part_index, inputs.collect());
        if part.kind == PartKind::String {
            let about =
                |part: &trace::reader::InputPart| part.kind == PartKind::Length && part.inode == u64::from(part_index);
            if let Some(length) = trace.parts().iter().position(about).and_then(|index| u32::try_from(index).ok()) {
                let name = format!("strlen({})", object.pointer);
                self.inputs.insert(length, vec![Input { name, offset: 0, size: LENGTH_BYTES, signed: false }]);
                self.strings.insert(part_index, length);
            }
        }
    }

    /// Whether the size of a region is the unit's own matter: it is a variable of the unit, or was allocated in it, or is a global
    /// that the unit got no pointer to.
    pub fn owns(&self, region: &Region) -> bool {
        let end = region.base.saturating_add(region.size);
        match region_kind(region.kind) {
            Some(RegionKind::Stack) => region.base < self.frame,
            Some(RegionKind::Heap) => region.allocated_in >= self.number,
            Some(RegionKind::Global) => {
                !self.pointed_to.iter().any(|other| other.start < end && region.base < other.end)
            }
            None => false,
        }
    }
}
