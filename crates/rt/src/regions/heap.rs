//! Blocks of the heap.
//!
//! One word per 16 bytes of memory, in a direct-mapped table: the size of the block that starts there, or 0. An
//! address inside a block is found by looking back for the start. Blocks are exactly as large as the program asked
//! for, and the table never reads the program's memory, so blocks that other code frees do no harm.

use core::ptr::NonNull;

use trace::abi::LABEL_ADDRESS_MASK;
use trace::layout::RegionKind;

use super::containing;
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

#[derive(Clone, Copy)]
struct LargeBlock {
    base: u64,
    size: u64,
}

/// The blocks that are allocated.
pub struct Heap {
    sizes: NonNull<u32>,
    large: List<LargeBlock>,
    /// Recorded blocks, hashed by their start: start, and index in the trace.
    recorded: List<(u64, u32)>,
    /// Blocks recorded, which is also their serial number.
    serial: u32,
}

impl Heap {
    /// An empty heap; `None` if there is no address space for the table.
    pub fn new() -> Option<Heap> {
        Some(Heap {
            sizes: reserve_near(PREFERRED_ADDRESS, ENTRIES)?,
            large: List::new(LISTED_CAPACITY),
            // SAFETY: integers only.
            recorded: unsafe { List::zeroed(RECORDED_SLOTS) },
            serial: 0,
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
        *self.entry(base) = size.clamp(1, u64::from(RECORDED - 1)) as u32;
        if size > LISTED {
            self.large.push(LargeBlock { base, size });
        }
    }

    /// A block went; its size if it is known.
    #[inline]
    pub fn remove(&mut self, base: u64) -> Option<u64> {
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

    /// Start and size of the block that an address lies in.
    pub fn find(&mut self, address: u64) -> Option<(u64, u64)> {
        let granule = address & !((1 << GRANULE_SHIFT) - 1);
        for back in 0..=LISTED >> GRANULE_SHIFT {
            let start = granule.wrapping_sub(back << GRANULE_SHIFT);
            let size = u64::from(*self.entry(start) & !RECORDED);
            if size != 0 && size <= LISTED {
                return (address - start < size).then_some((start, size));
            }
            if size != 0 {
                break;
            }
        }
        let block = self.large.items().iter().find(|block| address.wrapping_sub(block.base) < block.size)?;
        Some((block.base, block.size))
    }

    /// The index of the region of an address, recorded now if it was not.
    pub(super) fn index_of(&mut self, recorder: &mut Recorder, address: u64) -> Option<u32> {
        let (base, size) = self.find(address)?;
        let slot = (base.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44) as usize % RECORDED_SLOTS;
        if *self.entry(base) & RECORDED != 0
            && let Some((start, index)) = self.recorded.items().get(slot)
            && *start == base
        {
            return Some(*index);
        }
        let region = containing(address, base, size, RegionKind::Heap, u64::from(self.serial))?;
        let index = recorder.add_region(region)?;
        self.serial += 1;
        *self.entry(base) |= RECORDED;
        if let Some(entry) = self.recorded.items_mut().get_mut(slot) {
            *entry = (base, index);
        }
        Some(index)
    }
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
    fn a_block_is_recorded_once_per_lifetime() {
        let mut recorder = crate::testing::recorder(u64::MAX);
        let mut heap = Heap::new().expect("address space");
        heap.insert(0x1000, 64);
        assert_eq!(heap.index_of(&mut recorder, 0x1001), Some(0));
        assert_eq!(heap.index_of(&mut recorder, 0x103f), Some(0));
        heap.remove(0x1000);
        heap.insert(0x1000, 64);
        assert_eq!(heap.index_of(&mut recorder, 0x1001), Some(1));
    }
}
