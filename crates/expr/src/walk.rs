//! Walks over terms, without recursion.

use rustc_hash::FxHashSet;

use crate::store::{Store, Term, Var, VarName};

/// The terms that `roots` are made of, operands before the terms that use them, each once. `skip` says which terms
/// (with all below them) are left out.
pub fn postorder(store: &Store, roots: &[Term], mut skip: impl FnMut(Term) -> bool) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack: Vec<Term> = Vec::new();
    for root in roots {
        if !skip(*root) && seen.insert(*root) {
            stack.push(*root);
        }
    }
    while let Some(term) = stack.pop() {
        order.push(term);
        for operand in store.node(term).operands() {
            if !seen.contains(operand) && !skip(*operand) {
                seen.insert(*operand);
                stack.push(*operand);
            }
        }
    }
    // Operands have smaller indices than the terms that use them.
    order.sort_unstable();
    order
}

/// For every term of a store, by its index, whether it is made of a variable that is wanted.
pub fn mentions(store: &Store, mut is_wanted: impl FnMut(&VarName) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(store.len());
    for index in 0..store.len() {
        let term = Term(index as u32);
        let is_found = match store.var_of(term) {
            Some(var) => is_wanted(store.var_name(var)),
            // Operands have smaller indices than the terms that use them.
            None => store.node(term).operands().iter().any(|term| found.get(term.index()).copied().unwrap_or(false)),
        };
        found.push(is_found);
    }
    found
}

/// The variables in `roots`, each once, in the order of the store.
pub fn variables(store: &Store, roots: &[Term]) -> Vec<Var> {
    let mut found: Vec<Var> =
        postorder(store, roots, |_| false).into_iter().filter_map(|term| store.var_of(term)).collect();
    found.sort_unstable();
    found
}
