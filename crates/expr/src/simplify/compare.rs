//! Rules for comparisons.
//!
//! Against a constant only `eq` and `ult`/`slt` remain, so that a comparison and its negation meet in one form.

use super::{Rule, quotient};
use crate::bitvec::BitVec;
use crate::store::{Kind, Node, Store, Term};

pub(super) const EQ: &[Rule] = &[
    Rule { name: "eq-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(true)) },
    Rule { name: "eq-complement", apply: |s, n| s.complementary(n.operands[0], n.operands[1]).then(|| s.bool(false)) },
    Rule {
        name: "eq-bit",
        apply: |s, n| {
            let value = s.value(n.operands[1]).filter(|value| value.width() == 1)?.is_true();
            Some(if value { n.operands[0] } else { s.not(n.operands[0]) })
        },
    },
    Rule { name: "eq-extended-constant", apply: eq_extended_constant },
    Rule {
        name: "eq-concat-constant",
        apply: |s, n| {
            let value = s.value(n.operands[1])?.clone();
            let [high, low, _] = s.parts(n.operands[0], Kind::Concat)?;
            let split = s.width(low);
            let upper = s.constant(value.extract(split, s.width(high)));
            let lower = s.constant(value.extract(0, split));
            let (upper, lower) = (s.eq(high, upper), s.eq(low, lower));
            Some(s.and(upper, lower))
        },
    },
    Rule {
        name: "eq-invert-constant",
        apply: |s, n| {
            let value = s.value(n.operands[1])?.clone();
            let inner = s.node(n.operands[0]);
            let [x, y, _] = inner.operands;
            let (rest, wanted) = match inner.kind {
                Kind::Add => (x, value.sub(s.value(y)?)),
                Kind::Xor => (x, value.xor(s.value(y)?)),
                Kind::Sub => (y, s.value(x)?.sub(&value)),
                Kind::Not => (x, value.not()),
                _ => return None,
            };
            let wanted = s.constant(wanted);
            Some(s.eq(rest, wanted))
        },
    },
    Rule {
        name: "eq-difference-zero",
        apply: |s, n| {
            s.value(n.operands[1]).filter(|value| value.is_zero())?;
            let inner = s.node(n.operands[0]);
            matches!(inner.kind, Kind::Sub | Kind::Xor).then(|| s.eq(inner.operands[0], inner.operands[1]))
        },
    },
    Rule { name: "eq-quotient-of-product", apply: quotient::of_product },
    Rule { name: "eq-ite-constant", apply: eq_ite_constant },
    Rule { name: "eq-cancel", apply: |s, n| s.cancelled(&n).map(|(x, y)| s.eq(x, y)) },
    Rule { name: "eq-extended-both", apply: |s, n| same_extension(s, &n).map(|(_, x, y)| s.eq(x, y)) },
    Rule {
        name: "eq-concat-both",
        apply: |s, n| {
            let [a, b, _] = s.parts(n.operands[0], Kind::Concat)?;
            let [c, d, _] = s.parts(n.operands[1], Kind::Concat)?;
            if s.width(a) != s.width(c) {
                return None;
            }
            let (upper, lower) = (s.eq(a, c), s.eq(b, d));
            Some(s.and(upper, lower))
        },
    },
];

impl Store {
    /// What is left of both operands without what was done to both of them in the same way.
    fn cancelled(&self, node: &Node) -> Option<(Term, Term)> {
        let (left, right) = (self.node(node.operands[0]), self.node(node.operands[1]));
        if left.kind != right.kind {
            return None;
        }
        let ([a, b, _], [c, d, _]) = (left.operands, right.operands);
        match left.kind {
            Kind::Not => Some((a, c)),
            Kind::Add | Kind::Xor | Kind::Sub if a == c => Some((b, d)),
            Kind::Add | Kind::Xor | Kind::Sub if b == d => Some((a, c)),
            Kind::Add | Kind::Xor if a == d => Some((b, c)),
            Kind::Add | Kind::Xor if b == c => Some((a, d)),
            _ => None,
        }
    }
}

/// The arms of an `ite` compared each: string comparisons nest them, and most arms then decide themselves. Not
/// for large trees, as reads of tables are: they would be walked whole, and what they share once for every way to it.
fn eq_ite_constant(store: &mut Store, node: Node) -> Option<Term> {
    let wanted = node.operands[1];
    store.value(wanted)?;
    let [condition, a, b] = store.parts(node.operands[0], Kind::Ite)?;
    let mut left = LARGEST_CHOICE;
    if !is_small_choice(store, a, &mut left) || !is_small_choice(store, b, &mut left) {
        return None;
    }
    let (a, b) = (store.eq(a, wanted), store.eq(b, wanted));
    Some(store.ite(condition, a, b))
}

/// Nested choices that are still compared arm by arm.
const LARGEST_CHOICE: u32 = 4;

/// Whether there are no more than `left` choices among the arms of a term, counting again what they share.
fn is_small_choice(store: &Store, term: Term, left: &mut u32) -> bool {
    let Some([_, a, b]) = store.parts(term, Kind::Ite) else { return true };
    match left.checked_sub(1) {
        Some(fewer) => *left = fewer,
        None => return false,
    }
    is_small_choice(store, a, left) && is_small_choice(store, b, left)
}

fn eq_extended_constant(store: &mut Store, node: Node) -> Option<Term> {
    let value = store.value(node.operands[1])?.clone();
    let inner = store.node(node.operands[0]);
    let x = inner.operands[0];
    let narrow = |store: &Store| value.extract(0, store.width(x));
    let extended = match inner.kind {
        Kind::ZExt => narrow(store).zext(value.width()),
        Kind::SExt => narrow(store).sext(value.width()),
        _ => return None,
    };
    if extended != value {
        return Some(store.bool(false));
    }
    let narrow = narrow(store);
    let narrow = store.constant(narrow);
    Some(store.eq(x, narrow))
}

/// Both operands extended in the same way from the same width: the way and the inner terms.
fn same_extension(store: &Store, node: &Node) -> Option<(Kind, Term, Term)> {
    let (a, b) = (store.node(node.operands[0]), store.node(node.operands[1]));
    let (x, y) = (a.operands[0], b.operands[0]);
    let extension = matches!(a.kind, Kind::ZExt | Kind::SExt);
    (extension && a.kind == b.kind && store.sort(x) == store.sort(y)).then_some((a.kind, x, y))
}

/// `a < b` where one side is zero-extended and the other a constant.
fn narrow_unsigned(store: &mut Store, node: &Node, kind: Kind) -> Option<Term> {
    let [a, b, _] = node.operands;
    if let (Some(x), Some(limit)) = (store.zero_extended(a), store.value(b).cloned()) {
        let width = store.width(x);
        if u32::from(limit.width()) - limit.leading_zeros() > width.into() {
            return Some(store.bool(true));
        }
        let limit = store.constant(limit.extract(0, width));
        return Some(store.binary(kind, x, limit));
    }
    let (limit, x) = (store.value(a).cloned()?, store.zero_extended(b)?);
    let width = store.width(x);
    if u32::from(limit.width()) - limit.leading_zeros() > width.into() {
        return Some(store.bool(false));
    }
    let limit = store.constant(limit.extract(0, width));
    Some(store.binary(kind, limit, x))
}

/// A signed comparison of operands whose signs are known to be equal is an unsigned one.
fn unsigned_if_clear(store: &mut Store, node: &Node, kind: Kind) -> Option<Term> {
    let [a, b, _] = node.operands;
    (store.top_bit_clear(a) && store.top_bit_clear(b)).then(|| store.binary(kind, a, b))
}

/// A signed comparison of a zero-extended term with a negative constant.
fn negative_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.operands;
    let negative = |term| store.value(term).is_some_and(BitVec::is_negative);
    if store.zero_extended(a).is_some() && negative(b) {
        return Some(store.bool(false));
    }
    (negative(a) && store.zero_extended(b).is_some()).then(|| store.bool(true))
}

/// A signed comparison of a sign-extended term with a constant.
fn narrow_signed(store: &mut Store, node: &Node, kind: Kind) -> Option<Term> {
    let [a, b, _] = node.operands;
    let (x, limit, left) = match (store.sign_extended(a), store.sign_extended(b)) {
        (Some(x), _) => (x, store.value(b)?.clone(), true),
        (_, Some(x)) => (x, store.value(a)?.clone(), false),
        _ => return None,
    };
    let narrow = limit.extract(0, store.width(x));
    if narrow.sext(limit.width()) != limit {
        // Beyond everything that x can be: above if positive.
        return Some(store.bool(left != limit.is_negative()));
    }
    let narrow = store.constant(narrow);
    Some(if left { store.binary(kind, x, narrow) } else { store.binary(kind, narrow, x) })
}

pub(super) const ULT: &[Rule] = &[
    Rule { name: "ult-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(false)) },
    Rule {
        name: "ult-one-bit",
        apply: |s, n| {
            (s.width(n.operands[0]) == 1).then(|| {
                let negated = s.not(n.operands[0]);
                s.and(negated, n.operands[1])
            })
        },
    },
    Rule {
        name: "ult-never",
        apply: |s, n| {
            let never = s.value(n.operands[1]).is_some_and(BitVec::is_zero)
                || s.value(n.operands[0]).is_some_and(BitVec::is_ones);
            never.then(|| s.bool(false))
        },
    },
    Rule {
        name: "ult-only-zero",
        apply: |s, n| {
            (s.value(n.operands[1])?.to_u64() == Some(1)).then(|| {
                let zero = s.zeros(s.width(n.operands[0]));
                s.eq(n.operands[0], zero)
            })
        },
    },
    Rule {
        name: "ult-not-zero",
        apply: |s, n| s.value(n.operands[0])?.is_zero().then(|| s.ne(n.operands[1], n.operands[0])),
    },
    Rule {
        name: "ult-not-ones",
        apply: |s, n| s.value(n.operands[1])?.is_ones().then(|| s.ne(n.operands[0], n.operands[1])),
    },
    Rule { name: "ult-quotient-multiple", apply: quotient::less_than_multiple },
    Rule { name: "ult-quotient", apply: quotient::less },
    Rule { name: "ult-constant-quotient", apply: quotient::more_than_constant },
    Rule { name: "ult-zext-constant", apply: |s, n| narrow_unsigned(s, &n, Kind::Ult) },
    Rule { name: "ult-extended-both", apply: |s, n| same_extension(s, &n).map(|(_, x, y)| s.binary(Kind::Ult, x, y)) },
];

pub(super) const ULE: &[Rule] = &[
    Rule { name: "ule-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(true)) },
    Rule {
        name: "ule-constant-right",
        apply: |s, n| {
            let limit = s.value(n.operands[1])?;
            if limit.is_ones() {
                return Some(s.bool(true));
            }
            let next = limit.add(&BitVec::new(limit.width(), 1));
            let next = s.constant(next);
            Some(s.ult(n.operands[0], next))
        },
    },
    Rule {
        name: "ule-constant-left",
        apply: |s, n| {
            let limit = s.value(n.operands[0])?;
            if limit.is_zero() {
                return Some(s.bool(true));
            }
            let previous = limit.sub(&BitVec::new(limit.width(), 1));
            let previous = s.constant(previous);
            Some(s.ult(previous, n.operands[1]))
        },
    },
    Rule {
        name: "ule-one-bit",
        apply: |s, n| {
            (s.width(n.operands[0]) == 1).then(|| {
                let negated = s.not(n.operands[0]);
                s.or(negated, n.operands[1])
            })
        },
    },
    Rule { name: "ule-quotient", apply: quotient::at_least },
    Rule { name: "ule-extended-both", apply: |s, n| same_extension(s, &n).map(|(_, x, y)| s.binary(Kind::Ule, x, y)) },
];

pub(super) const SLT: &[Rule] = &[
    Rule { name: "slt-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(false)) },
    Rule {
        name: "slt-one-bit",
        apply: |s, n| {
            (s.width(n.operands[0]) == 1).then(|| {
                let negated = s.not(n.operands[1]);
                s.and(n.operands[0], negated)
            })
        },
    },
    Rule {
        name: "slt-never",
        apply: |s, n| {
            let width = s.width(n.operands[0]);
            let never = s.value(n.operands[1]) == Some(&BitVec::min_signed(width))
                || s.value(n.operands[0]) == Some(&BitVec::min_signed(width).not());
            never.then(|| s.bool(false))
        },
    },
    Rule { name: "slt-zext-negative", apply: |s, n| negative_constant(s, &n) },
    Rule { name: "slt-not-negative", apply: |s, n| unsigned_if_clear(s, &n, Kind::Ult) },
    Rule { name: "slt-sext-constant", apply: |s, n| narrow_signed(s, &n, Kind::Slt) },
    Rule {
        name: "slt-sext-both",
        apply: |s, n| match same_extension(s, &n)? {
            (Kind::SExt, x, y) => Some(s.binary(Kind::Slt, x, y)),
            _ => None,
        },
    },
    Rule {
        name: "slt-sign",
        apply: |s, n| {
            s.value(n.operands[1])?.is_zero().then(|| {
                let top = u32::from(s.width(n.operands[0])) - 1;
                s.extract(n.operands[0], top, 1)
            })
        },
    },
];

pub(super) const SLE: &[Rule] = &[
    Rule { name: "sle-same", apply: |s, n| (n.operands[0] == n.operands[1]).then(|| s.bool(true)) },
    Rule {
        name: "sle-constant-right",
        apply: |s, n| {
            let limit = s.value(n.operands[1])?;
            let width = limit.width();
            if *limit == BitVec::min_signed(width).not() {
                return Some(s.bool(true));
            }
            let next = limit.add(&BitVec::new(width, 1));
            let next = s.constant(next);
            Some(s.binary(Kind::Slt, n.operands[0], next))
        },
    },
    Rule {
        name: "sle-constant-left",
        apply: |s, n| {
            let limit = s.value(n.operands[0])?;
            let width = limit.width();
            if *limit == BitVec::min_signed(width) {
                return Some(s.bool(true));
            }
            let previous = limit.sub(&BitVec::new(width, 1));
            let previous = s.constant(previous);
            Some(s.binary(Kind::Slt, previous, n.operands[1]))
        },
    },
    Rule {
        name: "sle-one-bit",
        apply: |s, n| {
            (s.width(n.operands[0]) == 1).then(|| {
                let negated = s.not(n.operands[1]);
                s.or(n.operands[0], negated)
            })
        },
    },
    Rule { name: "sle-not-negative", apply: |s, n| unsigned_if_clear(s, &n, Kind::Ule) },
    Rule {
        name: "sle-sext-both",
        apply: |s, n| match same_extension(s, &n)? {
            (Kind::SExt, x, y) => Some(s.binary(Kind::Sle, x, y)),
            _ => None,
        },
    },
];
