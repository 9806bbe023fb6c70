//! Walks over terms, without recursion.

use rustc_hash::FxHashSet;

use crate::store::{Store, Term, Var, VarName};

/// The terms that `roots` are made of, operands before the terms that use them, each once. `skip` says which terms
/// (with all below them) are left out.
pub fn postorder(store: &Store, roots: &[Term], mut skip: impl FnMut(Term) -> bool) -> Vec<Term> {
    let mut seen = Seen::default();
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
            if !seen.contains(*operand) && !skip(*operand) {
                seen.insert(*operand);
                stack.push(*operand);
            }
        }
    }
    // Operands have smaller indices than the terms that use them.
    order.sort_unstable();
    order
}

/// So many terms are faster to look through than to hash.
const FEW: usize = 16;

/// The terms that a walk has met. Most walks are short, because what is below is known.
#[derive(Default)]
struct Seen {
    few: Vec<Term>,
    many: FxHashSet<Term>,
}

impl Seen {
    fn contains(&self, term: Term) -> bool {
        if self.many.is_empty() { self.few.contains(&term) } else { self.many.contains(&term) }
    }

    /// Whether the term had not been met.
    fn insert(&mut self, term: Term) -> bool {
        if self.contains(term) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(term);
            return true;
        }
        if self.many.is_empty() {
            self.many.extend(&self.few);
        }
        self.many.insert(term)
    }
}

/// The same for many roots: all terms of a path, say. Takes time for the whole store, but little for each term.
pub fn below(store: &Store, roots: &[Term]) -> Vec<Term> {
    let mut found = vec![false; roots.iter().max().map_or(0, |last| last.index() + 1)];
    roots.iter().for_each(|root| found[root.index()] = true);
    for index in (0..found.len()).rev() {
        if found[index] {
            // Operands have smaller indices than the terms that use them.
            store.node(Term(index as u32)).operands().iter().for_each(|operand| found[operand.index()] = true);
        }
    }
    (0..).map(Term).zip(found).filter_map(|(term, is_found)| is_found.then_some(term)).collect()
}

/// All terms of a store from its `count`th on, operands before the terms that use them.
pub fn terms_from(store: &Store, count: usize) -> impl Iterator<Item = Term> + use<> {
    (count as u32..store.len() as u32).map(Term)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_terms_below_are_found_in_their_order() {
        let mut store = Store::new();
        let texts = ["(ult (add a:8 b:8) 7:8)", "(eq (mul c:8 a:8) d:8)", "(not (eq b:8 3:8))"];
        let roots = texts.map(|text| crate::parse_term(&mut store, text).unwrap());
        for roots in [&roots[..], &roots[1..], &roots[..1], &[]] {
            assert_eq!(below(&store, roots), postorder(&store, roots, |_| false));
        }
    }
}
