//! A file whose names have been looked up.

use crate::environment::Environment;
use crate::program::{Operator, Program, Variable};
use crate::source::{Diagnostic, Span};
use crate::term::Term;
use crate::value::{Sort, Value};

/// What is declared of a variable besides its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableInfo {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Which input parameter it starts with, if it is an input.
    pub parameter: Option<usize>,
    /// The value that it starts with, if the file says so.
    pub initial: Option<Value>,
}

/// What is declared of an operator besides its signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorInfo {
    /// Its name.
    pub name: String,
    /// Where it is declared. The library's operators are not in the file.
    pub span: Option<Span>,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// How it is written between its operands.
    pub infix: Option<&'static str>,
}

/// A file: operators, environments, and a program.
#[derive(Clone, Debug)]
pub struct Module {
    /// The variables.
    pub variables: Vec<VariableInfo>,
    /// The operators.
    pub operators: Vec<OperatorInfo>,
    /// What the operators compute.
    pub definitions: Vec<Term>,
    /// The types that variables and operators are declared with.
    pub declared: Environment,
    /// The environments that the file names. Each is a restriction of what is declared.
    pub environments: Vec<(String, Environment)>,
    /// The program.
    pub program: Program,
}

impl Module {
    /// Reads a file. The library's types and operators are there already.
    pub fn parse(text: &str) -> Result<Module, Diagnostic> {
        crate::resolve::module(text)
    }

    /// The intersection of the environments with these names, or of all of them if no names are given.
    pub fn environment(&self, names: &[String]) -> Result<Environment, UnknownEnvironment> {
        let mut result = self.declared.clone();
        for name in names {
            if !self.environments.iter().any(|(there, _)| there == name) {
                let known = self.environments.iter().map(|(name, _)| name.clone()).collect();
                return Err(UnknownEnvironment { name: name.clone(), known });
            }
        }
        for (name, environment) in &self.environments {
            if names.is_empty() || names.contains(name) {
                result = result.intersect(environment);
            }
        }
        Ok(result)
    }

    /// The inputs, by parameter.
    pub fn inputs(&self) -> impl Iterator<Item = (Variable, &VariableInfo)> {
        self.variables
            .iter()
            .enumerate()
            .filter(|(_, info)| info.parameter.is_some())
            .map(|(index, info)| (Variable(index), info))
    }

    /// The name of a variable.
    pub fn variable_name(&self, variable: Variable) -> &str {
        self.variables.get(variable.0).map_or("_", |info| &info.name)
    }

    /// The name of an operator.
    pub fn operator_name(&self, operator: Operator) -> &str {
        self.operators.get(operator.0).map_or("_", |info| &info.name)
    }

    /// The names of the input parameters: `α`, or `α_x` where there are several.
    pub fn parameter_names(&self) -> Vec<String> {
        let several = self.inputs().count() > 1;
        self.inputs().map(|(_, info)| if several { format!("α_{}", info.name) } else { "α".to_owned() }).collect()
    }

    /// The sort of a variable.
    pub fn sort(&self, variable: Variable) -> Sort {
        self.declared.declared(variable).sort()
    }
}

/// There is no environment with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no environment `{name}`; {}", choices(.known))]
pub struct UnknownEnvironment {
    name: String,
    known: Vec<String>,
}

fn choices(known: &[String]) -> String {
    if known.is_empty() { "the file declares none".to_owned() } else { format!("there are: {}", known.join(", ")) }
}
