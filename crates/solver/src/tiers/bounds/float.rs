//! Bounds of floating-point numbers.
//!
//! The bits of positive numbers are ordered as the numbers are, those of negative ones the other way round. So the numbers
//! between two of different sign are those whose bits are at most the lower one's, read as unsigned, and at most the upper one's, read as
//! signed: [`Bounds`] can say that, and what is no number lies outside.
//!
//! Rounding keeps the order of numbers, and every operator here goes up or down with each of its operands. So the ends of a result are
//! among those that the ends of the operands have.

use expr::{BitVec, Kind, Node, eval_kind};

use super::value::{Bounds, mask};
use crate::tiers::inversion::float::read;

/// The numbers between two, both included, as their bits. Zero is below its positive twin if it is negative.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    width: u16,
    low: u64,
    high: u64,
}

/// The place of a number among all, which are as wide.
fn rank(width: u16, bits: u64) -> i64 {
    let magnitude = (bits & magnitudes(width)) as i64;
    if bits > magnitudes(width) { -1 - magnitude } else { magnitude }
}

/// All bits but the sign.
fn magnitudes(width: u16) -> u64 {
    mask(width) >> 1
}

/// The bits of the positive infinity.
fn infinity(width: u16) -> u64 {
    if width == 32 { f32::INFINITY.to_bits().into() } else { f64::INFINITY.to_bits() }
}

impl Numbers {
    /// The numbers that a value can be; `None` if it can be something else.
    pub(super) fn of(bounds: Bounds) -> Option<Numbers> {
        let Bounds { width, least, greatest, low, high, .. } = bounds;
        if width != 32 && width != 64 {
            return None;
        }
        let is_negative = |bits: u64| bits > magnitudes(width);
        let found = Numbers {
            width,
            low: if low < 0 && is_negative(greatest) { greatest } else { least },
            high: if high >= 0 { high as u64 } else { least },
        };
        let is_number = |bits: u64| bits & magnitudes(width) <= infinity(width);
        (is_number(found.low) && is_number(found.high) && found.ranks().is_sorted()).then_some(found)
    }

    fn ranks(self) -> [i64; 2] {
        [self.low, self.high].map(|bits| rank(self.width, bits))
    }

    /// All that there are.
    fn all(width: u16) -> Numbers {
        let high = infinity(width);
        Numbers { width, low: high | (magnitudes(width) + 1), high }
    }

    pub(super) fn bounds(self) -> Bounds {
        let Numbers { width, low, high } = self;
        let any = Bounds::any(width);
        match self.ranks().map(i64::is_negative) {
            [false, _] => Bounds::between(width, low, high),
            [_, true] => Bounds::between(width, high, low),
            _ => Bounds { greatest: low, high: high as i64, ..any }.tightened(),
        }
    }

    fn ends(self) -> [BitVec; 2] {
        [self.low, self.high].map(|bits| BitVec::new(self.width, bits))
    }

    /// The ends as numbers.
    fn values(self) -> [f64; 2] {
        self.ends().map(|end| read(&end))
    }

    fn is_finite(self) -> bool {
        self.values().into_iter().all(f64::is_finite)
    }

    /// From the least to the greatest of some results; `None` if one of them is no number.
    fn spanning(width: u16, results: impl Iterator<Item = Option<BitVec>>) -> Option<Numbers> {
        let all: Option<Vec<u64>> = results.map(|bits| bits.as_ref().and_then(BitVec::to_u64)).collect();
        let all = all.filter(|all| all.iter().all(|bits| bits & magnitudes(width) <= infinity(width)))?;
        let by_rank = |bits: &&u64| rank(width, **bits);
        Some(Numbers { width, low: *all.iter().min_by_key(by_rank)?, high: *all.iter().max_by_key(by_rank)? })
    }

    /// The same with zero of both signs, if it is an end.
    fn with_both_zeros(self) -> Numbers {
        let Numbers { width, low, high } = self;
        let is_zero = |bits: u64| bits & magnitudes(width) == 0;
        Numbers {
            width,
            low: if is_zero(low) { magnitudes(width) + 1 } else { low },
            high: if is_zero(high) { 0 } else { high },
        }
    }
}

/// The bounds of what an operator with one operand gives.
pub(super) fn unary(node: &Node, width: u16, a: Bounds) -> Option<Bounds> {
    let eval = |bits: &BitVec| eval_kind(node.kind, width, node.imm, &[bits]);
    let ends = match node.kind {
        Kind::FFromS => [a.low as u64, a.high as u64].map(|end| BitVec::new(a.width, end)),
        Kind::FFromU => [a.least, a.greatest].map(|end| BitVec::new(a.width, end)),
        _ => Numbers::of(a)?.ends(),
    };
    if node.kind == Kind::FToS {
        let limit = 2f64.powi(i32::from(width) - 1);
        let fits = ends.iter().map(|end| read(end).trunc()).all(|whole| whole >= -limit && whole < limit);
        let [low, high] = ends.map(|end| eval(&end).map(|whole| whole.sext(64).low64() as i64));
        return fits.then_some(Bounds::between_signed(width, low?, high?));
    }
    Numbers::spanning(width, ends.iter().map(eval)).map(Numbers::bounds)
}

/// The bounds of what an operator with two operands gives.
pub(super) fn pair(kind: Kind, a: Bounds, b: Bounds) -> Option<Bounds> {
    let (a, b) = (Numbers::of(a)?, Numbers::of(b)?);
    if kind.is_predicate() {
        return Some(Bounds::truth(compared(kind, a, b)));
    }
    // Infinity times zero is no number, and zero may lie between the ends.
    let is_defined = match kind {
        Kind::FMul => a.is_finite() && b.is_finite(),
        Kind::FDiv => a.is_finite() && b.is_finite() && b.values().into_iter().product::<f64>() > 0.0,
        _ => true,
    };
    let (a, b) = is_defined.then(|| (a.ends(), b.ends()))?;
    let corners = a.iter().flat_map(|a| b.iter().map(move |b| eval_kind(kind, 0, 0, &[a, b])));
    Numbers::spanning(a[0].width(), corners).map(Numbers::bounds)
}

fn compared(kind: Kind, a: Numbers, b: Numbers) -> Option<bool> {
    let ([a_low, a_high], [b_low, b_high]) = (a.values(), b.values());
    let (certainly, never) = match kind {
        Kind::FLt => (a_high < b_low, a_low >= b_high),
        Kind::FLe => (a_high <= b_low, a_low > b_high),
        _ => (a_low == a_high && b_low == b_high && a_low == b_low, a_high < b_low || b_high < a_low),
    };
    if certainly { Some(true) } else { never.then_some(false) }
}

/// What follows for both operands of a comparison that has this outcome. One that holds says that both are numbers.
pub(super) fn implied(kind: Kind, outcome: bool, [a, b]: [Bounds; 2]) -> Option<[Bounds; 2]> {
    let (left, right) = (Numbers::of(a), Numbers::of(b));
    if !outcome {
        // The opposite holds if both are numbers.
        let opposite = if kind == Kind::FLt { Kind::FLe } else { Kind::FLt };
        let both = kind != Kind::FEq && left.is_some() && right.is_some();
        return both.then(|| implied(opposite, true, [b, a]))?.map(|[b, a]| [a, b]);
    }
    let [left, right] = [left, right].map(|side| side.map_or(Numbers::all(a.width), Numbers::with_both_zeros));
    let both = if kind == Kind::FEq {
        [right, left]
    } else {
        [Numbers { high: right.high, ..Numbers::all(a.width) }, Numbers { low: left.low, ..Numbers::all(a.width) }]
    };
    Some(both.map(Numbers::bounds))
}

/// A number with the other sign, which is an operation on bits: what is ordered as signed is so as unsigned then, and the other way
/// round.
pub(super) fn negated(a: Bounds) -> Bounds {
    let Bounds { width, least, greatest, low, high, zeros, ones } = a;
    let sign = magnitudes(width) + 1;
    let unsigned = |value: i64| (value as u64 & mask(width)) ^ sign;
    let signed = |value: u64| Bounds::exactly(width, value ^ sign).low;
    let (zeros, ones) = (zeros & !sign | ones & sign, ones & !sign | zeros & sign);
    let (least, greatest, low, high) = (unsigned(low), unsigned(high), signed(least), signed(greatest));
    Bounds { width, least, greatest, low, high, zeros, ones }.tightened()
}

/// The greatest that the bits of a number without its sign can be.
pub(super) fn greatest_magnitude(a: Bounds) -> u64 {
    let positive = if a.high >= 0 { a.high as u64 } else { 0 };
    let negative = if a.low < 0 { a.greatest & magnitudes(a.width) } else { 0 };
    positive.max(negative)
}
