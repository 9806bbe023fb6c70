//! Figure 8: the program, the program with its casts, and what a run of it says of its input, side by side.

use crate::formula::Formulas;
use crate::module::Module;
use crate::print::{Detail, lines};
use crate::program::{CommandId, Program};
use crate::search::Subject;
use crate::side_by_side::{End, Event, Run};
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

/// More conjuncts than this are counted, not shown.
const MOST_CONJUNCTS: usize = 4;

/// The table for a run on an input.
pub fn table(module: &Module, subject: &Subject<'_>, compiled: &Program, input: &[Value]) -> Vec<Row> {
    let mut formulas = subject.formulas();
    let run = subject.run(&mut formulas, input);
    let originals = lines(module, &module.program, Detail::Full);
    let rows = originals.into_iter().zip(lines(module, compiled, Detail::Full));
    rows.map(|(original, compiled)| Row {
        command: original.command,
        state: original.command.and_then(|id| state(module, &formulas, &run, id)),
        original: original.text,
        compiled: compiled.text,
    })
    .collect()
}

fn state(module: &Module, formulas: &Formulas, run: &Run, id: CommandId) -> Option<State> {
    let position = run.commands.iter().position(|(there, _)| *there == id)?;
    let after = run.commands.get(position).map_or(0, |(_, after)| *after);
    let before = position.checked_sub(1).and_then(|previous| run.commands.get(previous)).map_or(0, |(_, count)| *count);
    let names = module.parameter_names();
    let text = |event: &Event| match event.constraint.holds {
        true => formulas.text(event.constraint.formula, &names),
        false => negated(formulas, event, &names),
    };
    let conjuncts: Vec<String> = run.path_constraint(after).map(text).collect();
    let checks = run.checks(after).skip(run.checks(before).count());
    Some(State {
        path_constraint: conjunction(&conjuncts),
        checks: checks.map(|event| (formulas.text(event.constraint.formula, &names), event.constraint.holds)).collect(),
        failed: matches!(run.end, End::Failed(at, _) if at == id),
    })
}

fn negated(formulas: &Formulas, event: &Event, names: &[String]) -> String {
    formulas.negated_text(event.constraint.formula, names)
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
