//! Holds what was seen against what was expected.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use run::Inputs;
use trace::layout::Counter;

use crate::case::Case;
use crate::compare::{Pair, Traced};
use crate::observe::{self, Observation};
use crate::toolchain::Toolchain;

/// What came of one revision of a test.
#[derive(Debug)]
pub struct Checked {
    /// All events, for blessing.
    pub seen: BTreeSet<Observation>,
    /// What is wrong with them, with the line (0 for other files).
    pub surprises: Vec<(u32, String)>,
    /// What is wrong besides, and cannot be blessed.
    pub problems: Vec<String>,
}

/// Builds and runs one revision of a test in the folder `work`.
pub fn check(case: &Case, revision: &str, toolchain: &Toolchain, include: &Path, work: &Path) -> Result<Checked> {
    let pair = build(case, revision, toolchain, include, work)?;
    let traced = pair.traced()?;
    let mut problems = ending(case, &traced);
    if case.same_as_native {
        problems.extend(pair.differences(&traced)?);
    }
    problems.extend(observe::mismatches(&traced.trace, &traced.sites));
    problems.extend(traced.trace.notes().iter().map(|note| format!("the trace is damaged: {note}")));
    let name = case.path.file_name().unwrap_or_default().to_string_lossy();
    let mut seen = observe::observe(&traced.trace, &traced.sites, &name);
    if case.elsewhere {
        seen.retain(|seen| seen.line != 0);
    }
    Ok(Checked { surprises: surprises(case, revision, &seen), seen, problems })
}

fn build(case: &Case, revision: &str, toolchain: &Toolchain, include: &Path, work: &Path) -> Result<Pair> {
    let native = work.join("program");
    let view = work.join("view");
    let mut flags = vec![format!("-{revision}"), format!("-I{}", include.display())];
    flags.extend(case.cflags.iter().cloned());
    toolchain.compile(&case.path, &flags, &native)?;
    toolchain.view(&native, &view)?;
    let write = |name: &str, contents: &Option<Vec<u8>>| -> Result<_> {
        let Some(contents) = contents else { return Ok(None) };
        let path = work.join(name);
        std::fs::write(&path, contents).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Some(path))
    };
    let files = write("input", &case.file)?.into_iter().collect();
    let inputs = Inputs {
        stdin: write("stdin", &case.stdin)?,
        files,
        arguments: case.symbolic_arguments.clone(),
        lengths: case.lengths,
        ..Inputs::default()
    };
    let args = case.args.iter().map(Into::into).collect();
    Ok(Pair { native, view, args, inputs, limits: case.limits.clone() })
}

fn ending(case: &Case, traced: &Traced) -> Vec<String> {
    let mut problems = Vec::new();
    if traced.status != case.status {
        let stderr = String::from_utf8_lossy(&traced.stderr.bytes);
        problems.push(format!("the view ends with {:?}, not {:?}\n{stderr}", traced.status, case.status));
    }
    if traced.trace.state() != case.state {
        problems.push(format!("the trace ends as {:?}, not {:?}", traced.trace.state(), case.state));
    }
    let unseen = traced.trace.counter(Counter::UnseenInput);
    if unseen != case.unseen {
        problems.push(format!("{unseen} bytes of the input are read unseen, not {}", case.unseen));
    }
    problems
}

fn surprises(case: &Case, revision: &str, seen: &BTreeSet<Observation>) -> Vec<(u32, String)> {
    let mut by_line: BTreeMap<u32, Vec<&Observation>> = BTreeMap::new();
    for observation in seen {
        by_line.entry(observation.line).or_default().push(observation);
    }
    let expected: Vec<_> = case.expectations.iter().filter(|expected| expected.concerns(revision)).collect();
    let mut surprises = Vec::new();
    for expectation in expected.iter().filter(|expectation| !expectation.is_absence()) {
        let on_line = by_line.get(&expectation.line);
        if !on_line.is_some_and(|seen| seen.iter().any(|seen| expectation.matches(&seen.text))) {
            surprises.push((expectation.line, format!("expected and not seen: {expectation}")));
        }
    }
    for (line, observations) in by_line {
        for seen in observations {
            if !expected.iter().any(|expected| expected.line == line && expected.matches(&seen.text)) {
                surprises.push((line, format!("seen and not expected: {} {}", seen.text, seen.place)));
            }
        }
    }
    surprises
}
