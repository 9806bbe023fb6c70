//! Symbolic execution of a function and of what it calls, over the static view of a program.
//!
//! Values are terms, a bit for a bit. A pointer is a condition under which it is null, what it points into, and a distance
//! from the start of that. Memory that the function finds is initialised when it is first looked at: integers are any
//! integers; a pointer is null only if the *types* say that it may be ([`Types`]), and points to something that the points-to
//! analysis allows. Pointers that may point to the same thing have *views* of it: a write through one makes what the
//! others see either what it was or what was written.
//!
//! The executor forks at branches. States that meet are merged when there are many. A call of a function that is not followed
//! goes by types: what it may read is told to them, what it may write is forgotten and read back from them. So is a loop after
//! its first rounds, so that every function has finitely many paths. What the budget does not allow makes the whole execution
//! inconclusive.

mod arithmetic;
mod call;
mod control;
mod decide;
mod execute;
mod input;
mod library;
mod loops;
mod memory;
mod merge;
mod pieces;
mod schedule;
mod situation;
mod state;
mod stdin;
mod translate;
mod value;

pub use situation::{Held, Object, Situation};

use expr::Store;
use ir::{BlockId, CellId, Effects, FunctionId, Names, Operand, PointsTo, Program, SiteId};
use loops::Loops;
use memory::RegionInfo;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Session;
use std::rc::Rc;
use value::Lazy;

/// What the typed side knows.
pub trait Types {
    /// Whether a cell may hold null.
    fn cell_is_null(&self, cell: CellId) -> bool;
    /// Whether a cell may hold null when the function is called that is executed.
    fn cell_is_null_at_start(&self, cell: CellId) -> bool;
    /// Whether it is known that a cell holds null in no run.
    fn cell_is_never_null(&self, cell: CellId) -> bool;
    /// Whether it is known that what must not be null at an instruction is not, in any run: number of its block, and within
    /// that, and which argument of which function it is, if it is one.
    fn never_fails(&self, function: FunctionId, at: (u32, u32), argument: Option<(FunctionId, u32)>) -> bool;
    /// Whether a function may return null.
    fn result_is_null(&self, function: FunctionId) -> bool;
    /// Whether a call of a function is followed; otherwise it goes by types.
    fn follows(&self, function: FunctionId) -> bool;
}

/// What an execution may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Instructions, on all paths together.
    pub instructions: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Queries that it has no answer to: each of them takes longer than many others.
    pub unanswered: u64,
    /// Terms.
    pub terms: usize,
    /// Calls within each other that are followed.
    pub depth: usize,
}

impl Default for Budget {
    /// About a tenth of a second: what a function is worth that nobody asked for.
    fn default() -> Budget {
        Budget { instructions: 30_000, queries: 500, unanswered: 4, terms: 100_000, depth: 24 }
    }
}

impl Budget {
    /// What one look at the whole program is worth.
    pub const ONCE: Budget =
        Budget { instructions: 200_000, queries: 1_500, unanswered: 15, terms: 1_000_000, depth: 24 };

    /// What a function is worth that the user asked for: some seconds.
    pub const LARGE: Budget =
        Budget { instructions: 500_000, queries: 5_000, unanswered: 50, terms: 2_000_000, depth: 24 };
}

/// How memory is when the execution starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// As the types say.
    Typed,
    /// As when the program starts.
    Program,
}

/// What to execute.
#[derive(Clone, Debug)]
pub struct Task {
    /// The function.
    pub function: FunctionId,
    /// Which parameters may be null.
    pub null_parameters: Vec<bool>,
    /// How memory is.
    pub start: Start,
    /// Whether every pointer that is followed must not be null.
    pub check_accesses: bool,
    /// Whether an input of the program is looked for, rather than everything that can happen.
    pub seeks_input: bool,
}

/// Something on the way of an execution that could have been otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// In a function, control goes from a block that ends with a branch to another one.
    Branch(FunctionId, BlockId, BlockId),
    /// The result of a function without code is null.
    ReturnsNull(FunctionId),
}

/// Something that must not be null, and can be.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// In which function.
    pub function: FunctionId,
    /// Number of the instruction: of its block, and within that.
    pub at: (u32, u32),
    /// What can be null.
    pub value: Operand,
    /// Which argument of which function it is, if it is one.
    pub argument: Option<(FunctionId, u32)>,
    /// How the execution gets there.
    pub path: Vec<(SiteId, Turn)>,
    /// The calls that lead there, the outermost first.
    pub calls: Vec<(FunctionId, SiteId)>,
    /// Whether there is a path for certain; else the solver could not tell.
    pub is_certain: bool,
    /// Whether it is null only because the types say that something which was found, and not made, may be.
    pub by_types: bool,
    /// An input with which the program takes the path, as far as that decides about it.
    pub input: Option<Input>,
    /// Parameters and memory with which the function takes the path.
    pub situation: Option<Situation>,
}

/// An input of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    /// Its arguments, without its name.
    pub arguments: Vec<Vec<u8>>,
    /// What it reads from standard input, if it does.
    pub stdin: Option<Vec<u8>>,
}

/// Where an execution lets null go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Outflow {
    /// A cell may hold null, for code that goes by types.
    Cell(CellId),
    /// An argument of a function that goes by types.
    Argument(FunctionId, u32),
    /// The result of the function that was executed.
    Result,
}

/// What an execution found out.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// What can be null and must not be.
    pub violations: Vec<Violation>,
    /// Where null goes, and where in the source.
    pub outflows: FxHashMap<Outflow, SiteId>,
    /// Functions that were called by types.
    pub called: FxHashSet<FunctionId>,
    /// Functions that were followed.
    pub followed: FxHashSet<FunctionId>,
    /// Paths that came to an end.
    pub paths: u64,
    /// Queries that were asked.
    pub queries: u64,
    /// Why nothing can be concluded, if so.
    pub inconclusive: Option<String>,
}

/// Everything that executions of one program share.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its pointers point to.
    pub points_to: &'a PointsTo,
    /// What its functions touch.
    pub effects: &'a Effects,
    /// Names of values.
    pub names: &'a Names<'a>,
    /// Whether the time is up.
    pub stop: &'a dyn Fn() -> bool,
}

/// Executes a function.
pub fn execute(
    subject: Subject<'_>,
    types: &dyn Types,
    session: &mut Session,
    task: &Task,
    budget: Budget,
) -> Execution {
    let mut executor = Executor {
        subject,
        types,
        session,
        task,
        budget,
        store: Store::new(),
        execution: Execution::default(),
        lazies: Vec::new(),
        regions: Vec::new(),
        single_regions: FxHashMap::default(),
        nonnull_results: FxHashSet::default(),
        guesses: FxHashSet::default(),
        loops: FxHashMap::default(),
        seen: FxHashMap::default(),
        fresh: 0,
        instructions: 0,
        unanswered: 0,
        waiting: schedule::Waiting::default(),
    };
    executor.run();
    executor.execution
}

/// A position that must not be null: function, instruction, and argument if it is one.
type SinkPlace = (FunctionId, (u32, u32), Option<(FunctionId, u32)>);

struct Executor<'a> {
    subject: Subject<'a>,
    types: &'a dyn Types,
    session: &'a mut Session,
    task: &'a Task,
    budget: Budget,
    store: Store,
    execution: Execution,
    lazies: Vec<Lazy>,
    regions: Vec<RegionInfo>,
    single_regions: FxHashMap<ir::ObjectId, value::RegionId>,
    /// Structures that calls have returned, in registers, and that have no null pointer in them by the types.
    nonnull_results: FxHashSet<expr::Term>,
    /// Conditions that something is null of which only the types say that it may be.
    guesses: FxHashSet<expr::Term>,
    loops: FxHashMap<FunctionId, Rc<Loops>>,
    /// Violations that are known already.
    seen: FxHashMap<SinkPlace, decide::Seen>,
    fresh: u64,
    instructions: u64,
    unanswered: u64,
    waiting: schedule::Waiting,
}
