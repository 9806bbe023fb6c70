//! Rules for quotients that are compared, as programs do that ask whether a product fits before they compute it.
//!
//! `a / y < x` says that `x * y` is more than `a`: a question about the same product that comes after it, instead of one about a
//! division. With a divisor of 0 both are false.

use super::overflow::spare_bits;
use crate::bitvec::BitVec;
use crate::store::{Kind, Node, Store, Term};

/// `a / y < x`.
pub(super) fn less(store: &mut Store, node: Node) -> Option<Term> {
    let [a, y, _] = store.parts(node.operands[0], Kind::UDiv)?;
    Some(exceeds(store, [node.operands[1], y], a))
}

/// `k < a / y` with a constant `k`.
pub(super) fn more_than_constant(store: &mut Store, node: Node) -> Option<Term> {
    store.parts(node.operands[1], Kind::UDiv)?;
    let limit = store.value(node.operands[0]).filter(|limit| !limit.is_ones())?;
    let next = limit.add(&BitVec::new(limit.width(), 1));
    let next = store.constant(next);
    let is_less = store.ult(node.operands[1], next);
    Some(store.not(is_less))
}

/// `x <= a / y`.
pub(super) fn at_least(store: &mut Store, node: Node) -> Option<Term> {
    store.parts(node.operands[1], Kind::UDiv)?;
    let is_less = store.ult(node.operands[1], node.operands[0]);
    Some(store.not(is_less))
}

/// `x * y / y == x`, as programs ask that have computed the product already.
pub(super) fn of_product(store: &mut Store, node: Node) -> Option<Term> {
    let [one, other, _] = node.operands;
    let (x, y) = factors(store, one, other).or_else(|| factors(store, other, one))?;
    let overflows = store.binary(Kind::UMulO, x, y);
    let fits = store.not(overflows);
    let zero = store.zeros(store.width(y));
    let by_zero = store.eq(y, zero);
    let ones = store.constant(BitVec::ones(store.width(x)));
    let is_largest = store.eq(x, ones);
    Some(store.ite(by_zero, is_largest, fits))
}

/// `c / x < m * y` with constants `c` and `m`, where `m * y` fits: that is `c / m < x * y`.
pub(super) fn less_than_multiple(store: &mut Store, node: Node) -> Option<Term> {
    let [c, x, _] = store.parts(node.operands[0], Kind::UDiv)?;
    let (y, m) = store.with_constant(node.operands[1], Kind::Mul)?;
    let c = store.value(c)?;
    let spare = m.leading_zeros() + spare_bits(store, y, false);
    if m.is_zero() || spare < u32::from(m.width()) {
        return None;
    }
    let limit = store.constant(c.udiv(&m));
    Some(exceeds(store, [x, y], limit))
}

/// Whether the product of two terms is more than `limit`.
fn exceeds(store: &mut Store, [x, y]: [Term; 2], limit: Term) -> Term {
    let overflows = store.binary(Kind::UMulO, x, y);
    let product = store.binary(Kind::Mul, x, y);
    let is_more = store.ult(limit, product);
    store.or(overflows, is_more)
}

/// `x` and `y`, if the quotient is that of their product by `y`.
fn factors(store: &Store, quotient: Term, x: Term) -> Option<(Term, Term)> {
    let [product, y, _] = store.parts(quotient, Kind::UDiv)?;
    let [a, b, _] = store.parts(product, Kind::Mul)?;
    ((a, b) == (x, y) || (b, a) == (x, y)).then_some((x, y))
}
