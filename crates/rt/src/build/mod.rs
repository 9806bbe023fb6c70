//! Builders of nodes, with the simplifications that cost a few nanoseconds.
//!
//! A simplification never changes what a label denotes. A builder returns 0 where the result does not depend on the
//! input at all (`x & 0`, a zero-extended byte compared with 300). Anything deeper is the engine's work.

mod binary;
mod compare;
mod concat;
mod convert;
mod float;
mod select;
#[cfg(test)]
pub(crate) mod tests;

use trace::layout::Label;
use trace::op::Op;

use crate::recorder::{Recorder, Shape};

pub use float::IntegerShape;

/// An operand: a label with the value that the program had, or label 0 and a concrete value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Operand {
    /// Label, or 0.
    pub label: Label,
    /// The low 64 bits of its value.
    pub value: u64,
}

impl Operand {
    /// A concrete operand.
    pub fn concrete(value: u64) -> Operand {
        Operand { label: 0, value }
    }
}

/// The low `width` bits.
#[inline(always)]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// `value`, of `from` bits, with copies of its sign bit above, as `to` bits.
#[inline(always)]
pub fn sign_extend(value: u64, from: u32, to: u32) -> u64 {
    let shift = 64 - from.clamp(1, 64);
    (((value << shift) as i64 >> shift) as u64) & mask(to)
}

/// The operator with a code, without a search.
#[inline(always)]
pub fn operator(code: u8) -> Option<Op> {
    const TABLE: [Option<Op>; 256] = {
        let mut table = [None; 256];
        let mut index = 0;
        while index < Op::ALL.len() {
            table[Op::ALL[index] as usize] = Some(Op::ALL[index]);
            index += 1;
        }
        table
    };
    TABLE[code as usize]
}

impl Recorder {
    /// The operand that a label stands for.
    #[inline(always)]
    pub fn operand(&self, label: Label) -> Operand {
        Operand { label, value: self.node(label).value() }
    }

    /// A node for a constant of at most 64 bits.
    pub fn constant(&mut self, width: u32, value: u64) -> Label {
        let value = value & mask(width);
        self.node_of_shape(Shape { op: Op::Const, width, a: 0, b: 0, imm: value }, value)
    }

    /// A node for a constant of any width, given as 64-bit words, least significant first.
    pub fn wide_constant(&mut self, width: u32, words: impl Fn(u32) -> u64) -> Label {
        let mut low = self.constant(width.min(64), words(0));
        let mut done = width.min(64);
        while done < width {
            let next = (width - done).min(64);
            let high = self.constant(next, words(done / 64));
            let value = self.node(low).value();
            done += next;
            low = self.node_of_shape(Shape { op: Op::Concat, width: done, a: high, b: low, imm: 0 }, value);
        }
        low
    }

    /// The operand's label, or that of a constant node with its value.
    pub(crate) fn label_of(&mut self, width: u32, operand: Operand) -> Label {
        if operand.label == 0 { self.constant(width, operand.value) } else { operand.label }
    }
}
