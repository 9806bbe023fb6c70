//! From the instructions of a function to constraints.

use crate::node::{Edge, Flow, Node, Nodes, Sink, SinkKind, Source, SourceKind};
use crate::{FunctionConstraints, Sinks, library};
use ir::{
    Argument, Callee, Cast, CellId, FunctionId, Instruction, Op, Operand, PointsTo, Program, Register, SiteId,
    Terminator,
};

/// Pairs of places that memory is copied from and to, each of which is a flow of its own.
const PAIRS: usize = 64;

/// What is generated for a function.
pub struct Generated {
    pub constraints: FunctionConstraints,
    pub assumptions: Vec<(FunctionId, SiteId, String)>,
}

/// Generates the constraints of a function.
pub fn function(program: &Program, points_to: &PointsTo, nodes: &Nodes, id: FunctionId, sinks: Sinks) -> Generated {
    let generated = Generated { constraints: FunctionConstraints::default(), assumptions: Vec::new() };
    let mut at = Generator { program, points_to, nodes, id, sinks, site: SiteId(0), place: (0, 0), generated };
    let function = program.function(id);
    for (number, block) in (0..).zip(&function.blocks) {
        let mut starts = Vec::with_capacity(block.instructions.len() + 2);
        for (index, instruction) in (0..).zip(&block.instructions) {
            starts.push(at.generated.constraints.counts());
            at.place = (number, index);
            at.site = instruction.site;
            at.instruction(instruction);
        }
        starts.push(at.generated.constraints.counts());
        at.place = (number, block.instructions.len() as u32);
        at.site = block.site;
        if let Terminator::Return(Some(value)) = &block.terminator {
            let result = nodes.result(id);
            if function.result_nonnull {
                at.sink(value, SinkKind::Result);
            } else if function.result.is_some_and(ir::Type::can_hold_pointer) {
                at.flow(value, result, Flow::Returned);
            }
        }
        starts.push(at.generated.constraints.counts());
        at.generated.constraints.starts.push(starts);
    }
    at.generated
}

pub struct Generator<'a> {
    pub program: &'a Program,
    pub points_to: &'a PointsTo,
    pub nodes: &'a Nodes,
    pub id: FunctionId,
    sinks: Sinks,
    pub site: SiteId,
    place: (u32, u32),
    generated: Generated,
}

impl Generator<'_> {
    /// Whether it is a place that cannot be written to.
    fn is_constant(&self, node: Node) -> bool {
        self.nodes.as_cell(node).is_some_and(|cell| self.points_to.object_of(cell).is_constant)
    }

    pub fn edge(&mut self, from: Node, to: Node, flow: Flow) {
        if self.is_constant(to) {
            return;
        }
        self.generated.constraints.edges.push(Edge { from, to, flow, site: self.site });
    }

    pub fn source(&mut self, node: Node, kind: SourceKind) {
        if self.is_constant(node) {
            return;
        }
        let source = Source { node, kind, function: Some(self.id), site: self.site };
        self.generated.constraints.sources.push(source);
    }

    pub fn assume(&mut self, what: String) {
        self.generated.assumptions.push((self.id, self.site, what));
    }

    pub fn sink(&mut self, value: &Operand, kind: SinkKind) {
        let node = match value {
            Operand::Register(register) => Some(self.nodes.register(self.id, *register)),
            Operand::Null | Operand::Zero { .. } | Operand::Integer { value: 0, .. } => None,
            missing if self.program.may_be_missing(missing) => None,
            _ => return,
        };
        let sink = Sink { node, kind, function: self.id, site: self.site, value: value.clone(), at: self.place };
        self.generated.constraints.sinks.push(sink);
    }

    fn followed(&mut self, address: &Operand, kind: SinkKind) {
        if self.sinks == Sinks::All {
            self.sink(address, kind);
        }
    }

    /// Lets a value flow to a node.
    pub fn flow(&mut self, value: &Operand, to: Node, flow: Flow) {
        match value {
            Operand::Register(register) => {
                let from = self.nodes.register(self.id, *register);
                self.edge(from, to, flow);
            }
            Operand::Null | Operand::Zero { .. } | Operand::Integer { value: 0, bits: 64.. } => {
                self.source(to, SourceKind::Constant);
            }
            missing if self.program.may_be_missing(missing) => self.source(to, SourceKind::Missing(missing.clone())),
            _ => {}
        }
    }

    /// The cells that a value may point to.
    pub fn cells(&self, operand: &Operand) -> Vec<CellId> {
        self.points_to.of(self.id, operand).iter().map(CellId).collect()
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let result = instruction.result.map(|register| self.nodes.register(self.id, register));
        let holds = instruction.ty.can_hold_pointer();
        match (&instruction.op, result) {
            (Op::Load { address }, to) => {
                self.followed(address, SinkKind::Read);
                if let (Some(to), true) = (to, holds) {
                    self.read(address, to, instruction.ty.bytes());
                }
            }
            (Op::Store { address, value, ty }, _) => {
                self.followed(address, SinkKind::Written);
                if ty.can_hold_pointer() {
                    self.write(address, value, ty.bytes());
                }
            }
            (Op::Exchange { address, value, ty }, to) => {
                self.followed(address, SinkKind::Written);
                if ty.can_hold_pointer() {
                    self.write(address, value, ty.bytes());
                    if let Some(to) = to {
                        self.read(address, to, ty.bytes());
                    }
                }
            }
            (Op::Offset { base, .. }, Some(to)) => self.flow(base, to, Flow::Computed),
            (Op::Binary(_, a, b), Some(to)) if holds => {
                // A constant 0 in arithmetic is no null pointer.
                for operand in [a, b].into_iter().filter(|operand| matches!(operand, Operand::Register(_))) {
                    self.flow(operand, to, Flow::Computed);
                }
            }
            (Op::Cast { cast, value, .. }, Some(to)) if holds => {
                if *cast == Cast::IntegerToPointer && !matches!(value, Operand::Integer { value: 1.., .. }) {
                    self.source(to, SourceKind::Integer);
                }
                self.flow(value, to, Flow::Computed);
            }
            (Op::Select(_, a, b), Some(to)) if holds => {
                self.flow(a, to, Flow::Computed);
                self.flow(b, to, Flow::Computed);
            }
            (Op::Phi(incoming), Some(to)) if holds => {
                incoming.iter().for_each(|(_, value)| self.flow(value, to, Flow::Computed));
            }
            (Op::Extract { value, .. }, Some(to)) if holds => self.flow(value, to, Flow::Computed),
            (Op::Insert { value, part, part_bits, .. }, Some(to)) => {
                self.flow(value, to, Flow::Computed);
                if *part_bits >= 64 {
                    self.flow(part, to, Flow::Computed);
                }
            }
            (Op::Copy { length, .. } | Op::Fill { length, .. }, _)
                if matches!(length, Operand::Integer { value: 0, .. }) => {}
            (Op::Copy { to, from, length }, _) => {
                self.followed(to, SinkKind::Written);
                self.followed(from, SinkKind::Read);
                self.copy(to, from, length);
            }
            (Op::Fill { to, byte, length }, _) => {
                self.followed(to, SinkKind::Written);
                if !matches!(byte, Operand::Integer { value: 1.., .. }) {
                    self.fill(to, length);
                }
            }
            (Op::Call { callee, arguments }, to) => self.call(callee, arguments, to),
            (Op::Opaque(operands), Some(to)) if holds => {
                for operand in operands.iter().filter(|operand| matches!(operand, Operand::Register(_))) {
                    self.flow(operand, to, Flow::Computed);
                }
            }
            (Op::Unknown { what, operands }, to) => {
                if let (Some(to), true) = (to, holds) {
                    self.source(to, SourceKind::NotUnderstood(what));
                }
                for operand in operands {
                    for cell in self.cells(operand) {
                        let node = self.nodes.cell(cell);
                        self.source(node, SourceKind::NotUnderstood(what));
                    }
                }
                self.assume((*what).to_owned());
            }
            (Op::Nonnull { value, why }, _) => self.sink(value, SinkKind::Declared(why.clone())),
            _ => {}
        }
    }

    /// The cells that an access of some bytes may touch and that may hold a pointer.
    fn accessed(&self, address: &Operand, bytes: u64) -> Vec<CellId> {
        // What is no longer than a pointer holds none but at its start.
        let bytes = if bytes <= 8 { 1 } else { bytes };
        self.cells(address).into_iter().flat_map(|cell| self.points_to.accessed(cell, bytes)).collect()
    }

    fn read(&mut self, address: &Operand, to: Node, bytes: u64) {
        for cell in self.accessed(address, bytes) {
            let from = self.nodes.cell(cell);
            self.edge(from, to, Flow::Read);
        }
    }

    fn write(&mut self, address: &Operand, value: &Operand, bytes: u64) {
        for cell in self.accessed(address, bytes) {
            let to = self.nodes.cell(cell);
            self.flow(value, to, Flow::Written);
        }
    }

    /// Copies every cell from one stretch of memory to the same distance in another.
    pub fn copy(&mut self, to: &Operand, from: &Operand, length: &Operand) {
        let length = match length {
            Operand::Integer { value, .. } => u64::try_from(*value).unwrap_or(u64::MAX),
            _ => u64::MAX,
        };
        let (sources, targets) = (self.cells(from), self.cells(to));
        if sources.len().saturating_mul(targets.len()) <= PAIRS {
            targets.into_iter().for_each(|target| self.copy_to(from, target, length));
            return;
        }
        for (read, written) in self.points_to.copied_all(&sources, &targets, length) {
            let between = self.nodes.between();
            for cell in read {
                self.edge(self.nodes.cell(cell), between, Flow::Copied);
            }
            for cell in written {
                self.edge(between, self.nodes.cell(cell), Flow::Copied);
            }
        }
    }

    /// Copies some bytes of what an address points to.
    fn copy_to(&mut self, from: &Operand, target: CellId, bytes: u64) {
        for source in self.cells(from) {
            for (from, to) in self.points_to.copied(source, target, bytes) {
                let (from, to) = (self.nodes.cell(from), self.nodes.cell(to));
                self.edge(from, to, Flow::Copied);
            }
        }
    }

    fn fill(&mut self, to: &Operand, length: &Operand) {
        let length = match length {
            Operand::Integer { value, .. } => u64::try_from(*value).unwrap_or(u64::MAX),
            _ => u64::MAX,
        };
        for target in self.cells(to) {
            let start = self.points_to.cell(target);
            let object = self.points_to.object(start.object);
            let is_array = object.layout.element_at(start.offset).is_some();
            let end = start.offset.saturating_add(length);
            let cells: Vec<CellId> = object
                .cells
                .iter()
                .filter(|(at, _)| is_array || (start.offset..end).contains(at))
                .map(|(_, cell)| *cell)
                .collect();
            for cell in cells {
                let node = self.nodes.cell(cell);
                self.source(node, SourceKind::Zeroed);
            }
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<Node>) {
        if let Callee::Indirect(pointer) = callee {
            self.followed(pointer, SinkKind::Called);
        }
        let targets = self.points_to.targets(self.id, callee);
        let is_open = !self.points_to.outside(self.id, callee).is_empty();
        if targets.is_empty() || is_open {
            let source = SourceKind::NotUnderstood("a call of a function that is not known");
            if let Some(result) = result {
                self.source(result, source.clone());
            }
            if is_open {
                library::hand_out(self, &source, arguments);
            }
            self.assume("calls through pointers whose targets are not known".to_owned());
        }
        for target in targets {
            let function = self.program.function(target);
            if !function.has_code() {
                library::call(self, target, arguments, result);
                continue;
            }
            for (index, argument) in (0..).zip(arguments) {
                self.argument(target, index, argument);
            }
            if let Some(result) = result
                && !function.result_nonnull
            {
                let returned = self.nodes.result(target);
                self.edge(returned, result, Flow::Result(target));
            }
        }
    }

    /// An argument of a function that has code.
    fn argument(&mut self, target: FunctionId, index: u32, argument: &Argument) {
        let function = self.program.function(target);
        let Some(parameter) = function.parameters.get(index as usize) else {
            let object = self.points_to.object_of_kind(ir::ObjectKind::Variadic(target));
            if let Some(cell) = object.and_then(|object| self.points_to.cell_at(object, 0))
                && argument.ty.can_hold_pointer()
            {
                match argument.by_value {
                    Some(bytes) => self.copy_to(&argument.value, cell, bytes),
                    None => {
                        let node = self.nodes.cell(cell);
                        self.flow(&argument.value, node, Flow::Passed(target, index));
                    }
                }
            }
            return;
        };
        if parameter.nonnull {
            self.sink(&argument.value, SinkKind::Argument(target, index));
            return;
        }
        if parameter.by_value.is_some() {
            let register = Register(index);
            for cell in self.points_to.of(target, &Operand::Register(register)).iter().map(CellId) {
                self.copy_to(&argument.value, cell, argument.by_value.unwrap_or(u64::MAX));
            }
            return;
        }
        if argument.ty.can_hold_pointer() {
            let node = self.nodes.register(target, Register(index));
            self.flow(&argument.value, node, Flow::Passed(target, index));
        }
    }
}
