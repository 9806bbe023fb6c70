//! Side-by-side evaluation (Figure 6): a concrete run that yields the path constraint and the checks on the way.

use crate::evaluate::{CastPlace, Step, Store, step};
use crate::formula::{Formulas, Symbolic};
use crate::program::{Command, CommandId, Expression, ExpressionKind, Operand, Program, Variable};
use crate::rules::Rules;
use crate::solve::Constraint;
use crate::term::Term;
use crate::types::Type;
use crate::value::{NoValue, Value};

/// A symbolic store Σ.
#[derive(Clone, Debug)]
pub struct SymbolicStore {
    values: Vec<Symbolic>,
}

impl SymbolicStore {
    /// A store with these values, by the positions of the variables.
    pub fn new(values: Vec<Symbolic>) -> SymbolicStore {
        SymbolicStore { values }
    }

    /// Σ(*x*).
    pub fn value(&self, variable: Variable) -> Option<Symbolic> {
        self.values.get(variable.0).copied()
    }

    fn operand(&self, formulas: &mut Formulas, operand: &Operand) -> Option<Symbolic> {
        match operand {
            Operand::Value(value) => Some(formulas.value(value.clone())),
            Operand::Variable(variable) => self.value(*variable),
        }
    }

    /// Σ ⊢ *e* → *sv*.
    fn evaluate(&self, formulas: &mut Formulas, operators: &[Term], expression: &Expression) -> Option<Symbolic> {
        match &expression.kind {
            ExpressionKind::Operand(operand) => self.operand(formulas, operand),
            ExpressionKind::Apply(operator, operands) => {
                let arguments: Option<Vec<Symbolic>> =
                    operands.iter().map(|(operand, _)| self.operand(formulas, operand)).collect();
                Some(formulas.instantiate(operators.get(operator.0)?, &arguments?))
            }
        }
    }

    fn set(&mut self, variable: Variable, value: Symbolic) {
        if let Some(there) = self.values.get_mut(variable.0) {
            *there = value;
        }
    }
}

/// What an event of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A cast: its formula is a check φ.
    Check(CastPlace),
    /// A condition: its formula, or the formula's negation, is a conjunct of the path constraint.
    Branch,
}

/// Something that had to hold for the run to go where it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The command.
    pub command: CommandId,
    /// What it is.
    pub kind: EventKind,
    /// The formula and whether it held. A check that did not hold is the last event of its run.
    pub constraint: Constraint,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With `stop`.
    Stopped,
    /// With a failed cast.
    Failed(CommandId, CastPlace),
    /// Where no rule applies.
    Stuck(CommandId, NoValue),
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What had to hold, in order. Formulas that depend on no input are left out: they always hold.
    pub events: Vec<Event>,
    /// The commands that were executed, each with how many events there were after it.
    pub commands: Vec<(CommandId, usize)>,
    /// How it ended.
    pub end: End,
    /// The value that a failed cast was given.
    pub failed: Option<Value>,
    /// The concrete store at its end, by the positions of the variables.
    pub values: Vec<Value>,
}

impl Run {
    /// The path constraint after so many events, without the checks.
    pub fn path_constraint(&self, events: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().take(events).filter(|event| event.kind == EventKind::Branch)
    }

    /// The checks Φ among the first so many events.
    pub fn checks(&self, events: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().take(events).filter(|event| event.kind != EventKind::Branch)
    }
}

/// Runs a program on both stores to its end.
pub(crate) fn run(
    rules: &dyn Rules,
    program: &Program,
    formulas: &mut Formulas,
    mut concrete: Store<'_>,
    symbolic: SymbolicStore,
) -> Run {
    let mut run = to_its_end(rules, program, formulas, &mut concrete, symbolic);
    run.values = concrete.values;
    run
}

fn to_its_end(
    rules: &dyn Rules,
    program: &Program,
    formulas: &mut Formulas,
    concrete: &mut Store<'_>,
    mut symbolic: SymbolicStore,
) -> Run {
    let mut run = Run { events: Vec::new(), commands: Vec::new(), end: End::Stopped, failed: None, values: Vec::new() };
    let mut at = program.entry();
    loop {
        // The symbolic artifacts of the rules are computed on the store before the step, like the concrete ones.
        let artifacts = artifacts(rules, program, at, formulas, concrete.operators, &symbolic);
        let step = step(rules, program, at, concrete);
        let Some(artifacts) = artifacts else {
            run.end = End::Stuck(at, NoValue::Undefined);
            return run;
        };
        if let Step::Stuck(error) = step {
            run.commands.push((at, run.events.len()));
            run.end = End::Stuck(at, error);
            return run;
        }
        for (place, check) in artifacts.checks {
            let failed = step == Step::Failed(place);
            run.push(formulas, at, EventKind::Check(place), Constraint { formula: check, holds: !failed });
            if failed {
                break;
            }
        }
        match (&step, program.command(at)) {
            (Step::Next(next), Command::If { yes, .. }) => {
                let holds = rules.branch(next == yes);
                run.push(formulas, at, EventKind::Branch, Constraint { formula: artifacts.value, holds });
            }
            (Step::Next(_), Command::Assign { target, .. }) => symbolic.set(*target, artifacts.value),
            _ => {}
        }
        if step != Step::Stopped {
            run.commands.push((at, run.events.len()));
        }
        run.end = match step {
            Step::Next(next) => {
                at = next;
                continue;
            }
            Step::Stopped => End::Stopped,
            Step::Failed(place) => {
                run.failed = cast_value(program, at, place, concrete);
                End::Failed(at, place)
            }
            Step::Stuck(error) => End::Stuck(at, error),
        };
        return run;
    }
}

impl Run {
    fn push(&mut self, formulas: &Formulas, command: CommandId, kind: EventKind, constraint: Constraint) {
        let says_nothing = formulas.constant(constraint.formula) == Some(&Value::Bool(constraint.holds));
        if !says_nothing {
            self.events.push(Event { command, kind, constraint });
        }
    }
}

/// The value that a cast is given.
fn cast_value(program: &Program, at: CommandId, place: CastPlace, store: &Store<'_>) -> Option<Value> {
    match (place, program.command(at)) {
        (CastPlace::Variable(variable), _) => store.value(variable).ok().cloned(),
        (CastPlace::Assigned, Command::Assign { expression, .. }) => store.evaluate(expression).ok(),
        (CastPlace::Assigned, _) => None,
    }
}

struct Artifacts {
    /// The symbolic value of the expression.
    value: Symbolic,
    /// The checks of the casts, in the order in which the casts are made.
    checks: Vec<(CastPlace, Symbolic)>,
}

fn artifacts(
    rules: &dyn Rules,
    program: &Program,
    at: CommandId,
    formulas: &mut Formulas,
    operators: &[Term],
    symbolic: &SymbolicStore,
) -> Option<Artifacts> {
    let (casts, expression, cast) = match program.command(at) {
        Command::Stop => {
            return Some(Artifacts { value: formulas.value(Value::Bool(true)), checks: Vec::new() });
        }
        Command::Assign { casts, expression, cast, .. } => (casts, expression, Some(cast)),
        Command::If { casts, condition, .. } => (casts, condition, None),
    };
    let mut checks = Vec::new();
    let mut add = |formulas: &mut Formulas, place, value, cast: &Type| {
        checks.push((place, rules.check(formulas, value, cast)));
    };
    for (variable, cast) in casts.iter() {
        add(formulas, CastPlace::Variable(variable), symbolic.value(variable)?, cast);
    }
    let value = symbolic.evaluate(formulas, operators, expression)?;
    if let Some(cast) = cast {
        add(formulas, CastPlace::Assigned, value, cast);
    }
    Some(Artifacts { value, checks })
}
