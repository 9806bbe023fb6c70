//! Theorem 7, symbolic execution soundness, and corollary 7.1, exhaustive symbolic execution.

use expr::{BitVec, Evaluator, Model, Term};
use rustc_hash::FxHashMap;
use solver::Session;

use crate::analysis::{Analysis, Options, externs};
use crate::evaluate::{Machine, Stuck, Value};
use crate::execute::state::{Path, State};
use crate::rules::{Premise, Rules};
use crate::syntax::Mode;
use crate::theorems::generate::{Case, Choices, Features, case};
use crate::theorems::{Tried, holds, needs};
use crate::types::Type;
use crate::witness::{Entrance, Variable};

const STEPS: u64 = 20_000;

/// What a program does, concretely.
struct Concrete {
    result: Result<Value, Stuck>,
    memory: Vec<Value>,
}

/// The valuation V that makes the symbolic start the concrete one.
fn valuation(analysis: &mut Analysis<'_>, entrance: &Entrance, start: &Case) -> (Model, Addresses) {
    let mut addresses = Addresses::default();
    for (at, cell) in start.cells.iter().enumerate() {
        let address = analysis.encoding.at_start(cell, at as u64).unwrap();
        addresses.relate(address, at).unwrap();
    }
    let mut model = Model::new();
    for Variable { name, value, .. } in &entrance.variables {
        let place = start.program.externs.iter().position(|external| external.name == *name).unwrap();
        let bits = addresses.bits(analysis, &start.externs[place]);
        if let Some(var) = analysis.store.var_of(value.term) {
            let width = analysis.store.width(value.term);
            model.set(var, BitVec::new(width, bits));
        }
    }
    let cells = analysis.store.var_of(entrance.cells).unwrap();
    for (at, held) in start.memory.iter().enumerate() {
        let bits = addresses.bits(analysis, held);
        model.set_element(cells, BitVec::new(64, addresses.to_address[&at]), BitVec::new(64, bits));
    }
    (model, addresses)
}

/// Which location an address stands for. Each stands for one, and no two for the same.
#[derive(Default)]
struct Addresses {
    to_location: FxHashMap<u64, usize>,
    to_address: FxHashMap<usize, u64>,
}

impl Addresses {
    /// Whether the pair is new, or an error if it contradicts another one.
    fn relate(&mut self, address: u64, location: usize) -> Result<bool, String> {
        let (known_location, known_address) = (self.to_location.get(&address), self.to_address.get(&location));
        match (known_location, known_address) {
            (None, None) => {
                self.to_location.insert(address, location);
                self.to_address.insert(location, address);
                Ok(true)
            }
            (Some(l), Some(a)) if *l == location && *a == address => Ok(false),
            _ => Err(format!("address {address:#x} is not cell {location}")),
        }
    }

    fn bits(&self, analysis: &mut Analysis<'_>, value: &Value) -> u64 {
        match value {
            Value::Int(number) => *number as u64,
            Value::Bool(value) => u64::from(*value),
            Value::String(text) => analysis.encoding.string(text),
            Value::Float(number) => number.to_bits(),
            Value::Unit => 0,
            Value::Location(at) => self.to_address[at],
            Value::Closure(_) | Value::Undefined(..) => unreachable!("these programs have no undefined functions"),
        }
    }
}

/// Compares a symbolic state, under a valuation, with a concrete one.
struct Comparison<'a, 's> {
    analysis: &'a mut Analysis<'s>,
    model: &'a Model,
    state: &'a State,
    concrete: &'a Concrete,
    addresses: Addresses,
}

impl Comparison<'_, '_> {
    fn number(&self, term: Term) -> u64 {
        self.analysis.store.eval(term, self.model).low64()
    }

    /// ⟦u:τ⟧V = v, and the same for all cells that can be reached from there.
    fn equal(&mut self, ty: &Type, bits: u64, value: &Value) -> Result<(), String> {
        let same = match (ty, value) {
            (Type::Int(_), Value::Int(number)) => bits == *number as u64,
            (Type::Bool, Value::Bool(value)) => bits & 1 == u64::from(*value),
            (Type::String, Value::String(text)) => self.analysis.encoding.text(bits) == *text,
            (Type::Float, Value::Float(number)) => bits == number.to_bits(),
            (Type::Unit, Value::Unit) => true,
            (Type::Fun(..) | Type::Code(_), Value::Closure(_)) => true,
            (Type::Ref(cell), Value::Location(at)) => {
                if !self.addresses.relate(bits, *at)? {
                    return Ok(());
                }
                return self.equal_cell(cell, bits, *at);
            }
            _ => false,
        };
        if same { Ok(()) } else { Err(format!("{bits:#x} of {ty} is not {value}")) }
    }

    /// ⟦m⟧V and M agree on a cell, unless the log says that the cell holds a value of another type.
    fn equal_cell(&mut self, cell: &Type, address: u64, at: usize) -> Result<(), String> {
        let spoiled = self
            .state
            .memory
            .inconsistent
            .iter()
            .any(|write| self.number(write.address.term) == address && self.number(write.guard) == 1);
        if spoiled {
            return Ok(());
        }
        let index = self.analysis.store.small(64, address);
        let word = self.analysis.store.select(self.state.memory.cells, index);
        let bits = self.number(word);
        let held = self.concrete.memory[at].clone();
        if let (Type::Int(sign), Value::Int(number)) = (cell, &held)
            && !sign.admits(*number)
        {
            return Err(format!("cell {at} of {cell} holds {number}"));
        }
        self.equal(cell, bits, &held).map_err(|why| format!("in cell {at}: {why}"))
    }
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq)]
enum Claim {
    Soundness,
    Exhaustiveness,
}

fn paths_describe_runs(
    session: &mut Session,
    rules: Rules,
    mut choices: Choices,
    claim: Claim,
) -> Result<Tried, String> {
    let defer = choices.below(3) == 2;
    let features = Features { blocks: false, undefined: false, tricks: true, confused: 40 };
    let start = case(&mut choices, features);
    let mut oracle = |_: &Type, _: &mut Vec<Value>| Value::Unit;
    let mut machine = Machine::new(start.memory.clone(), STEPS, &mut oracle);
    let result = machine.run(&start.program, start.externs.clone());
    if let Err(Stuck::OutOfBudget) = result {
        return Ok(Tried::DoesNotApply);
    }
    let concrete = Concrete { result, memory: machine.memory };

    let options =
        Options { outermost: Mode::Symbolic, defer, paths: 12, iterations: 4, steps: 4_000, ..Options::default() };
    let mut analysis = Analysis::new(session, options, rules);
    let gamma = externs(&start.program);
    let (entrance, paths) = analysis.all_paths(&start.program.body, &gamma);
    let (model, _) = valuation(&mut analysis, &entrance, &start);
    let taken: Vec<&Path> = paths
        .iter()
        .filter(|path| Evaluator::new(&analysis.store, &model).eval(path.state.condition).is_true())
        .collect();
    let fail = |why: String| {
        let values: Vec<String> = start.externs.iter().map(Value::to_string).collect();
        let held: Vec<String> = start.memory.iter().map(Value::to_string).collect();
        Err(format!("{why}\nstarted with {values:?} and cells {held:?}, deferring: {defer}\n{}", start.source))
    };
    if claim == Claim::Exhaustiveness {
        let finished: Vec<Term> =
            paths.iter().filter(|path| path.outcome.is_ok()).map(|path| path.state.condition).collect();
        if analysis.not_exhaustive(&entrance, &finished).is_some() {
            return Ok(Tried::DoesNotApply);
        }
        let covered = taken.iter().any(|path| path.outcome.is_ok());
        return if covered { Ok(Tried::Holds) } else { fail("exhaustive, but no path is this one".to_owned()) };
    }
    let mut applied = Tried::DoesNotApply;
    for path in taken {
        let facts = path.state.facts.clone();
        if let Some(fact) = facts.iter().find(|fact| analysis.store.eval(**fact, &model).is_zero()) {
            let fact = expr::print_term(&analysis.store, *fact);
            return fail(format!("this is not true on the path: {fact}"));
        }
        let Ok(value) = &path.outcome else { continue };
        let result = match &concrete.result {
            Ok(result) => result,
            Err(error) => return fail(format!("the path has a value, but evaluation ends with {error:?}")),
        };
        let (_, addresses) = valuation(&mut analysis, &entrance, &start);
        let seeds: Vec<(u64, usize)> = addresses.to_location.iter().map(|(address, at)| (*address, *at)).collect();
        let mut comparison =
            Comparison { analysis: &mut analysis, model: &model, state: &path.state, concrete: &concrete, addresses };
        let bits = comparison.number(value.term);
        let mut outcome = comparison.equal(&value.ty, bits, result);
        for (address, at) in seeds {
            outcome = outcome.and_then(|()| comparison.equal_cell(&start.cells[at], address, at));
        }
        if let Err(why) = outcome {
            return fail(format!("the path's value or memory is another one: {why}"));
        }
        applied = Tried::Holds;
    }
    Ok(applied)
}

fn symbolic_soundness(session: &mut Session, rules: Rules, choices: Choices) -> Result<Tried, String> {
    paths_describe_runs(session, rules, choices, Claim::Soundness)
}

fn exhaustiveness(session: &mut Session, rules: Rules, choices: Choices) -> Result<Tried, String> {
    paths_describe_runs(session, rules, choices, Claim::Exhaustiveness)
}

#[test]
fn theorem_7_paths_describe_the_runs_that_take_them() {
    holds(symbolic_soundness, 3);
}

#[test]
fn theorem_7_needs_its_premises() {
    needs(
        symbolic_soundness,
        &[
            (Premise::SymbolicOperandTypes, 24),
            (Premise::BranchGuard, 26),
            (Premise::FreshLocation, 53),
            (Premise::ConsistentRead, 147),
            (Premise::SameLocation, 5),
            (Premise::LoggedWrite, 27),
        ],
    );
}

#[test]
fn corollary_7_1_exhaustive_paths_cover_all_runs() {
    holds(exhaustiveness, 4);
}

#[test]
fn corollary_7_1_needs_its_premises() {
    needs(exhaustiveness, &[(Premise::Exhaustive, 9)]);
}
