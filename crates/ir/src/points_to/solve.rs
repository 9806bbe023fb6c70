//! Solving: in waves. What is new is handed on from node to node, each before those that it is copied to; then cells that arrived are
//! read, written and called, and that makes the next wave.

use super::anywhere::Lead;
use super::bits::Bits;
use super::constraints::connect;
use super::graph::{CELLS, Graph, Transfer, WORD};
use super::nodes::{Node, Shift, Uses};
use super::objects::{Cell, CellId, Object, ObjectId, ObjectKind};
use super::{cycles, external};
use crate::program::{FunctionId, Program};
use rustc_hash::FxHashSet;

/// Nodes whose cells are used between two looks at the clock.
const BETWEEN_LOOKS: usize = 256;

/// Solves all constraints; nothing if `stop` says that the time is up.
pub fn solve(graph: &mut Graph, program: &Program, stop: &dyn Fn() -> bool) -> Option<()> {
    let mut arrays = graph.arrays_found;
    loop {
        propagate(graph, program, stop)?;
        if transfer_all(graph, program) {
            continue;
        }
        if arrays == graph.arrays_found {
            return Some(());
        }
        arrays = graph.arrays_found;
        // What goes backwards may have done so before its start was known to lie in an array.
        graph.nodes.again_where(|uses| uses.shifts.iter().any(|(shift, _)| shift.is_backwards()));
    }
}

fn propagate(graph: &mut Graph, program: &Program, stop: &dyn Fn() -> bool) -> Option<()> {
    while graph.nodes.has_changed() {
        let changed = graph.nodes.take_changed();
        let order = cycles::collapse(&mut graph.nodes, &changed);
        let used: Vec<Node> = order.into_iter().filter(|node| graph.nodes.hand_on(*node)).collect();
        for (number, node) in used.into_iter().enumerate() {
            if number.is_multiple_of(BETWEEN_LOOKS) && stop() {
                return None;
            }
            let cells = graph.nodes.take_unused(node);
            if let Some(uses) = graph.nodes.known_uses(node).cloned() {
                apply(graph, program, node, &uses, &cells);
            }
        }
    }
    Some(())
}

/// Lets cells be used that arrived at a node.
fn apply(graph: &mut Graph, program: &Program, node: Node, uses: &Uses, cells: &Bits) {
    let is_function = |graph: &Graph, cell: CellId| graph.object(graph.cell(cell).object).kind.function();
    let mut memory: Vec<CellId> = Vec::new();
    for cell in cells.iter().map(|cell| graph.current(CellId(cell))).collect::<Vec<_>>() {
        let Some(function) = is_function(graph, cell) else {
            memory.push(cell);
            uses.calls.iter().for_each(|call| external::call_outside(graph, *call, cell));
            continue;
        };
        for call in &uses.calls {
            connect(graph, program, *call, function);
        }
        // Code is nothing that pointers are read from or written to.
        for (_, to) in &uses.shifts {
            graph.add(*to, cell);
        }
    }
    memory.sort_unstable();
    memory.dedup();
    if !uses.shifts.is_empty() {
        // Where the marker leads to, the other cells of the object lead, too.
        let moves = |cell: &&CellId| graph.is_marker(**cell) || !graph.may_be_anywhere(node, graph.cell(**cell).object);
        let moved: Vec<CellId> = memory.iter().filter(moves).copied().collect();
        uses.shifts.iter().for_each(|(shift, to)| shift_all(graph, &moved, *shift, *to));
    }
    let variable: Vec<CellId> = memory.iter().copied().filter(|cell| !graph.is_constant(*cell)).collect();
    if let Some(to) = uses.read {
        holders(graph, &memory).into_iter().for_each(|holder| {
            graph.copy(holder, to);
        });
    }
    if let Some(value) = uses.written {
        holders(graph, &variable).into_iter().for_each(|holder| {
            graph.copy(value, holder);
        });
    }
    for (to, bytes) in &uses.wide_reads {
        for cell in memory.iter().flat_map(|cell| graph.accessed(*cell, *bytes)).collect::<Vec<_>>() {
            graph.copy(graph.cell_node(cell), *to);
        }
    }
    for (value, bytes) in &uses.wide_writes {
        for cell in variable.iter().flat_map(|cell| graph.accessed(*cell, *bytes)).collect::<Vec<_>>() {
            graph.copy(*value, graph.cell_node(cell));
        }
    }
}

/// The nodes for what some cells hold.
fn holders(graph: &Graph, cells: &[CellId]) -> Vec<Node> {
    let mut holders: Vec<Node> = cells.iter().map(|cell| graph.nodes.find(graph.cell_node(*cell))).collect();
    holders.sort_unstable();
    holders.dedup();
    holders
}

/// Lets a node point to where a shift leads to from some cells.
fn shift_all(graph: &mut Graph, cells: &[CellId], shift: Shift, to: Node) {
    let mut leads: Vec<Lead> = cells.iter().map(|cell| graph.shifted(*cell, shift)).collect();
    if shift.is_backwards() {
        leads.extend(cells.iter().flat_map(|cell| graph.shifted_from_later_elements(*cell, shift)));
    }
    let cell = |lead: &Lead| match lead {
        Lead::To(cell) => Some(cell.0),
        Lead::Nowhere | Lead::Anywhere(_) => None,
    };
    graph.nodes.add(to, &leads.iter().filter_map(cell).collect());
    for lead in leads {
        if let Lead::Anywhere(object) = lead {
            let anywhere = graph.anywhere(object);
            graph.copy(anywhere, to);
        }
    }
}

/// Makes the transfers between what is there by now; true if anything is new.
fn transfer_all(graph: &mut Graph, program: &Program) -> bool {
    let mut changed = false;
    let mut made = FxHashSet::default();
    for index in 0..graph.transfers.len() {
        let find = |node| graph.nodes.find(node);
        changed |= match graph.transfers[index] {
            Transfer::Copy { to, from, length } => {
                let (to, from) = (find(to), find(from));
                made.insert(Transfer::Copy { to, from, length }) && copy_memory(graph, index, to, from, length)
            }
            Transfer::Escape { from, outside } => {
                let from = find(from);
                made.insert(Transfer::Escape { from, outside }) && escape(graph, program, from, outside)
            }
        };
    }
    changed || graph.nodes.has_changed()
}

/// Copies memory. What lies at the same distance from the start of any source comes together in a node, and goes from there to
/// every target: there are far more pairs of them.
fn copy_memory(graph: &mut Graph, transfer: usize, to: Node, from: Node, length: Option<u64>) -> bool {
    let starts = |node: Node| -> Vec<Cell> {
        let cells = graph.nodes.points_to(node).iter().map(|cell| graph.cell(CellId(cell)));
        let is_start = |cell: &Cell| {
            graph.object(cell.object).kind.function().is_none() && !graph.may_be_anywhere(node, cell.object)
        };
        let mut starts: Vec<Cell> = cells.filter(is_start).collect();
        starts.sort_unstable_by_key(|cell| (cell.object, cell.offset));
        starts.dedup();
        starts
    };
    let (sources, targets) = (starts(from), starts(to));
    let (any_source, any_target) = (graph.anywhere_of(from), graph.anywhere_of(to));
    // This never becomes less: cells that became one are all counted.
    let cells = [from, to].into_iter().flat_map(|node| graph.nodes.points_to(node).iter());
    let seen = cells.map(|cell| 1 + graph.changes(graph.cell(CellId(cell)).object)).sum();
    let is_nothing = sources.is_empty() && any_source.is_empty() || targets.is_empty() && any_target.is_empty();
    if graph.transferred.insert(transfer, seen) == Some(seen) || is_nothing {
        return false;
    }
    let length = length.unwrap_or(u64::MAX);
    // A place that only the copy's readers name was filled all the same, as part of something larger.
    let all = sources.iter().chain(&targets);
    let mut distances: Vec<u64> =
        all.flat_map(|start| distances(graph.object(start.object), start.offset, length)).collect();
    distances.sort_unstable();
    distances.dedup();
    if distances.is_empty() {
        distances.push(0);
    }
    let mut changed = false;
    for distance in distances {
        let between = graph.between(transfer, distance);
        for node in &any_source {
            let read = graph.read(*node, WORD);
            changed |= graph.copy(read, between);
        }
        any_target.iter().for_each(|node| graph.store(*node, between, WORD));
        for (starts, is_source) in [(&sources, true), (&targets, false)] {
            for start in starts {
                let offset = start.offset.saturating_add(distance);
                let is_possible = is_source || !graph.object(start.object).is_constant;
                if is_possible && graph.has_place(start.object, offset) {
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
    let cells = graph.nodes.points_to(from).iter();
    let mut objects: Vec<ObjectId> = cells.map(|cell| graph.cell(CellId(cell)).object).collect();
    objects.sort_unstable();
    objects.dedup();
    for object in objects {
        match graph.object(object).kind {
            ObjectKind::Function(function) => changed |= external::call_from_outside(graph, program, function, outside),
            _ => {
                let is_constant = graph.object(object).is_constant;
                let cells: Vec<CellId> = graph.object(object).cells.values().copied().collect();
                for cell in cells {
                    let node = graph.cell_node(cell);
                    changed |= graph.copy(node, outside);
                    changed |= !is_constant && graph.copy(outside, node);
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
