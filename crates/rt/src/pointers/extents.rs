//! Sizes of blocks that depend on input: what accesses at places that the program knows say about them.

use trace::layout::{Event, EventKind, LARGEST_BLOCK, LARGEST_STACK, LEAST_ROOM, Label, Reason, SizeUse};
use trace::op::Op;

use super::choice::Address;
use super::values;
use crate::build::Operand;
use crate::recorder::flag;
use crate::regions::extents::Extent;
use crate::runtime::Runtime;
use crate::shadow;

/// So many accesses say something about the size of one block. Behind them only its end is looked at.
const MOST_TOUCHES: u32 = 1 << 10;
/// What one access to a summary is about.
const GRANULE: u64 = 8;

/// How much memory a new block gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Label of the size that the program asked for, or 0 if it is concrete or pinned.
    pub label: Label,
    /// What the program asked for.
    pub size: u64,
    /// What it gets.
    pub room: u64,
    /// Whether a block of this size may need more than what all blocks have.
    is_open: bool,
}

impl Allotment {
    /// A block of a size that does not depend on input.
    pub fn exactly(size: u64) -> Allotment {
        Allotment { label: 0, size, room: size, is_open: false }
    }
}

impl Runtime {
    /// The size of a block of so many elements of a size, if it fits a word. Whether it does is a decision of the allocator.
    pub fn block_product(&mut self, count: Operand, each: Operand, site: u32) -> Option<Operand> {
        let value = count.value.checked_mul(each.value);
        let overflows = self.recorder.binary(Op::UMulO, 64, count, each, u64::from(value.is_none()));
        let [most, most_each] = [count, each].map(|factor| self.largest(factor));
        if most.checked_mul(most_each).is_none() {
            self.recorder.branch(overflows, site, value.is_none());
        }
        let value = value?;
        Some(Operand { label: self.recorder.binary(Op::Mul, 64, count, each, value), value })
    }

    fn largest(&mut self, operand: Operand) -> u64 {
        if operand.label == 0 {
            operand.value
        } else {
            values::largest(&self.recorder, &mut self.pointers.unions, operand.label)
        }
    }

    /// How much memory a block of a size gets; `None` if the size cannot be followed. Whether the block can be had at all is a
    /// decision of the allocator.
    pub fn allot(&mut self, size: Operand, site: u32) -> Option<Allotment> {
        let Operand { label, value } = size;
        if label == 0 {
            return Some(Allotment::exactly(value));
        }
        if !self.recorder.follows_pointers() || self.recorder.width(label) != 64 {
            return None;
        }
        let largest = self.largest(size);
        if largest > LARGEST_BLOCK {
            let is_refused = value > LARGEST_BLOCK;
            let refused = self.recorder.binary(Op::Ult, 64, Operand::concrete(LARGEST_BLOCK), size, is_refused.into());
            self.recorder.branch(refused, site, is_refused);
            if is_refused {
                return None;
            }
        }
        Some(Allotment { label, size: value, room: largest.min(LEAST_ROOM).max(value), is_open: largest > LEAST_ROOM })
    }

    /// Memory at `base` is a block of that size now. Where this cannot be kept, the size is pinned.
    pub fn begin_extent(&mut self, base: u64, allotment: Allotment, site: u32) {
        let Allotment { label, size, is_open, .. } = allotment;
        if label == 0 {
            return;
        }
        let extent = Extent { label, size, is_open, ..Extent::default() };
        if self.regions.extents.insert(base, extent) {
            shadow::set_sized(base, size);
        } else {
            self.recorder.pin(label, site, Reason::Size, size);
        }
    }

    /// A variable-length array at `base` has so many elements of a size.
    pub fn array(&mut self, count: Operand, element: u64, base: u64, site: u32) {
        self.size(count.label, site, SizeUse::StackArray, element, count.value);
        let label = self.recorder.zero_extend(count.label, 64);
        let most = self.largest(Operand { label, ..count }).checked_mul(element);
        let is_possible = self.recorder.follows_pointers() && most.is_some() && self.regions.label_array(base, 0);
        let (Some(most), Some(size), true) = (most, count.value.checked_mul(element), is_possible) else {
            return self.recorder.pin(count.label, site, Reason::Size, count.value);
        };
        let (count, element) = (Operand { label, ..count }, Operand::concrete(element));
        let label = self.recorder.binary(Op::Mul, 64, count, element, size);
        if most > LARGEST_STACK {
            let size = Operand { label, value: size };
            let limit = Operand::concrete(LARGEST_STACK);
            let fits = self.recorder.binary(Op::Ule, 64, size, limit, u64::from(size.value <= LARGEST_STACK));
            self.assume(fits, site);
        }
        self.regions.label_array(base, label);
        self.begin_extent(
            base,
            Allotment { label, size, room: size.max(LEAST_ROOM), is_open: most > LEAST_ROOM },
            site,
        );
    }

    /// An access through an address with a label, to a block that may be larger than the memory that all blocks have: whether
    /// it lies within that is a decision, by which the accesses that are followed are told from those that are pinned.
    pub(super) fn decide_room(&mut self, address: Address, site: u32, bytes: u64) {
        if self.regions.extents.is_empty() || address.label == 0 || !self.recorder.follows_pointers() {
            return;
        }
        let area = self.regions.find(address.value);
        let Some(area) = area.filter(|area| area.extent.is_some_and(|extent| extent.is_open)) else { return };
        let here = Operand { label: address.label, value: address.value };
        let value = address.value.wrapping_sub(area.base);
        let label = self.recorder.binary(Op::Sub, 64, here, Operand::concrete(area.base), value);
        let last = LEAST_ROOM.saturating_sub(bytes);
        let is_near = self.recorder.binary(
            Op::Ule,
            64,
            Operand { label, value },
            Operand::concrete(last),
            (value <= last).into(),
        );
        self.recorder.branch(is_near, site, value <= last);
    }

    /// The block at `base` is gone.
    pub fn end_extent(&mut self, base: u64) {
        if let Some(extent) = self.regions.extents.remove(base) {
            shadow::clear_sized(base, extent.size);
        }
    }

    /// An access at a place that the program knows.
    #[inline(always)]
    pub fn touch(&mut self, site: u32, address: u64, bytes: u64) {
        if bytes > 0 && shadow::is_sized(address, bytes) {
            self.touch_sized(site, address, bytes);
        }
    }

    #[cold]
    #[inline(never)]
    fn touch_sized(&mut self, site: u32, address: u64, bytes: u64) {
        let area = self.regions.find(address);
        let known = area.and_then(|area| Some((area.base, area.extent?)));
        let Some((base, extent)) = known else {
            // What was here is gone.
            return shadow::clear_sized(address, bytes.max(1));
        };
        let end = (address - base).saturating_add(bytes);
        if end <= extent.touched || end > extent.size {
            return;
        }
        let (size, last) = (Operand { label: extent.label, value: extent.size }, Operand::concrete(end - 1));
        let condition = self.recorder.binary(Op::Ult, 64, last, size, 1);
        if condition != 0 && self.recorder.first_time(condition, flag::BRANCH) {
            let aux = self.regions.index_of(&mut self.recorder, base).map_or(0, |index| index + 1);
            let kind = EventKind::Bounds as u8;
            self.recorder.log(Event { kind, taken: 1, reason: 0, site, label: condition, aux, value: end });
        }
        let mut looked_at = if end == extent.size { end } else { end / GRANULE * GRANULE };
        if extent.touches == MOST_TOUCHES {
            looked_at = (extent.size - 1) / GRANULE * GRANULE;
            self.loss(site, Reason::Size, extent.size - end);
        }
        let from = extent.touched / GRANULE * GRANULE;
        shadow::clear_sized(base + from, looked_at.saturating_sub(from));
        if let Some(extent) = self.regions.extents.of(base) {
            extent.touched = end;
            extent.touches += 1;
        }
    }
}
