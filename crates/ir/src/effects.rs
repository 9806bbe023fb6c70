//! What functions read and write.

use crate::calls::components;
use crate::library::{self, Effect, Returns};
use crate::points_to::{CellId, ObjectKind, PointsTo};
use crate::program::{Argument, FunctionId, GlobalId, Instruction, Op, Operand, Program, Type};
use crate::set::Set;
use rustc_hash::FxHashSet;

/// A set of cells, a bit for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cells(Vec<u64>);

impl Cells {
    /// Adds a cell.
    pub fn insert(&mut self, cell: CellId) {
        let (word, bit) = (cell.0 as usize / 64, cell.0 % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    /// Adds cells.
    pub fn add_all(&mut self, more: &Cells) {
        if self.0.len() < more.0.len() {
            self.0.resize(more.0.len(), 0);
        }
        self.0.iter_mut().zip(&more.0).for_each(|(word, more)| *word |= more);
    }

    /// Takes a cell away.
    pub fn remove(&mut self, cell: CellId) {
        if let Some(word) = self.0.get_mut(cell.0 as usize / 64) {
            *word &= !(1 << (cell.0 % 64));
        }
        self.trim();
    }

    /// Takes cells away.
    pub fn remove_all(&mut self, gone: &Cells) {
        self.0.iter_mut().zip(&gone.0).for_each(|(word, gone)| *word &= !gone);
        self.trim();
    }

    /// Takes away what is not in another set; true if that is anything.
    pub fn keep(&mut self, kept: &Cells) -> bool {
        let before = self.0.iter().map(|word| word.count_ones()).sum::<u32>();
        self.0.truncate(kept.0.len());
        self.0.iter_mut().zip(&kept.0).for_each(|(word, kept)| *word &= kept);
        self.trim();
        self.0.iter().map(|word| word.count_ones()).sum::<u32>() < before
    }

    /// Whether the two have a cell in common.
    pub fn meets(&self, other: &Cells) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Sets with the same cells are the same.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Whether a cell is in it.
    pub fn contains(&self, cell: CellId) -> bool {
        self.0.get(cell.0 as usize / 64).is_some_and(|word| word >> (cell.0 % 64) & 1 == 1)
    }

    /// The cells in it.
    pub fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        let words = (0..).zip(&self.0).filter(|(_, word)| **word != 0);
        words.flat_map(|(index, word): (u32, _)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| CellId(index * 64 + bit))
        })
    }
}

impl FromIterator<CellId> for Cells {
    fn from_iter<T: IntoIterator<Item = CellId>>(cells: T) -> Cells {
        let mut set = Cells::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// The cells that something reads and writes, calls included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// Read.
    pub reads: Cells,
    /// Written.
    pub writes: Cells,
}

impl Touched {
    /// Adds what something else touches.
    pub fn add_all(&mut self, more: &Touched) {
        self.reads.add_all(&more.reads);
        self.writes.add_all(&more.writes);
    }
}

/// What every function reads and writes, with all that it calls.
#[derive(Debug)]
pub struct Effects {
    functions: Vec<Touched>,
}

impl Effects {
    /// Computes the effects of all functions.
    pub fn new(program: &Program, points_to: &PointsTo) -> Effects {
        let count = program.functions.len();
        let successors: Vec<Vec<u32>> = (0..count as u32)
            .map(|id| points_to.callees(FunctionId(id)).iter().map(|callee| callee.0).collect())
            .collect();
        let mut effects = Effects { functions: vec![Touched::default(); count] };
        for component in components(&successors) {
            let mut touched = Touched::default();
            for id in &component {
                let function = program.function(FunctionId(*id));
                for instruction in function.instructions() {
                    touch(program, points_to, FunctionId(*id), instruction, &mut touched);
                }
                for callee in successors.get(*id as usize).into_iter().flatten() {
                    if let Some(known) = effects.functions.get(*callee as usize) {
                        touched.add_all(known);
                    }
                }
            }
            for id in component {
                if let Some(slot) = effects.functions.get_mut(id as usize) {
                    *slot = touched.clone();
                }
            }
        }
        effects
    }

    /// The effects of a function.
    ///
    /// # Panics
    /// If the function is not of the program.
    pub fn of(&self, function: FunctionId) -> &Touched {
        &self.functions[function.0 as usize]
    }

    /// The effects of one instruction, calls included.
    pub fn of_instruction(
        &self,
        program: &Program,
        points_to: &PointsTo,
        function: FunctionId,
        instruction: &Instruction,
        touched: &mut Touched,
    ) {
        touch(program, points_to, function, instruction, touched);
        if let Op::Call { callee, .. } = &instruction.op {
            for target in points_to.targets(function, callee) {
                touched.add_all(self.of(target));
                for called in points_to.called_back(program, function, target, &instruction.op) {
                    touched.add_all(self.of(called));
                }
            }
            for called in points_to.called_from_outside(function, callee) {
                touched.add_all(self.of(called));
            }
        }
    }
}

/// Adds what an instruction touches itself, without the functions with code that it calls.
pub fn touch(
    program: &Program,
    points_to: &PointsTo,
    id: FunctionId,
    instruction: &Instruction,
    touched: &mut Touched,
) {
    let cells = |operand: &Operand| points_to.of(id, operand);
    match &instruction.op {
        Op::Load { address } => accessed(points_to, &cells(address), instruction.ty, &mut touched.reads),
        Op::Store { address, ty, .. } => accessed(points_to, &cells(address), *ty, &mut touched.writes),
        Op::Exchange { address, ty, .. } => {
            accessed(points_to, &cells(address), *ty, &mut touched.reads);
            accessed(points_to, &cells(address), *ty, &mut touched.writes);
        }
        Op::Copy { to, from, .. } => {
            whole(points_to, cells(from).iter(), &mut touched.reads);
            whole(points_to, cells(to).iter(), &mut touched.writes);
        }
        Op::Fill { to, .. } | Op::StartVariadic { list: to } => whole(points_to, cells(to).iter(), &mut touched.writes),
        Op::Unknown { operands, .. } => {
            let roots = operands.iter().flat_map(|operand| cells(operand).iter().collect::<Vec<_>>()).collect();
            reach(points_to, roots, touched);
        }
        Op::Call { callee, arguments } => {
            for target in points_to.targets(id, callee) {
                let function = program.function(target);
                by_value(points_to, id, target, arguments, touched);
                if !function.has_code() {
                    external(program, points_to, id, &function.name, arguments, touched);
                }
            }
            if !points_to.outside(id, callee).is_empty() {
                unknown(program, points_to, id, arguments, touched);
            }
        }
        _ => {}
    }
}

fn by_value(points_to: &PointsTo, id: FunctionId, target: FunctionId, arguments: &[Argument], touched: &mut Touched) {
    for (index, argument) in (0..).zip(arguments) {
        if argument.by_value.is_some() {
            whole(points_to, points_to.of(id, &argument.value).iter(), &mut touched.reads);
            if let Some(object) = points_to.passed_copy(target, index) {
                points_to.object(object).cells.values().for_each(|cell| touched.writes.insert(*cell));
            }
        }
    }
}

fn external(
    program: &Program,
    points_to: &PointsTo,
    id: FunctionId,
    name: &str,
    arguments: &[Argument],
    touched: &mut Touched,
) {
    let cells =
        |index: usize| arguments.get(index).map(|argument| points_to.of(id, &argument.value)).unwrap_or_default();
    let Some(model) = library::model(name) else {
        return unknown(program, points_to, id, arguments, touched);
    };
    if let Returns::Moved(index) = model.returns {
        whole(points_to, cells(index).iter(), &mut touched.reads);
    }
    if model.returns == Returns::Kept {
        let own = program.function_named(name).and_then(|id| points_to.object_of_kind(ObjectKind::External(id)));
        let own = own.and_then(|object| points_to.cell_at(object, 0));
        let kept = own.map(|cell| points_to.contents(cell).clone()).unwrap_or_default();
        whole(points_to, kept.iter(), &mut touched.writes);
    }
    for effect in &model.effects {
        match effect {
            Effect::Bytes(to)
            | Effect::PointerInto(to, _)
            | Effect::FreshAt(to)
            | Effect::OwnAt(to)
            | Effect::KeptAt(to, _)
            | Effect::Zeros(to) => {
                whole(points_to, cells(*to).iter(), &mut touched.writes);
            }
            Effect::Reaches(from) => reach(points_to, cells(*from).iter().collect(), touched),
            Effect::Elsewhere => elsewhere(program, points_to, touched),
            Effect::BytesFrom(first) => {
                (*first..arguments.len()).for_each(|to| whole(points_to, cells(to).iter(), &mut touched.writes));
            }
            Effect::Copies(to, from) => {
                whole(points_to, cells(*from).iter(), &mut touched.reads);
                whole(points_to, cells(*to).iter(), &mut touched.writes);
            }
            Effect::ReturnsAt(from) => whole(points_to, cells(*from).iter(), &mut touched.reads),
            Effect::Calls(..) | Effect::Keeps(_) | Effect::ReturnsWithin(_) => {}
        }
    }
}

/// What code of which nothing is known touches.
fn unknown(program: &Program, points_to: &PointsTo, id: FunctionId, arguments: &[Argument], touched: &mut Touched) {
    let cells = |argument: &Argument| points_to.of(id, &argument.value).iter().collect::<Vec<_>>();
    elsewhere(program, points_to, touched);
    reach(points_to, arguments.iter().flat_map(cells).collect(), touched);
}

/// Variables that are defined elsewhere are changed there.
fn elsewhere(program: &Program, points_to: &PointsTo, touched: &mut Touched) {
    for (id, _) in (0..).map(GlobalId).zip(&program.globals).filter(|(_, global)| global.initial.is_none()) {
        let object = points_to.object_of_kind(ObjectKind::Global(id));
        let cells = object.map(|object| points_to.object(object).cells.values().copied());
        cells.into_iter().flatten().for_each(|cell| touched.writes.insert(cell));
    }
}

/// All cells that an access of a type touches.
fn accessed(points_to: &PointsTo, cells: &Set, ty: Type, touched: &mut Cells) {
    for cell in cells.iter().flat_map(|cell| points_to.accessed(CellId(cell), ty.bytes())) {
        touched.insert(cell);
    }
}

/// All cells of the objects that cells belong to.
fn whole(points_to: &PointsTo, cells: impl Iterator<Item = u32>, touched: &mut Cells) {
    for cell in cells {
        points_to.object_of(CellId(cell)).cells.values().for_each(|cell| touched.insert(*cell));
    }
}

/// Everything that can be reached.
fn reach(points_to: &PointsTo, roots: Vec<u32>, touched: &mut Touched) {
    let mut seen = FxHashSet::default();
    let mut waiting = roots;
    while let Some(cell) = waiting.pop() {
        for cell in points_to.object_of(CellId(cell)).cells.values() {
            if seen.insert(*cell) {
                touched.reads.insert(*cell);
                touched.writes.insert(*cell);
                waiting.extend(points_to.contents(*cell).iter());
            }
        }
    }
}
