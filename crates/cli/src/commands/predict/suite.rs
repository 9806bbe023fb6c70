//! The tests that the user names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use predict::Test;
use run::{Inputs, PLACEHOLDER};

use crate::exit::Failure;
use crate::target::Target;

/// Reads a suite: a folder in which each file is a test.
pub fn read(target: &Target, suite: &Path) -> Result<Vec<Test>, Failure> {
    let files = list(suite)?;
    let is_file = target.args.iter().any(|arg| arg.to_string_lossy().contains(PLACEHOLDER));
    let test = |file: PathBuf| {
        let name = file.strip_prefix(suite).unwrap_or(&file).display().to_string();
        let inputs = match is_file {
            true => Inputs { files: vec![file], ..target.inputs() },
            false => Inputs { stdin: Some(file), ..target.inputs() },
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
