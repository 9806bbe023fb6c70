//! Solving: what is new at a node is handed on until nothing is.

use super::constraints::connect;
use super::external;
use super::graph::{CELLS, Graph, Node, Transfer, WORD};
use super::objects::{Cell, CellId, Object, ObjectKind};
use crate::program::{FunctionId, Program};
use crate::set::Set;

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
            let function = graph.object(graph.cell(cell).object).kind.function();
            if let Some(function) = function {
                for call in &calls {
                    connect(graph, program, *call, function);
                }
                // Code is nothing that pointers are read from or written to.
                for (to, _) in &shifts {
                    graph.add(*to, &[cell.0]);
                }
                continue;
            }
            for (to, bytes) in &loads {
                for read in graph.accessed(cell, *bytes) {
                    graph.copy(graph.cell_node(read), *to);
                }
            }
            for (value, bytes) in &stores {
                for written in graph.accessed(cell, *bytes) {
                    graph.copy(*value, graph.cell_node(written));
                }
            }
            for (to, shift) in &shifts {
                let target = graph.shifted(cell, *shift);
                graph.add(*to, &[target.0]);
            }
        }
    }
}

/// Makes the transfers between what is there by now; true if anything is new.
fn transfer_all(graph: &mut Graph, program: &Program) -> bool {
    let mut changed = false;
    for index in 0..graph.transfers.len() {
        changed |= match graph.transfers[index] {
            Transfer::Copy { to, from, length } => copy_memory(graph, index, to, from, length),
            Transfer::Escape { from, outside } => escape(graph, program, from, outside),
        };
    }
    changed || !graph.worklist.is_empty()
}

/// Copies memory. What lies at the same distance from the start of any source comes together in a node, and goes from there to
/// every target: there are far more pairs of them.
fn copy_memory(graph: &mut Graph, transfer: usize, to: Node, from: Node, length: Option<u64>) -> bool {
    let (sources, targets) = (graph.points_to(from).clone(), graph.points_to(to).clone());
    let seen = (sources.len(), targets.len(), graph.cell_count());
    if graph.transferred.insert(transfer, seen) == Some(seen) {
        return false;
    }
    let length = length.unwrap_or(u64::MAX);
    let starts = |graph: &Graph, cells: &Set| -> Vec<Cell> {
        let cells = cells.iter().map(|cell| graph.cell(CellId(cell)));
        let mut starts: Vec<Cell> = cells.filter(|cell| graph.object(cell.object).kind.function().is_none()).collect();
        starts.sort_unstable_by_key(|cell| (cell.object, cell.offset));
        starts.dedup();
        starts
    };
    let (sources, targets) = (starts(graph, &sources), starts(graph, &targets));
    if sources.is_empty() || targets.is_empty() {
        return false;
    }
    // A place that only the copy's readers name was filled all the same, as part of something larger.
    let all = sources.iter().chain(&targets);
    let mut distances: Vec<u64> =
        all.flat_map(|start| distances(graph.object(start.object), start.offset, length)).collect();
    distances.sort_unstable();
    distances.dedup();
    let mut changed = false;
    for distance in distances {
        let between = graph.between(transfer, distance);
        for (starts, is_source) in [(&sources, true), (&targets, false)] {
            for start in starts {
                let offset = start.offset.saturating_add(distance);
                if graph.has_place(start.object, offset) {
                    let cell = graph.cell_in(start.object, offset);
                    let node = graph.cell_node(cell);
                    changed |= if is_source { graph.copy(node, between) } else { graph.copy(between, node) };
                }
            }
        }
    }
    changed
}

/// How far behind `start` there are cells of an object, up to a number of bytes. In an array that is so in every
/// element.
pub fn distances(object: &Object, start: u64, length: u64) -> Vec<u64> {
    let array = object.layout.element_at(start).filter(|array| array.element > 0);
    let mut found = Vec::new();
    for at in object.cells.keys().copied() {
        match array {
            Some(array) if (array.start..array.end).contains(&at) => {
                let first = (at as i64 - start as i64).rem_euclid(array.element as i64) as u64;
                let end = length.min(array.end - start);
                let repeated = (first..end).step_by(usize::try_from(array.element).unwrap_or(usize::MAX));
                // Parts of a pointer are no places of their own, and where no length is known there is no end to them.
                let is_one = array.element < WORD || end > object.layout.size.max(CELLS as u64 * WORD);
                let limit = if is_one { 1 } else { CELLS };
                found.extend(repeated.take(limit));
            }
            _ if at >= start && at - start < length => found.push(at - start),
            _ => {}
        }
    }
    found
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
