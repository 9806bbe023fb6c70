//! Where calls and jumps through labelled addresses go.

use trace::layout::{Event, EventKind, Label, Reason};

use super::Pointers;
use crate::recorder::flag;
use crate::runtime::Runtime;

impl Runtime {
    /// A call or jump through the address `label`, which was `value`: a switch over the targets that it can have. Where
    /// they are not known, the address is pinned.
    pub fn target(&mut self, label: Label, site: u32, value: u64) {
        let is_possible = label != 0 && self.recorder.follows_pointers() && self.recorder.width(label) == 64;
        let Pointers { ranges, unions, .. } = &mut self.pointers;
        let ranges = if is_possible { ranges.of(&self.recorder, unions, label) } else { None };
        let targets = ranges.filter(|targets| {
            targets.iter().all(|target| target.range.steps == 0)
                && targets.iter().any(|target| target.range.first == value)
        });
        let Some(targets) = targets else {
            return self.recorder.pin(label, site, Reason::CallTarget, value);
        };
        if self.recorder.node(label).flags() & flag::SWITCH == 0 {
            for target in targets {
                let (kind, value) = (EventKind::Target as u8, target.range.first);
                self.recorder.log(Event { kind, taken: 0, reason: 0, site, label, aux: 0, value });
            }
        }
        self.recorder.switch(label, site, value);
    }
}
