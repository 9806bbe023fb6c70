//! Extensions, extracts and the operators on single operands.

use trace::layout::Label;
use trace::op::Op;

use super::{mask, sign_extend};
use crate::recorder::{Recorder, Shape};

impl Recorder {
    /// `ZExt`, `SExt`, `Extract` and the bit-counting operators; `width` is the result's.
    pub fn unary(&mut self, op: Op, width: u32, x: Label, imm: u64, result: u64) -> Label {
        if x == 0 {
            return 0;
        }
        let result = result & mask(width);
        match op {
            Op::ZExt => self.zero_extend(x, width),
            Op::SExt => self.sign_extend(x, width, result),
            Op::Extract => self.extract(x, u32::try_from(imm).unwrap_or(u32::MAX), width, result),
            Op::BSwap if width == 8 => x,
            Op::BSwap | Op::BitReverse if self.node(x).op == op as u8 => self.node(x).a(),
            Op::FRound => self.node_of_shape(Shape { op, width, a: x, b: 0, imm }, result),
            _ => self.node_of_shape(Shape { op, width, a: x, b: 0, imm: 0 }, result),
        }
    }

    /// `x` with zero bits above it; 0 for 0.
    pub fn zero_extend(&mut self, x: Label, width: u32) -> Label {
        let node = self.node(x);
        if x == 0 || u32::from(node.width()) >= width {
            return x;
        }
        let x = if node.op == Op::ZExt as u8 { node.a() } else { x };
        self.node_of_shape(Shape { op: Op::ZExt, width, a: x, b: 0, imm: 0 }, node.value())
    }

    fn sign_extend(&mut self, x: Label, width: u32, result: u64) -> Label {
        let node = self.node(x);
        if u32::from(node.width()) >= width {
            return x;
        }
        match super::operator(node.op) {
            Some(Op::ZExt) => self.zero_extend(x, width),
            Some(Op::SExt) => self.sign_extend(node.a(), width, result),
            _ => self.node_of_shape(Shape { op: Op::SExt, width, a: x, b: 0, imm: 0 }, result),
        }
    }

    /// `width` bits of `x` from bit `low`, which the program saw as `result`; 0 where these bits are constant.
    pub fn extract(&mut self, x: Label, low: u32, width: u32, result: u64) -> Label {
        let mut x = x;
        let mut low = low;
        // Each step replaces the operand by an older node, so this ends.
        loop {
            let node = self.node(x);
            let whole = u32::from(node.width());
            if low == 0 && width == whole {
                return x;
            }
            let end = low.saturating_add(width);
            let inner = self.width(node.a());
            match super::operator(node.op) {
                Some(Op::Extract) => {
                    low += node.imm() as u32;
                    x = node.a();
                }
                Some(Op::ZExt) if low >= inner => return 0,
                Some(Op::ZExt) if end > inner => {
                    let part = self.extract(node.a(), low, inner - low, result);
                    return self.zero_extend(part, width);
                }
                Some(Op::SExt) if end > inner && low == 0 => return self.sign_extend(node.a(), width, result),
                Some(Op::SExt) if end > inner => break,
                Some(Op::ZExt | Op::SExt) => x = node.a(),
                Some(Op::Concat) => {
                    let low_width = if node.b() == 0 { whole - inner } else { self.width(node.b()) };
                    let (part, offset) = if end <= low_width {
                        (node.b(), low)
                    } else if low >= low_width {
                        (node.a(), low - low_width)
                    } else {
                        break;
                    };
                    if part == 0 {
                        return 0;
                    }
                    (x, low) = (part, offset);
                }
                Some(Op::Bytes) if low.is_multiple_of(8) && width.is_multiple_of(8) && width > 8 => {
                    return self.byte_run(node.a() + low / 8, width / 8, result);
                }
                Some(Op::Bytes) if low / 8 == (end - 1) / 8 => (x, low) = (node.a() + low / 8, low % 8),
                Some(Op::LShr | Op::AShr)
                    if node.b() == 0 && node.imm().saturating_add(u64::from(end)) <= u64::from(whole) =>
                {
                    low += node.imm() as u32;
                    x = node.a();
                }
                Some(Op::Shl) if node.b() == 0 && u64::from(low) >= node.imm() => {
                    low -= node.imm() as u32;
                    x = node.a();
                }
                _ => break,
            }
        }
        self.node_of_shape(Shape { op: Op::Extract, width, a: x, b: 0, imm: u64::from(low) }, result)
    }

    /// The value of a sign extension whose operand has at most 64 bits.
    pub(crate) fn sign_extended_value(&self, x: Label, width: u32) -> u64 {
        sign_extend(self.node(x).value(), self.width(x), width)
    }
}
