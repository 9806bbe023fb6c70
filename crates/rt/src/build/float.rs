//! Floating-point numbers. What the program computed is computed again: where it is something else, because the program rounds
//! differently, was allowed to compute inexactly, or works on one of the many values that are no number, there is no node.

use trace::layout::{Label, Reason};
use trace::op::{Op, canonical_nan, is_nan};

use super::{Operand, mask};
use crate::recorder::Recorder;

/// A conversion to an integer.
#[derive(Clone, Copy, Debug)]
pub struct IntegerShape {
    /// Bits of the number: 32 or 64.
    pub from: u32,
    /// Bits of the integer.
    pub to: u32,
    /// Whether it is signed.
    pub is_signed: bool,
}

/// Whether the processor rounds to the nearest, and takes small numbers as they are.
fn is_usual_environment() -> bool {
    /// Flush to zero, rounding, denormals are zero.
    const CONTROL: u32 = 0xe040;
    let mut state: u32 = 0;
    // SAFETY: stores four bytes to the variable.
    unsafe { core::arch::asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags)) };
    state & CONTROL == 0
}

fn canonical(width: u32, bits: u64) -> u64 {
    if is_nan(width, bits) { canonical_nan(width) } else { bits }
}

/// What an operator gives, where that is easily computed; `width` as for [`Recorder::float`].
fn expected(op: Op, width: u32, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let (p, q) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    let number = |narrow: f32, wide: f64| {
        let bits = if width == 32 { u64::from(narrow.to_bits()) } else { wide.to_bits() };
        Some(canonical(width, bits))
    };
    let truth = |narrow: bool, wide: bool| Some(u64::from(if width == 32 { narrow } else { wide }));
    match op {
        Op::FAdd => number(p + q, x + y),
        Op::FSub => number(p - q, x - y),
        Op::FMul => number(p * q, x * y),
        Op::FDiv => number(p / q, x / y),
        Op::FEq => truth(p == q, x == y),
        Op::FLt => truth(p < q, x < y),
        Op::FLe => truth(p <= q, x <= y),
        Op::FConvert => number(x as f32, p.into()),
        _ => None,
    }
}

/// A number as an integer of 32 or 64 bits, as [`Op::FToS`] has it.
fn to_signed(value: f64, to: u32) -> u64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let least = u64::MAX << (to - 1) & mask(to);
    if !(-LIMIT..LIMIT).contains(&value) {
        return least;
    }
    let whole = value as i64;
    let fits = to == 64 || i32::try_from(whole).is_ok();
    if fits { whole as u64 & mask(to) } else { least }
}

fn is_width(width: u32) -> bool {
    matches!(width, 32 | 64)
}

impl Recorder {
    /// An operator of floating-point numbers whose `result` the program computed. Of binary operators `width` is the operands', of
    /// others the result's, and the second operand's value is the immediate.
    pub fn float(&mut self, op: Op, width: u32, a: Operand, b: Operand, result: u64, site: u32) -> Label {
        if a.label | b.label == 0 || !op.is_float() || !is_width(width) {
            return 0;
        }
        let result = result & mask(if op.is_predicate() { 1 } else { width });
        let is_canonical = op.is_predicate() || canonical(width, result) == result;
        let is_expected = expected(op, width, a.value, b.value).is_none_or(|expected| expected == result);
        if !is_canonical || !is_expected || !is_usual_environment() {
            self.pin(a.label, site, Reason::Float, a.value);
            self.pin(b.label, site, Reason::Float, b.value);
            return 0;
        }
        if op.is_binary() {
            self.binary(op, width, a, b, result)
        } else {
            self.unary(op, width, a.label, b.value, result)
        }
    }

    /// The integer that a number became. Where it does not fit, this is what x86 makes of it: conversions to other types than signed
    /// integers of 32 and 64 bits are made of those.
    pub fn float_to_integer(&mut self, shape: IntegerShape, number: Operand, result: u64, site: u32) -> Label {
        let IntegerShape { from, to, is_signed } = shape;
        if number.label == 0 || !is_width(from) || !(1..=64).contains(&to) {
            return 0;
        }
        let wide = match to {
            0..32 => 32,
            32 if is_signed => 32,
            _ => 64,
        };
        let made = if to == 64 && !is_signed {
            self.unsigned_integer(from, number, site)
        } else {
            let value = to_signed(read(from, number.value), wide);
            let whole = self.unary(Op::FToS, wide, number.label, 0, value);
            let part = if to < wide { self.unary(Op::Extract, to, whole, 0, value) } else { whole };
            Operand { label: part, value: value & mask(to) }
        };
        if made.label != 0 && made.value == result & mask(to) {
            return made.label;
        }
        self.pin(number.label, site, Reason::Float, number.value);
        0
    }

    /// As x86 does it: the signed integer, unless it is negative; then also that of the number with 2^63 taken away.
    fn unsigned_integer(&mut self, from: u32, number: Operand, site: u32) -> Operand {
        let half: u64 = if from == 32 { 0x5f00_0000 } else { 0x43e0 << 48 };
        let Some(rest) = expected(Op::FSub, from, number.value, half) else { return Operand::concrete(0) };
        let rest_label = self.float(Op::FSub, from, number, Operand::concrete(half), rest, site);
        let signed = |bits: u64| to_signed(read(from, bits), 64);
        let (low, high) = (signed(number.value), signed(rest));
        let low = Operand { label: self.unary(Op::FToS, 64, number.label, 0, low), value: low };
        let high = Operand { label: self.unary(Op::FToS, 64, rest_label, 0, high), value: high };
        let sign = (low.value as i64 >> 63) as u64;
        let sign_label = self.binary(Op::AShr, 64, low, Operand::concrete(63), sign);
        let sign = Operand { label: sign_label, value: sign };
        let chosen = self.binary(Op::And, 64, high, sign, high.value & sign.value);
        let chosen = Operand { label: chosen, value: high.value & sign.value };
        let value = low.value | chosen.value;
        Operand { label: self.binary(Op::Or, 64, low, chosen, value), value }
    }
}

/// The number that bits stand for.
fn read(width: u32, bits: u64) -> f64 {
    if width == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::recorder;

    fn bits(value: f64) -> u64 {
        value.to_bits()
    }

    #[test]
    fn other_results_than_expected_are_pinned() {
        let mut recorder = recorder(u64::MAX);
        let a = recorder.constant(64, bits(1.0));
        let a = Operand { label: a, value: bits(1.0) };
        let two = Operand::concrete(bits(2.0));
        assert_ne!(recorder.float(Op::FAdd, 64, a, two, bits(3.0), 0), 0);
        let before = recorder.event_count();
        assert_eq!(recorder.float(Op::FAdd, 64, a, two, bits(3.5), 0), 0);
        assert_eq!(recorder.events_from(before).len(), 1);
    }

    #[test]
    fn what_is_no_number_has_a_node_only_if_it_is_the_usual_one() {
        let mut recorder = recorder(u64::MAX);
        let label = recorder.constant(64, bits(0.0));
        let zero = Operand { label, value: bits(0.0) };
        assert_ne!(recorder.float(Op::FDiv, 64, zero, Operand::concrete(0), canonical_nan(64), 0), 0);
        let other = 0x7ff8 << 48;
        assert_eq!(recorder.float(Op::FSqrt, 64, zero, Operand::default(), other, 0), 0);
    }

    #[test]
    fn integers_are_what_the_processor_makes_of_numbers() {
        let check = |value: f64, to: u32, is_signed: bool, expected: u64| {
            let mut recorder = recorder(u64::MAX);
            let label = recorder.constant(64, bits(value));
            let number = Operand { label, value: bits(value) };
            let made = recorder.float_to_integer(IntegerShape { from: 64, to, is_signed }, number, expected, 0);
            assert_ne!(made, 0, "{value}");
            assert_eq!(recorder.node(made).value(), expected, "{value}");
        };
        check(-7.9, 32, true, 0xffff_fff9);
        check(3e9, 32, true, 0x8000_0000);
        check(3e9, 32, false, 3_000_000_000);
        check(-1.0, 32, false, 0xffff_ffff);
        check(300.0, 8, false, 44);
        check(1e19, 64, false, 10_000_000_000_000_000_000);
        check(1e19, 64, true, 1 << 63);
        check(f64::NAN, 64, true, 1 << 63);
        check(12.5, 64, false, 12);
    }
}
