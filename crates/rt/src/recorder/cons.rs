//! The table by which equal nodes become one node.
//!
//! Most nodes are the operand of one other. So the first shape with a certain newest operand is kept beside that operand,
//! which was made just before as a rule, and only those that come later are in a hash table.
//!
//! That is made of cache lines with the labels of twelve nodes and 8 bits of their hashes, which are compared all at
//! once; a node is read only where those bits agree. A shape has its home in a line that goes with its newest operand: computations work on what was computed
//! just before, so the lines that are looked at lie side by side and stay in the cache. What does not fit its home lies
//! in any line, found by the hash.

use core::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_load_si128, _mm_movemask_epi8, _mm_set1_epi8};
use core::mem::offset_of;
use core::ptr::NonNull;

use trace::layout::{Label, NODES_CAPACITY, Node};
use trace::op::Op;

use super::{Shape, flag};
use crate::system::{populate, release, reserve, reserve_busy};

const FIRST_SIZE: usize = 1 << 12;
/// Nodes in a line.
const PLACES: usize = 12;
/// The table grows when its lines hold so many on average: fuller ones make searches long.
const LARGEST_LOAD: usize = 9;
/// Labels whose users share a home, as a shift: half a line for the one use that a node has on average.
const LABELS_PER_HOME_SHIFT: u32 = 2;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line {
    labels: [Label; PLACES],
    tags: [u8; PLACES],
    used: u32,
}

// The tags and what follows them are one vector.
const _: () = assert!(size_of::<Line>() == 64 && offset_of!(Line, tags) == 48);

pub(super) struct ConsTable {
    /// The first node with this one as its newest operand, or 0.
    first: NonNull<Label>,
    lines: NonNull<Line>,
    mask: usize,
    used: usize,
}

/// Where a look-up ended.
pub(super) enum Found {
    /// At a node of the shape.
    Label(Label),
    /// Nowhere; this is where it belongs.
    Room(Room),
}

/// A place for a new node.
pub(super) enum Room {
    /// Beside its newest operand.
    First(Label),
    /// In the line of this index, with this hash.
    Line(usize, u32),
}

/// The part of a hash that is kept beside the label; the lower part selects lines.
fn tag_of(hash: u32) -> u8 {
    (hash >> 24) as u8
}

/// A multiplication of two 64-bit halves, folded: every input bit reaches every bit of the result.
#[inline(always)]
fn hash(shape: &Shape) -> u32 {
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

/// Whether a node was ever in the table: input bytes and the elements of tables are not.
fn is_looked_for(node: &Node, nodes: &[Node]) -> bool {
    let is_whole = || node.imm == 0 && nodes.get(node.a as usize).is_some_and(|operand| operand.width == node.width);
    match crate::build::operator(node.op) {
        Some(Op::Input) | None => false,
        Some(Op::Const) => node.flags & flag::ELEMENT == 0,
        Some(Op::Extract) => node.flags & flag::ELEMENT == 0 || !is_whole(),
        Some(_) => true,
    }
}

impl ConsTable {
    pub(super) fn new() -> Option<ConsTable> {
        let first = reserve(NODES_CAPACITY as usize)?;
        Some(ConsTable { first, lines: reserve(FIRST_SIZE)?, mask: FIRST_SIZE - 1, used: 0 })
    }

    /// Makes room present for `count` nodes behind the first `start` ones.
    pub(super) fn expect_nodes(&self, start: usize, count: usize) {
        // SAFETY: there are no more nodes than the capacity.
        let first = unsafe { self.first.add(start) };
        populate(first.as_ptr() as usize, count * size_of::<Label>());
    }

    /// The first node with this newest operand, or 0.
    #[inline(always)]
    fn first(&self, newest: Label) -> Label {
        debug_assert!(newest < NODES_CAPACITY);
        // SAFETY: labels are below the capacity.
        unsafe { *self.first.add(newest as usize).as_ref() }
    }

    #[inline(always)]
    fn line(&self, index: usize) -> &Line {
        // SAFETY: the index is masked.
        unsafe { self.lines.add(index & self.mask).as_ref() }
    }

    /// Looks for a shape; `is_wanted` looks at the node itself.
    #[inline(always)]
    pub(super) fn find(&self, shape: &Shape, is_wanted: impl Fn(Label) -> bool) -> Found {
        let newest = shape.newest();
        if newest != 0 {
            match self.first(newest) {
                0 => return Found::Room(Room::First(newest)),
                first if is_wanted(first) => return Found::Label(first),
                _ => {}
            }
        }
        self.find_in_lines(hash(shape), newest, is_wanted)
    }

    #[inline(always)]
    fn find_in_lines(&self, hash: u32, newest: Label, is_wanted: impl Fn(Label) -> bool) -> Found {
        let home = if newest == 0 { hash } else { newest >> LABELS_PER_HOME_SHIFT } as usize;
        if let Some(found) = self.find_in_line(home, hash, &is_wanted) {
            return found;
        }
        // Not the middle: what wrapped around the end of the table has its first choice about there.
        let second_home = home.wrapping_add(self.mask / 8 * 3);
        if let Some(found) = self.find_in_line(second_home, hash, &is_wanted) {
            return found;
        }
        self.find_anywhere(hash, is_wanted)
    }

    /// Looks through one line; `None` if it is full of others.
    #[inline(always)]
    fn find_in_line(&self, index: usize, hash: u32, is_wanted: &impl Fn(Label) -> bool) -> Option<Found> {
        let line = self.line(index);
        // SAFETY: the tags start at a multiple of 16 bytes, and the line is 16 bytes longer. All x86-64 has SSE2.
        let equal = unsafe {
            let tags = _mm_load_si128((&raw const *line).cast::<__m128i>().add(3));
            _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag_of(hash) as i8)))
        };
        let mut equal = equal as u32 & !(u32::MAX << line.used);
        while equal != 0 {
            let label = line.labels.get(equal.trailing_zeros() as usize).copied().unwrap_or(0);
            if is_wanted(label) {
                return Some(Found::Label(label));
            }
            equal &= equal - 1;
        }
        ((line.used as usize) < PLACES).then_some(Found::Room(Room::Line(index, hash)))
    }

    /// Full lines lie side by side, so the search jumps: an odd step comes to every line in the end.
    #[inline(never)]
    fn find_anywhere(&self, hash: u32, is_wanted: impl Fn(Label) -> bool) -> Found {
        let step = hash as usize >> 8 | 1;
        let mut index = hash as usize;
        loop {
            if let Some(found) = self.find_in_line(index, hash, &is_wanted) {
                return found;
            }
            index = index.wrapping_add(step);
        }
    }

    /// Adds a node where a look-up ended.
    #[inline(always)]
    pub(super) fn insert(&mut self, room: Room, label: Label) {
        let (index, hash) = match room {
            // SAFETY: labels are below the capacity, and `self` is borrowed exclusively.
            Room::First(newest) => return unsafe { *self.first.add(newest as usize).as_mut() = label },
            Room::Line(index, hash) => (index, hash),
        };
        // SAFETY: the index is masked, and `self` is borrowed exclusively.
        let line = unsafe { self.lines.add(index & self.mask).as_mut() };
        let place = line.used as usize;
        if let (Some(tag), Some(entry)) = (line.tags.get_mut(place), line.labels.get_mut(place)) {
            *tag = tag_of(hash);
            *entry = label;
            line.used += 1;
            self.used += 1;
        }
    }

    /// Whether [`ConsTable::grow`] is due.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.used > self.mask * LARGEST_LOAD
    }

    /// Doubles the table, filling it from the nodes in their order; `false` if there is no memory.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, nodes: &[Node]) -> bool {
        let size = self.mask + 1;
        let Some(lines) = reserve_busy::<Line>(size * 2) else { return false };
        // SAFETY: the old table is of that size, and nothing refers to it any more.
        unsafe { release(core::mem::replace(&mut self.lines, lines), size) };
        self.mask = size * 2 - 1;
        self.used = 0;
        for (node, label) in nodes.iter().zip(0..).skip(1) {
            if !is_looked_for(node, nodes) {
                continue;
            }
            let Some(op) = crate::build::operator(node.op) else { continue };
            let shape = Shape { op, width: u32::from(node.width), a: node.a, b: node.b, imm: node.imm };
            let newest = shape.newest();
            if newest != 0 && self.first(newest) == label {
                continue;
            }
            // Nodes of one shape are one node already.
            if let Found::Room(room) = self.find_in_lines(hash(&shape), newest, |_| false) {
                self.insert(room, label);
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
    fn equal_shapes_over_one_operand_are_one_node_through_growth() {
        let mut recorder = recorder(u64::MAX);
        let operand = recorder.node_of_shape(Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: 7 }, 7);
        let shape = |index: u64| Shape { op: Op::Add, width: 64, a: operand, b: 0, imm: index };
        let labels: Vec<_> = (0..100_000).map(|index| recorder.node_of_shape(shape(index), index)).collect();
        assert_eq!(recorder.node_count(), 100_002);
        for (index, label) in labels.iter().enumerate() {
            assert_eq!(recorder.node_of_shape(shape(index as u64), index as u64), *label);
        }
        assert_eq!(recorder.node_count(), 100_002);
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
