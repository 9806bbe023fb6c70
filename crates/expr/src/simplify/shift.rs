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

fn zero_operand(store: &Store, node: &Node) -> Option<Term> {
    store.value(node.operands[0]).is_some_and(BitVec::is_zero).then_some(node.operands[0])
}

pub(super) const SHL: &[Rule] = &[
    Rule { name: "shl-of-zero", apply: |s, n| zero_operand(s, &n) },
    Rule {
        name: "shl-constant",
        apply: |s, n| {
            let (x, width) = (n.operands[0], n.sort.width());
            match amount(s, &n)? {
                0 => Some(x),
                all if all == width => Some(s.zeros(width)),
                some => {
                    let kept = s.extract(x, 0, width - some);
                    let zeros = s.zeros(some);
                    Some(s.concat(kept, zeros))
                }
            }
        },
    },
];

pub(super) const LSHR: &[Rule] = &[
    Rule { name: "lshr-of-zero", apply: |s, n| zero_operand(s, &n) },
    Rule {
        name: "lshr-constant",
        apply: |s, n| {
            let (x, width) = (n.operands[0], n.sort.width());
            match amount(s, &n)? {
                0 => Some(x),
                all if all == width => Some(s.zeros(width)),
                some => {
                    let kept = s.extract(x, some.into(), width - some);
                    Some(s.zext(kept, width))
                }
            }
        },
    },
];

pub(super) const ASHR: &[Rule] = &[
    Rule { name: "ashr-of-zero", apply: |s, n| zero_operand(s, &n) },
    Rule {
        name: "ashr-constant",
        apply: |s, n| {
            let (x, width) = (n.operands[0], n.sort.width());
            match amount(s, &n)? {
                0 => Some(x),
                some => {
                    let some = some.min(width - 1);
                    let kept = s.extract(x, some.into(), width - some);
                    Some(s.sext(kept, width))
                }
            }
        },
    },
];
