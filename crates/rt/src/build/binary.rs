//! Arithmetic and bitwise operators.

use trace::layout::Label;
use trace::op::Op;

use super::{Operand, mask};
use crate::recorder::{Recorder, Shape};

/// What a simplification found.
pub(super) enum Found {
    /// The result is this label (0: concrete).
    Label(Label),
    /// Nothing.
    Nothing,
}

fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Mul
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Eq
            | Op::Ne
            | Op::SAddO
            | Op::UAddO
            | Op::SMulO
            | Op::UMulO
            | Op::FAdd
            | Op::FMul
            | Op::FEq
    )
}

#[inline(always)]
fn is_comparison(op: Op) -> bool {
    (Op::Eq as u8..=Op::Sle as u8).contains(&(op as u8))
}

/// Whether it is an operator of integers that has as many bits as its operands.
#[inline(always)]
fn is_arithmetic(op: Op) -> bool {
    (Op::Add as u8..=Op::Xor as u8).contains(&(op as u8))
}

impl Recorder {
    /// A binary operator on operands of `width` bits, whose `result` the program computed.
    #[inline]
    pub fn binary(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: u64) -> Label {
        let (x, y) = (a.label, b.label);
        if x != 0 && y != 0 && x != y && width <= 64 && is_arithmetic(op) {
            // Nothing is simpler than that.
            let operands = if y < x && is_commutative(op) { (y, x) } else { (x, y) };
            return self.node_of_labels(op, width, operands, result & mask(width));
        }
        if x | y != 0 && (x == 0 || y == 0) && width <= 64 && is_comparison(op) {
            let (first, second, result) = (a.value & mask(width), b.value & mask(width), result & 1);
            return match op {
                _ if y == 0 => self.compare_constant(op, width, x, second, result),
                Op::Eq | Op::Ne => self.compare_constant(op, width, y, first, result),
                _ => self.compare_constant_first(op, width, first, y, result),
            };
        }
        self.simplified_binary(op, width, a, b, result)
    }

    #[inline(never)]
    fn simplified_binary(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: u64) -> Label {
        if a.label | b.label == 0 {
            return 0;
        }
        let (mut a, mut b) = (a, b);
        if is_commutative(op) && (a.label == 0 || (b.label != 0 && b.label < a.label)) {
            (a, b) = (b, a);
        }
        let result = result & mask(if op.is_predicate() { 1 } else { width });
        let found = if width > 64 {
            // Concrete operands do not occur here: constants of such widths are nodes.
            if a.label == b.label { self.equal_operands(op, a.label) } else { Found::Nothing }
        } else if b.label == 0 {
            b.value &= mask(width);
            self.with_constant(op, width, a.label, b.value, result)
        } else if a.label == 0 {
            a.value &= mask(width);
            self.constant_first(op, a.value)
        } else if a.label == b.label {
            self.equal_operands(op, a.label)
        } else if op.is_predicate() {
            self.compare_labels(op, a.label, b.label, result)
        } else {
            Found::Nothing
        };
        match found {
            Found::Label(label) => label,
            Found::Nothing => self.plain_binary(op, width, a, b, result),
        }
    }

    /// The node itself, without looking for anything simpler.
    #[inline(always)]
    pub(super) fn plain_binary(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: u64) -> Label {
        let imm = if a.label == 0 {
            a.value
        } else if b.label == 0 {
            b.value
        } else {
            0
        };
        let width = if op.is_predicate() { 1 } else { width };
        self.node_of_shape(Shape { op, width, a: a.label, b: b.label, imm }, result)
    }

    fn equal_operands(&mut self, op: Op, x: Label) -> Found {
        match op {
            Op::And | Op::Or => Found::Label(x),
            Op::Sub | Op::Xor | Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::SSubO | Op::USubO => {
                Found::Label(0)
            }
            _ => Found::Nothing,
        }
    }

    #[inline]
    fn with_constant(&mut self, op: Op, width: u32, x: Label, c: u64, result: u64) -> Found {
        match op {
            Op::Add | Op::Sub => {
                let c = if op == Op::Sub { c.wrapping_neg() & mask(width) } else { c };
                Found::Label(self.add_constant(width, x, c, result))
            }
            Op::And => Found::Label(self.and_constant(width, x, c, result)),
            Op::Or if c == 0 => Found::Label(x),
            Op::Or if c == mask(width) => Found::Label(0),
            Op::Xor if c == 0 => Found::Label(x),
            Op::Xor if width == 1 => Found::Label(self.not(x)),
            Op::Xor => self.merge_constants(op, width, x, result, |inner| inner ^ c),
            Op::Shl | Op::LShr | Op::AShr if c == 0 => Found::Label(x),
            Op::Shl if c >= u64::from(width) => Found::Label(0),
            Op::LShr if self.is_shifted_out(width, x, c) => Found::Label(0),
            Op::Mul if c == 0 => Found::Label(0),
            Op::Mul if c == 1 => Found::Label(x),
            Op::UDiv if c == 1 => Found::Label(x),
            Op::SDiv if c == 1 && width > 1 => Found::Label(x),
            Op::URem if c == 1 => Found::Label(0),
            Op::SAddO | Op::UAddO | Op::SSubO | Op::USubO if c == 0 => Found::Label(0),
            Op::UMulO if c <= 1 => Found::Label(0),
            _ => Found::Nothing,
        }
    }

    fn constant_first(&mut self, op: Op, c: u64) -> Found {
        match op {
            Op::Shl | Op::LShr | Op::AShr if c == 0 => Found::Label(0),
            _ => Found::Nothing,
        }
    }

    /// `x + c`, where a sum with a constant becomes one sum.
    fn add_constant(&mut self, width: u32, x: Label, c: u64, result: u64) -> Label {
        if c == 0 {
            return x;
        }
        let node = self.node(x);
        if node.op == Op::Add as u8 && node.b() == 0 {
            return self.add_constant(width, node.a(), node.imm().wrapping_add(c) & mask(width), result);
        }
        self.plain_binary(Op::Add, width, Operand { label: x, value: 0 }, Operand::concrete(c), result)
    }

    fn and_constant(&mut self, width: u32, x: Label, c: u64, result: u64) -> Label {
        if c == 0 {
            return 0;
        }
        if c == mask(width) {
            return x;
        }
        let node = self.node(x);
        if node.op == Op::ZExt as u8 || node.op == Op::SExt as u8 {
            let inner = self.width(node.a());
            let low = mask(inner);
            if node.op == Op::ZExt as u8 && c & low == low {
                return x;
            }
            if node.op == Op::ZExt as u8 || c <= low {
                let narrow = self.and_constant(inner, node.a(), c & low, result);
                return self.zero_extend(narrow, width);
            }
        }
        match self.merge_constants(Op::And, width, x, result, |inner| inner & c) {
            Found::Label(label) => label,
            Found::Nothing => {
                self.plain_binary(Op::And, width, Operand { label: x, value: 0 }, Operand::concrete(c), result)
            }
        }
    }

    /// `(x op c1) op c2` as `x op merged`.
    fn merge_constants(&mut self, op: Op, width: u32, x: Label, result: u64, merge: impl Fn(u64) -> u64) -> Found {
        let node = self.node(x);
        if node.op != op as u8 || node.b() != 0 {
            return Found::Nothing;
        }
        let operand = self.operand(node.a());
        Found::Label(self.binary(op, width, operand, Operand::concrete(merge(node.imm())), result))
    }

    fn is_shifted_out(&self, width: u32, x: Label, amount: u64) -> bool {
        let node = self.node(x);
        amount >= u64::from(width) || (node.op == Op::ZExt as u8 && amount >= u64::from(self.width(node.a())))
    }
}
