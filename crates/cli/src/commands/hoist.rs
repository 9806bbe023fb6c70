//! `provoke hoist PROG --unit FUNCTION --tests TESTS`

mod emit;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cc::bundle::Program;
use checkers::selection::Selection;
use clap::Args;
use predict::hoist::{self, Precondition};
use refine::{Specification, UnitName};
use replay::{End, Replayer};
use run::{Request, Surroundings};
use search::Options;
use search::check;
use search::loops::Policy;
use trace::rule::{Rule, RuleSet};
use trace::sites::Unit;

use crate::commands::predict::suite;
use crate::exit::{Failure, INTERRUPTED};
use crate::output::counted;
use crate::progress::Progress;
use crate::solving::Solving;
use crate::target::Target;
use crate::{driver, interrupt, preconditions, program};

/// Arguments of `provoke hoist`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// A function whose precondition is wanted, as FUNCTION or FILE:FUNCTION; can be repeated
    #[arg(long, value_name = "FUNCTION")]
    unit: Vec<String>,
    /// Tests of the units: as for `provoke predict`, or what `provoke explore --unit` made
    #[arg(long, value_name = "TESTS")]
    tests: Option<PathBuf>,
    /// Run nothing: print the preconditions that are known
    #[arg(long, conflicts_with_all = ["emit", "forget"])]
    show: bool,
    /// Forget what earlier runs have found about these functions, for instance since they have changed
    #[arg(long)]
    forget: bool,
    /// Write the preconditions as assertions, in a patch for the program's source
    #[arg(long, value_name = "PATCH")]
    emit: Option<PathBuf>,
    /// How long a test may take: a number of seconds, or with m or h behind it; checks that are not looked at by then are left out
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = crate::time::parse)]
    test_time: Duration,
    /// Which checkers: names and groups with commas between them, -NAME to switch one off; `provoke checkers` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: Selection,
    #[command(flatten)]
    solving: Solving,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let units: Vec<UnitName> = arguments.unit.iter().map(|unit| UnitName::parse(unit)).collect();
    if arguments.show {
        return show(&units);
    }
    if units.is_empty() {
        return Err(Failure::Input(anyhow::anyhow!("name the functions whose preconditions are wanted, with --unit")));
    }
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let preparing = interrupt::Preparing::start(&interrupted);
    let target = &arguments.target;
    let opened = target.open()?;
    let folder = arguments.tests.as_deref().map(suite::folder);
    let driven = folder.as_deref().map(driver::of_tests).transpose()?.flatten();
    let tests = suite::read(target, arguments.tests.as_deref())?.tests;
    let rules: RuleSet = arguments.checks.rules().chain([Rule::Refinement]).collect();
    let specification = Specification { units, driven, ..Specification::default() };
    let view = program::concolic_of(&opened, rules, &specification)?;
    let replayer = replayer(arguments, &opened, &specification, &interrupted)?;
    drop(preparing);
    let mut session = arguments.solving.session(target.budget())?;
    session.stop_when(&interrupted);
    let settings = check::Settings {
        selection: &arguments.checks,
        options: Options::default(),
        loops: Policy::Ask,
        growth: false,
        minimise: 0,
        interrupt: &interrupted,
        until: None,
        known: &BTreeSet::new(),
    };
    let request = target.request(view.path);
    let mut found: BTreeMap<usize, Precondition> =
        (0..view.sites.units.len()).map(|unit| (unit, Precondition::default())).collect();
    let mut failing = 0;
    let mut notes = Vec::new();
    let line = Progress::start();
    for (number, test) in (1..).zip(&tests) {
        line.step(&format!("test {number} of {}", tests.len()));
        let until = Instant::now().checked_add(arguments.test_time);
        let settings = check::Settings { until, ..settings };
        let (args, inputs) = (test.args.clone(), test.inputs.clone());
        let request = Request { args, inputs, surroundings: test.surroundings.clone(), ..request.clone() };
        let input = test.inputs.read(&test.args).map_err(Failure::input)?;
        let one = replayer.with(test.args.clone(), test.surroundings.clone()).within(arguments.test_time);
        if fails_in_memory(&one.replay(&input).map_err(Failure::input)?) {
            failing += 1;
            continue;
        }
        let mut traced = match check::trace(&request, &view.sites, &settings) {
            Ok(traced) => traced,
            Err(error @ (check::Error::Path(_) | check::Error::Mismatch(_))) => return Err(Failure::internal(error)),
            Err(error) => {
                notes.push(format!("test {} left out: {error}", test.name));
                continue;
            }
        };
        let values = traced.values().clone();
        let run = (&traced.outcome.trace, &mut traced.path, traced.checks.as_slice());
        hoist::add(&mut found, run, &view.sites, &values, &mut session, until);
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    drop(line);
    notes.iter().for_each(|note| eprintln!("provoke: note: {note}"));
    found.values_mut().for_each(|precondition| precondition.simplify(&mut session));
    if interrupted.load(Ordering::Relaxed) {
        eprintln!("provoke: note: interrupted; the preconditions that were known before stay as they are");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let found: Vec<(&Unit, Precondition)> = view.sites.units.iter().zip(found.into_values()).collect();
    // Tests that do not come to a unit say nothing about it.
    let stated: Vec<(UnitName, Vec<String>)> = found
        .iter()
        .filter(|(_, precondition)| precondition.entries > 0)
        .map(|(unit, precondition)| (name_of(unit), precondition.clauses.clone()))
        .collect();
    let kept = preconditions::update(&stated, arguments.forget)?;
    let names: Vec<UnitName> = found.iter().map(|(unit, _)| name_of(unit)).collect();
    for (unit, precondition) in &found {
        let unit_name = name_of(unit);
        let before = kept.iter().filter(|(name, _)| *name == unit_name).map(|(_, clause)| clause.as_str());
        print(&shown(&unit_name, &names), unit, precondition, tests.len(), &before.collect::<Vec<_>>())?;
    }
    if failing > 0 {
        let tests = counted(failing, "test");
        eprintln!(
            "provoke: note: {tests} left out that end with a memory error: nothing is asked of what comes of one"
        );
    }
    if let Some(patch) = &arguments.emit {
        emit::write(patch, &found)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs tests with checks.
fn replayer(
    arguments: &Arguments,
    program: &Program,
    specification: &Specification,
    interrupt: &Arc<AtomicBool>,
) -> Result<Replayer, Failure> {
    let target = &arguments.target;
    let specification = Specification { driven: specification.driven.clone(), ..Specification::default() };
    let view = program::view(program, views::Kind::Replay(arguments.checks.in_views()), &specification)?;
    let name = Some(target.program.clone().into_os_string());
    let subject = replay::Target { view, name, args: target.args.clone(), surroundings: Surroundings::default() };
    let settings = replay::Settings {
        limits: target.limits(),
        output: target.output(),
        serve_at_once: true,
        interrupt: Arc::clone(interrupt),
        ..replay::Settings::default()
    };
    Replayer::new(subject, settings).map_err(Failure::input)
}

/// Whether a run came to what it has no right to: what it does then is nothing that its unit asks for.
fn fails_in_memory(outcome: &replay::Outcome) -> bool {
    let is_other = |violation: &replay::Violation| violation.rule == Rule::Assertion;
    outcome.end == End::Violation && !outcome.violations.last().is_some_and(is_other)
}

fn print(
    name: &str,
    unit: &Unit,
    precondition: &Precondition,
    tests: usize,
    known_before: &[&str],
) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let said = match precondition.text() {
        Some(text) => text,
        None if precondition.entries == 0 => "nothing new is known".to_owned(),
        None => "nothing is required in these tests".to_owned(),
    };
    writeln!(out, "{name}: {said}")?;
    for clause in known_before {
        writeln!(out, "  and from before: {clause}")?;
    }
    writeln!(out, "  entered {} in {}", counted(precondition.entries as u64, "time"), counted(tests as u64, "test"))?;
    if precondition.not_followed > 0 {
        let times = counted(precondition.not_followed, "time");
        writeln!(out, "  entered {times} more, in other threads or too deep: not looked at")?;
    }
    for (reason, count) in &precondition.dropped {
        writeln!(out, "  {} left out: {reason}", counted(*count, "check"))?;
    }
    if !unit.left_out.is_empty() {
        writeln!(out, "  as in the tests, and not looked at: {}", unit.left_out.join(", "))?;
    }
    Ok(())
}

fn name_of(unit: &Unit) -> UnitName {
    let file = Some(unit.file.clone()).filter(|file| !file.is_empty());
    UnitName { file, function: unit.function.clone() }
}

/// A unit's name, without its file where that is clear.
fn shown(unit: &UnitName, all: &[UnitName]) -> String {
    match all.iter().any(|other| other.function == unit.function && other.file != unit.file) {
        true => unit.to_string(),
        false => unit.function.clone(),
    }
}

fn show(units: &[UnitName]) -> Result<ExitCode, Failure> {
    let known = preconditions::read()?;
    let all: Vec<UnitName> = preconditions::of(&known).map(|(unit, _)| unit.clone()).collect();
    let is_wanted = |unit: &UnitName| {
        let file = unit.file.as_deref().unwrap_or_default();
        units.is_empty() || units.iter().any(|wanted| wanted.fits(&unit.function, file))
    };
    let mut out = std::io::stdout().lock();
    for (unit, text) in preconditions::of(&known).filter(|(unit, _)| is_wanted(unit)) {
        writeln!(out, "{}: {text}", shown(unit, &all))?;
    }
    Ok(ExitCode::SUCCESS)
}
