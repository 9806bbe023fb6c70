//! Where calls and jumps through labelled addresses go.

use trace::layout::{Label, Reason};
use trace::op::Op;

use super::values::Ranges;
use crate::build::Operand;
use crate::runtime::Runtime;

impl Runtime {
    /// A call or jump through the address `label`, which was `value`. Each other target that is known is a branch that was
    /// not taken; where they are not known, the address is pinned.
    pub fn target(&mut self, label: Label, site: u32, value: u64) {
        let is_possible = label != 0 && self.recorder.follows_pointers() && self.recorder.width(label) == 64;
        let ranges = if is_possible { Ranges::of(&self.recorder, label) } else { None };
        let targets = ranges.filter(|ranges| {
            let targets = ranges.items();
            targets.iter().all(|target| target.steps == 0) && targets.iter().any(|target| target.first == value)
        });
        let Some(targets) = targets else {
            return self.recorder.pin(label, site, Reason::CallTarget, value);
        };
        self.recorder.check(label, site, value);
        let others = targets.items().iter().map(|target| target.first).filter(|target| *target != value);
        for target in others.chain([value]) {
            let is_taken = target == value;
            let here = Operand { label, value };
            let condition = self.recorder.binary(Op::Eq, 64, here, Operand::concrete(target), u64::from(is_taken));
            self.recorder.branch(condition, site, is_taken);
        }
    }
}
