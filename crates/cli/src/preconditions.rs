//! Preconditions of units that were hoisted, kept beside the project's views.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use refine::{Specification, Subject};

use crate::exit::Failure;

/// Where they are, in the folder that has the views.
const FILE: &str = ".provoke/preconditions.spec";

/// The file of the current project.
pub fn file() -> PathBuf {
    PathBuf::from(FILE)
}

/// What is known.
pub fn read() -> Result<Specification, Failure> {
    let file = file();
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Specification::default()),
        Err(error) => return Err(Failure::Input(anyhow::Error::new(error).context(FILE))),
    };
    Specification::parse(FILE, &text).map_err(Failure::input)
}

/// Replaces what is known about units: their names, and the clauses of their preconditions, each of which is checked by itself.
pub fn replace(units: &[(String, Vec<String>)]) -> Result<(), Failure> {
    let mut lines: Vec<String> = Vec::new();
    for line in read()?.lines {
        if let Subject::Entry { function } = line.subject
            && !units.iter().any(|(unit, _)| *unit == function)
        {
            lines.push(format!("{function}@entry: {}", line.condition.text()));
        }
    }
    let stated = units.iter().flat_map(|(unit, clauses)| clauses.iter().map(move |clause| (unit, clause)));
    lines.extend(stated.map(|(unit, clause)| format!("{unit}@entry: {clause}")));
    let mut text = String::from("# Preconditions that `provoke hoist` found; `provoke predict` checks them.\n");
    lines.iter().for_each(|line| {
        text.push_str(line);
        text.push('\n');
    });
    let cannot = || format!("cannot write {FILE}");
    if let Some(folder) = Path::new(FILE).parent() {
        fs::create_dir_all(folder).with_context(cannot).map_err(Failure::Input)?;
    }
    report::destination::replace(&file(), text.as_bytes()).with_context(cannot).map_err(Failure::Input)
}
