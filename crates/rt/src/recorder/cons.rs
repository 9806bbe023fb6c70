//! The table by which equal nodes become one node.
//!
//! Entries are `tag << 32 | label`; the tag is 32 bits of the shape's hash, and a node is read only where it agrees.
//! A shape has its home in a line of eight entries that goes with its newest operand: computations work on what was
//! computed just before, so the lines that are looked at lie side by side and stay in the cache. What does not fit
//! its line lies anywhere, found by the hash.

use core::ptr::NonNull;

use trace::layout::{Label, Node};
use trace::op::Op;

use super::Shape;
use crate::system::{release, reserve, reserve_busy};

const FIRST_SIZE: usize = 1 << 15;
/// Entries in a cache line.
const LINE: usize = 8;
/// Labels whose users share a line: half a line for the one use that a node has on average.
const LABELS_PER_LINE_SHIFT: u32 = 2;

pub(super) struct ConsTable {
    entries: NonNull<u64>,
    mask: usize,
    used: usize,
}

/// Where a look-up ended.
pub(super) enum Found {
    /// At a node of the shape.
    Label(Label),
    /// At the free entry where it belongs.
    Free(usize),
}

fn tag_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

fn label_of(entry: u64) -> Label {
    entry as Label
}

/// A multiplication of two 64-bit halves, folded: every input bit reaches every bit of the tag.
#[inline(always)]
pub(super) fn hash(shape: &Shape) -> u32 {
    let operands = u64::from(shape.a) | u64::from(shape.b) << 32;
    let kind = u64::from(shape.op as u8) | u64::from(shape.width) << 8;
    let x = operands ^ 0x9e37_79b9_7f4a_7c15;
    let y = shape.imm.wrapping_add(kind.wrapping_mul(0xd6e8_feb8_6659_fd93)) ^ 0xa076_1d64_78bd_642f;
    let product = u128::from(x) * u128::from(y);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    (folded ^ folded >> 32) as u32
}

#[inline(always)]
pub(super) fn is_of_shape(node: &Node, shape: &Shape) -> bool {
    node.a == shape.a
        && node.b == shape.b
        && node.imm == shape.imm
        && node.op == shape.op as u8
        && u32::from(node.width) == shape.width
}

impl ConsTable {
    pub(super) fn new() -> Option<ConsTable> {
        Some(ConsTable { entries: reserve(FIRST_SIZE)?, mask: FIRST_SIZE - 1, used: 0 })
    }

    #[inline(always)]
    fn entry(&self, at: usize) -> u64 {
        // SAFETY: the index is masked.
        unsafe { self.entries.add(at & self.mask).read() }
    }

    /// Looks for a shape with this tag and newest operand; `is_wanted` looks at the node itself.
    #[inline(always)]
    pub(super) fn find(&self, tag: u32, newest: Label, is_wanted: impl Fn(Label) -> bool) -> Found {
        let home = if newest == 0 { tag } else { newest >> LABELS_PER_LINE_SHIFT } as usize;
        if let Some(found) = self.find_in_line(home, tag, &is_wanted) {
            return found;
        }
        // Not the middle: what wrapped around the end of the table has its first choice about there.
        let second_home = home.wrapping_add(self.mask / LINE / 8 * 3);
        if let Some(found) = self.find_in_line(second_home, tag, &is_wanted) {
            return found;
        }
        self.find_anywhere(tag, is_wanted)
    }

    /// Looks through one line; `None` if it is full of others.
    #[inline(always)]
    fn find_in_line(&self, line: usize, tag: u32, is_wanted: &impl Fn(Label) -> bool) -> Option<Found> {
        let first = line.wrapping_mul(LINE);
        for at in first..first + LINE {
            let entry = self.entry(at);
            if entry == 0 {
                return Some(Found::Free(at));
            }
            if tag_of(entry) == tag && is_wanted(label_of(entry)) {
                return Some(Found::Label(label_of(entry)));
            }
        }
        None
    }

    /// Full lines lie side by side, so the search jumps: an odd step comes to every line in the end.
    #[inline(never)]
    fn find_anywhere(&self, tag: u32, is_wanted: impl Fn(Label) -> bool) -> Found {
        let step = tag as usize >> 8 | 1;
        let mut line = tag as usize;
        loop {
            if let Some(found) = self.find_in_line(line, tag, &is_wanted) {
                return found;
            }
            line = line.wrapping_add(step);
        }
    }

    /// Fills the free entry where a look-up ended.
    #[inline(always)]
    pub(super) fn insert(&mut self, at: usize, tag: u32, label: Label) {
        // SAFETY: the index is masked.
        unsafe { self.entries.add(at & self.mask).write(u64::from(tag) << 32 | u64::from(label)) };
        self.used += 1;
    }

    /// Whether [`ConsTable::grow`] is due: probes get long above 5/8.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.used * 8 >= self.mask * 5
    }

    /// Doubles the table, filling it from the nodes in their order; `false` if there is no memory.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, nodes: &[Node]) -> bool {
        let size = self.mask + 1;
        let Some(entries) = reserve_busy::<u64>(size * 2) else { return false };
        // SAFETY: the old table is of that size, and nothing refers to it any more.
        unsafe { release(core::mem::replace(&mut self.entries, entries), size) };
        self.mask = size * 2 - 1;
        self.used = 0;
        for (node, label) in nodes.iter().zip(0..).skip(1) {
            // Input bytes are never looked for.
            if node.op == Op::Input as u8 {
                continue;
            }
            let Some(op) = crate::build::operator(node.op) else { continue };
            let shape = Shape { op, width: u32::from(node.width), a: node.a, b: node.b, imm: node.imm };
            let tag = hash(&shape);
            // Nodes of one shape are one node already.
            if let Found::Free(at) = self.find(tag, shape.newest(), |_| false) {
                self.insert(at, tag, label);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::recorder;
    use trace::op::Op;

    use super::super::Shape;

    #[test]
    fn equal_shapes_are_one_node_through_growth() {
        let mut recorder = recorder(u64::MAX);
        let shape = |index: u64| Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index };
        let labels: Vec<_> = (0..100_000).map(|index| recorder.node_of_shape(shape(index), index)).collect();
        assert_eq!(recorder.node_count(), 100_001);
        for (index, label) in labels.iter().enumerate() {
            assert_eq!(recorder.node_of_shape(shape(index as u64), 0), *label);
            assert_eq!(recorder.node(*label).imm, index as u64);
        }
        assert_eq!(recorder.node_count(), 100_001);
    }

    #[test]
    fn the_trace_ends_at_the_memory_cap() {
        let cap = 1_000_000;
        let mut recorder = recorder(cap);
        let mut index = 0;
        while recorder.node_of_shape(Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index }, index) != 0 {
            index += 1;
        }
        assert_eq!(u64::from(recorder.node_count()), cap / 32);
        assert_eq!(
            recorder.header().state.load(std::sync::atomic::Ordering::Relaxed),
            trace::layout::State::CapReached as u32
        );
    }
}
