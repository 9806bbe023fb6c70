//! The pointer that an address is computed from.

use trace::layout::{Label, Reason};
use trace::op::Op;

use crate::build::operator;
use crate::runtime::Runtime;

/// How many operations are looked into.
const DEPTH: u32 = 8;

impl Runtime {
    /// Pins the pointer within an address where input chose it: what is known of the region that the address lies in is
    /// about the pointer that it was, and says nothing about another.
    pub fn pin_origin(&mut self, address: Label, site: u32) {
        if let Some(pointer) = self.origin(address, DEPTH) {
            let value = self.recorder.node(pointer).value();
            self.recorder.pin(pointer, site, Reason::Address, value);
        }
    }

    /// The choice between pointers that an address is computed from.
    fn origin(&mut self, label: Label, depth: u32) -> Option<Label> {
        if label == 0 || depth == 0 {
            return None;
        }
        let node = self.recorder.node(label);
        match operator(node.op)? {
            // An index that was chosen lies in no region.
            Op::Ite | Op::Lookup if node.width() == 64 => self.regions.find(node.value()).map(|_| label),
            // Pointers are also aligned and tagged.
            Op::Add | Op::And | Op::Or | Op::Xor => {
                self.origin(node.a(), depth - 1).or_else(|| self.origin(node.b(), depth - 1))
            }
            Op::Sub => self.origin(node.a(), depth - 1),
            _ => None,
        }
    }
}
