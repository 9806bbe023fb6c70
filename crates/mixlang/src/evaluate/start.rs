//! Values for what a program does not define.

use std::sync::atomic::AtomicBool;
use thiserror::Error;

use crate::evaluate::Value;
use crate::syntax::Program;
use crate::types::{Sign, Type};

/// A value that cannot be given to an extern.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartError {
    /// There is no such extern.
    #[error("the program has no extern `{0}`")]
    NoSuchExtern(String),
    /// The text is no value of the extern's type.
    #[error("`{text}` is no value for `{name}`, which is {ty}")]
    WrongValue {
        /// The extern.
        name: String,
        /// Its type.
        ty: String,
        /// What was given.
        text: String,
    },
}

/// The state in which a program starts: a value for each extern, in their order, and the cells that they refer to.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Values of the externs.
    pub externs: Vec<Value>,
    /// What the cells hold.
    pub memory: Vec<Value>,
}

impl Start {
    /// The state with these values, given as names and texts; others get the simplest value of their type. A reference is
    /// given what its cell holds.
    pub fn new(program: &Program, given: &[(String, String)]) -> Result<Start, StartError> {
        if let Some((name, _)) =
            given.iter().find(|(name, _)| !program.externs.iter().any(|external| *external.name == **name))
        {
            return Err(StartError::NoSuchExtern(name.clone()));
        }
        let mut start = Start::default();
        for external in &program.externs {
            let text = given.iter().rev().find(|(name, _)| **name == *external.name).map(|(_, text)| text);
            let value = match text {
                None => simplest(&external.ty, &mut start.memory),
                Some(text) => read(&external.ty, text, &mut start.memory).ok_or_else(|| StartError::WrongValue {
                    name: external.name.to_string(),
                    ty: external.ty.to_string(),
                    text: text.clone(),
                })?,
            };
            start.externs.push(value);
        }
        Ok(start)
    }
}

fn read(ty: &Type, text: &str, memory: &mut Vec<Value>) -> Option<Value> {
    let value = match ty {
        Type::Int(_) => Value::Int(text.trim().parse().ok()?),
        Type::Bool => Value::Bool(text.trim().parse().ok()?),
        Type::Float => Value::Float(text.trim().parse().ok()?),
        Type::String => Value::String(text.into()),
        Type::Unit if text.trim() == "()" => Value::Unit,
        Type::Ref(cell) => {
            let held = crate::with_stack(|| read(cell, text, memory))?;
            memory.push(held);
            Value::Location(memory.len() - 1)
        }
        Type::Unit | Type::Fun(..) | Type::Code(_) => return None,
    };
    value.shows(ty).then_some(value)
}

/// The simplest value of a type; a function without a type has none, and `()` stands in.
pub(crate) fn simplest(ty: &Type, memory: &mut Vec<Value>) -> Value {
    match ty {
        Type::Int(sign) => Value::Int(match sign {
            Sign::Pos => 1,
            Sign::Neg => -1,
            Sign::Zero | Sign::Unknown => 0,
        }),
        Type::Bool => Value::Bool(false),
        Type::String => Value::String("".into()),
        Type::Float => Value::Float(0.0),
        Type::Unit | Type::Code(_) => Value::Unit,
        Type::Fun(from, to) => Value::Undefined(from.clone(), to.clone()),
        Type::Ref(cell) => {
            let held = crate::with_stack(|| simplest(cell, memory));
            memory.push(held);
            Value::Location(memory.len() - 1)
        }
    }
}

/// Runs a program from a state, for some steps at most and until `stop` becomes true. Functions that it does not define return the simplest value of
/// their type.
pub fn run(program: &Program, start: Start, steps: u64, stop: &AtomicBool) -> Result<Value, super::Stuck> {
    let mut oracle = |ty: &Type, memory: &mut Vec<Value>| simplest(ty, memory);
    super::Machine::new(start.memory, steps, &mut oracle).stop_when(stop).run(program, start.externs)
}
