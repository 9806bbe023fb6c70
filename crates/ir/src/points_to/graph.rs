//! The constraints: nodes for registers, results and cells, and what flows between them.

use super::objects::{Cell, CellId, Object, ObjectId, ObjectKind};
use crate::program::{ArrayRange, FunctionId, GlobalId, Layout, Program, Register};
use crate::set::Set;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// A register, a result or a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u32);

/// Cells that one object may have before it is taken as one.
pub const CELLS: usize = 512;

/// Bytes of a pointer.
pub const WORD: u64 = 8;

/// How an address is computed from another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shift {
    /// Bytes that are known.
    pub constant: i64,
    /// Element size and length in bytes of an array that is indexed.
    pub array: Option<(u64, Option<u64>)>,
}

/// A node's constraints.
#[derive(Clone, Debug, Default)]
pub struct NodeData {
    pub points_to: Set,
    /// What was added and not yet handed on.
    pub new: Vec<u32>,
    pub is_waiting: bool,
    /// Nodes that hold at least what this one holds.
    pub copies: Vec<Node>,
    /// Nodes that get what the pointed-to cells hold, and how many bytes are read.
    pub loads: Vec<(Node, u64)>,
    /// Nodes whose values the pointed-to cells get, and how many bytes are written.
    pub stores: Vec<(Node, u64)>,
    /// Nodes that point to somewhere else in the same objects.
    pub shifts: Vec<(Node, Shift)>,
    /// Calls through this pointer, by number.
    pub calls: Vec<u32>,
}

/// A transfer of whole stretches of memory.
#[derive(Clone, Copy, Debug)]
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
    pub nodes: Vec<NodeData>,
    first_register: Vec<u32>,
    first_result: u32,
    objects: Vec<Object>,
    by_kind: FxHashMap<ObjectKind, ObjectId>,
    cells: Vec<(Cell, Node)>,
    /// For a cell that was merged into another one: that one.
    merged: Vec<u32>,
    edges: FxHashSet<(Node, Node)>,
    constants: FxHashMap<CellId, Node>,
    pub transfers: Vec<Transfer>,
    /// How much each transfer has seen: cells that it copies from and to, and cells that there were.
    pub transferred: FxHashMap<usize, (usize, usize, usize)>,
    /// What a transfer moves, by distance.
    between: FxHashMap<(usize, u64), Node>,
    pub calls: Vec<CallSite>,
    pub connected: FxHashSet<(u32, FunctionId)>,
    pub worklist: VecDeque<Node>,
}

impl Graph {
    pub fn new(program: &Program) -> Graph {
        let mut first_register = Vec::new();
        let mut next = 0;
        for function in &program.functions {
            first_register.push(next);
            next += function.registers.max(function.parameters.len() as u32);
        }
        let nodes = vec![NodeData::default(); next as usize + program.functions.len()];
        Graph {
            nodes,
            first_register,
            first_result: next,
            objects: Vec::new(),
            by_kind: FxHashMap::default(),
            cells: Vec::new(),
            merged: Vec::new(),
            edges: FxHashSet::default(),
            constants: FxHashMap::default(),
            transfers: Vec::new(),
            transferred: FxHashMap::default(),
            between: FxHashMap::default(),
            calls: Vec::new(),
            connected: FxHashSet::default(),
            worklist: VecDeque::new(),
        }
    }

    pub fn register(&self, function: FunctionId, register: Register) -> Node {
        Node(self.first_register[function.0 as usize] + register.0)
    }

    pub fn result(&self, function: FunctionId) -> Node {
        Node(self.first_result + function.0)
    }

    pub fn points_to(&self, node: Node) -> &Set {
        &self.nodes[node.0 as usize].points_to
    }

    /// The object of a kind, made with this layout if it is new.
    pub fn object_for(&mut self, kind: ObjectKind, layout: impl FnOnce() -> Layout) -> ObjectId {
        if let Some(found) = self.by_kind.get(&kind) {
            return *found;
        }
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(Object { kind, layout: layout(), cells: BTreeMap::new(), is_single: false, points_on: None });
        self.by_kind.insert(kind, id);
        id
    }

    /// An object that is one cell.
    pub fn plain_object(&mut self, kind: ObjectKind) -> CellId {
        let whole = || Layout { size: 0, arrays: vec![ArrayRange { start: 0, element: 1, end: u64::MAX }] };
        let object = self.object_for(kind, whole);
        self.cell_in(object, 0)
    }

    /// The cell at a distance from the start of an object.
    pub fn cell_in(&mut self, object: ObjectId, offset: u64) -> CellId {
        if self.objects[object.0 as usize].cells.len() > CELLS {
            self.make_array(object, ArrayRange { start: 0, element: 1, end: u64::MAX });
        }
        let offset = canonical(&self.objects[object.0 as usize].layout, offset);
        if let Some(cell) = self.objects[object.0 as usize].cells.get(&offset) {
            return *cell;
        }
        let id = CellId(self.cells.len() as u32);
        let node = self.new_node();
        self.cells.push((Cell { object, offset }, node));
        self.merged.push(id.0);
        self.objects[object.0 as usize].cells.insert(offset, id);
        if let Some(cell) = self.objects[object.0 as usize].points_on {
            self.add(node, &[cell.0]);
        }
        id
    }

    /// Lets every cell of an object, also those that are found later, point to a cell from the start.
    pub fn point_on(&mut self, object: ObjectId, to: CellId) {
        self.objects[object.0 as usize].points_on = Some(to);
        let cells: Vec<CellId> = self.objects[object.0 as usize].cells.values().copied().collect();
        for cell in cells {
            self.add(self.cell_node(cell), &[to.0]);
        }
    }

    /// Whether an object has a byte at a distance from its start, as far as its size is known.
    pub fn has_place(&self, object: ObjectId, offset: u64) -> bool {
        let object = self.object(object);
        object.kind.is_open()
            || object.layout.size == 0
            || offset < object.layout.size
            || object.layout.element_at(offset).is_some()
    }

    /// The cells that an access of some bytes touches: pointers lie at every word of it.
    pub fn accessed(&mut self, cell: CellId, bytes: u64) -> Vec<CellId> {
        let start = self.cell(cell);
        let mut cells = vec![cell];
        for distance in words_behind_the_first(bytes) {
            let offset = start.offset.saturating_add(distance);
            if self.has_place(start.object, offset) {
                cells.push(self.cell_in(start.object, offset));
            }
        }
        cells
    }

    /// A node for a value that has no register.
    pub fn temporary(&mut self) -> Node {
        self.new_node()
    }

    /// The node for what a transfer moves at a distance from its start.
    pub fn between(&mut self, transfer: usize, distance: u64) -> Node {
        if let Some(node) = self.between.get(&(transfer, distance)) {
            return *node;
        }
        let node = self.new_node();
        self.between.insert((transfer, distance), node);
        node
    }

    fn new_node(&mut self) -> Node {
        self.nodes.push(NodeData::default());
        Node(self.nodes.len() as u32 - 1)
    }

    /// A node that points to just one cell.
    pub fn constant(&mut self, cell: CellId) -> Node {
        if let Some(node) = self.constants.get(&cell) {
            return *node;
        }
        let node = self.new_node();
        self.constants.insert(cell, node);
        self.add(node, &[cell.0]);
        node
    }

    /// The cell that a cell was merged into.
    pub fn current(&self, cell: CellId) -> CellId {
        let mut cell = cell.0;
        while self.merged[cell as usize] != cell {
            cell = self.merged[cell as usize];
        }
        CellId(cell)
    }

    pub fn cell(&self, cell: CellId) -> Cell {
        self.cells[self.current(cell).0 as usize].0
    }

    pub fn cell_node(&self, cell: CellId) -> Node {
        self.cells[self.current(cell).0 as usize].1
    }

    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    pub fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub fn objects_mut(&mut self) -> &mut [Object] {
        &mut self.objects
    }

    pub fn find_object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    pub fn global_object(&self, global: GlobalId) -> Option<ObjectId> {
        self.find_object(ObjectKind::Global(global))
    }

    pub fn function_object(&self, function: FunctionId) -> Option<ObjectId> {
        self.find_object(ObjectKind::Function(function))
    }

    pub fn existing_cell(&self, object: ObjectId, offset: u64) -> Option<CellId> {
        let object = self.object(object);
        object.cells.get(&canonical(&object.layout, offset)).copied()
    }

    /// Adds cells to what a node points to.
    pub fn add(&mut self, node: Node, cells: &[u32]) {
        let data = &mut self.nodes[node.0 as usize];
        let new = data.points_to.add_all(cells);
        if !new.is_empty() {
            data.new.extend(new);
            self.wake(node);
        }
    }

    fn wake(&mut self, node: Node) {
        let data = &mut self.nodes[node.0 as usize];
        if !data.is_waiting {
            data.is_waiting = true;
            self.worklist.push_back(node);
        }
    }

    /// Lets everything that one node points to be pointed to by another one; true if that is new.
    pub fn copy(&mut self, from: Node, to: Node) -> bool {
        if from == to || !self.edges.insert((from, to)) {
            return false;
        }
        self.nodes[from.0 as usize].copies.push(to);
        let known = self.nodes[from.0 as usize].points_to.clone();
        self.add(to, known.as_slice());
        true
    }

    pub fn load(&mut self, address: Node, to: Node, bytes: u64) {
        self.nodes[address.0 as usize].loads.push((to, bytes));
        self.again(address);
    }

    pub fn store(&mut self, address: Node, value: Node, bytes: u64) {
        self.nodes[address.0 as usize].stores.push((value, bytes));
        self.again(address);
    }

    pub fn shift(&mut self, base: Node, to: Node, shift: Shift) {
        self.nodes[base.0 as usize].shifts.push((to, shift));
        self.again(base);
    }

    pub fn call_through(&mut self, pointer: Node, call: u32) {
        self.nodes[pointer.0 as usize].calls.push(call);
        self.again(pointer);
    }

    /// Hands everything on once more, for constraints that came later than what they are about.
    fn again(&mut self, node: Node) {
        let data = &mut self.nodes[node.0 as usize];
        if !data.points_to.is_empty() {
            data.new = data.points_to.as_slice().to_vec();
            self.wake(node);
        }
    }

    /// Where an address lies that is computed from the address of a cell.
    pub fn shifted(&mut self, cell: CellId, shift: Shift) -> CellId {
        let Cell { object, offset } = self.cell(cell);
        let (kind, size) = {
            let object = self.object(object);
            (object.kind, object.layout.size)
        };
        let target = offset as i64 + shift.constant;
        let declared = !kind.is_open() && size > 0;
        let in_range = target >= 0 && (!declared || target as u64 <= size);
        if !in_range && self.object(object).layout.element_at(offset).is_none() {
            self.make_array(object, ArrayRange { start: 0, element: 1, end: u64::MAX });
            return self.cell_in(object, 0);
        }
        let target = match u64::try_from(target) {
            Ok(target) if in_range => target,
            // Within an array any distance leads to some element.
            _ => {
                let Some(array) = self.object(object).layout.element_at(offset) else { return cell };
                let within = (target - array.start as i64).rem_euclid(array.element.max(1) as i64);
                array.start + within as u64
            }
        };
        if let Some((element, bound)) = shift.array
            && element > 0
        {
            let known = self.object(object).layout.element_at(target);
            let is_covered = known.is_some_and(|array| array.element > 0 && element % array.element == 0);
            // One structure is an array of one: an index that is not 0 would leave it.
            let is_one = declared && element >= size;
            if !is_covered && !is_one {
                let end = bound.map_or(u64::MAX, |bytes| target.saturating_add(bytes));
                let start = if declared && bound.is_none() { 0 } else { target };
                self.make_array(object, ArrayRange { start, element, end });
            }
        }
        self.cell_in(object, target)
    }

    /// Takes a part of an object as an array: cells that stand for the same place of its elements become one.
    fn make_array(&mut self, object: ObjectId, array: ArrayRange) {
        let data = &mut self.objects[object.0 as usize];
        if data.layout.arrays.contains(&array) {
            return;
        }
        data.layout.arrays.push(array);
        let cells = std::mem::take(&mut data.cells);
        let layout = data.layout.clone();
        for (offset, cell) in cells {
            let place = canonical(&layout, offset);
            match self.objects[object.0 as usize].cells.get(&place).copied() {
                Some(kept) => self.merge(cell, kept),
                None => {
                    self.objects[object.0 as usize].cells.insert(place, cell);
                    self.cells[cell.0 as usize].0.offset = place;
                }
            }
        }
    }

    fn merge(&mut self, cell: CellId, into: CellId) {
        let (from, to) = (self.cells[cell.0 as usize].1, self.cells[into.0 as usize].1);
        self.merged[cell.0 as usize] = into.0;
        // What still flows to the old node is handed on.
        self.copy(from, to);
        self.copy(to, from);
    }

    /// Brings all sets up to date with the cells that there are in the end.
    pub fn finish(&mut self) {
        for index in 0..self.nodes.len() {
            let old = std::mem::take(&mut self.nodes[index].points_to);
            let is_current = old.iter().all(|cell| self.merged[cell as usize] == cell);
            let new = if is_current { old } else { old.iter().map(|cell| self.current(CellId(cell)).0).collect() };
            let data = &mut self.nodes[index];
            *data = NodeData { points_to: new, ..NodeData::default() };
        }
        self.edges = FxHashSet::default();
    }
}

/// Where pointers can lie in some bytes, behind the first.
pub fn words_behind_the_first(bytes: u64) -> impl Iterator<Item = u64> {
    (WORD..).step_by(WORD as usize).take_while(move |distance| distance.saturating_add(WORD) <= bytes)
}

/// Like [`Layout::canonical`], for arrays that were found one after the other.
fn canonical(layout: &Layout, offset: u64) -> u64 {
    let mut offset = offset;
    for _ in 0..=layout.arrays.len() {
        match layout.canonical(offset) {
            same if same == offset => break,
            smaller => offset = smaller,
        }
    }
    offset
}
