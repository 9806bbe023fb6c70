//! Theorems 1, 2 and 8: directed search sees every path, and active checking is sound and complete.

use std::collections::BTreeSet;

use super::generate::{LARGEST_INPUT, World};
use super::mutants::{EmptyCheck, FlippedBranch, HalfCheck};
use super::oracle::{Forgetful, Truth, concrete, inputs};
use super::{Tried, budget, fails, holds};
use crate::analysis::{Options, Verdict, analyse};
use crate::compile::{Compiled, compile_by};
use crate::environment::Environment;
use crate::evaluate::Step;
use crate::formula::Formulas;
use crate::module::Module;
use crate::program::{CommandId, Variable};
use crate::rules::{Figures, Rules};
use crate::search::{Gap, Limits, Subject};
use crate::side_by_side::{Event, Run};
use crate::subtyping::Strength;
use crate::term::Term;
use crate::types::Type;
use crate::typing::{Typing, check};
use crate::value::{Binary, Value};

fn compiled(world: &World, environment: &Environment) -> Option<Compiled> {
    let mut forgetful = Forgetful { seed: world.seed, refutes: false };
    compile_by(&Figures, environment, &world.module.program, &mut forgetful).ok()
}

fn true_under<'a>(formulas: &Formulas, input: &[Value], mut events: impl Iterator<Item = &'a Event>) -> bool {
    events.all(|event| holds_under(formulas, input, event) == event.constraint.holds)
}

fn holds_under(formulas: &Formulas, input: &[Value], event: &Event) -> bool {
    formulas.evaluate(event.constraint.formula, input) == Ok(Value::Bool(true))
}

/// How many events there were before the command at a position.
fn events_before(run: &Run, position: usize) -> usize {
    position.checked_sub(1).and_then(|previous| run.commands.get(previous)).map_or(0, |(_, events)| *events)
}

/// Theorem 8, for every pair of inputs: one for the side-by-side run, one that might fail.
fn checks_are_sound_and_complete(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let Some(compiled) = compiled(world, world.environment()) else { return Ok(Tried::Vacuous) };
    let subject = Subject::new(&world.module, world.environment(), &compiled.program);
    let mut formulas = subject.formulas();
    let all = inputs(world, world.environment());
    let others: Vec<_> = all.iter().map(|input| concrete(&Figures, world, &compiled.program, input)).collect();
    // Inputs on one path give one run as far as symbolic values go, so a few of them are enough.
    for first in all.iter().step_by(1 + all.len() / 12) {
        let run = subject.run_by(rules, &mut formulas, first);
        let executed: Vec<CommandId> = run.commands.iter().map(|(id, _)| *id).collect();
        for (input, other) in all.iter().zip(&others) {
            sound(&formulas, &run, input, other.states.len(), &other.end)?;
            let path: Vec<CommandId> = other.states.iter().map(|(id, _)| *id).collect();
            complete(&formulas, &run, &executed, input, &path, &other.end)?;
        }
    }
    Ok(Tried::Held)
}

/// Part 1: an input that satisfies the path constraint and violates a check fails before the end of the run.
fn sound(formulas: &Formulas, run: &Run, input: &[Value], states: usize, end: &Step) -> Result<(), String> {
    let length = run.events.len();
    let violated = run.checks(length).any(|check| check.constraint.holds && !holds_under(formulas, input, check));
    if !violated || !true_under(formulas, input, run.path_constraint(length)) {
        return Ok(());
    }
    let fails = matches!(end, Step::Failed(_)) && states <= run.commands.len();
    if fails { Ok(()) } else { Err(format!("{input:?} violates a check, but does not fail: {end:?}")) }
}

/// Part 2: an input that fails at a command that the run passed violates one of the checks up to that command, and
/// satisfies the path constraint before it.
fn complete(
    formulas: &Formulas,
    run: &Run,
    executed: &[CommandId],
    input: &[Value],
    path: &[CommandId],
    end: &Step,
) -> Result<(), String> {
    let Step::Failed(_) = end else { return Ok(()) };
    let position = path.len() - 1;
    if !executed.starts_with(path) {
        return Ok(());
    }
    let (before, after) = (events_before(run, position), events_before(run, position + 1));
    if !true_under(formulas, input, run.path_constraint(before)) {
        return Err(format!("{input:?} takes the path, but does not satisfy its constraint"));
    }
    let own_failure = run.commands.len() == path.len() && run.failed.is_some();
    let violates = run.checks(after).any(|check| !holds_under(formulas, input, check));
    if violates || own_failure { Ok(()) } else { Err(format!("{input:?} fails, but violates no check")) }
}

/// The environment with inputs that are small enough to try them all.
fn bounded(world: &World) -> Environment {
    let small = Type::refinement(
        "x",
        Term::and(
            less_or_equal(Term::Value((-LARGEST_INPUT).into()), Term::Parameter(0)),
            less_or_equal(Term::Parameter(0), Term::Value(LARGEST_INPUT.into())),
        ),
    );
    let declared = world.environment();
    let types = world.module.variables.iter().enumerate().map(|(index, info)| {
        let of = declared.declared(Variable(index));
        if info.parameter.is_some() && of.sort() == Type::INT.sort() { of.intersect(&small) } else { of }
    });
    Environment::new(types.collect(), declared.operators().to_vec())
}

fn less_or_equal(left: Term, right: Term) -> Term {
    Term::Binary(Binary::LessOrEqual, Box::new(left), Box::new(right))
}

fn limits() -> Limits {
    Limits { query: budget(), ..Limits::default() }
}

/// Theorems 1 and 2, with the solver in it: directed search finds the casts that some input makes fail, no others, and
/// every path that some input takes to the end.
fn search_finds_what_there_is(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let environment = bounded(world);
    // Commands of the program as they are; casts on inputs alone do not depend on how they are bounded.
    let Some(compiled) = compiled(world, &environment) else { return Ok(Tried::Vacuous) };
    let all = inputs(world, &environment);
    let (mut failing, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for input in &all {
        let run = concrete(&Figures, world, &compiled.program, input);
        let path: Vec<CommandId> = run.states.iter().map(|(id, _)| *id).collect();
        match (run.end, path.last()) {
            (Step::Failed(place), Some(last)) => {
                failing.insert((*last, place));
            }
            _ => {
                paths.insert(path);
            }
        }
    }
    let first = all.first().cloned().ok_or("no input")?;
    let search = Subject::new(&world.module, &environment, &compiled.program).search_by(rules, first, &limits());
    let found: BTreeSet<_> = search.findings.iter().map(|finding| (finding.command, finding.place)).collect();
    if let Some(divergence) = search.gaps.iter().find(|gap| matches!(gap, Gap::Divergence(_) | Gap::Stuck(..))) {
        return Err(format!("{divergence:?}"));
    }
    let covered = search.gaps.is_empty();
    if !found.is_subset(&failing) || (covered && found != failing) {
        return Err(format!("found {found:?}, but {failing:?} can fail"));
    }
    if search.stopped > paths.len() || (covered && search.stopped != paths.len()) {
        return Err(format!("{} paths found, but there are {}", search.stopped, paths.len()));
    }
    Ok(if covered { Tried::Held } else { Tried::Vacuous })
}

/// The verdict is true, however hard subtyping is tried: no false alarm, and nothing that was proved fails.
fn verdict_is_true(world: &World) -> Result<Tried, String> {
    let module = Module { declared: bounded(world), ..world.module.clone() };
    let subtyping = match world.seed % 3 {
        0 => Strength::Decide,
        1 => Strength::Prove,
        _ => Strength::Form,
    };
    let options = Options { subtyping, limits: limits(), ..Options::default() };
    let analysis = analyse(&module, &options).map_err(|problem| problem.to_string())?;
    let Ok(compiled) = &analysis.compiled else {
        return match check(&module.declared, &module.program, &mut Truth) {
            Typing::IllTyped(_) => Ok(Tried::Held),
            other => Err(format!("{subtyping:?}: rejected, but {other:?}")),
        };
    };
    let fails = |input: &Vec<Value>| concrete(&Figures, world, &compiled.program, input).end != Step::Stopped;
    let some_fail = inputs(world, &module.declared).iter().any(fails);
    match (analysis.verdict, some_fail) {
        (Verdict::Undecided, _) => Ok(Tried::Vacuous),
        (Verdict::WellTyped | Verdict::Verified, false) | (Verdict::Fails, true) => Ok(Tried::Held),
        (verdict, _) => Err(format!("{subtyping:?}: {verdict}, but some input fails: {some_fail}")),
    }
}

#[test]
fn verdicts_are_true() {
    holds(2, &verdict_is_true);
}

#[test]
fn active_checking_is_sound_and_complete() {
    holds(3, &|world| checks_are_sound_and_complete(&Figures, world));
}

#[test]
fn directed_search_finds_what_there_is() {
    holds(3, &|world| search_finds_what_there_is(&Figures, world));
}

#[test]
fn a_check_that_says_nothing_is_noticed() {
    fails(&|world| checks_are_sound_and_complete(&EmptyCheck, world));
    fails(&|world| search_finds_what_there_is(&EmptyCheck, world));
}

#[test]
fn a_check_that_says_half_is_noticed() {
    fails(&|world| checks_are_sound_and_complete(&HalfCheck, world));
}

#[test]
fn a_branch_the_wrong_way_is_noticed() {
    fails(&|world| checks_are_sound_and_complete(&FlippedBranch, world));
    fails(&|world| search_finds_what_there_is(&FlippedBranch, world));
}
