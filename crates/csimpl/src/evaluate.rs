//! Concrete evaluation (Figure 4).

use crate::program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Program, Variable};
use crate::rules::Rules;
use crate::term::Term;
use crate::types::Type;
use crate::value::{NoValue, Value};

/// A concrete store Δ: the values of variables and the denotations of operators.
#[derive(Clone, Debug)]
pub struct Store<'a> {
    /// The values of the variables, by position.
    pub values: Vec<Value>,
    /// What the operators compute, by position.
    pub operators: &'a [Term],
}

impl Store<'_> {
    /// Δ(*x*).
    pub fn value(&self, variable: Variable) -> Result<&Value, NoValue> {
        self.values.get(variable.0).ok_or(NoValue::Undefined)
    }

    /// Δ ⊢ *o* → *v*.
    pub(crate) fn operand(&self, operand: &Operand) -> Result<Value, NoValue> {
        match operand {
            Operand::Value(value) => Ok(value.clone()),
            Operand::Variable(variable) => self.value(*variable).cloned(),
        }
    }

    /// Δ ⊢ *e* → *v*.
    pub fn evaluate(&self, expression: &Expression) -> Result<Value, NoValue> {
        match &expression.kind {
            ExpressionKind::Operand(operand) => self.operand(operand),
            ExpressionKind::Apply(operator, operands) => {
                let arguments: Result<Vec<Value>, NoValue> =
                    operands.iter().map(|(operand, _)| self.operand(operand)).collect();
                self.operators.get(operator.0).ok_or(NoValue::Undefined)?.evaluate(&arguments?)
            }
        }
    }

    pub(crate) fn set(&mut self, variable: Variable, value: Value) {
        if let Some(there) = self.values.get_mut(variable.0) {
            *there = value;
        }
    }
}

/// Which cast of a command it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastPlace {
    /// That of a variable, in the cast set.
    Variable(Variable),
    /// That of the assigned value.
    Assigned,
}

/// What a command does next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// It goes on with another command.
    Next(CommandId),
    /// It is `stop`.
    Stopped,
    /// It contains a failed cast.
    Failed(CastPlace),
    /// No rule applies, and it is no failed cast either.
    Stuck(NoValue),
}

/// One step ⟨*C*, Δ⟩ → ⟨*C'*, Δ'⟩.
pub(crate) fn step(rules: &dyn Rules, program: &Program, at: CommandId, store: &mut Store<'_>) -> Step {
    match try_step(rules, program, at, store) {
        Ok(step) => step,
        Err(error) => Step::Stuck(error),
    }
}

fn try_step(rules: &dyn Rules, program: &Program, at: CommandId, store: &mut Store<'_>) -> Result<Step, NoValue> {
    match program.command(at) {
        Command::Stop => Ok(Step::Stopped),
        Command::Assign { casts, target, cast, expression, next } => {
            if let Some(variable) = first_failed(rules, casts, store)? {
                return Ok(Step::Failed(CastPlace::Variable(variable)));
            }
            let value = store.evaluate(expression)?;
            match rules.cast(&value, cast)? {
                Some(value) => store.set(*target, value),
                None => return Ok(Step::Failed(CastPlace::Assigned)),
            }
            Ok(Step::Next(*next))
        }
        Command::If { casts, condition, yes, no } => {
            if let Some(variable) = first_failed(rules, casts, store)? {
                return Ok(Step::Failed(CastPlace::Variable(variable)));
            }
            match store.evaluate(condition)?.truth() {
                Some(true) => Ok(Step::Next(*yes)),
                Some(false) => Ok(Step::Next(*no)),
                None => Err(NoValue::Undefined),
            }
        }
    }
}

/// Δ ⊢ *G*, or the first variable of which it does not hold.
fn first_failed(rules: &dyn Rules, casts: &CastSet, store: &Store<'_>) -> Result<Option<Variable>, NoValue> {
    for (variable, cast) in casts.iter() {
        if !passes(rules, store.value(variable)?, cast)? {
            return Ok(Some(variable));
        }
    }
    Ok(None)
}

fn passes(rules: &dyn Rules, value: &Value, cast: &Type) -> Result<bool, NoValue> {
    Ok(rules.cast(value, cast)?.is_some())
}
