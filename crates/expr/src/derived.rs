//! Operators that are made of others.

use crate::bitvec::BitVec;
use crate::store::{Kind, Store, Term};

impl Store {
    /// The upper half of `a:b` shifted left by `amount`, which is taken modulo the width. Equal operands rotate.
    pub fn funnel_shift_left(&mut self, a: Term, b: Term, amount: u32) -> Term {
        let width = self.width(a);
        match (amount % u32::from(width)) as u16 {
            0 => a,
            amount => {
                let high = self.extract(a, 0, width - amount);
                let low = self.extract(b, (width - amount).into(), amount);
                self.concat(high, low)
            }
        }
    }

    /// The bytes of `a`, a whole number of them, in the opposite order.
    pub fn byte_swap(&mut self, a: Term) -> Term {
        let bytes = self.width(a) / 8;
        let mut swapped = self.extract(a, u32::from(bytes.max(1) - 1) * 8, 8);
        for index in (0..bytes.max(1) - 1).rev() {
            let byte = self.extract(a, u32::from(index) * 8, 8);
            swapped = self.concat(byte, swapped);
        }
        swapped
    }

    /// The bits of `a` in the opposite order.
    pub fn bit_reverse(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let mut reversed = self.extract(a, u32::from(width) - 1, 1);
        for index in (0..width - 1).rev() {
            let bit = self.extract(a, index.into(), 1);
            reversed = self.concat(bit, reversed);
        }
        reversed
    }

    /// Number of one bits of `a`, as wide as `a`.
    pub fn count_ones(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let mut sums: Vec<Term> = Vec::with_capacity(width.into());
        for index in 0..width {
            let bit = self.extract(a, index.into(), 1);
            sums.push(self.zext(bit, width));
        }
        // A balanced tree keeps the term shallow.
        while sums.len() > 1 {
            let pairs = core::mem::take(&mut sums);
            for pair in pairs.chunks(2) {
                sums.push(match pair {
                    [x, y] => self.add(*x, *y),
                    _ => pair[0],
                });
            }
        }
        sums[0]
    }

    /// Number of zero bits of `a` above its highest one bit; the width for 0.
    pub fn leading_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.first_one(a, (0..width).map(|index| (index, width - 1 - index)))
    }

    /// Number of zero bits of `a` below its lowest one bit; the width for 0.
    pub fn trailing_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.first_one(a, (0..width).rev().map(|index| (index, index)))
    }

    /// The count that belongs to the last bit of `order` that is 1.
    fn first_one(&mut self, a: Term, order: impl Iterator<Item = (u16, u16)>) -> Term {
        let width = self.width(a);
        let mut count = self.small(width, width.into());
        for (index, zeros) in order {
            let bit = self.extract(a, index.into(), 1);
            let zeros = self.small(width, zeros.into());
            count = self.ite(bit, zeros, count);
        }
        count
    }

    /// Signed remainder with the sign of the divisor, SMT-LIB's `bvsmod`.
    pub fn signed_modulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let remainder = self.binary(Kind::SRem, a, b);
        let zero = self.constant(BitVec::zero(width));
        let top = u32::from(width) - 1;
        let (sign, divisor_sign) = (self.extract(remainder, top, 1), self.extract(b, top, 1));
        let differ = self.xor(sign, divisor_sign);
        let nonzero = self.ne(remainder, zero);
        let adjust = self.and(differ, nonzero);
        let adjusted = self.add(remainder, b);
        // With a divisor of 0 the remainder is the dividend, and adding 0 changes nothing.
        self.ite(adjust, adjusted, remainder)
    }
}
