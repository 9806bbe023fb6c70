//! Blocks whose size depends on input.
//!
//! An access at a place that the program knows is within such a block in this run, and may be outside of it in another
//! one. The first access to come so far says how large the block must be at least; all accesses before that place are
//! within it from then on, and cost nothing more.

use trace::layout::Label;

use crate::system::List;

/// Blocks that are known at a time; the sizes of others are pinned.
const CAPACITY: usize = 1 << 16;
/// Places of the table that a block can be at.
const PROBES: usize = 16;

/// The size of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Label of the size, 64 bits wide.
    pub label: Label,
    /// How large the block is in this run.
    pub size: u64,
    /// How many of its bytes have been accessed, up to the last one.
    pub touched: u64,
    /// How often.
    pub touches: u32,
    /// Whether it may be larger than the memory that every run has for it.
    pub is_open: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Where the block starts, 0 for none.
    base: u64,
    extent: Extent,
}

/// The blocks with such sizes.
pub struct Extents {
    entries: List<Entry>,
    count: usize,
}

impl Default for Extents {
    fn default() -> Extents {
        Extents::new()
    }
}

impl Extents {
    /// None yet.
    pub fn new() -> Extents {
        // SAFETY: integers and a flag, for which zero is a value.
        Extents { entries: unsafe { List::zeroed(CAPACITY) }, count: 0 }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The place of the block that starts at `base`, or with 0 a free place for one that starts at `hashed`.
    fn place(&mut self, base: u64, hashed: u64) -> Option<&mut Entry> {
        let start = (hashed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        let entries = self.entries.items_mut();
        let at = (start..start + PROBES).map(|at| at % CAPACITY);
        let at = at.into_iter().find(|at| entries.get(*at).is_some_and(|entry| entry.base == base))?;
        entries.get_mut(at)
    }

    /// The size of the block that starts at `base`, if it depends on input.
    pub fn of(&mut self, base: u64) -> Option<&mut Extent> {
        if self.count == 0 || base == 0 {
            return None;
        }
        self.place(base, base).map(|entry| &mut entry.extent)
    }

    /// A block came; whether there is room for it.
    pub fn insert(&mut self, base: u64, extent: Extent) -> bool {
        self.remove(base);
        let Some(entry) = self.place(0, base).filter(|_| base != 0) else { return false };
        *entry = Entry { base, extent };
        self.count += 1;
        true
    }

    /// A block went.
    pub fn remove(&mut self, base: u64) -> Option<Extent> {
        if self.count == 0 || base == 0 {
            return None;
        }
        let entry = self.place(base, base)?;
        entry.base = 0;
        let extent = entry.extent;
        self.count -= 1;
        Some(extent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_and_go() {
        let mut extents = Extents::new();
        let extent = |label| Extent { label, size: 8, ..Extent::default() };
        assert!(extents.insert(0x1000, extent(1)) && extents.insert(0x2000, extent(2)));
        assert!(extents.insert(0x1000, extent(3)), "again at the same place");
        assert_eq!(extents.of(0x1000).map(|extent| extent.label), Some(3));
        assert_eq!(extents.remove(0x1000), Some(extent(3)));
        assert_eq!(extents.of(0x1000), None);
        assert_eq!((extents.remove(0x1000), extents.remove(0)), (None, None));
        assert_eq!(extents.of(0x2000).map(|extent| extent.label), Some(2));
    }

    #[test]
    fn there_may_be_more_blocks_than_room() {
        let mut extents = Extents::new();
        let kept = (1..=2 * CAPACITY as u64).filter(|base| extents.insert(base << 4, Extent::default())).count();
        assert!(kept > CAPACITY / 2 && kept < 2 * CAPACITY);
        assert_eq!(extents.count, kept);
    }
}
