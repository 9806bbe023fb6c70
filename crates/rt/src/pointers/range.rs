//! Ranges of numbers: what is known of a value without asking a solver.

use crate::build::{mask, sign_extend};

/// The numbers `first`, `first + step`, … of some width, `steps` steps in all. They may go on from 0 behind the largest
/// number of that width, but never come to `first` again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first number.
    pub first: u64,
    /// From one number to the next; 0 if there is one only.
    pub step: u64,
    /// How many numbers follow the first one.
    pub steps: u64,
}

/// The largest power of two that divides both; 2^63 for two zeros.
fn alignment(a: u64, b: u64) -> u64 {
    1 << (a | b | 1 << 63).trailing_zeros()
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Range {
    /// One number.
    pub fn point(value: u64) -> Range {
        Range { first: value, step: 0, steps: 0 }
    }

    /// From 0 to `last`.
    pub fn up_to(last: u64) -> Range {
        Range::with(0, 1, last)
    }

    /// All numbers of a width.
    pub fn full(width: u32) -> Range {
        Range::up_to(mask(width))
    }

    fn with(first: u64, step: u64, steps: u64) -> Range {
        if steps == 0 || step == 0 { Range::point(first) } else { Range { first, step, steps } }
    }

    /// All numbers of a width that leave the same remainder as `first` when they are divided by the largest power of two
    /// in `step`.
    fn full_with_step(width: u32, first: u64, step: u64) -> Range {
        let unit = alignment(step, 0).min(mask(width) / 2 + 1);
        Range::with(first & (unit - 1), unit, mask(width) / unit)
    }

    /// From the first number to the last one.
    fn span(&self) -> u64 {
        self.step.wrapping_mul(self.steps)
    }

    /// The last number of a range that does not go on from 0.
    fn last(&self) -> u64 {
        self.first.wrapping_add(self.span())
    }

    /// Whether it goes on from 0 behind the largest number.
    fn wraps(&self, width: u32) -> bool {
        self.first.checked_add(self.span()).is_none_or(|last| last > mask(width))
    }

    /// The largest of the numbers.
    pub fn largest(&self, width: u32) -> u64 {
        if self.wraps(width) { mask(width) } else { self.last() }
    }

    /// The smallest of the numbers.
    pub fn smallest(&self, width: u32) -> u64 {
        if self.wraps(width) { 0 } else { self.first }
    }

    /// Sums of numbers of both.
    pub fn add(&self, other: &Range, width: u32) -> Range {
        let first = self.first.wrapping_add(other.first) & mask(width);
        let step = greatest_common_divisor(self.step, other.step);
        match self.span().checked_add(other.span()) {
            Some(span) if span <= mask(width) => Range::with(first, step, span.checked_div(step).unwrap_or(0)),
            _ => Range::full_with_step(width, first, step),
        }
    }

    /// The numbers times minus one.
    pub fn negate(&self, width: u32) -> Range {
        Range { first: self.last().wrapping_neg() & mask(width), ..*self }
    }

    /// The numbers times a constant.
    pub fn multiply(&self, factor: u64, width: u32) -> Range {
        let first = self.first.wrapping_mul(factor) & mask(width);
        match self.span().checked_mul(factor) {
            Some(span) if span <= mask(width) => Range::with(first, self.step * factor, self.steps),
            _ => Range::full_with_step(width, first, alignment(self.step, 0).wrapping_mul(alignment(factor, 0))),
        }
    }

    /// The same numbers as unsigned ones of more bits than `from`.
    pub fn zero_extend(&self, from: u32) -> Range {
        if self.wraps(from) { Range::full_with_step(from, self.first, self.step) } else { *self }
    }

    /// The same numbers as signed ones.
    pub fn sign_extend(&self, from: u32, to: u32) -> Range {
        let half = mask(from) / 2 + 1;
        let moved = Range { first: self.first.wrapping_add(half) & mask(from), ..*self };
        if !moved.wraps(from) {
            return Range { first: sign_extend(self.first, from, to), ..*self };
        }
        let all = Range::full_with_step(from, self.first, self.step);
        Range { first: all.first.wrapping_sub(half) & mask(to), ..all }
    }

    /// Their low bits.
    pub fn truncate(&self, to: u32) -> Range {
        if self.span() <= mask(to) {
            Range { first: self.first & mask(to), ..*self }
        } else {
            Range::full_with_step(to, self.first, self.step)
        }
    }

    /// The numbers divided by a constant other than 0.
    pub fn divide(&self, divisor: u64, width: u32) -> Range {
        let divisor = divisor.max(1);
        if self.wraps(width) {
            return Range::up_to(mask(width) / divisor);
        }
        let (first, last) = (self.first / divisor, self.last() / divisor);
        let is_even = self.step.is_multiple_of(divisor) && self.first.is_multiple_of(divisor);
        if is_even { Range::with(first, self.step / divisor, self.steps) } else { Range::with(first, 1, last - first) }
    }

    /// A constant's bits of the numbers.
    pub fn and(&self, bits: u64, width: u32) -> Range {
        let wraps = self.wraps(width);
        let keeps_all = bits.checked_add(1).is_none_or(u64::is_power_of_two);
        if !wraps && keeps_all && self.last() <= bits {
            return *self;
        }
        let largest = if wraps { bits } else { bits.min(self.last()) };
        let unit = alignment(bits, 0).max(alignment(self.step, self.first));
        Range::with(0, unit, largest / unit)
    }

    /// What `or` and `xor` can make of both: anything that fits the same number of bits.
    pub fn join_bits(&self, other: &Range, width: u32) -> Range {
        // Bits that the other one does not have make a sum.
        let unit = alignment(self.step, self.first);
        if !self.wraps(width) && !other.wraps(width) && other.last() < unit {
            return self.add(other, width);
        }
        if self.wraps(width) || other.wraps(width) {
            return Range::full(width);
        }
        Range::up_to(mask(64 - (self.last() | other.last()).leading_zeros()))
    }

    /// A range that has the numbers of both.
    pub fn union(&self, other: &Range, width: u32) -> Range {
        if self.wraps(width) || other.wraps(width) {
            return Range::full(width);
        }
        let first = self.first.min(other.first);
        let last = self.last().max(other.last());
        let between = greatest_common_divisor(self.step, self.first.abs_diff(other.first));
        let step = greatest_common_divisor(between, other.step);
        Range::with(first, step, (last - first).checked_div(step).unwrap_or(0))
    }

    /// The numbers of 64 bits that lie between `low` and `high`.
    pub fn within(&self, low: u64, high: u64) -> Option<Range> {
        if low > high {
            return None;
        }
        let to_low = low.wrapping_sub(self.first);
        let skipped = if self.first.wrapping_sub(low) <= high - low {
            0
        } else if to_low <= self.span() {
            to_low.div_ceil(self.step.max(1))
        } else {
            return None;
        };
        let first = self.first.wrapping_add(skipped.wrapping_mul(self.step));
        if first.wrapping_sub(low) > high - low {
            return None;
        }
        let room = (high - first).checked_div(self.step).unwrap_or(0);
        Some(Range::with(first, self.step, room.min(self.steps.saturating_sub(skipped))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Operation = fn(u64, u64) -> u64;

    /// All that a range of a small width says.
    fn members(range: &Range, width: u32) -> Vec<u64> {
        (0..=range.steps).map(|k| range.first.wrapping_add(k * range.step) & mask(width)).collect()
    }

    fn range() -> impl Strategy<Value = Range> {
        (0..256u64, 1..20u64, 0..256u64)
            .prop_map(|(first, step, steps)| Range::with(first, step, steps.min(255 / step)))
    }

    proptest! {
        #[test]
        fn operations_lose_no_number(a in range(), b in range(), c in 0..256u64) {
            let cases: [(Range, Operation, bool); 6] = [
                (a.add(&b, 8), |x, y| x + y, true),
                (a.multiply(c, 8), |x, y| x * y, false),
                (a.and(c, 8), |x, y| x & y, false),
                (a.divide(c, 8), |x, y| x / y.max(1), false),
                (a.join_bits(&b, 8), |x, y| x | y, true),
                (a.union(&b, 8), |x, _| x, true),
            ];
            for (result, operation, takes_both) in cases {
                let result = members(&result, 8);
                let others = if takes_both { members(&b, 8) } else { vec![c] };
                for x in members(&a, 8) {
                    for y in &others {
                        prop_assert!(result.contains(&(operation(x, *y) & 0xff)), "{x} {y} {result:?}");
                    }
                }
            }
        }

        #[test]
        fn conversions_lose_no_number(a in range(), low in 0..200u64, size in 0..80u64) {
            for x in members(&a, 8) {
                prop_assert!((a.smallest(8)..=a.largest(8)).contains(&x));
            }
            let signed = members(&a.sign_extend(8, 64), 64);
            let (unsigned, narrow) = (members(&a.zero_extend(8), 64), members(&a.truncate(5), 5));
            let negated = members(&a.negate(8), 8);
            for x in members(&a, 8) {
                prop_assert!(unsigned.contains(&x));
                prop_assert!(signed.contains(&(x as u8 as i8 as i64 as u64)));
                prop_assert!(narrow.contains(&(x & 31)));
                prop_assert!(negated.contains(&(x.wrapping_neg() & 0xff)));
            }
            let far = a.sign_extend(8, 64);
            let inside: Vec<u64> = members(&far, 64).into_iter().filter(|x| x.wrapping_sub(low) <= size).collect();
            let found = far.within(low, low + size).map(|range| members(&range, 64)).unwrap_or_default();
            prop_assert_eq!(found, inside);
        }
    }
}
