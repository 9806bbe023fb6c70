//! Concrete values.

use core::fmt;
use std::rc::Rc;

use crate::syntax::{Lambda, Literal, Name};
use crate::types::Type;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A text.
    String(Rc<str>),
    /// A floating-point number.
    Float(f64),
    /// `()`.
    Unit,
    /// A cell.
    Location(usize),
    /// A function of the program.
    Closure(Rc<Closure>),
    /// A function that the program does not define: what it takes and gives.
    Undefined(Rc<Type>, Rc<Type>),
}

/// A function together with the values of the variables that it mentions.
#[derive(Debug)]
pub struct Closure {
    /// The function.
    pub lambda: Rc<Lambda>,
    /// The variables.
    pub captured: Vec<(Name, Value)>,
    /// How many functions are captured inside each other, this one included.
    pub(crate) depth: u32,
}

impl Closure {
    pub(crate) fn new(lambda: Rc<Lambda>, captured: Vec<(Name, Value)>) -> Closure {
        let depths = captured.iter().map(|(_, value)| match value {
            Value::Closure(inner) => inner.depth,
            _ => 0,
        });
        let depth = 1 + depths.max().unwrap_or(0);
        Closure { lambda, captured, depth }
    }
}

impl Value {
    pub(crate) fn of(literal: &Literal) -> Value {
        match literal {
            Literal::Int(number) => Value::Int(*number),
            Literal::Bool(value) => Value::Bool(*value),
            Literal::String(text) => Value::String(text.clone()),
            Literal::Float(number) => Value::Float(*number),
            Literal::Unit => Value::Unit,
        }
    }

    pub(crate) fn location(&self) -> Option<usize> {
        match self {
            Value::Location(at) => Some(*at),
            _ => None,
        }
    }

    /// What kind of value it is, for messages.
    pub fn described(&self) -> &'static str {
        match self {
            Value::Int(_) => "an integer",
            Value::Bool(_) => "a boolean",
            Value::String(_) => "a string",
            Value::Float(_) => "a float",
            Value::Unit => "()",
            Value::Location(_) => "a reference",
            Value::Closure(_) | Value::Undefined(..) => "a function",
        }
    }

    /// Whether two values of one kind are equal; values of different kinds and functions cannot be compared.
    pub(crate) fn equals(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Some(a == b),
            (Value::Bool(a), Value::Bool(b)) => Some(a == b),
            (Value::String(a), Value::String(b)) => Some(a == b),
            (Value::Float(a), Value::Float(b)) => Some(a.to_bits() == b.to_bits()),
            (Value::Unit, Value::Unit) => Some(true),
            (Value::Location(a), Value::Location(b)) => Some(a == b),
            _ => None,
        }
    }

    /// Whether the value looks like one of the type: its kind, and the sign of an integer.
    pub(crate) fn shows(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Int(number), Type::Int(sign)) => sign.admits(*number),
            (Value::Bool(_), Type::Bool)
            | (Value::String(_), Type::String)
            | (Value::Float(_), Type::Float)
            | (Value::Unit, Type::Unit)
            | (Value::Location(_), Type::Ref(_)) => true,
            (Value::Closure(_) | Value::Undefined(..), ty) => ty.is_function(),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::String(text) => write!(f, "{}", Literal::String(text.clone())),
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Unit => write!(f, "()"),
            Value::Location(at) => write!(f, "cell {at}"),
            Value::Closure(_) | Value::Undefined(..) => write!(f, "a function"),
        }
    }
}
