//! What has a qualifier, what flows between them, and where that starts and ends.

use ir::{CellId, FunctionId, GlobalId, PointsTo, Program, Register, SiteId};
use std::cell::Cell;
use std::sync::Arc;

/// A register, result or cell, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u32);

/// How nodes are numbered: all registers, function by function, then results, then cells.
#[derive(Clone, Debug)]
pub struct Nodes {
    first_register: Vec<u32>,
    first_result: u32,
    first_cell: u32,
    first_between: u32,
    between: Cell<u32>,
}

impl Nodes {
    /// Numbers the nodes of a program.
    pub fn new(program: &Program, points_to: &PointsTo) -> Nodes {
        let mut first_register = Vec::new();
        let mut next = 0;
        for function in &program.functions {
            first_register.push(next);
            next += function.registers.max(function.parameters.len() as u32);
        }
        let first_cell = next + program.functions.len() as u32;
        let first_between = first_cell + points_to.cell_count() as u32;
        Nodes { first_register, first_result: next, first_cell, first_between, between: Cell::new(0) }
    }

    /// A new node for what is on its way from many cells to many others.
    pub fn between(&self) -> Node {
        let number = self.between.get();
        self.between.set(number + 1);
        Node(self.first_between + number)
    }

    /// The node of a register.
    pub fn register(&self, function: FunctionId, register: Register) -> Node {
        Node(self.first_register.get(function.0 as usize).copied().unwrap_or(0) + register.0)
    }

    /// The register of a function, if the node is one's.
    pub fn as_register_of(&self, function: FunctionId, node: Node) -> Option<Register> {
        let index = function.0 as usize;
        let first = *self.first_register.get(index)?;
        let end = self.first_register.get(index + 1).copied().unwrap_or(self.first_result);
        (first..end).contains(&node.0).then(|| Register(node.0 - first))
    }

    /// The node of what a function returns.
    pub fn result(&self, function: FunctionId) -> Node {
        Node(self.first_result + function.0)
    }

    /// The node of what a cell holds.
    pub fn cell(&self, cell: CellId) -> Node {
        Node(self.first_cell + cell.0)
    }

    /// The cell, if the node is one's.
    pub fn as_cell(&self, node: Node) -> Option<CellId> {
        node.0.checked_sub(self.first_cell).filter(|_| node.0 < self.first_between).map(CellId)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        (self.first_between + self.between.get()) as usize
    }
}

/// What flows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// A value is computed from another one.
    Computed,
    /// A value is written to memory.
    Written,
    /// Memory is read.
    Read,
    /// Memory is copied.
    Copied,
    /// A value is passed to a parameter, by number.
    Passed(FunctionId, u32),
    /// A value is returned.
    Returned,
    /// A returned value arrives.
    Result(FunctionId),
}

/// Null in one node means null in another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// From here.
    pub from: Node,
    /// To there.
    pub to: Node,
    /// How.
    pub flow: Flow,
    /// Where in the source.
    pub site: SiteId,
}

/// Where null comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Where it arrives.
    pub node: Node,
    /// What it is.
    pub kind: SourceKind,
    /// Where it is, if that is in a function.
    pub function: Option<FunctionId>,
    /// Where it is in the source.
    pub site: SiteId,
}

/// What null comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum SourceKind {
    /// `NULL` is written, passed, returned or computed with.
    Constant,
    /// The address of something is used that may be missing.
    Missing(ir::Operand),
    /// A global variable starts as zeros.
    ZeroInitialised(GlobalId),
    /// A global variable is defined elsewhere.
    DefinedElsewhere(GlobalId),
    /// Memory is set to zeros.
    Zeroed,
    /// A function of the library may return null.
    Library(FunctionId),
    /// A function of the library may write null.
    LibraryWrites(FunctionId),
    /// A function of which nothing is known.
    Unknown(FunctionId),
    /// Something that is not understood.
    NotUnderstood(&'static str),
    /// An integer is made a pointer.
    Integer,
    /// `argv` ends with null.
    Arguments,
    /// A function that can be called from elsewhere, with null for a parameter.
    Parameter(FunctionId, u32),
    /// A symbolic block leaves null here.
    SymbolicBlock(FunctionId, Arc<str>),
}

/// A position that must not be null.
#[derive(Clone, Debug)]
pub struct Sink {
    /// What must not be null; nothing if it is a constant that is null, or may be.
    pub node: Option<Node>,
    /// Why.
    pub kind: SinkKind,
    /// In which function it is.
    pub function: FunctionId,
    /// Where in the source.
    pub site: SiteId,
    /// What must not be null, as the source would write it.
    pub value: ir::Operand,
    /// Number of the instruction: of its block, and within that. A terminator comes behind the instructions.
    pub at: (u32, u32),
}

/// Why a position must not be null.
#[derive(Clone, PartialEq, Debug)]
pub enum SinkKind {
    /// It is declared so, for this reason.
    Declared(Arc<str>),
    /// An argument, from 0, that a function declares so.
    Argument(FunctionId, u32),
    /// What a function returns is declared so.
    Result,
    /// It is read through.
    Read,
    /// It is written through.
    Written,
    /// It is called.
    Called,
}
