//! Random formulas, for the property tests of this crate and of those that use it.

use proptest::prelude::*;

use crate::condition::{Arithmetic, Comparison, Formula, Term};

/// A formula over variables with these names.
pub fn formula(names: impl Strategy<Value = String> + 'static) -> BoxedStrategy<Formula> {
    use Comparison::*;
    let term = term(names.boxed());
    let comparison = prop::sample::select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual]);
    let leaf = prop_oneof![
        (comparison, term.clone(), term.clone()).prop_map(|(c, a, b)| Formula::Compare(c, a, b)),
        term.prop_map(Formula::NotZero),
    ];
    let formula = leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Formula::Not(a.into())),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Formula::And(a.into(), b.into())),
            (inner.clone(), inner).prop_map(|(a, b)| Formula::Or(a.into(), b.into())),
        ]
    });
    formula.boxed()
}

fn term(names: BoxedStrategy<String>) -> BoxedStrategy<Term> {
    use Arithmetic::*;
    // Small numbers meet each other more often.
    let constant = prop_oneof![0..4u64, any::<u64>()];
    let leaf = prop_oneof![constant.prop_map(Term::Constant), names.prop_map(Term::Name)];
    let term = leaf.prop_recursive(3, 8, 2, |inner| {
        let operator = prop::sample::select(vec![Add, Subtract, Multiply, Divide, Remainder]);
        prop_oneof![
            inner.clone().prop_map(|a| Term::Negated(a.into())),
            (operator, inner.clone(), inner).prop_map(|(o, a, b)| Term::Binary(o, a.into(), b.into())),
        ]
    });
    term.boxed()
}
