//! Symbolic blocks within a typed program: executed in the contexts that the types give them, until nothing changes.

use crate::types::Border;
use ir::{FunctionId, Register, SiteId};
use qualifiers::{Inference, Node, Source, SourceKind};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use symex::{Budget, Execution, Outflow, Start, Subject, Task};

/// Which calls a symbolic block follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Follows {
    /// All but those of functions that are typed.
    All,
    /// Those of these functions.
    Only(BTreeSet<FunctionId>),
}

/// A function that is executed symbolically.
#[derive(Clone, Debug)]
pub struct Block {
    /// Why.
    pub why: String,
    /// Which calls it follows.
    pub follows: Follows,
    /// How memory is when it starts.
    pub start: Start,
    /// What an execution may cost.
    pub budget: Budget,
    /// Whether it looks for inputs of the program, rather than for everything that can happen.
    pub seeks_input: bool,
}

/// Which functions are analysed how.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The symbolic blocks.
    pub blocks: BTreeMap<FunctionId, Block>,
    /// Functions that are never executed symbolically.
    pub typed: FxHashSet<FunctionId>,
    /// Where the analysis starts.
    pub entries: Vec<FunctionId>,
}

/// An execution, and what it depended on.
#[derive(Clone, Debug)]
pub struct Cached {
    follows: Follows,
    start: Start,
    null_parameters: Vec<bool>,
    /// What the types said.
    pub answers: FxHashMap<Node, bool>,
    /// What came out.
    pub execution: Execution,
}

/// Executions by block. They are used again wherever the calling context is the same: parameters and everything else that the
/// execution asked the types about.
#[derive(Debug, Default)]
pub struct Cache {
    executions: FxHashMap<FunctionId, Vec<Arc<Cached>>>,
    /// How often blocks were executed.
    pub executed: FxHashMap<FunctionId, u64>,
    /// Queries to the solver.
    pub queries: u64,
}

/// What all rounds share.
pub struct Mixer<'a> {
    /// The program.
    pub subject: Subject<'a>,
    /// Whether every pointer that is followed must not be null.
    pub check_accesses: bool,
    /// Whether the time is up.
    pub stop: &'a dyn Fn() -> bool,
}

/// The blocks of a placement, as they are at the fixed point.
#[derive(Debug, Default)]
pub struct Solved {
    /// Executions that say something.
    pub executions: BTreeMap<FunctionId, Arc<Cached>>,
    /// Blocks that had to be taken as typed, and why.
    pub inconclusive: BTreeMap<FunctionId, String>,
    /// Whether the time was up before the fixed point was reached.
    pub stopped: bool,
}

impl Mixer<'_> {
    /// Analyses the program with a placement of blocks.
    pub fn solve(
        &self,
        inference: &mut Inference<'_>,
        placement: &Placement,
        cache: &mut Cache,
        session: &mut Session,
    ) -> Solved {
        inference.solve([]);
        let mut solved = Solved::default();
        let mut frontier = BTreeSet::new();
        self.reach(inference, placement, &solved, placement.entries.clone(), &mut frontier);
        loop {
            let mut changed = false;
            for id in frontier.clone() {
                if solved.inconclusive.contains_key(&id) {
                    continue;
                }
                let Some(block) = placement.blocks.get(&id) else { continue };
                let null_parameters = self.null_parameters(inference, id);
                let is_current = |cached: &Cached| {
                    cached.null_parameters == null_parameters
                        && cached.follows == block.follows
                        && cached.start == block.start
                        && cached.answers.iter().all(|(node, null)| inference.is_null(*node) == *null)
                };
                if solved.executions.get(&id).is_some_and(|cached| is_current(cached)) {
                    continue;
                }
                if (self.stop)() {
                    solved.stopped = true;
                    return solved;
                }
                changed = true;
                let known = cache.executions.get(&id).and_then(|known| known.iter().find(|cached| is_current(cached)));
                let cached = match known.cloned() {
                    Some(known) => known,
                    None => {
                        let made = Arc::new(self.execute(inference, placement, id, block, null_parameters, session));
                        if (self.stop)() {
                            solved.stopped = true;
                            return solved;
                        }
                        *cache.executed.entry(id).or_default() += 1;
                        cache.queries += made.execution.queries;
                        cache.executions.entry(id).or_default().push(made.clone());
                        made
                    }
                };
                match &cached.execution.inconclusive {
                    Some(why) => {
                        solved.inconclusive.insert(id, why.clone());
                        solved.executions.remove(&id);
                        self.reach(inference, placement, &solved, vec![id], &mut frontier);
                    }
                    None => {
                        self.tell(inference, id, &cached.execution);
                        let called = cached.execution.called.iter().copied().collect();
                        self.reach(inference, placement, &solved, called, &mut frontier);
                        solved.executions.insert(id, cached);
                    }
                }
            }
            if !changed {
                return solved;
            }
        }
    }

    /// Executes blocks with errors once more, for situations in which these happen.
    pub fn execute_again(
        &self,
        inference: &Inference<'_>,
        placement: &Placement,
        solved: &Solved,
        session: &mut Session,
    ) -> Solved {
        let mut again = Solved::default();
        for (id, cached) in &solved.executions {
            let is_certain = cached.execution.violations.iter().any(|violation| violation.is_certain);
            let Some(block) = placement.blocks.get(id).filter(|block| is_certain && block.start == Start::Typed) else {
                continue;
            };
            if (self.stop)() {
                break;
            }
            let block = Block { seeks_input: true, follows: cached.follows.clone(), ..block.clone() };
            let null_parameters = self.null_parameters(inference, *id);
            let made = self.execute(inference, placement, *id, &block, null_parameters, session);
            again.executions.insert(*id, Arc::new(made));
        }
        again
    }

    /// Executes the whole program from its start, as far as the budget goes, for paths that inputs of it lead to. What the
    /// types say stays as it is.
    pub fn execute_from_start(
        &self,
        inference: &mut Inference<'_>,
        placement: &Placement,
        session: &mut Session,
    ) -> Solved {
        let mut solved = Solved::default();
        let main = self.subject.program.function_named("main").filter(|_| self.subject.program.constructors.is_empty());
        if let Some(main) = main {
            let (follows, start, budget) = (Follows::All, Start::Program, Budget::ONCE);
            let why = "the program starts in it".to_owned();
            let block = Block { why, follows, start, budget, seeks_input: true };
            let null_parameters = self.null_parameters(inference, main);
            let cached = self.execute(inference, placement, main, &block, null_parameters, session);
            solved.executions.insert(main, Arc::new(cached));
        }
        solved
    }

    /// Lets functions count that can be called by types, up to symbolic blocks.
    fn reach(
        &self,
        inference: &mut Inference<'_>,
        placement: &Placement,
        solved: &Solved,
        from: Vec<FunctionId>,
        frontier: &mut BTreeSet<FunctionId>,
    ) {
        let mut waiting = from;
        while let Some(id) = waiting.pop() {
            if placement.blocks.contains_key(&id) && !solved.inconclusive.contains_key(&id) {
                frontier.insert(id);
                continue;
            }
            if !inference.is_active(id) {
                inference.activate(id);
                waiting.extend_from_slice(self.subject.points_to.callees(id));
            }
        }
    }

    fn null_parameters(&self, inference: &Inference<'_>, id: FunctionId) -> Vec<bool> {
        let count = self.subject.program.function(id).parameters.len() as u32;
        let nodes = &inference.constraints().nodes;
        (0..count).map(|index| inference.is_null(nodes.register(id, Register(index)))).collect()
    }

    fn execute(
        &self,
        inference: &Inference<'_>,
        placement: &Placement,
        id: FunctionId,
        block: &Block,
        null_parameters: Vec<bool>,
        session: &mut Session,
    ) -> Cached {
        let border = Border::new(inference, placement, id, &block.follows);
        let task = Task {
            function: id,
            null_parameters: null_parameters.clone(),
            start: block.start,
            check_accesses: self.check_accesses,
            seeks_input: block.seeks_input,
        };
        let execution = symex::execute(self.subject, &border, session, &task, block.budget);
        Cached {
            follows: block.follows.clone(),
            start: block.start,
            null_parameters,
            answers: border.into_answers(),
            execution,
        }
    }

    /// Translates what a block lets be null to constraints.
    fn tell(&self, inference: &mut Inference<'_>, id: FunctionId, execution: &Execution) {
        let mut outflows: Vec<(Outflow, SiteId)> = execution.outflows.iter().map(|(out, site)| (*out, *site)).collect();
        outflows.sort_unstable();
        for (outflow, site) in outflows {
            let nodes = &inference.constraints().nodes;
            let (node, what) = match outflow {
                Outflow::Cell(cell) => (nodes.cell(cell), "it can leave null in memory here"),
                Outflow::Argument(function, index) => {
                    let parameters = self.subject.program.function(function).parameters.len() as u32;
                    if index >= parameters {
                        let object = self.subject.points_to.object_of_kind(ir::ObjectKind::Variadic(function));
                        let cell = object.and_then(|object| self.subject.points_to.cell_at(object, 0));
                        let Some(cell) = cell else { continue };
                        (nodes.cell(cell), "it can pass null here")
                    } else {
                        (nodes.register(function, Register(index)), "it can pass null here")
                    }
                }
                Outflow::Result => (nodes.result(id), "it can return null here"),
            };
            inference.constrain(Source {
                node,
                kind: SourceKind::SymbolicBlock(id, Arc::from(what)),
                function: Some(id),
                site,
            });
        }
    }
}
