//! Traces as text, for people and for tests.
//!
//! ```text
//! trace running
//! part stdin 0x2 name=stdin
//! region heap 0x5000 0x10 id=1
//! %1 = input i8 part0 0x0 -> 0x47
//! %2 = zext i32 %1 -> 0x47
//! %3 = eq i1 %2 0x47 -> 0x1
//! branch %3 taken site=4
//! pin %2 0x47 size site=5
//! ```
//!
//! One line each, nodes in order from `%1`. A node is its operator, the type of its result, its operands (a number
//! where the operand is concrete) and after the arrow what the program computed. `#` starts a comment. The fields of
//! nodes that are for the runtime alone are not shown.

mod parse;
mod print;

pub use self::parse::{ParseError, parse};
pub use self::print::{Printed, print};

use crate::layout::{EventKind, PartKind, Reason, RegionKind, SizeUse, State};
use crate::op::Op;

/// Values of a type with their names.
type Names<T> = [(T, &'static str)];

fn name_of<T: PartialEq + Copy>(names: &'static Names<T>, value: T) -> &'static str {
    names.iter().find(|(other, _)| *other == value).map_or("unknown", |(_, name)| name)
}

fn value_of<T: Copy>(names: &'static Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(_, other)| *other == name).map(|(value, _)| *value)
}

const STATES: &Names<State> = &[
    (State::Unclaimed, "unclaimed"),
    (State::Running, "running"),
    (State::Ended, "ended"),
    (State::CapReached, "cap-reached"),
    (State::Replaced, "replaced"),
];

const PARTS: &Names<PartKind> = &[
    (PartKind::File, "file"),
    (PartKind::Stdin, "stdin"),
    (PartKind::Buffer, "buffer"),
    (PartKind::Argument, "argument"),
    (PartKind::Variable, "variable"),
    (PartKind::Length, "length"),
    (PartKind::Socket, "socket"),
    (PartKind::String, "string"),
    (PartKind::Folder, "folder"),
];

const REGIONS: &Names<RegionKind> =
    &[(RegionKind::Global, "global"), (RegionKind::Stack, "stack"), (RegionKind::Heap, "heap")];

const EVENTS: &Names<EventKind> = &[
    (EventKind::Branch, "branch"),
    (EventKind::Switch, "switch"),
    (EventKind::Pin, "pin"),
    (EventKind::Read, "read"),
    (EventKind::Write, "write"),
    (EventKind::Loss, "loss"),
    (EventKind::Mismatch, "mismatch"),
    (EventKind::Check, "check"),
    (EventKind::Size, "size"),
    (EventKind::Bounds, "bounds"),
    (EventKind::Target, "target"),
    (EventKind::Loop, "loop"),
    (EventKind::Leave, "leave"),
    (EventKind::Enter, "enter"),
    (EventKind::Exit, "exit"),
    (EventKind::Object, "object"),
];

const SIZE_USES: &Names<SizeUse> = &[
    (SizeUse::Allocation, "allocation"),
    (SizeUse::StackArray, "stack-array"),
    (SizeUse::BlockRead, "block-read"),
    (SizeUse::BlockWrite, "block-write"),
];

const REASONS: &Names<Reason> = &[
    (Reason::None, "none"),
    (Reason::Float, "float"),
    (Reason::Assembly, "assembly"),
    (Reason::Instruction, "instruction"),
    (Reason::UnmodelledCall, "unmodelled-call"),
    (Reason::CallTarget, "call-target"),
    (Reason::Size, "size"),
    (Reason::ModelArgument, "model-argument"),
    (Reason::Atomic, "atomic"),
    (Reason::InputLost, "input-lost"),
    (Reason::Representation, "representation"),
    (Reason::Address, "address"),
    (Reason::Length, "length"),
    (Reason::Amount, "amount"),
    (Reason::Identity, "identity"),
    (Reason::Unit, "unit"),
];

/// The name of a reason, as it stands in the text form.
pub fn reason_name(reason: Reason) -> &'static str {
    name_of(REASONS, reason)
}

/// The name of an operator, as it stands in the text form.
pub fn op_name(op: Op) -> &'static str {
    name_of(OPERATORS, op)
}

const OPERATORS: &Names<Op> = &[
    (Op::Input, "input"),
    (Op::Const, "const"),
    (Op::Concat, "concat"),
    (Op::Bytes, "bytes"),
    (Op::Extract, "extract"),
    (Op::ZExt, "zext"),
    (Op::SExt, "sext"),
    (Op::Ite, "ite"),
    (Op::FShl, "fshl"),
    (Op::Lookup, "lookup"),
    (Op::Add, "add"),
    (Op::Sub, "sub"),
    (Op::Mul, "mul"),
    (Op::UDiv, "udiv"),
    (Op::SDiv, "sdiv"),
    (Op::URem, "urem"),
    (Op::SRem, "srem"),
    (Op::Shl, "shl"),
    (Op::LShr, "lshr"),
    (Op::AShr, "ashr"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Xor, "xor"),
    (Op::Eq, "eq"),
    (Op::Ne, "ne"),
    (Op::Ult, "ult"),
    (Op::Ule, "ule"),
    (Op::Slt, "slt"),
    (Op::Sle, "sle"),
    (Op::SAddO, "saddo"),
    (Op::UAddO, "uaddo"),
    (Op::SSubO, "ssubo"),
    (Op::USubO, "usubo"),
    (Op::SMulO, "smulo"),
    (Op::UMulO, "umulo"),
    (Op::CtPop, "ctpop"),
    (Op::CtLz, "ctlz"),
    (Op::CtTz, "cttz"),
    (Op::BSwap, "bswap"),
    (Op::BitReverse, "bitreverse"),
    (Op::FAdd, "fadd"),
    (Op::FSub, "fsub"),
    (Op::FMul, "fmul"),
    (Op::FDiv, "fdiv"),
    (Op::FEq, "feq"),
    (Op::FLt, "flt"),
    (Op::FLe, "fle"),
    (Op::FSqrt, "fsqrt"),
    (Op::FRound, "fround"),
    (Op::FConvert, "fconvert"),
    (Op::FFromS, "ffroms"),
    (Op::FFromU, "ffromu"),
    (Op::FToS, "ftos"),
];

/// What an operator's operands are, in the order in which the text form has them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `partA IMM`
    Input,
    /// `IMM`
    Constant,
    /// `%a IMM`
    LabelAndImmediate,
    /// `%a`
    Label,
    /// `%condition %a %b`
    Choice,
    /// `%a %b IMM`
    TwoLabelsAndImmediate,
    /// Two operands, of which one may be concrete.
    Pair,
}

fn shape(op: Op) -> Shape {
    match op {
        Op::Input => Shape::Input,
        Op::Const => Shape::Constant,
        Op::Bytes | Op::Extract | Op::FRound => Shape::LabelAndImmediate,
        Op::ZExt | Op::SExt | Op::CtPop | Op::CtLz | Op::CtTz | Op::BSwap | Op::BitReverse => Shape::Label,
        Op::FSqrt | Op::FConvert | Op::FFromS | Op::FFromU | Op::FToS => Shape::Label,
        Op::Ite => Shape::Choice,
        Op::FShl | Op::Lookup => Shape::TwoLabelsAndImmediate,
        _ => Shape::Pair,
    }
}

#[cfg(test)]
mod tests;
