//! Theorems 5, 6 and 7: well-typed compilation, only ill-typed programs are rejected, semantic preservation.

use super::generate::World;
use super::mutants::{CastsConvert, NoAssignmentCast, NoOperandCast, RejectUnknown};
use super::oracle::{Forgetful, Truth, concrete, inputs};
use super::{Tried, fails, holds};
use crate::compile::compile_by;
use crate::evaluate::Step;
use crate::rules::{Figures, Rules};
use crate::typing::{Typing, check_from};

fn forgetful(world: &World) -> Forgetful {
    Forgetful { seed: world.seed, refutes: world.seed.is_multiple_of(2) }
}

/// Theorem 5: what comes out of compilation is well-typed.
fn compiled_is_well_typed(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let (environment, program) = (world.environment(), &world.module.program);
    let Ok(compiled) = compile_by(rules, environment, program, &mut forgetful(world)) else {
        return Ok(Tried::Vacuous);
    };
    match check_from(rules, environment, &compiled.program, program.entry(), &mut Truth) {
        Typing::WellTyped => Ok(Tried::Held),
        other => Err(format!("{other:?}")),
    }
}

/// Theorem 6: what compilation rejects is ill-typed.
fn only_ill_typed_is_rejected(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let (environment, program) = (world.environment(), &world.module.program);
    if compile_by(rules, environment, program, &mut forgetful(world)).is_ok() {
        return Ok(Tried::Vacuous);
    }
    match check_from(rules, environment, program, program.entry(), &mut Truth) {
        Typing::IllTyped(_) => Ok(Tried::Held),
        other => Err(format!("rejected, but {other:?}")),
    }
}

/// Theorem 7: the compiled program makes the same steps, or fails on a cast.
fn steps_are_preserved(rules: &dyn Rules, world: &World) -> Result<Tried, String> {
    let program = &world.module.program;
    let Ok(compiled) = compile_by(rules, world.environment(), program, &mut forgetful(world)) else {
        return Ok(Tried::Vacuous);
    };
    for input in inputs(world, world.environment()) {
        let before = concrete(rules, world, program, &input);
        let after = concrete(rules, world, &compiled.program, &input);
        let mut states = before.states.iter().zip(&after.states);
        if !states.all(|((id, store), (other_id, other))| id == other_id && store.values == other.values) {
            return Err(format!("{input:?}: another state"));
        }
        if after.states.len() < before.states.len() && !matches!(after.end, Step::Failed(_)) {
            return Err(format!("{input:?}: ends without a failed cast"));
        }
    }
    Ok(Tried::Held)
}

#[test]
fn compilation_gives_well_typed_programs() {
    holds(4, &|world| compiled_is_well_typed(&Figures, world));
}

#[test]
fn compilation_rejects_only_ill_typed_programs() {
    holds(10, &|world| only_ill_typed_is_rejected(&Figures, world));
}

#[test]
fn compilation_preserves_semantics() {
    holds(4, &|world| steps_are_preserved(&Figures, world));
}

#[test]
fn a_missing_cast_of_an_operand_is_noticed() {
    fails(&|world| compiled_is_well_typed(&NoOperandCast, world));
}

#[test]
fn a_missing_cast_of_an_assigned_value_is_noticed() {
    fails(&|world| compiled_is_well_typed(&NoAssignmentCast, world));
}

#[test]
fn rejecting_what_is_not_known_is_noticed() {
    fails(&|world| only_ill_typed_is_rejected(&RejectUnknown, world));
}

#[test]
fn casts_that_convert_are_noticed() {
    fails(&|world| steps_are_preserved(&CastsConvert, world));
}
