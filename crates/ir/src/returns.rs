//! Functions that never return, whatever they are declared as.

use crate::library;
use crate::program::{Callee, Function, FunctionId, Op, Program, Terminator};

/// Marks the functions from which no way leads back to their caller.
pub fn mark_noreturn(program: &mut Program) {
    for function in &mut program.functions {
        let never = || library::model(&function.name).is_some_and(|model| model.is_noreturn);
        function.is_noreturn |= !function.has_code() && never();
    }
    loop {
        let found: Vec<usize> = program
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| !function.is_noreturn && function.has_code() && !can_return(program, function))
            .map(|(index, _)| index)
            .collect();
        if found.is_empty() {
            return;
        }
        for index in found {
            if let Some(function) = program.functions.get_mut(index) {
                function.is_noreturn = true;
            }
        }
    }
}

/// Whether a way leads from the start of a function to its end that passes no call of one that never returns.
fn can_return(program: &Program, function: &Function) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut waiting = vec![0usize];
    while let Some(index) = waiting.pop() {
        match seen.get_mut(index) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        let Some(block) = function.blocks.get(index) else { continue };
        let ends = block.instructions.iter().any(|instruction| match &instruction.op {
            Op::Call { callee: Callee::Direct(FunctionId(id)), .. } => {
                program.functions.get(*id as usize).is_some_and(|callee| callee.is_noreturn)
            }
            _ => false,
        });
        if ends {
            continue;
        }
        if let Terminator::Return(_) = block.terminator {
            return true;
        }
        waiting.extend(block.terminator.successors().into_iter().map(|block| block.0 as usize));
    }
    false
}
