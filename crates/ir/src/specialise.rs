//! Functions that allocate, once for every call.
//!
//! Memory is told apart by the call that allocates it. A program that allocates by way of a function of its own has only one
//! such call, and all its memory would be the same. So the callers of a function that returns what it allocated get copies of it,
//! each its own.

use crate::points_to::{CellId, ObjectKind, PointsTo};
use crate::program::{Callee, Function, FunctionId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Instructions of a function that is worth a copy. What allocates is short.
const SIZE: usize = 250;

/// Copies within copies: a list of a table of a name.
const DEPTH: u32 = 4;

/// Instructions of all copies together. What pointers point to takes more than twice as long for a program that is twice as long.
const COPIED: usize = 20_000;

/// A program in which functions that allocate are copied for their callers.
pub fn specialise(program: &Program, points_to: &PointsTo) -> Program {
    let allocating = allocating(program, points_to);
    let mut made = program.clone();
    let mut left = COPIED;
    let shared = shared(program, &allocating);
    let callers = program.all_functions().map(|(id, _)| id).filter(|id| !allocating.contains(id));
    let mut waiting: VecDeque<(FunctionId, u32)> = callers.map(|id| (id, 0)).collect();
    while let Some((caller, depth)) = waiting.pop_front() {
        for (block, index, callee) in calls(&made, caller) {
            // Within a copy there is another one of everything.
            let is_worth_it = shared.contains(&callee) || depth > 0 && allocating.contains(&callee);
            let Some(original) = made.functions.get(callee.0 as usize).filter(|_| is_worth_it && depth < DEPTH) else {
                continue;
            };
            let cost = size(original);
            if cost > left {
                continue;
            }
            left -= cost;
            let copy = Function { is_visible: false, ..original.clone() };
            let id = FunctionId(made.functions.len() as u32);
            made.functions.push(copy);
            waiting.push_back((id, depth + 1));
            let instruction = made
                .functions
                .get_mut(caller.0 as usize)
                .and_then(|function| function.blocks.get_mut(block))
                .and_then(|block| block.instructions.get_mut(index));
            if let Some(Op::Call { callee, .. }) = instruction.map(|instruction| &mut instruction.op) {
                *callee = Callee::Direct(id);
            }
        }
    }
    made
}

fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.instructions.len() + 1).sum()
}

/// The calls of known functions in a function: block, instruction, function.
fn calls(program: &Program, id: FunctionId) -> Vec<(usize, usize, FunctionId)> {
    let mut found = Vec::new();
    for (number, block) in program.function(id).blocks.iter().enumerate() {
        for (index, instruction) in block.instructions.iter().enumerate() {
            if let Op::Call { callee: Callee::Direct(callee), .. } = &instruction.op {
                found.push((number, index, *callee));
            }
        }
    }
    found
}

/// The short functions that return memory which they, or others of the kind that they call, allocate.
fn allocating(program: &Program, points_to: &PointsTo) -> FxHashSet<FunctionId> {
    let mut found = FxHashSet::default();
    for id in points_to.callees_first() {
        let function = program.function(id);
        let is_short = function.has_code() && size(function) <= SIZE;
        // Where there is no memory it may call what cleans up, and that may allocate: such a circle does not matter.
        let calls_itself = points_to.callees(id).contains(&id);
        if !is_short || calls_itself || !function.result.is_some_and(crate::Type::can_hold_pointer) {
            continue;
        }
        let allocates = |cell: u32| match points_to.object_of(CellId(cell)).kind {
            ObjectKind::Heap(by, ..) => by == id || found.contains(&by) && points_to.callees(id).contains(&by),
            _ => false,
        };
        let returns_new = points_to.result(id).iter().any(allocates)
            || points_to.callees(id).iter().any(|callee| {
                let returned = points_to.result(*callee);
                found.contains(callee) && returned.meets(points_to.result(id))
            });
        if returns_new {
            found.insert(id);
        }
    }
    found
}

/// The allocating functions that are called in more than one place.
fn shared(program: &Program, allocating: &FxHashSet<FunctionId>) -> FxHashSet<FunctionId> {
    let mut count: FxHashMap<FunctionId, u32> = FxHashMap::default();
    for (id, _) in program.all_functions() {
        for (_, _, callee) in calls(program, id).into_iter().filter(|(_, _, callee)| allocating.contains(callee)) {
            *count.entry(callee).or_default() += 1;
        }
    }
    count.into_iter().filter(|(_, count)| *count > 1).map(|(id, _)| id).collect()
}
