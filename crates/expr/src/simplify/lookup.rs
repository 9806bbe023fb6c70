//! Rules for `lookup`: operators move into the table, where they are computed once for all elements.
//!
//! So what a program makes of one byte by tables and arithmetic with constants ends as one table, and a condition on it as a
//! comparison or a set of values.

use super::Rule;
use crate::bitvec::BitVec;
use crate::semantics::eval_kind;
use crate::store::{Kind, NO_OPERAND, Node, Sort, Store, Term};
use crate::tables::Derivation;

/// Elements of tables that are made here are no wider: words of a machine.
const WIDEST: u16 = 64;
/// Tables do not grow beyond one for each value of a byte.
const LARGEST_GROWN: u16 = 8;

pub(super) const LOOKUP: &[Rule] = &[
    Rule {
        name: "lookup-same",
        apply: |s, n| {
            let table = s.table_of(&n)?;
            let first = table.first().filter(|first| table.iter().all(|value| value == *first))?.clone();
            Some(s.constant(first))
        },
    },
    Rule { name: "lookup-identity", apply: identity },
    Rule { name: "lookup-interval", apply: interval },
    Rule { name: "lookup-index", apply: operator_on_index },
];

/// For all operators.
pub(super) const LIFT: &[Rule] = &[
    Rule { name: "lift-lookup-unary", apply: lift_unary },
    Rule { name: "lift-lookup-binary", apply: lift_binary },
    Rule { name: "lift-lookup-pair", apply: lift_pair },
];

/// Every element is its own number.
fn identity(store: &mut Store, node: Node) -> Option<Term> {
    let width = node.sort.width();
    let index = node.operands[0];
    let table = store.table_of(&node)?;
    let is_number = |(number, value): (u64, &BitVec)| *value == BitVec::new(width, number);
    if !(0..).zip(table.iter()).all(is_number) {
        return None;
    }
    let from = store.width(index);
    Some(if width >= from { store.zext(index, width) } else { store.extract(index, 0, width) })
}

/// Elements of one bit, of which those that are 1, or those that are 0, lie side by side.
fn interval(store: &mut Store, node: Node) -> Option<Term> {
    if node.sort != Sort::BitVec(1) {
        return None;
    }
    let index = node.operands[0];
    let table = store.table_of(&node)?;
    let wanted = !table.first()?.is_true() || !table.last()?.is_true();
    let is_wanted = |value: &BitVec| value.is_true() == wanted;
    let (first, last) = (table.iter().position(is_wanted)?, table.iter().rposition(is_wanted)?);
    if !table.get(first..=last)?.iter().all(is_wanted) {
        return None;
    }
    let (end, width) = (table.len() - 1, store.width(index));
    let mut number = |value: usize| store.small(width, value as u64);
    let inside = match (first, last) {
        (first, last) if first == last => {
            let only = number(first);
            store.eq(index, only)
        }
        (0, last) => {
            let limit = number(last + 1);
            store.ult(index, limit)
        }
        (first, last) if last == end => {
            let limit = number(first - 1);
            store.ult(limit, index)
        }
        (first, last) => {
            let (start, count) = (number(first), number(last - first + 1));
            let distance = store.sub(index, start);
            store.ult(distance, count)
        }
    };
    Some(if wanted { inside } else { store.not(inside) })
}

/// The value of an operator with one operand replaced by a value; the others are constants.
fn with_operand(store: &Store, node: &Node, place: usize, value: &BitVec) -> Option<BitVec> {
    if node.kind == Kind::Lookup {
        return store.element(node, value);
    }
    let width = node.sort.width();
    match (node.kind.arity(), place) {
        (1, _) => eval_kind(node.kind, width, node.imm, &[value]),
        (2, 0) => eval_kind(node.kind, width, node.imm, &[value, store.value(node.operands[1])?]),
        (2, _) => eval_kind(node.kind, width, node.imm, &[store.value(node.operands[0])?, value]),
        _ => None,
    }
}

/// The operand of an operator whose other operand, if it has one, is a constant.
fn only_operand(store: &Store, node: &Node) -> Option<usize> {
    match node.kind.arity() {
        1 if node.kind != Kind::ConstArray => Some(0),
        2 if node.kind.is_binary() || node.kind == Kind::Concat => {
            match node.operands().iter().map(|operand| store.value(*operand).is_some()).collect::<Vec<_>>()[..] {
                [false, true] => Some(0),
                [true, false] => Some(1),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What tells a derivation from others: the operator and its constant.
fn operator(node: &Node, place: usize) -> Node {
    let mut operator = *node;
    operator.operands[place] = NO_OPERAND;
    operator
}

/// An operator on a chosen element and nothing else is computed for all elements.
fn lift(store: &mut Store, node: Node, place: usize) -> Option<Term> {
    let inner = store.node(node.operands[place]);
    let table = store.table_of(&inner)?.clone();
    let is_vector = matches!(node.sort, Sort::BitVec(1..=WIDEST));
    if !is_vector {
        return None;
    }
    let derivation = Derivation { table: inner.imm, node: operator(&node, place), place, index: None };
    store.derived_lookup(inner.operands[0], derivation, |store| {
        table.iter().map(|value| with_operand(store, &node, place, value)).collect()
    })
}

fn lift_unary(store: &mut Store, node: Node) -> Option<Term> {
    if node.kind.arity() != 1 || node.kind == Kind::ConstArray {
        return None;
    }
    lift(store, node, 0)
}

fn lift_binary(store: &mut Store, node: Node) -> Option<Term> {
    if node.kind.arity() != 2 {
        return None;
    }
    let place = only_operand(store, &node)?;
    lift(store, node, place)
}

/// Two elements with the same number.
fn lift_pair(store: &mut Store, node: Node) -> Option<Term> {
    let is_pair = node.kind.is_binary() || node.kind == Kind::Concat;
    if !is_pair || node.sort.width() > WIDEST {
        return None;
    }
    let [a, b] = [0, 1].map(|place: usize| store.node(node.operands[place]));
    if a.kind != Kind::Lookup || b.kind != Kind::Lookup || a.operands[0] != b.operands[0] {
        return None;
    }
    let (first, second) = (store.table_of(&a)?, store.table_of(&b)?);
    let pairs = first.iter().zip(second.iter());
    let values: Option<Vec<BitVec>> =
        pairs.map(|(x, y)| eval_kind(node.kind, node.sort.width(), node.imm, &[x, y])).collect();
    let table = store.table_number(values?).ok()?;
    Some(store.build(Node { kind: Kind::Lookup, imm: table, ..Node { sort: node.sort, ..a } }))
}

/// An operator on the index rearranges the table.
fn operator_on_index(store: &mut Store, node: Node) -> Option<Term> {
    let table = store.table_of(&node)?.clone();
    let index = store.node(node.operands[0]);
    let place = only_operand(store, &index).filter(|_| index.kind != Kind::Lookup)?;
    let inner = index.operands[place];
    let Sort::BitVec(width) = store.sort(inner) else { return None };
    if width > store.width(node.operands[0]).max(LARGEST_GROWN) {
        return None;
    }
    let derivation = Derivation { table: node.imm, node: operator(&index, place), place, index: Some(width) };
    store.derived_lookup(inner, derivation, |store| {
        (0..1 << width)
            .map(|number| {
                let number = with_operand(store, &index, place, &BitVec::new(width, number))?;
                table.get(number.low64() as usize).cloned()
            })
            .collect()
    })
}
