//! Floating-point numbers of 32 and 64 bits, as the bits that IEEE 754 gives them.

use trace::op::{Rounding, canonical_nan};

use crate::bitvec::BitVec;
use crate::store::Kind;

/// What the operators need of the two types of numbers.
trait Number: Copy + PartialOrd {
    const WIDTH: u16;
    fn of(bits: &BitVec) -> Self;
    fn bits(self) -> u64;
    fn arithmetic(kind: Kind, a: Self, b: Self) -> Option<Self>;
    fn sqrt(self) -> Self;
    fn rounded(self, how: Rounding) -> Self;
    fn is_nan(self) -> bool;
    /// Exact: both types are contained in `f64`.
    fn wide(self) -> f64;
    fn from_signed(value: i64) -> Self;
    fn from_unsigned(value: u64) -> Self;
}

macro_rules! number {
    ($type:ty, $bits:ty, $width:literal) => {
        impl Number for $type {
            const WIDTH: u16 = $width;

            fn of(bits: &BitVec) -> $type {
                <$type>::from_bits(bits.low64() as $bits)
            }

            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            fn arithmetic(kind: Kind, a: $type, b: $type) -> Option<$type> {
                Some(match kind {
                    Kind::FAdd => a + b,
                    Kind::FSub => a - b,
                    Kind::FMul => a * b,
                    Kind::FDiv => a / b,
                    _ => return None,
                })
            }

            fn sqrt(self) -> $type {
                self.sqrt()
            }

            fn rounded(self, how: Rounding) -> $type {
                match how {
                    Rounding::NearestEven => self.round_ties_even(),
                    Rounding::TowardZero => self.trunc(),
                    Rounding::Up => self.ceil(),
                    Rounding::Down => self.floor(),
                    Rounding::NearestAway => self.round(),
                }
            }

            fn is_nan(self) -> bool {
                self.is_nan()
            }

            fn wide(self) -> f64 {
                self.into()
            }

            fn from_signed(value: i64) -> $type {
                value as $type
            }

            fn from_unsigned(value: u64) -> $type {
                value as $type
            }
        }
    };
}

number!(f32, u32, 32);
number!(f64, u64, 64);

/// The bits of a result: of everything that is no number the same ones.
fn result<N: Number>(value: N) -> BitVec {
    let width = N::WIDTH;
    BitVec::new(width, if value.is_nan() { canonical_nan(width.into()) } else { value.bits() })
}

/// A binary operator of floating-point numbers.
pub(crate) fn pair(kind: Kind, a: &BitVec, b: &BitVec) -> Option<BitVec> {
    fn of<N: Number>(kind: Kind, a: &BitVec, b: &BitVec) -> Option<BitVec> {
        let (a, b) = (N::of(a), N::of(b));
        match kind {
            Kind::FEq => Some(BitVec::bool(a == b)),
            Kind::FLt => Some(BitVec::bool(a < b)),
            Kind::FLe => Some(BitVec::bool(a <= b)),
            _ => N::arithmetic(kind, a, b).map(result),
        }
    }
    match (a.width(), b.width()) {
        (32, 32) => of::<f32>(kind, a, b),
        (64, 64) => of::<f64>(kind, a, b),
        _ => None,
    }
}

/// An operator on one floating-point number, or that makes one of an integer. `width` is the result's, `imm` the rounding's code.
pub(crate) fn unary(kind: Kind, width: u16, imm: u32, a: &BitVec) -> Option<BitVec> {
    fn of<N: Number>(kind: Kind, width: u16, imm: u32, a: N) -> Option<BitVec> {
        match kind {
            Kind::FSqrt => Some(result(a.sqrt())),
            Kind::FRound => Some(result(a.rounded(Rounding::from_code(imm.into())?))),
            Kind::FConvert if width == 32 => Some(result(a.wide() as f32)),
            Kind::FConvert => Some(result(a.wide())),
            Kind::FToS => Some(BitVec::new(width, to_signed(a.wide(), width))),
            _ => None,
        }
    }
    match (kind, width, a.width()) {
        (Kind::FFromS, 32, 1..=64) => Some(result(f32::from_signed(a.sext(64).low64() as i64))),
        (Kind::FFromS, 64, 1..=64) => Some(result(f64::from_signed(a.sext(64).low64() as i64))),
        (Kind::FFromU, 32, 1..=64) => Some(result(f32::from_unsigned(a.low64()))),
        (Kind::FFromU, 64, 1..=64) => Some(result(f64::from_unsigned(a.low64()))),
        (_, _, 32) => of(kind, width, imm, f32::of(a)),
        (_, _, 64) => of(kind, width, imm, f64::of(a)),
        _ => None,
    }
}

/// Rounded towards zero; the least integer of the width where that does not fit.
fn to_signed(value: f64, width: u16) -> u64 {
    let whole = value.trunc();
    let limit = 2f64.powi(i32::from(width) - 1);
    let number = if whole >= -limit && whole < limit { whole as i64 } else { -limit as i64 };
    number as u64
}

/// The numbers that have a place among the signed integers of a width when they are rounded towards zero.
pub struct IntegerRange {
    /// The least one, as a number.
    pub low: BitVec,
    /// Whether the least one itself is not among them.
    pub excludes_low: bool,
    /// The least one above that is not among them.
    pub high: BitVec,
}

impl IntegerRange {
    /// For numbers of one width, 32 or 64 bits, and integers of another.
    pub fn of(from: u16, to: u16) -> IntegerRange {
        let limit = 2f64.powi(i32::from(to) - 1);
        // What lies between the least integer and the next one below is cut to it, if there are numbers there at all.
        let excludes_low = from == 64 && to == 32;
        let low = if excludes_low { -limit - 1.0 } else { -limit };
        let vector = |value: f64| match from {
            32 => BitVec::new(32, (value as f32).to_bits().into()),
            _ => BitVec::new(64, value.to_bits()),
        };
        IntegerRange { low: vector(low), excludes_low, high: vector(limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: f64) -> BitVec {
        BitVec::new(64, value.to_bits())
    }

    #[test]
    fn conversions_to_integers_are_those_of_the_processor() {
        let check = |value: f64, width: u16, expected: u64| {
            assert_eq!(unary(Kind::FToS, width, 0, &bits(value)), Some(BitVec::new(width, expected)), "{value}");
        };
        check(-1.9, 32, u64::MAX);
        check(2147483647.9, 32, 0x7fff_ffff);
        check(2147483648.0, 32, 0x8000_0000);
        check(-2147483648.9, 32, 0x8000_0000);
        check(f64::NAN, 64, 1 << 63);
        check(9.3e18, 64, 1 << 63);
        check(1e18, 64, 1_000_000_000_000_000_000);
    }

    #[test]
    fn what_is_no_number_is_always_the_same() {
        let canonical = BitVec::new(64, canonical_nan(64));
        assert_eq!(pair(Kind::FSub, &bits(f64::INFINITY), &bits(f64::INFINITY)).as_ref(), Some(&canonical));
        assert_eq!(
            pair(Kind::FAdd, &bits(f64::from_bits(0x7ff0_1234_5678_9abc)), &bits(1.0)).as_ref(),
            Some(&canonical)
        );
        assert_eq!(unary(Kind::FSqrt, 64, 0, &bits(-1.0)).as_ref(), Some(&canonical));
        assert_eq!(unary(Kind::FConvert, 64, 0, &BitVec::new(32, canonical_nan(32))).as_ref(), Some(&canonical));
        assert!(!pair(Kind::FEq, &canonical, &canonical).is_some_and(|equal| equal.is_true()));
    }
}
