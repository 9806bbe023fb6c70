//! Amounts that values are shifted by.
//!
//! Where the amount was read at an index, what is shifted says by how much it is shifted: so bits are taken from a stream of
//! codes of different lengths. Followed any further, the place of all bits that come later would be a choice. So the amount is a
//! constant from there on: by a decision, if there are few, else by a pin.

use trace::layout::{Event, EventKind, Label, Reason};
use trace::op::Op;

use super::values;
use crate::build::operator;
use crate::recorder::{Recorder, flag};
use crate::runtime::Runtime;

/// Amounts that are worth a way each.
const MOST_WAYS: u32 = 4;

impl Runtime {
    /// A labelled value of `width` bits is shifted by `label`, which is `value`.
    pub fn amount(&mut self, label: Label, site: u32, width: u32, value: u64) {
        let is_decision = label != 0
            && value < u64::from(width.min(64))
            && self.recorder.follows_pointers()
            && self.pointers.nesting.of(&self.recorder, label) > 0;
        if !is_decision {
            return;
        }
        let possible = self.possible(label, width.min(64));
        // Others are undefined, and what the nodes say must be true of what it was.
        if possible >> value & 1 == 0 {
            return;
        }
        if possible.count_ones() > MOST_WAYS {
            self.recorder.pin(label, site, Reason::Amount, value);
            return self.settle(label);
        }
        if self.recorder.node(label).flags() & flag::SWITCH == 0 {
            for amount in (0..64).filter(|amount| possible >> amount & 1 == 1) {
                let kind = EventKind::Target as u8;
                self.recorder.log(Event { kind, taken: 0, reason: 0, site, label, aux: 0, value: amount });
            }
        }
        self.recorder.switch(label, site, value);
        self.settle(label);
    }

    /// A bit for each amount below `width` that a label can be.
    fn possible(&mut self, label: Label, width: u32) -> u64 {
        let table = self.recorder.node(unextended(&self.recorder, label));
        let elements = table.b()..table.b().saturating_add(table.imm() as Label);
        let element = |label| Some(self.recorder.node(label)).filter(|node| node.op == Op::Const as u8);
        if table.op == Op::Lookup as u8 && elements.clone().all(|label| element(label).is_some()) {
            let values = elements.filter_map(|label| Some(element(label)?.value()));
            return values.filter(|value| *value < width.into()).fold(0, |all, value| all | 1 << value);
        }
        let bounds = [values::smallest, values::largest]
            .map(|bound| bound(&self.recorder, &mut self.pointers.unions, label).min(u64::from(width) - 1));
        (bounds[0]..=bounds[1]).fold(0, |all, value| all | 1 << value)
    }

    /// From here on a label has no other value than it had.
    fn settle(&mut self, label: Label) {
        let mut current = label;
        loop {
            self.recorder.first_time(current, flag::PIN_OTHER);
            self.pointers.nesting.settle(current);
            match operator(self.recorder.node(current).op) {
                Some(Op::ZExt | Op::SExt) => current = self.recorder.node(current).a(),
                _ => break,
            }
        }
    }
}

/// What a label was extended from.
fn unextended(recorder: &Recorder, label: Label) -> Label {
    let mut current = label;
    while recorder.node(current).op == Op::ZExt as u8 {
        current = recorder.node(current).a();
    }
    current
}
