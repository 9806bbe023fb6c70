//! Keeps optimisation from taking away reads of memory of which nobody uses what was read: a null pointer is followed, and memory that
//! was freed is read, all the same.

use crate::calls::is_call;
use llvm::{Module, Opcode, Value};
use llvm_sys::prelude::LLVMModuleRef;

/// Prepares a module for optimisation, in which variables may still have places in memory.
///
/// # Safety
/// As of [`crate::concolic`].
pub unsafe fn keep_reads(module: LLVMModuleRef) {
    let instructions = Module::new(module).functions().into_iter().flat_map(Value::blocks);
    let reads = instructions.flat_map(|block| block.instructions()).filter(|i| i.opcode() == Opcode::LLVMLoad);
    for read in reads.filter(|read| !is_variable(read.operand(0)) && is_unused(*read)) {
        read.set_volatile();
    }
}

/// Whether an address is that of a variable, which is always there.
fn is_variable(address: Value) -> bool {
    address.is_constant() || address.is_instruction() && address.opcode() == Opcode::LLVMAlloca
}

/// Whether a value goes nowhere, or into variables that nobody reads, maybe as a value of another type.
fn is_unused(value: Value) -> bool {
    value.users().into_iter().all(|user| {
        user.is_instruction()
            && match user.opcode() {
                Opcode::LLVMStore => user.operand(0) == value && is_never_read(user.operand(1)),
                Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc => is_unused(user),
                _ => false,
            }
    })
}

/// Whether nobody uses what is in a variable; `(void)x` reads it for nothing.
fn is_never_read(place: Value) -> bool {
    let is_lifetime = |user: Value| {
        is_call(user) && user.callee().is_function() && user.callee().name().starts_with("llvm.lifetime.")
    };
    place.is_instruction()
        && place.opcode() == Opcode::LLVMAlloca
        && place.users().into_iter().all(|user| {
            user.is_instruction()
                && match user.opcode() {
                    Opcode::LLVMStore => user.operand(1) == place,
                    Opcode::LLVMLoad => user.users().is_empty(),
                    _ => is_lifetime(user),
                }
        })
}
