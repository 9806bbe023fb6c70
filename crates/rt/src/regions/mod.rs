//! Which block of memory an address belongs to: a global, a variable on the stack, a block of the heap.
//!
//! Nothing is logged when memory comes or goes. A region enters the trace when an event refers to it.

pub mod extents;
mod globals;
pub mod heap;
mod stack;

use trace::layout::{LEAST_ROOM, Label, Region, RegionKind};

use crate::recorder::Recorder;
use crate::system::List;
use extents::{Extent, Extents};
use globals::Globals;
use heap::Heap;

/// Slots of the table of recorded regions; further ones are recorded again and again.
const RECORDED: usize = 1 << 16;

/// The region that an address lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// Where it starts.
    pub base: u64,
    /// How much memory there is. A block whose size depends on input may be smaller, in this run too.
    pub room: u64,
    /// What it is.
    pub kind: RegionKind,
    /// Its size, where that depends on input.
    pub extent: Option<Extent>,
}

impl Area {
    /// How many bytes of it addresses and lengths are followed to: of a block that may be larger in other runs no more than
    /// there are in all of them.
    pub fn followed(&self) -> u64 {
        if self.extent.is_some_and(|extent| extent.is_open) { self.room.min(LEAST_ROOM) } else { self.room }
    }

    /// How many bytes there are from an address in it on.
    pub fn room_at(&self, address: u64) -> u64 {
        self.room.saturating_sub(address.wrapping_sub(self.base))
    }
}

/// All that is known of the program's memory.
pub struct Regions {
    globals: Globals,
    /// Blocks from the malloc family.
    pub heap: Heap,
    /// The blocks whose size depends on input.
    pub extents: Extents,
    /// Index plus one of recorded globals and stack variables, by the hash of what they are.
    recorded: List<(Region, u32)>,
}

impl Regions {
    /// Nothing known yet; `None` if there is no memory for the tables.
    pub fn new() -> Option<Regions> {
        // SAFETY: integers only.
        let recorded = unsafe { List::zeroed(RECORDED) };
        Some(Regions { globals: Globals::new(), heap: Heap::new()?, extents: Extents::new(), recorded })
    }

    /// Registers a table of globals.
    ///
    /// # Safety
    /// `table` points to `count` entries that stay there.
    pub unsafe fn add_globals(&mut self, table: *const trace::abi::GlobalEntry, count: usize) {
        // SAFETY: by the contract of this function.
        unsafe { self.globals.add(table, count) };
    }

    /// The index of the region of an address, recorded now if it was not.
    pub fn index_of(&mut self, recorder: &mut Recorder, address: u64) -> Option<u32> {
        if !self.heap.is_in_recent(address)
            && let Some(region) = self.globals.find(address).or_else(|| stack::find(address))
        {
            return self.record(recorder, region);
        }
        self.heap.index_of(recorder, &mut self.extents, address)
    }

    /// The region that an address lies in.
    pub fn find(&mut self, address: u64) -> Option<Area> {
        let area = |region: Region, kind| Area { base: region.base, room: region.size, kind, extent: None };
        if let Some(region) = self.globals.find(address) {
            return Some(area(region, RegionKind::Global));
        }
        if let Some(region) = stack::find(address) {
            let extent = self.extents.of(region.base).copied().filter(|extent| extent.label == region.extent);
            let room = if extent.is_some() { region.size.max(LEAST_ROOM) } else { region.size };
            return Some(Area { extent, room, ..area(region, RegionKind::Stack) });
        }
        let (base, room) = self.heap.find(address)?;
        Some(Area { base, room, kind: RegionKind::Heap, extent: self.extents.of(base).copied() })
    }

    /// The size of the variable-length array that starts at an address has a label; whether there is such an array.
    pub fn label_array(&mut self, address: u64, label: Label) -> bool {
        stack::label_array(address, label)
    }

    fn record(&mut self, recorder: &mut Recorder, region: Region) -> Option<u32> {
        let key = region.base ^ region.size << 44 ^ u64::from(region.id) << 20;
        let start = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        let slots = self.recorded.items_mut();
        for step in 0..16 {
            let Some(slot) = slots.get_mut((start + step) % RECORDED) else { break };
            if slot.1 != 0 && slot.0 == region {
                return Some(slot.1 - 1);
            }
            if slot.1 == 0 {
                let index = recorder.add_region(region)?;
                *slot = (region, index + 1);
                return Some(index);
            }
        }
        recorder.add_region(region)
    }
}

/// A region if `address` lies in it.
fn containing(address: u64, base: u64, size: u64, kind: RegionKind, id: u64) -> Option<Region> {
    (address.wrapping_sub(base) < size).then_some(Region {
        base,
        size,
        extent: 0,
        allocated_in: 0,
        kind: kind as u32,
        id: id as u32,
    })
}
