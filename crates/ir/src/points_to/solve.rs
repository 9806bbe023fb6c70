//! Solving: what is new at a node is handed on until nothing is.

use super::constraints::connect;
use super::external;
use super::graph::{Graph, Node, Transfer};
use super::objects::{CellId, ObjectKind};
use crate::program::{FunctionId, Program};

pub fn solve(graph: &mut Graph, program: &Program) {
    loop {
        propagate(graph, program);
        if !transfer_all(graph, program) {
            return;
        }
    }
}

fn propagate(graph: &mut Graph, program: &Program) {
    while let Some(node) = graph.worklist.pop_front() {
        let data = &mut graph.nodes[node.0 as usize];
        data.is_waiting = false;
        let new = std::mem::take(&mut data.new);
        // What a node hands on only grows at the end of these lists, and what is added there has seen `new` already.
        let (copies, loads, stores) = (data.copies.clone(), data.loads.clone(), data.stores.clone());
        let (shifts, calls) = (data.shifts.clone(), data.calls.clone());
        let mut sorted = new;
        sorted.sort_unstable();
        sorted.dedup();
        for to in copies {
            graph.add(to, &sorted);
        }
        if loads.is_empty() && stores.is_empty() && shifts.is_empty() && calls.is_empty() {
            continue;
        }
        for cell in sorted.iter().copied().map(CellId) {
            let held = graph.cell_node(cell);
            for to in &loads {
                graph.copy(held, *to);
            }
            for value in &stores {
                graph.copy(*value, held);
            }
            for (to, shift) in &shifts {
                let target = graph.shifted(cell, *shift);
                graph.add(*to, &[target.0]);
            }
            if !calls.is_empty()
                && let Some(function) = graph.object(graph.cell(cell).object).kind.function()
            {
                for call in &calls {
                    connect(graph, program, *call, function);
                }
            }
        }
    }
}

/// Makes the transfers between what is there by now; true if anything is new.
fn transfer_all(graph: &mut Graph, program: &Program) -> bool {
    let mut changed = false;
    for index in 0..graph.transfers.len() {
        changed |= match graph.transfers[index] {
            Transfer::Copy { to, from, length } => copy_memory(graph, to, from, length),
            Transfer::Escape { from, outside } => escape(graph, program, from, outside),
        };
    }
    changed || !graph.worklist.is_empty()
}

fn copy_memory(graph: &mut Graph, to: Node, from: Node, length: Option<u64>) -> bool {
    let (sources, targets) = (graph.points_to(from).clone(), graph.points_to(to).clone());
    let mut changed = false;
    for source in sources.iter().map(CellId) {
        let start = graph.cell(source);
        let layout = graph.object(start.object).layout.clone();
        let array = layout.element_at(start.offset).filter(|array| array.element > 0);
        let cells: Vec<(u64, CellId)> =
            graph.object(start.object).cells.iter().map(|(at, cell)| (*at, *cell)).collect();
        for (at, cell) in cells {
            let distance = match array {
                // From somewhere in an array on, every field of its elements follows.
                Some(array) if (array.start..array.end).contains(&at) => {
                    (at as i64 - start.offset as i64).rem_euclid(array.element as i64) as u64
                }
                _ if at >= start.offset => at - start.offset,
                _ => continue,
            };
            if length.is_some_and(|length| distance >= length) {
                continue;
            }
            for target in targets.iter().map(CellId) {
                let place = graph.cell(target);
                let target = graph.cell_in(place.object, place.offset.saturating_add(distance));
                changed |= graph.copy(graph.cell_node(cell), graph.cell_node(target));
            }
        }
    }
    changed
}

/// What code that is not part of the program can reach, it can change and call.
fn escape(graph: &mut Graph, program: &Program, from: Node, outside: CellId) -> bool {
    let mut changed = false;
    let outside = graph.cell_node(outside);
    for cell in graph.points_to(from).clone().iter().map(CellId) {
        let object = graph.cell(cell).object;
        match graph.object(object).kind {
            ObjectKind::Function(function) => changed |= external::call_from_outside(graph, program, function, outside),
            ObjectKind::Global(global) if program.global(global).is_constant => {}
            _ => {
                let cells: Vec<CellId> = graph.object(object).cells.values().copied().collect();
                for cell in cells {
                    let node = graph.cell_node(cell);
                    changed |= graph.copy(node, outside) | graph.copy(outside, node);
                }
            }
        }
    }
    changed
}

/// Connects the arguments and the result of a call with a function, unless that was done.
pub fn is_new(graph: &mut Graph, call: u32, function: FunctionId) -> bool {
    graph.connected.insert((call, function))
}
