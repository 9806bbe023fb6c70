//! The table by which equal nodes become one node.
//!
//! Open addressing over `tag << 32 | label`. The tag is 32 bits of the shape's hash: a look-up reads a node only when
//! its tag agrees, and growing needs no node at all.

use core::ptr::NonNull;

use trace::layout::{Label, Node};

use super::Shape;
use crate::system::{release, reserve};

const FIRST_SIZE: usize = 1 << 15;

pub(super) struct ConsTable {
    entries: NonNull<u64>,
    mask: usize,
    used: usize,
}

pub(super) fn tag_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

pub(super) fn label_of(entry: u64) -> Label {
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
    pub(super) fn start(&self, tag: u32) -> usize {
        tag as usize & self.mask
    }

    #[inline(always)]
    pub(super) fn next(&self, at: usize) -> usize {
        (at + 1) & self.mask
    }

    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> u64 {
        // SAFETY: the index is masked.
        unsafe { self.entries.add(at & self.mask).read() }
    }

    /// Puts an entry where a look-up ended; `false` if there is no memory to grow.
    #[inline(always)]
    pub(super) fn insert(&mut self, at: usize, tag: u32, label: Label) -> bool {
        // SAFETY: the index is masked.
        unsafe { self.entries.add(at & self.mask).write(u64::from(tag) << 32 | u64::from(label)) };
        self.used += 1;
        // Probes get long above 5/8; memory per node doubles below 1/3.
        self.used * 8 < self.mask * 5 || self.grow()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> bool {
        let old_size = self.mask + 1;
        let Some(entries) = reserve::<u64>(old_size * 2) else { return false };
        let mask = old_size * 2 - 1;
        for at in 0..old_size {
            let entry = self.entry(at);
            if entry == 0 {
                continue;
            }
            let mut place = tag_of(entry) as usize & mask;
            // SAFETY: indices are masked; the new table has free entries.
            unsafe {
                while entries.add(place).read() != 0 {
                    place = (place + 1) & mask;
                }
                entries.add(place).write(entry);
            }
        }
        // SAFETY: the old table is of that size, and not used below.
        unsafe { release(self.entries, old_size) };
        self.entries = entries;
        self.mask = mask;
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
