//! Floating-point numbers of 32 and 64 bits; a label stands for the bits of the number. Of other types there are no labels.

use super::{lanewise, pin_operands};
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::{Kind, Opcode, Type, Value};
use llvm_sys::LLVMRealPredicate;
use trace::abi;
use trace::layout::Reason;
use trace::op::{Op, Rounding};
use trace::sites::SiteKind;

/// A scalar with its label.
pub type Scalar = (Label, Value);

/// The type of the lanes of a vector, or the type itself.
fn element(ty: Type) -> Type {
    if ty.kind() == Kind::LLVMVectorTypeKind { ty.lanes().0 } else { ty }
}

/// Whether numbers of the type can have labels.
pub fn is_number(ty: Type) -> bool {
    matches!(element(ty).kind(), Kind::LLVMFloatTypeKind | Kind::LLVMDoubleTypeKind)
}

fn is_integer(ty: Type) -> bool {
    let ty = element(ty);
    ty.kind() == Kind::LLVMIntegerTypeKind && ty.int_width() <= 64
}

/// Whether an instruction is one of floating-point numbers.
pub fn is_float_instruction(instruction: Value) -> bool {
    use Opcode::*;
    matches!(
        instruction.opcode(),
        LLVMFAdd
            | LLVMFSub
            | LLVMFMul
            | LLVMFDiv
            | LLVMFRem
            | LLVMFNeg
            | LLVMFCmp
            | LLVMFPTrunc
            | LLVMFPExt
            | LLVMFPToSI
            | LLVMFPToUI
            | LLVMSIToFP
            | LLVMUIToFP
    )
}

/// Whether the result of such an instruction has a label that is computed here.
pub fn has_rule(instruction: Value) -> bool {
    use Opcode::*;
    let (operand, result) = (instruction.operand(0).ty(), instruction.ty());
    match instruction.opcode() {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg | LLVMFCmp => is_number(operand),
        LLVMFPTrunc | LLVMFPExt => is_number(operand) && is_number(result),
        LLVMFPToSI | LLVMFPToUI => is_number(operand) && is_integer(result),
        LLVMSIToFP | LLVMUIToFP => is_integer(operand) && is_number(result),
        _ => false,
    }
}

/// Whether an instruction of floating-point numbers gives the same result when it is computed again.
pub fn is_repeatable(instruction: Value) -> bool {
    has_rule(instruction) && !instruction.is_inexact()
}

pub fn apply(cold: &mut Cold, instruction: Value) {
    use Opcode::*;
    if !has_rule(instruction) {
        return pin_operands(cold, instruction, Reason::Float);
    }
    match instruction.opcode() {
        LLVMFAdd => binary(cold, instruction, Op::FAdd),
        LLVMFSub => binary(cold, instruction, Op::FSub),
        LLVMFMul => binary(cold, instruction, Op::FMul),
        LLVMFDiv => binary(cold, instruction, Op::FDiv),
        LLVMFNeg => lanewise(cold, instruction, &[instruction.operand(0)], |cold, scalars, result| {
            sign_operation(cold, Op::Xor, scalars[0], result, SIGN)
        }),
        LLVMFCmp => compare(cold, instruction),
        LLVMFPTrunc | LLVMFPExt => convert(cold, instruction, Op::FConvert),
        LLVMSIToFP => convert(cold, instruction, Op::FFromS),
        LLVMUIToFP => convert(cold, instruction, Op::FFromU),
        _ => to_integer(cold, instruction),
    }
}

fn binary(cold: &mut Cold, instruction: Value, op: Op) {
    lanewise(cold, instruction, &[instruction.operand(0), instruction.operand(1)], |cold, scalars, result| {
        pair(cold, instruction, op, scalars[0], scalars[1], result)
    });
}

fn convert(cold: &mut Cold, instruction: Value, op: Op) {
    lanewise(cold, instruction, &[instruction.operand(0)], |cold, scalars, result| {
        unary(cold, instruction, op, 0, scalars[0], result)
    });
}

fn to_integer(cold: &mut Cold, instruction: Value) {
    let is_signed = instruction.opcode() == Opcode::LLVMFPToSI;
    lanewise(cold, instruction, &[instruction.operand(0)], |cold, scalars, result| {
        let (label, number) = scalars[0];
        let label = label?;
        let (from, to) = (shape::scalar_width(number.ty())?, shape::scalar_width(result.ty())?);
        let site = cold.site(instruction, SiteKind::Other);
        let [from, to, is_signed] = [from, to, is_signed.into()].map(|number| cold.cx.label(number));
        let (number, result) = (cold.word(number), cold.word(result));
        Some(cold.when(label, |cold| cold.build(abi::TO_INTEGER, &[label, site, from, to, is_signed, number, result])))
    });
}

/// An operator on two numbers, at an instruction.
fn pair(cold: &mut Cold, at: Value, op: Op, (la, a): Scalar, (lb, b): Scalar, result: Value) -> Label {
    let any = cold.any(&[la, lb])?;
    let width = shape::scalar_width(a.ty())?;
    let words = [a, b, result].map(|value| cold.word(value));
    float(cold, at, op, width, any, [la, lb], words)
}

/// An operator on one number, or one that makes a number; `imm` as in the node.
fn unary(cold: &mut Cold, at: Value, op: Op, imm: u64, (label, operand): Scalar, result: Value) -> Label {
    let any = label?;
    let width = shape::scalar_width(result.ty())?;
    let words = [cold.word(operand), cold.number(imm), cold.word(result)];
    float(cold, at, op, width, any, [label, None], words)
}

fn float(cold: &mut Cold, at: Value, op: Op, width: u32, any: Value, labels: [Label; 2], words: [Value; 3]) -> Label {
    let (code, site) = (cold.coded(op, width), cold.site(at, SiteKind::Other));
    let [a, b, result] = words;
    Some(cold.when(any, |cold| {
        let [la, lb] = labels.map(|label| cold.plain(label));
        cold.build(abi::FLOAT, &[code, site, la, lb, a, b, result])
    }))
}

/// The place of the sign.
const SIGN: fn(u32) -> u64 = |width| 1 << (width - 1);
/// All bits below the sign.
const MAGNITUDE: fn(u32) -> u64 = |width| (1 << (width - 1)) - 1;

/// An operator on the bits of a number and some of its places.
fn sign_operation(cold: &mut Cold, op: Op, operand: Scalar, result: Value, places: fn(u32) -> u64) -> Label {
    let width = shape::scalar_width(operand.1.ty())?;
    let places = cold.cx.module.int(width).constant(places(width));
    cold.binary(op, width, operand, (None, places), result)
}

fn compare(cold: &mut Cold, instruction: Value) {
    let predicate = instruction.real_predicate();
    lanewise(cold, instruction, &[instruction.operand(0), instruction.operand(1)], |cold, scalars, result| {
        comparison(cold, instruction, predicate, scalars[0], scalars[1], result)
    });
}

fn comparison(cold: &mut Cold, at: Value, predicate: LLVMRealPredicate, a: Scalar, b: Scalar, result: Value) -> Label {
    use LLVMRealPredicate::*;
    let opposite = |cold: &mut Cold, predicate| {
        let one = result.ty().constant(1);
        let inner = cold.values().xor(result, one);
        let label = comparison(cold, at, predicate, a, b, inner);
        cold.binary(Op::Xor, 1, (label, inner), (None, one), result)
    };
    match predicate {
        LLVMRealOEQ => pair(cold, at, Op::FEq, a, b, result),
        LLVMRealOLT => pair(cold, at, Op::FLt, a, b, result),
        LLVMRealOLE => pair(cold, at, Op::FLe, a, b, result),
        LLVMRealOGT => pair(cold, at, Op::FLt, b, a, result),
        LLVMRealOGE => pair(cold, at, Op::FLe, b, a, result),
        LLVMRealORD => both(cold, at, (LLVMRealOEQ, a, a), Op::And, (LLVMRealOEQ, b, b), result),
        LLVMRealONE => both(cold, at, (LLVMRealOLT, a, b), Op::Or, (LLVMRealOLT, b, a), result),
        LLVMRealUNE => opposite(cold, LLVMRealOEQ),
        LLVMRealUGE => opposite(cold, LLVMRealOLT),
        LLVMRealUGT => opposite(cold, LLVMRealOLE),
        LLVMRealULE => opposite(cold, LLVMRealOGT),
        LLVMRealULT => opposite(cold, LLVMRealOGE),
        LLVMRealUNO => opposite(cold, LLVMRealORD),
        LLVMRealUEQ => opposite(cold, LLVMRealONE),
        LLVMRealPredicateFalse | LLVMRealPredicateTrue => None,
    }
}

/// A predicate and what it is asked of.
type Question = (LLVMRealPredicate, Scalar, Scalar);

/// Two comparisons that the program does not make, joined to the one that it makes.
fn both(cold: &mut Cold, at: Value, first: Question, op: Op, second: Question, result: Value) -> Label {
    let [first, second] = [first, second].map(|(predicate, a, b)| {
        let holds = cold.values().fcmp(predicate, a.1, b.1);
        (comparison(cold, at, predicate, a, b, holds), holds)
    });
    cold.binary(op, 1, first, second, result)
}

/// Intrinsics of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// The square root.
    Sqrt,
    /// A whole number near by.
    Round(Rounding),
    /// The number without its sign.
    Abs,
    /// The first with the sign of the second.
    CopySign,
    /// The product of the first two and the third added. Where the processor does this at once, and rounding once makes a
    /// difference, the runtime finds that the sum is another one.
    MulAdd,
    /// The smaller one (`true`) or the greater one; the other one if one is no number.
    Choose(bool),
    /// Whether a number is of one of the classes in the second operand.
    Class,
}

impl Intrinsic {
    /// By name, without `llvm.` in front.
    pub fn of(name: &str) -> Option<Intrinsic> {
        let table: &[(&str, Intrinsic)] = &[
            ("sqrt.", Intrinsic::Sqrt),
            ("floor.", Intrinsic::Round(Rounding::Down)),
            ("ceil.", Intrinsic::Round(Rounding::Up)),
            ("trunc.", Intrinsic::Round(Rounding::TowardZero)),
            ("rint.", Intrinsic::Round(Rounding::NearestEven)),
            ("nearbyint.", Intrinsic::Round(Rounding::NearestEven)),
            ("roundeven.", Intrinsic::Round(Rounding::NearestEven)),
            ("round.", Intrinsic::Round(Rounding::NearestAway)),
            ("fabs.", Intrinsic::Abs),
            ("copysign.", Intrinsic::CopySign),
            ("fmuladd.", Intrinsic::MulAdd),
            ("minnum.", Intrinsic::Choose(true)),
            ("maxnum.", Intrinsic::Choose(false)),
            ("is.fpclass.", Intrinsic::Class),
        ];
        let (prefix, found) = table.iter().find(|(prefix, _)| name.starts_with(prefix))?;
        // The type: a number, or a vector of them.
        let ty = name.get(prefix.len()..)?;
        let element = ty.rsplit_once('f').filter(|(before, _)| before.is_empty() || before.starts_with('v'));
        matches!(element, Some((_, "32" | "64"))).then_some(*found)
    }
}

/// The label of one lane of an intrinsic's result.
pub fn intrinsic(cold: &mut Cold, at: Value, which: Intrinsic, operands: &[Scalar], result: Value) -> Label {
    match (which, operands) {
        (Intrinsic::Sqrt, [a, ..]) => unary(cold, at, Op::FSqrt, 0, *a, result),
        (Intrinsic::Round(how), [a, ..]) => unary(cold, at, Op::FRound, how as u64, *a, result),
        (Intrinsic::Abs, [a, ..]) => sign_operation(cold, Op::And, *a, result, MAGNITUDE),
        (Intrinsic::CopySign, [a, b, ..]) => {
            let width = shape::scalar_width(result.ty())?;
            let [magnitude, sign] = [(*a, MAGNITUDE), (*b, SIGN)].map(|(scalar, places)| {
                let bits = cold.integer(scalar.1);
                let part = cold.values().and(bits, bits.ty().constant(places(width)));
                (sign_operation(cold, Op::And, scalar, part, places), part)
            });
            cold.binary(Op::Or, width, magnitude, sign, result)
        }
        (Intrinsic::MulAdd, [a, b, c, ..]) => {
            let product = cold.values().fmul(a.1, b.1);
            let label = pair(cold, at, Op::FMul, *a, *b, product);
            pair(cold, at, Op::FAdd, (label, product), *c, result)
        }
        (Intrinsic::Choose(smaller), [a, b, ..]) => choose(cold, at, smaller, *a, *b, result),
        (Intrinsic::Class, [a, classes, ..]) => class(cold, *a, classes.1.as_constant()?, result),
        _ => None,
    }
}

/// The smaller or the greater one of two numbers.
fn choose(cold: &mut Cold, at: Value, smaller: bool, a: Scalar, b: Scalar, result: Value) -> Label {
    use LLVMRealPredicate::{LLVMRealOLT, LLVMRealUNO};
    let width = shape::scalar_width(result.ty())?;
    let (x, y) = if smaller { (a, b) } else { (b, a) };
    let [less, alone] = [(LLVMRealOLT, x, y), (LLVMRealUNO, b, b)].map(|(predicate, p, q)| {
        let holds = cold.values().fcmp(predicate, p.1, q.1);
        (comparison(cold, at, predicate, p, q, holds), holds)
    });
    let first = cold.values().or(less.1, alone.1);
    let first_label = cold.binary(Op::Or, 1, less, alone, first);
    let picked = cold.values().select(first, a.1, b.1);
    let label = cold.choice(width, (first_label, first), a, b)?;
    // Of two zeros with different signs the processor may take the other one.
    let (picked, found) = (cold.integer(picked), cold.integer(result));
    let is_same = cold.values().eq(picked, found);
    let kept = cold.body.select(is_same, label, cold.cx.label(0));
    let lost = cold.body.select(is_same, cold.cx.label(0), label);
    cold.pin(Some(lost), result, at, Reason::Float);
    Some(kept)
}

/// The intervals of bits, read as integers, that make up a class of numbers: its bit in the operand of the intrinsic, the first one,
/// and how many come behind it. Negative ones have the sign in front.
fn intervals(width: u32, classes: u64) -> Vec<(u64, u64)> {
    let significand = if width == 32 { 23 } else { 52 };
    let sign = 1u64 << (width - 1);
    let (normal, quiet) = (1u64 << significand, 1u64 << (significand - 1));
    let infinity = sign - normal;
    let table = [
        (0, infinity + 1, quiet - 2),
        (0, sign + infinity + 1, quiet - 2),
        (1, infinity + quiet, quiet - 1),
        (1, sign + infinity + quiet, quiet - 1),
        (2, sign + infinity, 0),
        (3, sign + normal, infinity - normal - 1),
        (4, sign + 1, normal - 2),
        (5, sign, 0),
        (6, 0, 0),
        (7, 1, normal - 2),
        (8, normal, infinity - normal - 1),
        (9, infinity, 0),
    ];
    table.into_iter().filter(|(class, ..)| classes >> class & 1 == 1).map(|(_, first, more)| (first, more)).collect()
}

fn class(cold: &mut Cold, number: Scalar, classes: u64, result: Value) -> Label {
    use llvm_sys::LLVMIntPredicate::LLVMIntULE;
    number.0?;
    let width = shape::scalar_width(number.1.ty())?;
    let bits = cold.integer(number.1);
    let ty = bits.ty();
    let truth = result.ty();
    let mut any = (None, truth.constant(0));
    for (first, more) in intervals(width, classes) {
        let (first, more) = (ty.constant(first), ty.constant(more));
        let distance = cold.values().sub(bits, first);
        let distance_label = cold.binary(Op::Sub, width, number, (None, first), distance);
        let is_inside = cold.values().icmp(LLVMIntULE, distance, more);
        let inside = cold.binary(Op::Ule, width, (distance_label, distance), (None, more), is_inside);
        let either = cold.values().or(any.1, is_inside);
        any = (cold.binary(Op::Or, 1, any, (inside, is_inside), either), either);
    }
    any.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_intrinsics() {
        assert_eq!(Intrinsic::of("floor.f64"), Some(Intrinsic::Round(Rounding::Down)));
        assert_eq!(Intrinsic::of("fabs.v4f32"), Some(Intrinsic::Abs));
        assert_eq!(Intrinsic::of("roundeven.f32"), Some(Intrinsic::Round(Rounding::NearestEven)));
        assert_eq!(Intrinsic::of("sqrt.f80"), None);
        assert_eq!(Intrinsic::of("sqrt.bf16"), None);
        assert_eq!(Intrinsic::of("sqrt.f128"), None);
    }

    #[test]
    fn classes_cover_all_bits_once() {
        for (width, classes) in [(32, 0x3ff), (64, 0x3ff)] {
            let mut all = intervals(width, classes);
            all.sort_unstable();
            let mut next = 0u128;
            for (first, more) in all {
                assert_eq!(u128::from(first), next);
                next += u128::from(more) + 1;
            }
            assert_eq!(next, 1 << width);
        }
        let contains = |classes: u64, value: f64| {
            intervals(64, classes).into_iter().any(|(first, more)| value.to_bits().wrapping_sub(first) <= more)
        };
        assert!(contains(0x108, -2.5) && contains(0x108, 1e300) && !contains(0x108, 1e-310));
        assert!(contains(0x3, f64::NAN) && !contains(0x3, f64::INFINITY) && contains(0x200, f64::INFINITY));
    }
}
