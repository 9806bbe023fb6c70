//! Integer operations, comparisons, conversions, choices and address computations.

use super::lanewise;
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::{Kind, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate;
use trace::abi;
use trace::op::Op;
use trace::sites::SiteKind;

/// The operator of a binary instruction.
fn operator(opcode: Opcode) -> Op {
    match opcode {
        Opcode::LLVMAdd => Op::Add,
        Opcode::LLVMSub => Op::Sub,
        Opcode::LLVMMul => Op::Mul,
        Opcode::LLVMUDiv => Op::UDiv,
        Opcode::LLVMSDiv => Op::SDiv,
        Opcode::LLVMURem => Op::URem,
        Opcode::LLVMSRem => Op::SRem,
        Opcode::LLVMShl => Op::Shl,
        Opcode::LLVMLShr => Op::LShr,
        Opcode::LLVMAShr => Op::AShr,
        Opcode::LLVMAnd => Op::And,
        Opcode::LLVMOr => Op::Or,
        _ => Op::Xor,
    }
}

pub fn binary(cold: &mut Cold, instruction: Value) {
    let op = operator(instruction.opcode());
    lanewise(cold, instruction, &[instruction.operand(0), instruction.operand(1)], |cold, scalars, result| {
        let width = shape::scalar_width(result.ty())?;
        if let (Op::Shl | Op::LShr | Op::AShr, [(Some(value), _), (Some(amount), number)]) = (op, scalars) {
            shift(cold, instruction, *value, (*amount, *number), width);
        }
        cold.binary(op, width, scalars[0], scalars[1], result)
    });
}

/// Says by how much a labelled value is shifted.
fn shift(cold: &mut Cold, at: Value, value: Value, (amount, number): (Value, Value), width: u32) {
    let site = cold.site(at, SiteKind::Other);
    let (width, number) = (cold.cx.i32.constant(width.into()), cold.word(number));
    cold.act_when(value, |cold| cold.act(abi::AMOUNT, &[amount, site, width, number]));
}

pub fn compare(cold: &mut Cold, instruction: Value) {
    use LLVMIntPredicate::*;
    let (op, swapped) = match instruction.int_predicate() {
        LLVMIntEQ => (Op::Eq, false),
        LLVMIntNE => (Op::Ne, false),
        LLVMIntULT => (Op::Ult, false),
        LLVMIntULE => (Op::Ule, false),
        LLVMIntUGT => (Op::Ult, true),
        LLVMIntUGE => (Op::Ule, true),
        LLVMIntSLT => (Op::Slt, false),
        LLVMIntSLE => (Op::Sle, false),
        LLVMIntSGT => (Op::Slt, true),
        LLVMIntSGE => (Op::Sle, true),
    };
    let (a, b) = (instruction.operand(0), instruction.operand(1));
    let operands = if swapped { [b, a] } else { [a, b] };
    lanewise(cold, instruction, &operands, |cold, scalars, result| {
        let width = shape::scalar_width(scalars[0].1.ty())?;
        cold.binary(op, width, scalars[0], scalars[1], result)
    });
}

pub fn convert(cold: &mut Cold, instruction: Value) {
    let signed = instruction.opcode() == Opcode::LLVMSExt;
    lanewise(cold, instruction, &[instruction.operand(0)], |cold, scalars, result| {
        let (label, operand) = scalars[0];
        resize(cold, label, operand, result, signed)
    });
}

/// The label of a scalar after it was extended or cut.
fn resize(cold: &mut Cold, label: Label, operand: Value, result: Value, signed: bool) -> Label {
    let (from, to) = (shape::scalar_width(operand.ty())?, shape::scalar_width(result.ty())?);
    let op = match from.cmp(&to) {
        std::cmp::Ordering::Equal => return label,
        std::cmp::Ordering::Greater => Op::Extract,
        std::cmp::Ordering::Less if signed => Op::SExt,
        std::cmp::Ordering::Less => Op::ZExt,
    };
    cold.unary(op, to, label, 0, operand, result)
}

pub fn select(cold: &mut Cold, instruction: Value) {
    let (condition, a, b) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
    let conditions = cold.labels(condition);
    let per_lane = condition.ty().kind() == Kind::LLVMVectorTypeKind;
    let (first, second) = (cold.labels(a), cold.labels(b));
    let whole = cold.concrete(condition);
    let mut results = Vec::new();
    for lane in 0..cold.plan.leaves(instruction).len() {
        let leaf = cold.plan.leaves(instruction)[lane].clone();
        let (la, lb) = (first.get(lane).copied().flatten(), second.get(lane).copied().flatten());
        let lc = conditions.get(if per_lane { lane } else { 0 }).copied().flatten();
        let chosen = if per_lane { cold.descend(whole, &leaf.path) } else { whole };
        let (a, b) = (cold.concrete(a), cold.concrete(b));
        let (a, b) = (cold.descend(a, &leaf.path), cold.descend(b, &leaf.path));
        results.push(cold.choice(leaf.width, (lc, chosen), (la, a), (lb, b)));
    }
    cold.set(instruction, results);
}

/// One term of an address: `label` times `scale`.
struct Index {
    label: Label,
    value: Value,
    scale: u64,
}

pub fn element_address(cold: &mut Cold, instruction: Value) {
    if instruction.ty().kind() == Kind::LLVMVectorTypeKind {
        // Vectors of addresses come from gathers only, which are not modelled either.
        super::pin_operands(cold, instruction, trace::layout::Reason::Instruction);
        let count = cold.plan.leaves(instruction).len();
        cold.set(instruction, vec![None; count]);
        return;
    }
    let base = instruction.operand(0);
    let (constant, indices) = indices(cold, instruction);
    let base_label = cold.label(base);
    let mut labels: Vec<Label> = indices.iter().map(|i| i.label).collect();
    labels.push(base_label);
    let Some(any) = cold.any(&labels) else { return };
    // All of it under one test: a computed address is rare where its parts have no labels.
    let base_value = cold.concrete(base);
    let mut value = cold.word(base_value);
    let (add, mul) = (cold.coded(Op::Add, 64), cold.coded(Op::Mul, 64));
    let mut steps = Vec::new();
    for index in indices {
        let wide = cold.values();
        let (scale, result) = (cold.number(index.scale), value);
        let product = wide.mul(index.value, scale);
        let sum = wide.add(result, product);
        steps.push((index, scale, product, result, sum));
        value = sum;
    }
    let shift = cold.number(constant);
    let end = cold.values().add(value, shift);
    let label = cold.when(any, |cold| {
        let mut label = cold.plain(base_label);
        let zero = cold.cx.label(0);
        for (index, scale, product, before, after) in steps {
            let mut term = cold.plain(index.label);
            if index.scale != 1 {
                term = cold.build(abi::BINARY, &[mul, term, zero, index.value, scale, product]);
            }
            label = cold.build(abi::BINARY, &[add, label, term, before, product, after]);
        }
        if constant != 0 {
            label = cold.build(abi::BINARY, &[add, label, zero, value, shift, end]);
        }
        label
    });
    cold.set(instruction, vec![Some(label)]);
}

/// The constant part of an address computation and its other terms, widened to 64 bits.
fn indices(cold: &mut Cold, instruction: Value) -> (u64, Vec<Index>) {
    let mut ty: Type = instruction.gep_source_type();
    let mut constant = 0u64;
    let mut terms = Vec::new();
    for (position, operand) in instruction.operands().into_iter().enumerate().skip(1) {
        let scale = if position == 1 {
            cold.cx.module.alloc_size(ty)
        } else if ty.kind() == Kind::LLVMStructTypeKind {
            let field = operand.as_constant().unwrap_or(0) as u32;
            constant = constant.wrapping_add(cold.cx.module.field_offset(ty, field));
            ty = ty.fields()[field as usize];
            continue;
        } else {
            ty = if ty.kind() == Kind::LLVMVectorTypeKind { ty.lanes().0 } else { ty.elements().0 };
            cold.cx.module.alloc_size(ty)
        };
        let width = operand.ty().int_width();
        if let Some(number) = operand.as_constant() {
            let signed = ((number << (64 - width)) as i64) >> (64 - width);
            constant = constant.wrapping_add((signed as u64).wrapping_mul(scale));
            continue;
        }
        let label = cold.label(operand);
        let value = cold.concrete(operand);
        let wide = match width {
            64 => value,
            0..64 => cold.values().sext(value, cold.cx.i64),
            _ => cold.values().resize(value, cold.cx.i64),
        };
        let label = resize(cold, label, value, wide, true);
        terms.push(Index { label, value: wide, scale });
    }
    (constant, terms)
}
