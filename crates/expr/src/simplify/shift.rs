//! Shifts by constants become slices, which fuse with each other.

use super::Rule;
use crate::bitvec::BitVec;
use crate::store::{Node, Store, Term};

/// The amount of a shift by a constant, the width for everything beyond it.
fn amount(store: &Store, node: &Node) -> Option<u16> {
    let width = node.sort.width();
    let amount = store.value(node.operands[1])?;
    Some(amount.to_u64().filter(|amount| *amount < width.into()).map_or(width, |amount| amount as u16))
}

/// 0 shifted by anything.
fn of_zero(store: &mut Store, node: Node) -> Option<Term> {
    store.value(node.operands[0]).is_some_and(BitVec::is_zero).then_some(node.operands[0])
}

/// A shift by a constant that brings zeros in; `shifted` makes the slice for amounts that leave something.
fn logical(store: &mut Store, node: Node, shifted: fn(&mut Store, Term, u16) -> Term) -> Option<Term> {
    let width = node.sort.width();
    Some(match amount(store, &node)? {
        0 => node.operands[0],
        all if all == width => store.zeros(width),
        some => shifted(store, node.operands[0], some),
    })
}

pub(super) const SHL: &[Rule] = &[
    Rule { name: "shl-of-zero", apply: of_zero },
    Rule {
        name: "shl-constant",
        apply: |s, n| {
            logical(s, n, |s, x, amount| {
                let kept = s.extract(x, 0, s.width(x) - amount);
                let zeros = s.zeros(amount);
                s.concat(kept, zeros)
            })
        },
    },
];

pub(super) const LSHR: &[Rule] = &[
    Rule { name: "lshr-of-zero", apply: of_zero },
    Rule {
        name: "lshr-constant",
        apply: |s, n| {
            logical(s, n, |s, x, amount| {
                let width = s.width(x);
                let kept = s.extract(x, amount.into(), width - amount);
                s.zext(kept, width)
            })
        },
    },
];

pub(super) const ASHR: &[Rule] = &[
    Rule { name: "ashr-of-zero", apply: of_zero },
    Rule {
        name: "ashr-constant",
        apply: |s, n| {
            let (x, width) = (n.operands[0], n.sort.width());
            match amount(s, &n)? {
                0 => Some(x),
                // The sign bit is never shifted out.
                some => {
                    let some = some.min(width - 1);
                    let kept = s.extract(x, some.into(), width - some);
                    Some(s.sext(kept, width))
                }
            }
        },
    },
];
