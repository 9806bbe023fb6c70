//! Active checking along one path, and directed search over all of them.
//!
//! A check is treated as a branch is: the prefix of a run's events with the last one negated is solved for, and the
//! solution is run. So every finding has been seen to fail, it fails at that cast and at no earlier one, and once no
//! prefix is left to negate, every path has been seen. Earlier checks stay in the query: where they hold, well-typedness
//! guarantees that everything up to the check in question has a value.

use rustc_hash::FxHashSet;

use crate::environment::Environment;
use crate::evaluate::{CastPlace, Store};
use crate::formula::Formulas;
use crate::module::Module;
use crate::program::{Command, CommandId, Program};
use crate::rules::{Figures, Rules};
use crate::side_by_side::{End, EventKind, Run, SymbolicStore, run};
use crate::solve::{Budget, Constraint, Solution, Unknown, solve};
use crate::types::Type;
use crate::value::{NoValue, Value};

/// A cast, and an input that makes it fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The command.
    pub command: CommandId,
    /// Which of its casts.
    pub place: CastPlace,
    /// The type of the cast.
    pub cast: Type,
    /// The value that is not in it.
    pub value: Option<Value>,
    /// The input, by parameter.
    pub input: Vec<Value>,
}

/// Why "verified" cannot be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The solver did not say whether this can go the other way.
    Unsolved(CommandId, EventKind, Unknown),
    /// A run got stuck.
    Stuck(CommandId, NoValue, Vec<Value>),
    /// A run did not go where it was solved to go. This is a bug.
    Divergence(CommandId),
    /// The search was interrupted.
    Interrupted,
    /// There were more paths than were to be run.
    Runs(usize),
}

/// What the search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// Casts that can fail; each once.
    pub findings: Vec<Finding>,
    /// What was not covered.
    pub gaps: Vec<Gap>,
    /// How many paths end with `stop`.
    pub stopped: usize,
    /// How many runs there were.
    pub runs: usize,
    /// How many queries the solver was asked.
    pub queries: usize,
}

/// What a search may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Runs of the program.
    pub runs: usize,
    /// For each query.
    pub query: Budget,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { runs: 10_000, query: Budget::default() }
    }
}

/// A program that is ready to be run on inputs.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    module: &'a Module,
    environment: &'a Environment,
    program: &'a Program,
}

impl<'a> Subject<'a> {
    /// A program of a module, compiled or not, in an environment.
    pub fn new(module: &'a Module, environment: &'a Environment, program: &'a Program) -> Subject<'a> {
        Subject { module, environment, program }
    }

    /// A store of formulas over the inputs.
    pub fn formulas(&self) -> Formulas {
        Formulas::new(self.module.inputs().map(|(variable, _)| self.module.sort(variable)).collect())
    }

    /// pc0: every input is in its type.
    pub fn assumptions(&self, formulas: &mut Formulas) -> Vec<Constraint> {
        let inputs = self.module.inputs().enumerate();
        inputs
            .map(|(index, (variable, _))| {
                let value = formulas.parameter(index);
                Constraint { formula: formulas.member(value, &self.environment.declared(variable)), holds: true }
            })
            .collect()
    }

    /// Δ0 for an input.
    pub fn store(&self, input: &[Value]) -> Store<'a> {
        let values = self.module.variables.iter().enumerate().map(|(index, info)| {
            let given = info.parameter.and_then(|parameter| input.get(parameter)).or(info.initial.as_ref());
            let sort = self.module.sort(crate::program::Variable(index));
            given.cloned().unwrap_or_else(|| Value::default_of(sort))
        });
        Store { values: values.collect(), operators: &self.module.definitions }
    }

    /// Runs the program side by side on an input.
    pub fn run(&self, formulas: &mut Formulas, input: &[Value]) -> Run {
        self.run_by(&Figures, formulas, input)
    }

    pub(crate) fn run_by(&self, rules: &dyn Rules, formulas: &mut Formulas, input: &[Value]) -> Run {
        let concrete = self.store(input);
        let symbolic = self.module.variables.iter().zip(&concrete.values).map(|(info, value)| match info.parameter {
            Some(parameter) => formulas.parameter(parameter),
            None => formulas.value(value.clone()),
        });
        let symbolic = SymbolicStore::new(symbolic.collect());
        run(rules, self.program, formulas, concrete, symbolic)
    }

    /// Searches all paths, from an input on.
    pub fn search(&self, first: Vec<Value>, limits: &Limits) -> Search {
        self.search_by(&Figures, first, limits)
    }

    pub(crate) fn search_by(&self, rules: &dyn Rules, first: Vec<Value>, limits: &Limits) -> Search {
        let mut formulas = self.formulas();
        let assumptions = self.assumptions(&mut formulas);
        let mut result = Search { findings: Vec::new(), gaps: Vec::new(), stopped: 0, runs: 0, queries: 0 };
        let mut failing: FxHashSet<(CommandId, CastPlace)> = FxHashSet::default();
        let mut open = vec![Child { input: first, flipped: None, bound: 0 }];
        while let Some(child) = open.pop() {
            if limits.query.is_stopped() {
                result.gaps.push(Gap::Interrupted);
                break;
            }
            if result.runs == limits.runs {
                result.gaps.push(Gap::Runs(limits.runs));
                break;
            }
            result.runs += 1;
            let run = self.run_by(rules, &mut formulas, &child.input);
            let arrived = child.flipped.is_none_or(|flipped| {
                run.events.get(child.bound.saturating_sub(1)).is_some_and(|event| event.constraint == flipped)
            });
            if !arrived {
                let at = run.commands.last().map_or(self.program.entry(), |(id, _)| *id);
                result.gaps.push(Gap::Divergence(at));
                continue;
            }
            match run.end {
                End::Stopped => result.stopped += 1,
                End::Stuck(at, error) => result.gaps.push(Gap::Stuck(at, error, child.input.clone())),
                End::Failed(command, place) => {
                    if failing.insert((command, place)) {
                        result.findings.push(self.finding(&run, command, place, &child.input));
                    }
                }
            }
            let mut constraints = assumptions.clone();
            constraints.extend(run.events.iter().take(child.bound).map(|event| event.constraint));
            for (index, event) in run.events.iter().enumerate().skip(child.bound) {
                let known_to_fail = match event.kind {
                    EventKind::Check(place) => event.constraint.holds && failing.contains(&(event.command, place)),
                    EventKind::Branch => false,
                };
                let flipped = event.constraint.negated();
                if !known_to_fail {
                    result.queries += 1;
                    constraints.push(flipped);
                    match solve(&formulas, &constraints, &limits.query) {
                        Solution::Sat(input) => {
                            open.push(Child { input, flipped: Some(flipped), bound: index + 1 });
                        }
                        Solution::Unsat => {}
                        Solution::Unknown(Unknown::Interrupted) => {
                            result.gaps.push(Gap::Interrupted);
                            return result;
                        }
                        Solution::Unknown(reason) => {
                            result.gaps.push(Gap::Unsolved(event.command, event.kind, reason));
                        }
                    }
                    constraints.pop();
                }
                constraints.push(event.constraint);
            }
        }
        result
    }

    fn finding(&self, run: &Run, command: CommandId, place: CastPlace, input: &[Value]) -> Finding {
        let (casts, assigned) = match self.program.command(command) {
            Command::Assign { casts, cast, .. } => (Some(casts), Some(cast)),
            Command::If { casts, .. } => (Some(casts), None),
            Command::Stop => (None, None),
        };
        let cast = match place {
            CastPlace::Variable(variable) => casts.and_then(|casts| casts.get(variable)),
            CastPlace::Assigned => assigned,
        };
        let cast = cast.cloned().unwrap_or(Type::INT);
        Finding { command, place, cast, value: run.failed.clone(), input: input.to_vec() }
    }
}

/// An input that is to be run.
struct Child {
    input: Vec<Value>,
    /// The event that it was solved for.
    flipped: Option<Constraint>,
    /// How many events it has in common with its parent, the flipped one included. What comes before has been tried.
    bound: usize,
}
