//! Values, and what the primitive operations do to them.

use std::fmt;

use num_bigint::BigInt;
use num_traits::Zero;
use thiserror::Error;

/// What a value is: the paper's two base types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A mathematical integer.
    Int,
    /// `true` or `false`.
    Bool,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Int => "Int",
            Sort::Bool => "Bool",
        })
    }
}

/// A value *v*.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// An integer of any size.
    Int(BigInt),
    /// A truth value.
    Bool(bool),
}

impl Value {
    /// What it is.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Int(_) => Sort::Int,
            Value::Bool(_) => Sort::Bool,
        }
    }

    /// `0` or `false`.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Bool => Value::Bool(false),
        }
    }

    /// The truth value, if it is one.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            Value::Int(_) => None,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number.into())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(truth) => write!(f, "{truth}"),
        }
    }
}

/// Why an operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum NoValue {
    /// A partial operation outside its domain: a division by 0.
    #[error("division by 0")]
    Undefined,
    /// A number with more than [`LARGEST_BITS`] bits. A limit of this tool, not a property of the program.
    #[error("a number with more than {LARGEST_BITS} bits")]
    TooLarge,
}

/// Squaring a number forty times gives one that no memory holds. Programs that are checked for anything stay far below
/// this; the value is not critical.
pub const LARGEST_BITS: u64 = 1 << 16;

/// An operation on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// `-a`
    Negate,
    /// `!a`
    Not,
}

/// An operation on two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, rounded towards 0 as in C.
    Divide,
    /// `a % b`, with the sign of `a` as in C.
    Remainder,
    /// `a == b`, of either sort.
    Equal,
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a && b`; `b` is not looked at if `a` is false.
    And,
    /// `a || b`; `b` is not looked at if `a` is true.
    Or,
}

impl Unary {
    /// The sort of the operand, which is that of the result.
    pub fn sort(self) -> Sort {
        match self {
            Unary::Negate => Sort::Int,
            Unary::Not => Sort::Bool,
        }
    }

    /// Applies it.
    pub fn apply(self, operand: Result<&Value, NoValue>) -> Result<Value, NoValue> {
        Ok(match (self, operand?) {
            (Unary::Negate, Value::Int(number)) => Value::Int(-number),
            (Unary::Not, Value::Bool(truth)) => Value::Bool(!truth),
            _ => return Err(NoValue::Undefined),
        })
    }
}

impl Binary {
    /// The sort of the operands; equality takes either.
    pub fn operands(self) -> Option<Sort> {
        match self {
            Binary::Equal => None,
            Binary::And | Binary::Or => Some(Sort::Bool),
            _ => Some(Sort::Int),
        }
    }

    /// The sort of the result.
    pub fn result(self) -> Sort {
        match self {
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => Sort::Int,
            _ => Sort::Bool,
        }
    }

    /// Applies it. An operand without a value makes the result have none, unless it is not looked at.
    pub fn apply(self, left: Result<&Value, NoValue>, right: Result<&Value, NoValue>) -> Result<Value, NoValue> {
        let left = left?;
        match (self, left) {
            (Binary::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (Binary::Or, Value::Bool(true)) => return Ok(Value::Bool(true)),
            _ => {}
        }
        let right = right?;
        Ok(match (self, left, right) {
            (Binary::And | Binary::Or, _, Value::Bool(right)) => Value::Bool(*right),
            (Binary::Equal, left, right) => Value::Bool(left == right),
            (_, Value::Int(left), Value::Int(right)) => return self.integers(left, right),
            _ => return Err(NoValue::Undefined),
        })
    }

    fn integers(self, left: &BigInt, right: &BigInt) -> Result<Value, NoValue> {
        let number = match self {
            Binary::Less => return Ok(Value::Bool(left < right)),
            Binary::LessOrEqual => return Ok(Value::Bool(left <= right)),
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply if left.bits() + right.bits() > LARGEST_BITS => return Err(NoValue::TooLarge),
            Binary::Multiply => left * right,
            Binary::Divide | Binary::Remainder if right.is_zero() => return Err(NoValue::Undefined),
            Binary::Divide => left / right,
            Binary::Remainder => left % right,
            Binary::Equal | Binary::And | Binary::Or => return Err(NoValue::Undefined),
        };
        if number.bits() > LARGEST_BITS { Err(NoValue::TooLarge) } else { Ok(Value::Int(number)) }
    }
}

/// `if condition then yes else no`; only one of the two is looked at.
pub(crate) fn choose<'a>(
    condition: Result<&Value, NoValue>,
    yes: Result<&'a Value, NoValue>,
    no: Result<&'a Value, NoValue>,
) -> Result<Value, NoValue> {
    match condition?.truth() {
        Some(true) => yes.cloned(),
        Some(false) => no.cloned(),
        None => Err(NoValue::Undefined),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operation: Binary, left: i64, right: i64) -> Result<Value, NoValue> {
        operation.apply(Ok(&left.into()), Ok(&right.into()))
    }

    #[test]
    fn division_rounds_as_in_c() {
        assert_eq!(apply(Binary::Divide, -7, 2), Ok((-3).into()));
        assert_eq!(apply(Binary::Remainder, -7, 2), Ok((-1).into()));
        assert_eq!(apply(Binary::Divide, 7, -2), Ok((-3).into()));
        assert_eq!(apply(Binary::Remainder, 7, -2), Ok(1.into()));
        assert_eq!(apply(Binary::Divide, 7, 0), Err(NoValue::Undefined));
    }

    #[test]
    fn conjunction_does_not_look_at_what_it_does_not_need() {
        let nothing = Err(NoValue::Undefined);
        assert_eq!(Binary::And.apply(Ok(&false.into()), nothing), Ok(false.into()));
        assert_eq!(Binary::Or.apply(Ok(&true.into()), nothing), Ok(true.into()));
        assert_eq!(Binary::And.apply(Ok(&true.into()), nothing), Err(NoValue::Undefined));
    }

    #[test]
    fn numbers_do_not_grow_without_bound() {
        let mut number = Value::from(3);
        let result = (0..64).try_for_each(|_| {
            number = Binary::Multiply.apply(Ok(&number), Ok(&number))?;
            Ok(())
        });
        assert_eq!(result, Err(NoValue::TooLarge));
    }
}
