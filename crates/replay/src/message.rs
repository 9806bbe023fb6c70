//! What happened, for people.

use trace::rule::Rule;
use trace::sites::{Check, CheckSubject, FloatType, IntegerType};

use crate::outcome::{Access, Frame};
use crate::sanitizer::{Classified, Side};

/// A value as its type shows it. Values come as 64 bits.
fn value(bits: u64, ty: &IntegerType) -> i128 {
    let width = ty.width.clamp(1, 64);
    let unused = 64 - width;
    if ty.signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits << unused >> unused) }
}

/// Whether an operand of a check is below zero.
pub(crate) fn is_negative(bits: u64, ty: &IntegerType) -> bool {
    value(bits, ty) < 0
}

/// Which rule the failure of a check violates: that arithmetic leaves its type above or below is known only then.
pub(crate) fn rule(check: &Check, a: u64, b: u64) -> Rule {
    if !matches!(check.rule, Rule::IntegerOverflow | Rule::IntegerUnderflow) {
        return check.rule;
    }
    let is_below = match &check.subject {
        CheckSubject::Arithmetic(operator, ty) => {
            let (a, b) = (value(a, ty), value(b, ty));
            match operator {
                '+' => a < 0 && b < 0,
                '-' => a < b,
                '*' => (a < 0) != (b < 0),
                _ => false,
            }
        }
        CheckSubject::Negation(ty) => !ty.signed,
        _ => return check.rule,
    };
    if is_below { Rule::IntegerUnderflow } else { Rule::IntegerOverflow }
}

/// What it means that a check failed with these operands.
pub(crate) fn of_check(check: &Check, a: u64, b: u64) -> String {
    let kind = |ty: &IntegerType| if ty.signed { "signed" } else { "unsigned" };
    let direction = if rule(check, a, b) == Rule::IntegerUnderflow { "underflow" } else { "overflow" };
    match &check.subject {
        CheckSubject::Arithmetic('/', ty) if value(b, ty) == 0 => format!("division by zero: {} / 0", value(a, ty)),
        CheckSubject::Arithmetic(operator, ty) => format!(
            "{} integer {direction}: {} {operator} {} cannot be represented in type '{}'",
            kind(ty),
            value(a, ty),
            value(b, ty),
            ty.name
        ),
        CheckSubject::Negation(ty) => {
            format!("{} integer {direction}: -({}) cannot be represented in type '{}'", kind(ty), value(a, ty), ty.name)
        }
        CheckSubject::Shift(shifted, amount) => match value(b, amount) {
            negative if negative < 0 => format!("shift by a negative amount, {negative}"),
            large => format!("shift by {large} is too much for the {}-bit type '{}'", shifted.width, shifted.name),
        },
        CheckSubject::Conversion(from, to) => format!(
            "conversion from '{}' to '{}' changed the value from {} to {}",
            from.name,
            to.name,
            value(a, from),
            value(b, to)
        ),
        CheckSubject::FloatCast(from, to) => {
            format!("conversion of {} from '{}' to '{}', which cannot hold it", number(a, from), from.name, to.name)
        }
        CheckSubject::Index(array, ty, is_written) => {
            let what = if *is_written { ", which is written to" } else { "" };
            format!("index {} out of bounds for type '{array}'{what}", value(a, ty))
        }
        CheckSubject::ArrayLength(ty) => format!("a variable-length array of {} elements", value(a, ty)),
        CheckSubject::Argument(number) => format!("null passed as argument {number}, which must not be null"),
        CheckSubject::Result => "null returned by a function that is declared never to return null".to_owned(),
        CheckSubject::Pointer => format!("pointer arithmetic that leaves the object: {a:#x} became {b:#x}"),
        CheckSubject::Member => {
            format!("{a} bytes are written to an array of {b}, and go on behind it in the same object")
        }
        CheckSubject::Copy => format!("a block is copied to {a:#x} from {b:#x}, and overlaps itself"),
        CheckSubject::Unreachable => "code was reached that the program says is never reached".to_owned(),
        CheckSubject::Precondition(name, condition) => {
            format!("the precondition '{condition}' of {name} does not hold")
        }
        CheckSubject::Refinement(name, condition) => {
            let value = i128::from(b as i64) << 64 | i128::from(a);
            format!("the refinement '{condition}' of {name} does not hold: it is {value}")
        }
    }
}

/// A floating-point number as people write it. Wide ones do not come with their bits.
fn number(bits: u64, ty: &FloatType) -> String {
    match ty.width {
        32 => format!("{:?}", f32::from_bits(bits as u32)),
        64 => format!("{:?}", f64::from_bits(bits)),
        _ => "a number".to_owned(),
    }
}

/// What it means that an assertion failed.
pub(crate) fn of_assertion(condition: &str) -> String {
    format!("assertion failed: {condition}")
}

/// What it means that a format takes more than it is given.
pub(crate) fn of_format(format: &str, taken: u64, given: u64) -> String {
    if taken > given {
        format!("the format {format:?} takes {taken} {}, {given} given", plural(taken, "argument"))
    } else {
        format!("the format {format:?}, which is no constant, writes to memory (%n)")
    }
}

/// What it means that an allocator is asked for that much.
pub(crate) fn of_allocation(size: u64) -> String {
    format!("allocation of {size} bytes or elements, which is {} as a number with a sign", size as i64)
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// What it means that AddressSanitizer found something.
pub(crate) fn of_found(found: &Classified, within: Option<&str>, allocated: &[Frame], freed: &[Frame]) -> String {
    let mut text = match (found.signal.as_str(), found.rule) {
        ("FPE", _) => return "division by zero, or a quotient that does not fit its type".to_owned(),
        ("ILL" | "TRAP", _) => return "the program reached a trap".to_owned(),
        ("ABRT", Rule::StringOverflow) => return "the C library found that a buffer overflows".to_owned(),
        ("ABRT", Rule::StackSmash) => return "the stack was smashed".to_owned(),
        ("ABRT", _) => return "the program was aborted".to_owned(),
        (_, Rule::NullDeref) => "null pointer".to_owned(),
        (_, Rule::InvalidFree) if !found.signal.is_empty() => "free of what is no block".to_owned(),
        (_, Rule::StackOverflow) => return "the stack is used up".to_owned(),
        (_, Rule::GlobalBufferOverflow) if found.wild => "memory that cannot be written".to_owned(),
        _ if found.wild => "an address far from everything".to_owned(),
        _ => found.description.to_owned(),
    };
    if let Some(access) = &found.access {
        text.push_str(": ");
        text.push_str(&match (found.is_looked_up, access.address) {
            (true, Some(address)) => format!("access at address {address:#x}"),
            _ => of_access(access),
        });
    }
    let (target, distance) = (&found.target, found.target.distance);
    match target.side {
        Some(Side::Behind) if distance == 0 => text.push_str(&format!(", right behind the end of {}", target.name)),
        Some(Side::Behind) => {
            text.push_str(&format!(", {distance} {} behind the end of {}", plural(distance, "byte"), target.name));
        }
        Some(Side::Before) => {
            text.push_str(&format!(", {distance} {} before the start of {}", plural(distance, "byte"), target.name));
        }
        Some(Side::Inside) => text.push_str(&format!(", inside {} at offset {distance}", target.name)),
        None => {}
    }
    for (what, stack) in [("allocated", allocated), ("freed", freed)] {
        if let Some(frame) = stack.iter().find(|frame| !frame.position.file.is_empty()) {
            text.push_str(&format!(" {what} at {}:{}", frame.position.file, frame.position.line));
        }
    }
    if let Some(function) = within {
        text.push_str(&format!(", in {function}"));
    }
    text
}

fn of_access(access: &Access) -> String {
    let mut text = if access.is_write { "write" } else { "read" }.to_owned();
    if access.size > 0 {
        text.push_str(&format!(" of {} {}", access.size, plural(access.size, "byte")));
    } else if let Some(address) = access.address {
        text.push_str(&format!(" at address {address:#x}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trace::sites::Position;

    fn integer(name: &str, width: u32, signed: bool) -> IntegerType {
        IntegerType { name: name.to_owned(), width, signed }
    }

    fn check(rule: Rule, subject: CheckSubject) -> Check {
        Check { rule, subject, position: Position::default(), often_meant: false }
    }

    #[test]
    fn messages_have_the_values() {
        let int = || integer("int", 32, true);
        let add = check(Rule::IntegerOverflow, CheckSubject::Arithmetic('+', int()));
        let text = of_check(&add, 0x7fff_ffff, 1);
        assert_eq!(text, "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'");
        let sub = check(Rule::IntegerOverflow, CheckSubject::Arithmetic('-', int()));
        let text = of_check(&sub, 0x8000_0000, 1);
        assert_eq!(text, "signed integer underflow: -2147483648 - 1 cannot be represented in type 'int'");
        let index = |is_written| {
            of_check(&check(Rule::ArrayIndex, CheckSubject::Index("char[8]".into(), int(), is_written)), 12, 0)
        };
        assert_eq!(index(false), "index 12 out of bounds for type 'char[8]'");
        assert_eq!(index(true), "index 12 out of bounds for type 'char[8]', which is written to");
        let shift = check(Rule::Shift, CheckSubject::Shift(int(), int()));
        assert_eq!(of_check(&shift, 1, 0xffff_ffff), "shift by a negative amount, -1");
        let div = check(Rule::DivByZero, CheckSubject::Arithmetic('/', int()));
        assert_eq!(of_check(&div, 7, 0), "division by zero: 7 / 0");
        let cast = |width| CheckSubject::FloatCast(FloatType { name: "float".into(), width }, int());
        let text = |width, bits| of_check(&check(Rule::FloatCast, cast(width)), bits, 0);
        assert_eq!(text(32, 0x4f00_0000), "conversion of 2147483600.0 from 'float' to 'int', which cannot hold it");
        assert_eq!(text(64, f64::NAN.to_bits()), "conversion of NaN from 'float' to 'int', which cannot hold it");
        let refined = check(Rule::Refinement, CheckSubject::Refinement("x".into(), "x < 5".into()));
        let text = |a, b| of_check(&refined, a, b);
        assert_eq!(text(u64::MAX, 0), "the refinement 'x < 5' of x does not hold: it is 18446744073709551615");
        assert_eq!(text(u64::MAX, u64::MAX), "the refinement 'x < 5' of x does not hold: it is -1");
    }

    proptest! {
        /// Against arithmetic that does not overflow.
        #[test]
        fn the_direction_is_that_of_the_true_result(a: i64, b: i64, operator in prop::sample::select(vec!['+', '-', '*'])) {
            let ty = integer("long", 64, true);
            let (wide_a, wide_b) = (i128::from(a), i128::from(b));
            let result = match operator {
                '+' => wide_a + wide_b,
                '-' => wide_a - wide_b,
                _ => wide_a * wide_b,
            };
            let check = check(Rule::IntegerOverflow, CheckSubject::Arithmetic(operator, ty));
            if result > i128::from(i64::MAX) {
                prop_assert_eq!(rule(&check, a as u64, b as u64), Rule::IntegerOverflow);
            } else if result < i128::from(i64::MIN) {
                prop_assert_eq!(rule(&check, a as u64, b as u64), Rule::IntegerUnderflow);
            }
        }
    }
}
