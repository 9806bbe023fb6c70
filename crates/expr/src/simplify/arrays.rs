//! Read over write, and write over write.

use super::Rule;
use crate::bitvec::BitVec;
use crate::store::{Kind, Node, Store, Term};

pub(super) const SELECT: &[Rule] = &[
    Rule { name: "select-constant-array", apply: |s, n| s.parts(n.operands[0], Kind::ConstArray).map(|o| o[0]) },
    Rule { name: "select-store", apply: read_over_write },
];

pub(super) const STORE: &[Rule] = &[
    Rule {
        name: "store-store",
        apply: |s, n| {
            let [array, index, _] = s.parts(n.operands[0], Kind::Store)?;
            (index == n.operands[1]).then(|| s.store(array, index, n.operands[2]))
        },
    },
    Rule {
        name: "store-selected",
        apply: |s, n| {
            let [array, index, _] = s.parts(n.operands[2], Kind::Select)?;
            (array == n.operands[0] && index == n.operands[1]).then_some(array)
        },
    },
];

/// Updates looked at before giving up. Keeps the cost of a read constant on average; the solver sees the rest.
const MAX_UPDATES: u32 = 256;

fn read_over_write(store: &mut Store, node: Node) -> Option<Term> {
    let [array, index, _] = node.operands;
    let mut below = array;
    for _ in 0..MAX_UPDATES {
        let Some([inner, at, value]) = store.parts(below, Kind::Store) else { break };
        if at == index {
            return Some(value);
        }
        if !differ(store, at, index) {
            break;
        }
        below = inner;
    }
    (below != array).then(|| store.select(below, index))
}

/// Whether two indices are known to be different: the same term with different constants added.
fn differ(store: &Store, a: Term, b: Term) -> bool {
    let split = |term: Term| match (store.value(term), store.with_constant(term, Kind::Add)) {
        (Some(value), _) => (None, value.clone()),
        (_, Some((base, offset))) => (Some(base), offset),
        _ => (Some(term), BitVec::zero(store.width(term))),
    };
    let ((a_base, a_offset), (b_base, b_offset)) = (split(a), split(b));
    a_base == b_base && a_offset != b_offset
}
