//! Comparisons: narrowed to the bits that matter, negations pushed inwards, so that equal conditions become one node.

use trace::layout::Label;
use trace::op::Op;

use super::binary::Found;
use super::{Operand, mask, sign_extend};
use crate::recorder::{Recorder, Shape};

/// The unsigned counterpart of a comparison.
fn unsigned(op: Op) -> Op {
    match op {
        Op::Slt => Op::Ult,
        Op::Sle => Op::Ule,
        other => other,
    }
}

impl Recorder {
    /// The negation of a one-bit label.
    pub fn not(&mut self, x: Label) -> Label {
        let node = self.node(x);
        let value = !node.value() & 1;
        let mut flipped = |op, a, b| self.node_of_shape(Shape { op, width: 1, a, b, imm: node.imm() }, value);
        match super::operator(node.op) {
            Some(Op::Xor) if node.b() == 0 => node.a(),
            Some(Op::Eq) => flipped(Op::Ne, node.a(), node.b()),
            Some(Op::Ne) => flipped(Op::Eq, node.a(), node.b()),
            Some(Op::Ult) => flipped(Op::Ule, node.b(), node.a()),
            Some(Op::Ule) => flipped(Op::Ult, node.b(), node.a()),
            Some(Op::Slt) => flipped(Op::Sle, node.b(), node.a()),
            Some(Op::Sle) => flipped(Op::Slt, node.b(), node.a()),
            _ => self.node_of_shape(Shape { op: Op::Xor, width: 1, a: x, b: 0, imm: 1 }, value),
        }
    }

    fn compare(&mut self, op: Op, width: u32, x: Label, c: u64, result: u64) -> Found {
        let x = Operand { label: x, value: 0 };
        Found::Label(self.binary(op, width, x, Operand::concrete(c), result))
    }

    fn compare_first(&mut self, op: Op, width: u32, c: u64, x: Label, result: u64) -> Found {
        let x = Operand { label: x, value: 0 };
        Found::Label(self.binary(op, width, Operand::concrete(c), x, result))
    }

    /// `x op c`.
    #[inline]
    pub(super) fn compare_constant(&mut self, op: Op, width: u32, x: Label, c: u64, result: u64) -> Found {
        let node = self.node(x);
        match (op, c) {
            (Op::Ult, 0) => return Found::Label(0),
            (Op::Ule, c) if c == mask(width) => return Found::Label(0),
            (Op::Ult, 1) | (Op::Ule, 0) => return self.compare(Op::Eq, width, x, 0, result),
            (Op::Eq, 1) | (Op::Ne, 0) if width == 1 => return Found::Label(x),
            (Op::Eq, 0) | (Op::Ne, 1) if width == 1 => return Found::Label(self.not(x)),
            _ => {}
        }
        match super::operator(node.op) {
            Some(Op::ZExt) => {
                let inner = self.width(node.a());
                if c > mask(inner) { Found::Label(0) } else { self.compare(unsigned(op), inner, node.a(), c, result) }
            }
            Some(Op::SExt) if !matches!(op, Op::Ult | Op::Ule) => {
                let inner = self.width(node.a());
                let narrow = c & mask(inner);
                if sign_extend(narrow, inner, width) == c {
                    self.compare(op, inner, node.a(), narrow, result)
                } else {
                    Found::Label(0)
                }
            }
            Some(Op::Add) if matches!(op, Op::Eq | Op::Ne) && node.b() == 0 => {
                self.compare(op, width, node.a(), c.wrapping_sub(node.imm()) & mask(width), result)
            }
            Some(Op::Xor) if matches!(op, Op::Eq | Op::Ne) && node.b() == 0 => {
                self.compare(op, width, node.a(), c ^ node.imm(), result)
            }
            Some(Op::Sub | Op::Xor) if matches!(op, Op::Eq | Op::Ne) && c == 0 && node.a() != 0 && node.b() != 0 => {
                let (a, b) = (self.operand(node.a()), self.operand(node.b()));
                Found::Label(self.binary(op, width, a, b, result))
            }
            Some(Op::Sub) if matches!(op, Op::Eq | Op::Ne) && node.a() == 0 => {
                self.compare(op, width, node.b(), node.imm().wrapping_sub(c) & mask(width), result)
            }
            _ => Found::Nothing,
        }
    }

    /// `c op x`, for the comparisons that are not symmetric.
    pub(super) fn compare_constant_first(&mut self, op: Op, width: u32, c: u64, x: Label, result: u64) -> Found {
        match (op, c) {
            (Op::Ule, 0) => return Found::Label(0),
            (Op::Ult, c) if c == mask(width) => return Found::Label(0),
            (Op::Ult, 0) | (Op::Ule, 1) => return self.compare(Op::Ne, width, x, 0, result),
            _ => {}
        }
        let node = self.node(x);
        let inner = self.width(node.a());
        match super::operator(node.op) {
            Some(Op::ZExt) if c > mask(inner) => Found::Label(0),
            Some(Op::ZExt) => self.compare_first(unsigned(op), inner, c, node.a(), result),
            Some(Op::SExt) if matches!(op, Op::Slt | Op::Sle) => {
                let narrow = c & mask(inner);
                if sign_extend(narrow, inner, width) == c {
                    self.compare_first(op, inner, narrow, node.a(), result)
                } else {
                    Found::Label(0)
                }
            }
            _ => Found::Nothing,
        }
    }

    /// A comparison of two values that are extended from the same width, done at that width.
    pub(super) fn compare_labels(&mut self, op: Op, a: Label, b: Label, result: u64) -> Found {
        if !matches!(op, Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle) {
            return Found::Nothing;
        }
        let (x, y) = (self.node(a), self.node(b));
        let inner = self.width(x.a());
        if x.op != y.op || inner != self.width(y.a()) {
            return Found::Nothing;
        }
        let op = match super::operator(x.op) {
            Some(Op::ZExt) => unsigned(op),
            Some(Op::SExt) => op,
            _ => return Found::Nothing,
        };
        let (x, y) = (self.operand(x.a()), self.operand(y.a()));
        Found::Label(self.binary(op, inner, x, y, result))
    }
}
