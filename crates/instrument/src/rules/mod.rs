//! How each instruction computes labels: one file per family.

mod aggregates;
mod arithmetic;
mod atomics;
mod calls;
mod checks;
mod control;
pub mod floats;
pub mod intrinsics;
mod memory;
mod variadic;

pub use calls::{pass_arguments, take_parameters, take_results};
pub use control::{end_of_block, start_of_block};
pub use memory::block_operation as fill;

use crate::calls::{Callee, classify};
use crate::cold::{Cold, Label};
use crate::plan::{is_ordinary_access, passes_on};
use llvm::{Opcode, Value};
use trace::layout::Reason;

/// Computes the labels of an instruction's result, and what it does to labels in memory.
pub fn apply(cold: &mut Cold, instruction: Value) {
    use Opcode::*;
    if !is_ordinary_access(instruction) {
        return pin_operands(cold, instruction, Reason::Representation);
    }
    if passes_on(instruction) && !cold.plan.carries(instruction) {
        // The result is of a type whose values never have labels.
        return pin_operands(cold, instruction, Reason::Representation);
    }
    match instruction.opcode() {
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor => arithmetic::binary(cold, instruction),
        LLVMICmp => arithmetic::compare(cold, instruction),
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr => arithmetic::convert(cold, instruction),
        LLVMSelect => arithmetic::select(cold, instruction),
        LLVMGetElementPtr => arithmetic::element_address(cold, instruction),
        LLVMBitCast => aggregates::bitcast(cold, instruction),
        LLVMFreeze | LLVMAddrSpaceCast => {
            let labels = cold.labels(instruction.operand(0));
            cold.set(instruction, labels);
        }
        LLVMExtractValue => aggregates::extract_value(cold, instruction),
        LLVMInsertValue => aggregates::insert_value(cold, instruction),
        LLVMExtractElement => aggregates::extract_element(cold, instruction),
        LLVMInsertElement => aggregates::insert_element(cold, instruction),
        LLVMShuffleVector => aggregates::shuffle(cold, instruction),
        LLVMLoad => memory::load(cold, instruction),
        LLVMStore => memory::store(cold, instruction),
        LLVMAtomicRMW => atomics::read_modify_write(cold, instruction),
        LLVMAtomicCmpXchg => atomics::compare_exchange(cold, instruction),
        _ if floats::is_float_instruction(instruction) => floats::apply(cold, instruction),
        LLVMAlloca => memory::variable_array(cold, instruction),
        LLVMCall => match classify(instruction) {
            Callee::Intrinsic(name) => intrinsics::apply(cold, instruction, &name),
            Callee::Check => checks::apply(cold, instruction),
            _ => {}
        },
        // Phis are the business of where the block starts; fences do nothing to labels.
        LLVMPHI | LLVMFence | LLVMLandingPad => {}
        _ => pin_operands(cold, instruction, Reason::Instruction),
    }
}

/// Applies a scalar rule to each lane.
fn lanewise(
    cold: &mut Cold,
    instruction: Value,
    operands: &[Value],
    rule: impl Fn(&mut Cold, &[(Label, Value)], Value) -> Label,
) {
    let labels: Vec<Vec<Label>> = operands.iter().map(|o| cold.labels(*o)).collect();
    let leaves: Vec<Vec<u32>> = cold.plan.leaves(instruction).iter().map(|l| l.path.clone()).collect();
    let mut results = Vec::with_capacity(leaves.len());
    for (lane, path) in leaves.iter().enumerate() {
        let lane_labels: Vec<Label> = labels.iter().map(|l| l.get(lane).copied().flatten()).collect();
        if lane_labels.iter().all(Option::is_none) {
            results.push(None);
            continue;
        }
        let scalars: Vec<(Label, Value)> = operands
            .iter()
            .zip(lane_labels)
            .map(|(operand, label)| {
                let whole = cold.concrete(*operand);
                (label, cold.descend(whole, path))
            })
            .collect();
        let result = cold.leaf(instruction, lane);
        results.push(rule(cold, &scalars, result));
    }
    cold.set(instruction, results);
}

/// Makes the operands concrete: the instruction is not modelled.
fn pin_operands(cold: &mut Cold, instruction: Value, reason: Reason) {
    for operand in instruction.operands() {
        if cold.plan.carries(operand) {
            cold.pin_all(operand, instruction, reason);
        }
    }
}
