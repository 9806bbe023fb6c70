//! Theorems 3 and 4: type preservation and progress.

use super::generate::World;
use super::mutants::{AnyOperand, StaleCasts};
use super::oracle::{Forgetful, Truth, corresponds, inputs};
use super::{Tried, fails, holds};
use crate::compile::compile_by;
use crate::evaluate::{Step, step};
use crate::obligation::type_of;
use crate::program::Command;
use crate::rules::{Figures, Rules};
use crate::search::Subject;
use crate::typing::{Typing, check_from, following, inner};

/// Theorem 3: what is evaluated in a store that corresponds to the environment has the type that it is given, and what
/// follows a step is well-typed in the environment that the rule gives it, to which the new store corresponds.
///
/// Theorem 4: a well-typed program that has not stopped makes a step or contains a failed cast.
fn preservation_and_progress(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    // Most generated programs are ill-typed. Compiling them gives programs that are not.
    let mut forgetful = Forgetful { seed: world.seed, refutes: false };
    let Ok(compiled) = compile_by(rules, world.environment(), &world.module.program, &mut forgetful) else {
        return Ok(Tried::Vacuous);
    };
    let program = &compiled.program;
    if check_from(rules, world.environment(), program, program.entry(), &mut Truth) != Typing::WellTyped {
        return Ok(Tried::Vacuous);
    }
    let subject = Subject::new(&world.module, world.environment(), program);
    for input in inputs(world, world.environment()) {
        let mut store = subject.store(&input);
        let (mut at, mut known) = (program.entry(), world.environment().clone());
        loop {
            let before = store.clone();
            let command = program.command(at);
            let next = match step(rules, program, at, &mut store) {
                Step::Next(next) => next,
                Step::Stopped | Step::Failed(_) => break,
                Step::Stuck(error) => return Err(format!("{input:?}: stuck at {at:?}: {error}")),
            };
            let inner = inner(&known, command);
            if let Command::Assign { expression, .. } | Command::If { condition: expression, .. } = command {
                let value = before.evaluate(expression).map_err(|error| error.to_string())?;
                if type_of(&inner, expression).contains(&value) != Ok(true) {
                    return Err(format!("{input:?}: {value} is not in the type of its expression at {at:?}"));
                }
            }
            let after = following(rules, inner, command).into_iter().find(|(id, _)| *id == next);
            known = after.map(|(_, known)| known).ok_or("a step to a command that does not follow")?;
            if !corresponds(&store, &known) {
                return Err(format!("{input:?}: the store after {at:?} is not in the environment"));
            }
            if check_from(rules, &known, program, next, &mut Truth) != Typing::WellTyped {
                return Err(format!("{input:?}: what follows {at:?} is ill-typed"));
            }
            at = next;
        }
    }
    Ok(Tried::Held)
}

#[test]
fn well_typed_programs_stay_well_typed_and_do_not_get_stuck() {
    holds(3, &|world| preservation_and_progress(&Figures, world));
}

#[test]
fn a_cast_that_outlives_an_assignment_is_noticed() {
    fails(&|world| preservation_and_progress(&StaleCasts, world));
}

#[test]
fn operands_of_any_type_are_noticed() {
    fails(&|world| preservation_and_progress(&AnyOperand, world));
}
