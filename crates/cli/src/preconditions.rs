//! Preconditions of units that were hoisted, kept beside the project's views.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use refine::{Line, Specification, Subject, UnitName};
use trace::sites::{CheckSubject, SiteTable};

use crate::exit::Failure;
use crate::output::counted;
use crate::project;

/// Where they are, in the folder that has the views.
const FILE: &str = "preconditions.spec";

/// Where they are written.
fn destination() -> PathBuf {
    project::place(None, FILE)
}

/// The file of the current project: what was written last, or what somebody else has put into the project.
fn file() -> PathBuf {
    let written = destination();
    if written.exists() { written } else { project::existing(FILE) }
}

/// What is known.
pub fn read() -> Result<Specification, Failure> {
    let file = file();
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Specification::default()),
        Err(error) => return Err(Failure::Input(anyhow::Error::new(error).context(file.display().to_string()))),
    };
    Specification::parse(&file.display().to_string(), &text).map_err(Failure::input)
}

/// The units of a specification, with the condition of each line.
pub fn of(specification: &Specification) -> impl Iterator<Item = (&UnitName, &str)> {
    specification.lines.iter().filter_map(entry)
}

fn entry(line: &Line) -> Option<(&UnitName, &str)> {
    match &line.subject {
        Subject::Entry { unit } => Some((unit, line.condition.text())),
        _ => None,
    }
}

/// Adds to what is known about units, or takes its place: their names, and the clauses of their preconditions, each of which is
/// checked by itself. The result is what was known of them before and has been kept.
pub fn update(units: &[(UnitName, Vec<String>)], forgets: bool) -> Result<Vec<(UnitName, String)>, Failure> {
    let known = read()?;
    let is_same = |name: &UnitName, unit: &UnitName| match &name.file {
        Some(file) => unit.fits(&name.function, file),
        None => unit.function == name.function,
    };
    let of_these = |name: &UnitName| units.iter().find(|(unit, _)| is_same(name, unit));
    let mut kept = Vec::new();
    let mut others = Vec::new();
    for (name, clause) in of(&known) {
        match of_these(name) {
            None => others.push((name, clause)),
            Some((_, clauses)) if forgets || clauses.iter().any(|new| new == clause) => {}
            Some((unit, _)) => kept.push((unit, clause)),
        }
    }
    let stated = units.iter().flat_map(|(unit, clauses)| clauses.iter().map(move |clause| (unit, clause.as_str())));
    let mut text = String::from("# Preconditions that `provoke hoist` found; `provoke predict` checks them.\n");
    for (unit, clause) in others.iter().chain(&kept).copied().chain(stated) {
        let file = unit.file.as_ref().map(|file| format!(" in {file}")).unwrap_or_default();
        text.push_str(&format!("{}@entry{file}: {clause}\n", unit.function));
    }
    let file = destination();
    let cannot = || format!("cannot write {}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(cannot).map_err(Failure::Input)?;
    }
    report::destination::replace(&file, text.as_bytes()).with_context(cannot).map_err(Failure::Input)?;
    Ok(kept.into_iter().map(|(unit, clause)| (unit.clone(), clause.to_owned())).collect())
}

/// Says which preconditions a view does not check: the program has no such function, or none with such inputs.
pub fn note_unused(specification: &Specification, sites: &SiteTable) {
    let is_checked = |unit: &UnitName, text: &str| {
        let name = unit.to_string();
        let is_it = |subject: &CheckSubject| match subject {
            CheckSubject::Precondition(unit, condition) => *unit == name && condition == text,
            _ => false,
        };
        sites.checks.iter().any(|check| is_it(&check.subject))
    };
    let unused: Vec<&UnitName> =
        of(specification).filter(|(unit, text)| !is_checked(unit, text)).map(|(unit, _)| unit).collect();
    if !unused.is_empty() {
        let names: BTreeSet<String> = unused.iter().map(|unit| unit.to_string()).collect();
        let names: Vec<String> = names.into_iter().collect();
        eprintln!(
            "provoke: note: {} skipped, of functions that are not in this program, or not as they were: {}",
            counted(unused.len() as u64, "precondition"),
            names.join(", ")
        );
    }
}
