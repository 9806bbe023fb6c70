//! Objects and cells while constraints are solved: new ones are found on the way, and cells become one.

use super::anywhere::Lead;
use super::graph::{CELLS, Graph, words_behind_the_first};
use super::nodes::{Node, Shift};
use super::objects::{Cell, CellId, Object, ObjectId, ObjectKind};
use crate::program::{ArrayRange, FunctionId, GlobalId, Layout};
use std::collections::BTreeMap;

impl Graph {
    /// The object of a kind, made with this layout if it is new.
    pub fn object_for(&mut self, kind: ObjectKind, layout: impl FnOnce() -> Layout) -> ObjectId {
        if let Some(found) = self.by_kind.get(&kind) {
            return *found;
        }
        let id = ObjectId(self.objects.len() as u32);
        let layout = layout();
        let (is_constant, is_single) = (false, false);
        self.objects.push(Object { kind, layout, cells: BTreeMap::new(), is_constant, is_single, points_on: None });
        self.changes.push(0);
        self.by_kind.insert(kind, id);
        id
    }

    /// An object that is one cell.
    pub fn plain_object(&mut self, kind: ObjectKind) -> CellId {
        let whole = || Layout { size: 0, arrays: vec![ArrayRange { start: 0, element: 1, end: u64::MAX }] };
        let object = self.object_for(kind, whole);
        self.cell_in(object, 0)
    }

    /// The cell at a distance from the start of an object.
    pub fn cell_in(&mut self, object: ObjectId, offset: u64) -> CellId {
        if self.objects[object.0 as usize].cells.len() > CELLS {
            self.make_array(object, ArrayRange { start: 0, element: 1, end: u64::MAX });
        }
        let offset = canonical(&self.objects[object.0 as usize].layout, offset);
        if let Some(cell) = self.objects[object.0 as usize].cells.get(&offset) {
            return *cell;
        }
        let id = CellId(self.cells.len() as u32);
        let node = self.nodes.make();
        self.cells.push((Cell { object, offset }, node));
        self.merged.push(id.0);
        self.objects[object.0 as usize].cells.insert(offset, id);
        self.changes[object.0 as usize] += 1;
        if let Some(cell) = self.objects[object.0 as usize].points_on {
            self.add(node, cell);
        }
        if let Some(anywhere) = self.anywhere.get(&object) {
            self.add(anywhere.node, id);
        }
        id
    }

    /// Lets every cell of an object, also those that are found later, point to a cell from the start.
    pub fn point_on(&mut self, object: ObjectId, to: CellId) {
        self.objects[object.0 as usize].points_on = Some(to);
        let cells: Vec<CellId> = self.objects[object.0 as usize].cells.values().copied().collect();
        for cell in cells {
            self.add(self.cell_node(cell), to);
        }
    }

    /// Says that an object is never written.
    pub fn make_constant(&mut self, object: ObjectId) {
        self.objects[object.0 as usize].is_constant = true;
    }

    /// Whether what a cell belongs to is never written.
    pub fn is_constant(&self, cell: CellId) -> bool {
        self.object(self.cell(cell).object).is_constant
    }

    /// Whether an object has a byte at a distance from its start, as far as its size is known.
    pub fn has_place(&self, object: ObjectId, offset: u64) -> bool {
        let object = self.object(object);
        object.kind.is_open()
            || object.layout.size == 0
            || offset < object.layout.size
            || object.layout.element_at(offset).is_some()
    }

    /// The cells that an access of some bytes touches: pointers lie at every word of it.
    pub fn accessed(&mut self, cell: CellId, bytes: u64) -> Vec<CellId> {
        let start = self.cell(cell);
        let mut cells = vec![cell];
        for distance in words_behind_the_first(bytes) {
            let offset = start.offset.saturating_add(distance);
            if self.has_place(start.object, offset) {
                cells.push(self.cell_in(start.object, offset));
            }
        }
        cells
    }

    /// The cell that a cell was merged into.
    pub fn current(&self, cell: CellId) -> CellId {
        let mut cell = cell.0;
        while self.merged[cell as usize] != cell {
            cell = self.merged[cell as usize];
        }
        CellId(cell)
    }

    pub fn cell(&self, cell: CellId) -> Cell {
        self.cells[self.current(cell).0 as usize].0
    }

    pub fn cell_node(&self, cell: CellId) -> Node {
        self.cells[self.current(cell).0 as usize].1
    }

    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    pub fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub fn objects_mut(&mut self) -> &mut [Object] {
        &mut self.objects
    }

    /// How often an object got a cell or an array.
    pub fn changes(&self, object: ObjectId) -> usize {
        self.changes[object.0 as usize] as usize
    }

    pub fn find_object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    pub fn global_object(&self, global: GlobalId) -> Option<ObjectId> {
        self.find_object(ObjectKind::Global(global))
    }

    pub fn function_object(&self, function: FunctionId) -> Option<ObjectId> {
        self.find_object(ObjectKind::Function(function))
    }

    pub fn existing_cell(&self, object: ObjectId, offset: u64) -> Option<CellId> {
        let object = self.object(object);
        object.cells.get(&canonical(&object.layout, offset)).copied()
    }

    /// Where an address lies that is computed from the address of a cell.
    pub fn shifted(&mut self, cell: CellId, shift: Shift) -> Lead {
        let Cell { object, offset } = self.cell(cell);
        if self.is_marker(cell) {
            return Lead::Anywhere(object);
        }
        let (kind, size) = {
            let object = self.object(object);
            (object.kind, object.layout.size)
        };
        let target = (offset as i64).saturating_add(shift.constant);
        let declared = !kind.is_open() && size > 0;
        let in_range = target >= 0 && (!declared || target as u64 <= size);
        if !in_range && self.object(object).layout.element_at(offset).is_none() {
            if shift.is_field && target >= 0 {
                return Lead::Nowhere;
            }
            if self.has_word_cells(object) {
                return Lead::Anywhere(object);
            }
            self.make_array(object, ArrayRange { start: 0, element: 1, end: u64::MAX });
            return Lead::To(self.cell_in(object, 0));
        }
        let target = match u64::try_from(target) {
            Ok(target) if in_range => target,
            // Within an array any distance leads to some element.
            _ => {
                let Some(array) = self.object(object).layout.element_at(offset) else { return Lead::To(cell) };
                let within = (target - array.start as i64).rem_euclid(array.element.max(1) as i64);
                array.start + within as u64
            }
        };
        if let Some((element, bound)) = shift.array
            && element > 0
        {
            let known = self.object(object).layout.element_at(target);
            let is_covered = known.is_some_and(|array| array.element > 0 && element % array.element == 0);
            // One structure is an array of one: an index that is not 0 would leave it.
            let is_one = declared && element >= size;
            if !is_covered && !is_one {
                if bound.is_none() && self.has_word_cells(object) {
                    return Lead::Anywhere(object);
                }
                let end = bound.map_or(u64::MAX, |bytes| target.saturating_add(bytes));
                let start = if declared && bound.is_none() { 0 } else { target };
                self.make_array(object, ArrayRange { start, element, end });
            }
        }
        Lead::To(self.cell_in(object, target))
    }

    /// Where else an address may lie that is computed backwards: what leaves an array from its first element leads from a
    /// later one to the elements before, and one cell stands for all of them.
    pub fn shifted_from_later_elements(&mut self, cell: CellId, shift: Shift) -> Vec<Lead> {
        let Cell { object, offset } = self.cell(cell);
        let target = (offset as i64).saturating_add(shift.constant);
        let arrays = &self.object(object).layout.arrays;
        let left = arrays.iter().filter(|array| array.element > 0 && (array.start..array.end).contains(&offset));
        let back = left.filter(|array| target < array.start as i64).map(|array| {
            let (start, element) = (array.start as i64, array.element as i64);
            (element, (start.saturating_sub(target) - 1) / element + 1)
        });
        let elements: Vec<(i64, i64)> = back.collect();
        if elements.iter().any(|(_, count)| *count > CELLS as i64) {
            self.make_array(object, ArrayRange { start: 0, element: 1, end: u64::MAX });
            return vec![Lead::To(self.cell_in(object, 0))];
        }
        let constants = elements.into_iter().flat_map(|(element, count)| (1..=count).map(move |index| index * element));
        let leads = constants.map(|more| self.shifted(cell, Shift { constant: shift.constant + more, ..shift }));
        leads.collect()
    }

    /// Takes a part of an object as an array: cells that stand for the same place of its elements become one.
    fn make_array(&mut self, object: ObjectId, array: ArrayRange) {
        let data = &mut self.objects[object.0 as usize];
        if data.layout.arrays.contains(&array) {
            return;
        }
        data.layout.arrays.push(array);
        self.arrays_found += 1;
        self.changes[object.0 as usize] += 1;
        let cells = std::mem::take(&mut data.cells);
        let layout = data.layout.clone();
        for (offset, cell) in cells {
            let place = canonical(&layout, offset);
            match self.objects[object.0 as usize].cells.get(&place).copied() {
                Some(kept) => self.merge(cell, kept),
                None => {
                    self.objects[object.0 as usize].cells.insert(place, cell);
                    self.cells[cell.0 as usize].0.offset = place;
                }
            }
        }
    }

    fn merge(&mut self, cell: CellId, into: CellId) {
        let (from, to) = (self.cells[cell.0 as usize].1, self.cells[into.0 as usize].1);
        self.merged[cell.0 as usize] = into.0;
        self.nodes.unify(from, to);
    }
}

/// Like [`Layout::canonical`], for arrays that were found one after the other.
fn canonical(layout: &Layout, offset: u64) -> u64 {
    let mut offset = offset;
    for _ in 0..=layout.arrays.len() {
        match layout.canonical(offset) {
            same if same == offset => break,
            smaller => offset = smaller,
        }
    }
    offset
}
