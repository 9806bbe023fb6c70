//! What operators do to signs. Integers wrap around, so a sum of positive numbers may well be negative.

use crate::rules::{Premise, Rules};
use crate::syntax::{Binary, Unary};
use crate::types::Sign;

pub(crate) fn unary(operator: Unary, operand: Sign) -> Sign {
    match (operator, operand) {
        (Unary::Neg, Sign::Zero) => Sign::Zero,
        (Unary::Neg, Sign::Pos) => Sign::Neg,
        // The smallest number is its own negation.
        _ => Sign::Unknown,
    }
}

pub(crate) fn binary(rules: Rules, operator: Binary, a: Sign, b: Sign) -> Sign {
    match (operator, a, b) {
        (Binary::Add, Sign::Zero, known) | (Binary::Add | Binary::Sub, known, Sign::Zero) => known,
        (Binary::Add, Sign::Pos, Sign::Pos) if !rules.need(Premise::SumsWrapAround) => Sign::Pos,
        (Binary::Mul, Sign::Zero, _) | (Binary::Mul, _, Sign::Zero) => Sign::Zero,
        (Binary::Div, Sign::Zero, _) | (Binary::Div, _, Sign::Zero) => Sign::Zero,
        (Binary::Sub, Sign::Zero, Sign::Pos) => Sign::Neg,
        // Zero to the power of zero is one.
        (Binary::Pow, _, Sign::Zero) => Sign::Pos,
        (Binary::Pow, _, Sign::Neg) => Sign::Zero,
        (Binary::Pow, Sign::Zero, Sign::Pos) => Sign::Zero,
        _ => Sign::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate::{divide, power};

    fn number() -> impl Strategy<Value = i64> {
        prop_oneof![-3..4i64, Just(i64::MIN), Just(i64::MAX), any::<i64>()]
    }

    proptest! {
        #[test]
        fn signs_tell_the_truth(a in number(), b in number()) {
            let (sa, sb) = (Sign::of(a), Sign::of(b));
            for known in [sa, Sign::Unknown] {
                prop_assert!(unary(Unary::Neg, known).admits(a.wrapping_neg()));
                for (operator, result) in [
                    (Binary::Add, a.wrapping_add(b)),
                    (Binary::Sub, a.wrapping_sub(b)),
                    (Binary::Mul, a.wrapping_mul(b)),
                    (Binary::Div, divide(a, b)),
                    (Binary::Pow, power(a, b)),
                ] {
                    for other in [sb, Sign::Unknown] {
                        prop_assert!(binary(Rules::default(), operator, known, other).admits(result), "{operator:?} {a} {b}");
                    }
                }
            }
        }
    }
}
