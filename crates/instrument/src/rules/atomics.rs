//! Atomic operations, as if no other thread came between.

use super::memory;
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::Value;
use llvm_sys::LLVMAtomicRMWBinOp;
use trace::layout::Reason;
use trace::op::Op;
use trace::sites::SiteKind;

pub fn read_modify_write(cold: &mut Cold, instruction: Value) {
    use LLVMAtomicRMWBinOp::*;
    let (pointer, operand) = (instruction.operand(0), instruction.operand(1));
    let bytes = cold.cx.module.store_size(operand.ty());
    memory::access(cold, instruction, pointer, bytes, true);
    let old = if cold.plan.carries(instruction) { memory::read(cold, instruction, pointer) } else { Vec::new() };
    cold.set(instruction, old.clone());
    let labels = cold.labels(operand);
    let (before, after) = (cold.concrete(instruction), cold.concrete(operand));
    let values = cold.values();
    let (op, result) = match instruction.rmw_operation() {
        LLVMAtomicRMWBinOpXchg => return memory::write(cold, operand, pointer, &labels, instruction),
        LLVMAtomicRMWBinOpAdd => (Op::Add, values.add(before, after)),
        LLVMAtomicRMWBinOpSub => (Op::Sub, values.sub(before, after)),
        LLVMAtomicRMWBinOpAnd => (Op::And, values.and(before, after)),
        LLVMAtomicRMWBinOpOr => (Op::Or, values.or(before, after)),
        LLVMAtomicRMWBinOpXor => (Op::Xor, values.xor(before, after)),
        _ => {
            cold.pin_all(instruction, instruction, Reason::Atomic);
            cold.pin_all(operand, instruction, Reason::Atomic);
            let none = vec![None; labels.len()];
            return memory::write(cold, operand, pointer, &none, instruction);
        }
    };
    let label = shape::scalar_width(operand.ty()).and_then(|width| {
        let (old, new): (Label, Label) = (old.first().copied().flatten(), labels.first().copied().flatten());
        cold.binary(op, width, (old, before), (new, after), result)
    });
    write_result(cold, instruction, pointer, label, result);
}

/// Labels memory with a value that only this function computed.
fn write_result(cold: &mut Cold, at: Value, pointer: Value, label: Label, value: Value) {
    let address = cold.concrete(pointer);
    let bytes = cold.number(cold.cx.module.store_size(value.ty()));
    let (label, word) = (cold.plain(label), cold.word(value));
    let site = cold.site(at, SiteKind::Access);
    cold.act(trace::abi::STORE, &[address, bytes, label, word, site]);
}

pub fn compare_exchange(cold: &mut Cold, instruction: Value) {
    let (pointer, expected, new) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
    let Some(width) = shape::scalar_width(new.ty()) else { return };
    let bytes = cold.cx.module.store_size(new.ty());
    memory::access(cold, instruction, pointer, bytes, true);
    let whole = cold.concrete(instruction);
    let (old, success) = (cold.descend(whole, &[0]), cold.descend(whole, &[1]));
    let (address, size, word) = (cold.concrete(pointer), cold.number(bytes), cold.word(old));
    let site = cold.site(instruction, SiteKind::Access);
    let old_label = cold.build(trace::abi::LOAD, &[address, size, word, site]);
    let (expected_label, new_label) = (cold.label(expected), cold.label(new));
    let (expected, new) = (cold.concrete(expected), cold.concrete(new));
    let success_label = cold.binary(Op::Eq, width, (Some(old_label), old), (expected_label, expected), success);
    cold.set(instruction, vec![Some(old_label), success_label]);
    // What memory holds now: the new value where the comparison held.
    let label = cold.choice(width, (success_label, success), (new_label, new), (Some(old_label), old));
    let stored = cold.values().select(success, new, old);
    write_result(cold, instruction, pointer, label, stored);
}
