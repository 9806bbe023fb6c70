//! Values with labels, as the models compute with them: every operation computes the value as well as the node.

use trace::layout::Label;
use trace::op::Op;

use crate::build::{Operand, mask};
use crate::recorder::Recorder;
use crate::shadow;

/// A value of at most 64 bits and its label, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Label, or 0 where the value is concrete.
    pub label: Label,
    /// Value.
    pub value: u64,
    /// Width in bits.
    pub width: u32,
}

impl Term {
    /// A concrete value.
    pub fn concrete(width: u32, value: u64) -> Term {
        Term { label: 0, value: value & mask(width), width }
    }

    /// The same without its width.
    pub fn operand(self) -> Operand {
        Operand { label: self.label, value: self.value }
    }
}

impl Recorder {
    /// The byte at an address.
    ///
    /// # Safety
    /// The address can be read.
    pub(super) unsafe fn byte_at(&mut self, address: u64) -> Term {
        // SAFETY: by the contract of this function.
        let value = u64::from(unsafe { *(address as *const u8) });
        let label = if shadow::label(address) == 0 { 0 } else { self.load(address, 1, value) };
        Term { label, value, width: 8 }
    }

    /// The low byte of a wider value.
    pub(super) fn low_byte(&mut self, label: Label, value: u64) -> Term {
        let value = value & 0xff;
        let label = if label == 0 { 0 } else { self.extract(label, 0, 8, value) };
        Term { label, value, width: 8 }
    }

    pub(super) fn equal(&mut self, a: Term, b: Term) -> Term {
        let value = u64::from(a.value == b.value);
        Term { label: self.binary(Op::Eq, a.width, a.operand(), b.operand(), value), value, width: 1 }
    }

    pub(super) fn negation(&mut self, a: Term) -> Term {
        let label = if a.label == 0 { 0 } else { self.not(a.label) };
        Term { label, value: !a.value & 1, width: 1 }
    }

    pub(super) fn sum(&mut self, a: Term, b: Term) -> Term {
        let value = a.value.wrapping_add(b.value) & mask(a.width);
        Term { label: self.binary(Op::Add, a.width, a.operand(), b.operand(), value), value, width: a.width }
    }

    /// Whether `a` is at most `b`, both without signs.
    pub(super) fn at_most(&mut self, a: Term, b: Term) -> Term {
        let value = u64::from(a.value <= b.value);
        Term { label: self.binary(Op::Ule, a.width, a.operand(), b.operand(), value), value, width: 1 }
    }

    pub(super) fn difference(&mut self, a: Term, b: Term) -> Term {
        let value = a.value.wrapping_sub(b.value) & mask(a.width);
        Term { label: self.binary(Op::Sub, a.width, a.operand(), b.operand(), value), value, width: a.width }
    }

    pub(super) fn widened(&mut self, a: Term, width: u32) -> Term {
        Term { label: self.zero_extend(a.label, width), value: a.value, width }
    }

    pub(super) fn choice(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let taken = condition.value != 0;
        if condition.label == 0 {
            return if taken { a } else { b };
        }
        let label = self.ite(a.width, condition.label, a.operand(), b.operand(), taken);
        Term { label, value: if taken { a.value } else { b.value }, width: a.width }
    }

    /// Logs which way a condition went.
    pub(super) fn decide(&mut self, condition: Term, site: u32) -> bool {
        self.branch(condition.label, site, condition.value != 0);
        condition.value != 0
    }
}
