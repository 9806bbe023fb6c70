//! What pointers point to: an inclusion-based analysis in the manner of Andersen, for the whole program at once.
//!
//! Memory is divided into *objects*: variables, globals, functions, what one call of an allocating function returns. An
//! object has *cells*, one for each distance from its start at which something is read or written; the elements of an array
//! share theirs. For memory from the heap, where no type is known, arrays are those parts that are accessed by an
//! index. The order of instructions and the contexts of calls do not matter.
//!
//! Calls through pointers are resolved on the way. What a function of the library does comes from [`crate::library`]; a
//! function of which nothing is known may keep, change and call whatever it can reach from its arguments.

mod anywhere;
mod bits;
mod constraints;
mod cycles;
mod external;
mod graph;
mod memory;
mod nodes;
mod objects;
mod solve;
#[cfg(test)]
mod tests;

use crate::effects::Cells;
use crate::program::{Callee, FunctionId, GlobalId, Op, Operand, Program, Register};
use crate::set::Set;
use graph::Graph;
pub use objects::{Cell, CellId, Object, ObjectId, ObjectKind};
use rustc_hash::FxHashMap;

/// Bytes that are looked at one by one; longer accesses of an array touch all of it.
const SHORT: u64 = 64;

/// What every pointer of a program may point to.
#[derive(Debug)]
pub struct PointsTo {
    graph: Graph,
    /// The functions that a function may call, sorted.
    callees: Vec<Vec<FunctionId>>,
    recursive: Vec<bool>,
    targets: FxHashMap<(FunctionId, Register), Vec<FunctionId>>,
    /// Code that nobody sees and that a call through a register may reach.
    outside: FxHashMap<(FunctionId, Register), Vec<CellId>>,
}

impl PointsTo {
    /// Analyses a program; nothing if `stop` says that the time is up: what is known by then is not all.
    pub fn new(program: &Program, stop: &dyn Fn() -> bool) -> Option<PointsTo> {
        let mut graph = Graph::new(program);
        constraints::generate(&mut graph, program);
        solve::solve(&mut graph, program, stop)?;
        graph.finish();
        let mut points_to = PointsTo {
            graph,
            callees: Vec::new(),
            recursive: Vec::new(),
            targets: FxHashMap::default(),
            outside: FxHashMap::default(),
        };
        points_to.find_calls(program);
        points_to.find_single_objects(program);
        Some(points_to)
    }

    /// The cells that the value of an operand may point to, sorted.
    pub fn of(&self, function: FunctionId, operand: &Operand) -> Set {
        match operand {
            Operand::Register(register) => self.graph.points_to(self.graph.register(function, *register)).clone(),
            Operand::Global(global, offset) => {
                self.global_cell(*global, *offset).map(|cell| cell.0).into_iter().collect()
            }
            Operand::Function(target) => self.function_cell(*target).map(|cell| cell.0).into_iter().collect(),
            _ => Set::default(),
        }
    }

    /// The cells that what a cell holds may point to.
    pub fn contents(&self, cell: CellId) -> &Set {
        self.graph.points_to(self.graph.cell_node(cell))
    }

    /// The cells that what any of some cells holds may point to.
    pub fn contents_of(&self, cells: &[CellId]) -> Set {
        match cells {
            [one] => self.contents(*one).clone(),
            _ => {
                // Cells that are read together point to much the same, over and over: bits need no sorting.
                let all: Cells = cells.iter().flat_map(|cell| self.contents(*cell).iter()).map(CellId).collect();
                all.iter().map(|cell| cell.0).collect()
            }
        }
    }

    /// The cells that what a function returns may point to.
    pub fn result(&self, function: FunctionId) -> &Set {
        self.graph.points_to(self.graph.result(function))
    }

    /// A cell.
    pub fn cell(&self, cell: CellId) -> Cell {
        self.graph.cell(cell)
    }

    /// The object that a cell belongs to.
    pub fn object_of(&self, cell: CellId) -> &Object {
        self.graph.object(self.graph.cell(cell).object)
    }

    /// An object.
    pub fn object(&self, object: ObjectId) -> &Object {
        self.graph.object(object)
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (0..).map(ObjectId).zip(self.graph.objects())
    }

    /// How many cells there are; their numbers are below this.
    pub fn cell_count(&self) -> usize {
        self.graph.cell_count()
    }

    /// The cell of an object at a distance from its start, if the program has anything there.
    pub fn cell_at(&self, object: ObjectId, offset: u64) -> Option<CellId> {
        self.graph.existing_cell(object, offset)
    }

    /// The cells that an access of some bytes touches, of one that it may start with. Code has no memory.
    pub fn accessed(&self, cell: CellId, bytes: u64) -> Vec<CellId> {
        let start = self.cell(cell);
        if self.object(start.object).kind.function().is_some() {
            return Vec::new();
        }
        self.cells_within(start.object, start.offset, bytes)
    }

    /// The cells in some bytes of an object.
    pub fn cells_within(&self, object: ObjectId, offset: u64, bytes: u64) -> Vec<CellId> {
        let mut cells: Vec<CellId> = self.cell_at(object, offset).into_iter().collect();
        if bytes <= 1 {
            return cells;
        }
        let data = self.object(object);
        match data.layout.element_at(offset) {
            // What comes next in an array may be an earlier place of its first element.
            Some(array) if bytes > array.element && array.element > 1 => match bytes {
                0..=SHORT => {
                    cells.extend((1..bytes).filter_map(|distance| self.cell_at(object, offset.checked_add(distance)?)))
                }
                _ => cells.extend(data.cells.values().copied()),
            },
            _ => {
                let behind = offset.saturating_add(1)..offset.saturating_add(bytes);
                cells.extend(data.cells.range(behind).map(|(_, cell)| *cell));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Which cells go where when some bytes are copied: pairs of a cell that is read and one that is written.
    pub fn copied(&self, from: CellId, to: CellId, bytes: u64) -> Vec<(CellId, CellId)> {
        let (from, to) = (self.cell(from), self.cell(to));
        if [from, to].iter().any(|cell| self.object(cell.object).kind.function().is_some()) {
            return Vec::new();
        }
        let mut distances = solve::distances(self.object(from.object), from.offset, bytes);
        distances.extend(solve::distances(self.object(to.object), to.offset, bytes));
        distances.sort_unstable();
        distances.dedup();
        let pair = |distance| {
            let [from, to] = [from, to].map(|start| {
                let offset = start.offset.checked_add(distance)?;
                self.graph.has_place(start.object, offset).then(|| self.cell_at(start.object, offset)).flatten()
            });
            Some((from?, to?))
        };
        let mut pairs: Vec<(CellId, CellId)> = distances.into_iter().filter_map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Which cells go where when some bytes are copied from any of some cells to any of others: cells that are read, and those
    /// that each of them may be written to.
    pub fn copied_all(&self, from: &[CellId], to: &[CellId], bytes: u64) -> Vec<(Vec<CellId>, Vec<CellId>)> {
        let starts = |cells: &[CellId]| -> Vec<Cell> {
            let cells = cells.iter().map(|cell| self.cell(*cell));
            cells.filter(|cell| self.object(cell.object).kind.function().is_none()).collect()
        };
        let (from, to) = (starts(from), starts(to));
        let all = from.iter().chain(&to);
        let mut distances: Vec<u64> =
            all.flat_map(|start| solve::distances(self.object(start.object), start.offset, bytes)).collect();
        distances.sort_unstable();
        distances.dedup();
        let at = |starts: &[Cell], distance: u64| -> Vec<CellId> {
            let cells = starts.iter().filter_map(|start| {
                let offset = start.offset.checked_add(distance)?;
                self.graph.has_place(start.object, offset).then(|| self.cell_at(start.object, offset)).flatten()
            });
            let mut cells: Vec<CellId> = cells.collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        let mut moved: Vec<(Vec<CellId>, Vec<CellId>)> =
            distances.into_iter().map(|distance| (at(&from, distance), at(&to, distance))).collect();
        moved.retain(|(from, to)| !from.is_empty() && !to.is_empty());
        moved.sort();
        moved.dedup();
        moved
    }

    /// The cell of a global variable at a distance from its start.
    pub fn global_cell(&self, global: GlobalId, offset: i64) -> Option<CellId> {
        let object = self.graph.global_object(global)?;
        self.graph.existing_cell(object, u64::try_from(offset).unwrap_or(0))
    }

    /// The cell that stands for a function.
    pub fn function_cell(&self, function: FunctionId) -> Option<CellId> {
        self.graph.existing_cell(self.graph.function_object(function)?, 0)
    }

    /// The object of a kind, if there is one.
    pub fn object_of_kind(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.graph.find_object(kind)
    }

    /// The copy of a structure that an argument of a function is passed in; all variable arguments are one object.
    pub fn passed_copy(&self, function: FunctionId, index: u32) -> Option<ObjectId> {
        let own = self.object_of_kind(ObjectKind::ByValue(function, index));
        own.or_else(|| self.object_of_kind(ObjectKind::Variadic(function)))
    }

    /// The functions that a call in a function may reach, known ones and such without code.
    pub fn targets(&self, function: FunctionId, callee: &Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(target) => vec![*target],
            Callee::Indirect(Operand::Function(target)) => vec![*target],
            Callee::Indirect(Operand::Register(register)) => {
                self.targets.get(&(function, *register)).cloned().unwrap_or_default()
            }
            Callee::Indirect(_) => Vec::new(),
        }
    }

    /// What a call in a function may reach that is code nobody sees: `dlsym` has returned it, or it is an address that was a number.
    pub fn outside(&self, function: FunctionId, callee: &Callee) -> &[CellId] {
        match callee {
            Callee::Indirect(Operand::Register(register)) => {
                self.outside.get(&(function, *register)).map_or(&[], Vec::as_slice)
            }
            _ => &[],
        }
    }

    /// The functions of the program that code which nobody sees may call where a call may reach it.
    pub fn called_from_outside(&self, function: FunctionId, callee: &Callee) -> Vec<FunctionId> {
        let cells = self.outside(function, callee).iter();
        let mut found: Vec<FunctionId> = cells.flat_map(|cell| external::reached_from(self, *cell)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The functions of the program that a call of a function without code may call.
    pub fn called_back(&self, program: &Program, caller: FunctionId, target: FunctionId, call: &Op) -> Vec<FunctionId> {
        external::called_back(self, program, caller, target, call)
    }

    /// The functions that a function may call, sorted.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        self.callees.get(function.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// All functions, each behind those that it calls, as far as no recursion is in the way.
    pub fn callees_first(&self) -> Vec<FunctionId> {
        let successors: Vec<Vec<u32>> =
            self.callees.iter().map(|callees| callees.iter().map(|callee| callee.0).collect()).collect();
        crate::calls::components(&successors).into_iter().flatten().map(FunctionId).collect()
    }

    /// Whether a function may call itself, by way of others too.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.get(function.0 as usize).copied().unwrap_or(false)
    }

    /// The functions that may be called once some are.
    pub fn reachable(&self, from: impl IntoIterator<Item = FunctionId>) -> Vec<FunctionId> {
        let mut seen = vec![false; self.callees.len()];
        let mut waiting: Vec<FunctionId> = from.into_iter().collect();
        let mut found = Vec::new();
        while let Some(function) = waiting.pop() {
            match seen.get_mut(function.0 as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            found.push(function);
            waiting.extend_from_slice(self.callees(function));
        }
        found.sort_unstable();
        found
    }

    fn find_calls(&mut self, program: &Program) {
        for (id, function) in program.all_functions() {
            let mut callees = Vec::new();
            for instruction in function.instructions() {
                let Op::Call { callee, .. } = &instruction.op else { continue };
                if let Callee::Indirect(operand @ Operand::Register(register)) = callee {
                    let cells = self.of(id, operand);
                    let functions = cells.iter().filter_map(|cell| self.object_of(CellId(cell)).kind.function());
                    let mut functions: Vec<FunctionId> = functions.collect();
                    functions.sort_unstable();
                    functions.dedup();
                    self.targets.insert((id, *register), functions);
                    let is_outside = |cell: &CellId| self.object_of(*cell).kind.may_be_code();
                    let outside: Vec<CellId> = cells.iter().map(CellId).filter(is_outside).collect();
                    if !outside.is_empty() {
                        self.outside.insert((id, *register), outside);
                    }
                }
                let targets = self.targets(id, callee);
                for target in &targets {
                    callees.extend(external::called_back(self, program, id, *target, &instruction.op));
                }
                callees.extend(targets);
                callees.extend(self.called_from_outside(id, callee));
            }
            callees.sort_unstable();
            callees.dedup();
            self.callees.push(callees);
        }
        let successors: Vec<Vec<u32>> =
            self.callees.iter().map(|callees| callees.iter().map(|callee| callee.0).collect()).collect();
        self.recursive = vec![false; successors.len()];
        for component in crate::calls::components(&successors) {
            for id in &component {
                let calls_itself =
                    successors.get(*id as usize).is_some_and(|callees| callees.binary_search(id).is_ok());
                if let Some(recursive) = self.recursive.get_mut(*id as usize) {
                    *recursive = component.len() > 1 || calls_itself;
                }
            }
        }
    }

    /// Variables of functions that are active once at a time are one object at a time.
    fn find_single_objects(&mut self, program: &Program) {
        // `envp` is an array of its own.
        let main = program.function_named("main");
        let starts = program.constructors.iter().copied().chain(main);
        let has_environment = starts.into_iter().any(|id| program.function(id).parameters.len() > 2);
        for object in self.graph.objects_mut() {
            object.is_single = match object.kind {
                ObjectKind::Global(_) | ObjectKind::Function(_) => true,
                ObjectKind::Arguments => !has_environment,
                ObjectKind::Variable(function, register) => {
                    let recursive = self.recursive.get(function.0 as usize).copied().unwrap_or(true);
                    let entry = program.function(function).blocks.first();
                    let mut first = entry.into_iter().flat_map(|block| &block.instructions);
                    !recursive && first.any(|instruction| instruction.result == Some(register))
                }
                _ => false,
            };
        }
    }
}
