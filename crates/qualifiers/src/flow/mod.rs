//! Where null cannot be, by the order of instructions and the conditions around them.
//!
//! Inference knows neither. This analysis walks through every function with one state per block: which values are the same
//! ([`names`]), what places in memory hold, and which of the values are null or are not. Where ways meet, what differs gets a new
//! name. Between functions, whatever the call: a parameter, result or cell may be null if it may be at one of the places that
//! set it. Three things are told apart more finely: which global variables are not null whenever a function is called, and
//! whenever it returns; which parameters are not null when it returns; and which parameters it returns.
//!
//! Everything starts as not null and only ever becomes null, so what is left at the end holds in every run. It asks no
//! solver: what depends on numbers, or on how conditions belong together, is left to symbolic execution.

mod border;
mod call;
mod code;
mod fresh;
mod memory;
mod names;
mod state;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use crate::Constraints;
use crate::node::Node;
use code::Code;
use fresh::Returned;
use ir::{CellId, Cells, Effects, FunctionId, GlobalId, ObjectKind, Operand, PointsTo, Program, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use walk::Walk;

/// What holds in every run of a program.
#[derive(Debug)]
pub struct Facts {
    null: Vec<bool>,
    possible: Vec<FxHashSet<u32>>,
    at_entry: Vec<Cells>,
}

impl Facts {
    /// Analyses a program that starts in some functions; nothing if `stop` says that the time is up.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        effects: &Effects,
        constraints: &Constraints,
        entries: &[FunctionId],
        stop: &dyn Fn() -> bool,
    ) -> Option<Facts> {
        let mut analysis = Analysis::new(program, points_to, effects, constraints);
        analysis.enter(entries);
        analysis.run(entries, stop)?;
        Some(analysis.facts())
    }

    /// Whether a parameter, result or cell may ever be null. Of other registers nothing is known.
    pub fn may_be_null(&self, node: Node) -> bool {
        self.null.get(node.0 as usize).copied().unwrap_or(true)
    }

    /// Whether a sink of a function, by its number there, can ever see null.
    pub fn can_fail(&self, function: FunctionId, sink: usize) -> bool {
        self.possible.get(function.0 as usize).is_none_or(|sinks| sinks.contains(&(sink as u32)))
    }

    /// Whether a cell is not null whenever a function is called.
    pub fn is_nonnull_at_entry(&self, function: FunctionId, cell: CellId) -> bool {
        self.at_entry.get(function.0 as usize).is_some_and(|cells| cells.contains(cell))
    }
}

/// What is known of a function, seen from outside. Where nothing was seen yet, everything holds.
#[derive(Debug, Default)]
struct Summary {
    /// Cells of global variables that are not null when it is called.
    entry: Option<Cells>,
    /// Those that it may write and that are not null when it returns.
    exit: Option<Cells>,
    /// Parameters that are not null when it returns.
    checked: Option<BTreeSet<u32>>,
    /// Parameters that it may return.
    returned: BTreeSet<u32>,
    /// The memory that it returns if that is always fresh, or null; nothing yet if it was never seen to return.
    fresh: Option<Option<Returned>>,
    /// Who depends on this.
    readers: FxHashSet<FunctionId>,
    code: Option<Rc<Code>>,
}

/// The analysis on its way.
struct Analysis<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    effects: &'a Effects,
    constraints: &'a Constraints,
    /// By node.
    null: Vec<bool>,
    readers: FxHashMap<Node, FxHashSet<FunctionId>>,
    summaries: Vec<Summary>,
    possible: Vec<FxHashSet<u32>>,
    /// Cells of global variables that are followed through the whole program.
    followed: Cells,
    /// The same, by where they are.
    followed_at: FxHashMap<(GlobalId, i64), CellId>,
    queue: VecDeque<FunctionId>,
    queued: Vec<bool>,
}

impl<'a> Analysis<'a> {
    fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        effects: &'a Effects,
        constraints: &'a Constraints,
    ) -> Analysis<'a> {
        let count = program.functions.len();
        let mut null = vec![false; constraints.nodes.count()];
        for source in &constraints.initial {
            if let Some(null) = null.get_mut(source.node.0 as usize) {
                *null = true;
            }
        }
        let mut analysis = Analysis {
            program,
            points_to,
            effects,
            constraints,
            null,
            readers: FxHashMap::default(),
            summaries: Vec::new(),
            possible: vec![FxHashSet::default(); count],
            followed: Cells::default(),
            followed_at: FxHashMap::default(),
            queue: VecDeque::new(),
            queued: vec![false; count],
        };
        analysis.summaries.resize_with(count, Summary::default);
        analysis.choose_followed();
        analysis
    }

    /// Single pointers in global variables: there is one of each, so a write to it leaves nothing of what was there.
    fn choose_followed(&mut self) {
        for (_, object) in self.points_to.objects() {
            let ObjectKind::Global(global) = object.kind else { continue };
            if self.program.global(global).is_constant {
                continue;
            }
            for (offset, cell) in &object.cells {
                let is_pointer = !self.points_to.contents(*cell).is_empty();
                if let (true, None, Ok(at)) = (is_pointer, object.layout.element_at(*offset), i64::try_from(*offset)) {
                    self.followed.insert(*cell);
                    self.followed_at.insert((global, at), *cell);
                }
            }
        }
    }

    /// What global variables hold where the program starts.
    fn enter(&mut self, entries: &[FunctionId]) {
        let is_start = self.program.function_named("main").is_some() && self.program.constructors.is_empty();
        let initial = if is_start { self.initially_nonnull() } else { Cells::default() };
        for id in entries {
            if let Some(summary) = self.summaries.get_mut(id.0 as usize) {
                summary.entry = Some(initial.clone());
            }
        }
    }

    fn initially_nonnull(&self) -> Cells {
        let starts_nonnull = |(global, at): (GlobalId, i64)| {
            let parts = self.program.global(global).initial.as_deref().unwrap_or_default();
            parts.iter().any(|part| {
                i64::try_from(part.offset) == Ok(at)
                    && part.ty.is_pointer
                    && matches!(part.value, Operand::Global(..) | Operand::Function(_))
                    && !self.program.may_be_missing(&part.value)
            })
        };
        self.followed_at.iter().filter(|(place, _)| starts_nonnull(**place)).map(|(_, cell)| *cell).collect()
    }

    /// Walks until nothing changes. What is called comes first, so that callers know something of it.
    fn run(&mut self, entries: &[FunctionId], stop: &dyn Fn() -> bool) -> Option<()> {
        let reachable: FxHashSet<FunctionId> = self.points_to.reachable(entries.iter().copied()).into_iter().collect();
        for id in self.points_to.callees_first().into_iter().filter(|id| reachable.contains(id)) {
            self.wait(id);
        }
        while let Some(id) = self.queue.pop_front() {
            if stop() {
                return None;
            }
            if let Some(queued) = self.queued.get_mut(id.0 as usize) {
                *queued = false;
            }
            Walk::through(self, id);
        }
        Some(())
    }

    fn wait(&mut self, id: FunctionId) {
        if let Some(queued) = self.queued.get_mut(id.0 as usize)
            && !*queued
        {
            *queued = true;
            self.queue.push_back(id);
        }
    }

    /// Whether a node may be null; whoever asks is told when that changes.
    fn is_null(&mut self, node: Node, asker: FunctionId) -> bool {
        let null = self.null.get(node.0 as usize).copied().unwrap_or(true);
        if !null {
            self.readers.entry(node).or_default().insert(asker);
        }
        null
    }

    /// A node may be null.
    fn tell(&mut self, node: Node) {
        match self.null.get_mut(node.0 as usize) {
            Some(null) if !*null => *null = true,
            _ => return,
        }
        for reader in self.readers.remove(&node).unwrap_or_default() {
            self.wait(reader);
        }
    }

    /// What is known of a function; whoever asks is told when that changes.
    fn summary(&mut self, id: FunctionId, asker: FunctionId) -> Option<&Summary> {
        let summary = self.summaries.get_mut(id.0 as usize)?;
        summary.readers.insert(asker);
        Some(summary)
    }

    /// The cells of global variables that are followed and have to do with a function.
    fn concerning(&self, id: FunctionId) -> Cells {
        let touched = self.effects.of(id);
        let mut all = touched.reads.clone();
        all.add_all(&touched.writes);
        all.keep(&self.followed);
        all
    }

    /// A function is called where just these cells are known not to be null.
    fn called_with(&mut self, id: FunctionId, nonnull: &Cells) {
        let is_first = self.summaries.get(id.0 as usize).is_some_and(|summary| summary.entry.is_none());
        let concerning = is_first.then(|| self.concerning(id));
        let Some(summary) = self.summaries.get_mut(id.0 as usize) else { return };
        let is_new = match (&mut summary.entry, concerning) {
            (Some(known), _) => known.keep(nonnull),
            (entry @ None, concerning) => {
                let mut known = concerning.unwrap_or_default();
                known.keep(nonnull);
                *entry = Some(known);
                true
            }
        };
        if is_new {
            self.wait(id);
        }
    }

    /// A function returns where just these cells and parameters are known not to be null.
    fn returns_with(&mut self, id: FunctionId, cells: Cells, parameters: BTreeSet<u32>, returned: Option<u32>) {
        let writes = &self.effects.of(id).writes;
        let Some(summary) = self.summaries.get_mut(id.0 as usize) else { return };
        let mut is_new = returned.is_some_and(|index| summary.returned.insert(index));
        match &mut summary.exit {
            None => {
                let mut cells = cells;
                cells.keep(writes);
                summary.exit = Some(cells);
                is_new = true;
            }
            Some(known) => is_new |= known.keep(&cells),
        }
        match &mut summary.checked {
            None => {
                summary.checked = Some(parameters);
                is_new = true;
            }
            Some(known) => {
                let before = known.len();
                known.retain(|index| parameters.contains(index));
                is_new |= known.len() < before;
            }
        }
        if is_new {
            for reader in summary.readers.iter().copied().collect::<Vec<_>>() {
                self.wait(reader);
            }
        }
    }

    /// A function returns fresh memory, or something else.
    fn returns_fresh(&mut self, id: FunctionId, fresh: Option<Returned>) {
        let Some(summary) = self.summaries.get_mut(id.0 as usize) else { return };
        let now = Some(fresh);
        if summary.fresh != now {
            summary.fresh = now;
            for reader in summary.readers.iter().copied().collect::<Vec<_>>() {
                self.wait(reader);
            }
        }
    }

    fn facts(mut self) -> Facts {
        for (id, summary) in (0..).map(FunctionId).zip(&self.summaries) {
            let parameter = |index: &u32| self.constraints.nodes.register(id, Register(*index));
            let returns_null = summary
                .returned
                .iter()
                .any(|index| self.null.get(parameter(index).0 as usize).copied().unwrap_or(true));
            if let (true, Some(null)) = (returns_null, self.null.get_mut(self.constraints.nodes.result(id).0 as usize))
            {
                *null = true;
            }
        }
        for (id, function) in self.program.all_functions() {
            for index in function.parameters.len() as u32..function.registers {
                let node = self.constraints.nodes.register(id, Register(index));
                if let Some(null) = self.null.get_mut(node.0 as usize) {
                    *null = true;
                }
            }
        }
        let at_entry = self.summaries.iter_mut().map(|summary| summary.entry.take().unwrap_or_default()).collect();
        Facts { null: self.null, possible: self.possible, at_entry }
    }
}
