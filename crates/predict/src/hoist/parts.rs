//! Which parts of the input terms depend on, found out once for all terms of a path.

use std::rc::Rc;

use expr::{Claim, Store, Term, VarName};
use rustc_hash::FxHashMap;

/// Parts of the input, in order.
pub type Parts = Rc<[u32]>;

/// The parts that terms depend on.
pub struct PartsOf {
    known: FxHashMap<Term, Parts>,
    none: Parts,
}

impl PartsOf {
    /// Looks at all that these claims are made of, in either of their forms.
    pub fn claims(store: &Store, claims: impl Iterator<Item = Claim>) -> PartsOf {
        let roots: Vec<Term> = claims.flat_map(|claim| [claim.term, claim.original]).collect();
        let none: Parts = Rc::from([]);
        let mut known: FxHashMap<Term, Parts> = FxHashMap::default();
        for term in expr::postorder(store, &roots, |_| false) {
            let own = match store.var_of(term).map(|variable| store.var_name(variable)) {
                Some(VarName::Input { part, .. }) => Rc::from([*part]),
                _ => Rc::clone(&none),
            };
            let node = store.node(term);
            let operands = node.operands().iter().filter_map(|operand| known.get(operand));
            let parts = operands.fold(own, |all, parts| union(&all, parts));
            known.insert(term, parts);
        }
        PartsOf { known, none }
    }

    /// Those of one of the claims.
    pub fn claim(&self, claim: Claim) -> Parts {
        let of = |term: Term| self.known.get(&term).unwrap_or(&self.none);
        union(of(claim.term), of(claim.original))
    }
}

/// One of them where it has everything: most terms depend on what their operands do.
fn union(one: &Parts, other: &Parts) -> Parts {
    let has = |all: &Parts, some: &Parts| some.iter().all(|part| all.binary_search(part).is_ok());
    if Rc::ptr_eq(one, other) || has(one, other) {
        return Rc::clone(one);
    }
    if has(other, one) {
        return Rc::clone(other);
    }
    let mut all: Vec<u32> = one.iter().chain(other.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    Rc::from(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_count() {
        let mut store = Store::new();
        (0..3).for_each(|part| store.set_part_name(part, &format!("p{part}")));
        let term = |store: &mut Store, text: &str| expr::parse_term(store, text).unwrap();
        let simple = term(&mut store, "(ult p2[0] p0[4])");
        let original = term(&mut store, "(eq p1[0] 7:8)");
        let constant = term(&mut store, "1:1");
        let claims = [Claim { term: simple, original }, Claim { term: constant, original: constant }];
        let parts = PartsOf::claims(&store, claims.into_iter());
        assert_eq!(*parts.claim(claims[0]), [0, 1, 2]);
        assert!(parts.claim(claims[1]).is_empty());
        assert_eq!(*parts.claim(Claim { term: simple, original: simple }), [0, 2]);
    }
}
