//! Comparisons: narrowed to the bits that matter, negations pushed inwards, so that equal conditions become one node.

use trace::layout::Label;
use trace::op::Op;

use super::binary::Found;
use super::{mask, sign_extend};
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

    /// `x op c`.
    #[inline(never)]
    pub(super) fn compare_constant(&mut self, op: Op, width: u32, x: Label, c: u64, result: u64) -> Label {
        let (mut op, mut width, mut x, mut c) = (op, width, x, c);
        loop {
            match (op, c) {
                (Op::Ult, 0) => return 0,
                (Op::Ule, c) if c == mask(width) => return 0,
                (Op::Ult, 1) | (Op::Ule, 0) => (op, c) = (Op::Eq, 0),
                _ => {}
            }
            match (op, c) {
                (Op::Eq, 1) | (Op::Ne, 0) if width == 1 => return x,
                (Op::Eq, 0) | (Op::Ne, 1) if width == 1 => return self.not(x),
                _ => {}
            }
            let node = self.node(x);
            let is_equality = matches!(op, Op::Eq | Op::Ne);
            let older = match super::operator(node.op) {
                Some(Op::ZExt) => {
                    width = self.width(node.a());
                    op = unsigned(op);
                    if c > mask(width) {
                        return 0;
                    }
                    node.a()
                }
                Some(Op::SExt) if !matches!(op, Op::Ult | Op::Ule) => {
                    let inner = self.width(node.a());
                    if sign_extend(c & mask(inner), inner, width) != c {
                        return 0;
                    }
                    (width, c) = (inner, c & mask(inner));
                    node.a()
                }
                Some(Op::Add) if is_equality && node.b() == 0 => {
                    c = c.wrapping_sub(node.imm()) & mask(width);
                    node.a()
                }
                Some(Op::Xor) if is_equality && node.b() == 0 => {
                    c = (c ^ node.imm()) & mask(width);
                    node.a()
                }
                Some(Op::Sub | Op::Xor) if is_equality && c == 0 && node.a() != 0 && node.b() != 0 => {
                    let (a, b) = (self.operand(node.a()), self.operand(node.b()));
                    return self.binary(op, width, a, b, result);
                }
                Some(Op::Sub) if is_equality && node.a() == 0 => {
                    c = node.imm().wrapping_sub(c) & mask(width);
                    node.b()
                }
                _ => 0,
            };
            // Nodes are older than what is computed from them, so this ends.
            if older == 0 || older >= x {
                return self.node_of_shape(Shape { op, width: 1, a: x, b: 0, imm: c }, result);
            }
            x = older;
        }
    }

    /// `c op x`, for the comparisons that are not symmetric.
    #[inline(never)]
    pub(super) fn compare_constant_first(&mut self, op: Op, width: u32, c: u64, x: Label, result: u64) -> Label {
        let (mut op, mut width, mut x, mut c) = (op, width, x, c);
        loop {
            match (op, c) {
                (Op::Ule, 0) => return 0,
                (Op::Ult, c) if c == mask(width) => return 0,
                (Op::Ult, 0) | (Op::Ule, 1) => return self.compare_constant(Op::Ne, width, x, 0, result),
                _ => {}
            }
            let node = self.node(x);
            let inner = self.width(node.a());
            let older = match super::operator(node.op) {
                Some(Op::ZExt) => {
                    (op, width) = (unsigned(op), inner);
                    if c > mask(width) {
                        return 0;
                    }
                    node.a()
                }
                Some(Op::SExt) if matches!(op, Op::Slt | Op::Sle) => {
                    if sign_extend(c & mask(inner), inner, width) != c {
                        return 0;
                    }
                    (width, c) = (inner, c & mask(inner));
                    node.a()
                }
                _ => 0,
            };
            // As above.
            if older == 0 || older >= x {
                return self.node_of_shape(Shape { op, width: 1, a: 0, b: x, imm: c }, result);
            }
            x = older;
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
