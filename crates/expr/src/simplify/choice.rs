//! Comparisons of choices between constants, such as pointers that were looked up: they are decided at each constant, and
//! what is left says which ways through the choices lead to one that was meant.

use rustc_hash::FxHashMap;

use super::Rule;
use crate::store::{Kind, Node, Store, Term};

/// Choices that are taken apart, each once however many lead to it. Tables have more, and are better left whole.
const MOST: usize = 64;

/// For all operators.
pub(super) const LIFT: &[Rule] = &[Rule { name: "lift-choice", apply: lift }];

fn lift(store: &mut Store, node: Node) -> Option<Term> {
    if !node.kind.is_predicate() || node.kind.arity() != 2 {
        return None;
    }
    let side = usize::from(store.kind(node.operands[0]) != Kind::Ite);
    store.value(node.operands[1 - side])?;
    let choices = between_constants(store, node.operands[side])?;
    let mut decided: FxHashMap<Term, Term> = FxHashMap::default();
    for choice in choices {
        let [condition, mut a, mut b] = store.parts(choice, Kind::Ite)?;
        for arm in [&mut a, &mut b] {
            let mut inner = node;
            inner.operands[side] = *arm;
            *arm = decided.get(arm).copied().unwrap_or_else(|| store.build(inner));
        }
        let whole = store.ite(condition, a, b);
        decided.insert(choice, whole);
    }
    decided.get(&node.operands[side]).copied()
}

/// The choices that a term is made of, the inner ones first, if there are more than one and nothing else but constants.
fn between_constants(store: &Store, term: Term) -> Option<Vec<Term>> {
    let mut choices = vec![term];
    let mut next = 0;
    while let Some(choice) = choices.get(next) {
        let [_, a, b] = store.parts(*choice, Kind::Ite)?;
        for arm in [a, b] {
            if store.value(arm).is_none() && !choices.contains(&arm) {
                choices.push(arm);
            }
        }
        if choices.len() > MOST {
            return None;
        }
        next += 1;
    }
    // Arms are older than the choices between them.
    choices.sort_unstable();
    (choices.len() > 1).then_some(choices)
}
