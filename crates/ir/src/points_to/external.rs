//! Functions without code, and functions that are called from outside.

use super::PointsTo;
use super::graph::{CallSite, Graph, Transfer, WORD};
use super::nodes::{Node, Shift};
use super::objects::{CellId, ObjectKind};
use crate::library::{self, Effect, Passed, Returns};
use crate::program::{ArrayRange, FunctionId, Layout, Op, Program, Register};

/// Anywhere within what a pointer points to.
const WITHIN: Shift = Shift { constant: 0, array: Some((1, None)), is_field: false };

/// The effect of a call on what pointers point to.
pub fn call(graph: &mut Graph, program: &Program, site: &CallSite, id: FunctionId) {
    match library::model(&program.function(id).name) {
        Some(model) => {
            known(graph, site, id, model.returns);
            for (number, effect) in (1..).zip(&model.effects) {
                apply(graph, program, site, id, effect, number);
            }
        }
        None => unknown(graph, site, id),
    }
}

fn argument(site: &CallSite, index: usize) -> Option<Node> {
    site.arguments.get(index).and_then(|(node, _)| *node)
}

fn fresh(graph: &mut Graph, site: &CallSite, number: u32) -> CellId {
    let kind = ObjectKind::Heap(site.caller, site.number, number);
    let object = graph.object_for(kind, Layout::default);
    graph.cell_in(object, 0)
}

fn known(graph: &mut Graph, site: &CallSite, id: FunctionId, returns: Returns) {
    let Some(result) = site.result else { return };
    match returns {
        Returns::Plain => {}
        Returns::Fresh | Returns::Zeroed | Returns::FreshBytes => {
            let cell = fresh(graph, site, 0);
            graph.add(result, cell);
        }
        Returns::Moved(index) => {
            let cell = fresh(graph, site, 0);
            graph.add(result, cell);
            if let Some(from) = argument(site, index) {
                graph.transfers.push(Transfer::Copy { to: result, from, length: None });
            }
        }
        Returns::Argument(index) => {
            if let Some(from) = argument(site, index) {
                graph.copy(from, result);
            }
        }
        Returns::Within(index) => {
            if let Some(from) = argument(site, index) {
                graph.shift(from, result, WITHIN);
            }
        }
        Returns::Own => {
            let cell = own(graph, id);
            graph.add(result, cell);
        }
        Returns::Kept => {
            let kept = kept(graph, id);
            graph.copy(kept, result);
        }
    }
}

/// Memory of a library function's own. It may point to more of it.
fn own(graph: &mut Graph, id: FunctionId) -> CellId {
    let cell = graph.plain_object(ObjectKind::External(id));
    let node = graph.cell_node(cell);
    graph.add(node, cell);
    cell
}

/// What a library function has kept.
fn kept(graph: &mut Graph, id: FunctionId) -> Node {
    let cell = graph.plain_object(ObjectKind::External(id));
    graph.cell_node(cell)
}

fn apply(graph: &mut Graph, program: &Program, site: &CallSite, id: FunctionId, effect: &Effect, number: u32) {
    match effect {
        Effect::Bytes(_) | Effect::BytesFrom(_) | Effect::Zeros(_) | Effect::Reaches(_) | Effect::Elsewhere => {}
        Effect::Keeps(index) => {
            if let Some(from) = argument(site, *index) {
                let kept = kept(graph, id);
                graph.shift(from, kept, WITHIN);
            }
        }
        Effect::KeptAt(to, by) => {
            if let (Some(to), Some(by)) = (argument(site, *to), program.function_named(by)) {
                let kept = kept(graph, by);
                graph.store(to, kept, WORD);
            }
        }
        Effect::ReturnsAt(index) => {
            if let (Some(from), Some(result)) = (argument(site, *index), site.result) {
                graph.load(from, result, WORD);
            }
        }
        Effect::ReturnsWithin(index) => {
            if let (Some(from), Some(result)) = (argument(site, *index), site.result) {
                graph.shift(from, result, WITHIN);
            }
        }
        Effect::PointerInto(to, into) => {
            if let (Some(to), Some(into)) = (argument(site, *to), argument(site, *into)) {
                let value = graph.temporary();
                graph.shift(into, value, WITHIN);
                graph.store(to, value, WORD);
            }
        }
        Effect::FreshAt(to) => {
            if let Some(to) = argument(site, *to) {
                let cell = fresh(graph, site, number);
                let value = graph.constant(cell);
                graph.store(to, value, WORD);
            }
        }
        Effect::OwnAt(to) => {
            if let Some(to) = argument(site, *to) {
                let cell = own(graph, id);
                let value = graph.constant(cell);
                graph.store(to, value, WORD);
            }
        }
        Effect::Copies(to, from) => {
            if let (Some(to), Some(from)) = (argument(site, *to), argument(site, *from)) {
                graph.transfers.push(Transfer::Copy { to, from, length: None });
            }
        }
        Effect::Calls(callee, passed) => {
            let Some(callee) = argument(site, *callee) else { return };
            let arguments = passed.iter().map(|passed| {
                let node = match passed {
                    Passed::Argument(index) => argument(site, *index),
                    Passed::Within(index) => argument(site, *index).map(|from| {
                        let value = graph.temporary();
                        graph.shift(from, value, WITHIN);
                        value
                    }),
                    Passed::Own => {
                        let cell = own(graph, id);
                        Some(graph.constant(cell))
                    }
                    Passed::Plain => None,
                };
                (node, None)
            });
            let arguments = arguments.collect();
            let call = graph.calls.len() as u32;
            let keeps = library::model(&program.function(id).name).is_some_and(|model| model.keeps_results);
            let result = if keeps { Some(kept(graph, id)) } else { None };
            // No call of the program's own has this number.
            graph.calls.push(CallSite { caller: site.caller, number: u32::MAX, arguments, result });
            graph.call_through(callee, call);
        }
    }
}

fn unknown(graph: &mut Graph, site: &CallSite, id: FunctionId) {
    let outside = graph.plain_object(ObjectKind::External(id));
    hand_out(graph, site, outside);
}

/// Lets a call go to code that nobody sees, if that is what a cell may be.
pub fn call_outside(graph: &mut Graph, call: u32, cell: CellId) {
    let object = graph.cell(cell).object;
    if graph.object(object).kind.may_be_code() && graph.connected_outside.insert((call, object)) {
        let site = graph.calls[call as usize].clone();
        hand_out(graph, &site, cell);
    }
}

/// Lets code of which nothing is known have what a call passes to it, and return what it has.
fn hand_out(graph: &mut Graph, site: &CallSite, outside: CellId) {
    let node = graph.cell_node(outside);
    graph.add(node, outside);
    if let Some(result) = site.result {
        graph.copy(node, result);
    }
    for (value, _) in &site.arguments {
        if let Some(value) = *value {
            graph.copy(value, node);
        }
    }
    graph.transfers.push(Transfer::Escape { from: node, outside });
}

/// Lets a function be called by code that is not part of the program, with what that has.
pub fn call_from_outside(graph: &mut Graph, program: &Program, id: FunctionId, outside: Node) -> bool {
    let function = program.function(id);
    let mut changed = false;
    if function.has_code() {
        for index in 0..function.parameters.len() as u32 {
            let register = graph.register(id, Register(index));
            changed |= graph.copy(outside, register);
        }
        let result = graph.result(id);
        changed |= graph.copy(result, outside);
    }
    changed
}

/// Where the program starts: `main`, or all that others can call if there is none.
pub fn entries(graph: &mut Graph, program: &Program) {
    if let Some(main) = program.function_named("main") {
        let array = || Layout { size: 0, arrays: vec![ArrayRange { start: 0, element: 8, end: u64::MAX }] };
        let arguments = graph.object_for(ObjectKind::Arguments, array);
        let cell = graph.cell_in(arguments, 0);
        let texts = graph.plain_object(ObjectKind::ArgumentTexts);
        let node = graph.cell_node(cell);
        graph.add(node, texts);
        // Constructors get the same arguments.
        for id in program.constructors.iter().copied().chain([main]) {
            for index in 1..program.function(id).parameters.len() as u32 {
                let register = graph.register(id, Register(index));
                graph.add(register, cell);
            }
        }
        return;
    }
    for (id, function) in program.all_functions().filter(|(_, function)| function.has_code() && function.is_visible) {
        for (index, parameter) in (0..).zip(&function.parameters) {
            if parameter.ty.can_hold_pointer() {
                let object = graph.object_for(ObjectKind::Outside(id, index), Layout::default);
                let cell = graph.cell_in(object, 0);
                let register = graph.register(id, Register(index));
                graph.add(register, cell);
                // Wherever it may point on, it is to more of the same.
                graph.point_on(object, cell);
            }
        }
    }
}

/// The functions of the program that a call of one without code may call.
pub fn called_back(
    points_to: &PointsTo,
    program: &Program,
    caller: FunctionId,
    id: FunctionId,
    call: &Op,
) -> Vec<FunctionId> {
    let (Op::Call { arguments, .. }, false) = (call, program.function(id).has_code()) else { return Vec::new() };
    let model = library::model(&program.function(id).name);
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let is_called = model.is_none_or(|model| {
            model.effects.iter().any(|effect| matches!(effect, Effect::Calls(callee, _) if *callee == index))
        });
        if is_called {
            let cells = points_to.of(caller, &argument.value);
            found.extend(cells.iter().filter_map(|cell| points_to.object_of(CellId(cell)).kind.function()));
        }
    }
    if model.is_none() {
        let outside =
            points_to.object_of_kind(ObjectKind::External(id)).and_then(|object| points_to.cell_at(object, 0));
        found.extend(outside.into_iter().flat_map(|cell| reached_from(points_to, cell)));
    }
    found
}

/// The functions of the program that code which nobody sees may call: what it can reach.
pub fn reached_from(points_to: &PointsTo, outside: CellId) -> Vec<FunctionId> {
    let cells = points_to.contents(outside).iter();
    cells.filter_map(|cell| points_to.object_of(CellId(cell)).kind.function()).collect()
}
