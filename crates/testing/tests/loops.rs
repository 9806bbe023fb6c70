//! Loop dependence: the sorting programs of the seed at all lengths, its figures, and that no bug is lost.
//!
//! The programs in `tests/loops/sorts` are explored for arrays of several lengths: without a look at loops the number of paths
//! explodes, with it the number is the same for all. Those in `tests/loops` say in their head, beside what other programs say
//! there, which loops nothing depends on:
//!
//! ```text
//! // loops: 9 independent, 14 dependent                     by the line of the loop's first condition on input
//! // loops without contradiction: 9 dependent               the same if nobody looks for guards
//! // check: finds the same                                  `provoke check` finds all of it from the one run
//! ```
//!
//! Programs that are made by chance, and those in `tests/loops/lost`, are explored with and without: what is found must be the
//! same. `PROVOKE_PROGRAMS` says how many are made, `PROVOKE_FIRST` which is the first.

#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

#[path = "loops/generated.rs"]
mod generated;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use testing::suite::{self, programs, root};
use testing::toolchain::Toolchain;

/// Lengths of the tables; every one more takes a second for each program.
const LENGTHS: [usize; 2] = [5, 50];

/// Paths with loop dependence and, for the shortest array, without: what the tables say, and what other concolic tools need.
const SORTS: [(&str, u64, u64); 5] =
    [("insertion", 5, 155), ("selection", 5, 239), ("bubble", 5, 155), ("shell", 5, 0), ("matrix", 3, 7)];

/// Generated programs that everybody has time for.
const FEW: u64 = 6;

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    let trial = |name: String, test: Box<dyn FnOnce() -> Result<()> + Send>| {
        Trial::test(name, move || test().map_err(|error| Failed::from(format!("{error:#}"))))
    };
    for (name, paths, without) in SORTS {
        trials.push(trial(format!("loops/sorts/{name}"), Box::new(move || sort(name, paths, without))));
    }
    for (name, path) in programs("loops")? {
        trials.push(trial(name, Box::new(move || figure(&path))));
    }
    for (name, path) in programs("loops/lost")? {
        trials.push(trial(name, Box::new(move || same_findings(&path))));
    }
    let setting =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise);
    let first = setting("PROVOKE_FIRST", 0);
    for number in first..first + setting("PROVOKE_PROGRAMS", FEW) {
        trials.push(trial(format!("loops/generated/{number}"), Box::new(move || generated(number))));
    }
    Ok(trials)
}

/// What `provoke explore` says about a source file.
fn explore(source: &Path, stdin: &[u8], loops: &str, work: &Path) -> Result<Value> {
    let out = work.join(loops);
    let out = out.to_str().context("the folder for temporary files has a strange name")?;
    run("explore", source, stdin, &["--quiet", "--jobs", "1", "--loops", loops, "--out", out], work)
}

/// What a command says about a source file.
fn run(name: &str, source: &Path, stdin: &[u8], options: &[&str], work: &Path) -> Result<Value> {
    let toolchain = Toolchain::find()?;
    let (input, report) = (work.join("input"), work.join("report.json"));
    std::fs::write(&input, stdin)?;
    let mut command = Command::new(&toolchain.provoke);
    command.current_dir(work).env("PROVOKE_SELFCHECK", "1").arg(name).arg(source).arg("--stdin").arg(&input);
    command.args(["--minimise", "0"]).args(options).arg("--report").arg(format!("json={}", report.display()));
    let output = command.output()?;
    let is_fine = matches!(output.status.code(), Some(0 | 1));
    ensure!(is_fine, "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&std::fs::read(&report)?).context("the report is no JSON")
}

fn number(report: &Value, name: &str) -> Result<u64> {
    let number = report.pointer(&format!("/summary/exploration/{name}")).and_then(Value::as_u64);
    number.with_context(|| format!("the report does not say how many {name} there are"))
}

/// Lines that an exploration reached.
fn reached(report: &Value) -> BTreeSet<(String, u64)> {
    let files = report.pointer("/summary/exploration/files").and_then(Value::as_array).cloned().unwrap_or_default();
    let lines = files.iter().flat_map(|file| {
        let name = file.get("file").and_then(Value::as_str).unwrap_or_default().to_owned();
        let lines = file.get("lines").and_then(Value::as_array).cloned().unwrap_or_default();
        lines
            .into_iter()
            .filter(|line| line.get(1) == Some(&Value::Bool(true)))
            .filter_map(move |line| Some((name.clone(), line.get(0).and_then(Value::as_u64)?)))
    });
    lines.collect()
}

fn sort(name: &str, paths: u64, without: u64) -> Result<()> {
    let source = root()?.join(format!("loops/sorts/{name}.c"));
    let mut edges = None;
    for length in LENGTHS {
        let work = tempfile::Builder::new().prefix("provoke-loops-").tempdir()?;
        let program = work.path().join("program.c");
        std::fs::write(&program, format!("#define LENGTH {length}\n#include \"{}\"\n", source.display()))?;
        let bound = if name == "matrix" { length as i32 } else { 3 };
        let mut input = bound.to_le_bytes().to_vec();
        input.extend((0..length).map(|i| b'A' + (i % 5) as u8));
        let report = explore(&program, &input, "dependence", work.path())?;
        let found = number(&report, "paths")?;
        ensure!(found == paths, "{name}, {length} elements: {found} paths, not {paths}");
        ensure!(report.pointer("/summary/complete") == Some(&Value::Bool(false)), "{name}: iterations were left out");
        if name == "matrix" {
            let eliminated = report.pointer("/summary/protected_checks").and_then(Value::as_u64);
            let eliminated = eliminated.context("the report does not say how many checks were eliminated")?;
            ensure!(eliminated == length as u64 - 1, "{eliminated} checks eliminated of a matrix of {length} rows");
        }
        let these = number(&report, "edges")?;
        ensure!(*edges.get_or_insert(these) == these, "{name}, {length} elements: {these} edges");
        if length == LENGTHS[0] && without > 0 {
            let all = explore(&program, &input, "off", work.path())?;
            let found = number(&all, "paths")?;
            ensure!(found == without, "{name} without a look at loops: {found} paths, not {without}");
            ensure!(reached(&all) == reached(&report), "{name}: other lines are reached");
            ensure!(number(&all, "edges")? == these, "{name}: other edges are taken");
        }
    }
    Ok(())
}

/// The value of a key in the head of a program.
fn key(source: &str, key: &str) -> Option<String> {
    let head = source.lines().take_while(|line| line.starts_with("//"));
    head.filter_map(|line| line.trim_start_matches('/').trim().strip_prefix(key)?.strip_prefix(':'))
        .map(|value| value.trim().to_owned())
        .next()
}

fn stdin(source: &str) -> Result<Vec<u8>> {
    let input = key(source, "input").context("the head says no input")?;
    testing::case::c_string(input.strip_prefix("stdin ").context("an input is stdin and a string")?)
}

/// What was found, by rule and line.
fn findings(report: &Value) -> BTreeSet<(String, u64)> {
    let findings = report.get("findings").and_then(Value::as_array).cloned().unwrap_or_default();
    let one = |finding: &Value| {
        let rule = finding.get("rule").and_then(Value::as_str).unwrap_or_default().to_owned();
        (rule, finding.pointer("/position/line").and_then(Value::as_u64).unwrap_or(0))
    };
    findings.iter().map(one).collect()
}

fn figure(path: &Path) -> Result<()> {
    let source = std::fs::read_to_string(path)?;
    let work = tempfile::Builder::new().prefix("provoke-loops-").tempdir()?;
    let report = explore(path, &stdin(&source)?, "dependence", work.path())?;
    judge_loops(&report, &key(&source, "loops").context("the head says nothing about loops")?)?;
    if let Some(expected) = key(&source, "loops without contradiction") {
        let options = ["--loops", "dependence", "--contradiction", "off"];
        let checked = run("check", path, &stdin(&source)?, &options, work.path())?;
        judge_loops(&checked, &expected).context("without contradiction")?;
    }
    if let Some(paths) = key(&source, "paths") {
        let found = number(&report, "paths")?;
        ensure!(found == paths.parse::<u64>()?, "{found} paths, not {paths}");
    }
    let marked: BTreeSet<u64> =
        (1..).zip(source.lines()).filter(|(_, line)| line.contains("//~ ")).map(|(number, _)| number).collect();
    let lines = |report: &Value| -> BTreeSet<u64> { findings(report).into_iter().map(|(_, line)| line).collect() };
    ensure!(lines(&report) == marked, "found on lines {:?}, not {marked:?}", lines(&report));
    if key(&source, "check").is_some() {
        let checked = run("check", path, &stdin(&source)?, &[], work.path())?;
        ensure!(lines(&checked) == marked, "check finds something on lines {:?}, not {marked:?}", lines(&checked));
        let without = run("check", path, &stdin(&source)?, &["--loops", "off"], work.path())?;
        ensure!(lines(&without) != marked, "check finds the same without a look at loops");
    }
    Ok(())
}

/// Whether the loops of a report are those expected, and why.
fn judge_loops(report: &Value, expected: &str) -> Result<()> {
    let costs = report.pointer("/summary/loops").and_then(Value::as_array).cloned().unwrap_or_default();
    for expected in expected.split(',').map(str::trim).filter(|expected| *expected != "none") {
        let (line, verdict) = expected.split_once(' ').context("a loop is a line and a verdict")?;
        let line: u64 = line.parse()?;
        let cost = costs.iter().find(|cost| cost.pointer("/position/line").and_then(Value::as_u64) == Some(line));
        let cost = cost.with_context(|| format!("nothing is known about a loop on line {line}: {costs:?}"))?;
        let why = cost.get("why").and_then(Value::as_str).unwrap_or_default();
        ensure!((why == "nothing depends on it") == (verdict == "independent"), "line {line}: {why}");
    }
    Ok(())
}

/// What is left out must not be what finds a bug.
fn same_findings(path: &Path) -> Result<()> {
    let source = std::fs::read_to_string(path)?;
    let found = compare(path, &stdin(&source)?)?;
    ensure!(!found.is_empty(), "nothing is found");
    Ok(())
}

fn generated(number: u64) -> Result<()> {
    let work = tempfile::Builder::new().prefix("provoke-loops-").tempdir()?;
    let program = work.path().join("program.c");
    let text = generated::program(number);
    std::fs::write(&program, &text)?;
    compare(&program, &[2, 1, 9, 77]).with_context(|| text)?;
    Ok(())
}

/// What is found with loop dependence, which must be what is found without.
fn compare(program: &Path, input: &[u8]) -> Result<BTreeSet<(String, u64)>> {
    let work = tempfile::Builder::new().prefix("provoke-loops-").tempdir()?;
    let with = findings(&explore(program, input, "dependence", work.path())?);
    let without = findings(&explore(program, input, "off", work.path())?);
    ensure!(with == without, "found with loop dependence: {with:?}; without: {without:?}");
    Ok(with)
}
