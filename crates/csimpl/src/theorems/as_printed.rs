//! Where the paper's rules and statements, taken by the letter, do not hold: a counterexample for each. The theorems'
//! tests try the statements as they are mended.

use super::budget;
use super::mutants::StaleCasts;
use super::oracle::{Truth, corresponds};
use crate::compile::{compile, compile_by};
use crate::environment::Environment;
use crate::evaluate::{CastPlace, Step, step};
use crate::module::Module;
use crate::program::Variable;
use crate::rules::{Figures, Rules};
use crate::search::Subject;
use crate::side_by_side::End;
use crate::subtyping::{Answer, Smt, Strength};
use crate::typing::{Typing, check, check_from};
use crate::value::{NoValue, Value};

fn module(text: &str) -> Module {
    Module::parse(text).unwrap()
}

/// A prover that never knows.
fn form() -> Smt {
    Smt::new(Strength::Form, budget())
}

fn last_step(rules: &dyn Rules, module: &Module, program: &crate::program::Program, input: &[Value]) -> Step {
    let mut store = Subject::new(module, &module.declared, program).store(input);
    let mut at = program.entry();
    loop {
        match step(rules, program, at, &mut store) {
            Step::Next(next) => at = next,
            end => return end,
        }
    }
}

const REASSIGNED: &str = "
    input x : int = 7; var y : int;
    x := div(10, x);
    y := div(1, x);";

/// Figures 3 and 5 go on with Γ ∩ *G* after an assignment, although the cast was made before it. Then the second division
/// needs no cast, and a program that compilation calls well-typed divides by 0.
#[test]
fn a_cast_may_not_outlive_an_assignment() {
    let module = module(REASSIGNED);
    let printed = compile_by(&StaleCasts, &module.declared, &module.program, &mut form()).unwrap();
    assert_eq!(printed.inserted.len(), 1);
    let input = [Value::from(20)];
    assert_eq!(last_step(&StaleCasts, &module, &printed.program, &input), Step::Stuck(NoValue::Undefined));

    let mended = compile(&module.declared, &module.program, &mut form()).unwrap();
    assert_eq!(mended.inserted.len(), 2);
    assert_eq!(last_step(&Figures, &module, &mended.program, &input), Step::Failed(CastPlace::Variable(Variable(0))));
}

/// Theorem 3 says that what follows a step is well-typed in the same Γ. It is so in Γ ∩ *G*, which T-IF and T-ASN go on with.
#[test]
fn what_follows_a_cast_needs_the_cast() {
    let module = module("input x : int = 7; var y : int; (x : notzero) y := 1; y := div(1, x);");
    let program = &module.program;
    assert_eq!(check(&module.declared, program, &mut Truth), Typing::WellTyped);
    let mut store = Subject::new(&module, &module.declared, program).store(&[7.into()]);
    let Step::Next(next) = step(&Figures, program, program.entry(), &mut store) else { panic!("no step") };
    assert!(matches!(check_from(&Figures, &module.declared, program, next, &mut Truth), Typing::IllTyped(_)));
}

/// The second part of Theorem 8 speaks of the checks of *k* steps, and of a cast that fails at the command after them. Its
/// check comes with step *k* + 1.
#[test]
fn the_check_of_a_command_comes_with_its_step() {
    let module = module("input x : int = 7; var y : int; y := 1; (x : notzero) y := div(1, x);");
    let subject = Subject::new(&module, &module.declared, &module.program);
    let mut formulas = subject.formulas();
    let run = subject.run(&mut formulas, &[7.into()]);
    assert_eq!(run.end, End::Stopped);
    let (_, events_of_one_step) = run.commands[0];
    assert_eq!(run.checks(events_of_one_step).count(), 0);
    let (_, events_of_two_steps) = run.commands[1];
    let checks: Vec<_> = run.checks(events_of_two_steps).collect();
    assert_eq!(formulas.evaluate(checks[0].constraint.formula, &[0.into()]), Ok(false.into()));
}

const TWO_ENVIRONMENTS: &str = "
    input x : int = 7; var y : int;
    env strict { x : notzero; }
    y := div(1, x);";

fn strict_and_lax(module: &Module) -> (Environment, Environment) {
    (module.environment(&["strict".to_owned()]).unwrap(), module.declared.clone())
}

/// The first part of Lemma 1 says that a program that is well-typed in a restriction is well-typed in the larger
/// environment. But an operand may need the smaller type of its variable.
#[test]
fn a_larger_type_of_a_variable_types_fewer_programs() {
    let module = module(TWO_ENVIRONMENTS);
    let (strict, lax) = strict_and_lax(&module);
    assert_eq!(strict.restricts(&lax, &mut Truth), Answer::Yes);
    assert_eq!(check(&strict, &module.program, &mut Truth), Typing::WellTyped);
    assert!(matches!(check(&lax, &module.program, &mut Truth), Typing::IllTyped(_)));
    let store = Subject::new(&module, &strict, &module.program).store(&[7.into()]);
    assert!(corresponds(&store, &strict) && corresponds(&store, &lax));
}

/// The second part of Lemma 1 says that where the restricted program fails, the other one fails. It is the other way
/// round, as the text before it and Theorem 9 have it: a restriction checks more.
#[test]
fn a_restriction_fails_where_the_larger_does_not() {
    let module = module("input x : int = 7; var y : int = 1; env strict { y : notzero; } y := x;");
    let (strict, lax) = strict_and_lax(&module);
    let strict = compile(&strict, &module.program, &mut form()).unwrap();
    let lax = compile(&lax, &module.program, &mut form()).unwrap();
    let input = [Value::from(0)];
    assert_eq!(last_step(&Figures, &module, &strict.program, &input), Step::Failed(CastPlace::Assigned));
    assert_eq!(last_step(&Figures, &module, &lax.program, &input), Step::Stopped);
}
