//! What code finds out about pointers themselves: where they point to, and whether they are null.
//!
//! A unit's pointers are no input. That one is null is known from its object; what depends on where two of them point to is not.

use super::calls::call;
use crate::annotate::Pass;
use llvm::{Kind, Opcode, Value};
use rustc_hash::FxHashSet;
use trace::unit;

/// Pointers that come from more values than this may come from anywhere.
const MOST_VALUES: usize = 256;

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    /// It was given: an argument, or a pointer in memory.
    Given(Value),
    /// It is the address of something that is known, or of something new.
    Own(Value),
}

/// Has the runtime told wherever a program finds out how pointers lie to each other, unless they come from one and the same.
pub fn tell_of_comparisons(pass: &Pass) {
    for function in pass.module.functions() {
        let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
        let comparisons: Vec<Value> = instructions.filter(|instruction| compares_places(*instruction)).collect();
        for comparison in comparisons {
            pass.builder.before(comparison);
            call(pass, unit::COMPARES, &[], &[]);
        }
    }
}

/// Whether an instruction's result depends on where pointers point to that were given.
fn compares_places(instruction: Value) -> bool {
    let is_pointer = |value: Value| value.ty().kind() == Kind::LLVMPointerTypeKind;
    let is_number = |value: Value| value.is_instruction() && value.opcode() == Opcode::LLVMPtrToInt;
    let is_comparison = match instruction.opcode() {
        Opcode::LLVMICmp => is_pointer(instruction.operand(0)) || instruction.operands().into_iter().all(is_number),
        Opcode::LLVMSub => instruction.operands().into_iter().all(is_number),
        _ => false,
    };
    let has_null = || instruction.operands().into_iter().any(|operand| operand.is_constant() && operand.is_zero());
    if !is_comparison || has_null() {
        return false;
    }
    let roots: FxHashSet<Root> = instruction.operands().into_iter().flat_map(roots).collect();
    roots.len() > 1 && roots.iter().any(|root| matches!(root, Root::Given(_)))
}

/// What a pointer may come from. Null is nothing.
fn roots(pointer: Value) -> FxHashSet<Root> {
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut waiting = vec![pointer];
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        if seen.len() > MOST_VALUES {
            found.insert(Root::Given(value));
            break;
        }
        let is_pointer = value.ty().kind() == Kind::LLVMPointerTypeKind;
        if value.is_constant() {
            if is_pointer && !value.is_zero() {
                found.insert(Root::Own(value.without_constant_offset()));
            }
            continue;
        }
        if !value.is_instruction() {
            if is_pointer {
                found.insert(Root::Given(value));
            }
            continue;
        }
        match value.opcode() {
            Opcode::LLVMGetElementPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMFreeze => waiting.push(value.operand(0)),
            Opcode::LLVMPHI | Opcode::LLVMAdd | Opcode::LLVMSub => waiting.extend(value.operands()),
            // A number that is none of a pointer's.
            _ if !is_pointer => {}
            Opcode::LLVMSelect => waiting.extend([value.operand(1), value.operand(2)]),
            Opcode::LLVMAlloca => {
                found.insert(Root::Own(value));
            }
            // What a function returns that is given pointers may be one of them.
            Opcode::LLVMCall | Opcode::LLVMInvoke => {
                let is_pointer = |operand: &Value| operand.ty().kind() == Kind::LLVMPointerTypeKind;
                let given = value.operands().into_iter().filter(|operand| !operand.is_function());
                let given: Vec<Value> = given.filter(is_pointer).collect();
                if given.is_empty() {
                    found.insert(Root::Own(value));
                }
                waiting.extend(given);
            }
            Opcode::LLVMLoad => match stored_in(value.operand(0)) {
                Some(stored) => waiting.extend(stored),
                None => {
                    found.insert(Root::Given(value));
                }
            },
            _ => {
                found.insert(Root::Given(value));
            }
        }
    }
    found
}

/// What is stored in a variable that nobody else writes to.
fn stored_in(variable: Value) -> Option<Vec<Value>> {
    if !variable.is_instruction() || variable.opcode() != Opcode::LLVMAlloca {
        return None;
    }
    let mut stored = Vec::new();
    for user in variable.users() {
        match user.opcode() {
            Opcode::LLVMLoad => {}
            Opcode::LLVMStore if user.operand(0) != variable => stored.push(user.operand(0)),
            Opcode::LLVMCall if only_looks(user) => {}
            _ => return None,
        }
    }
    Some(stored)
}

/// Whether a call writes to none of the variables that it is told of: it says where they live, or is ours.
fn only_looks(call: Value) -> bool {
    let names = ["llvm.lifetime.", "llvm.dbg.", unit::OBJECT];
    call.callee().is_function() && names.iter().any(|name| call.callee().name().starts_with(name))
}

/// Whether a function looks at the pointer in a variable itself: compares it with null, or lets others do so.
pub fn looks_at_pointer(function: Value, variable: Value) -> bool {
    let loads = |variable: Value| {
        let users = variable.users().into_iter().filter(|user| user.is_instruction() && user.function() == function);
        users.filter(|user| user.opcode() == Opcode::LLVMLoad)
    };
    let mut waiting: Vec<Value> = loads(variable).collect();
    let mut seen = FxHashSet::default();
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        for user in value.users().into_iter().filter(|user| user.is_instruction()) {
            match user.opcode() {
                Opcode::LLVMICmp => {
                    let is_null = |operand: Value| operand.is_constant() && operand.is_zero();
                    if user.operands().into_iter().any(is_null) {
                        return true;
                    }
                }
                // What has no code here takes the pointer for what it points to.
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    let callee = user.callee();
                    if !callee.is_function() || !callee.is_declaration() {
                        return true;
                    }
                }
                Opcode::LLVMStore if user.operand(0) == value => {
                    let to = user.operand(1);
                    if !to.is_instruction() || to.opcode() != Opcode::LLVMAlloca {
                        return true;
                    }
                    waiting.extend(loads(to));
                }
                Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMPHI | Opcode::LLVMSelect => {
                    waiting.push(user);
                }
                _ => {}
            }
        }
    }
    false
}
