//! Tables: the elements that a read chose between, kept for the next read of the same ones.

use trace::layout::{Label, Node};
use trace::op::Op;

use crate::build::Operand;
use crate::recorder::{Recorder, Shape, flag};
use crate::system::List;

/// Tables that are found again.
const RECENT: usize = 256;

/// The elements of an array as nodes, side by side.
#[derive(Clone, Copy)]
struct Table {
    /// Where the first element lies in the program's memory.
    place: u64,
    count: u32,
    width: u32,
    /// The first node; 0 for an array with labels that was read once, since most are not read again before they change.
    first: Label,
}

/// The tables that were used last, one for each remainder of their place.
pub struct Tables(List<Table>);

impl Tables {
    /// None yet.
    pub fn new() -> Tables {
        // SAFETY: integers only; no table has 0 elements.
        Tables(unsafe { List::zeroed(RECENT) })
    }

    /// The label of the first of `elements`, which lie from `place` on and have `width` bits; 0 if they are no table.
    fn first_label(&mut self, recorder: &mut Recorder, width: u32, place: u64, elements: &[Operand]) -> Label {
        let slot = (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % RECENT;
        let Some(table) = self.0.items_mut().get_mut(slot) else { return 0 };
        let count = elements.len() as u32;
        let was_read = table.place == place && table.width == width && table.count == count;
        if !was_read || table.first != 0 {
            let mut nodes = (table.first..).map(|label| *recorder.node(label));
            let is_same =
                was_read && elements.iter().all(|element| nodes.next().is_some_and(|node| is_element(&node, element)));
            if is_same {
                return table.first;
            }
            *table = Table { place, count, width, first: 0 };
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
        let chosen = *elements.get(index.value as usize)?;
        if index.label == 0 || elements.iter().all(|element| *element == chosen) {
            return Some(chosen);
        }
        let first = tables.first_label(self, width, place, elements);
        let shape = Shape { op: Op::Lookup, width, a: index.label, b: first, imm: elements.len() as u64 };
        (first != 0).then(|| Operand { label: self.node_of_shape(shape, chosen.value), value: chosen.value })
    }
}

/// An element as a node of its own: a constant, or all bits of what it is.
fn node_of(width: u32, element: &Operand) -> Node {
    let (op, imm) = if element.label == 0 { (Op::Const, element.value) } else { (Op::Extract, 0) };
    let (op, flags, width) = (op as u8, flag::ELEMENT, width as u16);
    Node { op, flags, width, a: element.label, b: 0, bytes: 0, imm, value: element.value }
}

fn is_element(node: &Node, element: &Operand) -> bool {
    node.a == element.label && node.value == element.value
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
        let byte = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, bytes: 0, imm: 0, value };
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
