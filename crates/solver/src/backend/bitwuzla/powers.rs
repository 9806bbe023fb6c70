//! Arithmetic with a power of two that the input chooses, such as the size `1 << n` of a sector or block.
//!
//! Files say how large their parts are in this way, and readers divide every offset by it. As a division this has a hundred times
//! as many gates as the shift that it is.

use bitwuzla_sys::*;
use expr::{BitVec, Kind, Node, Store, Term};

use super::Context;

/// A term that is two to the power of something, or zero where that is too large for it.
struct Power {
    /// The term without the extension that it may have, of which `narrow` bits are left.
    inner: Term,
    narrow: u16,
    /// The shift that makes it out of two to the power of `least`.
    amount: Term,
    least: u32,
    /// Whether a sign was extended: then the largest power is negative.
    signed: bool,
}

fn power(store: &Store, term: Term) -> Option<Power> {
    let outer = store.node(term);
    let (inner, signed) = match outer.kind {
        Kind::ZExt => (outer.operands[0], false),
        Kind::SExt => (outer.operands[0], true),
        _ => (term, false),
    };
    let shift = store.node(inner);
    if shift.kind != Kind::Shl {
        return None;
    }
    let one = store.value(shift.operands[0])?;
    let least = u32::from(one.width()).checked_sub(one.leading_zeros() + 1)?;
    let is_power = *one == BitVec::new(one.width(), 1).shl(&BitVec::new(one.width(), least.into()));
    is_power.then_some(Power { inner, narrow: one.width(), amount: shift.operands[1], least, signed })
}

/// The terms that take the place of a power's.
struct Shift {
    /// By how much to shift, as wide as the power.
    by: BitwuzlaTerm,
    /// Whether there is a bit left after that.
    fits: BitwuzlaTerm,
    /// The power without its sign.
    magnitude: BitwuzlaTerm,
    is_negative: BitwuzlaTerm,
}

impl Context {
    /// What a product or quotient is when one of its operands is a power of two; `None` if none is, or the operator is no such.
    pub(super) fn with_power(&mut self, store: &Store, node: &Node) -> Option<BitwuzlaTerm> {
        let is_product = matches!(node.kind, Kind::Mul | Kind::UMulO);
        let is_signed = matches!(node.kind, Kind::SDiv | Kind::SRem);
        if !is_product && !is_signed && !matches!(node.kind, Kind::UDiv | Kind::URem) {
            return None;
        }
        let [left, right] = [node.operands[0], node.operands[1]];
        let found = power(store, right).map(|found| (left, right, found));
        let found = found.or_else(|| power(store, left).filter(|_| is_product).map(|found| (right, left, found)));
        let (other, whole, power) = found?;
        if power.signed && matches!(node.kind, Kind::UDiv | Kind::URem | Kind::UMulO) {
            return None;
        }
        let width = store.width(whole);
        let shift = self.shift(store, whole, &power, width);
        let other = self.bits_of(store, other);
        let zero = self.constant(&BitVec::zero(width));
        Some(match node.kind {
            Kind::Mul => {
                let product = self.shifted_left(&shift, other, zero);
                if power.signed { self.negated_if(shift.is_negative, product) } else { product }
            }
            Kind::UMulO => self.loses_bits(&shift, other),
            Kind::UDiv => self.quotient(&shift, other, width),
            Kind::URem => self.remainder(&shift, other, width),
            _ => {
                let tm = self.manager.0;
                // SAFETY: terms of this manager, of one width.
                let is_below = unsafe { bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SLT, other, zero) };
                let magnitude = self.negated_if(is_below, other);
                if node.kind == Kind::SRem {
                    let remainder = self.remainder(&shift, magnitude, width);
                    self.negated_if(is_below, remainder)
                } else {
                    let quotient = self.quotient(&shift, magnitude, width);
                    // SAFETY: two truth values of this manager.
                    let differ = unsafe { bitwuzla_mk_term2(tm, BITWUZLA_KIND_XOR, is_below, shift.is_negative) };
                    self.negated_if(differ, quotient)
                }
            }
        })
    }

    fn shift(&mut self, store: &Store, whole: Term, power: &Power, width: u16) -> Shift {
        let Power { narrow, least, .. } = *power;
        let [amount, inner, whole] = [power.amount, power.inner, whole].map(|term| self.bits_of(store, term));
        let [room, least] = [u32::from(narrow) - least, least].map(u64::from);
        let room = self.constant(&BitVec::new(narrow, room));
        let least = self.constant(&BitVec::new(width, least));
        let zero = self.constant(&BitVec::zero(width));
        let added = u64::from(width - narrow);
        let tm = self.manager.0;
        // SAFETY: terms of this manager: those of the shift are `narrow` bits wide, all others `width`.
        unsafe {
            let wide = |term| bitwuzla_mk_term1_indexed1(tm, BITWUZLA_KIND_BV_ZERO_EXTEND, term, added);
            Shift {
                by: bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_ADD, wide(amount), least),
                fits: bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_ULT, amount, room),
                magnitude: wide(inner),
                is_negative: bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SLT, whole, zero),
            }
        }
    }

    fn negated_if(&self, condition: BitwuzlaTerm, term: BitwuzlaTerm) -> BitwuzlaTerm {
        let tm = self.manager.0;
        // SAFETY: a truth value and a bit-vector of this manager.
        unsafe {
            let negated = bitwuzla_mk_term1(tm, BITWUZLA_KIND_BV_NEG, term);
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, condition, negated, term)
        }
    }

    fn shifted_left(&self, shift: &Shift, term: BitwuzlaTerm, zero: BitwuzlaTerm) -> BitwuzlaTerm {
        let tm = self.manager.0;
        // SAFETY: terms of this manager, as wide as the power but for the condition.
        unsafe {
            let shifted = bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SHL, term, shift.by);
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, shift.fits, shifted, zero)
        }
    }

    /// Whether a product does not fit: shifted back, it is another number. One with zero fits.
    fn loses_bits(&mut self, shift: &Shift, term: BitwuzlaTerm) -> BitwuzlaTerm {
        let (one, zero) = self.bits();
        let tm = self.manager.0;
        // SAFETY: terms of this manager, as wide as the power but for the conditions.
        unsafe {
            let shifted = bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SHL, term, shift.by);
            let back = bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SHR, shifted, shift.by);
            let is_other = bitwuzla_mk_term2(tm, BITWUZLA_KIND_DISTINCT, back, term);
            let loses = bitwuzla_mk_term2(tm, BITWUZLA_KIND_AND, shift.fits, is_other);
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, loses, one, zero)
        }
    }

    /// All ones for a divisor of zero, as SMT-LIB has it.
    fn quotient(&self, shift: &Shift, term: BitwuzlaTerm, width: u16) -> BitwuzlaTerm {
        let ones = self.constant(&BitVec::ones(width));
        let tm = self.manager.0;
        // SAFETY: terms of this manager, as wide as the power but for the condition.
        unsafe {
            let shifted = bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SHR, term, shift.by);
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, shift.fits, shifted, ones)
        }
    }

    /// The bits below the power's, which are all of them for zero, as SMT-LIB has it.
    fn remainder(&self, shift: &Shift, term: BitwuzlaTerm, width: u16) -> BitwuzlaTerm {
        let one = self.constant(&BitVec::new(width, 1));
        let tm = self.manager.0;
        // SAFETY: terms of this manager, as wide as the power.
        unsafe {
            let below = bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_SUB, shift.magnitude, one);
            bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_AND, term, below)
        }
    }
}
