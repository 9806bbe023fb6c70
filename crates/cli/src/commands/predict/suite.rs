//! The tests that the user names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use predict::Test;
use replay::{Input, Part, Source};
use run::{Inputs, PLACEHOLDER};

use crate::exit::Failure;
use crate::target::Target;

/// Reads a suite: a folder in which each file is a test.
pub fn read(target: &Target, suite: &Path) -> Result<Vec<Test>, Failure> {
    let files = list(suite)?;
    let is_file = target.args.iter().any(|arg| arg.to_string_lossy().contains(PLACEHOLDER));
    let test = |file: PathBuf| {
        let name = file.strip_prefix(suite).unwrap_or(&file).display().to_string();
        let inputs = if is_file {
            Inputs { stdin: target.stdin.clone(), file: Some(file) }
        } else {
            Inputs { stdin: Some(file), file: target.file.clone() }
        };
        Test { name, args: target.args.clone(), inputs }
    };
    Ok(files.into_iter().map(test).collect())
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = || -> std::io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
        Ok(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
    };
    let mut files =
        files().with_context(|| format!("cannot read the tests in {}", folder.display())).map_err(Failure::Input)?;
    files.sort();
    if files.is_empty() {
        return Err(Failure::Input(anyhow!("there are no tests in {}: put a file there for each", folder.display())));
    }
    Ok(files)
}

/// The contents of a test's input.
pub fn input(test: &Test) -> Result<Input, Failure> {
    let contents =
        |file: &Path| fs::read(file).with_context(|| format!("cannot read {}", file.display())).map_err(Failure::Input);
    let mut parts = Vec::new();
    if let Some(file) = &test.inputs.file {
        parts.push(Part { source: Source::File(file.display().to_string()), bytes: contents(file)? });
    }
    if let Some(file) = &test.inputs.stdin {
        parts.push(Part { source: Source::Stdin, bytes: contents(file)? });
    }
    Ok(Input { parts })
}
