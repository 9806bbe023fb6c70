//! Terms for the solver, beside what was said.

use crate::store::{Store, Term};

/// The claim that two forms of a term have the same value: true if the simplifier makes no mistake.
///
/// Solvers work on `term`. A model of something that must hold is believed only if `original` is true under it, too. A
/// plain [`Term`] has no other form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Claim {
    /// Simplified.
    pub term: Term,
    /// As it was said: made by the same constructors inside [`Store::exactly`].
    pub original: Term,
}

impl From<Term> for Claim {
    fn from(term: Term) -> Claim {
        Claim { term, original: term }
    }
}

impl Claim {
    /// What `build` makes of other claims' terms: once of their simplified forms, once of their originals.
    pub fn build<const N: usize>(
        store: &mut Store,
        operands: [Claim; N],
        build: impl Fn(&mut Store, [Term; N]) -> Term,
    ) -> Claim {
        let term = build(store, operands.map(|operand| operand.term));
        Claim::completed(store, term, operands, build)
    }

    /// The same where `term` is what `build` has made of the simplified forms.
    pub fn completed<const N: usize>(
        store: &mut Store,
        term: Term,
        operands: [Claim; N],
        build: impl Fn(&mut Store, [Term; N]) -> Term,
    ) -> Claim {
        if operands.iter().all(|operand| operand.term == operand.original) {
            return term.into();
        }
        let original = store.exactly(|store| build(store, operands.map(|operand| operand.original)));
        Claim { term, original }
    }

    /// The opposite.
    pub fn negated(self, store: &mut Store) -> Claim {
        Claim::build(store, [self], |store, [term]| store.not(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::{Evaluator, Kind, parse_term, print_term};

    /// Inside `exactly` the text form is read as it stands; outside it is simplified to the same value.
    #[test]
    fn originals_are_what_was_said() {
        for seed in 0..500 {
            let mut store = Store::new();
            let mut generator = Generator::new(seed);
            let raw = generator.term(&mut store, 1, 4);
            let text = print_term(&store, raw);
            let original = store.exactly(|store| parse_term(store, &text)).unwrap();
            assert_eq!(print_term(&store, original), text);
            let term = parse_term(&mut store, &text).unwrap();
            for _ in 0..5 {
                let model = generator.model(&store);
                let mut evaluator = Evaluator::new(&store, &model);
                assert_eq!(evaluator.eval(original), evaluator.eval(term), "{text}");
            }
        }
    }

    #[test]
    fn claims_are_built_in_both_forms() {
        let mut store = Store::new();
        let original = store.exactly(|store| parse_term(store, "(ult (and x:8 x:8) 7)")).unwrap();
        let term = parse_term(&mut store, "(ult x:8 7)").unwrap();
        let negated = Claim { term, original }.negated(&mut store);
        assert_eq!(print_term(&store, negated.original), "(not (ult (and x:8 x:8) 0x7))");
        assert_eq!(store.kind(store.node(negated.original).operands[0]), Kind::Ult);
        let plain = Claim::from(term).negated(&mut store);
        assert_eq!(plain.original, plain.term);
        assert_eq!(plain.term, negated.term);
    }
}
