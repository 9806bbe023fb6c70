//! Lemmas 1 and 2 and Theorem 9: monotonicity, intersection is restriction, combination.

use super::generate::World;
use super::mutants::{LeftOnly, TrustRefined};
use super::oracle::{Forgetful, Truth, concrete, corresponds, inputs};
use super::{Tried, fails, holds};
use crate::compile::compile_by;
use crate::environment::Environment;
use crate::evaluate::Step;
use crate::program::{Program, Variable};
use crate::rules::{Figures, Rules};
use crate::search::Subject;
use crate::subtyping::Answer;
use crate::typing::{Typing, check_from};

fn compiled(rules: &dyn Rules, world: &World, environment: &Environment) -> Option<Program> {
    let mut forgetful = Forgetful { seed: world.seed, refutes: false };
    let compiled = compile_by(rules, environment, &world.module.program, &mut forgetful);
    compiled.ok().map(|compiled| compiled.program)
}

/// Whether a program fails on an input, and after how many steps.
fn failure(rules: &dyn Rules, world: &World, program: &Program, input: &[crate::value::Value]) -> Option<usize> {
    let run = concrete(rules, world, program, input);
    matches!(run.end, Step::Failed(_)).then_some(run.states.len())
}

/// Where the program that was compiled in the larger environment fails, the other one fails, and not later.
fn fails_no_later(
    rules: &dyn Rules,
    world: &World,
    restricted: &Environment,
    larger: &Environment,
) -> Result<Tried, String> {
    let (Some(strict), Some(lax)) = (compiled(rules, world, restricted), compiled(rules, world, larger)) else {
        return Ok(Tried::Vacuous);
    };
    let mut tried = Tried::Vacuous;
    // Stores of the intersection as it should be, whatever the rules make of it.
    for input in inputs(world, &world.environment().intersect(&world.other)) {
        let Some(steps) = failure(rules, world, &lax, &input) else { continue };
        tried = Tried::Held;
        if failure(rules, world, &strict, &input).is_none_or(|strict| strict > steps) {
            return Err(format!("{input:?} fails in the larger environment alone"));
        }
    }
    Ok(tried)
}

/// An environment with the variables of one and the operators of another.
fn with_operators(variables: &Environment, operators: &Environment) -> Environment {
    let types = (0..variables.variables()).map(|index| variables.declared(Variable(index)));
    Environment::new(types.collect(), operators.operators().to_vec())
}

/// Lemma 1, part 1: what is well-typed stays so if operators take more. (Of variables it does not hold: see
/// [`super::as_printed`].) A store of the restricted environment is one of the larger.
fn well_typed_in_the_larger(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let restricted = world.environment().intersect_by(rules, &world.other);
    let larger = with_operators(&restricted, &world.other);
    if restricted.restricts(&larger, &mut Truth) != Answer::Yes {
        return Err("not a restriction".to_owned());
    }
    for input in inputs(world, &restricted) {
        let store = Subject::new(&world.module, &restricted, &world.module.program).store(&input);
        if corresponds(&store, &restricted) && !corresponds(&store, &larger) {
            return Err(format!("{input:?} is in the restricted environment alone"));
        }
    }
    let Some(program) = compiled(rules, world, &restricted) else { return Ok(Tried::Vacuous) };
    let typing = |environment| check_from(rules, environment, &program, program.entry(), &mut Truth);
    match (typing(&restricted), typing(&larger)) {
        (Typing::WellTyped, Typing::WellTyped) => Ok(Tried::Held),
        (Typing::WellTyped, other) => Err(format!("{other:?}")),
        _ => Ok(Tried::Vacuous),
    }
}

/// Lemma 1, part 2.
fn restriction_checks_more(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let restricted = world.environment().intersect(&world.other);
    fails_no_later(rules, world, &restricted, &world.other)
}

/// Lemma 2.
fn intersection_is_restriction(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let both = world.environment().intersect_by(rules, &world.other);
    for (name, larger) in [("first", world.environment()), ("second", &world.other)] {
        match both.restricts(larger, &mut Truth) {
            Answer::Yes => {}
            other => return Err(format!("no restriction of the {name}: {other}")),
        }
    }
    Ok(Tried::Held)
}

/// Theorem 9.
fn combination_finds_both(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let both = world.environment().intersect_by(rules, &world.other);
    let first = fails_no_later(rules, world, &both, world.environment())?;
    let second = fails_no_later(rules, world, &both, &world.other)?;
    Ok(if first == Tried::Held || second == Tried::Held { Tried::Held } else { Tried::Vacuous })
}

#[test]
fn more_is_well_typed_where_operators_take_more() {
    holds(4, &|world| well_typed_in_the_larger(&Figures, world));
}

#[test]
fn a_restricted_environment_checks_more() {
    holds(6, &|world| restriction_checks_more(&Figures, world));
}

#[test]
fn the_intersection_of_environments_is_a_restriction_of_both() {
    holds(1, &|world| intersection_is_restriction(&Figures, world));
}

#[test]
fn a_combination_finds_what_either_finds() {
    holds(6, &|world| combination_finds_both(&Figures, world));
}

#[test]
fn trust_in_refined_variables_breaks_monotonicity() {
    fails(&|world| restriction_checks_more(&TrustRefined, world));
    fails(&|world| combination_finds_both(&TrustRefined, world));
}

#[test]
fn an_intersection_of_one_is_noticed() {
    fails(&|world| intersection_is_restriction(&LeftOnly, world));
    fails(&|world| well_typed_in_the_larger(&LeftOnly, world));
    fails(&|world| combination_finds_both(&LeftOnly, world));
}
