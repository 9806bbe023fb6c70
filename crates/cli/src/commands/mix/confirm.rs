//! Runs the program where an analysis without a run found arguments that make it fail.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cc::bundle::Program;
use checkers::selection::Selection;
use mix::Found;
use refine::Specification;
use replay::{Replayer, Source};
use report::{CommandLine, Finding, Input, Part, PartKind, Verdict};
use run::Output;
use trace::rule::Rule;

use crate::exit::Failure;
use crate::program;

/// Runs at most. What there is more of was found on the way to the same.
const RUNS: usize = 32;

/// Runs the program for every finding that comes with arguments; says which of them were seen to happen.
pub fn confirm(
    opened: &Program,
    named: &Path,
    found: &[Found],
    findings: &mut [Finding],
    interrupt: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let with_arguments = || found.iter().zip(0..).filter_map(|(found, index)| Some((found.arguments.clone()?, index)));
    if with_arguments().next().is_none() || !opened.has_main() {
        return Ok(());
    }
    let rules = Selection::default().in_views();
    let view = program::view(opened, views::Kind::Replay(rules), &Specification::default())?;
    let name = Some(named.as_os_str().to_owned());
    let target = replay::Target { view, name, ..replay::Target::default() };
    let settings =
        replay::Settings { output: Output::Discard, interrupt: interrupt.clone(), ..replay::Settings::default() };
    let replayer = Replayer::new(target, settings).map_err(Failure::input)?;
    for (arguments, index) in with_arguments().take(RUNS) {
        let Some(finding) = findings.get_mut::<usize>(index) else { continue };
        let one = replayer.with(words_of(&arguments).collect(), run::Surroundings::default());
        let outcome = one.replay(&replay::Input::default()).map_err(Failure::input)?;
        let nulls = outcome.violations.iter().filter(|one| matches!(one.rule, Rule::NullDeref | Rule::NonnullArg));
        let positions: Vec<_> = nulls.filter_map(|violation| violation.position()).collect();
        let verdict = if positions.iter().any(|position| position.line == finding.position.line) {
            Some(Verdict::Confirmed)
        } else if positions.iter().any(|position| position.function == finding.function) {
            // Optimisation may give an access the line of what comes before it.
            Some(Verdict::ConfirmedElsewhere)
        } else {
            None
        };
        if let Some(verdict) = verdict {
            finding.verdict = verdict;
            finding.input = input(&arguments);
            let words = ["provoke", "replay"].map(OsString::from).into_iter();
            let command = words.chain([named.as_os_str().to_owned(), OsString::from("--")]).chain(words_of(&arguments));
            finding.reproduce = CommandLine::new(command);
        }
    }
    Ok(())
}

fn words_of(arguments: &[Vec<u8>]) -> impl Iterator<Item = OsString> + '_ {
    arguments.iter().cloned().map(OsString::from_vec)
}

fn input(arguments: &[Vec<u8>]) -> Input {
    let part =
        |(number, bytes): (usize, &Vec<u8>)| Part::new(Source::Argument(number).name(), PartKind::Argument, bytes);
    Input { parts: (1..).zip(arguments).map(part).collect() }
}
