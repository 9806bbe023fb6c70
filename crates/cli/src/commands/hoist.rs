//! `provoke hoist PROG --unit FUNCTION --tests TESTS`

mod emit;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use checkers::selection::Selection;
use clap::Args;
use predict::hoist::{self, Precondition};
use refine::{Specification, Subject};
use run::Request;
use search::Options;
use search::check;
use search::loops::Policy;
use trace::rule::{Rule, RuleSet};

use crate::commands::predict::suite;
use crate::exit::{Failure, INTERRUPTED};
use crate::output::counted;
use crate::progress::Progress;
use crate::solving::Solving;
use crate::target::Target;
use crate::{interrupt, preconditions, program};

/// Arguments of `provoke hoist`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// A function whose precondition is wanted; can be repeated
    #[arg(long, value_name = "FUNCTION")]
    unit: Vec<String>,
    /// Tests of the units: as for `provoke predict`
    #[arg(long, value_name = "TESTS")]
    tests: Option<PathBuf>,
    /// Run nothing: print the preconditions that are known
    #[arg(long)]
    show: bool,
    /// Write the preconditions as assertions, in a patch for the program's source
    #[arg(long, value_name = "PATCH")]
    emit: Option<PathBuf>,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    #[command(flatten)]
    solving: Solving,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.show {
        return show(arguments);
    }
    if arguments.unit.is_empty() {
        return Err(Failure::Input(anyhow::anyhow!("name the functions whose preconditions are wanted, with --unit")));
    }
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let target = &arguments.target;
    let tests = suite::read(target, arguments.tests.as_deref())?;
    let rules: RuleSet = arguments.checks.rules().chain([Rule::Refinement]).collect();
    let opened = target.open()?;
    let specification = Specification { units: arguments.unit.clone(), ..Specification::default() };
    let view = program::concolic_of(&opened, rules, &specification)?;
    let mut session = arguments.solving.session(target.budget())?;
    let settings = check::Settings {
        selection: &arguments.checks,
        options: Options::default(),
        loops: Policy::Ask,
        growth: false,
        minimise: 0,
        interrupt: &interrupted,
    };
    let request = target.request(view.path);
    let mut found: BTreeMap<String, Precondition> =
        arguments.unit.iter().map(|unit| (unit.clone(), Precondition::default())).collect();
    let line = Progress::start();
    for (number, test) in (1..).zip(&tests) {
        line.step(&format!("test {number} of {}", tests.len()));
        let (args, inputs) = (test.args.clone(), test.inputs.clone());
        let request = Request { args, inputs, surroundings: test.surroundings.clone(), ..request.clone() };
        let mut traced = check::trace(&request, &view.sites, &settings).map_err(Failure::input)?;
        let values = traced.values().clone();
        let first_loss = match traced.path.record.has_loss_without_place() {
            true => Some(0),
            false => path::first_loss(&traced.outcome.trace, &view.sites),
        };
        let run = (&traced.outcome.trace, &mut traced.path, traced.checks.as_slice());
        hoist::add(&mut found, run, first_loss, &values, &mut session);
        if interrupted.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    drop(line);
    found.values_mut().for_each(|precondition| precondition.simplify(&mut session));
    let texts: Vec<(String, Vec<String>)> =
        found.iter().map(|(unit, precondition)| (unit.clone(), precondition.clauses.clone())).collect();
    preconditions::replace(&texts)?;
    let mut out = std::io::stdout().lock();
    for (unit, precondition) in &found {
        let said = precondition.text().unwrap_or_else(|| "nothing is required".to_owned());
        writeln!(out, "{unit}: {said}")?;
        writeln!(
            out,
            "  entered {} in {}",
            counted(precondition.entries as u64, "time"),
            counted(tests.len() as u64, "test")
        )?;
        for (reason, count) in &precondition.dropped {
            writeln!(out, "  {} left out: {reason}", counted(*count, "check"))?;
        }
    }
    drop(out);
    if let Some(patch) = &arguments.emit {
        emit::write(patch, &texts, &view.sites)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let known = preconditions::read()?;
    let wanted = |unit: &str| arguments.unit.is_empty() || arguments.unit.iter().any(|wanted| wanted == unit);
    let mut out = std::io::stdout().lock();
    for line in &known.lines {
        if let Subject::Entry { function } = &line.subject
            && wanted(function)
        {
            writeln!(out, "{function}: {}", line.condition.text())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
