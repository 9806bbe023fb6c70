//! Runs `provoke predict` on the C programs in `tests/predict`, with the tests that stand in their heads.
//!
//! ```text
//! // test verified: "\x01"           an input, and what is to be said of it: verified, predicted, failing or open
//! // line verified: 15               every check on this line is verified, on the paths of all tests
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use testing::case::c_string;
use testing::findings::expectation::Expectation;
use testing::suite::{self, programs};
use testing::toolchain::Toolchain;

/// How often a suite is killed.
const KILLS: usize = 20;

/// How many tests the suite has that is killed.
const MANY: usize = 500;

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let trial = |name: String, run: Box<dyn FnOnce() -> Result<()> + Send>| {
        Trial::test(name, move || run().map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let mut trials: Vec<Trial> =
        programs("predict")?.into_iter().map(|(name, path)| trial(name, Box::new(move || one(&path)))).collect();
    trials
        .push(trial("predict: a suite that is killed says what an undisturbed one says".to_owned(), Box::new(killed)));
    trials.push(trial("predict: a rebuild decides only what changed".to_owned(), Box::new(rebuilt)));
    Ok(trials)
}

/// What the head of a program says.
#[derive(Default)]
struct Head {
    /// Inputs, and what is to be said of each.
    tests: Vec<(String, Vec<u8>)>,
    verified_lines: BTreeSet<u64>,
    expectations: Vec<Expectation>,
}

impl Head {
    fn read(path: &Path) -> Result<Head> {
        let source = std::fs::read_to_string(path)?;
        let mut head = Head::default();
        let lines = source.lines().take_while(|line| line.starts_with("//")).count();
        for line in source.lines().take(lines).skip(1) {
            let said = line.trim_start_matches('/').trim().split_once(": ");
            match said.map(|(key, value)| (key.split_once(' '), value)) {
                Some((Some(("test", verdict)), value)) => head.tests.push((verdict.to_owned(), c_string(value)?)),
                Some((Some(("line", "verified")), value)) => drop(head.verified_lines.insert(value.parse()?)),
                _ => bail!("{line} is not known"),
            }
        }
        for (number, line) in (1..).zip(source.lines()).skip(lines) {
            head.expectations.extend(Expectation::of_line(number, line)?);
        }
        Ok(head)
    }
}

/// A program with its tests in a folder of its own.
struct Project {
    toolchain: Toolchain,
    work: tempfile::TempDir,
    program: PathBuf,
}

impl Project {
    fn new(source: &Path, tests: impl IntoIterator<Item = Vec<u8>>) -> Result<Project> {
        let work = tempfile::Builder::new().prefix("provoke-predict-").tempdir()?;
        let program = work.path().join("program");
        let project = Project { toolchain: Toolchain::find()?, work, program };
        project.toolchain.compile(source, &[], &project.program)?;
        std::fs::create_dir(project.work.path().join("tests"))?;
        for (index, test) in (1..).zip(tests) {
            std::fs::write(project.work.path().join(format!("tests/{index:03}")), test)?;
        }
        Ok(project)
    }

    fn start(&self) -> Result<Child> {
        let mut command = Command::new(&self.toolchain.provoke);
        command.current_dir(self.work.path()).arg("predict").arg(&self.program);
        command.args(["--tests", "tests", "--out", "out", "--minimise", "20", "--report", "json=report.json"]);
        command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().context("cannot start provoke")
    }

    fn report(&self) -> Result<Value> {
        let status = self.start()?.wait()?;
        ensure!(matches!(status.code(), Some(0 | 1)), "provoke predict: {status}");
        Ok(serde_json::from_slice(&std::fs::read(self.work.path().join("report.json"))?)?)
    }
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

fn one(path: &Path) -> Result<()> {
    let head = Head::read(path)?;
    let project = Project::new(path, head.tests.iter().map(|(_, bytes)| bytes.clone()))?;
    let report = project.report()?;
    let verdicts: Vec<&str> = list(&report, "/summary/suite/tests").iter().map(|test| text(test, "verdict")).collect();
    let expected: Vec<&str> = head.tests.iter().map(|(verdict, _)| verdict.as_str()).collect();
    ensure!(verdicts == expected, "the tests are {verdicts:?}, not {expected:?}: {report:#}");
    let mut missed: Vec<&Expectation> = head.expectations.iter().collect();
    for finding in list(&report, "/findings") {
        let (rule, line) = (text(finding, "rule"), number(finding, "/position/line"));
        let fits = |expected: &&Expectation| {
            u64::from(expected.line) == line && expected.rules.iter().any(|known| known.id() == rule)
        };
        ensure!(head.expectations.iter().any(|expected| fits(&expected)), "{rule} on line {line} is not expected");
        missed.retain(|expected| !fits(expected));
    }
    ensure!(missed.is_empty(), "not found: {missed:?}");
    for line in &head.verified_lines {
        let here = |at: &&Value| number(at, "/line") == *line;
        let at = list(&report, "/summary/suite/lines").iter().find(here).context("the line has no checks")?;
        let checks = at.get("checks").and_then(Value::as_object).context("the line has no counts")?;
        let all: u64 = checks.values().filter_map(Value::as_u64).sum();
        ensure!(all > 0 && number(at, "/checks/verified") == all, "line {line} is not verified: {at}");
    }
    // Everything is known the second time.
    let again = project.report()?;
    ensure!(number(&again, "/summary/suite/known_tests") == head.tests.len() as u64, "{again:#}");
    ensure!(again.pointer("/findings") == report.pointer("/findings"), "{again:#}");
    Ok(())
}

/// What a report says, without what depends on who came first and how fast it was.
fn said(report: &Value) -> Vec<String> {
    let verdict = |test: &Value| format!("{} {} {}", text(test, "name"), text(test, "verdict"), test["checks"]);
    let defect = |finding: &Value| format!("{} {}", text(finding, "fingerprint"), finding["tests"]);
    let mut said: Vec<String> = list(report, "/summary/suite/tests").iter().map(verdict).collect();
    said.extend(list(report, "/findings").iter().map(defect));
    said.push(report["summary"]["suite"]["lines"].to_string());
    said
}

/// Tests that go many ways, most of which repeat.
fn many() -> impl Iterator<Item = Vec<u8>> {
    (0..MANY).map(|index| vec![b"abcd"[index % 4], (index / 4 % 11) as u8 + 1])
}

fn killed() -> Result<()> {
    let source = suite::root()?.join("predict/groups.c");
    let project = Project::new(&source, many())?;
    // The views are there before anything is killed.
    project.start()?.kill()?;
    for kill in 0..KILLS {
        let mut child = project.start()?;
        // Each time a little later, wherever the workers are by then.
        std::thread::sleep(Duration::from_millis(30 + 15 * kill as u64));
        child.kill()?;
        child.wait()?;
    }
    let report = project.report()?;
    let undisturbed = Project::new(&source, many())?.report()?;
    ensure!(list(&report, "/summary/suite/tests").len() == MANY, "{report:#}");
    ensure!(said(&report) == said(&undisturbed), "{report:#}\nis not\n{undisturbed:#}");
    // Paths that repeat cost nothing but their run.
    let asked = number(&undisturbed, "/summary/queries/asked");
    ensure!(asked < 200, "{asked} queries for {MANY} tests of a handful of paths");
    Ok(())
}

fn rebuilt() -> Result<()> {
    let source = suite::root()?.join("predict/groups.c");
    let tests: Vec<Vec<u8>> = vec![b"c\x0b".to_vec(), b"c\x05".to_vec()];
    let mut project = Project::new(&source, tests)?;
    let first = project.report()?;
    ensure!(number(&first, "/summary/queries/asked") > 0, "{first:#}");
    // Another build of the same code: what holds on a path still does.
    let changed = project.work.path().join("changed.c");
    let text = std::fs::read_to_string(&source)?.replace("return 0;", "sink = 5;\n    return 0;");
    std::fs::write(&changed, text)?;
    project.program = project.work.path().join("program2");
    project.toolchain.compile(&changed, &[], &project.program)?;
    let second = project.report()?;
    ensure!(number(&second, "/summary/suite/known_tests") == 0, "{second:#}");
    ensure!(number(&second, "/summary/queries/asked") == 0, "{second:#}");
    Ok(())
}
