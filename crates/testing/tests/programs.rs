//! Runs the C programs under `tests/`. `PROVOKE_BLESS=1` writes what was seen into them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use libtest_mimic::{Failed, Trial};
use testing::bless::bless;
use testing::case::Case;
use testing::check::check;
use testing::suite::{self, programs, root};
use testing::toolchain::Toolchain;

/// Folders of test programs whose traces are checked.
const SUITES: &[&str] = &["trace", "hostile"];

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for suite in SUITES {
        for (name, path) in programs(suite)? {
            let include = root()?.join("include");
            trials.push(Trial::test(name, move || run(path, &include)));
        }
    }
    Ok(trials)
}

fn run(path: PathBuf, include: &Path) -> Result<(), Failed> {
    let message = check_all(&path, include).map_err(|error| format!("{error:#}"))?;
    if message.is_empty() { Ok(()) } else { Err(message.into()) }
}

/// Checks every revision; what is wrong comes back as text.
fn check_all(path: &Path, include: &Path) -> Result<String> {
    let toolchain = Toolchain::find()?;
    let case = Case::read(path)?;
    let mut message = String::new();
    let mut seen = BTreeMap::new();
    let mut wrong_lines = BTreeSet::new();
    for revision in &case.revisions {
        let work = tempfile::Builder::new().prefix("provoke-test-").tempdir()?;
        let checked =
            check(&case, revision, &toolchain, include, work.path()).with_context(|| format!("revision {revision}"))?;
        for problem in checked.problems {
            message.push_str(&format!("[{revision}] {problem}\n"));
        }
        for (line, surprise) in checked.surprises {
            message.push_str(&format!("[{revision}] {}:{line}: {surprise}\n", path.display()));
            wrong_lines.insert(line);
        }
        seen.insert(revision.clone(), checked.seen);
    }
    if let Some(reason) = &case.fixme {
        let fixed = format!("this works now, take the fixme out of its head: {reason}");
        return Ok(if message.is_empty() { fixed } else { String::new() });
    }
    if std::env::var_os("PROVOKE_BLESS").is_some() && !wrong_lines.is_empty() {
        let source = std::fs::read_to_string(path)?;
        std::fs::write(path, bless(&source, &seen, |line| !wrong_lines.contains(&line)))?;
    }
    Ok(message)
}
