//! Figure 8: the program, the program with its casts, and what a run of it says of its input, side by side.

use rustc_hash::FxHashMap;

use crate::formula::Formulas;
use crate::module::Module;
use crate::print::{Detail, lines};
use crate::program::{CommandId, Program};
use crate::search::Subject;
use crate::side_by_side::{End, EventKind, Run};
use crate::solve::Constraint;
use crate::value::Value;

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The command, if the row shows one.
    pub command: Option<CommandId>,
    /// As it was written.
    pub original: String,
    /// With its casts.
    pub compiled: String,
    /// *pc* and Φ after it, if the run came by.
    pub state: Option<State>,
}

/// What a step of side-by-side evaluation leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The path constraint after the step.
    pub path_constraint: String,
    /// The checks of the step, and whether each held.
    pub checks: Vec<(String, bool)>,
    /// The cast failed, so the run ends here.
    pub failed: bool,
}

/// The table, and how the run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The rows.
    pub rows: Vec<Row>,
    /// How the run ended.
    pub end: End,
    /// The values of the variables at its end, by position.
    pub values: Vec<Value>,
}

/// More conjuncts than this are counted, not shown.
const MOST_CONJUNCTS: usize = 4;

/// Explains a run on an input.
pub fn explain(module: &Module, subject: &Subject<'_>, compiled: &Program, input: &[Value]) -> Explanation {
    let mut formulas = subject.formulas();
    let run = subject.run(&mut formulas, input);
    let mut states = states(module, &formulas, &run);
    let originals = lines(module, &module.program, Detail::Full);
    let rows = originals.into_iter().zip(lines(module, compiled, Detail::Full));
    let rows = rows.map(|(original, compiled)| Row {
        command: original.command,
        state: original.command.and_then(|id| states.remove(&id)),
        original: original.text,
        compiled: compiled.text,
    });
    Explanation { rows: rows.collect(), end: run.end, values: run.values }
}

fn states(module: &Module, formulas: &Formulas, run: &Run) -> FxHashMap<CommandId, State> {
    let names = module.parameter_names();
    let mut conjuncts = Vec::new();
    let mut before = 0;
    let mut states = FxHashMap::default();
    for (id, after) in &run.commands {
        let mut checks = Vec::new();
        for event in run.events.get(before..*after).unwrap_or_default() {
            let Constraint { formula, holds } = event.constraint;
            match event.kind {
                EventKind::Check(_) => checks.push((formulas.text(formula, &names), holds)),
                EventKind::Branch if holds => conjuncts.push(formulas.text(formula, &names)),
                EventKind::Branch => conjuncts.push(formulas.negated_text(formula, &names)),
            }
        }
        let failed = matches!(run.end, End::Failed(at, _) if at == *id);
        states.insert(*id, State { path_constraint: conjunction(&conjuncts), checks, failed });
        before = *after;
    }
    states
}

fn conjunction(conjuncts: &[String]) -> String {
    let hidden = conjuncts.len().saturating_sub(MOST_CONJUNCTS);
    let shown = conjuncts.get(hidden..).unwrap_or_default().join(" && ");
    match (conjuncts.is_empty(), hidden) {
        (true, _) => "true".to_owned(),
        (false, 0) => shown,
        (false, hidden) => format!("… {hidden} more … && {shown}"),
    }
}
