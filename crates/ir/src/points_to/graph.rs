//! The constraints: nodes for registers, results and cells, and what flows between them.

use super::anywhere::{Anywhere, Lead};
use super::bits::Bits;
use super::nodes::{Node, Nodes, Shift};
use super::objects::{Cell, CellId, Object, ObjectId, ObjectKind};
use crate::program::{FunctionId, Program, Register};
use crate::set::Set;
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells that one object may have before it is taken as one.
pub const CELLS: usize = 512;

/// Bytes of a pointer.
pub const WORD: u64 = 8;

/// A transfer of whole stretches of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transfer {
    /// From what one node points to, to what another one points to; how many bytes, if that is known.
    Copy { to: Node, from: Node, length: Option<u64> },
    /// Both ways between a cell and everything that can be reached from a node.
    Escape { from: Node, outside: CellId },
}

/// A call that is resolved while solving.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub caller: FunctionId,
    /// Number of the call within its function.
    pub number: u32,
    pub arguments: Vec<(Option<Node>, Option<u64>)>,
    pub result: Option<Node>,
}

/// All constraints.
#[derive(Debug)]
pub struct Graph {
    pub nodes: Nodes,
    first_register: Vec<u32>,
    first_result: u32,
    pub(super) objects: Vec<Object>,
    /// How often each object got a cell or an array.
    pub(super) changes: Vec<u32>,
    /// How often a part of an object turned out to be an array.
    pub(super) arrays_found: usize,
    pub(super) by_kind: FxHashMap<ObjectKind, ObjectId>,
    pub(super) cells: Vec<(Cell, Node)>,
    /// For a cell that was merged into another one: that one.
    pub(super) merged: Vec<u32>,
    constants: FxHashMap<CellId, Node>,
    pub transfers: Vec<Transfer>,
    /// How much there was for each transfer to see when it was made last.
    pub transferred: FxHashMap<usize, usize>,
    /// Pointers that may lie anywhere in an object.
    pub(super) anywhere: FxHashMap<ObjectId, Anywhere>,
    /// What a transfer moves, by distance.
    between: FxHashMap<(usize, u64), Node>,
    pub calls: Vec<CallSite>,
    pub connected: FxHashSet<(u32, FunctionId)>,
    /// Calls that may be of code that nobody sees, with what that is taken for.
    pub connected_outside: FxHashSet<(u32, ObjectId)>,
    /// What every node points to in the end, by the numbers in `of_node`.
    sets: Vec<Set>,
    of_node: Vec<u32>,
}

impl Graph {
    pub fn new(program: &Program) -> Graph {
        let mut first_register = Vec::new();
        let mut next = 0;
        for function in &program.functions {
            first_register.push(next);
            next += function.registers.max(function.parameters.len() as u32);
        }
        Graph {
            nodes: Nodes::with_count(next as usize + program.functions.len()),
            first_register,
            first_result: next,
            objects: Vec::new(),
            changes: Vec::new(),
            arrays_found: 0,
            by_kind: FxHashMap::default(),
            cells: Vec::new(),
            merged: Vec::new(),
            constants: FxHashMap::default(),
            transfers: Vec::new(),
            transferred: FxHashMap::default(),
            anywhere: FxHashMap::default(),
            between: FxHashMap::default(),
            calls: Vec::new(),
            connected: FxHashSet::default(),
            connected_outside: FxHashSet::default(),
            sets: Vec::new(),
            of_node: Vec::new(),
        }
    }

    pub fn register(&self, function: FunctionId, register: Register) -> Node {
        Node(self.first_register[function.0 as usize] + register.0)
    }

    pub fn result(&self, function: FunctionId) -> Node {
        Node(self.first_result + function.0)
    }

    /// What a node points to, once everything is solved.
    pub fn points_to(&self, node: Node) -> &Set {
        &self.sets[self.of_node[node.0 as usize] as usize]
    }

    /// A node for a value that has no register.
    pub fn temporary(&mut self) -> Node {
        self.nodes.make()
    }

    /// The node for what a transfer moves at a distance from its start.
    pub fn between(&mut self, transfer: usize, distance: u64) -> Node {
        *self.between.entry((transfer, distance)).or_insert_with(|| self.nodes.make())
    }

    /// A node that points to just one cell.
    pub fn constant(&mut self, cell: CellId) -> Node {
        let cell = self.current(cell);
        if let Some(node) = self.constants.get(&cell) {
            return *node;
        }
        let node = self.nodes.make();
        self.constants.insert(cell, node);
        self.point_to_just(node, cell);
        node
    }

    /// Lets a node point to a cell that nothing else adds to.
    pub fn point_to_just(&mut self, node: Node, cell: CellId) {
        self.add(node, cell);
        if self.object(self.cell(cell).object).kind.function().is_none() {
            self.nodes.fix(node, cell);
        }
    }

    /// Adds a cell to what a node points to.
    pub fn add(&mut self, node: Node, cell: CellId) {
        self.nodes.add(node, &Bits::one(cell.0));
    }

    /// Lets everything that one node points to be pointed to by another one; true if that is new.
    pub fn copy(&mut self, from: Node, to: Node) -> bool {
        self.nodes.copy(from, to)
    }

    /// The node of what is read through an address.
    pub fn read(&mut self, address: Node, bytes: u64) -> Node {
        if words_behind_the_first(bytes).next().is_some() {
            let to = self.nodes.make();
            self.nodes.uses(address).wide_reads.push((to, bytes));
            self.nodes.again(address);
            return to;
        }
        if let Some(cell) = self.nodes.fixed(address) {
            return self.cell_node(cell);
        }
        if let Some(node) = self.nodes.known_uses(address).and_then(|uses| uses.read) {
            return node;
        }
        let node = self.nodes.make();
        self.nodes.uses(address).read = Some(node);
        self.nodes.again(address);
        node
    }

    pub fn load(&mut self, address: Node, to: Node, bytes: u64) {
        let read = self.read(address, bytes);
        self.copy(read, to);
    }

    pub fn store(&mut self, address: Node, value: Node, bytes: u64) {
        if self.nodes.fixed(address).is_some_and(|cell| self.is_constant(cell)) {
            return;
        }
        if words_behind_the_first(bytes).next().is_some() {
            self.nodes.uses(address).wide_writes.push((value, bytes));
            self.nodes.again(address);
            return;
        }
        let written = match (self.nodes.fixed(address), self.nodes.known_uses(address).and_then(|uses| uses.written)) {
            (Some(cell), _) => self.cell_node(cell),
            (None, Some(written)) => written,
            (None, None) => {
                let node = self.nodes.make();
                self.nodes.uses(address).written = Some(node);
                self.nodes.again(address);
                node
            }
        };
        self.copy(value, written);
    }

    /// The node of an address that is computed from another one.
    pub fn shift_of(&mut self, base: Node, shift: Shift) -> Node {
        if let Some(cell) = self.nodes.fixed(base).filter(|_| !shift.is_backwards()) {
            return match self.shifted(cell, shift) {
                Lead::To(target) => self.constant(target),
                Lead::Anywhere(object) => self.anywhere(object),
                Lead::Nowhere => self.nodes.make(),
            };
        }
        let known = self.nodes.known_uses(base).map(|uses| uses.shifts.as_slice()).unwrap_or_default();
        if let Some((_, node)) = known.iter().find(|(known, _)| *known == shift) {
            return *node;
        }
        let node = self.nodes.make();
        self.nodes.uses(base).shifts.push((shift, node));
        self.nodes.again(base);
        node
    }

    pub fn shift(&mut self, base: Node, to: Node, shift: Shift) {
        let shifted = self.shift_of(base, shift);
        self.copy(shifted, to);
    }

    pub fn call_through(&mut self, pointer: Node, call: u32) {
        self.nodes.uses(pointer).calls.push(call);
        self.nodes.again(pointer);
    }

    /// Brings all sets up to date with the cells that there are in the end.
    pub fn finish(&mut self) {
        let mut numbers: FxHashMap<Set, u32> = FxHashMap::default();
        let mut of_node: Vec<Option<u32>> = vec![None; self.nodes.count()];
        for index in 0..self.nodes.count() {
            let root = self.nodes.find(Node(index as u32)).0 as usize;
            let number = of_node[root].unwrap_or_else(|| {
                let cells = self.nodes.points_to(Node(root as u32)).iter();
                let cells = cells.map(CellId).filter(|cell| !self.is_marker(*cell));
                let set: Set = cells.map(|cell| self.current(cell).0).collect();
                let next = numbers.len() as u32;
                *numbers.entry(set).or_insert(next)
            });
            of_node[root] = Some(number);
            of_node[index] = Some(number);
        }
        let mut sets: Vec<(u32, Set)> = numbers.into_iter().map(|(set, number)| (number, set)).collect();
        sets.sort_unstable_by_key(|(number, _)| *number);
        self.sets = sets.into_iter().map(|(_, set)| set).collect();
        self.of_node = of_node.into_iter().map(Option::unwrap_or_default).collect();
        self.nodes = Nodes::default();
    }
}

/// Where pointers can lie in some bytes, behind the first.
pub fn words_behind_the_first(bytes: u64) -> impl Iterator<Item = u64> {
    (WORD..).step_by(WORD as usize).take_while(move |distance| distance.saturating_add(WORD) <= bytes)
}
