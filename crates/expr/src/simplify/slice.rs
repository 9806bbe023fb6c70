//! Rules for `extract`, `concat`, `zext` and `sext`.

use super::Rule;
use super::overflow::spare_bits;
use crate::bitvec::BitVec;
use crate::store::{Kind, Node, Store, Term};

pub(super) const EXTRACT: &[Rule] = &[
    Rule { name: "extract-all", apply: |s, n| (n.sort.width() == s.width(n.operands[0])).then_some(n.operands[0]) },
    Rule {
        name: "extract-extract",
        apply: |s, n| {
            let [x, ..] = s.parts(n.operands[0], Kind::Extract)?;
            let low = s.node(n.operands[0]).imm;
            Some(s.extract(x, low + n.imm, n.sort.width()))
        },
    },
    Rule { name: "extract-concat", apply: extract_concat },
    Rule { name: "extract-zext", apply: |s, n| extract_extended(s, n, Kind::ZExt) },
    Rule { name: "extract-sext", apply: |s, n| extract_extended(s, n, Kind::SExt) },
    Rule {
        name: "extract-not",
        apply: |s, n| {
            let [x, ..] = s.parts(n.operands[0], Kind::Not)?;
            if !s.slices_well(x) {
                return None;
            }
            let slice = s.extract(x, n.imm, n.sort.width());
            Some(s.not(slice))
        },
    },
    Rule {
        name: "extract-bitwise",
        apply: |s, n| {
            let inner = s.node(n.operands[0]);
            let bitwise = matches!(inner.kind, Kind::And | Kind::Or | Kind::Xor);
            (bitwise && inner.operands().iter().all(|operand| s.slices_well(*operand)))
                .then(|| slice_both(s, &inner, n.imm, n.sort.width()))
        },
    },
    Rule {
        name: "extract-low-arithmetic",
        apply: |s, n| {
            let inner = s.node(n.operands[0]);
            let modular = matches!(inner.kind, Kind::Add | Kind::Sub | Kind::Mul);
            (n.imm == 0 && modular && inner.operands().iter().all(|operand| s.slices_well(*operand)))
                .then(|| slice_both(s, &inner, 0, n.sort.width()))
        },
    },
    Rule { name: "extract-above-arithmetic", apply: above_arithmetic },
];

/// Bits that a sum or a product of small numbers does not reach.
fn above_arithmetic(store: &mut Store, node: Node) -> Option<Term> {
    let inner = store.node(node.operands[0]);
    let sizes =
        inner.operands().iter().map(|operand| u32::from(store.width(*operand)) - spare_bits(store, *operand, false));
    let reached = match inner.kind {
        Kind::Add => sizes.max()? + 1,
        Kind::Mul => sizes.sum(),
        _ => return None,
    };
    (node.imm >= reached).then(|| store.zeros(node.sort.width()))
}

fn slice_both(store: &mut Store, inner: &Node, low: u32, width: u16) -> Term {
    let a = store.extract(inner.operands[0], low, width);
    let b = store.extract(inner.operands[1], low, width);
    store.binary(inner.kind, a, b)
}

fn extract_concat(store: &mut Store, node: Node) -> Option<Term> {
    let [high, low, _] = store.parts(node.operands[0], Kind::Concat)?;
    let (start, width) = (node.imm, node.sort.width());
    let split = u32::from(store.width(low));
    if start >= split {
        return Some(store.extract(high, start - split, width));
    }
    let below = split - start;
    if below >= width.into() {
        return Some(store.extract(low, start, width));
    }
    let lower = store.extract(low, start, below as u16);
    let upper = store.extract(high, 0, width - below as u16);
    Some(store.concat(upper, lower))
}

fn extract_extended(store: &mut Store, node: Node, kind: Kind) -> Option<Term> {
    let [inner, ..] = store.parts(node.operands[0], kind)?;
    let (start, width, inner_width) = (node.imm, node.sort.width(), store.width(inner));
    let available = u32::from(inner_width).saturating_sub(start);
    if available >= width.into() {
        return Some(store.extract(inner, start, width));
    }
    if kind == Kind::ZExt && available == 0 {
        return Some(store.zeros(width));
    }
    // A sign-extended word consists of copies of the sign bit where the inner one has ended.
    let (start, available) = if available == 0 { (u32::from(inner_width) - 1, 1) } else { (start, available) };
    let kept = store.extract(inner, start, available as u16);
    Some(if kind == Kind::ZExt { store.zext(kept, width) } else { store.sext(kept, width) })
}

pub(super) const CONCAT: &[Rule] = &[
    Rule {
        name: "concat-zero-above",
        apply: |s, n| {
            s.value(n.operands[0]).is_some_and(BitVec::is_zero).then(|| s.zext(n.operands[1], n.sort.width()))
        },
    },
    Rule {
        name: "concat-zext-above",
        apply: |s, n| {
            let inner = s.zero_extended(n.operands[0])?;
            let joined = s.concat(inner, n.operands[1]);
            Some(s.zext(joined, n.sort.width()))
        },
    },
    Rule {
        name: "concat-left",
        apply: |s, n| {
            let [a, b, _] = s.parts(n.operands[0], Kind::Concat)?;
            let rest = s.concat(b, n.operands[1]);
            Some(s.concat(a, rest))
        },
    },
    Rule { name: "concat-adjacent", apply: |s, n| fuse(s, n.operands[0], n.operands[1]) },
    Rule {
        name: "concat-adjacent-first",
        apply: |s, n| {
            let [b, c, _] = s.parts(n.operands[1], Kind::Concat)?;
            let fused = fuse(s, n.operands[0], b)?;
            Some(s.concat(fused, c))
        },
    },
];

/// Two neighbouring slices of one term, or two constants, as one.
fn fuse(store: &mut Store, high: Term, low: Term) -> Option<Term> {
    if let (Some(a), Some(b)) = (store.value(high), store.value(low)) {
        let joined = a.concat(b);
        return Some(store.constant(joined));
    }
    // The upper slice of a term that is not sliced below is the term itself only when it starts at its bit 0.
    let base = |term: Term| match store.parts(term, Kind::Extract) {
        Some([x, ..]) => (x, store.node(term).imm),
        None => (term, 0),
    };
    let ((x, x_low), (y, y_low)) = (base(high), base(low));
    let (x_width, y_width) = (store.width(high), store.width(low));
    let adjacent = x == y && x_low == y_low + u32::from(y_width) && x_width + y_width <= store.width(x);
    adjacent.then(|| store.extract(x, y_low, x_width + y_width))
}

pub(super) const ZEXT: &[Rule] = &[
    Rule { name: "zext-none", apply: |s, n| (s.width(n.operands[0]) == n.sort.width()).then_some(n.operands[0]) },
    Rule {
        name: "zext-zext",
        apply: |s, n| {
            let inner = s.zero_extended(n.operands[0])?;
            Some(s.zext(inner, n.sort.width()))
        },
    },
];

pub(super) const SEXT: &[Rule] = &[
    Rule { name: "sext-none", apply: |s, n| (s.width(n.operands[0]) == n.sort.width()).then_some(n.operands[0]) },
    Rule {
        name: "sext-sext",
        apply: |s, n| {
            let inner = s.sign_extended(n.operands[0])?;
            Some(s.sext(inner, n.sort.width()))
        },
    },
    Rule {
        name: "sext-zext",
        apply: |s, n| {
            let inner = s.zero_extended(n.operands[0])?;
            Some(s.zext(inner, n.sort.width()))
        },
    },
];
