//! Runs `provoke predict` on the C programs in `tests/predict`, with the tests that stand in their heads.
//!
//! ```text
//! // test verified: "\x01"           an input, and what is to be said of it: verified, predicted, failing or open
//! // line verified: 15               every check on this line is verified, on the paths of all tests; or undecided
//! // unit: set                       a unit whose precondition is hoisted first
//! // unit test: "\x01"               an input of a test of it
//! // unit args: unit                 what the program is told so that it tests the unit
//! // precondition: x != 100          what is hoisted must say the same; nothing is predicted without it
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use expr::{Model, Store};
use libtest_mimic::{Failed, Trial};
use predict::hoist::{Input, meaning};
use refine::Condition;
use serde_json::Value;
use solver::{Answer, Config, Session};
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
    trials.push(trial("predict: a bug is reported where it is, whatever test came first".to_owned(), Box::new(places)));
    trials.push(trial("predict: a rebuild decides only what changed".to_owned(), Box::new(rebuilt)));
    trials.push(trial("predict: what holds behind a division counts nowhere else".to_owned(), Box::new(divided)));
    trials.push(trial("predict: what there was no time to run is run later".to_owned(), Box::new(late)));
    Ok(trials)
}

/// What the head of a program says.
#[derive(Default)]
struct Head {
    /// Inputs, and what is to be said of each.
    tests: Vec<(String, Vec<u8>)>,
    /// What is to be said of all checks on a line, as reports call it.
    lines: Vec<(&'static str, u64)>,
    unit: Option<String>,
    unit_args: Vec<String>,
    unit_tests: Vec<Vec<u8>>,
    precondition: Option<String>,
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
                Some((Some(("line", "verified")), value)) => head.lines.push(("verified", value.parse()?)),
                Some((Some(("line", "undecided")), value)) => head.lines.push(("unknown", value.parse()?)),
                Some((Some(("unit", "test")), value)) => head.unit_tests.push(c_string(value)?),
                Some((Some(("unit", "args")), value)) => {
                    head.unit_args = value.split_whitespace().map(str::to_owned).collect();
                }
                _ => match said {
                    Some(("unit", value)) => head.unit = Some(value.to_owned()),
                    Some(("precondition", value)) => head.precondition = Some(value.to_owned()),
                    _ => bail!("{line} is not known"),
                },
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
    /// The tests, as they are named to it.
    tests: &'static str,
}

impl Project {
    fn new(source: &Path, tests: impl IntoIterator<Item = Vec<u8>>) -> Result<Project> {
        let work = tempfile::Builder::new().prefix("provoke-predict-").tempdir()?;
        let program = work.path().join("program");
        let project = Project { toolchain: Toolchain::find()?, work, program, tests: "tests" };
        project.toolchain.compile(source, &[], &project.program)?;
        std::fs::create_dir(project.work.path().join("tests"))?;
        for (index, test) in (1..).zip(tests) {
            std::fs::write(project.work.path().join(format!("tests/{index:03}")), test)?;
        }
        Ok(project)
    }

    fn start(&self) -> Result<Child> {
        self.start_with(&["--minimise", "20"])
    }

    fn start_with(&self, options: &[&str]) -> Result<Child> {
        let mut command = Command::new(&self.toolchain.provoke);
        command.current_dir(self.work.path()).arg("predict").arg(&self.program).args(options);
        command.args(["--tests", self.tests, "--out", "out", "--report", "json=report.json"]);
        command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().context("cannot start provoke")
    }

    fn report(&self) -> Result<Value> {
        self.read(self.start()?)
    }

    fn read(&self, mut child: Child) -> Result<Value> {
        let status = child.wait()?;
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
    if let Some(unit) = &head.unit {
        hoist(&project, unit, &head)?;
    }
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
        let here = |at: &&Value| number(at, "/line") == line;
        let at = list(&report, "/summary/suite/lines").iter().find(here);
        let is_verified = at.is_some_and(|at| line_is(at, "verified"));
        ensure!(!is_verified, "{rule} was found on line {line}, on which all is called verified");
    }
    missed.retain(|expected| expected.required);
    ensure!(missed.is_empty(), "not found: {missed:?}");
    for (said, line) in &head.lines {
        let here = |at: &&Value| number(at, "/line") == *line;
        let at = list(&report, "/summary/suite/lines").iter().find(here).context("the line has no checks")?;
        ensure!(line_is(at, said), "line {line} is not {said}: {at}");
    }
    // Everything is known the second time.
    let again = project.report()?;
    ensure!(number(&again, "/summary/suite/known_tests") == head.tests.len() as u64, "{again:#}");
    ensure!(again.pointer("/findings") == report.pointer("/findings"), "{again:#}");
    Ok(())
}

/// Whether the same is said of all checks on a line.
fn line_is(line: &Value, said: &str) -> bool {
    let checks = line.get("checks").and_then(Value::as_object);
    let all: u64 = checks.into_iter().flat_map(|checks| checks.values()).filter_map(Value::as_u64).sum();
    all > 0 && number(line, &format!("/checks/{said}")) == all
}

/// Hoists the precondition of a unit, which must be what is expected; without it, nothing is found.
fn hoist(project: &Project, unit: &str, head: &Head) -> Result<()> {
    let report = project.report()?;
    ensure!(list(&report, "/findings").is_empty(), "found without the precondition: {report:#}");
    std::fs::remove_dir_all(project.work.path().join("out"))?;
    let tests = project.work.path().join("unit-tests");
    std::fs::create_dir(&tests)?;
    for (index, test) in (1..).zip(&head.unit_tests) {
        std::fs::write(tests.join(format!("{index:03}")), test)?;
    }
    let mut command = Command::new(&project.toolchain.provoke);
    command.current_dir(project.work.path()).arg("hoist").arg(&project.program);
    command.args(["--unit", unit, "--tests", "unit-tests", "--"]).args(&head.unit_args);
    let output = command.output()?;
    ensure!(output.status.success(), "provoke hoist: {}", String::from_utf8_lossy(&output.stderr));
    let mut show = Command::new(&project.toolchain.provoke);
    show.current_dir(project.work.path()).arg("hoist").arg(&project.program).arg("--show");
    let shown = String::from_utf8(show.output()?.stdout)?;
    let prefix = format!("{unit}: ");
    let clauses = shown.lines().filter_map(|line| line.strip_prefix(&prefix)).map(|clause| format!("({clause})"));
    let clauses: Vec<String> = clauses.collect();
    let hoisted = &if clauses.is_empty() { "1".to_owned() } else { clauses.join(" && ") };
    let expected = head.precondition.as_deref().context("the head says no precondition")?;
    ensure!(say_the_same(hoisted, expected)?, "the precondition is {hoisted}, which does not say {expected}");
    Ok(())
}

/// Whether two conditions hold for the same values: all their variables are taken to be 32 bits wide, those that are compared with 0
/// from below as signed.
fn say_the_same(one: &str, other: &str) -> Result<bool> {
    let (one, other) = (Condition::parse(one)?, Condition::parse(other)?);
    let names: BTreeSet<&str> = one.names().into_iter().chain(other.names()).collect();
    let is_signed = |name: &str| other.text().contains(&format!("{name} < 0"));
    let input = |name: &&str| Input { name: (*name).to_owned(), offset: 0, size: 4, signed: is_signed(name) };
    let inputs: Vec<(u32, Input)> = (0..).zip(names.iter().map(input)).collect();
    let value_of = &mut |store: &mut Store, name: &str| {
        let (part, input) = inputs.iter().find(|(_, input)| input.name == name)?;
        Some(input.value(store, *part))
    };
    let mut store = Store::new();
    let unknown = "a condition names what the unit does not have";
    let one = meaning(&mut store, &one, value_of).context(unknown)?;
    let other = meaning(&mut store, &other, value_of).context(unknown)?;
    let differs = store.xor(one, other);
    let values = expr::Input { parts: inputs.iter().map(|_| vec![0; 4]).collect() };
    let mut session = Session::new(Config { in_process: true, ..Config::default() })?;
    Ok(matches!(session.solve(&mut store, &[differs], &Model::of_input(values.into())), Answer::Unsat))
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

/// Two divisions by the same value on paths with the same constraints, since an argument that is no input decides between them;
/// and a test that cannot be run.
fn places() -> Result<()> {
    let work = tempfile::tempdir()?;
    let source = work.path().join("places.c");
    let code = "#include <stdio.h>\nint main(int c, char **v)\n{\n    int x = getchar();\n    if (c > 1 && v[1][0] == 'a')\n        \
                return 10 / x;\n    return 20 / x;\n}\n";
    std::fs::write(&source, code)?;
    let mut project = Project::new(&source, [b"x".to_vec()])?;
    let list_of_tests = project.work.path().join("list");
    std::fs::write(&list_of_tests, "a < tests/001\nb < tests/001\nb < missing\n")?;
    project.tests = "list";
    let report = project.report()?;
    let lines = list(&report, "/findings").iter().filter_map(|finding| finding["position"]["line"].as_u64());
    let lines: BTreeSet<u64> = lines.filter(|line| *line > 0).collect();
    ensure!(lines == BTreeSet::from([6, 7]), "{report:#}");
    let verdicts: Vec<&str> = list(&report, "/summary/suite/tests").iter().map(|test| text(test, "verdict")).collect();
    ensure!(verdicts == ["predicted", "predicted", "open"], "{report:#}");
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

/// Two tests with the same constraints, and an argument that is no input decides whether there is a division before the check. Whichever
/// comes first says nothing of the other; nor does the program as it was say anything of one without the division.
fn divided() -> Result<()> {
    const BEHIND: u64 = 8;
    let code = "#include <assert.h>\n#include <stdio.h>\nstatic volatile int sink;\nint main(int c, char **v)\n{\n    \
                int x = getchar();\n    if (c > 1 && v[1][0] == 'd') sink = 100 / (x & 3);\n    assert((x & 7) != 0);\n    \
                return 0;\n}\n";
    let work = tempfile::tempdir()?;
    let compiled = |name: &str, code: &str| -> Result<Project> {
        let source = work.path().join(name);
        std::fs::write(&source, code)?;
        let mut project = Project::new(&source, [b"a".to_vec()])?;
        project.tests = "list";
        Ok(project)
    };
    let behind = |report: &Value| -> Result<(u64, u64)> {
        let here = |at: &&Value| number(at, "/line") == BEHIND;
        let at = list(report, "/summary/suite/lines").iter().find(here).context("the line has no checks")?;
        ensure!(number(at, "/checks/verified") == 0, "the assertion is called verified: {at}");
        Ok((number(at, "/checks/predicted"), number(at, "/checks/unknown")))
    };
    for tests in ["d < tests/001\nn < tests/001\n", "n < tests/001\nd < tests/001\n"] {
        let project = compiled("divided.c", code)?;
        std::fs::write(project.work.path().join("list"), tests)?;
        let report = project.read(project.start_with(&["--minimise", "20", "--jobs", "1"])?)?;
        ensure!(behind(&report)? == (1, 1), "{report:#}");
        let lines = list(&report, "/findings").iter().map(|finding| number(finding, "/position/line"));
        ensure!(lines.collect::<BTreeSet<u64>>() == BTreeSet::from([BEHIND - 1, BEHIND]), "{report:#}");
    }
    let mut project = compiled("divided.c", code)?;
    std::fs::write(project.work.path().join("list"), "d < tests/001\n")?;
    ensure!(behind(&project.report()?)? == (0, 1));
    let changed = compiled("added.c", &code.replace("100 / (x", "100 + (x"))?;
    project.program = changed.program.clone();
    let report = project.report()?;
    ensure!(behind(&report)? == (1, 0), "{report:#}");
    Ok(())
}

/// A program that takes a while, and more inputs for it than there is time for.
fn late() -> Result<()> {
    const CHECKS: usize = 4;
    let checks: String = (0..CHECKS).map(|index| format!("    assert(in[{index}] < 200);\n")).collect();
    let code = format!(
        "#include <assert.h>\n#include <unistd.h>\nint main(void)\n{{\n    unsigned char in[{CHECKS}];\n    \
         if (read(0, in, {CHECKS}) != {CHECKS}) return 1;\n    usleep(400000);\n{checks}    return 0;\n}}\n"
    );
    let work = tempfile::tempdir()?;
    let source = work.path().join("late.c");
    std::fs::write(&source, code)?;
    let project = Project::new(&source, [vec![0; CHECKS]])?;
    let within = |time: &str| project.read(project.start_with(&["--minimise", "0", "--test-time", time])?);
    // Neither all of the inputs nor all of the checks fit in there, on whatever machine.
    let short = within("1s")?;
    let (found, late) = (list(&short, "/findings").len(), number(&short, "/summary/suite/late_tests"));
    ensure!(found < CHECKS && late == 1, "{short:#}");
    let long = within("10m")?;
    ensure!(list(&long, "/findings").len() == CHECKS, "{long:#}");
    ensure!(number(&long, "/summary/suite/tests/0/checks/unknown") == 0, "{long:#}");
    Ok(())
}
