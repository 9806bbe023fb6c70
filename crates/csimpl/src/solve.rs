//! Satisfiability over mathematical integers, by Z3's integer theory.
//!
//! Nothing is bounded: the numbers are the paper's integers, so no guard against overflow is needed. What the theory cannot
//! decide within the budget (products of unknowns, mostly) is `Unknown`. A solution is evaluated before it is believed.

use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use thiserror::Error;
use z3::ast::{Bool, Dynamic, Int};
use z3::{Context, Params, SatResult, Solver};

use crate::formula::{Formulas, Node, Symbolic};
use crate::value::{Binary, NoValue, Sort, Unary, Value};

/// A formula, and whether it must hold or must not. A formula without a value does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The formula.
    pub formula: Symbolic,
    /// Whether it holds.
    pub holds: bool,
}

impl Constraint {
    /// The same formula, the other way.
    pub fn negated(self) -> Constraint {
        Constraint { holds: !self.holds, ..self }
    }
}

/// What one query may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Steps of the solver. The same on every machine, so this is what should stop it.
    pub steps: u32,
    /// Time, for steps that take long.
    pub time: Duration,
    /// Ends the query that is being solved, and all later ones, when it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// Whether somebody wants no more answers.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Does something that solves, and ends a query in it when it is to be stopped.
    pub(crate) fn watched<T>(&self, solves: impl FnOnce() -> T) -> T {
        let Some(stop) = &self.stop else { return solves() };
        let context = Context::thread_local();
        let handle = context.handle();
        let (done, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while end.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                    if stop.load(Ordering::Relaxed) {
                        handle.interrupt();
                    }
                }
            });
            let result = solves();
            drop(done);
            result
        })
    }
}

impl Default for Budget {
    /// Two million steps are a second or so; queries that are answered at all take a few thousand.
    fn default() -> Budget {
        Budget { steps: 2_000_000, time: Duration::from_secs(10), stop: None }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Error)]
pub enum Unknown {
    /// The budget was used up.
    #[error("the solver's budget was used up")]
    Budget,
    /// Somebody wanted no more answers.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up by itself.
    #[error("the solver gave up ({0})")]
    GaveUp(String),
    /// The formula is nested too deeply to be given to the solver.
    #[error("the formula is nested more than {DEEPEST} levels deep")]
    TooDeep,
    /// Numbers became too large to be computed with.
    #[error("numbers became too large")]
    TooLarge,
    /// The solver's solution is none. This is a bug of the solver or of ours, and believed in neither case.
    #[error("the solver's solution did not hold when it was evaluated")]
    WrongSolution,
    /// Refuted, but only proofs were asked for.
    #[error("it could not be proved")]
    NotProved,
    /// Not by the form of the types, and a solver was not to be asked.
    #[error("it does not follow from the form of the types")]
    FormOnly,
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// Values for the parameters, under which all constraints hold.
    Sat(Vec<Value>),
    /// There are none.
    Unsat,
    /// Neither could be shown.
    Unknown(Unknown),
}

/// Z3 recurses over formulas in places. Formulas of real programs are a few levels deep.
const DEEPEST: usize = 2_000;

/// How often a query is asked whether it is to end.
const GLANCE: Duration = Duration::from_millis(20);

/// Looks for an input under which all constraints hold.
pub fn solve(formulas: &Formulas, constraints: &[Constraint], budget: &Budget) -> Solution {
    let roots: Vec<Symbolic> = constraints.iter().map(|constraint| constraint.formula).collect();
    if roots.iter().any(|root| formulas.depth(*root) > DEEPEST) {
        return Solution::Unknown(Unknown::TooDeep);
    }
    if budget.is_stopped() {
        return Solution::Unknown(Unknown::Interrupted);
    }
    let mut translation = Translation { formulas, made: FxHashMap::default() };
    for symbolic in formulas.reachable(&roots) {
        if let Some(made) = translation.node(symbolic) {
            translation.made.insert(symbolic, made);
        }
    }
    // A solver for one query. The incremental core that a scope would switch to is twice as fast on queries as small as
    // most are, but on products of unknowns it does not keep to its steps.
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", budget.steps);
    params.set_u32("timeout", u32::try_from(budget.time.as_millis()).unwrap_or(u32::MAX).max(1));
    // Z3 would take Ctrl-C for the end of this one query, and keep it from those who have to know.
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    for constraint in constraints {
        let Some(holds) = translation.holds(constraint.formula) else {
            return Solution::Unknown(Unknown::GaveUp("a formula could not be translated".to_owned()));
        };
        solver.assert(if constraint.holds { holds } else { holds.not() });
    }
    match solver.check() {
        SatResult::Unsat => Solution::Unsat,
        SatResult::Unknown if budget.is_stopped() => Solution::Unknown(Unknown::Interrupted),
        SatResult::Unknown => Solution::Unknown(reason(solver.get_reason_unknown().unwrap_or_default())),
        SatResult::Sat => believe(formulas, constraints, values(formulas, &solver)),
    }
}

fn reason(text: String) -> Unknown {
    match text.as_str() {
        "timeout" | "canceled" | "max. resource limit exceeded" => Unknown::Budget,
        _ if text.contains("resource limit") => Unknown::Budget,
        _ => Unknown::GaveUp(text),
    }
}

fn believe(formulas: &Formulas, constraints: &[Constraint], values: Option<Vec<Value>>) -> Solution {
    let Some(values) = values else {
        return Solution::Unknown(Unknown::GaveUp("no model".to_owned()));
    };
    for constraint in constraints {
        match formulas.evaluate(constraint.formula, &values) {
            Err(NoValue::TooLarge) => return Solution::Unknown(Unknown::TooLarge),
            result if (result == Ok(Value::Bool(true))) != constraint.holds => {
                return Solution::Unknown(Unknown::WrongSolution);
            }
            _ => {}
        }
    }
    Solution::Sat(values)
}

fn values(formulas: &Formulas, solver: &Solver) -> Option<Vec<Value>> {
    let model = solver.get_model()?;
    let value = |(index, sort): (usize, &Sort)| match sort {
        Sort::Bool => model.eval(&Bool::new_const(name(index)), true)?.as_bool().map(Value::Bool),
        Sort::Int => number(&model.eval(&Int::new_const(name(index)), true)?).map(Value::Int),
    };
    formulas.parameters().iter().enumerate().map(value).collect()
}

/// A numeral prints as `5` or `(- 5)`.
fn number(numeral: &Int) -> Option<BigInt> {
    let text = numeral.to_string();
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => BigInt::from_str(digits).ok().map(|number| -number),
        None => BigInt::from_str(&text).ok(),
    }
}

fn name(index: usize) -> String {
    format!("a{index}")
}

/// A formula in Z3, and where it has a value if it does not always have one.
#[derive(Clone)]
struct Made {
    value: Dynamic,
    defined: Option<Bool>,
}

struct Translation<'a> {
    formulas: &'a Formulas,
    made: FxHashMap<Symbolic, Made>,
}

impl Translation<'_> {
    fn holds(&self, symbolic: Symbolic) -> Option<Bool> {
        let made = self.made.get(&symbolic)?;
        let value = made.value.as_bool()?;
        Some(match &made.defined {
            Some(defined) => Bool::and(&[defined, &value]),
            None => value,
        })
    }

    fn node(&self, symbolic: Symbolic) -> Option<Made> {
        match self.formulas.node(symbolic)? {
            Node::Value(Value::Bool(truth)) => Some(always(&Bool::from_bool(*truth))),
            Node::Value(Value::Int(number)) => Int::from_str(&number.to_string()).ok().map(|made| always(&made)),
            Node::Parameter(index) => Some(match self.formulas.parameters().get(*index)? {
                Sort::Bool => always(&Bool::new_const(name(*index))),
                Sort::Int => always(&Int::new_const(name(*index))),
            }),
            Node::Unary(operation, operand) => {
                let operand = self.made.get(operand)?;
                let value = match operation {
                    Unary::Negate => Dynamic::from_ast(&operand.value.as_int()?.unary_minus()),
                    Unary::Not => Dynamic::from_ast(&operand.value.as_bool()?.not()),
                };
                Some(Made { value, defined: operand.defined.clone() })
            }
            Node::Binary(operation, left, right) => binary(*operation, self.made.get(left)?, self.made.get(right)?),
            Node::If(condition, yes, no) => {
                let (condition, yes, no) = (self.made.get(condition)?, self.made.get(yes)?, self.made.get(no)?);
                let holds = condition.value.as_bool()?;
                let on_yes = yes.defined.as_ref().map(|defined| holds.implies(defined));
                let on_no = no.defined.as_ref().map(|defined| Bool::or(&[&holds, defined]));
                let defined = all([condition.defined.clone(), on_yes, on_no]);
                Some(Made { value: holds.ite(&yes.value, &no.value), defined })
            }
        }
    }
}

fn always(made: &impl z3::ast::Ast) -> Made {
    Made { value: Dynamic::from_ast(made), defined: None }
}

fn all(conditions: [Option<Bool>; 3]) -> Option<Bool> {
    conditions.into_iter().flatten().reduce(|left, right| Bool::and(&[&left, &right]))
}

fn binary(operation: Binary, left: &Made, right: &Made) -> Option<Made> {
    if let Binary::And | Binary::Or = operation {
        let (a, b) = (left.value.as_bool()?, right.value.as_bool()?);
        let needed = if operation == Binary::And { a.clone() } else { a.not() };
        let on_right = right.defined.as_ref().map(|defined| needed.implies(defined));
        let value = if operation == Binary::And { Bool::and(&[&a, &b]) } else { Bool::or(&[&a, &b]) };
        return Some(Made { value: Dynamic::from_ast(&value), defined: all([left.defined.clone(), on_right, None]) });
    }
    if operation == Binary::Equal {
        let value = Dynamic::from_ast(&left.value.eq(&right.value));
        return Some(Made { value, defined: all([left.defined.clone(), right.defined.clone(), None]) });
    }
    let (a, b) = (left.value.as_int()?, right.value.as_int()?);
    let mut domain = None;
    let value = match operation {
        Binary::Add => Dynamic::from_ast(&Int::add(&[&a, &b])),
        Binary::Subtract => Dynamic::from_ast(&Int::sub(&[&a, &b])),
        Binary::Multiply => Dynamic::from_ast(&Int::mul(&[&a, &b])),
        Binary::Less => Dynamic::from_ast(&a.lt(&b)),
        Binary::LessOrEqual => Dynamic::from_ast(&a.le(&b)),
        Binary::Divide | Binary::Remainder => {
            domain = Some(b.eq(Int::from_i64(0)).not());
            Dynamic::from_ast(&truncated(operation, &a, &b))
        }
        Binary::Equal | Binary::And | Binary::Or => return None,
    };
    Some(Made { value, defined: all([left.defined.clone(), right.defined.clone(), domain]) })
}

/// SMT-LIB's remainder is never negative; C's has the dividend's sign, and its quotient is rounded towards 0. They agree
/// where the dividend is not negative.
fn truncated(operation: Binary, a: &Int, b: &Int) -> Int {
    let apply = |a: &Int| if operation == Binary::Divide { a.div(b) } else { a.modulo(b) };
    let negative = apply(&a.unary_minus()).unary_minus();
    a.ge(Int::from_i64(0)).ite(&apply(a), &negative)
}
