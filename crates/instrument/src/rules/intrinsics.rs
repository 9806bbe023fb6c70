//! LLVM's intrinsic functions.

use super::floats;
use super::memory;
use crate::calls;
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::Value;
use trace::abi;
use trace::layout::Reason;
use trace::op::Op;

/// Intrinsics that compute a result from their operands alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pure {
    /// The first operand.
    First,
    /// An operator of one operand.
    Unary(Op),
    /// A sum, difference or product together with whether it fits.
    Overflow(Op, Op),
    /// A sum or difference (first) that stops at the bound where it would overflow (second).
    Saturating(Op, Op),
    /// The operand for which the comparison of the first with the second holds (`true`) or doesn't.
    Choose(Op, bool),
    /// The absolute value.
    Abs,
    /// A shift through two operands; `true` to the left.
    Funnel(bool),
    /// Minus one, zero or one.
    ThreeWay(Op),
    /// A binary operator.
    Binary(Op),
    /// A binary operator between all lanes of a vector.
    Reduce(Op),
    /// One of floating-point numbers.
    Float(floats::Intrinsic),
}

impl Pure {
    /// By name.
    pub fn of(name: &str) -> Option<Pure> {
        let rest = name.strip_prefix("llvm.")?;
        let table: &[(&str, Pure)] = &[
            ("expect.", Pure::First),
            ("expect.with.probability.", Pure::First),
            ("launder.invariant.group", Pure::First),
            ("strip.invariant.group", Pure::First),
            ("ssa.copy.", Pure::First),
            ("annotation.", Pure::First),
            ("ptr.annotation.", Pure::First),
            ("ctpop.", Pure::Unary(Op::CtPop)),
            ("ctlz.", Pure::Unary(Op::CtLz)),
            ("cttz.", Pure::Unary(Op::CtTz)),
            ("bswap.", Pure::Unary(Op::BSwap)),
            ("bitreverse.", Pure::Unary(Op::BitReverse)),
            ("sadd.with.overflow.", Pure::Overflow(Op::Add, Op::SAddO)),
            ("uadd.with.overflow.", Pure::Overflow(Op::Add, Op::UAddO)),
            ("ssub.with.overflow.", Pure::Overflow(Op::Sub, Op::SSubO)),
            ("usub.with.overflow.", Pure::Overflow(Op::Sub, Op::USubO)),
            ("smul.with.overflow.", Pure::Overflow(Op::Mul, Op::SMulO)),
            ("umul.with.overflow.", Pure::Overflow(Op::Mul, Op::UMulO)),
            ("sadd.sat.", Pure::Saturating(Op::Add, Op::SAddO)),
            ("uadd.sat.", Pure::Saturating(Op::Add, Op::UAddO)),
            ("ssub.sat.", Pure::Saturating(Op::Sub, Op::SSubO)),
            ("usub.sat.", Pure::Saturating(Op::Sub, Op::USubO)),
            ("smin.", Pure::Choose(Op::Slt, true)),
            ("smax.", Pure::Choose(Op::Slt, false)),
            ("umin.", Pure::Choose(Op::Ult, true)),
            ("umax.", Pure::Choose(Op::Ult, false)),
            ("abs.", Pure::Abs),
            ("fshl.", Pure::Funnel(true)),
            ("fshr.", Pure::Funnel(false)),
            ("scmp.", Pure::ThreeWay(Op::Slt)),
            ("ucmp.", Pure::ThreeWay(Op::Ult)),
            ("ptrmask.", Pure::Binary(Op::And)),
            ("vector.reduce.add.", Pure::Reduce(Op::Add)),
            ("vector.reduce.mul.", Pure::Reduce(Op::Mul)),
            ("vector.reduce.and.", Pure::Reduce(Op::And)),
            ("vector.reduce.or.", Pure::Reduce(Op::Or)),
            ("vector.reduce.xor.", Pure::Reduce(Op::Xor)),
        ];
        let found = table.iter().find(|(prefix, _)| rest.starts_with(prefix)).map(|(_, rule)| *rule);
        found.or_else(|| floats::Intrinsic::of(rest).map(Pure::Float))
    }
}

pub fn apply(cold: &mut Cold, call: Value, name: &str) {
    if let Some(rule) = Pure::of(name) {
        if cold.plan.carries(call) {
            pure(cold, call, rule);
        }
    } else if calls::is_block_operation(name) {
        memory::block_operation(cold, call, name);
    } else if !calls::is_marker(name) {
        let floats = call.arguments().iter().any(|a| shape::is_float(a.ty()));
        let reason = if floats { Reason::Float } else { Reason::Instruction };
        for argument in call.arguments() {
            if cold.plan.carries(argument) {
                cold.pin_all(argument, call, reason);
            }
        }
    }
}

/// The scalars of one lane of an intrinsic's operands.
struct Lane {
    /// The call itself, for its place in the source.
    at: Value,
    width: u32,
    operands: Vec<(Label, Value)>,
    result: Value,
}

fn pure(cold: &mut Cold, call: Value, rule: Pure) {
    let arguments = call.arguments();
    match rule {
        Pure::First => {
            let labels = cold.labels(arguments[0]);
            return cold.set(call, labels);
        }
        Pure::Reduce(op) => return reduce(cold, call, op),
        _ => {}
    }
    let labels: Vec<Vec<Label>> = arguments.iter().map(|a| cold.labels(*a)).collect();
    let leaves = shape::leaves(cold.cx.module, arguments[0].ty());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (i, leaf) in leaves.iter().enumerate() {
        let mut operands = Vec::new();
        for (argument, labels) in arguments.iter().zip(&labels) {
            let whole = cold.concrete(*argument);
            // Flags such as "zero is poison" are scalars beside vectors.
            let scalar =
                if shape::scalar_width(whole.ty()).is_some() { whole } else { cold.descend(whole, &leaf.path) };
            operands.push((labels.get(i).copied().flatten(), scalar));
        }
        let result = cold.leaf(call, i);
        let lane = Lane { at: call, width: leaf.width, operands, result };
        if lane.operands.iter().all(|(l, _)| l.is_none()) {
            first.push(None);
            second.push(None);
            continue;
        }
        first.push(scalar_rule(cold, rule, &lane));
        if let Pure::Overflow(_, predicate) = rule {
            let fits = cold.leaf(call, leaves.len() + i);
            second.push(cold.binary(predicate, lane.width, lane.operands[0], lane.operands[1], fits));
        }
    }
    if matches!(rule, Pure::Overflow(..)) {
        first.append(&mut second);
    }
    cold.set(call, first);
}

fn scalar_rule(cold: &mut Cold, rule: Pure, lane: &Lane) -> Label {
    let Lane { width, operands, result, .. } = lane;
    let (width, result, a) = (*width, *result, operands[0]);
    match rule {
        Pure::Unary(op) => cold.unary(op, width, a.0, 0, a.1, result),
        Pure::Binary(op) | Pure::Overflow(op, _) => cold.binary(op, width, a, operands[1], result),
        Pure::Saturating(op, predicate) => saturating(cold, op, predicate, lane),
        Pure::Choose(op, first) => {
            let b = operands[1];
            let (holds, label) = compare(cold, op, width, a, b);
            if first { cold.choice(width, (label, holds), a, b) } else { cold.choice(width, (label, holds), b, a) }
        }
        Pure::Abs => {
            let zero = (None, a.1.ty().constant(0));
            let (holds, label) = compare(cold, Op::Slt, width, a, zero);
            let negative = cold.values().sub(zero.1, a.1);
            let negative_label = cold.binary(Op::Sub, width, zero, a, negative);
            cold.choice(width, (label, holds), (negative_label, negative), a)
        }
        Pure::ThreeWay(op) => {
            let b = operands[1];
            let (less, less_label) = compare(cold, op, width, a, b);
            let (more, more_label) = compare(cold, op, width, b, a);
            let result_width = shape::scalar_width(result.ty())?;
            let one = cold.values().resize(more, result.ty());
            let one_label = if result_width == 1 {
                more_label
            } else {
                cold.unary(Op::ZExt, result_width, more_label, 0, more, one)
            };
            let minus_one = result.ty().constant(u64::MAX);
            cold.choice(result_width, (less_label, less), (None, minus_one), (one_label, one))
        }
        Pure::Funnel(left) => funnel(cold, left, lane),
        Pure::Float(which) => floats::intrinsic(cold, lane.at, which, operands, result),
        Pure::First | Pure::Reduce(_) => None,
    }
}

/// A comparison that the program itself does not make: its value and its label.
fn compare(cold: &mut Cold, op: Op, width: u32, a: (Label, Value), b: (Label, Value)) -> (Value, Label) {
    use llvm_sys::LLVMIntPredicate::{LLVMIntSLT, LLVMIntULT};
    let predicate = if op == Op::Slt { LLVMIntSLT } else { LLVMIntULT };
    let holds = cold.values().icmp(predicate, a.1, b.1);
    (holds, cold.binary(op, width, a, b, holds))
}

fn saturating(cold: &mut Cold, op: Op, predicate: Op, lane: &Lane) -> Label {
    let (width, a, b) = (lane.width, lane.operands[0], lane.operands[1]);
    let ty = a.1.ty();
    let plain = if op == Op::Add { cold.values().add(a.1, b.1) } else { cold.values().sub(a.1, b.1) };
    let plain_label = cold.binary(op, width, a, b, plain);
    // A result that overflows is never the bound by accident.
    let same = cold.values().eq(plain, lane.result);
    let overflows = cold.values().eq(same, cold.cx.module.int(1).constant(0));
    let overflow_label = cold.binary(predicate, width, a, b, overflows);
    let bound = match predicate {
        Op::UAddO => (None, ty.constant(u64::MAX)),
        Op::USubO => (None, ty.constant(0)),
        _ => {
            // The largest value for a positive first operand, the smallest for a negative one.
            let shift = ty.constant(u64::from(width - 1));
            let sign = cold.values().ashr(a.1, shift);
            let sign_label = cold.binary(Op::AShr, width, a, (None, shift), sign);
            let one = cold.values().shl(ty.constant(1), shift);
            let largest = cold.values().sub(one, ty.constant(1));
            let bound = cold.values().xor(sign, largest);
            (cold.binary(Op::Xor, width, (sign_label, sign), (None, largest), bound), bound)
        }
    };
    if width > 64 && bound.0.is_none() && predicate == Op::UAddO {
        // The constant above has 64 bits only.
        let all = cold.values().sub(ty.constant(0), ty.constant(1));
        return cold.choice(width, (overflow_label, overflows), (None, all), (plain_label, plain));
    }
    cold.choice(width, (overflow_label, overflows), bound, (plain_label, plain))
}

fn funnel(cold: &mut Cold, left: bool, lane: &Lane) -> Label {
    let width = lane.width;
    let ((la, a), (lb, b), (lc, c)) = (lane.operands[0], lane.operands[1], lane.operands[2]);
    let ty = a.ty();
    let amount = cold.values().urem(c, ty.constant(u64::from(width)));
    let Some(lc) = lc else { return funnel_by(cold, left, lane, amount) };
    let simple = {
        let lane = Lane { at: lane.at, width, operands: vec![(la, a), (lb, b), (None, c)], result: lane.result };
        funnel_by(cold, left, &lane, amount)
    };
    // The amount depends on input: shift the double-width value.
    let double = cold.cx.module.int(2 * width);
    let upper = cold.values().resize(a, double);
    let upper = cold.values().shl(upper, double.constant(u64::from(width)));
    let lower = cold.values().resize(b, double);
    let joined = cold.values().or(upper, lower);
    let by = cold.values().resize(amount, double);
    let shifted = if left { cold.values().shl(joined, by) } else { cold.values().lshr(joined, by) };
    let words = [joined, shifted, amount, c, by].map(|v| cold.word(v));
    let result = cold.word(lane.result);
    let made = cold.when(lc, |cold| {
        let (la, lb) = (cold.labelled(la, a), cold.labelled(lb, b));
        let code = |op, width| cold.coded(op, width);
        let (concat, rem, zext) = (code(Op::Concat, 2 * width), code(Op::URem, width), code(Op::ZExt, 2 * width));
        let shift = code(if left { Op::Shl } else { Op::LShr }, 2 * width);
        let (extract, low) = (code(Op::Extract, width), cold.number(if left { u64::from(width) } else { 0 }));
        let modulus = ty.constant(u64::from(width));
        let joined = cold.build(abi::WIDE_BINARY, &[concat, la, lb, words[0]]);
        let modulus = cold.labelled(None, modulus);
        let rem = cold.build(abi::WIDE_BINARY, &[rem, lc, modulus, words[2]]);
        let zero = cold.number(0);
        let by = cold.build(abi::UNARY, &[zext, rem, zero, words[2], words[4]]);
        let shifted = cold.build(abi::WIDE_BINARY, &[shift, joined, by, words[1]]);
        cold.build(abi::UNARY, &[extract, shifted, low, words[1], result])
    });
    let has_amount = cold.body.is_not_zero(lc);
    Some(cold.body.select(has_amount, made, cold.plain(simple)))
}

/// A funnel shift by an amount without a label.
fn funnel_by(cold: &mut Cold, left: bool, lane: &Lane, amount: Value) -> Label {
    let width = lane.width;
    let ((la, a), (lb, b)) = (lane.operands[0], lane.operands[1]);
    let any = cold.any(&[la, lb])?;
    if width > 64 {
        // As rare as it is wide: clang makes these from rotates of __int128 only.
        cold.pin(la, a, lane.at, Reason::Instruction);
        cold.pin(lb, b, lane.at, Reason::Instruction);
        return None;
    }
    let (wa, wb, wr) = (cold.word(a), cold.word(b), cold.word(lane.result));
    // To the right by n is to the left by the rest, and by 0 it is the second operand itself.
    let whole = amount.ty().constant(u64::from(width));
    let rest = cold.values().sub(whole, amount);
    let by = if left { amount } else { cold.values().urem(rest, whole) };
    let by = cold.word(by);
    let is_zero = cold.values().eq(amount, amount.ty().constant(0));
    let width = cold.cx.label(width);
    Some(cold.when(any, |cold| {
        let (la, lb) = (cold.plain(la), cold.plain(lb));
        let made = cold.build(abi::FSHL, &[width, la, lb, by, wa, wb, wr]);
        cold.body.select(is_zero, if left { la } else { lb }, made)
    }))
}

fn reduce(cold: &mut Cold, call: Value, op: Op) {
    let vector = call.operand(0);
    let labels = cold.labels(vector);
    let leaves = shape::leaves(cold.cx.module, vector.ty());
    let whole = cold.concrete(vector);
    let mut sum: Option<(Label, Value)> = None;
    for (leaf, label) in leaves.iter().zip(labels) {
        let scalar = cold.descend(whole, &leaf.path);
        let Some((before_label, before)) = sum else {
            sum = Some((label, scalar));
            continue;
        };
        let values = cold.values();
        let after = match op {
            Op::Add => values.add(before, scalar),
            Op::Mul => values.mul(before, scalar),
            Op::And => values.and(before, scalar),
            Op::Or => values.or(before, scalar),
            _ => values.xor(before, scalar),
        };
        let after_label = cold.binary(op, leaf.width, (before_label, before), (label, scalar), after);
        sum = Some((after_label, after));
    }
    cold.set(call, vec![sum.and_then(|(label, _)| label)]);
}
