//! Choices and funnel shifts.

use trace::layout::Label;
use trace::op::Op;

use super::{Operand, mask};
use crate::recorder::{Recorder, Shape};

impl Recorder {
    /// `a` if the one-bit `condition`, which was `taken`, is 1, else `b`.
    pub fn ite(&mut self, width: u32, condition: Label, a: Operand, b: Operand, taken: bool) -> Label {
        let (a, b) = if width <= 64 {
            (Operand { value: a.value & mask(width), ..a }, Operand { value: b.value & mask(width), ..b })
        } else {
            (a, b)
        };
        let value = if taken { a.value } else { b.value };
        if condition == 0 {
            return if taken { a.label } else { b.label };
        }
        if a.label == b.label && (a.label != 0 || a.value == b.value) {
            return a.label;
        }
        if a.label | b.label == 0 {
            return self.ite_of_constants(width, condition, a.value, b.value, value);
        }
        if width == 1 && (a.label == 0 || b.label == 0) {
            return self.ite_of_bits(condition, a, b, value);
        }
        let a = self.label_of(width, a);
        let b = self.label_of(width, b);
        self.plain_ite(width, condition, a, b, value)
    }

    fn plain_ite(&mut self, width: u32, condition: Label, a: Label, b: Label, value: u64) -> Label {
        if a == 0 || b == 0 {
            return 0;
        }
        self.node_of_shape(Shape { op: Op::Ite, width, a, b, imm: u64::from(condition) }, value)
    }

    fn ite_of_constants(&mut self, width: u32, condition: Label, a: u64, b: u64, value: u64) -> Label {
        match (a, b) {
            (1, 0) => self.zero_extend(condition, width),
            (0, 1) => {
                let opposite = self.not(condition);
                self.zero_extend(opposite, width)
            }
            (a, 0) if a == mask(width) => self.unary(Op::SExt, width, condition, 0, value),
            _ => {
                let a = self.constant(width, a);
                let b = self.constant(width, b);
                self.plain_ite(width, condition, a, b, value)
            }
        }
    }

    /// A choice between a bit and a constant bit is a conjunction or a disjunction.
    fn ite_of_bits(&mut self, condition: Label, a: Operand, b: Operand, value: u64) -> Label {
        let (constant, other, keeps_condition) =
            if a.label == 0 { (a.value, b, a.value == 1) } else { (b.value, a, b.value == 0) };
        let condition = if keeps_condition { condition } else { self.not(condition) };
        let op = if constant == 1 { Op::Or } else { Op::And };
        let condition = self.operand(condition);
        self.binary(op, 1, condition, other, value)
    }

    /// Funnel shift left by a concrete amount below the width.
    pub fn funnel_shift(&mut self, width: u32, a: Operand, b: Operand, amount: u64, result: u64) -> Label {
        if a.label | b.label == 0 {
            return 0;
        }
        if amount == 0 || amount >= u64::from(width) {
            return a.label;
        }
        let a = self.label_of(width, a);
        let b = self.label_of(width, b);
        if a == 0 || b == 0 {
            return 0;
        }
        self.node_of_shape(Shape { op: Op::FShl, width, a, b, imm: amount }, result & mask(width))
    }
}
