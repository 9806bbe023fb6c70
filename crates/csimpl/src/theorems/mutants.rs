//! Wrong rules, one each.

use crate::environment::Environment;
use crate::formula::{Formulas, Symbolic};
use crate::program::Variable;
use crate::rules::{Decision, Rules};
use crate::subtyping::Answer;
use crate::types::Type;
use crate::value::{NoValue, Value};

/// T-ASN and C-ASN as they are printed: what a cast said of a variable still counts after an assignment to it.
pub(super) struct StaleCasts;

impl Rules for StaleCasts {
    fn after_assignment(&self, _known: &mut Environment, _target: Variable) {}
}

/// T-OP does not look at the types of operands.
pub(super) struct AnyOperand;

impl Rules for AnyOperand {
    fn operand(&self, parameter: &Type) -> Type {
        Type::all(parameter.sort())
    }
}

/// C-VAR2 forgets the type that is required.
pub(super) struct NoOperandCast;

impl Rules for NoOperandCast {
    fn operand_cast(&self, _required: &Type, known: &Type) -> Type {
        known.clone()
    }
}

/// C-VAR2 casts only variables of which nothing is known.
pub(super) struct TrustRefined;

impl Rules for TrustRefined {
    fn operand_cast(&self, required: &Type, known: &Type) -> Type {
        if known.is_all() { required.clone() } else { known.clone() }
    }
}

/// C-ASN2 does what C-ASN1 does.
pub(super) struct NoAssignmentCast;

impl Rules for NoAssignmentCast {
    fn assignment_cast(&self, cast: &Type, _declared: &Type) -> Type {
        cast.clone()
    }
}

/// What is not known is refused.
pub(super) struct RejectUnknown;

impl Rules for RejectUnknown {
    fn decide(&self, answer: &Answer) -> Decision {
        if *answer == Answer::Yes { Decision::Accept } else { Decision::Reject }
    }
}

/// A cast converts a value that is not in its type, as in C, where it should fail.
pub(super) struct CastsConvert;

impl Rules for CastsConvert {
    fn cast(&self, value: &Value, cast: &Type) -> Result<Option<Value>, NoValue> {
        Ok(Some(if cast.contains(value)? { value.clone() } else { Value::default_of(value.sort()) }))
    }
}

/// A cast gives no check.
pub(super) struct EmptyCheck;

impl Rules for EmptyCheck {
    fn check(&self, formulas: &mut Formulas, _value: Symbolic, _cast: &Type) -> Symbolic {
        formulas.value(true.into())
    }
}

/// The check of a cast to an intersection is that of its first part.
pub(super) struct HalfCheck;

impl Rules for HalfCheck {
    fn check(&self, formulas: &mut Formulas, value: Symbolic, cast: &Type) -> Symbolic {
        match cast.predicates().next() {
            Some(first) => formulas.instantiate(first, &[value]),
            None => formulas.value(true.into()),
        }
    }
}

/// X-IF1 and X-IF2 exchanged.
pub(super) struct FlippedBranch;

impl Rules for FlippedBranch {
    fn branch(&self, taken: bool) -> bool {
        !taken
    }
}

/// The intersection of environments is the first of them.
pub(super) struct LeftOnly;

impl Rules for LeftOnly {
    fn combine(&self, left: &Type, _right: &Type) -> Type {
        left.clone()
    }
}
