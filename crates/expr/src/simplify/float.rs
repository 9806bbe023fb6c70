//! Rules for floating-point numbers that are made of integers.
//!
//! Programs read numbers digit by digit and compare what they make of them with constants. Rounding never changes the order of two
//! numbers, so such a comparison is one of integers, and no solver has to know about rounding.

use super::Rule;
use crate::bitvec::BitVec;
use crate::semantics::eval_kind;
use crate::store::{Kind, Node, Store, Term};

pub(super) const FEQ: &[Rule] = &[
    Rule { name: "feq-integers", apply: |s, n| compare_integers(s, n, Kind::Eq) },
    Rule { name: "feq-monotone", apply: equal_to_constant },
];

pub(super) const FLT: &[Rule] = &[
    Rule { name: "flt-integers", apply: |s, n| compare_integers(s, n, Kind::Slt) },
    Rule { name: "flt-monotone", apply: compare_to_constant },
];

pub(super) const FLE: &[Rule] = &[
    Rule { name: "fle-integers", apply: |s, n| compare_integers(s, n, Kind::Sle) },
    Rule { name: "fle-monotone", apply: compare_to_constant },
];

pub(super) const FADD: &[Rule] = &[Rule { name: "fadd-integers", apply: compute_integers }];
pub(super) const FSUB: &[Rule] = &[Rule { name: "fsub-integers", apply: compute_integers }];
pub(super) const FMUL: &[Rule] = &[Rule { name: "fmul-integers", apply: compute_integers }];
pub(super) const FROUND: &[Rule] = &[Rule { name: "fround-whole", apply: round_whole }];
pub(super) const FCONVERT: &[Rule] = &[Rule { name: "fconvert-back", apply: convert_back }];
pub(super) const FFROMS: &[Rule] = &[Rule { name: "ffroms-narrow", apply: narrow_integer }];
pub(super) const FFROMU: &[Rule] = &[Rule { name: "ffromu-narrow", apply: narrow_integer }];

pub(super) const FTOS: &[Rule] = &[Rule { name: "ftos-integer", apply: back_to_integer }];

/// Operations between an integer and what it is compared as.
const MOST_STEPS: usize = 16;

/// Integers up to this width are numbers of `width` bits without rounding.
fn exact_bits(width: u16) -> u16 {
    if width == 32 { 24 } else { 53 }
}

/// An integer in the clothes of a number, without rounding.
#[derive(Clone, Copy)]
struct Whole {
    term: Term,
    signed: bool,
}

impl Whole {
    /// Numbers that are made of integers, and constants that could be. Zero is never negative.
    fn of(store: &mut Store, mut term: Term) -> Option<Whole> {
        if let Some(value) = store.value(term) {
            return Whole::constant(store, &value.clone());
        }
        if let Some([narrow, ..]) = store.parts(term, Kind::FConvert).filter(|_| store.width(term) == 64) {
            term = narrow;
        }
        let node = store.node(term);
        let inner = node.operands[0];
        let signed = match node.kind {
            Kind::FFromS => true,
            Kind::FFromU => false,
            _ => return None,
        };
        (store.width(inner) <= exact_bits(node.sort.width())).then_some(Whole { term: inner, signed })
    }

    fn constant(store: &mut Store, value: &BitVec) -> Option<Whole> {
        let width = value.width();
        let exact = exact_bits(width);
        let integer = eval_kind(Kind::FToS, 64, 0, &[value])?;
        // Back again it has to be the same, bit by bit.
        if eval_kind(Kind::FFromS, width, 0, &[&integer])? != *value {
            return None;
        }
        let needed = (1..=exact).find(|bits| integer.extract(0, *bits).sext(64) == integer)?;
        let term = store.constant(integer.extract(0, needed));
        Some(Whole { term, signed: true })
    }

    /// The same with another sign; zero loses its own.
    fn negated(store: &mut Store, term: Term) -> Option<Whole> {
        let [number, sign, _] = store.parts(term, Kind::Xor)?;
        let is_sign = store.value(sign) == Some(&BitVec::min_signed(store.width(term)));
        let inner = Whole::of(store, number).filter(|_| is_sign)?;
        let wide = inner.wide(store, inner.bits(store) + 1);
        Some(Whole { term: store.neg(wide), signed: true })
    }

    /// As [`Whole::of`], where it makes no difference whether zero is negative.
    fn of_any_zero(store: &mut Store, term: Term) -> Option<Whole> {
        Whole::of(store, term).or_else(|| Whole::negated(store, term))
    }

    /// Bits that it takes as a signed integer.
    fn bits(&self, store: &Store) -> u16 {
        store.width(self.term) + u16::from(!self.signed)
    }

    fn is_negative(&self, store: &Store) -> bool {
        self.signed && !store.top_bit_clear(self.term)
    }

    fn wide(&self, store: &mut Store, width: u16) -> Term {
        if self.signed { store.sext(self.term, width) } else { store.zext(self.term, width) }
    }
}

/// A number that becomes the integer again that it was made of.
fn back_to_integer(store: &mut Store, node: Node) -> Option<Term> {
    let width = node.sort.width();
    let whole = Whole::of_any_zero(store, node.operands[0])?;
    let bits = whole.bits(store);
    if bits <= width {
        return Some(whole.wide(store, width));
    }
    let wide = whole.wide(store, bits);
    let narrow = store.extract(wide, 0, width);
    let again = store.sext(narrow, bits);
    let fits = store.eq(wide, again);
    let least = store.constant(BitVec::min_signed(width));
    Some(store.ite(fits, narrow, least))
}

fn compare_integers(store: &mut Store, node: Node, kind: Kind) -> Option<Term> {
    let (a, b) = (Whole::of_any_zero(store, node.operands[0])?, Whole::of_any_zero(store, node.operands[1])?);
    let width = a.bits(store).max(b.bits(store));
    let (a, b) = (a.wide(store, width), b.wide(store, width));
    Some(store.binary(kind, a, b))
}

/// Sums, differences and products of integers, if nothing is rounded.
fn compute_integers(store: &mut Store, node: Node) -> Option<Term> {
    let number = node.sort.width();
    let (a, b) = (Whole::of(store, node.operands[0])?, Whole::of(store, node.operands[1])?);
    let (a_bits, b_bits) = (a.bits(store), b.bits(store));
    let (kind, width) = match node.kind {
        Kind::FAdd => (Kind::Add, a_bits.max(b_bits) + 1),
        Kind::FSub => (Kind::Sub, a_bits.max(b_bits) + 1),
        // Zero times a negative number is a zero that is negative too.
        _ if a.is_negative(store) || b.is_negative(store) => return None,
        _ => (Kind::Mul, a_bits + b_bits),
    };
    if width > exact_bits(number) {
        return None;
    }
    let (a, b) = (a.wide(store, width), b.wide(store, width));
    let result = store.binary(kind, a, b);
    store.apply(Kind::FFromS, &[result], 0, number).ok()
}

/// What is whole already stays as it is.
fn round_whole(store: &mut Store, node: Node) -> Option<Term> {
    let inner = node.operands[0];
    matches!(store.kind(inner), Kind::FFromS | Kind::FFromU | Kind::FRound).then_some(inner)
}

/// A number that is made wider and narrower again, or that was narrow without loss.
fn convert_back(store: &mut Store, node: Node) -> Option<Term> {
    let inner = store.node(node.operands[0]);
    let width = node.sort.width();
    match inner.kind {
        // A number of 32 bits; what is none could have been another one.
        Kind::FConvert if width == 32 && store.kind(inner.operands[0]).gives_float() => Some(inner.operands[0]),
        Kind::FFromS | Kind::FFromU if store.width(inner.operands[0]) <= exact_bits(inner.sort.width()) => {
            store.apply(inner.kind, &[inner.operands[0]], 0, width).ok()
        }
        _ => None,
    }
}

/// Bits above that say nothing are left out.
fn narrow_integer(store: &mut Store, node: Node) -> Option<Term> {
    let inner = store.node(node.operands[0]);
    let kind = match (node.kind, inner.kind) {
        (_, Kind::ZExt) => Kind::FFromU,
        (Kind::FFromS, Kind::SExt) => Kind::FFromS,
        _ => return None,
    };
    store.apply(kind, &[inner.operands[0]], 0, node.sort.width()).ok()
}

/// A number that follows an integer, always up or always down.
struct Monotone {
    integer: Term,
    signed: bool,
    falls: bool,
    /// From the integer to the number, with the operand that is not constant.
    steps: Vec<(Node, usize)>,
}

impl Monotone {
    fn of(store: &Store, term: Term) -> Option<Monotone> {
        let mut found = Monotone { integer: term, signed: false, falls: false, steps: Vec::new() };
        let mut at = term;
        while found.steps.len() < MOST_STEPS {
            let node = store.node(at);
            let (place, falls) = direction(store, &node)?;
            found.falls ^= falls;
            found.steps.push((node, place));
            at = node.operands[place];
            if matches!(node.kind, Kind::FFromS | Kind::FFromU) {
                found.integer = at;
                found.signed = node.kind == Kind::FFromS;
                found.steps.reverse();
                return Some(found);
            }
        }
        None
    }

    fn width(&self, store: &Store) -> u16 {
        store.width(self.integer)
    }

    /// The number that the integer at a place of the order becomes; the least integer is at place 0.
    fn at(&self, store: &Store, place: u64) -> Option<BitVec> {
        let mut value = self.integer_at(store, place);
        for (node, operand) in &self.steps {
            let width = node.sort.width();
            value = match (node.kind.arity(), operand) {
                (1, _) => eval_kind(node.kind, width, node.imm, &[&value])?,
                (_, 0) => eval_kind(node.kind, width, node.imm, &[&value, store.value(node.operands[1])?])?,
                _ => eval_kind(node.kind, width, node.imm, &[store.value(node.operands[0])?, &value])?,
            };
        }
        Some(value)
    }

    fn integer_at(&self, store: &Store, place: u64) -> BitVec {
        let width = self.width(store);
        let value = BitVec::new(width, place);
        if self.signed { value.xor(&BitVec::min_signed(width)) } else { value }
    }

    /// The first place at which something holds of the number that holds from some place on.
    fn first(&self, store: &Store, holds: impl Fn(&BitVec) -> Option<bool>) -> Option<First> {
        let (mut low, mut high) = (0, BitVec::ones(self.width(store)).low64());
        if !holds(&self.at(store, high)?)? {
            return Some(First::Nowhere);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(&self.at(store, middle)?)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(First::At(low))
    }

    /// That the integer lies before a place.
    fn before(&self, store: &mut Store, place: First) -> Term {
        let First::At(place) = place else { return store.bool(true) };
        let first = self.integer_at(store, place);
        let first = store.constant(first);
        store.binary(if self.signed { Kind::Slt } else { Kind::Ult }, self.integer, first)
    }
}

/// The start of what goes on to the end of an order.
#[derive(Clone, Copy, PartialEq)]
enum First {
    At(u64),
    Nowhere,
}

/// The operand that decides about a number, and whether the number falls where it rises. Constants are finite, and no factor is
/// zero, so that nothing becomes what is no number.
fn direction(store: &Store, node: &Node) -> Option<(usize, bool)> {
    let constant = |place: usize| store.value(node.operands[place]);
    match node.kind {
        Kind::FFromS | Kind::FFromU | Kind::FConvert | Kind::FRound => return Some((0, false)),
        // A change of sign.
        Kind::Xor if constant(1) == Some(&BitVec::min_signed(node.sort.width())) => {
            let is_number = store.kind(node.operands[0]).gives_float();
            return is_number.then_some((0, true));
        }
        _ => {}
    }
    let (place, constant) = match (constant(0), constant(1)) {
        (Some(constant), None) => (1, constant),
        (None, Some(constant)) => (0, constant),
        _ => return None,
    };
    if !is_finite(constant) {
        return None;
    }
    let is_zero = constant.not().or(&BitVec::min_signed(constant.width())).is_ones();
    match node.kind {
        Kind::FAdd => Some((place, false)),
        Kind::FSub => Some((place, place == 1)),
        Kind::FMul if !is_zero => Some((place, constant.is_negative())),
        Kind::FDiv if !is_zero && place == 0 => Some((place, constant.is_negative())),
        _ => None,
    }
}

fn is_finite(value: &BitVec) -> bool {
    if value.width() == 32 {
        f32::from_bits(value.low64() as u32).is_finite()
    } else {
        f64::from_bits(value.low64()).is_finite()
    }
}

/// Whether a comparison holds.
fn compare(kind: Kind, a: &BitVec, b: &BitVec) -> Option<bool> {
    eval_kind(kind, 1, 0, &[a, b]).map(|value| value.is_true())
}

/// A comparison that is not symmetric.
fn compare_to_constant(store: &mut Store, node: Node) -> Option<Term> {
    let [a, b, _] = node.operands;
    let (a_value, b_value) = (store.value(a).cloned(), store.value(b).cloned());
    let number = Monotone::of(store, if b_value.is_some() { a } else { b })?;
    let holds = |value: &BitVec| match (&a_value, &b_value) {
        (None, Some(limit)) => compare(node.kind, value, limit),
        (Some(limit), None) => compare(node.kind, limit, value),
        _ => None,
    };
    // Whether it holds of the small ones.
    if b_value.is_some() != number.falls {
        let end = number.first(store, |value| holds(value).map(|holds| !holds))?;
        return Some(number.before(store, end));
    }
    let start = number.first(store, holds)?;
    let outside = number.before(store, start);
    Some(store.not(outside))
}

fn equal_to_constant(store: &mut Store, node: Node) -> Option<Term> {
    // Constants come second.
    let limit = store.value(node.operands[1]).cloned()?;
    let number = Monotone::of(store, node.operands[0])?;
    let is_above = |value: &BitVec| compare(Kind::FLt, &limit, value);
    let is_below = |value: &BitVec| compare(Kind::FLt, value, &limit);
    let reached = |value: &BitVec| match number.falls {
        false => compare(Kind::FLe, &limit, value),
        true => compare(Kind::FLe, value, &limit),
    };
    let start = number.first(store, reached)?;
    let end = if number.falls { number.first(store, is_below)? } else { number.first(store, is_above)? };
    match (start, end) {
        (First::Nowhere, _) => Some(store.bool(false)),
        (First::At(start), First::At(end)) if start >= end => Some(store.bool(false)),
        (First::At(start), First::At(end)) if start + 1 == end => {
            let only = number.integer_at(store, start);
            let only = store.constant(only);
            Some(store.eq(number.integer, only))
        }
        _ => {
            let (too_low, not_too_high) = (number.before(store, start), number.before(store, end));
            let high_enough = store.not(too_low);
            Some(store.and(high_enough, not_too_high))
        }
    }
}
