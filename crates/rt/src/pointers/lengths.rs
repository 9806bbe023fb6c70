//! Block operations whose length depends on input: every byte that may be moved or filled becomes a choice between what
//! comes there and what was there.

use trace::layout::{Event, EventKind, Label, Reason, SizeUse};
use trace::op::Op;

use super::{MOST_NODES, contents, values};
use crate::build::Operand;
use crate::recorder::flag;
use crate::runtime::Runtime;

/// The longest block that is followed. Whether one that may be longer is no longer than this is a decision.
pub(super) const LONGEST: u64 = 256;

/// How many bytes an operation goes over.
#[derive(Clone, Copy)]
struct Lengths {
    /// Always.
    least: u64,
    /// Never more.
    most: u64,
}

impl Runtime {
    /// Labels the bytes that are about to be copied or moved; whether that could be done.
    pub fn copy_some(&mut self, to: u64, from: u64, length: Operand, site: u32) -> bool {
        let blocks = [(SizeUse::BlockWrite, to), (SizeUse::BlockRead, from)];
        let Some(lengths) = self.lengths(length, site, &blocks) else { return false };
        let sources = self.pointers.elements.items_mut().get_mut(..lengths.most as usize).unwrap_or_default();
        for (source, place) in sources.iter_mut().zip(from..) {
            let value = contents(place, 1);
            *source = Operand { label: self.recorder.load(place, 1, value), value };
        }
        self.write_some(to, length, lengths, |runtime, index| {
            runtime.pointers.elements.items().get(index).copied().unwrap_or_default()
        });
        true
    }

    /// Labels the bytes that are about to be filled with `byte`; whether that could be done.
    pub fn fill_some(&mut self, to: u64, byte: Operand, length: Operand, site: u32) -> bool {
        let Some(lengths) = self.lengths(length, site, &[(SizeUse::BlockWrite, to)]) else { return false };
        self.write_some(to, length, lengths, |_, _| byte);
        true
    }

    /// How many bytes an operation on `blocks` can go over, if they are few enough and the memory is known. Logs what must
    /// hold for that.
    fn lengths(&mut self, length: Operand, site: u32, blocks: &[(SizeUse, u64)]) -> Option<Lengths> {
        let is_possible = length.label != 0
            && self.recorder.follows_pointers()
            && self.recorder.width(length.label) == 64
            && self.pointers.spent < MOST_NODES;
        if !is_possible {
            return None;
        }
        let mut largest = values::largest(&self.recorder, &mut self.pointers.unions, length.label);
        let mut room = u64::MAX;
        for (_, address) in blocks {
            let area = self.regions.find(*address)?;
            room = room.min(area.followed().saturating_sub(address - area.base));
        }
        let (is_short, may_be_long) = (length.value <= LONGEST, largest.min(room) > LONGEST);
        if length.value > room || !is_short && !may_be_long {
            return None;
        }
        if is_short {
            for (size_use, address) in blocks {
                self.size(length.label, site, *size_use, *address, length.value);
            }
        }
        if may_be_long {
            // By this the lengths that are followed are told from those that are pinned.
            let longest = Operand::concrete(LONGEST);
            let decision = self.recorder.binary(Op::Ule, 64, length, longest, is_short.into());
            self.recorder.branch(decision, site, is_short);
            largest = LONGEST;
        }
        if !is_short {
            return None;
        }
        for (_, address) in blocks {
            self.bound_to(length, largest, site, *address);
        }
        let most = largest.min(room);
        Some(Lengths {
            least: values::smallest(&self.recorder, &mut self.pointers.unions, length.label).min(most),
            most,
        })
    }

    /// The block at `address` has as many bytes as the length says.
    pub fn bound_length(&mut self, length: Operand, site: u32, address: u64) {
        let largest = values::largest(&self.recorder, &mut self.pointers.unions, length.label);
        self.bound_to(length, largest, site, address);
    }

    /// The same for a length that is known to be no larger than `largest`.
    fn bound_to(&mut self, length: Operand, largest: u64, site: u32, address: u64) {
        let Some(area) = self.regions.find(address) else { return };
        let room = area.room_at(address);
        if largest > room {
            let fits =
                self.recorder.binary(Op::Ule, 64, length, Operand::concrete(room), u64::from(length.value <= room));
            self.assume(fits, site);
        }
        if let Some(extent) = area.extent {
            let offset = address - area.base;
            let end = length.value + offset;
            let label = self.recorder.binary(Op::Add, 64, length, Operand::concrete(offset), end);
            let (end, size) = (Operand { label, value: end }, Operand { label: extent.label, value: extent.size });
            let fits = self.recorder.binary(Op::Ule, 64, end, size, u64::from(end.value <= size.value));
            self.assume(fits, site);
            if extent.is_open && largest > room {
                self.loss(site, Reason::Size, largest - room);
            }
        }
    }

    /// From here on the path holds only where a condition does, which holds in this run if it is to be assumed at all.
    pub(super) fn assume(&mut self, condition: Label, site: u32) {
        let holds = self.recorder.node(condition).value() == 1;
        if condition != 0 && holds && self.recorder.first_time(condition, flag::BRANCH) {
            let kind = EventKind::Bounds as u8;
            self.recorder.log(Event { kind, taken: 1, reason: 0, site, label: condition, aux: 0, value: 0 });
        }
    }

    fn write_some(&mut self, to: u64, length: Operand, lengths: Lengths, written: impl Fn(&Runtime, usize) -> Operand) {
        let before = self.recorder.node_count();
        for index in 0..lengths.most {
            let (place, new) = (to + index, written(self, index as usize));
            let value = contents(place, 1);
            let old = Operand { label: self.recorder.look_at(place, 1, value), value };
            let is_written = index < length.value;
            let chosen = if index < lengths.least {
                new
            } else {
                let index = Operand::concrete(index);
                let condition = self.recorder.binary(Op::Ult, 64, index, length, u64::from(is_written));
                self.recorder.either(8, condition, is_written, new, old)
            };
            self.recorder.store(place, 1, chosen.label);
        }
        self.pointers.spent = self.pointers.spent.saturating_add(self.recorder.node_count() - before);
    }
}
