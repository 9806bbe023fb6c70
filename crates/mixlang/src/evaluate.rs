//! The big-step semantics: figure 5 of the paper, with an error wherever none of its rules applies.

mod arithmetic;
mod start;
mod value;

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

pub use self::arithmetic::{divide, power};
pub(crate) use self::start::simplest;
pub use self::start::{Start, StartError, run};
pub use self::value::{Closure, Value};
use crate::environment::Environment;
use crate::span::Span;
use crate::syntax::{Binary, Expr, ExprKind, Name, Program, Unary};
use crate::types::Type;

/// How deeply calls may be nested.
const MAX_CALLS: u32 = 2_000;
/// How deeply functions may capture functions.
const MAX_CAPTURES: u32 = 1_000;
/// The longest string, in bytes.
pub(crate) const MAX_STRING: usize = 1 << 20;

/// Why there is no value.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Stuck {
    /// No rule applies: `error` in the paper.
    #[error("{message}")]
    Error {
        /// Where.
        span: Span,
        /// Why.
        message: String,
    },
    /// A budget is used up: steps, nested calls, the length of a string.
    #[error("the program was stopped: it needs too many steps, too many nested calls or too much memory")]
    OutOfBudget,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Fixed(Value),
    /// An assignable variable: its place in [`Machine::slots`].
    Slot(usize),
}

/// Runs programs.
pub struct Machine<'o> {
    /// What the cells hold; a location is an index.
    pub memory: Vec<Value>,
    slots: Vec<Value>,
    steps: u64,
    calls: u32,
    /// Takes all steps away when it becomes true.
    stop: Option<&'o AtomicBool>,
    /// Results of functions that the program does not define.
    oracle: &'o mut dyn FnMut(&Type, &mut Vec<Value>) -> Value,
}

type Evaluated = Result<Value, Stuck>;

fn error(span: Span, message: impl Into<String>) -> Stuck {
    Stuck::Error { span, message: message.into() }
}

impl<'o> Machine<'o> {
    /// A machine that starts with these cells and may take this many steps. `oracle` makes up what undefined functions
    /// return: a value of a type.
    pub fn new(
        memory: Vec<Value>,
        steps: u64,
        oracle: &'o mut dyn FnMut(&Type, &mut Vec<Value>) -> Value,
    ) -> Machine<'o> {
        Machine { memory, slots: Vec::new(), steps, calls: 0, stop: None, oracle }
    }

    /// Stops when the flag becomes true.
    #[must_use]
    pub fn stop_when(self, flag: &'o AtomicBool) -> Machine<'o> {
        Machine { stop: Some(flag), ..self }
    }

    /// Runs a program with values for its externs, in their order.
    pub fn run(&mut self, program: &Program, externs: Vec<Value>) -> Evaluated {
        let bindings = program.externs.iter().map(|external| external.name.clone()).zip(externs);
        self.run_expr(&program.body, bindings.collect(), Vec::new())
    }

    /// Runs an expression with fixed and assignable variables.
    pub(crate) fn run_expr(
        &mut self,
        expr: &Expr,
        fixed: Vec<(Name, Value)>,
        assignable: Vec<(Name, Value)>,
    ) -> Evaluated {
        let mut env: Environment<Binding> =
            fixed.into_iter().map(|(name, value)| (name, Binding::Fixed(value))).collect();
        for (name, value) in assignable {
            env = env.with(name, Binding::Slot(self.slots.len()));
            self.slots.push(value);
        }
        self.eval(expr, &env)
    }

    fn step(&mut self) -> Result<(), Stuck> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.steps = 0;
        }
        self.steps = self.steps.checked_sub(1).ok_or(Stuck::OutOfBudget)?;
        Ok(())
    }

    fn eval(&mut self, expr: &Expr, env: &Environment<Binding>) -> Evaluated {
        self.step()?;
        crate::with_stack(|| self.eval_kind(expr, env))
    }

    fn eval_kind(&mut self, expr: &Expr, env: &Environment<Binding>) -> Evaluated {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Value::of(literal)),
            ExprKind::Variable(name) => match env.get(name) {
                Some(Binding::Fixed(value)) => Ok(value.clone()),
                Some(Binding::Slot(slot)) => self.slots.get(*slot).cloned().ok_or_else(|| unbound(expr.span, name)),
                None => Err(unbound(expr.span, name)),
            },
            ExprKind::Unary(operator, operand) => {
                let value = self.eval(operand, env)?;
                match (operator, value) {
                    (Unary::Neg, Value::Int(number)) => Ok(Value::Int(number.wrapping_neg())),
                    (Unary::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
                    (_, value) => Err(error(
                        operand.span,
                        format!("`{}` applied to {}", operator.symbol().trim(), value.described()),
                    )),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (self.eval(left, env)?, self.eval(right, env)?);
                if let (Value::String(a), Value::String(b)) = (&a, &b)
                    && a.len() + b.len() > MAX_STRING
                {
                    return Err(Stuck::OutOfBudget);
                }
                binary(*operator, &a, &b).ok_or_else(|| {
                    let message = format!("`{}` applied to {} and {}", operator.symbol(), a.described(), b.described());
                    error(expr.span, message)
                })
            }
            ExprKind::If(condition, yes, no) => match self.eval(condition, env)? {
                Value::Bool(true) => self.eval(yes, env),
                Value::Bool(false) => self.eval(no, env),
                other => Err(error(condition.span, format!("the condition is {}", other.described()))),
            },
            ExprKind::Let(name, annotation, value, body) => {
                let bound = self.eval(value, env)?;
                if let Some(ty) = annotation {
                    admit(&bound, ty, value.span)?;
                }
                self.eval(body, &env.with(name.clone(), Binding::Fixed(bound)))
            }
            ExprKind::Var(name, value, body) => {
                let first = self.eval(value, env)?;
                let slot = self.slots.len();
                self.slots.push(first);
                let result = self.eval(body, &env.with(name.clone(), Binding::Slot(slot)));
                self.slots.truncate(slot);
                result
            }
            ExprKind::Set(name, value) => {
                let new = self.eval(value, env)?;
                let Some(Binding::Slot(slot)) = env.get(name) else { return Err(unbound(expr.span, name)) };
                let place = self.slots.get_mut(*slot).ok_or_else(|| unbound(expr.span, name))?;
                *place = new.clone();
                Ok(new)
            }
            ExprKind::Fun(lambda) => {
                let captured = lambda.captured.iter().filter_map(|name| Some((name.clone(), env.get(name)?.clone())));
                let fixed = captured.filter_map(|(name, binding)| match binding {
                    Binding::Fixed(value) => Some((name, value)),
                    Binding::Slot(_) => None,
                });
                let closure = Closure::new(lambda.clone(), fixed.collect());
                if closure.depth > MAX_CAPTURES {
                    Err(Stuck::OutOfBudget)
                } else {
                    Ok(Value::Closure(Rc::new(closure)))
                }
            }
            ExprKind::Apply(function, argument) => {
                let (callee, value) = (self.eval(function, env)?, self.eval(argument, env)?);
                self.apply(callee, value, function.span, argument.span)
            }
            ExprKind::Ref(cell, value) => {
                let first = self.eval(value, env)?;
                if let Some(ty) = cell {
                    admit(&first, ty, value.span)?;
                }
                self.memory.push(first);
                Ok(Value::Location(self.memory.len() - 1))
            }
            ExprKind::Deref(reference) => {
                let place = self.eval(reference, env)?;
                place
                    .location()
                    .and_then(|at| self.memory.get(at))
                    .cloned()
                    .ok_or_else(|| error(reference.span, format!("`!` applied to {}", place.described())))
            }
            ExprKind::Assign(target, value) => {
                let (place, new) = (self.eval(target, env)?, self.eval(value, env)?);
                match place.location().and_then(|at| self.memory.get_mut(at)) {
                    Some(cell) => {
                        *cell = new.clone();
                        Ok(new)
                    }
                    None => Err(error(target.span, format!("`:=` to {}", place.described()))),
                }
            }
            ExprKind::Sequence(parts) => {
                let mut last = Value::Unit;
                for part in parts {
                    last = self.eval(part, env)?;
                }
                Ok(last)
            }
            ExprKind::While(condition, body) => loop {
                match self.eval(condition, env)? {
                    Value::Bool(true) => self.eval(body, env)?,
                    Value::Bool(false) => return Ok(Value::Unit),
                    other => return Err(error(condition.span, format!("the condition is {}", other.described()))),
                };
                self.step()?;
            },
            ExprKind::Ascribe(inner, ty) => {
                let value = self.eval(inner, env)?;
                admit(&value, ty, inner.span)?;
                Ok(value)
            }
            ExprKind::Block(_, inner) => self.eval(inner, env),
        }
    }

    fn apply(&mut self, callee: Value, argument: Value, function_span: Span, argument_span: Span) -> Evaluated {
        match callee {
            Value::Closure(closure) => {
                let lambda = &closure.lambda;
                if let Some(ty) = &lambda.annotation {
                    admit(&argument, ty, argument_span)?;
                }
                if self.calls >= MAX_CALLS {
                    return Err(Stuck::OutOfBudget);
                }
                self.calls += 1;
                let captured =
                    closure.captured.iter().map(|(name, value)| (name.clone(), Binding::Fixed(value.clone())));
                let env = captured.collect::<Environment<Binding>>();
                let result = self.eval(&lambda.body, &env.with(lambda.parameter.clone(), Binding::Fixed(argument)));
                self.calls -= 1;
                result
            }
            Value::Undefined(from, to) => {
                admit(&argument, &from, argument_span)?;
                Ok((self.oracle)(&to, &mut self.memory))
            }
            other => Err(error(function_span, format!("{} is applied to an argument", other.described()))),
        }
    }
}

fn unbound(span: Span, name: &str) -> Stuck {
    error(span, format!("there is no variable `{name}`"))
}

/// Annotations are checked as far as a value shows its type: its kind, and the sign of an integer.
fn admit(value: &Value, ty: &Type, span: Span) -> Result<(), Stuck> {
    if value.shows(ty) { Ok(()) } else { Err(error(span, format!("{} where {ty} is asked for", value.described()))) }
}

fn binary(operator: Binary, a: &Value, b: &Value) -> Option<Value> {
    Some(match (operator, a, b) {
        (Binary::Eq, a, b) => Value::Bool(a.equals(b)?),
        (Binary::Ne, a, b) => Value::Bool(!a.equals(b)?),
        (Binary::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a && *b),
        (Binary::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a || *b),
        (Binary::Join, Value::String(a), Value::String(b)) => Value::String(format!("{a}{b}").into()),
        (_, Value::Int(a), Value::Int(b)) => match operator {
            Binary::Add => Value::Int(a.wrapping_add(*b)),
            Binary::Sub => Value::Int(a.wrapping_sub(*b)),
            Binary::Mul => Value::Int(a.wrapping_mul(*b)),
            Binary::Div => Value::Int(divide(*a, *b)),
            Binary::Pow => Value::Int(power(*a, *b)),
            Binary::Lt => Value::Bool(a < b),
            Binary::Le => Value::Bool(a <= b),
            Binary::Gt => Value::Bool(a > b),
            Binary::Ge => Value::Bool(a >= b),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
