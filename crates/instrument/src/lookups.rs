//! Addresses that depend on input most often: those computed from an index, or found at one.

use llvm::{Block, Opcode, Value};
use rustc_hash::FxHashSet;

/// Values that are looked at to find out what an address is computed from.
const MOST_ORIGINS: usize = 32;

/// Functions that return such an address, as those do that look a key up in a table: what is written through it depends on the key.
pub fn find(functions: &[Value]) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    loop {
        let known = found.len();
        for function in functions {
            let returns_one = |found: &FxHashSet<Value>| {
                returned(*function).any(|value| is_indexed(value, found, |index| index.as_constant().is_none()))
            };
            if !found.contains(function) && returns_one(&found) {
                found.insert(*function);
            }
        }
        // Those that only hand on what another one has returned.
        if found.len() == known {
            return found;
        }
    }
}

fn returned(function: Value) -> impl Iterator<Item = Value> {
    let ends = function.blocks().into_iter().filter_map(Block::terminator);
    ends.filter(|end| end.opcode() == Opcode::LLVMRet && end.operand_count() == 1).map(|end| end.operand(0))
}

/// Whether an address is computed from an index for which `is_index` holds, loaded from such an address, or returned by one of the
/// `lookups`.
pub fn is_indexed(pointer: Value, lookups: &FxHashSet<Value>, is_index: impl Fn(Value) -> bool) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![pointer];
    while let Some(pointer) = work.pop().filter(|_| seen.len() < MOST_ORIGINS) {
        if !pointer.is_instruction() || !seen.insert(pointer) {
            continue;
        }
        match pointer.opcode() {
            Opcode::LLVMGetElementPtr if pointer.operands().iter().skip(1).any(|i| is_index(*i)) => return true,
            Opcode::LLVMCall | Opcode::LLVMInvoke if lookups.contains(&pointer.callee()) => return true,
            Opcode::LLVMGetElementPtr | Opcode::LLVMLoad | Opcode::LLVMFreeze => work.push(pointer.operand(0)),
            Opcode::LLVMSelect => work.extend([pointer.operand(1), pointer.operand(2)]),
            Opcode::LLVMPHI => work.extend(pointer.incoming().into_iter().map(|(value, _)| value)),
            _ => {}
        }
    }
    false
}
