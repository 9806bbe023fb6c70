//! The files under `tests/csimpl`: each says in its head what is to be found out about it.
//!
//! `// expect HOW [env=NAME,…] [steps=NUMBER]: VERDICT LINE… [with INPUT]`, where HOW is how hard subtyping is tried and the
//! lines are those of the casts that fail or of what is ill-typed; or `: error MESSAGE`.
#![allow(clippy::unwrap_used, clippy::expect_used)] // the helpers of tests are tests too

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use csimpl::{Lines, Module, Options, Strength, Verdict, analyse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/csimpl")
}

/// What is found out about a program, in the words of an expectation.
fn seen(text: &str, options: &Options) -> String {
    let module = match Module::parse(text) {
        Ok(module) => module,
        Err(error) => return format!("error {error}"),
    };
    let analysis = match analyse(&module, options) {
        Ok(analysis) => analysis,
        Err(error) => return format!("error {error}"),
    };
    let word = match analysis.verdict {
        Verdict::IllTyped => "ill-typed",
        Verdict::WellTyped => "well-typed",
        Verdict::Fails => "fails",
        Verdict::Verified => "verified",
        Verdict::Undecided => "undecided",
    };
    let findings = analysis.search.iter().flat_map(|search| &search.findings);
    let source = Lines::new(text);
    let mut lines: Vec<usize> =
        findings.map(|finding| source.position(analysis.site(&module, finding).start).0).collect();
    if let Err(rejected) = &analysis.compiled {
        lines.extend(rejected.judgements.iter().map(|judgement| source.position(judgement.obligation.span.start).0));
    }
    lines.sort_unstable();
    lines.dedup();
    let mut seen = lines.iter().fold(word.to_owned(), |seen, line| format!("{seen} {line}"));
    if let Some(finding) = analysis.search.iter().flat_map(|search| &search.findings).next() {
        let inputs = module.inputs().zip(&finding.input).map(|((_, info), value)| format!("{} = {value}", info.name));
        seen += &format!(" with {}", inputs.collect::<Vec<_>>().join(", "));
    }
    seen
}

fn options(how: &str) -> Options {
    let mut options = Options::default();
    // Steps alone stop the solver, so that the verdict does not depend on how fast the machine is.
    options.limits.query.time = Duration::from_secs(3_600);
    for word in how.split_whitespace() {
        match word.split_once('=') {
            None => {
                options.subtyping = match word {
                    "decide" => Strength::Decide,
                    "prove" => Strength::Prove,
                    "form" => Strength::Form,
                    other => panic!("{other} is not a way to try subtyping"),
                }
            }
            Some(("env", names)) => options.environments = names.split(',').map(str::to_owned).collect(),
            Some(("steps", number)) => options.limits.query.steps = number.parse().unwrap(),
            Some((key, _)) => panic!("{key} is not known"),
        }
    }
    options
}

/// An expectation may leave out which input it is, or mention a part of it.
fn fits(expected: &str, seen: &str) -> bool {
    match expected.split_once(" with ") {
        Some((findings, part)) => seen
            .split_once(" with ")
            .is_some_and(|(seen, input)| seen == findings && input.split(", ").any(|assignment| assignment == part)),
        None => seen.split(" with ").next() == Some(expected),
    }
}

#[test]
fn programs_have_the_verdicts_that_they_expect() {
    let mut failures = Vec::new();
    let mut expectations = 0;
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "csimpl"));
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let before = expectations;
        for line in text.lines().filter_map(|line| line.strip_prefix("// expect ")) {
            let (how, expected) = line.split_once(": ").expect("`// expect HOW: VERDICT`");
            let seen = seen(&text, &options(how));
            if !fits(expected, &seen) {
                failures.push(format!("{}: {how}: expected {expected}, saw {seen}", file.display()));
            }
            expectations += 1;
        }
        assert!(expectations > before, "{} expects nothing", file.display());
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(expectations > 50, "only {expectations} expectations were found");
}
