//! What is true, found out by trying everything.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;

use super::generate::{LARGEST_INPUT, World};
use crate::environment::Environment;
use crate::evaluate::{Step, Store, step};
use crate::program::{CommandId, Program, Variable};
use crate::rules::Rules;
use crate::search::Subject;
use crate::solve::Unknown;
use crate::subtyping::{Answer, Subtyping};
use crate::types::Type;
use crate::value::Value;

/// Thresholds of generated predicates lie within 12 of 0, and beyond them they repeat themselves after 12.
const FAR: i64 = 40;

/// Subtyping as it is.
pub(super) struct Truth;

impl Subtyping for Truth {
    fn prove(&mut self, left: &Type, right: &Type) -> Answer {
        let witness = (-FAR..=FAR)
            .map(Value::from)
            .find(|value| left.contains(value) == Ok(true) && right.contains(value) != Ok(true));
        witness.map_or(Answer::Yes, Answer::No)
    }
}

/// A prover that does not know everything: what it says is true, but often it says nothing.
pub(super) struct Forgetful {
    pub(super) seed: u64,
    /// Whether it says no.
    pub(super) refutes: bool,
}

impl Subtyping for Forgetful {
    fn prove(&mut self, left: &Type, right: &Type) -> Answer {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one((self.seed, left, right));
        match Truth.prove(left, right) {
            Answer::No(_) if !self.refutes => Answer::Unknown(Unknown::NotProved),
            _ if hash.rotate_left(17).is_multiple_of(3) => Answer::Unknown(Unknown::Budget),
            answer => answer,
        }
    }
}

/// All inputs that are in their types.
pub(super) fn inputs(world: &World, environment: &Environment) -> Vec<Vec<Value>> {
    let mut found: Vec<Vec<Value>> = vec![Vec::new()];
    for (variable, _) in world.module.inputs() {
        let of = environment.declared(variable);
        let all: Vec<Value> = match of.sort() {
            crate::value::Sort::Int => (-LARGEST_INPUT..=LARGEST_INPUT).map(Value::from).collect(),
            crate::value::Sort::Bool => vec![Value::from(false), Value::from(true)],
        };
        let values: Vec<Value> = all.into_iter().filter(|value| of.contains(value) == Ok(true)).collect();
        found = found
            .into_iter()
            .flat_map(|before| {
                values.iter().map(move |value| {
                    let mut input = before.clone();
                    input.push(value.clone());
                    input
                })
            })
            .collect();
    }
    found
}

/// Δ ∈ Γ, for variables.
pub(super) fn corresponds(store: &Store<'_>, environment: &Environment) -> bool {
    store
        .values
        .iter()
        .enumerate()
        .all(|(index, value)| environment.variable(Variable(index)).contains(value) == Ok(true))
}

/// A concrete run: the commands that it came to, the store before each, and how it ended.
pub(super) struct Concrete<'a> {
    pub(super) states: Vec<(CommandId, Store<'a>)>,
    pub(super) end: Step,
}

/// Runs a program on an input.
pub(super) fn concrete<'a>(rules: &dyn Rules, world: &'a World, program: &'a Program, input: &[Value]) -> Concrete<'a> {
    let mut store = Subject::new(&world.module, world.environment(), program).store(input);
    let mut at = program.entry();
    let mut states = Vec::new();
    loop {
        states.push((at, store.clone()));
        match step(rules, program, at, &mut store) {
            Step::Next(next) => at = next,
            end => return Concrete { states, end },
        }
    }
}
