//! Nodes in cells.

use crate::layout::{Label, Node};
use crate::op::Op;

/// A node, or the second half of one.
///
/// `head` is operator (8 bits), flags (8), width (11), whether the runtime knows a node that is computed from this one (1) and
/// the form (4), which says what the other fields are.
#[repr(C, align(16))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeCell {
    head: u32,
    a: u32,
    b: u32,
    value: u32,
}

const _: () = assert!(size_of::<NodeCell>() == 16);

const FLAGS_SHIFT: u32 = 8;
const WIDTH_SHIFT: u32 = 16;
const WIDTH_MASK: u32 = 0x7ff;
const USED: u32 = 1 << 27;
const FORM_SHIFT: u32 = 28;
/// All of a head that belongs to the shape of a node.
const SHAPE_MASK: u32 = !(0xff << FLAGS_SHIFT | USED);

/// Both operands, no immediate.
const LABELS: u32 = 0;
/// `b` is the immediate; there is no second operand.
const IMMEDIATE: u32 = 1;
/// The same, with copies of its sign bit above it.
const NEGATIVE: u32 = 2;
/// `a` is the immediate; there is no first operand.
const IMMEDIATE_FIRST: u32 = 3;
/// `b` is the immediate; the second operand is the first.
const TWICE: u32 = 4;
/// One operand, no immediate; `b` is the upper half of the value.
const LONG_VALUE: u32 = 5;
/// No operand; the immediate is the value, and `b` the upper half of both.
const CONSTANT: u32 = 6;
/// `b` is the lower half of the immediate; what is behind the lowest byte of `value` is the upper half.
const INPUT: u32 = 7;
/// Of an [`Op::Add`] alone: `b` and `value` are the halves of the immediate, and the value is its sum with that of the first
/// operand. Addresses are like this.
const SUM: u32 = 8;
/// Immediate and value are in the next cell.
const LONG: u32 = 9;

impl NodeCell {
    /// The node in this cell, and in the `next` one where that belongs to it. `value_of` knows the values of nodes before it.
    pub fn unpack(self, next: NodeCell, value_of: impl FnOnce(Label) -> u64) -> Node {
        let cells = [self, next];
        // SAFETY: both cells are there while the node is unpacked.
        let view = unsafe { View::at(cells.as_ptr(), 0) };
        let value = if view.form() == SUM { sum(value_of(self.a), view.imm(), self.width()) } else { view.value() };
        Node { op: view.op, flags: view.flags(), width: view.width(), a: view.a(), b: view.b(), imm: view.imm(), value }
    }

    /// The bits of [`Node::flags`].
    #[inline(always)]
    pub fn flags(&self) -> u8 {
        (self.head >> FLAGS_SHIFT) as u8
    }

    /// Sets a bit of [`Node::flags`]; whether it was not set before.
    #[inline(always)]
    pub fn set_flag(&mut self, flag: u8) -> bool {
        self.set(u32::from(flag) << FLAGS_SHIFT)
    }

    /// Notes that a node is computed from this one; whether that is the first time.
    #[inline(always)]
    pub fn use_first(&mut self) -> bool {
        self.set(USED)
    }

    /// Writes only what changes: a line that was written to has to go back to memory.
    #[inline(always)]
    fn set(&mut self, bit: u32) -> bool {
        let is_first = self.head & bit == 0;
        if is_first {
            self.head |= bit;
        }
        is_first
    }

    /// Width in bits.
    #[inline(always)]
    pub fn width(&self) -> u16 {
        (self.head >> WIDTH_SHIFT & WIDTH_MASK) as u16
    }

    /// Changes the value of an input byte.
    #[inline(always)]
    pub fn set_input(&mut self, value: u8) {
        if self.head >> FORM_SHIFT == INPUT {
            self.value = self.value & !0xff | u32::from(value);
        }
    }

    /// Whether the next cell belongs to this one.
    #[inline(always)]
    pub fn is_long(&self) -> bool {
        self.head >> FORM_SHIFT == LONG
    }

    /// A cell as the second half of a node.
    #[inline(always)]
    fn half(imm: u64, value: u64) -> NodeCell {
        NodeCell { head: imm as u32, a: (imm >> 32) as u32, b: value as u32, value: (value >> 32) as u32 }
    }

    #[inline(always)]
    fn half_imm(&self) -> u64 {
        joined(self.head, self.a)
    }

    #[inline(always)]
    fn half_value(&self) -> u64 {
        joined(self.b, self.value)
    }
}

/// A sum of so many bits.
#[inline(always)]
fn sum(a: u64, b: u64, width: u16) -> u64 {
    let unused = 64 - u32::from(width).clamp(1, 64);
    a.wrapping_add(b) << unused >> unused
}

#[inline(always)]
fn joined(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// A node on its way into cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedNode {
    cell: NodeCell,
    imm: u64,
    value: u64,
}

impl PackedNode {
    /// Packs a node. The value of a sum with a constant is that sum.
    #[inline(always)]
    pub fn of(node: &Node) -> PackedNode {
        let Node { op, flags, width, a, b, imm, value } = *node;
        let head = u32::from(op) | u32::from(flags) << FLAGS_SHIFT | (u32::from(width) & WIDTH_MASK) << WIDTH_SHIFT;
        if (imm | value) >> 32 == 0 && op != Op::Input as u8 && (b == 0 || imm == 0) {
            // Most nodes.
            let (form, b) = if b == 0 { (IMMEDIATE, imm as u32) } else { (LABELS, b) };
            let cell = NodeCell { head: head | form << FORM_SHIFT, a, b, value: value as u32 };
            return PackedNode { cell, imm, value };
        }
        let is_short_imm = imm >> 32 == 0;
        let mut cell = NodeCell { head: 0, a, b, value: value as u32 };
        let form = if op == Op::Input as u8 && b == 0 && value <= 0xff && imm >> 56 == 0 {
            cell.b = imm as u32;
            cell.value |= (imm >> 32 << 8) as u32;
            INPUT
        } else if value >> 32 != 0 {
            cell.b = (value >> 32) as u32;
            match (a, b) {
                (0, 0) if imm == value => CONSTANT,
                (1.., 0) if imm == 0 => LONG_VALUE,
                (1.., 0) if op == Op::Add as u8 && width <= 64 => SUM,
                _ => LONG,
            }
        } else if b == 0 {
            cell.b = imm as u32;
            match imm {
                _ if is_short_imm => IMMEDIATE,
                imm if imm as i32 as i64 as u64 == imm => NEGATIVE,
                _ if op == Op::Add as u8 && a != 0 && width <= 64 => SUM,
                _ => LONG,
            }
        } else if imm == 0 {
            LABELS
        } else if a == 0 && is_short_imm {
            cell.a = imm as u32;
            IMMEDIATE_FIRST
        } else if a == b && is_short_imm {
            cell.b = imm as u32;
            TWICE
        } else {
            LONG
        };
        if form == LONG {
            (cell.b, cell.value) = (b, 0);
        } else if form == SUM {
            (cell.b, cell.value) = (imm as u32, (imm >> 32) as u32);
        }
        cell.head = head | form << FORM_SHIFT;
        PackedNode { cell, imm, value }
    }

    /// Packs a node over two labels, without flags and immediate.
    #[inline(always)]
    pub fn of_labels(op: Op, width: u16, (a, b): (Label, Label), value: u64) -> PackedNode {
        let (form, kept) = if value >> 32 == 0 { (LABELS, value as u32) } else { (LONG, 0) };
        let head = u32::from(op as u8) | (u32::from(width) & WIDTH_MASK) << WIDTH_SHIFT | form << FORM_SHIFT;
        PackedNode { cell: NodeCell { head, a, b, value: kept }, imm: 0, value }
    }

    /// Writes the first cell, by words: what was put together in smaller pieces would have to be in memory first.
    ///
    /// # Safety
    /// `to` can be written.
    #[inline(always)]
    pub unsafe fn write_first(&self, to: *mut NodeCell) {
        let NodeCell { head, a, b, value } = self.cell;
        // SAFETY: by contract; a cell is two words, which are little-endian.
        unsafe { to.cast::<[u64; 2]>().write([joined(head, a), joined(b, value)]) };
    }

    /// The first cell.
    #[inline(always)]
    pub fn first(&self) -> NodeCell {
        self.cell
    }

    /// The second one, if there is one.
    #[inline(always)]
    pub fn second(&self) -> Option<NodeCell> {
        self.cell.is_long().then(|| NodeCell::half(self.imm, self.value))
    }

    /// Whether the value is not kept, because it is the sum of operand and immediate.
    pub fn is_sum(&self) -> bool {
        self.cell.head >> FORM_SHIFT == SUM
    }

    /// Whether a cell, and the `next` one, are a node of the same shape: all of it but flags and value.
    #[inline(always)]
    pub fn is_at(&self, cell: &NodeCell, next: impl FnOnce() -> NodeCell) -> bool {
        let is_alike = (cell.head ^ self.cell.head) & SHAPE_MASK == 0 && cell.a == self.cell.a && cell.b == self.cell.b;
        if !is_alike || !self.has_more_imm() {
            return is_alike;
        }
        let imm = match self.cell.head >> FORM_SHIFT {
            LONG => next().half_imm(),
            SUM => joined(cell.b, cell.value),
            INPUT => joined(cell.b, cell.value >> 8),
            _ => joined(cell.value, cell.b),
        };
        imm == self.imm
    }

    /// Whether there is more of the immediate than the operands' fields say.
    #[inline(always)]
    fn has_more_imm(&self) -> bool {
        self.cell.head >> FORM_SHIFT >= CONSTANT
    }

    /// A number that differs for most shapes: a product of two halves, folded and mixed, so that every bit reaches every other.
    #[inline(always)]
    pub fn hash(&self) -> u32 {
        let operands = joined(self.cell.a, self.cell.b) ^ 0x9e37_79b9_7f4a_7c15;
        let kind = u64::from(self.cell.head & SHAPE_MASK).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let imm = if self.has_more_imm() { self.imm } else { 0 };
        let product = u128::from(operands) * u128::from(imm.wrapping_add(kind) ^ 0xa076_1d64_78bd_642f);
        let folded = (product as u64) ^ ((product >> 64) as u64);
        (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
    }
}

/// A node as it lies in its cells. What is not asked for is not looked at: a processor that has just written a part of a
/// cell takes long to read the whole.
#[derive(Clone, Copy)]
pub struct View {
    /// [`Op`] code.
    pub op: u8,
    cells: *const NodeCell,
    label: Label,
}

impl View {
    /// The node of a label.
    ///
    /// # Safety
    /// As long as the view is used the `cells` up to that of the label can be read, and the one behind it.
    #[inline(always)]
    pub unsafe fn at(cells: *const NodeCell, label: Label) -> View {
        // SAFETY: by contract.
        View { op: unsafe { (*cells.add(label as usize)).head as u8 }, cells, label }
    }

    #[inline(always)]
    fn cell(&self) -> &NodeCell {
        // SAFETY: by the contract of `at`.
        unsafe { &*self.cells.add(self.label as usize) }
    }

    #[inline(always)]
    fn next(&self) -> &NodeCell {
        // SAFETY: by the contract of `at`.
        unsafe { &*self.cells.add(self.label as usize + 1) }
    }

    #[inline(always)]
    fn form(&self) -> u32 {
        self.cell().head >> FORM_SHIFT
    }

    /// As [`Node::flags`].
    #[inline(always)]
    pub fn flags(&self) -> u8 {
        self.cell().flags()
    }

    /// As [`Node::width`].
    #[inline(always)]
    pub fn width(&self) -> u16 {
        self.cell().width()
    }

    /// As [`Node::a`].
    #[inline(always)]
    pub fn a(&self) -> Label {
        if self.form() == IMMEDIATE_FIRST { 0 } else { self.cell().a }
    }

    /// As [`Node::b`].
    #[inline(always)]
    pub fn b(&self) -> Label {
        match self.form() {
            LABELS | IMMEDIATE_FIRST | LONG => self.cell().b,
            TWICE => self.cell().a,
            _ => 0,
        }
    }

    /// As [`Node::imm`].
    #[inline(always)]
    pub fn imm(&self) -> u64 {
        match self.form() {
            IMMEDIATE | TWICE => self.cell().b.into(),
            NEGATIVE => self.cell().b as i32 as i64 as u64,
            IMMEDIATE_FIRST => self.cell().a.into(),
            CONSTANT => joined(self.cell().value, self.cell().b),
            INPUT => joined(self.cell().b, self.cell().value >> 8),
            SUM => joined(self.cell().b, self.cell().value),
            LONG => self.next().half_imm(),
            _ => 0,
        }
    }

    /// As [`Node::value`].
    #[inline(always)]
    pub fn value(&self) -> u64 {
        match self.form() {
            LONG_VALUE | CONSTANT => joined(self.cell().value, self.cell().b),
            INPUT => u64::from(self.cell().value & 0xff),
            SUM => self.sum(),
            LONG => self.next().half_value(),
            _ => self.cell().value.into(),
        }
    }

    /// The value of a sum. Each step goes to an older node, whatever the cells say.
    fn sum(&self) -> u64 {
        let (mut total, mut current) = (0u64, *self);
        while current.form() == SUM {
            total = total.wrapping_add(current.imm());
            let operand = current.a();
            if operand >= current.label {
                return 0;
            }
            // SAFETY: by the contract of `at`, since the label is smaller.
            current = unsafe { View::at(self.cells, operand) };
        }
        sum(total, current.value(), self.width())
    }

    /// All of it.
    pub fn node(&self) -> Node {
        Node {
            op: self.op,
            flags: self.flags(),
            width: self.width(),
            a: self.a(),
            b: self.b(),
            imm: self.imm(),
            value: self.value(),
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        // Halves that come again and again: numbers that differ in one of them must be told apart.
        let half = || prop_oneof![3 => prop::sample::select(vec![0, 1, 7, u32::MAX, 1 << 31]), 1 => any::<u32>()];
        (half(), half()).prop_map(|(low, high)| joined(low, high))
    }

    fn nodes() -> impl Strategy<Value = Node> {
        let label = || prop_oneof![Just(0), Just(7u32), 1..4u32];
        (any::<u8>(), any::<u8>(), prop::sample::select(vec![8, 32, 64, 1024]), label(), label(), number(), number())
            .prop_flat_map(|(op, flags, width, a, b, imm, value)| {
                prop::sample::select(vec![op, Op::Input as u8, Op::Const as u8, Op::Add as u8]).prop_flat_map(
                    move |op| {
                        prop::sample::select(vec![imm, value]).prop_map(move |imm| Node {
                            op,
                            flags,
                            width,
                            a,
                            b,
                            imm,
                            value,
                        })
                    },
                )
            })
    }

    const OPERAND: u64 = 0x1234_5678_9abc;

    /// The node as it would be if its operand had the value [`OPERAND`].
    fn corrected(node: Node) -> Node {
        let is_sum = PackedNode::of(&node).is_sum();
        Node { value: if is_sum { sum(OPERAND, node.imm, node.width) } else { node.value }, ..node }
    }

    fn unpacked(packed: &PackedNode) -> Node {
        packed.first().unpack(packed.second().unwrap_or_default(), |_| OPERAND)
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(node in nodes()) {
            let node = corrected(node);
            if PackedNode::of(&node) == PackedNode::of(&corrected(node)) {
                prop_assert_eq!(unpacked(&PackedNode::of(&node)), node);
            }
        }

        #[test]
        fn nodes_over_two_labels_are_packed_as_others_are(width in 1..64u16, a in 1..9u32, b in 1..9u32, value in number()) {
            let node = Node { op: Op::Mul as u8, flags: 0, width, a, b, imm: 0, value };
            prop_assert_eq!(PackedNode::of_labels(Op::Mul, width, (a, b), value), PackedNode::of(&node));
        }

        #[test]
        fn equal_shapes_are_found_and_no_others(node in nodes(), other in nodes(), flags in any::<u8>(), field in 0..7u8) {
            let (packed, flagged) = (PackedNode::of(&node), PackedNode::of(&Node { flags, ..node }));
            let next = || flagged.second().unwrap_or_default();
            prop_assert!(packed.is_at(&flagged.first(), next));
            prop_assert_eq!(packed.hash(), flagged.hash());
            // Most nodes differ in everything; one field is what could be overlooked.
            let other = match field {
                0 => Node { op: other.op, ..node },
                1 => Node { width: other.width, ..node },
                2 => Node { a: other.a, ..node },
                3 => Node { b: other.b, ..node },
                4 => Node { imm: other.imm, ..node },
                5 => Node { imm: other.imm, value: other.imm, ..node },
                _ => Node { imm: node.imm ^ 1 << (other.imm % 64), value: node.value ^ 1 << (other.imm % 64), ..node },
            };
            let of_other = PackedNode::of(&other);
            let is_found = packed.is_at(&of_other.first(), || of_other.second().unwrap_or_default());
            let shape = |node: &Node| Node { flags: 0, value: 0, ..*node };
            prop_assert!(!is_found || shape(&node) == shape(&other));
        }

        #[test]
        fn what_lies_side_by_side_is_short(a in 1..1000u32, value in any::<u64>(), offset in 0..1u64 << 56) {
            let (flags, width) = (0, 64);
            let nodes = [
                Node { op: Op::Const as u8, flags, width, a: 0, b: 0, imm: value, value },
                Node { op: Op::Extract as u8, flags, width, a, b: 0, imm: 0, value },
                Node { op: Op::Input as u8, flags, width: 8, a: 0, b: 0, imm: offset, value: value & 0xff },
            ];
            for node in nodes {
                prop_assert_eq!(PackedNode::of(&node).second(), None);
            }
        }
    }
}
