//! From instructions to constraints.

use super::anywhere::Lead;
use super::external;
use super::graph::{CallSite, Graph, Transfer, WORD};
use super::nodes::{Node, Shift};
use super::objects::ObjectKind;
use super::solve::is_new;
use crate::program::{
    Argument, ArrayRange, Binary, Callee, Cast, Function, FunctionId, Instruction, Layout, Op, Operand, Program,
    Terminator,
};

pub fn generate(graph: &mut Graph, program: &Program) {
    globals(graph, program);
    for (id, function) in program.all_functions() {
        let mut at = Generator { graph, program, id, calls: 0 };
        for instruction in function.instructions() {
            at.instruction(instruction);
        }
        for block in &function.blocks {
            if let Terminator::Return(Some(value)) = &block.terminator
                && let Some(value) = at.node(value)
            {
                let result = at.graph.result(id);
                at.graph.copy(value, result);
            }
        }
    }
    external::entries(graph, program);
}

fn globals(graph: &mut Graph, program: &Program) {
    for (id, _) in program.all_functions() {
        graph.plain_object(ObjectKind::Function(id));
    }
    for (id, global) in (0..).map(crate::GlobalId).zip(&program.globals) {
        let object = graph.object_for(ObjectKind::Global(id), || global.layout.clone());
        graph.cell_in(object, 0);
        if global.is_constant {
            graph.make_constant(object);
        }
        if global.initial.is_none() {
            let elsewhere = graph.plain_object(ObjectKind::Elsewhere(id));
            graph.point_on(object, elsewhere);
            let more = graph.cell(elsewhere).object;
            graph.point_on(more, elsewhere);
        }
    }
    for (id, global) in (0..).map(crate::GlobalId).zip(&program.globals) {
        let object = graph.object_for(ObjectKind::Global(id), || global.layout.clone());
        for part in global.initial.iter().flatten() {
            if let Some(value) = constant_node(graph, &part.value) {
                let cell = graph.cell_in(object, part.offset);
                let node = graph.cell_node(cell);
                graph.copy(value, node);
            }
        }
    }
}

/// The node of an operand that is the same in all functions.
fn constant_node(graph: &mut Graph, operand: &Operand) -> Option<Node> {
    let cell = match operand {
        Operand::Global(global, offset) => {
            let object = graph.global_object(*global)?;
            let start = graph.cell_in(object, 0);
            match *offset {
                0 => start,
                constant => match graph.shifted(start, Shift { constant, array: None, is_field: false }) {
                    Lead::To(cell) => cell,
                    Lead::Anywhere(object) => return Some(graph.anywhere(object)),
                    Lead::Nowhere => return None,
                },
            }
        }
        Operand::Function(function) => graph.plain_object(ObjectKind::Function(*function)),
        _ => return None,
    };
    Some(graph.constant(cell))
}

struct Generator<'a> {
    graph: &'a mut Graph,
    program: &'a Program,
    id: FunctionId,
    calls: u32,
}

impl Generator<'_> {
    fn function(&self) -> &Function {
        self.program.function(self.id)
    }

    fn node(&mut self, operand: &Operand) -> Option<Node> {
        match operand {
            Operand::Register(register) => Some(self.graph.register(self.id, *register)),
            other => constant_node(self.graph, other),
        }
    }

    fn copy(&mut self, from: &Operand, to: Node) {
        if let Some(from) = self.node(from) {
            self.graph.copy(from, to);
        }
    }

    /// What an instruction sets and nothing else does is the same as what it is set to.
    fn is(&mut self, result: Node, value: Node) {
        self.graph.nodes.unify(result, value);
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let result = instruction.result.map(|register| self.graph.register(self.id, register));
        let holds = instruction.ty.can_hold_pointer();
        match (&instruction.op, result) {
            (Op::Variable { layout, count, .. }, Some(to)) => {
                let register = instruction.result.unwrap_or(crate::Register(0));
                let kind = ObjectKind::Variable(self.id, register);
                let object = self.graph.object_for(kind, || variable_layout(layout, count.is_some()));
                let cell = self.graph.cell_in(object, 0);
                self.graph.point_to_just(to, cell);
            }
            (Op::Load { address }, Some(to)) if holds => {
                if let Some(address) = self.node(address) {
                    let read = self.graph.read(address, instruction.ty.bytes());
                    self.is(to, read);
                }
            }
            (Op::Store { address, value, ty }, _) if ty.can_hold_pointer() => self.store(address, value, ty.bytes()),
            (Op::Exchange { address, value, ty }, to) if ty.can_hold_pointer() => {
                self.store(address, value, ty.bytes());
                if let (Some(address), Some(to)) = (self.node(address), to) {
                    self.graph.load(address, to, ty.bytes());
                }
            }
            (Op::Offset { base, constant, steps, walk, field }, Some(to)) => {
                let is_field = field.is_some() && steps.is_empty() && walk.is_none();
                let indexed = steps.iter().map(|step| (step.scale, step.bound)).min_by_key(|(scale, _)| *scale);
                let indexed = if steps.len() > 1 { indexed.map(|(scale, _)| (scale, None)) } else { indexed };
                let (constant, array) = match (walk, indexed) {
                    (Some(element), None) => (0, Some((*element, None))),
                    (Some(_), Some(array)) => (0, Some(array)),
                    (None, array) => (*constant, array),
                };
                if let Some(base) = self.node(base) {
                    let shifted = self.graph.shift_of(base, Shift { constant, array, is_field });
                    self.is(to, shifted);
                }
            }
            (Op::Binary(operation, a, b), Some(to)) if holds => self.arithmetic(*operation, a, b, to),
            (Op::Cast { cast, value, .. }, Some(to)) if holds => {
                if *cast == Cast::IntegerToPointer {
                    let outside = self.graph.plain_object(ObjectKind::Integer);
                    self.graph.add(to, outside);
                    self.copy(value, to);
                } else if let Some(value) = self.node(value) {
                    self.is(to, value);
                }
            }
            (Op::Select(_, a, b), Some(to)) if holds => {
                self.copy(a, to);
                self.copy(b, to);
            }
            (Op::Phi(incoming), Some(to)) if holds => incoming.iter().for_each(|(_, value)| self.copy(value, to)),
            (Op::Extract { value, .. }, Some(to)) if holds => {
                if let Some(value) = self.node(value) {
                    self.is(to, value);
                }
            }
            (Op::Insert { value, part, .. }, Some(to)) => {
                self.copy(value, to);
                self.copy(part, to);
            }
            (Op::Copy { to, from, length }, _) => {
                if let (Some(to), Some(from)) = (self.node(to), self.node(from)) {
                    let length = known(length);
                    self.graph.transfers.push(Transfer::Copy { to, from, length });
                }
            }
            (Op::Call { callee, arguments }, to) => self.call(callee, arguments, to),
            (Op::StartVariadic { list }, _) => {
                let cell = self.graph.plain_object(ObjectKind::Variadic(self.id));
                let value = self.graph.constant(cell);
                if let Some(list) = self.node(list) {
                    // The two pointers in the list of the System V ABI: memory for the rest, and saved registers.
                    for constant in [8, 16] {
                        let field = self.graph.temporary();
                        self.graph.shift(list, field, Shift { constant, array: None, is_field: false });
                        self.graph.store(field, value, WORD);
                    }
                }
            }
            (Op::Opaque(operands) | Op::Unknown { operands, .. }, Some(to)) if holds => {
                let operands: Vec<Node> = operands.iter().filter_map(|operand| self.node(operand)).collect();
                for from in operands {
                    self.graph.copy(from, to);
                }
                if instruction.ty.is_pointer {
                    let outside = self.graph.plain_object(ObjectKind::Integer);
                    self.graph.add(to, outside);
                }
            }
            _ => {}
        }
        if let Op::Unknown { operands, .. } = &instruction.op {
            let outside = self.graph.plain_object(ObjectKind::Integer);
            let operands: Vec<Node> = operands.iter().filter_map(|operand| self.node(operand)).collect();
            self.graph.transfers.extend(operands.into_iter().map(|from| Transfer::Escape { from, outside }));
        }
    }

    fn store(&mut self, address: &Operand, value: &Operand, bytes: u64) {
        if let (Some(address), Some(value)) = (self.node(address), self.node(value)) {
            self.graph.store(address, value, bytes);
        }
    }

    /// Arithmetic on pointers that were made integers leads to somewhere in the same objects.
    fn arithmetic(&mut self, operation: Binary, a: &Operand, b: &Operand, to: Node) {
        let constant = match (operation, known(b)) {
            (Binary::Add, Some(bytes)) => Some(bytes as i64),
            (Binary::Sub, Some(bytes)) => Some((bytes as i64).wrapping_neg()),
            (Binary::And | Binary::Or | Binary::Xor, Some(_)) => Some(0),
            _ => None,
        };
        let shift = match constant {
            Some(constant) => Shift { constant, array: None, is_field: false },
            None => Shift { constant: 0, array: Some((1, None)), is_field: false },
        };
        let operands: Vec<Node> = [a, b].into_iter().filter_map(|operand| self.node(operand)).collect();
        for from in operands {
            self.graph.shift(from, to, shift);
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<Node>) {
        let number = self.graph.calls.len() as u32;
        let in_function = self.calls;
        self.calls += 1;
        let arguments = arguments.iter().map(|argument| (self.node(&argument.value), argument.by_value)).collect();
        self.graph.calls.push(CallSite { caller: self.id, number: in_function, arguments, result });
        debug_assert!(self.function().has_code());
        match callee {
            Callee::Direct(function) => connect(self.graph, self.program, number, *function),
            Callee::Indirect(pointer) => {
                if let Some(pointer) = self.node(pointer) {
                    self.graph.call_through(pointer, number);
                }
            }
        }
    }
}

fn known(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Integer { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// A variable of which there are several in a row is an array.
fn variable_layout(layout: &Layout, is_array: bool) -> Layout {
    let mut layout = layout.clone();
    if is_array {
        layout.arrays.insert(0, ArrayRange { start: 0, element: layout.size.max(1), end: u64::MAX });
        layout.size = 0;
    }
    layout
}

/// Lets the arguments of a call flow to a function, and its result back.
pub fn connect(graph: &mut Graph, program: &Program, call: u32, id: FunctionId) {
    if !is_new(graph, call, id) {
        return;
    }
    let site = graph.calls[call as usize].clone();
    let function = program.function(id);
    if !function.has_code() {
        external::call(graph, program, &site, id);
        return;
    }
    for (index, (value, bytes)) in site.arguments.iter().enumerate() {
        let Some(value) = *value else { continue };
        match function.parameters.get(index) {
            Some(parameter) => {
                let register = graph.register(id, crate::Register(index as u32));
                match &parameter.by_value {
                    None => {
                        graph.copy(value, register);
                    }
                    Some(layout) => {
                        let kind = ObjectKind::ByValue(id, index as u32);
                        let object = graph.object_for(kind, || layout.clone());
                        let cell = graph.cell_in(object, 0);
                        graph.add(register, cell);
                        graph.transfers.push(Transfer::Copy { to: register, from: value, length: *bytes });
                    }
                }
            }
            None => {
                let cell = graph.plain_object(ObjectKind::Variadic(id));
                match *bytes {
                    None => {
                        let node = graph.cell_node(cell);
                        graph.copy(value, node);
                    }
                    // A structure lies there itself.
                    length => {
                        let to = graph.constant(cell);
                        graph.transfers.push(Transfer::Copy { to, from: value, length });
                    }
                }
            }
        }
    }
    if let Some(result) = site.result {
        let returned = graph.result(id);
        graph.copy(returned, result);
    }
}
