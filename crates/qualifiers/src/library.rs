//! Calls of functions without code.

use crate::generate::Generator;
use crate::node::{Flow, Node, SinkKind, SourceKind};
use ir::library::{Effect, Passed, Returns, model};
use ir::{Argument, CellId, FunctionId, ObjectKind, Operand, Register};

/// What a call of a function without code means for qualifiers.
pub fn call(at: &mut Generator<'_>, target: FunctionId, arguments: &[Argument], result: Option<Node>) {
    let function = at.program.function(target);
    for (index, (parameter, argument)) in (0..).zip(function.parameters.iter().zip(arguments)) {
        if parameter.nonnull {
            at.sink(&argument.value, SinkKind::Argument(target, index));
        }
    }
    let Some(model) = model(&function.name) else {
        return unknown(at, target, arguments, result);
    };
    for index in &model.nonnull {
        let is_declared = function.parameters.get(*index).is_some_and(|parameter| parameter.nonnull);
        if let Some(argument) = arguments.get(*index)
            && !is_declared
        {
            at.sink(&argument.value, SinkKind::Argument(target, *index as u32));
        }
    }
    if let Some(result) = result {
        if model.may_return_null {
            at.source(result, SourceKind::Library(target));
        }
        if let Returns::Argument(index) = model.returns
            && let Some(argument) = arguments.get(index)
            && !model.nonnull.contains(&index)
        {
            at.flow(&argument.value, result, Flow::Computed);
        }
        if model.returns == Returns::Zeroed {
            fresh_cells(at, result);
        }
    }
    for effect in &model.effects {
        match effect {
            Effect::FreshAt(to) | Effect::OwnAt(to) | Effect::KeptAt(to, _) => {
                if let Some(argument) = arguments.get(*to) {
                    for cell in at.cells(&argument.value) {
                        let node = at.nodes.cell(cell);
                        at.source(node, SourceKind::LibraryWrites(target));
                    }
                }
            }
            Effect::Copies(to, from) => {
                if let (Some(to), Some(from)) = (arguments.get(*to), arguments.get(*from)) {
                    at.copy(&to.value, &from.value, &Operand::Any { bits: 64 });
                }
            }
            Effect::Calls(callee, passed) => call_back(at, arguments, *callee, passed),
            Effect::Zeros(to) => {
                for cell in arguments.get(*to).map(|argument| at.cells(&argument.value)).unwrap_or_default() {
                    let cells: Vec<CellId> = at.points_to.object_of(cell).cells.values().copied().collect();
                    for cell in cells {
                        let node = at.nodes.cell(cell);
                        at.source(node, SourceKind::Zeroed);
                    }
                }
            }
            Effect::Bytes(_)
            | Effect::BytesFrom(_)
            | Effect::PointerInto(..)
            | Effect::Reaches(_)
            | Effect::Keeps(_)
            | Effect::ReturnsAt(_)
            | Effect::ReturnsWithin(_)
            | Effect::Elsewhere => {}
        }
    }
    if let Returns::Moved(from) = model.returns
        && let (Some(argument), Some(result)) = (arguments.get(from), result)
    {
        moved(at, &argument.value, result);
    }
}

/// The memory that a register points to which `calloc` has just filled.
fn fresh_cells(at: &mut Generator<'_>, result: Node) {
    for cell in cells_of_result(at, result) {
        let object = at.points_to.object_of(cell);
        if matches!(object.kind, ObjectKind::Heap(function, ..) if function == at.id) {
            let cells: Vec<CellId> = object.cells.values().copied().collect();
            for cell in cells {
                let node = at.nodes.cell(cell);
                at.source(node, SourceKind::Zeroed);
            }
        }
    }
}

/// What the register with this node points to.
fn cells_of_result(at: &Generator<'_>, result: Node) -> Vec<CellId> {
    let register = Register(result.0 - at.nodes.register(at.id, Register(0)).0);
    at.cells(&Operand::Register(register))
}

/// `realloc`: what was in the old memory is in the new one.
fn moved(at: &mut Generator<'_>, from: &Operand, result: Node) {
    let register = Register(result.0 - at.nodes.register(at.id, Register(0)).0);
    at.copy(&Operand::Register(register), from, &Operand::Any { bits: 64 });
}

fn call_back(at: &mut Generator<'_>, arguments: &[Argument], callee: usize, passed: &[Passed]) {
    let Some(callee) = arguments.get(callee) else { return };
    let functions: Vec<FunctionId> =
        at.cells(&callee.value).iter().filter_map(|cell| at.points_to.object_of(*cell).kind.function()).collect();
    for function in functions {
        for (index, passed) in (0..).zip(passed) {
            let node = at.nodes.register(function, Register(index));
            if let Passed::Argument(number) = passed
                && let Some(argument) = arguments.get(*number)
            {
                at.flow(&argument.value, node, Flow::Passed(function, index));
            }
        }
    }
}

/// A function of which nothing is known: its result may be null, and so may everything be that it can write to at once.
fn unknown(at: &mut Generator<'_>, target: FunctionId, arguments: &[Argument], result: Option<Node>) {
    let function = at.program.function(target);
    if let Some(result) = result
        && !function.result_nonnull
        && function.result.is_some_and(ir::Type::can_hold_pointer)
    {
        at.source(result, SourceKind::Unknown(target));
    }
    let name = function.name.clone();
    if hand_out(at, &SourceKind::Unknown(target), arguments) {
        at.assume(format!(
            "what the unknown function `{name}` can reach only through other memory is taken as unchanged"
        ));
    }
}

/// Arguments go to code of which nothing is known; true if they lead to memory.
pub fn hand_out(at: &mut Generator<'_>, source: &SourceKind, arguments: &[Argument]) -> bool {
    let mut reaches_memory = false;
    for argument in arguments {
        for cell in at.cells(&argument.value) {
            let object = at.points_to.object_of(cell);
            match object.kind {
                ObjectKind::Function(callee) if at.program.function(callee).has_code() => {
                    for index in 0..at.program.function(callee).parameters.len() as u32 {
                        let node = at.nodes.register(callee, Register(index));
                        at.source(node, source.clone());
                    }
                }
                ObjectKind::Function(_) | ObjectKind::External(_) => {}
                ObjectKind::Global(global) if at.program.global(global).is_constant => {}
                _ => {
                    reaches_memory = true;
                    let cells: Vec<CellId> = object.cells.values().copied().collect();
                    for cell in cells {
                        let node = at.nodes.cell(cell);
                        at.source(node, source.clone());
                    }
                }
            }
        }
    }
    reaches_memory
}
