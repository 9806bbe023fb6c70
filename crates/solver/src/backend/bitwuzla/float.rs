//! Terms of floating-point numbers.
//!
//! For the store a number is a bit-vector; for Bitwuzla it is a sort of its own. Operators on numbers take those of their operands
//! directly. Only where somebody wants the bits of a result is there a variable for them, which a definition ties to the number: Bitwuzla
//! has no function for it.

use std::ptr::null;

use bitwuzla_sys::*;
use expr::{BitVec, IntegerRange, Kind, Node, Rounding, Sort, Store, Term};

use super::Context;

/// Bits of the exponent and of the significand, the leading one included.
fn format(width: u16) -> (u64, u64) {
    if width == 32 { (8, 24) } else { (11, 53) }
}

fn arithmetic(kind: Kind) -> BitwuzlaKind {
    match kind {
        Kind::FSub => BITWUZLA_KIND_FP_SUB,
        Kind::FMul => BITWUZLA_KIND_FP_MUL,
        Kind::FDiv => BITWUZLA_KIND_FP_DIV,
        _ => BITWUZLA_KIND_FP_ADD,
    }
}

fn predicate(kind: Kind) -> BitwuzlaKind {
    match kind {
        Kind::FLt => BITWUZLA_KIND_FP_LT,
        Kind::FLe => BITWUZLA_KIND_FP_LEQ,
        _ => BITWUZLA_KIND_FP_EQUAL,
    }
}

fn mode(rounding: Rounding) -> BitwuzlaRoundingMode {
    match rounding {
        Rounding::NearestEven => BITWUZLA_RM_RNE,
        Rounding::TowardZero => BITWUZLA_RM_RTZ,
        Rounding::Up => BITWUZLA_RM_RTP,
        Rounding::Down => BITWUZLA_RM_RTN,
        Rounding::NearestAway => BITWUZLA_RM_RNA,
    }
}

impl Context {
    /// The bits of a term that has been translated.
    pub(super) fn bits_of(&mut self, store: &Store, term: Term) -> BitwuzlaTerm {
        if let Some(bits) = self.terms.get(&term) {
            return *bits;
        }
        let Some(number) = self.floats.get(&term).copied() else { return Default::default() };
        let width = store.width(term);
        let (exponent, significand) = format(width);
        let tm = self.manager.0;
        let nan = self.constant(&BitVec::new(width, expr::canonical_nan(width.into())));
        // SAFETY: the manager is alive, and operands have the sorts that the operators take.
        unsafe {
            let bits = bitwuzla_mk_const(tm, self.sort(Sort::BitVec(width)), null());
            let same = bitwuzla_mk_term1_indexed2(tm, BITWUZLA_KIND_FP_TO_FP_FROM_BV, bits, exponent, significand);
            let same = bitwuzla_mk_term2(tm, BITWUZLA_KIND_EQUAL, same, number);
            let is_nan = bitwuzla_mk_term1(tm, BITWUZLA_KIND_FP_IS_NAN, number);
            let canonical = bitwuzla_mk_term2(tm, BITWUZLA_KIND_EQUAL, bits, nan);
            let canonical = bitwuzla_mk_term2(tm, BITWUZLA_KIND_IMPLIES, is_nan, canonical);
            self.definitions.extend([same, canonical]);
            self.terms.insert(term, bits);
            bits
        }
    }

    /// The number that a term's bits stand for.
    fn number_of(&mut self, store: &Store, term: Term) -> BitwuzlaTerm {
        if let Some(number) = self.floats.get(&term) {
            return *number;
        }
        let (exponent, significand) = format(store.width(term));
        let bits = self.bits_of(store, term);
        let tm = self.manager.0;
        // SAFETY: the bits are a term of this manager that is as wide as the format.
        let number =
            unsafe { bitwuzla_mk_term1_indexed2(tm, BITWUZLA_KIND_FP_TO_FP_FROM_BV, bits, exponent, significand) };
        self.floats.insert(term, number);
        number
    }

    fn rounding(&self, rounding: Rounding) -> BitwuzlaTerm {
        // SAFETY: the manager is alive.
        unsafe { bitwuzla_mk_rm_value(self.manager.0, mode(rounding)) }
    }

    /// The number that an operator gives, one for which [`Kind::gives_float`] holds.
    pub(super) fn number(&mut self, store: &Store, node: &Node) -> BitwuzlaTerm {
        let [a, b, _] = node.operands;
        let tm = self.manager.0;
        let nearest = self.rounding(Rounding::NearestEven);
        let (exponent, significand) = format(node.sort.width());
        // SAFETY: operands are terms of this manager, and have the sorts that the operator takes: the store checked.
        unsafe {
            match node.kind {
                Kind::FFromS | Kind::FFromU => {
                    let kind = match node.kind {
                        Kind::FFromS => BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
                        _ => BITWUZLA_KIND_FP_TO_FP_FROM_UBV,
                    };
                    let integer = self.bits_of(store, a);
                    bitwuzla_mk_term2_indexed2(tm, kind, nearest, integer, exponent, significand)
                }
                Kind::FConvert => {
                    let number = self.number_of(store, a);
                    let kind = BITWUZLA_KIND_FP_TO_FP_FROM_FP;
                    bitwuzla_mk_term2_indexed2(tm, kind, nearest, number, exponent, significand)
                }
                Kind::FSqrt => bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_SQRT, nearest, self.number_of(store, a)),
                Kind::FRound => {
                    let rounding = Rounding::from_code(node.imm.into()).unwrap_or(Rounding::NearestEven);
                    let rounding = self.rounding(rounding);
                    bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_RTI, rounding, self.number_of(store, a))
                }
                kind => {
                    let (a, b) = (self.number_of(store, a), self.number_of(store, b));
                    bitwuzla_mk_term3(tm, arithmetic(kind), nearest, a, b)
                }
            }
        }
    }

    /// The bits that an operator on numbers gives that are no number: of a comparison or an integer.
    pub(super) fn of_numbers(&mut self, store: &Store, node: &Node) -> BitwuzlaTerm {
        let [a, b, _] = node.operands;
        let tm = self.manager.0;
        let number = self.number_of(store, a);
        if node.kind == Kind::FToS {
            return self.integer(store, node, number);
        }
        let other = self.number_of(store, b);
        let (one, zero) = self.bits();
        // SAFETY: operands are numbers of one format.
        unsafe {
            let holds = bitwuzla_mk_term2(tm, predicate(node.kind), number, other);
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, holds, one, zero)
        }
    }

    fn integer(&mut self, store: &Store, node: &Node, number: BitwuzlaTerm) -> BitwuzlaTerm {
        let (from, to) = (store.width(node.operands[0]), node.sort.width());
        let range = IntegerRange::of(from, to);
        let tm = self.manager.0;
        let (exponent, significand) = format(from);
        let toward_zero = self.rounding(Rounding::TowardZero);
        let [low, high, outside] = [range.low, range.high, BitVec::min_signed(to)].map(|value| self.constant(&value));
        // SAFETY: constants are as wide as the formats that they are read as.
        unsafe {
            let [low, high] = [low, high].map(|bits| {
                bitwuzla_mk_term1_indexed2(tm, BITWUZLA_KIND_FP_TO_FP_FROM_BV, bits, exponent, significand)
            });
            let above = if range.excludes_low { BITWUZLA_KIND_FP_LT } else { BITWUZLA_KIND_FP_LEQ };
            let above = bitwuzla_mk_term2(tm, above, low, number);
            let below = bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_LT, number, high);
            let fits = bitwuzla_mk_term2(tm, BITWUZLA_KIND_AND, above, below);
            let integer = bitwuzla_mk_term2_indexed1(tm, BITWUZLA_KIND_FP_TO_SBV, toward_zero, number, to.into());
            bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, fits, integer, outside)
        }
    }
}
