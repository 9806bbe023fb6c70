//! Rules for overflow predicates.

use super::Rule;
use crate::bitvec::BitVec;
use crate::store::{Kind, Node, Store, Term};

/// Whether one operand is the constant 0, which overflows nothing. For differences only the second counts.
fn zero_operand(store: &Store, node: &Node) -> bool {
    store.value(node.operands[1]).is_some_and(BitVec::is_zero)
}

/// How many bits above its significant ones a term has: copies of the sign bit, or zeros.
pub(super) fn spare_bits(store: &Store, term: Term, signed: bool) -> u32 {
    let width = u32::from(store.width(term));
    let node = store.node(term);
    match node.kind {
        Kind::ZExt => width - u32::from(store.width(node.operands[0])) - u32::from(signed),
        Kind::SExt if signed => width - u32::from(store.width(node.operands[0])),
        Kind::Const => match store.value(term) {
            Some(value) if !signed => value.leading_zeros(),
            Some(value) if value.is_negative() => value.not().leading_zeros() - 1,
            Some(value) => value.leading_zeros() - 1,
            None => 0,
        },
        _ => 0,
    }
}

/// A sum or difference of operands that both have a bit to spare.
fn roomy_sum(store: &mut Store, node: &Node, signed: bool) -> Option<Term> {
    let roomy = node.operands().iter().all(|operand| spare_bits(store, *operand, signed) >= 1);
    roomy.then(|| store.bool(false))
}

/// A product of operands whose spare bits together hold all of it.
fn roomy_product(store: &mut Store, node: &Node, signed: bool) -> Option<Term> {
    let width = u32::from(store.width(node.operands[0]));
    let spare: u32 = node.operands().iter().map(|operand| spare_bits(store, *operand, signed)).sum();
    // The signed case needs one bit more for the product of the two smallest numbers.
    (spare >= width + u32::from(signed)).then(|| store.bool(false))
}

pub(super) const UADDO: &[Rule] = &[
    Rule {
        name: "uaddo-constant",
        apply: |s, n| {
            let limit = s.value(n.operands[1])?.not();
            let limit = s.constant(limit);
            Some(s.ult(limit, n.operands[0]))
        },
    },
    Rule { name: "uaddo-room", apply: |s, n| roomy_sum(s, &n, false) },
];

pub(super) const SADDO: &[Rule] = &[
    Rule { name: "saddo-zero", apply: |s, n| zero_operand(s, &n).then(|| s.bool(false)) },
    Rule { name: "saddo-room", apply: |s, n| roomy_sum(s, &n, true) },
    Rule {
        name: "saddo-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let edge = BitVec::min_signed(c.width());
            // x + c overflows where x > max - c for c > 0, and where x < min - c for c < 0.
            let limit = if c.is_negative() { edge.sub(&c) } else { edge.not().sub(&c) };
            let (limit, x) = (s.constant(limit), n.operands[0]);
            Some(if c.is_negative() { s.binary(Kind::Slt, x, limit) } else { s.binary(Kind::Slt, limit, x) })
        },
    },
];

pub(super) const USUBO: &[Rule] =
    &[Rule { name: "usubo-ult", apply: |s, n| Some(s.ult(n.operands[0], n.operands[1])) }];

pub(super) const SSUBO: &[Rule] = &[
    Rule { name: "ssubo-zero", apply: |s, n| zero_operand(s, &n).then(|| s.bool(false)) },
    Rule { name: "ssubo-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(false)) },
    Rule { name: "ssubo-room", apply: |s, n| roomy_sum(s, &n, true) },
    Rule {
        name: "ssubo-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?.clone();
            let edge = BitVec::min_signed(c.width());
            let limit = if c.is_negative() { edge.not().add(&c) } else { edge.add(&c) };
            let (limit, x) = (s.constant(limit), n.operands[0]);
            Some(if c.is_negative() { s.binary(Kind::Slt, limit, x) } else { s.binary(Kind::Slt, x, limit) })
        },
    },
];

pub(super) const UMULO: &[Rule] = &[
    Rule { name: "umulo-zero", apply: |s, n| zero_operand(s, &n).then(|| s.bool(false)) },
    Rule { name: "umulo-room", apply: |s, n| roomy_product(s, &n, false) },
    Rule {
        name: "umulo-constant",
        apply: |s, n| {
            let c = s.value(n.operands[1])?;
            let limit = BitVec::ones(c.width()).udiv(c);
            let limit = s.constant(limit);
            Some(s.ult(limit, n.operands[0]))
        },
    },
];

pub(super) const SMULO: &[Rule] = &[
    Rule { name: "smulo-zero", apply: |s, n| zero_operand(s, &n).then(|| s.bool(false)) },
    Rule {
        name: "smulo-one",
        apply: |s, n| {
            let one = s.value(n.operands[1])?;
            (one.width() > 1 && one.to_u64() == Some(1)).then(|| s.bool(false))
        },
    },
    Rule { name: "smulo-room", apply: |s, n| roomy_product(s, &n, true) },
];
