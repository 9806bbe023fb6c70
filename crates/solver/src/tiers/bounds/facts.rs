//! What conditions say of the terms that they compare.

use expr::{Kind, Sort, Store, Term};

use super::float;
use super::value::Bounds;

/// A term, and what is known of it.
pub(super) type Fact = (Term, Bounds);

/// What follows for both sides of a comparison if it has this outcome, or its negation the other one. A sign bit is a comparison too.
pub(super) fn implied(
    store: &Store,
    condition: Term,
    outcome: bool,
    known: &impl Fn(Term) -> Option<Bounds>,
) -> [Option<Fact>; 2] {
    let node = store.node(condition);
    if node.kind == Kind::Not && node.sort == Sort::BitVec(1) {
        return implied(store, node.operands[0], !outcome, known);
    }
    let [left, right, _] = node.operands;
    if node.kind == Kind::Extract {
        let fact =
            known(left).filter(|bounds| node.imm + 1 == u32::from(bounds.width)).map(|bounds| sign(bounds, outcome));
        return [fact.map(|bounds| (left, bounds)), None];
    }
    if matches!(node.kind, Kind::FEq | Kind::FLt | Kind::FLe) {
        let (Some(a), Some(b)) = (known(left), known(right)) else { return [None; 2] };
        let both = float::implied(node.kind, outcome, [a, b]);
        return both.map_or([None; 2], |[a, b]| [Some((left, a)), Some((right, b))]);
    }
    if (node.kind, outcome) == (Kind::Eq, false) {
        let (Some(a), Some(b)) = (known(left), known(right)) else { return [None; 2] };
        return [other_than(a, b).map(|bounds| (left, bounds)), other_than(b, a).map(|bounds| (right, bounds))];
    }
    // Of a comparison that does not hold, the opposite one does.
    let (kind, less, more) = match (node.kind, outcome) {
        (Kind::Eq | Kind::Ult | Kind::Ule | Kind::Slt | Kind::Sle, true) => (node.kind, left, right),
        (Kind::Ult, false) => (Kind::Ule, right, left),
        (Kind::Ule, false) => (Kind::Ult, right, left),
        (Kind::Slt, false) => (Kind::Sle, right, left),
        (Kind::Sle, false) => (Kind::Slt, right, left),
        _ => return [None; 2],
    };
    let (Some(a), Some(b)) = (known(less), known(more)) else { return [None; 2] };
    let (below, above) = match kind {
        Kind::Eq => (Some(b), Some(a)),
        Kind::Ule => (Some(at_most(a, b.greatest)), Some(at_least(b, a.least))),
        Kind::Ult => (
            b.greatest.checked_sub(1).map(|greatest| at_most(a, greatest)),
            a.least.checked_add(1).map(|least| at_least(b, least)),
        ),
        Kind::Sle => (Some(at_most_signed(a, b.high)), Some(at_least_signed(b, a.low))),
        _ => (
            b.high.checked_sub(1).map(|high| at_most_signed(a, high)),
            a.low.checked_add(1).map(|low| at_least_signed(b, low)),
        ),
    };
    [below.map(|bounds| (less, bounds)), above.map(|bounds| (more, bounds))]
}

/// A number that is not the only one that another can be: if that is at an end, the end moves.
fn other_than(of: Bounds, excluded: Bounds) -> Option<Bounds> {
    let value = excluded.only()?;
    let Bounds { width, mut least, mut greatest, mut low, mut high, .. } = of;
    let is_end = |end: i64| excluded.low == end;
    match () {
        // It has no value at all then, which others find out.
        () if of.only().is_some() => return None,
        () if value == least => least += 1,
        () if value == greatest => greatest -= 1,
        () if is_end(low) => low += 1,
        () if is_end(high) => high -= 1,
        () => return None,
    }
    Some(Bounds { least, greatest, low, high, ..Bounds::any(width) })
}

/// A number whose highest bit is this.
fn sign(of: Bounds, is_negative: bool) -> Bounds {
    if is_negative { at_most_signed(of, -1) } else { at_least_signed(of, 0) }
}

fn at_most(of: Bounds, greatest: u64) -> Bounds {
    Bounds { greatest, ..Bounds::any(of.width) }
}

fn at_least(of: Bounds, least: u64) -> Bounds {
    Bounds { least, ..Bounds::any(of.width) }
}

fn at_most_signed(of: Bounds, high: i64) -> Bounds {
    Bounds { high, ..Bounds::any(of.width) }
}

fn at_least_signed(of: Bounds, low: i64) -> Bounds {
    Bounds { low, ..Bounds::any(of.width) }
}
