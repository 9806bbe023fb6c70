//! Block operations whose addresses depend on input, and perhaps their length: every byte that may be written becomes a choice
//! between what was there and all that may come there.

use trace::layout::{Event, EventKind, SizeUse};
use trace::op::Op;

use super::choice::Address;
use super::lengths::LONGEST;
use super::nesting::DEEPEST;
use super::places::Access;
use super::{MOST_NODES, contents, values};
use crate::build::Operand;
use crate::runtime::Runtime;

/// Choices that one operation may cost.
const MOST_CHOICES: u64 = 4096;

/// Where a block can start.
#[derive(Clone, Copy)]
struct Block {
    address: Address,
    /// How many places there are for it, from the lowest one on at equal distances.
    count: u64,
    lowest: u64,
    step: u64,
    /// The region that it lies in.
    base: u64,
    room: u64,
}

impl Block {
    /// The addresses that its bytes can have, if there are no more than `length`.
    fn span(&self, length: u64) -> u64 {
        let end = self.base + self.room;
        (self.step * (self.count - 1)).saturating_add(length).min(end - self.lowest)
    }
}

impl Runtime {
    /// Labels the bytes that are about to be moved where an address has a label; whether that could be done.
    pub fn transfer(&mut self, to: Address, from: Address, length: Operand, site: u32) -> bool {
        let (Some(to), Some(from)) = (self.block(to), self.block(from)) else { return false };
        let Some(most) = self.longest(length, &[to, from]) else { return false };
        let choices = to.span(most).saturating_mul(if to.count > 1 { most } else { 1 });
        if choices.saturating_add(from.count.saturating_mul(most)) > MOST_CHOICES {
            return false;
        }
        self.announce(&[(SizeUse::BlockWrite, to), (SizeUse::BlockRead, from)], length, site);
        let before = self.recorder.node_count();
        for index in 0..most {
            let source = self.source(&from, index);
            if let Some(place) = self.pointers.sources.items_mut().get_mut(index as usize) {
                *place = source;
            }
        }
        self.write_span(&to, length, most);
        self.spend(before, 0);
        true
    }

    /// Labels the bytes that are about to be filled with `byte` at an address with a label; whether that could be done.
    pub fn fill_at(&mut self, to: Address, byte: Operand, length: Operand, site: u32) -> bool {
        let Some(to) = self.block(to) else { return false };
        let Some(most) = self.longest(length, &[to]) else { return false };
        if to.span(most) > MOST_CHOICES {
            return false;
        }
        self.announce(&[(SizeUse::BlockWrite, to)], length, site);
        let before = self.recorder.node_count();
        self.pointers.sources.items_mut().fill(byte);
        self.write_span(&to, length, most);
        self.spend(before, 0);
        true
    }

    /// Where a block can start, if that is one region of a size that does not depend on input.
    fn block(&mut self, address: Address) -> Option<Block> {
        let is_possible = self.recorder.follows_pointers()
            && self.pointers.spent < MOST_NODES
            && self.pointers.nesting.of(&self.recorder, address.label) <= DEEPEST;
        let area = self.regions.find(address.value).filter(|area| is_possible && area.extent.is_none())?;
        let (base, room) = (area.base, area.room);
        let single = Block { address, count: 1, lowest: address.value, step: 0, base, room };
        if address.label == 0 {
            return Some(single);
        }
        let access = Access { label: address.label, address: address.value, bytes: 1 };
        let count = self.find_places(access)?;
        let (found, bounds) = (self.pointers.places.items().get(..count)?, &self.pointers.bounds);
        let lowest = *found.first()?;
        let step = found.get(1).map_or(0, |second| second - lowest);
        let is_even = found.windows(2).all(|pair| matches!(pair, [a, b] if b - a == step));
        let is_one = bounds.is_one() && !bounds.has_unknown;
        (is_even && is_one).then_some(Block { count: count as u64, lowest, step, ..single })
    }

    /// How many bytes there can be at most, if they are not too many.
    fn longest(&mut self, length: Operand, blocks: &[Block]) -> Option<u64> {
        let largest = match length.label {
            0 => length.value,
            label if self.recorder.width(label) == 64 => {
                values::largest(&self.recorder, &mut self.pointers.unions, label)
            }
            _ => return None,
        };
        let most = blocks.iter().fold(largest, |most, block| most.min(block.base + block.room - block.lowest));
        (1..=LONGEST).contains(&most).then_some(most).filter(|most| length.value <= *most)
    }

    /// Logs what is accessed, and that it lies in its regions.
    fn announce(&mut self, blocks: &[(SizeUse, Block)], length: Operand, site: u32) {
        for (size_use, block) in blocks {
            let Address { label, value } = block.address;
            let is_write = *size_use == SizeUse::BlockWrite;
            if length.label != 0 {
                self.approach(label, site, value, is_write);
                self.size(length.label, site, *size_use, value, length.value);
            } else if label != 0 {
                let kind = if is_write { EventKind::Write } else { EventKind::Read } as u8;
                let aux = self.regions.index_of(&mut self.recorder, value).map_or(0, |index| index + 1);
                let taken = length.value.min(u64::from(u8::MAX)) as u8;
                self.recorder.log(Event { kind, taken, reason: 0, site, label, aux, value });
            }
        }
        for (_, block) in blocks {
            self.bound_block(block, length, site);
        }
    }

    /// The whole block lies in its region.
    fn bound_block(&mut self, block: &Block, length: Operand, site: u32) {
        let recorder = &mut self.recorder;
        let Address { label, value } = block.address;
        let (offset, room) = (value - block.base, Operand::concrete(block.room));
        let base = Operand::concrete(block.base);
        let offset =
            Operand { label: recorder.binary(Op::Sub, 64, Operand { label, value }, base, offset), value: offset };
        let left = block.room - offset.value;
        let is_inside = recorder.binary(Op::Ule, 64, offset, room, 1);
        let left = Operand { label: recorder.binary(Op::Sub, 64, room, offset, left), value: left };
        let has_room = recorder.binary(Op::Ule, 64, length, left, u64::from(length.value <= left.value));
        self.assume(is_inside, site);
        self.assume(has_room, site);
    }

    /// What lies so many bytes behind the start of a block.
    fn source(&mut self, from: &Block, index: u64) -> Operand {
        let value = from.address.value + index;
        let here = Operand { label: from.address.label, value: from.address.value };
        let label = self.recorder.binary(Op::Add, 64, here, Operand::concrete(index), value);
        let end = from.base + from.room;
        let places =
            (0..from.count).map(|number| from.lowest + number * from.step + index).filter(|place| *place < end);
        let mut count = 0;
        for (at, place) in places.enumerate() {
            let value = contents(place, 1);
            let element = Operand { label: self.recorder.look_at(place, 1, value), value };
            if let (Some(to), Some(known)) =
                (self.pointers.elements.items_mut().get_mut(at), self.pointers.places.items_mut().get_mut(at))
            {
                (*to, *known) = (element, place);
                count = at + 1;
            }
        }
        let elements = self.pointers.elements.items_mut().get_mut(..count).unwrap_or_default();
        let places = self.pointers.places.items_mut().get_mut(..count).unwrap_or_default();
        self.recorder.element_at(
            (&mut self.pointers.arms, &mut self.pointers.tables),
            8,
            Address { label, value },
            places,
            elements,
        )
    }

    /// Labels all bytes that may be written with the sources.
    fn write_span(&mut self, to: &Block, length: Operand, most: u64) {
        let start = Operand { label: to.address.label, value: to.address.value };
        for place in to.lowest..to.lowest + to.span(most) {
            let distance = place.wrapping_sub(start.value);
            let label = self.recorder.binary(Op::Sub, 64, Operand::concrete(place), start, distance);
            let distance = Operand { label, value: distance };
            let is_written = distance.value < length.value;
            let condition = self.recorder.binary(Op::Ult, 64, distance, length, is_written.into());
            if condition == 0 && !is_written {
                continue;
            }
            let new = self.source_at(distance, most);
            let value = contents(place, 1);
            let old = Operand { label: self.recorder.look_at(place, 1, value), value };
            let chosen = self.recorder.either(8, condition, is_written, new, old);
            self.recorder.store(place, 1, chosen.label);
        }
    }

    /// The source with a number.
    fn source_at(&mut self, number: Operand, most: u64) -> Operand {
        let count = most as usize;
        let sources = self.pointers.sources.items().get(..count).unwrap_or_default();
        if number.label == 0 {
            return sources.get(number.value as usize).copied().unwrap_or_default();
        }
        let elements = self.pointers.elements.items_mut().get_mut(..count).unwrap_or_default();
        elements.copy_from_slice(sources);
        let bits = (most.max(2) - 1).ilog2() + 1;
        let value = number.value & ((1 << bits) - 1);
        let index = Operand { label: self.recorder.extract(number.label, 0, bits, value), value };
        self.recorder.element_by_bits(8, index, elements)
    }
}
