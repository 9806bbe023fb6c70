//! The memory by which equal nodes become one node.
//!
//! Most nodes are the operand of one other, or of one that is computed again and again. So for each node there is a place for the
//! first that was computed from it as its newest operand ([`Firsts`]), which takes no hash. The others are in cache lines with the labels of twelve nodes and
//! 8 bits of their hashes, which are compared all at once; a node is read only where those bits agree.
//!
//! What costs time is lines that are not in the processor's caches. So a node is
//! kept where the nodes over neighbours of its newest operand are: computations work on what was computed just before.
//!
//! There is room for so many nodes, and the oldest are forgotten for new ones: a table of all nodes would be half as
//! large as the trace. What was forgotten and comes again becomes a second node that says the same.

use core::arch::x86_64::{
    __m128i, _MM_HINT_T0, _mm_cmpeq_epi8, _mm_load_si128, _mm_movemask_epi8, _mm_prefetch, _mm_set1_epi8,
};
use core::mem::offset_of;
use core::ptr::NonNull;

use trace::layout::Label;

use crate::system::{HUGE_PAGE, populate, release, reserve, reserve_huge};

/// Nodes in a line.
const PLACES: u32 = 12;

/// Labels that have a place in [`Firsts`] at the same time.
const FIRSTS: usize = 1 << 17;

/// Where the few other nodes over most operands are: two lines, side by side, for 32 labels. Which ones is known before the node
/// is.
const HOME: Group = Group { labels_shift: 5, lines_shift: 1 };
const HOME_LINES: usize = 1 << 13;
/// Where those over operands that many nodes are computed from go next: 8 lines for 8 labels.
const NEAR: Group = Group { labels_shift: 3, lines_shift: 3 };
const NEAR_LINES: usize = 1 << 13;
/// Where the others go, by their hash alone: first few lines, then as many as a huge page has.
const FIRST_FAR_LINES: usize = 1 << 10;
const FAR_LINES: usize = HUGE_PAGE / size_of::<Line>();

/// A run that has made fewer nodes may well end before it has made as many again.
const SHORT: Label = 1 << 14;

/// Lines that belong to a block of labels.
struct Group {
    labels_shift: u32,
    lines_shift: u32,
}

impl Group {
    /// The number of a label's block.
    #[inline(always)]
    fn block(&self, newest: Label) -> u32 {
        newest >> self.labels_shift
    }

    #[inline(always)]
    fn line(&self, block: u32, hash: u32) -> usize {
        (block << self.lines_shift | hash & ((1 << self.lines_shift) - 1)) as usize
    }
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line {
    labels: [Label; PLACES as usize],
    tags: [u8; PLACES as usize],
    /// The block that the line belongs to, and in the lowest four bits how many places are used. Of a line that belongs to all:
    /// the place for the next node.
    state: u32,
}

const USED_BITS: u32 = 4;
const USED_MASK: u32 = (1 << USED_BITS) - 1;

// The tags and what follows them are one vector.
const _: () = assert!(size_of::<Line>() == 64 && offset_of!(Line, tags) == 48);

impl Line {
    /// How many places are used for nodes of a block.
    #[inline(always)]
    fn used(&self, block: u32) -> Option<u32> {
        (self.state >> USED_BITS == block).then_some(self.state & USED_MASK)
    }

    /// Whether the line never had nodes of a block, as far as can be seen: it still has those of an older one.
    #[inline(always)]
    fn is_before(&self, block: u32) -> bool {
        self.state >> USED_BITS < block
    }

    /// The node with this tag among the first `used` ones.
    #[inline(always)]
    fn find(&self, used: u32, tag: u8, is_wanted: &impl Fn(Label) -> bool) -> Option<Label> {
        // SAFETY: the tags start at a multiple of 16 bytes, and the line is 16 bytes longer. All x86-64 has SSE2.
        let equal = unsafe {
            let tags = _mm_load_si128((&raw const *self).cast::<__m128i>().add(3));
            _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag as i8)))
        };
        let mut equal = equal as u32 & !(u32::MAX << used);
        while equal != 0 {
            // Places that nothing was put into yet have label 0, whose node is none.
            let label = self.labels.get(equal.trailing_zeros() as usize).copied().unwrap_or(0);
            if is_wanted(label) {
                return Some(label);
            }
            equal &= equal - 1;
        }
        None
    }

    #[inline(always)]
    fn put(&mut self, place: u32, tag: u8, label: Label) {
        let place = place as usize;
        if let (Some(kept), Some(entry)) = (self.tags.get_mut(place), self.labels.get_mut(place)) {
            (*kept, *entry) = (tag, label);
        }
    }

    /// Adds a node of a block, for which nodes of another one are forgotten; `false` if there is no room.
    #[inline(always)]
    fn add(&mut self, block: u32, tag: u8, label: Label) -> bool {
        let used = self.used(block).unwrap_or(0);
        if used >= PLACES {
            return false;
        }
        self.put(used, tag, label);
        self.state = block << USED_BITS | (used + 1);
        true
    }

    /// Adds a node, for which the oldest one is forgotten.
    #[inline(always)]
    fn replace(&mut self, tag: u8, label: Label) {
        self.put(self.state, tag, label);
        self.state = if self.state + 1 >= PLACES { 0 } else { self.state + 1 };
    }
}

struct Lines {
    first: NonNull<Line>,
    mask: usize,
}

impl Lines {
    fn new(count: usize) -> Option<Lines> {
        Some(Lines { first: reserve(count)?, mask: count - 1 })
    }

    /// Makes lines present in one go: when they are looked at first and written to later, each page costs two faults.
    fn populate(&self, first: usize, count: usize) {
        // SAFETY: callers pass lines that are there.
        let first = unsafe { self.first.add(first) };
        populate(first.as_ptr() as usize, count * size_of::<Line>());
    }

    #[inline(always)]
    fn at(&self, index: usize) -> &Line {
        // SAFETY: the index is masked.
        unsafe { self.first.add(index & self.mask).as_ref() }
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        // SAFETY: the index is masked.
        prefetch(unsafe { self.first.add(index & self.mask) });
    }

    #[inline(always)]
    fn at_mut(&mut self, index: usize) -> &mut Line {
        // SAFETY: the index is masked, and `self` is borrowed exclusively.
        unsafe { self.first.add(index & self.mask).as_mut() }
    }
}

/// The first node over each of the newest labels. A place may have gone to another label: nodes themselves say what they are over.
struct Firsts {
    labels: NonNull<Label>,
}

impl Firsts {
    #[inline(always)]
    fn place(&self, operand: Label) -> NonNull<Label> {
        // SAFETY: the index is below the count.
        unsafe { self.labels.add(operand as usize % FIRSTS) }
    }
}

pub(super) struct ConsTable {
    firsts: Firsts,
    home: Lines,
    near: Lines,
    far: Lines,
    /// Whether anything was put near yet. Until then its lines are not even mapped.
    is_near_used: bool,
    /// Nodes that were put far.
    in_far: usize,
}

/// Has the processor get what is needed soon.
#[inline(always)]
fn prefetch<T>(place: NonNull<T>) {
    // SAFETY: the instruction changes nothing, and all x86-64 has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(place.as_ptr().cast()) };
}

/// What a node is looked for by.
#[derive(Clone, Copy)]
pub(super) struct Key {
    /// The operand that was made last, or 0.
    pub(super) newest: Label,
    /// A hash of the node's shape.
    pub(super) hash: u32,
}

impl Key {
    /// The part of the hash that is kept beside the label.
    #[inline(always)]
    fn tag(self) -> u8 {
        (self.hash >> 24) as u8
    }

    /// The others select a line.
    #[inline(always)]
    fn line(self, group: &Group) -> (u32, usize) {
        let block = group.block(self.newest);
        (block, group.line(block, self.hash))
    }
}

impl ConsTable {
    pub(super) fn new() -> Option<ConsTable> {
        let firsts = Firsts { labels: reserve(FIRSTS)? };
        let (home, near, far) = (Lines::new(HOME_LINES)?, Lines::new(NEAR_LINES)?, Lines::new(FIRST_FAR_LINES)?);
        Some(ConsTable { firsts, home, near, far, is_near_used: false, in_far: 0 })
    }

    /// Makes room present for what is computed from `count` nodes behind the first `start` ones.
    pub(super) fn expect_nodes(&self, start: u32, count: u32) {
        let end = start.saturating_add(count) as usize;
        if end <= FIRSTS {
            populate(self.firsts.place(start).as_ptr() as usize, count as usize * size_of::<Label>());
            let first = HOME.line(HOME.block(start), 0);
            self.home.populate(first, HOME.line(HOME.block(end as u32 - 1) + 1, 0) - first);
        }
    }

    /// Has the processor get what it needs to find nodes over an operand.
    #[inline(always)]
    pub(super) fn prefetch(&self, operand: Label) {
        prefetch(self.firsts.place(operand));
        let first = HOME.line(HOME.block(operand), 0);
        self.home.prefetch(first);
        self.home.prefetch(first + 1);
    }

    /// The first node over its newest operand, if that is `newest`, or any other one.
    #[inline(always)]
    pub(super) fn first(&self, newest: Label) -> Label {
        // SAFETY: reserved memory, which nothing else refers to.
        unsafe { self.firsts.place(newest).read() }
    }

    /// Makes a node the first one over its newest operand.
    #[inline(always)]
    pub(super) fn set_first(&mut self, newest: Label, label: Label) {
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { self.firsts.place(newest).write(label) };
    }

    /// Looks for a node that is no first one; `is_wanted` looks at the node itself.
    #[inline(always)]
    pub(super) fn find(&self, key: Key, is_wanted: impl Fn(Label) -> bool) -> Option<Label> {
        if key.newest != 0 {
            if self.is_near_used {
                // Where it is not found in the one line, it is looked for in the other.
                self.near.prefetch(key.line(&NEAR).1);
            }
            let (block, index) = key.line(&HOME);
            let line = self.home.at(index);
            if let Some(used) = line.used(block) {
                let found = line.find(used, key.tag(), &is_wanted);
                if found.is_some() || used < PLACES {
                    return found;
                }
            } else if line.is_before(block) {
                return None;
            }
        }
        self.find_elsewhere(key, is_wanted)
    }

    #[inline(never)]
    fn find_elsewhere(&self, key: Key, is_wanted: impl Fn(Label) -> bool) -> Option<Label> {
        if self.in_far > 0 {
            self.far.prefetch(key.hash as usize);
        }
        if key.newest != 0 {
            if !self.is_near_used {
                return None;
            }
            let (block, index) = key.line(&NEAR);
            let line = self.near.at(index);
            if let Some(used) = line.used(block) {
                let found = line.find(used, key.tag(), &is_wanted);
                if found.is_some() || used < PLACES {
                    return found;
                }
            } else if line.is_before(block) {
                return None;
            }
        }
        if self.in_far == 0 {
            return None;
        }
        self.far.at(key.hash as usize).find(PLACES, key.tag(), &is_wanted)
    }

    /// Adds a node.
    #[inline(always)]
    pub(super) fn insert(&mut self, key: Key, label: Label) {
        let (block, index) = key.line(&HOME);
        if key.newest == 0 || !self.home.at_mut(index).add(block, key.tag(), label) {
            self.insert_elsewhere(key, label);
        }
    }

    #[inline(never)]
    fn insert_elsewhere(&mut self, key: Key, label: Label) {
        if key.newest != 0 && !self.is_near_used {
            self.is_near_used = true;
            // A short run touches few of its pages.
            if label >= SHORT {
                self.near.populate(0, NEAR_LINES);
            }
        }
        let (block, index) = key.line(&NEAR);
        if key.newest == 0 || !self.near.at_mut(index).add(block, key.tag(), label) {
            if self.in_far == 0 {
                self.far.populate(0, FIRST_FAR_LINES);
            }
            self.far.at_mut(key.hash as usize).replace(key.tag(), label);
            self.in_far += 1;
        }
    }

    /// Whether [`ConsTable::enlarge`] is due: before nodes are forgotten for others.
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.in_far > FIRST_FAR_LINES * 4 && self.far.mask < FAR_LINES - 1
    }

    /// Makes more room for what is far.
    #[cold]
    #[inline(never)]
    pub(super) fn enlarge(&mut self, key_of: impl Fn(Label) -> Key) {
        let Some(larger) = reserve_huge() else {
            // What is forgotten can be made again.
            self.in_far = 1;
            return;
        };
        let old = core::mem::replace(&mut self.far, Lines { first: larger, mask: FAR_LINES - 1 });
        for index in 0..FIRST_FAR_LINES {
            for label in old.at(index).labels.iter().copied().filter(|label| *label != 0) {
                let key = key_of(label);
                self.far.at_mut(key.hash as usize).replace(key.tag(), label);
            }
        }
        // SAFETY: nothing refers to the old lines any more.
        unsafe { release(old.first, FIRST_FAR_LINES) };
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::recorder;
    use trace::op::Op;

    use super::super::{Recorder, Shape};
    use super::{FAR_LINES, FIRSTS, PLACES};

    #[test]
    fn equal_shapes_are_one_node() {
        let mut recorder = recorder(u64::MAX);
        let shape = |index: u64| Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index };
        let labels: Vec<_> = (0..100_000).map(|index| recorder.node_of_shape(shape(index), index)).collect();
        assert_eq!(recorder.node_count(), 100_001);
        for (index, label) in labels.iter().enumerate() {
            assert_eq!(recorder.node_of_shape(shape(index as u64), 0), *label);
            assert_eq!(recorder.node(*label).imm(), index as u64);
        }
        assert_eq!(recorder.node_count(), 100_001);
    }

    #[test]
    fn equal_shapes_over_one_operand_are_one_node() {
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
    fn labels_that_share_a_place_are_told_apart() {
        let mut recorder = recorder(u64::MAX);
        let constant = |index: u64| Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index };
        let over = |operand| Shape { op: Op::Add, width: 64, a: operand, b: 0, imm: 1 };
        let operands: Vec<_> =
            (0..FIRSTS as u64 + 100).map(|index| recorder.node_of_shape(constant(index), index)).collect();
        let of =
            |recorder: &mut Recorder, index: usize| recorder.node_of_shape(over(operands[index]), index as u64 + 1);
        let nodes: Vec<_> = (0..operands.len()).map(|index| of(&mut recorder, index)).collect();
        for index in (0..operands.len()).chain(0..100) {
            let label = of(&mut recorder, index);
            assert_eq!((recorder.node(label).a(), recorder.node(label).value()), (operands[index], index as u64 + 1));
            assert!(index < 100 || label == nodes[index]);
        }
        // What was forgotten was made once more.
        assert!(recorder.node_count() as usize <= 1 + 2 * operands.len() + 100);
    }

    #[test]
    fn nodes_that_are_forgotten_are_made_again() {
        let mut recorder = recorder(u64::MAX);
        let shape = |index: u64| Shape { op: Op::Const, width: 64, a: 0, b: 0, imm: index };
        let many = 2 * FAR_LINES as u64 * u64::from(PLACES);
        for index in 0..many {
            recorder.node_of_shape(shape(index), index);
        }
        // What came last is there, and what came first is what it was, wherever it is.
        let last = recorder.node_count();
        assert_eq!(recorder.node_of_shape(shape(many - 1), many - 1), last - 1);
        for index in 0..1000 {
            let label = recorder.node_of_shape(shape(index), index);
            assert_eq!((recorder.node(label).imm(), recorder.node(label).value()), (index, index));
        }
        assert!(recorder.node_count() <= last + 1000);
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
