//! What the figures' rules say, one function for each, so that they can be read side by side with the paper.
//!
//! The theorems' tests replace one of them at a time by a wrong one and expect to see a theorem fail.

use crate::environment::Environment;
use crate::formula::{Formulas, Symbolic};
use crate::program::Variable;
use crate::subtyping::Answer;
use crate::types::Type;
use crate::value::{NoValue, Value};

/// What is done about a subtyping that a program depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// It holds: nothing needs to be checked at run time.
    Accept,
    /// Nobody knows: a cast checks it at run time.
    Cast,
    /// It does not hold: the program is ill-typed.
    Reject,
}

/// The rules. The defaults are those of Figures 3 to 6, mended as the documentation of the crate says.
pub(crate) trait Rules {
    /// T-OP, C-OP: the type that an operand must have.
    fn operand(&self, parameter: &Type) -> Type {
        parameter.clone()
    }

    /// T-ASN, C-ASN: the type that must be a subtype of the target's, from the cast *T* and the expression's type *S*.
    fn assigned(&self, cast: &Type, expression: &Type) -> Type {
        cast.intersect(expression)
    }

    /// T-ASN, C-ASN: what is known in the commands that follow an assignment. The paper goes on with all of Γ ∩ *G*, which
    /// would let a cast vouch for a value that has been overwritten since.
    fn after_assignment(&self, known: &mut Environment, target: Variable) {
        known.forget(target);
    }

    /// C-VAR1, C-VAR2, C-ASN1, C-ASN2: which of the rules an answer calls for.
    fn decide(&self, answer: &Answer) -> Decision {
        match answer {
            Answer::Yes => Decision::Accept,
            Answer::Unknown(_) => Decision::Cast,
            Answer::No(_) => Decision::Reject,
        }
    }

    /// C-VAR2: the cast of an operand.
    fn operand_cast(&self, required: &Type, known: &Type) -> Type {
        required.intersect(known)
    }

    /// C-ASN2: the cast of an assigned value.
    fn assignment_cast(&self, cast: &Type, declared: &Type) -> Type {
        cast.intersect(declared)
    }

    /// E-ASN and Δ ⊢ *G*: the value that comes out of a cast, or nothing if the cast fails.
    fn cast(&self, value: &Value, cast: &Type) -> Result<Option<Value>, NoValue> {
        Ok(cast.contains(value)?.then(|| value.clone()))
    }

    /// X-ASN and Σ ⊢ *G* ⇒ Φ: the check that a cast gives, *sv* ∈ *T* ⇒ φ.
    fn check(&self, formulas: &mut Formulas, value: Symbolic, cast: &Type) -> Symbolic {
        formulas.member(value, cast)
    }

    /// X-IF1, X-IF2: what the path constraint says of a condition after a branch.
    fn branch(&self, taken: bool) -> bool {
        taken
    }

    /// Γ1 ∩ Γ2 for one variable or parameter.
    fn combine(&self, left: &Type, right: &Type) -> Type {
        left.intersect(right)
    }
}

/// The rules as they are used.
pub(crate) struct Figures;

impl Rules for Figures {}
