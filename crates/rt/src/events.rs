//! What is logged, and how often.

use trace::layout::{Counter, Event, EventKind, Label, Reason, SizeUse};

use crate::build::mask;
use crate::recorder::{Recorder, flag};
use crate::runtime::Runtime;
use crate::system::List;

/// How many places of loss are told apart; the others are logged again and again.
const LOSS_PLACES: usize = 1 << 16;

/// Where precision was lost, so that each place is logged once.
pub struct Losses {
    /// By site and reason, hashed: `key + 1` and the index of the event.
    places: List<(u64, u64)>,
}

impl Losses {
    /// No losses yet.
    pub fn new() -> Losses {
        // SAFETY: two integers.
        Losses { places: unsafe { List::zeroed(LOSS_PLACES) } }
    }

    /// The place for a site and reason; `None` when the table is full.
    fn place(&mut self, site: u32, reason: Reason) -> Option<&mut (u64, u64)> {
        let key = (u64::from(site) << 16 | reason as u64) + 1;
        let start = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let places = self.places.items_mut();
        let at = (0..64)
            .map(|step| (start as usize + step) % LOSS_PLACES)
            .find(|at| places.get(*at).is_some_and(|place| place.0 == 0 || place.0 == key))?;
        let place = places.get_mut(at)?;
        if place.0 == 0 {
            *place = (key, u64::MAX);
        }
        Some(place)
    }
}

impl Default for Losses {
    fn default() -> Losses {
        Losses::new()
    }
}

/// The reason with this code; codes that nobody knows count as an unmodelled instruction.
pub fn reason(code: u32) -> Reason {
    const ALL: [Reason; 16] = [
        Reason::None,
        Reason::Float,
        Reason::Assembly,
        Reason::Instruction,
        Reason::UnmodelledCall,
        Reason::CallTarget,
        Reason::Size,
        Reason::ModelArgument,
        Reason::Atomic,
        Reason::InputLost,
        Reason::Representation,
        Reason::Address,
        Reason::Length,
        Reason::Amount,
        Reason::Identity,
        Reason::Unit,
    ];
    ALL.get(code as usize).copied().unwrap_or(Reason::Instruction)
}

/// The use of a size with this code.
pub fn size_use(code: u32) -> SizeUse {
    match code {
        0 => SizeUse::Allocation,
        1 => SizeUse::StackArray,
        2 => SizeUse::BlockRead,
        _ => SizeUse::BlockWrite,
    }
}

impl Recorder {
    /// Sets a flag of a node; whether it was not set before.
    #[inline(always)]
    pub fn first_time(&mut self, label: Label, bit: u8) -> bool {
        self.cell_mut(label).set_flag(bit)
    }

    /// With self-check on: logs a label whose node has another value than the program.
    #[inline(always)]
    pub fn check(&mut self, label: Label, site: u32, value: u64) {
        if self.selfcheck() && label != 0 {
            let node = self.node(label);
            let value = value & mask(u32::from(node.width()));
            if node.value() != value {
                self.mismatch(label, site, value);
            }
        }
    }

    /// Logs an internal error: the node of `label` has another value than the program, which had `value`.
    #[cold]
    #[inline(never)]
    pub fn mismatch(&mut self, label: Label, site: u32, value: u64) {
        self.log(Event { kind: EventKind::Mismatch as u8, taken: 0, reason: 0, site, label, aux: 0, value });
    }

    /// A branch on the one-bit `label`.
    #[inline]
    pub fn branch(&mut self, label: Label, site: u32, taken: bool) {
        if label == 0 {
            return;
        }
        self.count(Counter::Branches, 1);
        self.check(label, site, u64::from(taken));
        if self.first_time(label, flag::BRANCH) {
            let taken = u8::from(taken);
            self.log(Event { kind: EventKind::Branch as u8, taken, reason: 0, site, label, aux: 0, value: 0 });
        }
    }

    /// A check of the one-bit condition `label`, about the value with the label `subject`.
    pub fn condition(&mut self, label: Label, site: u32, holds: bool, subject: Label) {
        if label == 0 {
            return;
        }
        self.count(Counter::Checks, 1);
        self.check(label, site, u64::from(holds));
        if self.first_time(label, flag::CHECK) {
            let taken = u8::from(holds);
            self.log(Event { kind: EventKind::Check as u8, taken, reason: 0, site, label, aux: subject, value: 0 });
        }
    }

    /// A switch on `label`, which had `value`.
    pub fn switch(&mut self, label: Label, site: u32, value: u64) {
        if label == 0 {
            return;
        }
        self.count(Counter::Branches, 1);
        self.check(label, site, value);
        if self.first_time(label, flag::SWITCH) {
            self.log(Event { kind: EventKind::Switch as u8, taken: 0, reason: 0, site, label, aux: 0, value });
        }
    }

    /// From here on `label` is taken to be `value`.
    pub fn pin(&mut self, label: Label, site: u32, reason: Reason, value: u64) {
        if label == 0 {
            return;
        }
        self.check(label, site, value);
        let bit = match reason {
            Reason::Size => flag::PIN_SIZE,
            Reason::UnmodelledCall => flag::PIN_CALL,
            _ => flag::PIN_OTHER,
        };
        if self.first_time(label, bit) {
            let reason = reason as u16;
            self.log(Event { kind: EventKind::Pin as u8, taken: 0, reason, site, label, aux: 0, value });
        }
    }
}

impl Runtime {
    /// An access through the address `label`, which was `address` and is pinned if it has a label.
    pub fn address(&mut self, label: Label, site: u32, address: u64, bytes: u64, is_write: bool) {
        if label != 0 {
            self.pin_address(label, site, address, bytes, is_write);
        }
        // How large a block must be for this address is a question about this address only.
        self.touch(site, address, bytes);
    }

    fn pin_address(&mut self, label: Label, site: u32, address: u64, bytes: u64, is_write: bool) {
        self.recorder.check(label, site, address);
        let (bit, kind) = if is_write { (flag::WRITE, EventKind::Write) } else { (flag::READ, EventKind::Read) };
        let is_new = self.recorder.first_time(label, bit);
        if self.recorder.first_time(label, flag::PIN_ADDRESS) || is_new {
            self.pin_origin(label, site);
            let aux = self.regions.index_of(&mut self.recorder, address).map_or(0, |index| index + 1);
            let taken = bytes.min(u64::from(u8::MAX)) as u8;
            let reason = Reason::Address as u16;
            self.recorder.log(Event { kind: kind as u8, taken, reason, site, label, aux, value: address });
        }
    }

    /// Something begins at the address `label`, which was `address`: checkers look at it, and nothing is pinned.
    pub fn approach(&mut self, label: Label, site: u32, address: u64, is_write: bool) {
        if label == 0 {
            return;
        }
        let kind = if is_write { EventKind::Write } else { EventKind::Read };
        let aux = self.regions.index_of(&mut self.recorder, address).map_or(0, |index| index + 1);
        self.recorder.log(Event { kind: kind as u8, taken: 0, reason: 0, site, label, aux, value: address });
    }

    /// The size `label`, which was `size`, of a block at `address` or of one that is yet to be made; for a variable-length array
    /// `address` is the size of its elements.
    pub fn size(&mut self, label: Label, site: u32, size_use: SizeUse, address: u64, size: u64) {
        if label == 0 {
            return;
        }
        let is_block = matches!(size_use, SizeUse::BlockRead | SizeUse::BlockWrite);
        let region = if is_block { self.regions.index_of(&mut self.recorder, address) } else { None };
        let aux = region.map_or(0, |index| index + 1);
        let value = if size_use == SizeUse::Allocation { size } else { address };
        let kind = EventKind::Size as u8;
        self.recorder.log(Event { kind, taken: size_use as u8, reason: 0, site, label, aux, value });
    }

    /// Precision lost at a site, in so many bytes. Logged once per site and reason; later losses add to its bytes.
    pub fn loss(&mut self, site: u32, reason: Reason, bytes: u64) {
        self.recorder.settle_loops();
        let next = self.recorder.event_count();
        let place = self.losses.place(site, reason);
        // What was lost before a unit was entered says nothing about what is lost in it.
        let is_in_unit = |place: &&mut (u64, u64)| place.1 >= self.recorder.loops.last_unit();
        if let Some(logged) = place.as_ref().filter(|place| is_in_unit(place)).map(|place| place.1)
            && self.recorder.raise_value(logged, bytes)
        {
            return;
        }
        if let Some(place) = place {
            place.1 = next;
        }
        let reason = reason as u16;
        let kind = EventKind::Loss as u8;
        self.recorder.log(Event { kind, taken: 0, reason, site, label: 0, aux: 0, value: bytes });
    }
}
