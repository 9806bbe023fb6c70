//! Global variables, from the tables that the view registers.

use trace::abi::GlobalEntry;
use trace::layout::{Region, RegionKind};

use super::containing;
use crate::system::List;

/// More globals than any program has.
const CAPACITY: usize = 1 << 22;

pub(super) struct Globals {
    entries: List<(u64, u64, u64)>,
    sorted: bool,
}

impl Globals {
    pub(super) fn new() -> Globals {
        Globals { entries: List::new(CAPACITY), sorted: true }
    }

    /// # Safety
    /// `table` points to `count` entries.
    pub(super) unsafe fn add(&mut self, table: *const GlobalEntry, count: usize) {
        if table.is_null() {
            return;
        }
        // SAFETY: by the contract of this function.
        for entry in unsafe { core::slice::from_raw_parts(table, count) } {
            self.entries.push((entry.address, entry.size, entry.id));
        }
        self.sorted = false;
    }

    /// The global that an address lies in. Sorts on the first look-up: most runs never come here.
    pub(super) fn find(&mut self, address: u64) -> Option<Region> {
        if !self.sorted {
            self.entries.items_mut().sort_unstable();
            self.sorted = true;
        }
        let entries = self.entries.items();
        let above = entries.partition_point(|entry| entry.0 <= address);
        let (base, size, id) = *entries.get(above.checked_sub(1)?)?;
        containing(address, base, size, RegionKind::Global, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_global_around_an_address() {
        let entry = |address, size, id| GlobalEntry { address, size, id };
        let table = [entry(0x3000, 16, 1), entry(0x1000, 4, 2), entry(0x2000, 0x100, 3)];
        let mut globals = Globals::new();
        // SAFETY: the table is an array.
        unsafe { globals.add(table.as_ptr(), table.len()) };
        let id = |globals: &mut Globals, address| globals.find(address).map(|region| region.id);
        assert_eq!(id(&mut globals, 0x20ff), Some(3));
        assert_eq!(id(&mut globals, 0x2100), None);
        assert_eq!(id(&mut globals, 0x1003), Some(2));
        assert_eq!(id(&mut globals, 0x300f), Some(1));
        assert_eq!(id(&mut globals, 0xfff), None);
    }
}
