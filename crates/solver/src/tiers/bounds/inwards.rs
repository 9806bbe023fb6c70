//! What follows for the operands of a term from what is known of it.

use expr::{BitVec, Kind, Store, Term};

use super::facts::Fact;
use super::value::{Bounds, highest, lowest, mask};

/// What follows for the first two operands of a term that is between these bounds.
pub(super) fn inwards(
    store: &Store,
    term: Term,
    outer: Bounds,
    known: &impl Fn(Term) -> Option<Bounds>,
) -> [Option<Fact>; 2] {
    let node = store.node(term);
    let [left, right, _] = node.operands;
    let Some(a) = known(left) else { return [None; 2] };
    let any = Bounds::any(a.width);
    let single = match node.kind {
        Kind::Not => Some(outer.complement()),
        Kind::ZExt => Some(Bounds { least: outer.least, greatest: outer.greatest.min(mask(a.width)), ..any }),
        Kind::SExt => Some(Bounds { low: outer.low.max(any.low), high: outer.high.min(any.high), ..any }),
        _ => None,
    };
    if single.is_some() || node.operands().len() != 2 {
        return [single.map(|bounds| (left, bounds)), None];
    }
    let Some(b) = known(right) else { return [None; 2] };
    let pair = match node.kind {
        Kind::And | Kind::Or if outer.width == 1 => connected(node.kind, outer, a, b),
        Kind::Add => summed(outer, a, b),
        Kind::Sub => subtracted(outer, a, b),
        Kind::Concat => joined(outer, a, b),
        _ => [None; 2],
    };
    let [first, second] = pair;
    [first.map(|bounds| (left, bounds)), second.map(|bounds| (right, bounds))]
}

/// Conditions of which all, or at least one, have to be something.
fn connected(kind: Kind, outer: Bounds, a: Bounds, b: Bounds) -> [Option<Bounds>; 2] {
    let Some(outcome) = outer.only() else { return [None; 2] };
    // What both must be if the whole is that.
    let strict = u64::from(kind == Kind::And);
    let is = |value: u64| Some(Bounds::exactly(1, value));
    match (a.only(), b.only()) {
        _ if outcome == strict => [is(strict), is(strict)],
        (Some(a), _) if a == strict => [None, is(outcome)],
        (_, Some(b)) if b == strict => [is(outcome), None],
        _ => [None; 2],
    }
}

/// The operands of a sum, where it does not wrap around.
fn summed(outer: Bounds, a: Bounds, b: Bounds) -> [Option<Bounds>; 2] {
    let width = outer.width;
    let signed_ends = [a.low.checked_add(b.low), a.high.checked_add(b.high)];
    let is_signed_number = signed_ends.into_iter().all(|end| fits_signed(width, end));
    let is_unsigned_number = a.greatest.checked_add(b.greatest).is_some_and(|sum| sum <= mask(width));
    let without = |other: Bounds| {
        let mut operand = Bounds::any(width);
        if is_signed_number {
            operand.low = operand.low.max(outer.low.saturating_sub(other.high));
            operand.high = operand.high.min(outer.high.saturating_sub(other.low));
        }
        if is_unsigned_number {
            operand.least = outer.least.saturating_sub(other.greatest);
            operand.greatest = outer.greatest.saturating_sub(other.least);
        }
        (is_signed_number || is_unsigned_number).then_some(operand)
    };
    [without(b), without(a)]
}

/// The operands of a difference, where it does not wrap around.
fn subtracted(outer: Bounds, a: Bounds, b: Bounds) -> [Option<Bounds>; 2] {
    let width = outer.width;
    let ends = [a.low.checked_sub(b.high), a.high.checked_sub(b.low)];
    if !ends.into_iter().all(|end| fits_signed(width, end)) {
        return [None; 2];
    }
    let any = Bounds::any(width);
    let between = |low: i64, high: i64| Some(Bounds { low: low.max(any.low), high: high.min(any.high), ..any });
    [
        between(outer.low.saturating_add(b.low), outer.high.saturating_add(b.high)),
        between(a.low.saturating_sub(outer.high), a.high.saturating_sub(outer.low)),
    ]
}

/// The parts of what is put together.
fn joined(outer: Bounds, a: Bounds, b: Bounds) -> [Option<Bounds>; 2] {
    let (split, low) = (b.width, mask(b.width));
    let upper = Bounds {
        least: outer.least >> split,
        greatest: outer.greatest >> split,
        ..Bounds::bits(a.width, outer.zeros >> split, outer.ones >> split)
    };
    let mut lower = Bounds::bits(b.width, outer.zeros & low, outer.ones & low);
    // With one upper part, the whole is ordered as the lower part is.
    if outer.least >> split == outer.greatest >> split {
        (lower.least, lower.greatest) = (lower.least.max(outer.least & low), lower.greatest.min(outer.greatest & low));
    }
    [Some(upper), Some(lower)]
}

fn fits_signed(width: u16, number: Option<i64>) -> bool {
    number.is_some_and(|number| (lowest(width)..=highest(width)).contains(&number))
}

/// The number of which a constraint says that it is not zero, where the simplifier made of that that not all of its parts are.
pub(crate) fn not_zero(store: &mut Store, constraint: Term) -> Option<(Term, Bounds)> {
    let [mut rest, ..] = store.parts(constraint, Kind::Not)?;
    let mut parts = Vec::new();
    while let Some([first, others, _]) = store.parts(rest, Kind::And) {
        parts.push(zero_part(store, first)?);
        rest = others;
    }
    let last = zero_part(store, rest)?;
    let width: u32 = parts.iter().chain([&last]).map(|part| u32::from(store.width(*part))).sum();
    if parts.is_empty() || width > 64 {
        return None;
    }
    let whole = parts.into_iter().rev().fold(last, |lower, upper| store.concat(upper, lower));
    Some((whole, Bounds { least: 1, ..Bounds::any(width as u16) }))
}

/// What a condition compares with zero.
fn zero_part(store: &Store, condition: Term) -> Option<Term> {
    let [part, constant, _] = store.parts(condition, Kind::Eq)?;
    store.value(constant).is_some_and(BitVec::is_zero).then_some(part)
}
