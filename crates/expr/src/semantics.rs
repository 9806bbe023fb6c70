//! What operators mean, on values. Independent of the simplifier: tests and the self-check compare against this.

use trace::op::Op;

use crate::bitvec::BitVec;
use crate::float;
use crate::store::Kind;

/// The value of a term's operator on bit-vector values; `None` for variables, array operators and missing operands.
/// `low` is the lowest bit of an `Extract` or the rounding of an `FRound`, `width` the result's width.
pub fn eval_kind(kind: Kind, width: u16, low: u32, operands: &[&BitVec]) -> Option<BitVec> {
    if let [a, b] = operands {
        return eval_pair(kind, a, b);
    }
    match (kind, operands) {
        (Kind::Not, [a]) => Some(a.not()),
        (Kind::Extract, [a]) => Some(a.extract(low as u16, width)),
        (Kind::ZExt, [a]) => Some(a.zext(width)),
        (Kind::SExt, [a]) => Some(a.sext(width)),
        (Kind::Ite, [condition, a, b]) => Some(if condition.is_true() { (*a).clone() } else { (*b).clone() }),
        (_, [a]) => float::unary(kind, width, low, a),
        _ => None,
    }
}

fn eval_pair(kind: Kind, a: &BitVec, b: &BitVec) -> Option<BitVec> {
    Some(match kind {
        Kind::And => a.and(b),
        Kind::Or => a.or(b),
        Kind::Xor => a.xor(b),
        Kind::Add => a.add(b),
        Kind::Sub => a.sub(b),
        Kind::Mul => a.mul(b),
        Kind::UDiv => a.udiv(b),
        Kind::URem => a.urem(b),
        Kind::SDiv => a.sdiv(b),
        Kind::SRem => a.srem(b),
        Kind::Shl => a.shl(b),
        Kind::LShr => a.lshr(b),
        Kind::AShr => a.ashr(b),
        Kind::Eq => BitVec::bool(a == b),
        Kind::Ult => BitVec::bool(a.ucmp(b).is_lt()),
        Kind::Ule => BitVec::bool(a.ucmp(b).is_le()),
        Kind::Slt => BitVec::bool(a.scmp(b).is_lt()),
        Kind::Sle => BitVec::bool(a.scmp(b).is_le()),
        Kind::SAddO => BitVec::bool(a.saddo(b)),
        Kind::UAddO => BitVec::bool(a.uaddo(b)),
        Kind::SSubO => BitVec::bool(a.ssubo(b)),
        Kind::USubO => BitVec::bool(a.usubo(b)),
        Kind::SMulO => BitVec::bool(a.smulo(b)),
        Kind::UMulO => BitVec::bool(a.umulo(b)),
        Kind::Concat => a.concat(b),
        _ => return float::pair(kind, a, b),
    })
}

/// The term operator that computes a binary operator of the trace, and whether its result is to be complemented.
pub(crate) fn binary_kind(op: Op) -> Option<(Kind, bool)> {
    Some(match op {
        Op::Add => (Kind::Add, false),
        Op::Sub => (Kind::Sub, false),
        Op::Mul => (Kind::Mul, false),
        Op::UDiv => (Kind::UDiv, false),
        Op::SDiv => (Kind::SDiv, false),
        Op::URem => (Kind::URem, false),
        Op::SRem => (Kind::SRem, false),
        Op::Shl => (Kind::Shl, false),
        Op::LShr => (Kind::LShr, false),
        Op::AShr => (Kind::AShr, false),
        Op::And => (Kind::And, false),
        Op::Or => (Kind::Or, false),
        Op::Xor => (Kind::Xor, false),
        Op::Eq => (Kind::Eq, false),
        Op::Ne => (Kind::Eq, true),
        Op::Ult => (Kind::Ult, false),
        Op::Ule => (Kind::Ule, false),
        Op::Slt => (Kind::Slt, false),
        Op::Sle => (Kind::Sle, false),
        Op::SAddO => (Kind::SAddO, false),
        Op::UAddO => (Kind::UAddO, false),
        Op::SSubO => (Kind::SSubO, false),
        Op::USubO => (Kind::USubO, false),
        Op::SMulO => (Kind::SMulO, false),
        Op::UMulO => (Kind::UMulO, false),
        Op::FAdd => (Kind::FAdd, false),
        Op::FSub => (Kind::FSub, false),
        Op::FMul => (Kind::FMul, false),
        Op::FDiv => (Kind::FDiv, false),
        Op::FEq => (Kind::FEq, false),
        Op::FLt => (Kind::FLt, false),
        Op::FLe => (Kind::FLe, false),
        _ => return None,
    })
}

/// The term operator that computes an operator of the trace on one floating-point number, or makes one.
pub(crate) fn float_kind(op: Op) -> Option<Kind> {
    Some(match op {
        Op::FSqrt => Kind::FSqrt,
        Op::FRound => Kind::FRound,
        Op::FConvert => Kind::FConvert,
        Op::FFromS => Kind::FFromS,
        Op::FFromU => Kind::FFromU,
        Op::FToS => Kind::FToS,
        _ => return None,
    })
}

/// The value of a trace operator on the values of its operands: `width` is the result's, `imm` the node's immediate
/// where the operator has a use for it that is no operand (`Extract`, `FShl`, `FRound`). Operands as `trace` describes them; of
/// `Bytes` all bytes, the first one least significant; of `Ite` the condition first; of `Lookup` just the
/// element that is chosen. `None` for operators without
/// operands and for missing operands.
pub fn eval_node(op: Op, width: u16, imm: u64, operands: &[BitVec]) -> Option<BitVec> {
    if let Some((kind, complement)) = binary_kind(op) {
        let [a, b] = operands else { return None };
        let value = eval_pair(kind, a, b)?;
        return Some(if complement { value.not() } else { value });
    }
    match (op, operands) {
        (Op::Bytes, [first, rest @ ..]) => Some(rest.iter().fold(first.clone(), |low, byte| byte.concat(&low))),
        (Op::Concat, [a, b]) => Some(a.concat(b)),
        (Op::Extract, [a]) => Some(a.extract(u16::try_from(imm).ok()?, width)),
        (Op::ZExt, [a]) => Some(a.zext(width)),
        (Op::SExt, [a]) => Some(a.sext(width)),
        (Op::Ite, [condition, a, b]) => Some(if condition.is_true() { a.clone() } else { b.clone() }),
        (Op::FShl, [a, b]) => match u16::try_from(imm).ok()? % width.max(1) {
            0 => Some(a.clone()),
            amount => Some(a.extract(0, width - amount).concat(&b.extract(width - amount, amount))),
        },
        (Op::Lookup, [element]) => Some(element.clone()),
        (Op::CtPop, [a]) => Some(BitVec::new(width, a.count_ones().into())),
        (Op::CtLz, [a]) => Some(BitVec::new(width, a.leading_zeros().into())),
        (Op::CtTz, [a]) => Some(BitVec::new(width, a.trailing_zeros().into())),
        (Op::BSwap, [a]) => Some(a.byte_swap()),
        (Op::BitReverse, [a]) => Some(a.bit_reverse()),
        (op, [a]) => float::unary(float_kind(op)?, width, u32::try_from(imm).ok()?, a),
        _ => None,
    }
}
