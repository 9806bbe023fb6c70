//! Rules for sums, products and quotients.

use super::{Rule, pieces};
use crate::bitvec::BitVec;
use crate::store::{Kind, Store, Term};

fn is_one(store: &Store, term: Term) -> bool {
    store.value(term).is_some_and(|value| value.to_u64() == Some(1))
}

fn is_zero(store: &Store, term: Term) -> bool {
    store.value(term).is_some_and(BitVec::is_zero)
}

/// The exponent of a constant power of two, as a constant of the same width.
fn exponent(store: &mut Store, term: Term) -> Option<Term> {
    let value = store.value(term)?;
    let (width, exponent) = (value.width(), value.power_of_two()?);
    Some(store.small(width, exponent.into()))
}

pub(super) const ADD: &[Rule] = &[
    Rule { name: "add-zero", apply: |s, n| is_zero(s, n.operands[1]).then_some(n.operands[0]) },
    Rule { name: "add-one-bit", apply: |s, n| (n.sort.width() == 1).then(|| s.xor(n.operands[0], n.operands[1])) },
    Rule {
        name: "add-add-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::Add)?;
            let sum = s.constant(c.add(&d));
            Some(s.add(x, sum))
        },
    },
    Rule {
        name: "add-sub-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let [d, x, _] = s.parts(n.operands[0], Kind::Sub)?;
            let sum = c.add(s.value(d)?);
            let sum = s.constant(sum);
            Some(s.sub(sum, x))
        },
    },
    Rule {
        name: "add-not-constant",
        apply: |s, n| {
            // ~x = -1 - x
            let c = s.value(n.operands[1])?.clone();
            let [x, ..] = s.parts(n.operands[0], Kind::Not)?;
            let sum = c.sub(&BitVec::new(c.width(), 1).zext(c.width()));
            let sum = s.constant(sum);
            Some(s.sub(sum, x))
        },
    },
    Rule {
        name: "add-same",
        apply: |s, n| {
            (n.operands[0] == n.operands[1]).then(|| {
                let one = s.small(n.sort.width(), 1);
                s.binary(Kind::Shl, n.operands[0], one)
            })
        },
    },
    Rule {
        name: "add-complement",
        apply: |s, n| s.complementary(n.operands[0], n.operands[1]).then(|| s.constant(BitVec::ones(n.sort.width()))),
    },
    Rule {
        name: "add-sub-cancel",
        apply: |s, n| {
            let [a, b, _] = n.operands;
            let cancel = |difference, other| s.parts(difference, Kind::Sub).filter(|o| o[1] == other).map(|o| o[0]);
            cancel(a, b).or_else(|| cancel(b, a))
        },
    },
    Rule {
        name: "add-above",
        apply: |s, n| {
            // What has no bits in the lower part changes the upper part only.
            let c = s.value(n.operands[1])?.clone();
            let [high, low, _] = s.parts(n.operands[0], Kind::Concat)?;
            let split = s.width(low);
            c.extract(0, split).is_zero().then(|| {
                let added = s.constant(c.extract(split, s.width(high)));
                let high = s.add(high, added);
                s.concat(high, low)
            })
        },
    },
    Rule { name: "add-disjoint", apply: |s, n| pieces::join_disjoint(s, n.operands[0], n.operands[1]) },
];

pub(super) const SUB: &[Rule] = &[
    Rule { name: "sub-one-bit", apply: |s, n| (n.sort.width() == 1).then(|| s.xor(n.operands[0], n.operands[1])) },
    Rule {
        name: "sub-constant",
        apply: |s, n| {
            let negated = s.value(n.operands[1])?.neg();
            let negated = s.constant(negated);
            Some(s.add(n.operands[0], negated))
        },
    },
    Rule { name: "sub-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.zeros(n.sort.width())) },
    Rule {
        name: "sub-add-cancel",
        apply: |s, n| {
            let [x, y, _] = s.parts(n.operands[0], Kind::Add)?;
            if x == n.operands[1] { Some(y) } else { (y == n.operands[1]).then_some(x) }
        },
    },
    Rule {
        name: "sub-constant-sub",
        apply: |s, n| {
            // c - (d - x) = (c - d) + x
            let c = s.value(n.operands[0])?.clone();
            let [d, x, _] = s.parts(n.operands[1], Kind::Sub)?;
            let difference = c.sub(s.value(d)?);
            let difference = s.constant(difference);
            Some(s.add(x, difference))
        },
    },
    Rule {
        name: "sub-constant-add",
        apply: |s, n| {
            let c = s.value(n.operands[0])?.clone();
            let (x, d) = s.with_constant(n.operands[1], Kind::Add)?;
            let difference = s.constant(c.sub(&d));
            Some(s.sub(difference, x))
        },
    },
    Rule {
        name: "sub-add-constant",
        apply: |s, n| {
            // (x + c) - y = (x - y) + c, so that the constant meets others outside.
            let (x, c) = s.with_constant(n.operands[0], Kind::Add)?;
            let difference = s.sub(x, n.operands[1]);
            let c = s.constant(c);
            Some(s.add(difference, c))
        },
    },
];

pub(super) const MUL: &[Rule] = &[
    Rule { name: "mul-zero", apply: |s, n| is_zero(s, n.operands[1]).then_some(n.operands[1]) },
    Rule { name: "mul-one", apply: |s, n| is_one(s, n.operands[1]).then_some(n.operands[0]) },
    Rule { name: "mul-one-bit", apply: |s, n| (n.sort.width() == 1).then(|| s.and(n.operands[0], n.operands[1])) },
    Rule {
        name: "mul-ones",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_ones).then(|| s.neg(n.operands[0])),
    },
    Rule {
        name: "mul-power-of-two",
        apply: |s, n| {
            let amount = exponent(s, n.operands[1])?;
            Some(s.binary(Kind::Shl, n.operands[0], amount))
        },
    },
    Rule {
        name: "mul-mul-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::Mul)?;
            let product = s.constant(c.mul(&d));
            Some(s.binary(Kind::Mul, x, product))
        },
    },
    Rule {
        name: "mul-add-constant",
        apply: |s, n| {
            // (x + d) * c = x * c + d * c, so that sums of constants meet.
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::Add)?;
            let offset = s.constant(c.mul(&d));
            let product = s.binary(Kind::Mul, x, n.operands[1]);
            Some(s.add(product, offset))
        },
    },
];

pub(super) const UDIV: &[Rule] = &[
    Rule {
        name: "udiv-zero",
        apply: |s, n| is_zero(s, n.operands[1]).then(|| s.constant(BitVec::ones(n.sort.width()))),
    },
    Rule { name: "udiv-one", apply: |s, n| is_one(s, n.operands[1]).then_some(n.operands[0]) },
    Rule {
        name: "udiv-power-of-two",
        apply: |s, n| {
            let amount = exponent(s, n.operands[1])?;
            Some(s.binary(Kind::LShr, n.operands[0], amount))
        },
    },
    Rule { name: "udiv-zext", apply: |s, n| narrow_division(s, n.operands[0], n.operands[1], Kind::UDiv) },
];

pub(super) const UREM: &[Rule] = &[
    Rule { name: "urem-zero", apply: |s, n| is_zero(s, n.operands[1]).then_some(n.operands[0]) },
    Rule { name: "urem-one", apply: |s, n| is_one(s, n.operands[1]).then(|| s.zeros(n.sort.width())) },
    Rule {
        name: "urem-power-of-two",
        apply: |s, n| {
            let mask = s.value(n.operands[1])?;
            mask.power_of_two()?;
            let mask = mask.sub(&BitVec::new(mask.width(), 1));
            let mask = s.constant(mask);
            Some(s.and(n.operands[0], mask))
        },
    },
    Rule { name: "urem-zext", apply: |s, n| narrow_division(s, n.operands[0], n.operands[1], Kind::URem) },
];

pub(super) const SDIV: &[Rule] = &[
    Rule { name: "sdiv-one", apply: |s, n| (n.sort.width() > 1 && is_one(s, n.operands[1])).then_some(n.operands[0]) },
    Rule { name: "sdiv-not-negative", apply: |s, n| unsigned_division(s, n.operands[0], n.operands[1], Kind::UDiv) },
];

pub(super) const SREM: &[Rule] = &[
    Rule { name: "srem-zero", apply: |s, n| is_zero(s, n.operands[1]).then_some(n.operands[0]) },
    Rule {
        name: "srem-one",
        apply: |s, n| (n.sort.width() > 1 && is_one(s, n.operands[1])).then(|| s.zeros(n.sort.width())),
    },
    Rule { name: "srem-not-negative", apply: |s, n| unsigned_division(s, n.operands[0], n.operands[1], Kind::URem) },
];

/// Signed division of operands whose top bits are 0; a divisor of 0 is left alone where the results would differ.
fn unsigned_division(store: &mut Store, a: Term, b: Term, kind: Kind) -> Option<Term> {
    (store.top_bit_clear(a) && store.top_bit_clear(b)).then(|| store.binary(kind, a, b))
}

/// Unsigned division of a zero-extended dividend by a constant, or by a divisor extended from the same width.
fn narrow_division(store: &mut Store, a: Term, b: Term, kind: Kind) -> Option<Term> {
    let inner = store.zero_extended(a)?;
    let (width, narrow) = (store.width(a), store.width(inner));
    let divisor = store.value(b)?.clone();
    if divisor.is_zero() {
        return None;
    }
    if u32::from(width) - divisor.leading_zeros() > narrow.into() {
        // The dividend is smaller than the divisor.
        return Some(if kind == Kind::UDiv { store.zeros(width) } else { a });
    }
    let divisor = store.constant(divisor.extract(0, narrow));
    let result = store.binary(kind, inner, divisor);
    Some(store.zext(result, width))
}
