//! Theorem 3, type soundness, and theorem 8, MIX soundness: an accepted program does not end in an error, its value has
//! its type, and memory is well-typed afterwards.

use solver::Session;

use crate::analysis::{Analysis, Options};
use crate::evaluate::{Machine, Stuck, Value};
use crate::rules::{Premise, Rules};
use crate::syntax::Mode;
use crate::theorems::generate::{Case, Choices, Features, case, value};
use crate::theorems::typing::MemoryTyping;
use crate::theorems::{Tried, holds, needs};
use crate::types::Type;

const STEPS: u64 = 20_000;

fn options(outermost: Mode, defer: bool) -> Options {
    Options { outermost, defer, paths: 12, iterations: 4, steps: 4_000, ..Options::default() }
}

fn accepted_programs_are_safe(
    session: &mut Session,
    rules: Rules,
    mut choices: Choices,
    features: Features,
    options: Options,
) -> Result<Tried, String> {
    let Case { source, program, externs, memory, cells } = case(&mut choices, features);
    let mut analysis = Analysis::new(session, options, rules);
    let Ok(ty) = analysis.judge(&program) else { return Ok(Tried::DoesNotApply) };
    let mut oracle = |ty: &Type, _: &mut Vec<Value>| value(&mut choices, ty, &cells);
    let mut machine = Machine::new(memory.clone(), STEPS, &mut oracle);
    let outcome = machine.run(&program, externs.clone());
    let memory_after = machine.memory;
    let fail = |why: String| {
        let values: Vec<String> = externs.iter().map(Value::to_string).collect();
        let held: Vec<String> = memory.iter().map(Value::to_string).collect();
        Err(format!("accepted as {ty}, but {why}\nstarted with {values:?} and cells {held:?}\n{source}"))
    };
    let result = match outcome {
        Ok(result) => result,
        Err(Stuck::OutOfBudget) => return Ok(Tried::DoesNotApply),
        Err(error @ Stuck::Error { .. }) => return fail(format!("evaluates to {error:?}")),
    };
    let mut typing = MemoryTyping::default();
    if let Err(why) = typing.has_type(&mut analysis, &memory_after, &result, &ty) {
        return fail(format!("its value has another type: {why}"));
    }
    for (external, value) in program.externs.iter().zip(&externs) {
        if let Err(why) = typing.has_type(&mut analysis, &memory_after, value, &external.ty) {
            return fail(format!("`{}` is spoiled afterwards: {why}", external.name));
        }
    }
    Ok(Tried::Holds)
}

fn type_soundness(session: &mut Session, rules: Rules, choices: Choices) -> Result<Tried, String> {
    let features = Features { blocks: false, undefined: true, tricks: false, confused: 40 };
    accepted_programs_are_safe(session, rules, choices, features, options(Mode::Typed, false))
}

fn mix_soundness(session: &mut Session, rules: Rules, mut choices: Choices) -> Result<Tried, String> {
    let outermost = if choices.below(2) == 0 { Mode::Typed } else { Mode::Symbolic };
    let defer = choices.below(4) == 3;
    let features = Features { blocks: true, undefined: true, tricks: true, confused: 40 };
    accepted_programs_are_safe(session, rules, choices, features, options(outermost, defer))
}

#[test]
fn theorem_3_well_typed_programs_do_not_end_in_an_error() {
    holds(type_soundness, 3);
}

#[test]
fn theorem_3_needs_its_premises() {
    needs(
        type_soundness,
        &[
            (Premise::OperandTypes, 17),
            (Premise::SameArms, 624),
            (Premise::CellType, 16),
            (Premise::ArgumentType, 103),
            (Premise::SumsWrapAround, 2635),
        ],
    );
}

#[test]
fn theorem_8_accepted_programs_do_not_end_in_an_error() {
    holds(mix_soundness, 4);
}

#[test]
fn theorem_8_needs_the_premises_of_the_mix_rules() {
    needs(
        mix_soundness,
        &[
            (Premise::Exhaustive, 2416),
            (Premise::ConsistentEnd, 5),
            (Premise::SamePaths, 311),
            (Premise::VariablesRestored, 187),
            (Premise::FreshUnknowns, 203),
            (Premise::ConsistentStart, 845),
            (Premise::FreshMemory, 604),
            (Premise::VariablesForgotten, 266),
            (Premise::BlockChecks, 137),
        ],
    );
}

#[test]
fn theorem_8_needs_the_premises_of_symbolic_execution() {
    needs(
        mix_soundness,
        &[
            (Premise::SymbolicOperandTypes, 337),
            (Premise::FreshLocation, 633),
            (Premise::ConsistentRead, 283),
            (Premise::SameLocation, 1633),
            (Premise::LoggedWrite, 505),
        ],
    );
}
