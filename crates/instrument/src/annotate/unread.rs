//! Keeps optimisation from taking away reads of memory of which nobody uses what was read: a null pointer is followed, and memory that
//! was freed is read, all the same.

use crate::calls::is_call;
use llvm::{Block, Module, Opcode, Value, result_type};
use llvm_sys::prelude::LLVMModuleRef;

/// Prepares a module for optimisation, in which variables may still have places in memory.
///
/// # Safety
/// As of [`crate::concolic`].
pub unsafe fn keep_reads(module: LLVMModuleRef) {
    let module = Module::new(module);
    for read in instructions(module).filter(|read| is_read(*read) && is_unused(*read)) {
        read.set_volatile();
    }
    keep_results(module);
}

fn instructions(module: Module) -> impl Iterator<Item = Value> {
    module.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions)
}

/// What a function has read and its caller does not use is put somewhere: others may use it, and its code is theirs too.
fn keep_results(module: Module) {
    let builder = module.builder();
    for function in
        module.functions().into_iter().filter(|function| !function.is_elsewhere() && returns_read(*function))
    {
        // Where it is declared otherwise, its result may be nothing there.
        let is_direct = |user: &Value| {
            user.is_instruction()
                && is_call(*user)
                && user.callee() == function
                && user.ty() == result_type(function.value_type())
        };
        let calls = function.users().into_iter().filter(is_direct);
        for call in calls.filter(|call| !call.is_must_tail() && is_unused(*call)) {
            let first = call.function().blocks().first().and_then(|entry| entry.instructions().first().copied());
            // What an exception may come out of has no next instruction.
            let (Some(first), Some(next)) = (first, call.next()) else { continue };
            builder.before(first);
            let place = builder.alloca(call.ty());
            builder.before(next);
            let kept = builder.store(call, place);
            kept.set_volatile();
            kept.copy_location(call);
        }
    }
}

/// Whether a function returns what it has read somewhere.
fn returns_read(function: Value) -> bool {
    let ends = function.blocks().into_iter().filter_map(|block| block.terminator());
    let mut returns = ends.filter(|end| end.opcode() == Opcode::LLVMRet && end.operand_count() == 1);
    returns.any(|end| comes_of_read(end.operand(0)))
}

/// Whether a value is what was read, maybe as a value of another type, or by way of a variable.
fn comes_of_read(value: Value) -> bool {
    if !value.is_instruction() {
        return false;
    }
    match value.opcode() {
        Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc => comes_of_read(value.operand(0)),
        Opcode::LLVMLoad if is_local(value.operand(0)) => {
            let stores = value.operand(0).users().into_iter().filter(|user| user.opcode() == Opcode::LLVMStore);
            stores.map(|store| store.operand(0)).any(is_read)
        }
        Opcode::LLVMPHI => value.incoming().into_iter().any(|(value, _)| is_read(value)),
        _ => is_read(value),
    }
}

/// Whether an instruction reads something else than a variable, which is always there.
fn is_read(instruction: Value) -> bool {
    instruction.is_instruction()
        && instruction.opcode() == Opcode::LLVMLoad
        && !is_local(instruction.operand(0))
        && !is_global(instruction.operand(0))
}

fn is_local(address: Value) -> bool {
    address.is_instruction() && address.opcode() == Opcode::LLVMAlloca
}

/// Whether an address is that of a global variable: a constant that is no number.
fn is_global(address: Value) -> bool {
    let base = address.without_constant_offset();
    base.is_constant() && !base.is_zero() && base.constant_operator() != Some(Opcode::LLVMIntToPtr)
}

/// Whether a value goes nowhere, or into variables that nobody reads, maybe as a value of another type. What is made of it and does not
/// depend on it counts for nothing.
fn is_unused(value: Value) -> bool {
    value.users().into_iter().all(|user| {
        user.is_instruction()
            && match user.opcode() {
                Opcode::LLVMStore => user.operand(0) == value && is_never_read(user.operand(1)),
                Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc => is_unused(user),
                Opcode::LLVMAnd | Opcode::LLVMMul => user.operands().into_iter().any(Value::is_zero),
                _ => false,
            }
    })
}

/// Whether nobody uses what is in a variable; `(void)x` reads it for nothing.
fn is_never_read(place: Value) -> bool {
    let is_lifetime = |user: Value| {
        is_call(user) && user.callee().is_function() && user.callee().name().starts_with("llvm.lifetime.")
    };
    is_local(place)
        && place.users().into_iter().all(|user| {
            user.is_instruction()
                && match user.opcode() {
                    Opcode::LLVMStore => user.operand(1) == place,
                    Opcode::LLVMLoad => user.users().is_empty(),
                    _ => is_lifetime(user),
                }
        })
}
