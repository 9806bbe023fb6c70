//! Solving: what is new at a node is handed on until nothing is.

use super::constraints::connect;
use super::external;
use super::graph::{CELLS, Graph, Node, Transfer, WORD};
use super::objects::{CellId, Object, ObjectKind};
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
            Transfer::Copy { to, from, length } => copy_memory(graph, to, from, length),
            Transfer::Escape { from, outside } => escape(graph, program, from, outside),
        };
    }
    changed || !graph.worklist.is_empty()
}

fn copy_memory(graph: &mut Graph, to: Node, from: Node, length: Option<u64>) -> bool {
    let (sources, targets) = (graph.points_to(from).clone(), graph.points_to(to).clone());
    let length = length.unwrap_or(u64::MAX);
    let mut changed = false;
    for source in sources.iter().map(CellId) {
        for target in targets.iter().map(CellId) {
            let (source, target) = (graph.cell(source), graph.cell(target));
            if [source, target].iter().any(|cell| graph.object(cell.object).kind.function().is_some()) {
                continue;
            }
            let mut distances = distances(graph.object(source.object), source.offset, length);
            // A place that only the copy's readers name was filled all the same, as part of something larger.
            distances.extend(self::distances(graph.object(target.object), target.offset, length));
            distances.sort_unstable();
            distances.dedup();
            for distance in distances {
                let places = [source, target].map(|cell| (cell.object, cell.offset.saturating_add(distance)));
                if places.iter().all(|(object, offset)| graph.has_place(*object, *offset)) {
                    let [from, to] = places.map(|(object, offset)| graph.cell_in(object, offset));
                    changed |= graph.copy(graph.cell_node(from), graph.cell_node(to));
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
