//! Whether the element that an index leads to is written to: then an index out of bounds changes memory that is not meant.

use super::guard_of;
use crate::calls::is_call;
use llvm::{Opcode, Value};

/// Functions that write to their first argument, as raw bitcode has them where structures are assigned.
const WRITERS: [&str; 3] = ["memcpy", "memmove", "memset"];

/// Whether the code that stands behind a check of an index, of which the call of its handler is given, writes to the element. What other
/// functions do with its address is not looked at.
pub fn is_written(handler: Value) -> bool {
    let Some(condition) = guard_of(handler).map(|guard| guard.branch.operand(0)) else { return false };
    // The index is what is compared with the number of elements.
    if !condition.is_instruction() || condition.opcode() != Opcode::LLVMICmp {
        return false;
    }
    let mut index = condition.operand(0);
    while index.is_instruction() && is_widening(index) {
        index = index.operand(0);
    }
    !index.is_constant() && leads_to_write(index)
}

/// Each evaluation of an index is a value of its own, which the check and the address widen separately.
fn leads_to_write(index: Value) -> bool {
    index.users().into_iter().filter(|user| user.is_instruction()).any(|user| match user.opcode() {
        Opcode::LLVMGetElementPtr => user.operand(0) != index && is_written_at(user),
        _ => is_widening(user) && leads_to_write(user),
    })
}

fn is_widening(value: Value) -> bool {
    matches!(value.opcode(), Opcode::LLVMSExt | Opcode::LLVMZExt)
}

/// Whether something is written to an address, or to a part of what lies there.
fn is_written_at(address: Value) -> bool {
    address.users().into_iter().filter(|user| user.is_instruction()).any(|user| match user.opcode() {
        Opcode::LLVMStore => user.operand(1) == address,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => user.operand(0) == address,
        Opcode::LLVMGetElementPtr => user.operand(0) == address && is_written_at(user),
        _ => is_call(user) && user.callee().is_function() && user.arguments().first() == Some(&address) && writes(user),
    })
}

fn writes(call: Value) -> bool {
    let name = call.callee().name();
    let name = name.strip_prefix("llvm.").and_then(|name| name.split('.').next()).unwrap_or(&name);
    WRITERS.contains(&name)
}
