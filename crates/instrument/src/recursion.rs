//! Functions that can be called again before they have returned.

use llvm::{Block, Module, Value};
use llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashMap;
use trace::sites::Position;

use crate::calls::{is_call, is_instrumented};
use crate::context::position;

/// Where the functions start that call themselves, or others that lead back to them. Calls through pointers are not followed: nearly
/// everything would lead back to everything.
///
/// # Safety
/// `module` must be a valid module, and nothing else may use it or its context meanwhile.
pub unsafe fn recursive_functions(module: LLVMModuleRef) -> Vec<Position> {
    let functions: Vec<Value> = Module::new(module).functions().into_iter().filter(|f| is_instrumented(*f)).collect();
    let numbers: FxHashMap<Value, usize> = functions.iter().copied().zip(0..).collect();
    let callees = |function: &Value| {
        let instructions = function.blocks().into_iter().flat_map(Block::instructions);
        let callees = instructions.filter(|i| is_call(*i)).map(Value::callee);
        callees.filter_map(|callee| numbers.get(&callee).copied()).collect()
    };
    let calls: Vec<Vec<usize>> = functions.iter().map(callees).collect();
    let circles = functions.iter().zip(on_circles(&calls)).filter(|(_, is_on_circle)| *is_on_circle);
    circles.filter_map(|(function, _)| function.start().into_iter().next()).map(position).collect()
}

/// Whether each node of a graph can be reached from itself.
fn on_circles(successors: &[Vec<usize>]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (node, next) in
        successors.iter().enumerate().flat_map(|(node, next)| next.iter().map(move |next| (node, *next)))
    {
        predecessors[next].push(node);
    }
    let mut seen = vec![false; successors.len()];
    let order: Vec<usize> = (0..successors.len()).flat_map(|root| left(successors, root, &mut seen)).collect();
    // What leads to the node that was left last, and is reached from it, is on circles with it.
    let mut seen = vec![false; successors.len()];
    let mut is_on_circle = vec![false; successors.len()];
    for root in order.into_iter().rev() {
        let component = left(&predecessors, root, &mut seen);
        let is_circle = component.len() > 1 || successors[root].contains(&root);
        component.into_iter().for_each(|node| is_on_circle[node] = is_circle);
    }
    is_on_circle
}

/// The nodes that are reached from a root and were not seen before, in the order in which a search in depth leaves them.
fn left(successors: &[Vec<usize>], root: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    // Call graphs can be deep: no recursion here.
    let mut active = vec![(root, 0)];
    if std::mem::replace(&mut seen[root], true) {
        return left;
    }
    while let Some((node, tried)) = active.last_mut() {
        match successors[*node].get(*tried) {
            Some(next) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[*next], true) {
                    active.push((*next, 0));
                }
            }
            None => left.extend(active.pop().map(|(node, _)| node)),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::on_circles;

    #[test]
    fn only_what_leads_back_to_itself_is_on_a_circle() {
        // 0 → 1 → 2 → 3 → 1, 3 → 4 → 5 → 5, 6 alone; 4 lies between two circles.
        let calls = [vec![1], vec![2], vec![3], vec![1, 4], vec![5], vec![5], vec![]];
        assert_eq!(on_circles(&calls), [false, true, true, true, false, true, false]);
        assert_eq!(on_circles(&[vec![1, 2], vec![3], vec![3], vec![]]), [false; 4]);
    }
}
