//! Folders of test programs, each program a test.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use libtest_mimic::{Arguments, Trial};

/// Where all test programs are.
pub fn root() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    root.canonicalize().with_context(|| format!("there is no {}", root.display()))
}

/// The C and C++ programs in a folder of [`root`], with the names of their tests.
pub fn programs(folder: &str) -> Result<Vec<(String, PathBuf)>> {
    let path = root()?.join(folder);
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            programs.push((name, path));
        }
    }
    programs.sort();
    Ok(programs)
}

/// Runs the tests that the command line asks for.
pub fn main(trials: Result<Vec<Trial>>) -> ExitCode {
    let arguments = Arguments::from_args();
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
