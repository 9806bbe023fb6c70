//! What the calls of the sanitizer's handlers say: which check it is, and of which types.

use super::written::is_written;
use llvm::Value;
use trace::sites::{CheckSubject, FloatType, IntegerType};

/// Handlers of checks, with and without the ending of those that do not return.
pub enum Handler {
    Arithmetic(char),
    Negation,
    Shift,
    Conversion,
    FloatCast,
    Index,
    ArrayLength,
    Argument,
    Result,
    Pointer,
    Unreachable,
}

/// `TypeDescriptor::TK_Integer` of the sanitizer's interface.
const INTEGER_TYPE: u64 = 0;
/// `TypeDescriptor::TK_Float`.
const FLOAT_TYPE: u64 = 1;

impl Handler {
    /// The handler with this symbol.
    pub fn named(symbol: &str) -> Option<Handler> {
        let name = symbol.strip_prefix("__ubsan_handle_")?;
        let name = name.strip_suffix("_abort").unwrap_or(name);
        Some(match name {
            "add_overflow" => Handler::Arithmetic('+'),
            "sub_overflow" => Handler::Arithmetic('-'),
            "mul_overflow" => Handler::Arithmetic('*'),
            "divrem_overflow" => Handler::Arithmetic('/'),
            "negate_overflow" => Handler::Negation,
            "shift_out_of_bounds" => Handler::Shift,
            "implicit_conversion" => Handler::Conversion,
            "float_cast_overflow" => Handler::FloatCast,
            "out_of_bounds" => Handler::Index,
            "vla_bound_not_positive" => Handler::ArrayLength,
            "nonnull_arg" | "nullability_arg" => Handler::Argument,
            "nonnull_return_v1" | "nullability_return_v1" => Handler::Result,
            "pointer_overflow" => Handler::Pointer,
            "builtin_unreachable" => Handler::Unreachable,
            _ => return None,
        })
    }

    /// What the call of a handler is about. The first argument is a record with the place in the source, then the types.
    pub fn subject(&self, call: Value) -> Option<CheckSubject> {
        let record = call.arguments().first().copied().and_then(Value::initializer);
        let field = |index: u32| record.filter(|r| r.operand_count() > index).map(|r| r.operand(index));
        let integer = |index: u32| field(index).and_then(integer_type);
        Some(match self {
            Handler::Arithmetic(operator) => CheckSubject::Arithmetic(*operator, integer(1)?),
            Handler::Negation => CheckSubject::Negation(integer(1)?),
            Handler::Shift => CheckSubject::Shift(integer(1)?, integer(2)?),
            Handler::Conversion => CheckSubject::Conversion(integer(1)?, integer(2)?),
            Handler::FloatCast => CheckSubject::FloatCast(field(1).and_then(float_type)?, integer(2)?),
            Handler::Index => CheckSubject::Index(field(1).and_then(type_name)?, integer(2)?, is_written(call)),
            Handler::ArrayLength => CheckSubject::ArrayLength(integer(1)?),
            Handler::Argument => CheckSubject::Argument(field(2).and_then(Value::as_constant)? as u32),
            Handler::Result => CheckSubject::Result,
            Handler::Pointer => CheckSubject::Pointer,
            Handler::Unreachable => CheckSubject::Unreachable,
        })
    }
}

/// A type descriptor: its kind, its width and sign in one number, its name.
fn integer_type(descriptor: Value) -> Option<IntegerType> {
    let record = descriptor.initializer()?;
    if record.operand_count() < 3 || record.operand(0).as_constant() != Some(INTEGER_TYPE) {
        return None;
    }
    let coded = record.operand(1).as_constant()?;
    let width = 1u32.checked_shl(u32::try_from(coded >> 1).ok()?)?;
    Some(IntegerType { name: type_name(descriptor)?, width, signed: coded & 1 == 1 })
}

/// The same for a floating-point type, whose number is its width.
fn float_type(descriptor: Value) -> Option<FloatType> {
    let record = descriptor.initializer()?;
    if record.operand_count() < 3 || record.operand(0).as_constant() != Some(FLOAT_TYPE) {
        return None;
    }
    let width = u32::try_from(record.operand(1).as_constant()?).ok()?;
    Some(FloatType { name: type_name(descriptor)?, width })
}

/// `'size_t' (aka 'unsigned long')` is a `size_t`.
fn type_name(descriptor: Value) -> Option<String> {
    let record = descriptor.initializer().filter(|record| record.operand_count() > 2)?;
    let text = record.operand(2).as_text()?;
    let text = text.trim_end_matches('\0');
    let quoted = text.split('\'').nth(1);
    Some(quoted.unwrap_or(text).to_owned())
}
