//! Tables: the elements that a read chose between, kept for the next read of the same ones.

use core::slice::from_raw_parts;

use trace::layout::{Label, Node};
use trace::op::Op;
use trace::packed::View;

use super::choice::Address;
use super::contents;
use crate::build::Operand;
use crate::recorder::{Recorder, Shape, flag};
use crate::system::List;

/// Tables that are found again.
const RECENT: usize = 256;
/// Bytes of memory that a copy is kept of.
const LARGEST_COPY: usize = 4096;

/// Elements in the program's memory, at equal distances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Array {
    /// Where the first element lies.
    pub first: u64,
    /// From one to the next.
    pub step: u64,
    /// How many there are.
    pub count: usize,
    /// Bytes of one, at most 8.
    pub bytes: usize,
}

const NO_ARRAY: Array = Array { first: 0, step: 0, count: 0, bytes: 0 };

impl Array {
    /// Whether it can be a table that is kept.
    pub fn is_table(&self) -> bool {
        self.step.is_power_of_two() && self.size() <= LARGEST_COPY as u64
    }

    fn size(&self) -> u64 {
        (self.count as u64).saturating_sub(1).saturating_mul(self.step).saturating_add(self.bytes as u64)
    }

    fn memory(&self) -> &[u8] {
        // SAFETY: arrays lie in regions, and regions are memory that the program has.
        unsafe { from_raw_parts(self.first as *const u8, self.size() as usize) }
    }
}

/// The elements of an array as nodes, side by side.
#[derive(Clone, Copy)]
struct Table {
    /// Where the first element lies in the program's memory.
    place: u64,
    count: u32,
    width: u32,
    /// The first node; 0 for an array with labels that was read once, since most are not read again before they change, and for
    /// elements that are a sum.
    first: Label,
    is_affine: bool,
    /// The array as it was when the table was made, if there is a copy of its memory; else [`NO_ARRAY`].
    copied: Array,
}

/// The tables that were used last, one for each remainder of their place.
pub struct Tables {
    tables: List<Table>,
    copies: List<[u8; LARGEST_COPY]>,
    /// The slot of the table that the last read was made of, if it was made of one.
    latest: Option<usize>,
}

fn slot_of(place: u64) -> usize {
    (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % RECENT
}

impl Tables {
    /// None yet.
    pub fn new() -> Tables {
        // SAFETY: integers and truth values only; no table has 0 elements.
        unsafe { Tables { tables: List::zeroed(RECENT), copies: List::zeroed(RECENT), latest: None } }
    }

    /// Notes that the elements from `place` on are the sum of what the bits of their index add.
    pub fn add_affine(&mut self, width: u32, place: u64, count: usize) {
        let slot = slot_of(place);
        if let Some(table) = self.tables.items_mut().get_mut(slot) {
            *table = Table { place, count: count as u32, width, first: 0, is_affine: true, copied: NO_ARRAY };
            self.latest = Some(slot);
        }
    }

    /// Copies the memory of an array without labels, if the last read of it was made of a table.
    pub fn keep(&mut self, array: &Array) {
        let slot = slot_of(array.first);
        let is_table = self.latest.take() == Some(slot);
        let copy = self.copies.items_mut().get_mut(slot).filter(|_| is_table);
        let memory = array.memory();
        if let Some(copy) = copy.and_then(|copy| copy.get_mut(..memory.len()))
            && let Some(table) = self.tables.items_mut().get_mut(slot)
        {
            copy.copy_from_slice(memory);
            table.copied = *array;
        }
    }

    /// The table of an array without labels, if its memory is what it was then.
    fn known(&self, array: &Array) -> Option<&Table> {
        let slot = slot_of(array.first);
        let table = self.tables.items().get(slot).filter(|table| table.copied == *array)?;
        let memory = array.memory();
        (self.copies.items().get(slot)?.get(..memory.len())? == memory).then_some(table)
    }

    /// The label of the first of `elements`, which lie from `place` on and have `width` bits; 0 if they are no table.
    fn first_label(&mut self, recorder: &mut Recorder, width: u32, place: u64, elements: &[Operand]) -> Label {
        let slot = slot_of(place);
        let Some(table) = self.tables.items_mut().get_mut(slot) else { return 0 };
        let count = elements.len() as u32;
        let was_read = table.place == place && table.width == width && table.count == count && !table.is_affine;
        if !was_read || table.first != 0 {
            let mut nodes = (table.first..).map(|label| recorder.node(label));
            let is_same =
                was_read && elements.iter().all(|element| nodes.next().is_some_and(|node| is_element(&node, element)));
            if is_same {
                self.latest = Some(slot);
                return table.first;
            }
            *table = Table { place, count, width, first: 0, is_affine: false, copied: NO_ARRAY };
            // Constants are one table for the engine, however many they are.
            if elements.iter().any(|element| element.label != 0) {
                return 0;
            }
        }
        if !recorder.has_room_for(count) {
            return 0;
        }
        let first = recorder.node_count();
        for element in elements {
            recorder.append(node_of(width, element));
        }
        table.first = first;
        self.latest = Some(slot);
        first
    }
}

impl Recorder {
    /// The one of `elements`, which lie from `place` on and have `width` bits each, whose number is `index`, a label of just
    /// the bits that are needed to tell them apart; `None` if they are no table.
    pub fn look_up(
        &mut self,
        tables: &mut Tables,
        width: u32,
        index: Operand,
        place: u64,
        elements: &[Operand],
    ) -> Option<Operand> {
        tables.latest = None;
        let chosen = *elements.get(index.value as usize)?;
        if index.label == 0 || elements.iter().all(|element| *element == chosen) {
            return Some(chosen);
        }
        let first = tables.first_label(self, width, place, elements);
        (first != 0).then(|| self.element_of(first, width, index, elements.len(), chosen.value))
    }

    fn element_of(&mut self, first: Label, width: u32, index: Operand, count: usize, value: u64) -> Operand {
        let shape = Shape { op: Op::Lookup, width, a: index.label, b: first, imm: count as u64 };
        Operand { label: self.node_of_shape(shape, value), value }
    }

    /// The element at an address of an array without labels that was read before and has not changed since.
    pub fn known_element(&mut self, tables: &Tables, array: &Array, address: Address) -> Option<Operand> {
        let table = tables.known(array)?;
        let index = self.index_in(address, array.first, array.step.trailing_zeros(), array.count);
        if index.label == 0 || index.value >= array.count as u64 {
            return None;
        }
        let value = |index: usize| contents(array.first + index as u64 * array.step, array.bytes);
        Some(if table.is_affine {
            self.sum_of_bits(table.width, index, array.count, value)
        } else {
            self.element_of(table.first, table.width, index, array.count, value(index.value as usize))
        })
    }
}

/// An element as a node of its own: a constant, or all bits of what it is.
fn node_of(width: u32, element: &Operand) -> Node {
    let (op, imm) = if element.label == 0 { (Op::Const, element.value) } else { (Op::Extract, 0) };
    let (op, flags, width) = (op as u8, flag::ELEMENT, width as u16);
    Node { op, flags, width, a: element.label, b: 0, imm, value: element.value }
}

fn is_element(node: &View, element: &Operand) -> bool {
    node.a() == element.label && node.value() == element.value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn elements_take_no_room_where_nodes_are_looked_for() {
        let mut recorder = testing::recorder(u64::MAX);
        let shape = |index: u64| Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index };
        let value = 3;
        let byte = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: 0, value };
        let index = Operand { label: recorder.append(byte), value };
        let mut tables = Tables::new();
        // The table of nodes grows while there are many times more elements than it has room for.
        for round in 0..1000u64 {
            let elements: Vec<Operand> = (0..256).map(|number| Operand::concrete(round << 8 | number)).collect();
            let found = recorder.look_up(&mut tables, 64, index, round << 12, &elements).unwrap();
            assert_eq!(found.value, round << 8 | 3);
            for number in 0..100 {
                recorder.node_of_shape(shape(round << 32 | number), 0);
            }
        }
        let before = recorder.node_count();
        (0..1000u64).for_each(|round| assert_ne!(recorder.node_of_shape(shape(round << 32 | 99), 0), 0));
        assert_eq!(recorder.node_count(), before);
    }
}
