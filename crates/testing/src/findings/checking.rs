//! Runs `provoke check` and `provoke explore` on a program and reads their reports.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use trace::rule::Rule;

use super::program::Program;
use crate::toolchain::Toolchain;

/// What the command says about a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// What was found.
    pub findings: BTreeSet<Finding>,
    /// Whether the path was called verified.
    pub verified: bool,
    /// Whether a loop on its path went on because of the input.
    pub loops: bool,
}

/// A finding, as far as tests look at it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// Its line; 0 if it is not in the program's own file.
    pub line: u32,
    /// What was violated.
    pub rule: Rule,
}

/// Checks a program in the folder `work` with these options besides its own input.
pub fn check(toolchain: &Toolchain, program: &Program, options: &[&str], work: &Path) -> Result<Checked> {
    let report = report(toolchain, program, "check", options, work)?;
    read(&report, &program.path)
}

/// Explores a program with a strategy in the folder `work`: what was found, and the numbers of paths and
/// of divergences.
pub fn explore(toolchain: &Toolchain, program: &Program, strategy: &str, work: &Path) -> Result<(Checked, u64, u64)> {
    let out = work.join(strategy);
    let out = out.to_str().context("the folder for temporary files has a strange name")?;
    // Small inputs are for people.
    let options = ["--quiet", "--minimise", "20", "--strategy", strategy, "--out", out];
    let report = report(toolchain, program, "explore", &options, work)?;
    let number = |name: &str| {
        let number = report.pointer(&format!("/summary/exploration/{name}")).and_then(Value::as_u64);
        number.with_context(|| format!("the report does not say how many {name} there are"))
    };
    Ok((read(&report, &program.path)?, number("paths")?, number("divergences")?))
}

/// The report in JSON of a command on a program.
fn report(toolchain: &Toolchain, program: &Program, name: &str, options: &[&str], work: &Path) -> Result<Value> {
    let report = work.join("report.json");
    let mut command = Command::new(&toolchain.provoke);
    // Views are kept in the current folder, and a test leaves nothing behind.
    command.current_dir(work).env("PROVOKE_SELFCHECK", "1").arg(name).arg(&program.path).args(options);
    command.arg("--report").arg(format!("json={}", report.display()));
    let specification = Some(program.specification.join("\n").into_bytes()).filter(|text| !text.is_empty());
    let one = [
        ("--stdin", &program.stdin),
        ("--socket", &program.socket),
        ("--folder", &program.folder),
        ("--spec", &specification),
    ];
    let one = one.into_iter().filter_map(|(option, contents)| Some((option, contents.as_ref()?)));
    let files = program.files.iter().map(|contents| ("--file", contents));
    for (number, (option, contents)) in one.chain(files).enumerate() {
        let path = work.join(format!("{}-{number}", option.trim_start_matches('-')));
        std::fs::write(&path, contents).with_context(|| format!("cannot write {}", path.display()))?;
        command.arg(option).arg(path);
    }
    command.args(&program.options);
    if !program.args.is_empty() {
        command.arg("--").args(&program.args);
    }
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let code = output.status.code();
    if !matches!(code, Some(0 | 1)) {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let text = std::fs::read(&report).with_context(|| format!("{command:?} wrote no report"))?;
    let report: Value = serde_json::from_slice(&text).context("the report is no JSON")?;
    let found = report.get("findings").and_then(Value::as_array).map_or(0, Vec::len);
    ensure!(code == Some(i32::from(found > 0)), "{command:?} exits with {code:?}, and has {found} findings");
    Ok(report)
}

/// The parts of a report in JSON that tests look at.
fn read(report: &Value, source: &Path) -> Result<Checked> {
    let verified = report.pointer("/summary/complete").and_then(Value::as_bool);
    let verified = verified.context("the report does not say whether the path is verified")?;
    let findings = report.get("findings").and_then(Value::as_array).context("the report has no list of findings")?;
    let findings = findings.iter().map(|found| finding(found, source)).collect::<Result<_>>()?;
    let loops = report.pointer("/summary/loops").is_some();
    Ok(Checked { findings, verified, loops })
}

fn finding(finding: &Value, source: &Path) -> Result<Finding> {
    let text = |pointer| finding.pointer(pointer).and_then(Value::as_str);
    let rule = text("/rule").and_then(Rule::from_id).with_context(|| format!("a finding without a rule: {finding}"))?;
    let file = text("/position/file").with_context(|| format!("a finding without a file: {finding}"))?;
    let line = finding.pointer("/position/line").and_then(Value::as_u64);
    let line = line.with_context(|| format!("a finding without a line: {finding}"))?;
    let here = Path::new(file).file_name() == source.file_name();
    Ok(Finding { rule, line: if here { u32::try_from(line)? } else { 0 } })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn findings_elsewhere_have_no_line() {
        let at = |file: &str| json!({ "rule": "shift", "position": { "file": file, "line": 7, "column": 1 } });
        let report = json!({ "findings": [at("/x/a.c"), at("b.h")], "summary": { "complete": true } });
        let checked = read(&report, Path::new("a.c")).unwrap();
        assert!(checked.verified);
        let lines: Vec<_> = checked.findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [0, 7]);
    }

    #[test]
    fn incomplete_reports_are_refused() {
        let refused = |report| read(&report, Path::new("a.c")).is_err();
        assert!(refused(json!({ "findings": [] })));
        assert!(refused(json!({ "summary": { "complete": true } })));
        assert!(refused(json!({ "findings": [{ "rule": "no-such-rule" }], "summary": { "complete": true } })));
    }
}
