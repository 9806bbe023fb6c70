//! Everything in a row: static checking, compilation, active checking, and the verdict.

use std::fmt;

use thiserror::Error;

use crate::compile::{Compiled, Rejected, compile};
use crate::environment::{Environment, Signature};
use crate::evaluate::CastPlace;
use crate::formula::Formulas;
use crate::module::{Module, UnknownEnvironment, VariableInfo};
use crate::obligation::Purpose;
use crate::program::{Command, Expression, ExpressionKind, Operator, Program, Variable};
use crate::search::{Finding, Gap, Limits, Search, Subject};
use crate::solve::{Budget, Constraint, Solution, Unknown, solve};
use crate::source::{Diagnostic, Span};
use crate::subtyping::{Answer, Smt, Strength};
use crate::types::Type;
use crate::typing::{Typing, check};
use crate::value::{Sort, Value};

/// What is to be done, and what it may cost.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The environments to combine; all of them if there are none here.
    pub environments: Vec<String>,
    /// How hard subtyping is tried.
    pub subtyping: Strength,
    /// Values of inputs for the first run. The others are the file's, or any.
    pub input: Vec<(String, Value)>,
    /// What it may cost.
    pub limits: Limits,
}

/// Why there is no analysis.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// An environment that does not exist.
    #[error(transparent)]
    Environment(#[from] UnknownEnvironment),
    /// Something is wrong with the source.
    #[error(transparent)]
    Source(#[from] Diagnostic),
    /// An input that does not exist.
    #[error("there is no input `{0}`; inputs are declared with `input`")]
    Input(String),
    /// The value of an input is not in its type.
    #[error("{value} is no value for the input `{name}`, which is in {of}")]
    OutsideType {
        /// The input.
        name: String,
        /// The value.
        value: Value,
        /// The type of the input.
        of: Type,
    },
}

/// The verdict on a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Rejected: it does not have the property on all stores that the environment allows.
    IllTyped,
    /// Well-typed without any cast: proved, no run can fail.
    WellTyped,
    /// Some casts can fail.
    Fails,
    /// Every path was looked at, and no cast can fail on any.
    Verified,
    /// No cast was seen to fail, but not everything was covered.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::IllTyped => "ill-typed: rejected",
            Verdict::WellTyped => "well-typed: proved",
            Verdict::Fails => "a cast can fail",
            Verdict::Verified => "safe on all paths: verified",
            Verdict::Undecided => "undecided: nothing was found, but not everything was decided",
        })
    }
}

/// What was found out about a program.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The environment that it was checked in.
    pub environment: Environment,
    /// Whether it is well-typed as it is written.
    pub typing: Typing,
    /// The program with its casts, unless it was rejected.
    pub compiled: Result<Compiled, Rejected>,
    /// Operators of which it is not known whether they do what their signatures say.
    pub trusted: Vec<(Operator, Unknown)>,
    /// The first input that was run, by parameter.
    pub first: Vec<Value>,
    /// What directed search found, if there was something to search for.
    pub search: Option<Search>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Analyses the program of a module. Where it is stopped, what there is by then comes out.
pub fn analyse(module: &Module, options: &Options) -> Result<Analysis, Problem> {
    options.limits.query.watched(|| analyse_watched(module, options))
}

fn analyse_watched(module: &Module, options: &Options) -> Result<Analysis, Problem> {
    let environment = module.environment(&options.environments)?;
    let trusted = check_operators(module, &environment, &options.limits.query)?;
    let first = initial_values(module, &environment, options)?;
    let mut subtyping = Smt::new(options.subtyping, options.limits.query.clone());
    let typing = check(&environment, &module.program, &mut subtyping);
    let compiled = compile(&environment, &module.program, &mut subtyping);
    let mut search = None;
    let verdict = match &compiled {
        Err(rejected) => {
            let refuted = rejected.judgements.iter().any(|judgement| matches!(judgement.answer, Answer::No(_)));
            if refuted { Verdict::IllTyped } else { Verdict::Undecided }
        }
        Ok(compiled) if !compiled.program.has_casts() && trusted.is_empty() => Verdict::WellTyped,
        Ok(compiled) => {
            let subject = Subject::new(module, &environment, &compiled.program);
            let found = search.insert(subject.search(first.clone(), &options.limits));
            match (found.findings.is_empty(), found.gaps.is_empty() && trusted.is_empty()) {
                (false, _) => Verdict::Fails,
                (true, true) => Verdict::Verified,
                (true, false) => Verdict::Undecided,
            }
        }
    };
    let mut analysis = Analysis { environment, typing, compiled, trusted, first, search, verdict };
    if let Some(mut search) = analysis.search.take() {
        search.findings.sort_by_key(|finding| (analysis.site(module, finding).start, finding.place));
        analysis.search = Some(search);
    }
    Ok(analysis)
}

/// Δ ∈ Γ for the operators: each is defined wherever its signature allows operands, and gives what the signature says.
fn check_operators(
    module: &Module,
    environment: &Environment,
    budget: &Budget,
) -> Result<Vec<(Operator, Unknown)>, Diagnostic> {
    let mut trusted = Vec::new();
    for (index, (signature, definition)) in environment.operators().iter().zip(&module.definitions).enumerate() {
        let operator = Operator(index);
        let used = used_at(&module.program, operator);
        let declared = module.operators.get(index).and_then(|info| info.span);
        let Some(span) = declared.or(used) else { continue };
        let sorts: Vec<Sort> = signature.parameters.iter().map(Type::sort).collect();
        let mut formulas = Formulas::new(sorts);
        let mut constraints = Vec::new();
        let mut arguments = Vec::new();
        for (position, parameter) in signature.parameters.iter().enumerate() {
            let argument = formulas.parameter(position);
            constraints.push(Constraint { formula: formulas.member(argument, parameter), holds: true });
            arguments.push(argument);
        }
        let value = formulas.instantiate(definition, &arguments);
        let kept = formulas.kept(value, &signature.result);
        constraints.push(Constraint { formula: kept, holds: false });
        match solve(&formulas, &constraints, budget) {
            Solution::Unsat => {}
            Solution::Unknown(reason) => trusted.push((operator, reason)),
            Solution::Sat(operands) => {
                return Err(broken(module, operator, span, &operands, definition.evaluate(&operands).ok(), signature));
            }
        }
    }
    Ok(trusted)
}

fn broken(
    module: &Module,
    operator: Operator,
    span: Span,
    operands: &[Value],
    value: Option<Value>,
    signature: &Signature,
) -> Diagnostic {
    let name = module.operator_name(operator);
    let operands: Vec<String> = operands.iter().map(Value::to_string).collect();
    let call = format!("{name}({})", operands.join(", "));
    let label = match value {
        Some(value) => format!("{call} is {value}, which is not in {}", signature.result),
        None => format!("{call} has no value"),
    };
    Diagnostic::new(span, format!("the operator `{name}` does not do what its signature says"), label)
        .help("give its parameters smaller types, or its result a larger one")
}

fn used_at(program: &Program, operator: Operator) -> Option<Span> {
    program.commands().find_map(|(_, command)| match command {
        Command::Assign { expression, .. } | Command::If { condition: expression, .. } => used_in(expression, operator),
        Command::Stop => None,
    })
}

fn used_in(expression: &Expression, operator: Operator) -> Option<Span> {
    match &expression.kind {
        ExpressionKind::Apply(there, _) if *there == operator => Some(expression.span),
        _ => None,
    }
}

/// Δ ∈ Γ for the variables; gives the first input.
fn initial_values(module: &Module, environment: &Environment, options: &Options) -> Result<Vec<Value>, Problem> {
    for (name, _) in &options.input {
        if !module.inputs().any(|(_, info)| info.name == *name) {
            return Err(Problem::Input(name.clone()));
        }
    }
    let mut input = Vec::new();
    for (index, info) in module.variables.iter().enumerate() {
        let of = environment.declared(Variable(index));
        let given = options.input.iter().rev().find(|(name, _)| *name == info.name).map(|(_, value)| value);
        if let Some(value) = given.filter(|value| of.contains(value) != Ok(true)) {
            return Err(Problem::OutsideType { name: info.name.clone(), value: value.clone(), of });
        }
        let value = match given {
            Some(value) => value.clone(),
            None => initial_value(info, &of, &options.limits.query)?,
        };
        if info.parameter.is_some() {
            input.push(value);
        }
    }
    Ok(input)
}

fn initial_value(info: &VariableInfo, of: &Type, budget: &Budget) -> Result<Value, Diagnostic> {
    let value = info.initial.clone().unwrap_or_else(|| Value::default_of(of.sort()));
    if of.contains(&value) == Ok(true) {
        return Ok(value);
    }
    let name = &info.name;
    if info.parameter.is_none() || info.initial.is_some() {
        let message = format!("`{name}` starts with {value}, which is not in {of}");
        return Err(Diagnostic::new(info.span, message, format!("in {of}"))
            .help(format!("give it a first value that is in its type: `{name} : … = …;`")));
    }
    let mut formulas = Formulas::new(vec![of.sort()]);
    let parameter = formulas.parameter(0);
    let member = Constraint { formula: formulas.member(parameter, of), holds: true };
    match solve(&formulas, &[member], budget) {
        Solution::Sat(values) => Ok(values.into_iter().next().unwrap_or(value)),
        Solution::Unsat => {
            Err(Diagnostic::new(info.span, format!("the input `{name}` can have no value"), "this input")
                .help(format!("there is nothing in {of}: are two environments combined that contradict each other?")))
        }
        Solution::Unknown(reason) => {
            Err(Diagnostic::new(info.span, format!("no first value for the input `{name}`: {reason}"), "this input")
                .help(format!("give one: `input {name} : … = …;`")))
        }
    }
}

impl Analysis {
    /// Whether something was found that the user has to look at.
    pub fn has_findings(&self) -> bool {
        matches!(self.verdict, Verdict::IllTyped | Verdict::Fails)
    }

    /// Where to look for the cause of a finding: at the operand that an inserted cast is for, at the command otherwise.
    pub fn site(&self, module: &Module, finding: &Finding) -> Span {
        let steps = self
            .compiled
            .iter()
            .flat_map(|compiled| compiled.inserted.iter().filter_map(|index| compiled.derivation.get(*index)));
        let inserted = steps.map(|step| &step.judgement.obligation).find(|obligation| {
            obligation.command == finding.command
                && match (&obligation.purpose, finding.place) {
                    (Purpose::Operand(variable, _), CastPlace::Variable(failed)) => *variable == failed,
                    (Purpose::Assignment(_), CastPlace::Assigned) => true,
                    _ => false,
                }
        });
        match (inserted, module.program.command(finding.command)) {
            (Some(obligation), _) => obligation.span,
            (None, Command::If { condition, .. }) => condition.span,
            (None, _) => module.program.span(finding.command),
        }
    }

    /// What was not covered.
    pub fn gaps(&self) -> &[Gap] {
        self.search.as_ref().map_or(&[], |search| &search.gaps)
    }
}
