//! Blocks of the heap.
//!
//! One word per 16 bytes of memory, in a direct-mapped table: the size of the block that starts there, or 0. An
//! address inside a block is found by looking back for the start. Blocks are exactly as large as the program asked
//! for, and the table never reads the program's memory, so blocks that other code frees do no harm.

use core::ptr::NonNull;

use trace::abi::LABEL_ADDRESS_MASK;
use trace::layout::{Region, RegionKind};

use super::extents::Extents;
use crate::recorder::Recorder;
use crate::system::{List, reserve_near};

const GRANULE_SHIFT: u32 = 4;
const ENTRIES: usize = (LABEL_ADDRESS_MASK as usize + 1) >> GRANULE_SHIFT;
/// Between the labels and the lowest address of position-independent programs, so that it is in nobody's way.
const PREFERRED_ADDRESS: usize = 0x5100_0000_0000;
/// Larger blocks are listed, so that no look-up goes further back than this.
const LISTED: u64 = 64 * 1024;
const LISTED_CAPACITY: usize = 1 << 16;
/// Set in an entry whose block is in the trace.
const RECORDED: u32 = 1 << 31;

/// Slots for recorded blocks. A block that loses its slot to another is recorded again.
const RECORDED_SLOTS: usize = 1 << 20;
/// Slots for blocks that came while units were told of. A block that loses its slot is taken for an older one.
const UNIT_SLOTS: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Block {
    base: u64,
    size: u64,
}

const NO_BLOCK: Block = Block { base: 0, size: 0 };
/// Blocks that are found again at once.
const RECENT: usize = 4;

/// The blocks that are allocated.
pub struct Heap {
    sizes: NonNull<u32>,
    large: List<Block>,
    /// What was found last: accesses come in groups, and go to and fro between a few blocks.
    recent: [Block; RECENT],
    oldest: usize,
    /// Recorded blocks, by their start, so that neighbours share pages: start, and index in the trace.
    recorded: List<(u64, u32)>,
    /// Blocks recorded, which is also their serial number.
    serial: u32,
    /// The number of the unit that was entered last, or 0.
    unit: u32,
    /// Blocks that came since the first unit was entered, hashed by their start: start, and the unit entered last.
    of_units: List<(u64, u32)>,
}

impl Heap {
    /// An empty heap; `None` if there is no address space for the table.
    pub fn new() -> Option<Heap> {
        Some(Heap {
            sizes: reserve_near(PREFERRED_ADDRESS, ENTRIES)?,
            large: List::new(LISTED_CAPACITY),
            recent: [NO_BLOCK; RECENT],
            oldest: 0,
            // SAFETY: integers only.
            recorded: unsafe { List::zeroed(RECORDED_SLOTS) },
            serial: 0,
            unit: 0,
            // SAFETY: integers only.
            of_units: unsafe { List::zeroed(UNIT_SLOTS) },
        })
    }

    fn entry(&mut self, address: u64) -> &mut u32 {
        let index = (address & LABEL_ADDRESS_MASK) >> GRANULE_SHIFT;
        // SAFETY: a masked address is within the table, which this heap owns.
        unsafe { &mut *self.sizes.as_ptr().add(index as usize) }
    }

    /// A block came.
    #[inline]
    pub fn insert(&mut self, base: u64, size: u64) {
        // A block of no bytes still takes an entry, so that nothing is taken for a part of the block before it.
        self.recent = [NO_BLOCK; RECENT];
        *self.entry(base) = size.clamp(1, u64::from(RECORDED - 1)) as u32;
        let unit = self.unit;
        if unit != 0
            && let Some(slot) = self.of_units.items_mut().get_mut(unit_slot(base))
        {
            *slot = (base, unit);
        }
        if size > LISTED {
            self.large.push(Block { base, size });
        }
    }

    /// A unit is entered, with this number.
    pub fn enter(&mut self, unit: u32) {
        self.unit = unit;
    }

    /// A block went; its size if it is known.
    #[inline]
    pub fn remove(&mut self, base: u64) -> Option<u64> {
        self.recent = [NO_BLOCK; RECENT];
        let entry = self.entry(base);
        let size = u64::from(*entry & !RECORDED);
        *entry = 0;
        if size == 0 {
            return None;
        }
        if size > LISTED
            && let Some(index) = self.large.items().iter().rposition(|block| block.base == base)
        {
            let size = self.large.items().get(index).map(|block| block.size);
            self.large.swap_remove(index);
            return size;
        }
        Some(size)
    }

    /// Whether an address lies in one of the blocks that were found last.
    pub(super) fn is_in_recent(&self, address: u64) -> bool {
        self.recent(address).is_some()
    }

    fn recent(&self, address: u64) -> Option<Block> {
        self.recent.iter().find(|block| address.wrapping_sub(block.base) < block.size).copied()
    }

    /// Start and size of the block that an address lies in.
    pub fn find(&mut self, address: u64) -> Option<(u64, u64)> {
        let block = match self.recent(address) {
            Some(block) => block,
            None => {
                let block = self.look_back(address).or_else(|| self.find_listed(address))?;
                self.oldest = (self.oldest + 1) % RECENT;
                if let Some(place) = self.recent.get_mut(self.oldest) {
                    *place = block;
                }
                block
            }
        };
        Some((block.base, block.size))
    }

    /// The block that starts at most [`LISTED`] bytes before an address and reaches it.
    fn look_back(&mut self, address: u64) -> Option<Block> {
        const AT_ONCE: u64 = 8;
        let granule = address & !((1 << GRANULE_SHIFT) - 1);
        let lowest = granule.saturating_sub(LISTED);
        let step = AT_ONCE << GRANULE_SHIFT;
        let mut start = granule;
        loop {
            let is_last_of_several = (start >> GRANULE_SHIFT) % AT_ONCE == AT_ONCE - 1;
            while is_last_of_several && start >= lowest + step && self.entries_up_to(start) == [0; AT_ONCE as usize] {
                start -= step;
            }
            let size = u64::from(*self.entry(start) & !RECORDED);
            if size != 0 {
                let reaches = size <= LISTED && address - start < size;
                return reaches.then_some(Block { base: start, size });
            }
            if start <= lowest {
                return None;
            }
            start -= 1 << GRANULE_SHIFT;
        }
    }

    /// The eight entries that end with that of `address`.
    fn entries_up_to(&mut self, address: u64) -> [u32; 8] {
        let last: *const u32 = self.entry(address);
        // SAFETY: callers stop eight entries above the lowest that they look at.
        unsafe { last.sub(7).cast::<[u32; 8]>().read_unaligned() }
    }

    fn find_listed(&self, address: u64) -> Option<Block> {
        self.large.items().iter().find(|block| address.wrapping_sub(block.base) < block.size).copied()
    }

    /// The index of the region of an address, recorded now if it was not.
    pub(super) fn index_of(&mut self, recorder: &mut Recorder, extents: &mut Extents, address: u64) -> Option<u32> {
        let (base, room) = self.find(address)?;
        let slot = (base >> GRANULE_SHIFT) as usize % RECORDED_SLOTS;
        if *self.entry(base) & RECORDED != 0
            && let Some((start, index)) = self.recorded.items().get(slot)
            && *start == base
        {
            return Some(*index);
        }
        let extent = extents.of(base).copied();
        let (size, extent) = extent.map_or((room, 0), |extent| (extent.size, extent.label));
        let (kind, id) = (RegionKind::Heap as u32, self.serial);
        let known = self.of_units.items().get(unit_slot(base)).filter(|(start, _)| *start == base);
        let allocated_in = known.map_or(0, |(_, unit)| *unit);
        let region = Region { base, size, extent, allocated_in, kind, id };
        let index = recorder.add_region(region)?;
        self.serial += 1;
        *self.entry(base) |= RECORDED;
        if let Some(entry) = self.recorded.items_mut().get_mut(slot) {
            *entry = (base, index);
        }
        Some(index)
    }
}

fn unit_slot(base: u64) -> usize {
    (base.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44) as usize % UNIT_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_and_go() {
        let mut heap = Heap::new().expect("address space");
        heap.insert(0x5555_0000_0010, 24);
        heap.insert(0x5555_0000_0030, 0);
        heap.insert(0x7f00_0000_0010, 1 << 32);
        assert_eq!(heap.find(0x5555_0000_0027), Some((0x5555_0000_0010, 24)));
        assert_eq!(heap.find(0x5555_0000_0028), None);
        assert_eq!(heap.find(0x5555_0000_0038), None);
        assert_eq!(heap.find(0x7f00_8000_0000), Some((0x7f00_0000_0010, 1 << 32)));
        assert_eq!(heap.remove(0x7f00_0000_0010), Some(1 << 32));
        assert_eq!(heap.remove(0x7f00_0000_0010), None);
        assert_eq!(heap.find(0x7f00_8000_0000), None);
        assert_eq!(heap.remove(0x5555_0000_0010), Some(24));
        assert_eq!(heap.find(0x5555_0000_0011), None);
    }

    #[test]
    fn blocks_are_found_from_every_distance() {
        let mut heap = Heap::new().expect("address space");
        for (base, size) in [(0x10_0000, 50_000u64), (0x20_0010, 65_536), (0x30_0070, 1)] {
            heap.insert(base, size);
            for offset in (0..size).step_by(7).chain([size - 1]) {
                assert_eq!(heap.find(base + offset), Some((base, size)));
                heap.insert(0x40_0000, 16);
            }
            assert_eq!(heap.find(base + size), None);
            assert_eq!(heap.find(base - 1), None);
        }
    }

    #[test]
    fn a_block_is_recorded_once_per_lifetime() {
        let mut recorder = crate::testing::recorder(u64::MAX);
        let mut heap = Heap::new().expect("address space");
        heap.insert(0x1000, 64);
        let mut extents = Extents::new();
        assert_eq!(heap.index_of(&mut recorder, &mut extents, 0x1001), Some(0));
        assert_eq!(heap.index_of(&mut recorder, &mut extents, 0x103f), Some(0));
        heap.remove(0x1000);
        heap.insert(0x1000, 64);
        assert_eq!(heap.index_of(&mut recorder, &mut extents, 0x1001), Some(1));
    }
}
