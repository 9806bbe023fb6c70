//! Runs the program where an analysis without a run found an input that makes it fail.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cc::bundle::Program;
use checkers::catalogue::Severity;
use checkers::selection::Selection;
use mix::Found;
use refine::Specification;
use replay::{Outcome, Replayer, Source};
use report::{CommandLine, Finding, Input, Part, PartKind, Verdict, VerdictCounts};
use run::Output;
use trace::rule::Rule;

use crate::exit::Failure;
use crate::program;

/// Runs at most. What there is more of was found on the way to the same.
const RUNS: usize = 32;

/// What runs came to, and what they took.
#[derive(Default)]
pub struct Runs {
    /// Inputs of the program that were tried.
    pub inputs: u64,
    /// How they turned out.
    pub verdicts: VerdictCounts,
    /// Making views, and programs that call single functions.
    pub making: Duration,
    /// Running them.
    pub running: Duration,
}

/// Runs a program with inputs.
pub struct Runner {
    replayer: Replayer,
}

impl Runner {
    /// Makes the view that a program is run in.
    pub fn new(opened: &Program, named: &Path, interrupt: &Arc<AtomicBool>) -> Result<Runner, Failure> {
        let rules = Selection::default().in_views();
        let view = program::view(opened, views::Kind::Replay(rules), &Specification::default())?;
        let name = Some(named.as_os_str().to_owned());
        let target = replay::Target { view, name, ..replay::Target::default() };
        let settings =
            replay::Settings { output: Output::Discard, interrupt: interrupt.clone(), ..replay::Settings::default() };
        Ok(Runner { replayer: Replayer::new(target, settings).map_err(Failure::input)? })
    }

    /// Runs it once.
    pub fn run(&self, chosen: &mix::Input) -> Result<Outcome, Failure> {
        let one = self.replayer.with(words_of(&chosen.arguments).collect(), run::Surroundings::default());
        let input = chosen.stdin.clone().map(replay::Input::stdin).unwrap_or_default();
        one.replay(&input).map_err(Failure::input)
    }
}

/// What a run says about a finding.
pub fn is_at(outcome: &Outcome, finding: &Finding) -> Option<Verdict> {
    let nulls = outcome.violations.iter().filter(|one| matches!(one.rule, Rule::NullDeref | Rule::NonnullArg));
    let positions: Vec<_> = nulls.filter_map(|violation| violation.position()).collect();
    if positions.iter().any(|position| position.line == finding.position.line) {
        Some(Verdict::Confirmed)
    } else if positions.iter().any(|position| position.function == finding.function) {
        // Optimisation may give an access the line of what comes before it.
        Some(Verdict::ConfirmedElsewhere)
    } else {
        None
    }
}

/// Runs the program for every finding that comes with an input; says which of them were seen to happen.
pub fn confirm(
    opened: &Program,
    named: &Path,
    found: &[Found],
    findings: &mut [Finding],
    runs: &mut Runs,
    interrupt: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let with_input = || found.iter().zip(0..).filter_map(|(found, index)| Some((found.input.clone()?, index)));
    if with_input().next().is_none() || !opened.has_main() {
        return Ok(());
    }
    let started = Instant::now();
    let runner = Runner::new(opened, named, interrupt)?;
    runs.making += started.elapsed();
    for (chosen, index) in with_input().take(RUNS) {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Some(finding) = findings.get_mut::<usize>(index) else { continue };
        let started = Instant::now();
        let outcome = runner.run(&chosen)?;
        runs.running += started.elapsed();
        runs.inputs += 1;
        let verdict = is_at(&outcome, finding);
        *match verdict {
            Some(Verdict::Confirmed) => &mut runs.verdicts.confirmed,
            Some(_) => &mut runs.verdicts.confirmed_elsewhere,
            None => &mut runs.verdicts.not_reproduced,
        } += 1;
        if let Some(verdict) = verdict {
            finding.verdict = verdict;
            finding.severity = Severity::Error;
            finding.input = input(&chosen);
            // A command line has no place for what comes from standard input; the report has it.
            if chosen.stdin.is_none() {
                let words = ["provoke", "replay"].map(OsString::from).into_iter();
                let words = words.chain([named.as_os_str().to_owned(), OsString::from("--")]);
                finding.reproduce = CommandLine::new(words.chain(words_of(&chosen.arguments)));
            }
        }
    }
    Ok(())
}

fn words_of(arguments: &[Vec<u8>]) -> impl Iterator<Item = OsString> + '_ {
    arguments.iter().cloned().map(OsString::from_vec)
}

fn input(chosen: &mix::Input) -> Input {
    let argument =
        |(number, bytes): (usize, &Vec<u8>)| Part::new(Source::Argument(number).name(), PartKind::Argument, bytes);
    let stdin = chosen.stdin.iter().map(|bytes| Part::new(Source::Stdin.name(), PartKind::Stdin, bytes));
    Input { parts: (1..).zip(&chosen.arguments).map(argument).chain(stdin).collect() }
}
