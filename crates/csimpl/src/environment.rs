//! Type environments Γ.

use std::sync::Arc;

use crate::program::{CastSet, Operator, Variable};
use crate::rules::Rules;
use crate::subtyping::{Answer, Subtyping};
use crate::types::Type;
use crate::value::Sort;

/// The signature of an operator, `op(S1 … Sn) : T`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The types of the parameters.
    pub parameters: Vec<Type>,
    /// The type of the result.
    pub result: Type,
}

/// A type environment: types of variables and signatures of operators.
///
/// What is *declared* of a variable holds all the time, what is *assumed* of it since a cast and until it is assigned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    declared: Arc<[Type]>,
    operators: Arc<[Signature]>,
    assumed: Vec<(Variable, Type)>,
}

impl Environment {
    /// An environment with these types, by the positions of variables and operators.
    pub fn new(variables: Vec<Type>, operators: Vec<Signature>) -> Environment {
        Environment { declared: variables.into(), operators: operators.into(), assumed: Vec::new() }
    }

    /// How many variables it types.
    pub fn variables(&self) -> usize {
        self.declared.len()
    }

    /// The operators' signatures.
    pub fn operators(&self) -> &[Signature] {
        &self.operators
    }

    /// What is declared of a variable.
    pub fn declared(&self, variable: Variable) -> Type {
        self.declared.get(variable.0).cloned().unwrap_or_else(|| Type::all(Sort::Int))
    }

    /// Γ(*x*): what is known of a variable.
    pub fn variable(&self, variable: Variable) -> Type {
        let declared = self.declared(variable);
        match self.assumed.iter().find(|(there, _)| *there == variable) {
            Some((_, assumed)) => declared.intersect(assumed),
            None => declared,
        }
    }

    /// Γ(op). The resolver lets no other operators into a program.
    pub fn operator(&self, operator: Operator) -> Option<&Signature> {
        self.operators.get(operator.0)
    }

    /// Γ ∩ *G*.
    pub fn assume(&mut self, casts: &CastSet) {
        for (variable, cast) in casts.iter() {
            match self.assumed.iter_mut().find(|(there, _)| *there == variable) {
                Some((_, there)) => *there = there.intersect(cast),
                None => self.assumed.push((variable, cast.clone())),
            }
        }
    }

    /// Forgets what casts have said of a variable.
    pub fn forget(&mut self, variable: Variable) {
        self.assumed.retain(|(there, _)| *there != variable);
    }

    /// Γ1 ∩ Γ2, for environments of the same variables and operators.
    pub fn intersect(&self, other: &Environment) -> Environment {
        self.intersect_by(&crate::rules::Figures, other)
    }

    pub(crate) fn intersect_by(&self, rules: &dyn Rules, other: &Environment) -> Environment {
        let declared = self.declared.iter().zip(other.declared.iter()).map(|(left, right)| rules.combine(left, right));
        let operators = self.operators.iter().zip(other.operators.iter()).map(|(left, right)| Signature {
            parameters: left
                .parameters
                .iter()
                .zip(&right.parameters)
                .map(|(left, right)| rules.combine(left, right))
                .collect(),
            result: left.result.clone(),
        });
        Environment { declared: declared.collect(), operators: operators.collect(), assumed: Vec::new() }
    }

    /// Definition 3, Γ <: Γ': whether every type of a variable or parameter is a subtype of the other environment's.
    pub fn restricts(&self, other: &Environment, subtyping: &mut dyn Subtyping) -> Answer {
        let variables = self.declared.iter().zip(other.declared.iter());
        let parameters = self
            .operators
            .iter()
            .zip(other.operators.iter())
            .flat_map(|(left, right)| left.parameters.iter().zip(right.parameters.iter()));
        let mut result = Answer::Yes;
        for (left, right) in variables.chain(parameters) {
            match subtyping.subtype(left, right) {
                Answer::Yes => {}
                Answer::Unknown(reason) => result = Answer::Unknown(reason),
                Answer::No(witness) => return Answer::No(witness),
            }
        }
        result
    }
}
