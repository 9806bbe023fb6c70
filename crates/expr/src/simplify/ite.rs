//! Rules for `ite`, and operators lifted into it.

use super::Rule;
use crate::store::{Kind, Node, Store, Term};

pub(super) const ITE: &[Rule] = &[
    Rule {
        name: "ite-constant",
        apply: |s, n| s.value(n.operands[0]).map(|value| n.operands[if value.is_true() { 1 } else { 2 }]),
    },
    Rule { name: "ite-same", apply: |_, n| (n.operands[1] == n.operands[2]).then_some(n.operands[1]) },
    Rule {
        name: "ite-not",
        apply: |s, n| {
            let [condition, ..] = s.parts(n.operands[0], Kind::Not)?;
            Some(s.ite(condition, n.operands[2], n.operands[1]))
        },
    },
    Rule {
        name: "ite-nested",
        apply: |s, n| {
            let [condition, a, b] = n.operands;
            let nested = |arm, side: usize| s.parts(arm, Kind::Ite).filter(|o| o[0] == condition).map(|o| o[side]);
            let (x, y) = (nested(a, 1), nested(b, 2));
            (x.is_some() || y.is_some()).then(|| s.ite(condition, x.unwrap_or(a), y.unwrap_or(b)))
        },
    },
    Rule { name: "ite-condition-arm", apply: condition_arm },
    Rule { name: "ite-one-bit", apply: one_bit },
];

/// A one-bit `ite` whose arm is its condition: the arm's value is known where it is chosen.
fn condition_arm(store: &mut Store, node: Node) -> Option<Term> {
    let [condition, a, b] = node.operands;
    if a == condition {
        return Some(store.or(condition, b));
    }
    (b == condition).then(|| store.and(condition, a))
}

/// A one-bit `ite` with a constant arm is a connective.
fn one_bit(store: &mut Store, node: Node) -> Option<Term> {
    let [condition, a, b] = node.operands;
    if store.sort(node.operands[1]) != crate::Sort::BitVec(1) {
        return None;
    }
    let truth = |term| store.value(term).map(crate::BitVec::is_true);
    match (truth(a), truth(b)) {
        (Some(true), _) => Some(store.or(condition, b)),
        (_, Some(false)) => Some(store.and(condition, a)),
        (Some(false), _) => {
            let negated = store.not(condition);
            Some(store.and(negated, b))
        }
        (_, Some(true)) => {
            let negated = store.not(condition);
            Some(store.or(negated, a))
        }
        _ => None,
    }
}

/// For all operators: an `ite` between constants takes the operator inside, where it is computed away.
pub(super) const LIFT: &[Rule] =
    &[Rule { name: "lift-ite-unary", apply: lift_unary }, Rule { name: "lift-ite-binary", apply: lift_binary }];

fn constant_arms(store: &Store, term: Term) -> Option<[Term; 3]> {
    let operands = store.parts(term, Kind::Ite)?;
    (store.value(operands[1]).is_some() && store.value(operands[2]).is_some()).then_some(operands)
}

fn lift_unary(store: &mut Store, node: Node) -> Option<Term> {
    if node.kind.arity() != 1 || node.kind == Kind::ConstArray {
        return None;
    }
    let [condition, a, b] = constant_arms(store, node.operands[0])?;
    let mut arms = [a, b];
    for arm in &mut arms {
        let mut inner = node;
        inner.operands[0] = *arm;
        *arm = store.build(inner);
    }
    Some(store.ite(condition, arms[0], arms[1]))
}

fn lift_binary(store: &mut Store, node: Node) -> Option<Term> {
    if !node.kind.is_binary() && node.kind != Kind::Concat {
        return None;
    }
    let side = match (store.value(node.operands[0]).is_some(), store.value(node.operands[1]).is_some()) {
        (false, true) => 0,
        (true, false) => 1,
        _ => return None,
    };
    let [condition, a, b] = constant_arms(store, node.operands[side])?;
    let mut arms = [a, b];
    for arm in &mut arms {
        let mut inner = node;
        inner.operands[side] = *arm;
        *arm = store.build(inner);
    }
    Some(store.ite(condition, arms[0], arms[1]))
}
