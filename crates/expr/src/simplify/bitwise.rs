//! Rules for `not`, `and`, `or` and `xor`.

use super::{Rule, pieces};
use crate::bitvec::BitVec;
use crate::store::{Kind, Store};

pub(super) const NOT: &[Rule] = &[
    Rule { name: "not-not", apply: |s, n| s.parts(n.operands[0], Kind::Not).map(|o| o[0]) },
    Rule { name: "not-ult", apply: |s, n| s.parts(n.operands[0], Kind::Ult).map(|o| s.binary(Kind::Ule, o[1], o[0])) },
    Rule { name: "not-ule", apply: |s, n| s.parts(n.operands[0], Kind::Ule).map(|o| s.binary(Kind::Ult, o[1], o[0])) },
    Rule { name: "not-slt", apply: |s, n| s.parts(n.operands[0], Kind::Slt).map(|o| s.binary(Kind::Sle, o[1], o[0])) },
    Rule { name: "not-sle", apply: |s, n| s.parts(n.operands[0], Kind::Sle).map(|o| s.binary(Kind::Slt, o[1], o[0])) },
];

pub(super) const AND: &[Rule] = &[
    Rule {
        name: "and-zero",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_zero).then_some(n.operands[1]),
    },
    Rule {
        name: "and-ones",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_ones).then_some(n.operands[0]),
    },
    Rule { name: "and-same", apply: |_, n| (n.operands[0] == n.operands[1]).then_some(n.operands[0]) },
    Rule {
        name: "and-complement",
        apply: |s, n| s.complementary(n.operands[0], n.operands[1]).then(|| s.zeros(n.sort.width())),
    },
    Rule {
        name: "and-and-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::And)?;
            let both = s.constant(c.and(&d));
            Some(s.and(x, both))
        },
    },
    Rule { name: "and-absorb", apply: |s, n| absorb(s, n.operands[0], n.operands[1], Kind::And, Kind::Or) },
    Rule {
        name: "and-contiguous-mask",
        apply: |s, n| {
            let (x, mask) = (n.operands[0], s.value(n.operands[1])?.clone());
            let (low, ones) = (mask.trailing_zeros(), mask.count_ones());
            if u32::from(mask.width()) - mask.leading_zeros() != low + ones {
                return None;
            }
            let kept = s.extract(x, low, ones as u16);
            let shifted = match low as u16 {
                0 => kept,
                low => {
                    let zeros = s.zeros(low);
                    s.concat(kept, zeros)
                }
            };
            Some(s.zext(shifted, n.sort.width()))
        },
    },
    Rule {
        name: "and-zext-constant",
        apply: |s, n| {
            let inner = s.zero_extended(n.operands[0])?;
            let mask = s.value(n.operands[1])?.extract(0, s.width(inner));
            let mask = s.constant(mask);
            let narrow = s.and(inner, mask);
            Some(s.zext(narrow, n.sort.width()))
        },
    },
    Rule { name: "and-zext-zext", apply: |s, n| narrow_pair(s, n.operands[0], n.operands[1], Kind::And) },
];

pub(super) const OR: &[Rule] = &[
    Rule {
        name: "or-zero",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_zero).then_some(n.operands[0]),
    },
    Rule {
        name: "or-ones",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_ones).then_some(n.operands[1]),
    },
    Rule { name: "or-same", apply: |_, n| (n.operands[0] == n.operands[1]).then_some(n.operands[0]) },
    Rule {
        name: "or-complement",
        apply: |s, n| s.complementary(n.operands[0], n.operands[1]).then(|| s.constant(BitVec::ones(n.sort.width()))),
    },
    Rule {
        name: "or-or-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::Or)?;
            let both = s.constant(c.or(&d));
            Some(s.or(x, both))
        },
    },
    Rule { name: "or-absorb", apply: |s, n| absorb(s, n.operands[0], n.operands[1], Kind::Or, Kind::And) },
    Rule { name: "or-disjoint", apply: |s, n| pieces::join_disjoint(s, n.operands[0], n.operands[1]) },
    Rule { name: "or-zext-zext", apply: |s, n| narrow_pair(s, n.operands[0], n.operands[1], Kind::Or) },
];

pub(super) const XOR: &[Rule] = &[
    Rule {
        name: "xor-zero",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_zero).then_some(n.operands[0]),
    },
    Rule {
        name: "xor-ones",
        apply: |s, n| s.value(n.operands[1]).is_some_and(BitVec::is_ones).then(|| s.not(n.operands[0])),
    },
    Rule { name: "xor-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.zeros(n.sort.width())) },
    Rule {
        name: "xor-complement",
        apply: |s, n| s.complementary(n.operands[0], n.operands[1]).then(|| s.constant(BitVec::ones(n.sort.width()))),
    },
    Rule {
        name: "xor-xor-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let (x, d) = s.with_constant(n.operands[0], Kind::Xor)?;
            let both = s.constant(c.xor(&d));
            Some(s.xor(x, both))
        },
    },
    Rule {
        name: "xor-not-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.not();
            let [x, ..] = s.parts(n.operands[0], Kind::Not)?;
            let c = s.constant(c);
            Some(s.xor(x, c))
        },
    },
    Rule {
        name: "xor-xor-cancel",
        apply: |s, n| {
            let [a, b, _] = n.operands;
            let cancel = |xored, other| {
                let [x, y, _] = s.parts(xored, Kind::Xor)?;
                if x == other { Some(y) } else { (y == other).then_some(x) }
            };
            cancel(a, b).or_else(|| cancel(b, a))
        },
    },
    Rule { name: "xor-disjoint", apply: |s, n| pieces::join_disjoint(s, n.operands[0], n.operands[1]) },
    Rule { name: "xor-zext-zext", apply: |s, n| narrow_pair(s, n.operands[0], n.operands[1], Kind::Xor) },
];

/// `a & (a & b) = a & b` and `a & (a | b) = a`; the same with the operators exchanged.
fn absorb(store: &mut Store, a: crate::Term, b: crate::Term, same: Kind, dual: Kind) -> Option<crate::Term> {
    for (x, y) in [(a, b), (b, a)] {
        if store.parts(y, same).is_some_and(|o| o[0] == x || o[1] == x) {
            return Some(y);
        }
        if store.parts(y, dual).is_some_and(|o| o[0] == x || o[1] == x) {
            return Some(x);
        }
    }
    None
}

/// A bitwise operator on two terms that were extended from the same width.
fn narrow_pair(store: &mut Store, a: crate::Term, b: crate::Term, kind: Kind) -> Option<crate::Term> {
    let (x, y) = (store.zero_extended(a)?, store.zero_extended(b)?);
    if store.width(x) != store.width(y) {
        return None;
    }
    let width = store.width(a);
    let narrow = store.binary(kind, x, y);
    Some(store.zext(narrow, width))
}
