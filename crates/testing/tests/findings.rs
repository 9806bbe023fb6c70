//! Runs `provoke check` on the C programs in `tests/find`, `tests/fixme` and `tests/clean`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use testing::findings::checking::check;
use testing::findings::judge::{Judgement, judge};
use testing::findings::program::Program;
use testing::suite::{self, programs};
use testing::toolchain::Toolchain;

/// Programs of one kind.
#[derive(Clone, Copy)]
struct Suite {
    /// Where they are.
    folder: &'static str,
    /// They are checked once with what they ask for and, if this is given, once more with this switched on.
    also: Option<&'static str>,
    /// With these options something is missed: the test is about what they switch off.
    missed_with: &'static [&'static str],
}

const SUITES: &[Suite] = &[
    Suite { folder: "find", also: None, missed_with: &[] },
    Suite { folder: "find/precise", also: None, missed_with: &["--memory", "concrete", "--same-length"] },
    Suite { folder: "fixme", also: None, missed_with: &[] },
    Suite { folder: "clean", also: Some("all"), missed_with: &[] },
    Suite { folder: "clean/meant", also: None, missed_with: &[] },
];

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for suite in SUITES {
        for (name, path) in programs(suite.folder)? {
            trials.push(Trial::test(name, move || run(*suite, path)));
        }
    }
    Ok(trials)
}

fn run(suite: Suite, path: PathBuf) -> Result<(), Failed> {
    let program = Program::read(&path).map_err(|error| format!("{error:#}"))?;
    let judged = judge_all(suite, &program).map_err(|error| format!("{error:#}"))?;
    match program.fixme.as_deref() {
        // What is not expected is wrong, whatever else is known to be missed.
        Some(_) if !judged.unexpected.is_empty() => Err(judged.message().into()),
        Some(reason) if judged.missed.is_empty() => Err(format!("no fixme any more, this works now: {reason}").into()),
        None if !judged.message().is_empty() => Err(judged.message().into()),
        _ => Ok(()),
    }
}

fn judge_all(suite: Suite, program: &Program) -> Result<Judgement> {
    let expects = !program.expectations.is_empty() || !program.anywhere.is_empty();
    ensure!(
        expects != suite.folder.starts_with("clean"),
        "a program in {} has the wrong kind of expectations",
        suite.folder
    );
    ensure!(
        program.fixme.is_some() == (suite.folder == "fixme"),
        "what is known to be missed belongs in tests/fixme, and only that"
    );
    let toolchain = Toolchain::find()?;
    let work = tempfile::Builder::new().prefix("provoke-find-").tempdir()?;
    let mut all = Judgement::default();
    let asked = program.checks.as_deref();
    for checks in [asked].into_iter().chain(suite.also.map(Some)) {
        let options: Vec<&str> = checks.iter().flat_map(|checks| ["--checks", checks]).collect();
        let checked = check(&toolchain, program, &options, work.path())?;
        if checked.loops && suite.folder.starts_with("find") {
            // What is left out must not be what finds a bug.
            let left_out = [&options[..], &["--loops", "dependence"]].concat();
            let again = check(&toolchain, program, &left_out, work.path())?;
            let (all, some) = (&checked.findings, &again.findings);
            ensure!(all == some, "found {some:?} with loop dependence, not {all:?}");
        }
        let judged = judge(program, &checked);
        let with = |line: String| format!("[--checks {}] {line}", checks.unwrap_or("default"));
        all.unexpected.extend(judged.unexpected.into_iter().map(with));
        all.missed.extend(judged.missed.into_iter().map(with));
    }
    if !suite.missed_with.is_empty() {
        let checked = check(&toolchain, program, suite.missed_with, work.path())?;
        let options = suite.missed_with.join(" ");
        ensure!(!judge(program, &checked).missed.is_empty(), "nothing is missed with {options}");
    }
    Ok(all)
}
