//! Algorithmic subtyping: yes, no, or unknown.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::formula::Formulas;
use crate::solve::{Budget, Constraint, Solution, Unknown, solve};
use crate::types::Type;
use crate::value::Value;

/// Whether one type is a subtype of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every value of the first is in the second.
    Yes,
    /// This value is in the first and not in the second.
    No(Value),
    /// Neither could be shown.
    Unknown(Unknown),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Yes => f.write_str("yes"),
            Answer::No(witness) => write!(f, "no, {witness} for example"),
            Answer::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

/// An algorithmic subtyping. `Yes` and `No` must be true; `Unknown` is always allowed.
pub trait Subtyping {
    /// Answers a question that cannot be answered by the form of the types.
    fn prove(&mut self, left: &Type, right: &Type) -> Answer;

    /// Whether `left <: right`. Membership of a literal is decidable, so it is never unknown for want of a prover.
    fn subtype(&mut self, left: &Type, right: &Type) -> Answer {
        by_form(left, right).unwrap_or_else(|| self.prove(left, right))
    }
}

fn by_form(left: &Type, right: &Type) -> Option<Answer> {
    if left.has_all_of(right) {
        return Some(Answer::Yes);
    }
    let value = left.pinned()?;
    Some(match (left.contains(value), right.contains(value)) {
        (Ok(false), _) | (_, Ok(true)) => Answer::Yes,
        (Ok(true), Ok(false)) => Answer::No(value.clone()),
        _ => Answer::Unknown(Unknown::TooLarge),
    })
}

/// How hard subtyping is tried. Membership of a literal is decided in any case.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strength {
    /// A solver proves or refutes it.
    #[default]
    Decide,
    /// A solver proves it; what is refuted counts as unknown, so it gets a cast and active checking looks for an input.
    Prove,
    /// Types are compared by their form alone. Everything else gets a cast.
    Form,
}

/// Subtyping by SMT over mathematical integers.
pub struct Smt {
    strength: Strength,
    budget: Budget,
    known: FxHashMap<(Type, Type), Answer>,
}

impl Smt {
    /// Subtyping of this strength, with a budget for each query.
    pub fn new(strength: Strength, budget: Budget) -> Smt {
        Smt { strength, budget, known: FxHashMap::default() }
    }

    fn ask(&self, left: &Type, right: &Type) -> Answer {
        let mut formulas = Formulas::new(vec![left.sort()]);
        let value = formulas.parameter(0);
        let (left, right) = (formulas.member(value, left), formulas.member(value, right));
        let constraints = [Constraint { formula: left, holds: true }, Constraint { formula: right, holds: false }];
        match solve(&formulas, &constraints, &self.budget) {
            Solution::Unsat => Answer::Yes,
            Solution::Sat(values) => match (self.strength, values.into_iter().next()) {
                (Strength::Decide, Some(witness)) => Answer::No(witness),
                _ => Answer::Unknown(Unknown::NotProved),
            },
            Solution::Unknown(reason) => Answer::Unknown(reason),
        }
    }
}

impl Subtyping for Smt {
    fn prove(&mut self, left: &Type, right: &Type) -> Answer {
        if self.strength == Strength::Form {
            return Answer::Unknown(Unknown::FormOnly);
        }
        let key = (left.clone(), right.clone());
        if let Some(answer) = self.known.get(&key) {
            return answer.clone();
        }
        let answer = self.ask(left, right);
        self.known.insert(key, answer.clone());
        answer
    }
}
