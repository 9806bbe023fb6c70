//! Memory: regions, and what is known of their contents in a state.

use crate::pieces::{can_be_pieced, is_wide};
use crate::state::State;
use crate::value::{Pointer, RegionId, Target, Value};
use crate::{Executor, Start};
use expr::Term;
use ir::{CellId, GlobalId, ObjectId, ObjectKind, Set, Type};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is at a place of a region that nobody has looked at yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Default {
    /// What the types say.
    Typed,
    /// Anything: it was not initialised.
    Anything,
    /// Zeros.
    Zeros,
    /// What a global variable starts with.
    Initial(GlobalId),
}

/// What is the same about a region in all states.
#[derive(Clone, Debug)]
pub struct RegionInfo {
    /// The objects that it may be a view of.
    pub objects: Vec<ObjectId>,
    /// What is in it.
    pub default: Default,
    /// Whether it is the only view of its object.
    pub is_exact: bool,
}

/// What is known to be at a place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slot {
    pub value: Value,
    pub bytes: u64,
    /// Whether it was written, rather than found.
    pub dirty: bool,
}

/// What is known of a region in a state.
#[derive(Clone, Debug, std::default::Default)]
pub struct Contents {
    /// At known distances from its start.
    pub slots: BTreeMap<u64, Slot>,
    /// At distances that are terms.
    pub indexed: Vec<(Term, Slot)>,
    /// Cells that code which goes by types may have changed: what is not in a slot is what the types say.
    pub changed: Rc<Set>,
}

impl Executor<'_> {
    /// A new region.
    pub fn new_region(&mut self, info: RegionInfo) -> RegionId {
        self.regions.push(info);
        RegionId(self.regions.len() as u32 - 1)
    }

    /// What is the same about a region in all states.
    pub fn info(&self, region: RegionId) -> &RegionInfo {
        &self.regions[region.0 as usize]
    }

    /// The region of an object of which there is only one.
    pub fn single_region(&mut self, object: ObjectId) -> RegionId {
        if let Some(region) = self.single_regions.get(&object) {
            return *region;
        }
        let kind = self.subject.points_to.object(object).kind;
        let default = match kind {
            ObjectKind::Global(global) => {
                let variable = self.subject.program.global(global);
                let starts = self.task.start == Start::Program && variable.initial.is_some();
                if variable.is_constant && variable.initial.is_some() || starts {
                    Default::Initial(global)
                } else {
                    Default::Typed
                }
            }
            _ => Default::Typed,
        };
        let region = self.new_region(RegionInfo { objects: vec![object], default, is_exact: true });
        self.single_regions.insert(object, region);
        region
    }

    /// The region that a pointer points into, and where. Nothing for a pointer that can point to no memory.
    pub fn resolve(&mut self, pointer: Pointer) -> Option<(RegionId, Term)> {
        match pointer.target {
            Target::Region(region) => Some((region, pointer.offset)),
            Target::Nothing | Target::Function(_) => None,
            Target::Lazy(lazy) => {
                let known = self.lazies.get(lazy.0 as usize)?.region;
                let (region, start) = match known {
                    Some(known) => known,
                    None => {
                        let made = self.materialise(lazy.0 as usize)?;
                        if let Some(lazy) = self.lazies.get_mut(lazy.0 as usize) {
                            lazy.region = Some(made);
                        }
                        made
                    }
                };
                Some((region, self.store.add(start, pointer.offset)))
            }
        }
    }

    /// A region for what a pointer may point to: the object itself if there is only one, else a view.
    fn materialise(&mut self, lazy: usize) -> Option<(RegionId, Term)> {
        let cells: Vec<CellId> = self.lazies.get(lazy)?.cells.iter().map(CellId).collect();
        let points_to = self.subject.points_to;
        let is_memory = |cell: &CellId| !matches!(points_to.object_of(*cell).kind, ObjectKind::Function(_));
        let cells: Vec<CellId> = cells.into_iter().filter(is_memory).collect();
        let mut objects: Vec<ObjectId> = cells.iter().map(|cell| points_to.cell(*cell).object).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut offsets: Vec<Option<u64>> = cells
            .iter()
            .map(|cell| {
                let cell = points_to.cell(*cell);
                let in_array = points_to.object(cell.object).layout.element_at(cell.offset).is_some();
                (!in_array).then_some(cell.offset)
            })
            .collect();
        offsets.dedup();
        let offset = match offsets.as_slice() {
            [Some(offset)] => self.store.small(64, *offset),
            _ => self.fresh_term(64),
        };
        let region = match objects.as_slice() {
            [] => return None,
            [one] if points_to.object(*one).is_single => self.single_region(*one),
            _ => {
                let info = RegionInfo { objects, default: Default::Typed, is_exact: false };
                self.new_region(info)
            }
        };
        Some((region, offset))
    }

    /// The cells of the points-to analysis that a place of a region may be.
    pub fn cells_at(&self, region: RegionId, offset: Option<u64>) -> Vec<CellId> {
        let points_to = self.subject.points_to;
        let objects = self.info(region).objects.iter();
        match offset {
            Some(offset) => objects.filter_map(|object| points_to.cell_at(*object, offset)).collect(),
            None => objects.flat_map(|object| points_to.object(*object).cells.values().copied()).collect(),
        }
    }

    /// The cells that some bytes of a region may touch.
    pub fn cells_in(&self, region: RegionId, offset: Option<u64>, bytes: u64) -> Vec<CellId> {
        let points_to = self.subject.points_to;
        match offset {
            Some(offset) => {
                let objects = self.info(region).objects.iter();
                objects.flat_map(|object| points_to.cells_within(*object, offset, bytes)).collect()
            }
            None => self.cells_at(region, None),
        }
    }

    /// The cells of a region that was allocated as zeros in which there still are some. What was only read is as it was, and the
    /// elements of an array share their cell.
    pub fn zeros_left(&self, region: RegionId, contents: &Contents) -> Vec<CellId> {
        let points_to = self.subject.points_to;
        let mut left = Vec::new();
        for object in self.info(region).objects.iter().map(|object| points_to.object(*object)) {
            for (at, cell) in &object.cells {
                let covers = |(start, slot): &(u64, Slot)| {
                    slot.dirty && *start <= *at && at.saturating_add(8) <= start.saturating_add(slot.bytes)
                };
                let is_written =
                    object.layout.element_at(*at).is_none() && overlapping(contents, *at, 8).iter().any(covers);
                if !is_written && !contents.changed.contains(cell.0) {
                    left.push(*cell);
                }
            }
        }
        left
    }

    fn may_be_same(&self, a: RegionId, b: RegionId) -> bool {
        let (a, b) = (self.info(a), self.info(b));
        // Two exact regions are two variables, or two that were allocated one after the other.
        !(a.is_exact && b.is_exact) && a.objects.iter().any(|object| b.objects.contains(object))
    }

    /// Reads memory.
    pub fn read(&mut self, state: &mut State, region: RegionId, offset: Term, ty: Type) -> Value {
        let (at, bytes) = (self.number(offset), ty.bytes());
        if let Some(contents) = state.memory.get(&region) {
            match at {
                Some(at) => {
                    if let Some(slot) = contents.slots.get(&at)
                        && slot.bytes == bytes
                    {
                        return self.typed(slot.value, ty, region, Some(at));
                    }
                    let overlapping = overlapping(contents, at, bytes);
                    let is_within = |(start, slot): &(u64, Slot)| *start <= at && at + bytes <= start + slot.bytes;
                    if is_wide(ty) && !overlapping.iter().any(is_within) {
                        return self.read_words(state, region, at, bytes);
                    }
                    if let Some((start, slot)) = overlapping.first().copied() {
                        return match can_be_pieced(ty) && !is_within(&(start, slot)) {
                            true => self.read_pieces(state, region, at, ty, &overlapping),
                            false => self.part(region, (start, slot), at, ty),
                        };
                    }
                }
                None => {
                    let known =
                        contents.indexed.iter().rev().find(|(term, slot)| *term == offset && slot.bytes == bytes);
                    if let Some((_, slot)) = known.copied() {
                        return self.typed(slot.value, ty, region, None);
                    }
                }
            }
        }
        let value = self.found(state, region, offset, ty);
        self.note_found(state, region, offset, value);
        let slot = Slot { value, bytes, dirty: false };
        let contents = Rc::make_mut(state.memory.entry(region).or_default());
        match at {
            Some(at) => {
                contents.slots.insert(at, slot);
            }
            None => contents.indexed.push((offset, slot)),
        }
        value
    }

    /// A value that is read as another type than it was written.
    fn typed(&mut self, value: Value, ty: Type, region: RegionId, at: Option<u64>) -> Value {
        match (value, ty.is_pointer) {
            (Value::Bits(_), true) => {
                let cells = self.cells_at(region, at);
                Value::Pointer(self.pointer(value, Set::default)).with_cells(self, &cells)
            }
            _ => value,
        }
    }

    /// What is read where something else lies: a part of an integer, or anything.
    fn part(&mut self, region: RegionId, slot: (u64, Slot), at: u64, ty: Type) -> Value {
        let (start, slot) = slot;
        let end = at + ty.bytes();
        if let (Value::Bits(term), true) = (slot.value, start <= at && end <= start + slot.bytes) {
            let low = ((at - start) * 8) as u32;
            let width = u32::from(self.store.width(term));
            if low + ty.bits <= width && !ty.is_pointer {
                return Value::Bits(self.store.extract(term, low, ty.bits as u16));
            }
        }
        let cells = self.cells_at(region, Some(at));
        let contents = self.subject.points_to.contents_of(&cells);
        self.any_value(ty, contents, true)
    }

    /// What is found at a place that nobody has looked at through this view.
    fn found(&mut self, state: &State, region: RegionId, offset: Term, ty: Type) -> Value {
        let at = self.number(offset);
        let cells = self.cells_at(region, at);
        let touched = self.cells_in(region, at, ty.bytes());
        let contents = state.memory.get(&region).cloned().unwrap_or_default();
        let is_changed = touched.iter().any(|cell| contents.changed.contains(cell.0));
        let default = match self.info(region).default {
            _ if is_changed => Default::Typed,
            default => default,
        };
        let value = match (default, at) {
            (Default::Zeros, _) => self.zero(ty),
            (Default::Initial(global), Some(at)) => self.initial(global, at, ty),
            (Default::Anything, _) => {
                let pointees = self.subject.points_to.contents_of(&cells);
                self.any_value(ty, pointees, true)
            }
            (Default::Typed | Default::Initial(_), _) => {
                let pointees = if ty.is_pointer { self.subject.points_to.contents_of(&cells) } else { Set::default() };
                let is_null = |cell: &CellId| match is_changed || state.changed.contains(*cell) {
                    true => self.cell_is_null(*cell),
                    false => self.types.cell_is_null_at_start(*cell),
                };
                let may_be_null = ty.is_pointer && (cells.is_empty() || cells.iter().any(is_null));
                let is_as_found = !is_changed && !touched.iter().any(|cell| state.changed.contains(*cell));
                let value = self.any_value(ty, pointees, may_be_null);
                if is_as_found { self.as_argument(state, region, offset, value) } else { value }
            }
        };
        let mut others = self.written_elsewhere(state, region, at, &touched, ty);
        if others.is_empty() {
            return value;
        }
        others.push(value);
        let points_to = self.subject.points_to;
        self.blur(&others, ty.bits, || points_to.contents_of(&cells))
    }

    /// What was written to the same place through this view at an index, or through other views, or is there since other memory was
    /// allocated that this may be a view of.
    fn written_elsewhere(
        &mut self,
        state: &State,
        region: RegionId,
        at: Option<u64>,
        cells: &[CellId],
        ty: Type,
    ) -> Vec<Value> {
        let mut found = Vec::new();
        let (mut has_parts, mut has_zeros) = (false, false);
        for (other, contents) in &state.memory {
            if *other != region && !self.may_be_same(*other, region) {
                continue;
            }
            let meets = |offset: Option<u64>, bytes: u64| {
                let theirs = self.cells_in(*other, offset, bytes);
                theirs.iter().any(|cell| cells.contains(cell))
            };
            // Through this view a known distance is just that place.
            let is_elsewhere = *other != region || at.is_none();
            let slots = contents.slots.iter().filter(|(_, slot)| is_elsewhere && slot.dirty);
            let indexed = contents.indexed.iter().filter(|(_, slot)| slot.dirty);
            let all = slots.map(|(start, slot)| (Some(*start), slot)).chain(indexed.map(|(_, slot)| (None, slot)));
            for (_, slot) in all.filter(|(start, slot)| meets(*start, slot.bytes)) {
                match slot.bytes == ty.bytes() {
                    true => found.push(slot.value),
                    false => has_parts = true,
                }
            }
            has_zeros |= *other != region
                && self.info(*other).default == Default::Zeros
                && self.zeros_left(*other, contents).iter().any(|cell| cells.contains(cell));
        }
        if has_zeros {
            found.push(self.zero(ty));
        }
        if has_parts {
            // A part of something, or something with parts of other things.
            let pointees = self.subject.points_to.contents_of(cells);
            found.push(self.any_value(ty, pointees, true));
        }
        found
    }

    fn zero(&mut self, ty: Type) -> Value {
        match ty.is_pointer {
            true => Value::Pointer(self.null_pointer()),
            false => {
                let bits = ty.bits.clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
                Value::Bits(self.store.constant(expr::BitVec::zero(bits)))
            }
        }
    }

    /// What a global variable starts with at a place.
    fn initial(&mut self, global: GlobalId, at: u64, ty: Type) -> Value {
        let program = self.subject.program;
        let parts = program.global(global).initial.as_deref().unwrap_or_default();
        let end = at.saturating_add(ty.bytes());
        let mut touching = parts.iter().filter(|part| part.offset < end && at < part.offset + part.ty.bytes());
        match (touching.next(), touching.next()) {
            (None, _) => self.zero(ty),
            (Some(part), None) if part.offset == at && part.ty.bytes() == ty.bytes() => self.constant(&part.value, ty),
            _ => {
                let cells = self.subject.points_to.object_of_kind(ObjectKind::Global(global));
                let cells = cells.and_then(|object| self.subject.points_to.cell_at(object, at));
                let pointees = self.subject.points_to.contents_of(&cells.into_iter().collect::<Vec<_>>());
                self.any_value(ty, pointees, true)
            }
        }
    }

    /// Writes memory.
    pub fn write(&mut self, state: &mut State, region: RegionId, offset: Term, value: Value, ty: Type) {
        let (at, bytes) = (self.number(offset), ty.bytes());
        let cells = self.cells_in(region, at, bytes);
        self.weaken_others(state, region, at, &cells, value, ty);
        let slot = Slot { value, bytes, dirty: true };
        match at {
            Some(at) => {
                self.carve(state, region, at, bytes);
                let contents = Rc::make_mut(state.memory.entry(region).or_default());
                contents.slots.insert(at, slot);
            }
            None => {
                let contents = Rc::make_mut(state.memory.entry(region).or_default());
                contents.indexed.retain(|(term, _)| *term != offset);
                contents.indexed.push((offset, slot));
            }
        }
    }

    /// Takes what is known of some bytes away, and leaves what it overlaps on either side.
    pub fn carve(&mut self, state: &mut State, region: RegionId, at: u64, bytes: u64) {
        let Some(contents) = state.memory.get(&region) else { return };
        let found = overlapping(contents, at, bytes);
        if found.is_empty() {
            return;
        }
        let end = at.saturating_add(bytes);
        let mut kept = Vec::new();
        for (start, slot) in &found {
            let (start, behind) = (*start, start.saturating_add(slot.bytes));
            if start < at {
                kept.push((start, self.slice(*slot, 0, at - start)));
            }
            if behind > end {
                kept.push((end, self.slice(*slot, end - start, behind - end)));
            }
        }
        let contents = Rc::make_mut(state.memory.entry(region).or_default());
        for (start, _) in found {
            contents.slots.remove(&start);
        }
        contents.slots.extend(kept);
    }

    /// Some bytes of a slot.
    pub fn slice(&mut self, slot: Slot, first: u64, bytes: u64) -> Slot {
        let (low, width) = ((first * 8) as u32, (bytes * 8) as u32);
        let value = match slot.value {
            Value::Bits(term) if low + width <= u32::from(self.store.width(term)) => {
                Value::Bits(self.store.extract(term, low, width as u16))
            }
            _ => Value::Bits(self.fresh_term(width)),
        };
        Slot { value, bytes, dirty: true }
    }

    /// After a write, every other place that may be the same holds what it held or what was written.
    fn weaken_others(
        &mut self,
        state: &mut State,
        region: RegionId,
        at: Option<u64>,
        cells: &[CellId],
        value: Value,
        ty: Type,
    ) {
        let points_to = self.subject.points_to;
        let regions: Vec<RegionId> = state.memory.keys().copied().collect();
        for other in regions {
            if other != region && !self.may_be_same(other, region) {
                continue;
            }
            let Some(contents) = state.memory.get(&other).cloned() else { continue };
            let mut changed = (*contents).clone();
            let mut any = false;
            for (start, slot) in changed.slots.iter_mut() {
                let same_view = other == region;
                if same_view && at.is_some() {
                    continue;
                }
                let theirs = self.cells_in(other, Some(*start), slot.bytes);
                if theirs.iter().any(|cell| cells.contains(cell)) {
                    let pointees = || points_to.contents_of(&theirs);
                    let both = if slot.bytes == ty.bytes() { vec![slot.value, value] } else { vec![slot.value] };
                    slot.value = match both.len() {
                        2 => self.blur(&both, (slot.bytes * 8) as u32, pointees),
                        _ => self.anything(slot, pointees()),
                    };
                    slot.dirty = true;
                    any = true;
                }
            }
            for (_, slot) in changed.indexed.iter_mut() {
                let theirs = self.cells_at(other, None);
                if theirs.iter().any(|cell| cells.contains(cell)) {
                    let pointees = || points_to.contents_of(&theirs);
                    slot.value = match slot.bytes == ty.bytes() {
                        true => self.blur(&[slot.value, value], (slot.bytes * 8) as u32, pointees),
                        false => self.anything(slot, pointees()),
                    };
                    slot.dirty = true;
                    any = true;
                }
            }
            if any {
                state.memory.insert(other, Rc::new(changed));
            }
        }
    }

    fn anything(&mut self, slot: &Slot, pointees: Set) -> Value {
        let ty = Type { bits: (slot.bytes * 8) as u32, is_pointer: matches!(slot.value, Value::Pointer(_)) };
        self.any_value(ty, pointees, true)
    }
}

impl Value {
    /// A pointer that was an integer in memory may point to what the memory's cells may.
    fn with_cells(self, executor: &mut Executor<'_>, cells: &[CellId]) -> Value {
        if let Value::Pointer(Pointer { target: Target::Lazy(lazy), .. }) = self {
            let contents = executor.subject.points_to.contents_of(cells);
            if let Some(lazy) = executor.lazies.get_mut(lazy.0 as usize)
                && lazy.region.is_none()
            {
                lazy.cells = contents;
            }
        }
        self
    }
}

/// The slots that overlap a stretch of memory.
pub fn overlapping(contents: &Contents, at: u64, bytes: u64) -> Vec<(u64, Slot)> {
    let end = at.saturating_add(bytes);
    let before = contents.slots.range(..at).next_back().filter(|(start, slot)| *start + slot.bytes > at);
    let within = contents.slots.range(at..end);
    before.into_iter().chain(within).map(|(start, slot)| (*start, *slot)).collect()
}
