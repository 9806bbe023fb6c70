//! The loops of a function, and what they touch.

use ir::{BlockId, Function, FunctionId, Touched};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Subject;

/// A loop.
#[derive(Debug)]
pub struct Loop {
    /// Its blocks.
    pub body: FxHashSet<BlockId>,
    /// What one round may read and write.
    pub touched: Touched,
}

/// The loops of a function, by their first blocks, and an order of its blocks in which all ways that are no loops lead onwards.
#[derive(Debug)]
pub struct Loops {
    /// By first block.
    pub by_header: FxHashMap<BlockId, Loop>,
    /// The place of every block in the order.
    pub order: Vec<u32>,
}

impl Loops {
    /// Finds the loops of a function.
    pub fn of(subject: Subject<'_>, id: FunctionId) -> Loops {
        let function = subject.program.function(id);
        let (order, back_edges) = search(function);
        let predecessors = predecessors(function);
        let mut bodies: FxHashMap<BlockId, FxHashSet<BlockId>> = FxHashMap::default();
        for (latch, header) in back_edges {
            let body = bodies.entry(header).or_default();
            body.insert(header);
            let mut waiting = vec![latch];
            while let Some(block) = waiting.pop() {
                if body.insert(block) {
                    waiting.extend(predecessors.get(block.0 as usize).into_iter().flatten().copied());
                }
            }
        }
        let by_header = bodies.into_iter().map(|(header, body)| {
            let mut touched = Touched::default();
            for block in &body {
                for instruction in &function.block(*block).instructions {
                    subject.effects.of_instruction(subject.program, subject.points_to, id, instruction, &mut touched);
                }
            }
            (header, Loop { body, touched })
        });
        Loops { by_header: by_header.collect(), order }
    }
}

fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); function.blocks.len()];
    for (from, block) in (0..).map(BlockId).zip(&function.blocks) {
        for to in block.terminator.successors() {
            if let Some(list) = all.get_mut(to.0 as usize) {
                list.push(from);
            }
        }
    }
    all
}

/// A depth-first search: the reverse of the order in which blocks are left, and the edges that lead back.
fn search(function: &Function) -> (Vec<u32>, Vec<(BlockId, BlockId)>) {
    let count = function.blocks.len();
    let (mut entered, mut left) = (vec![false; count], vec![false; count]);
    let mut order = vec![0; count];
    let mut next = count as u32;
    let mut back_edges = Vec::new();
    let mut active: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    if count > 0 {
        entered[0] = true;
        // The last successor first: in `for` and `while` that is the way out, which is to come after the body.
        active.push((BlockId(0), function.block(BlockId(0)).terminator.successors()));
    }
    while let Some((block, successors)) = active.last_mut() {
        let block = *block;
        match successors.pop() {
            Some(to) => {
                let index = to.0 as usize;
                if index >= count {
                    continue;
                }
                if !entered[index] {
                    entered[index] = true;
                    active.push((to, function.block(to).terminator.successors()));
                } else if !left[index] {
                    back_edges.push((block, to));
                }
            }
            None => {
                left[block.0 as usize] = true;
                next -= 1;
                order[block.0 as usize] = next;
                active.pop();
            }
        }
    }
    (order, back_edges)
}
