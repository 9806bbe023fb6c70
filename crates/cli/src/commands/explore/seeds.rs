//! The inputs to start from.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use replay::{Input, Source};
use run::{Inputs, PLACEHOLDER};

use super::corpus::ktest;
use crate::exit::Failure;
use crate::target::Target;

/// The inputs to start from.
pub struct Seeds {
    /// The inputs, in the order of their names.
    pub inputs: Vec<Input>,
    /// Where the parts of all inputs go, with files that are there.
    pub places: Inputs,
}

/// Reads the inputs that the user names; with `shorter` everything that they begin with, too.
pub fn read(target: &Target, folder: Option<&Path>, shorter: bool) -> Result<Seeds, Failure> {
    let is_file = target.args.iter().any(|arg| arg.to_string_lossy().contains(PLACEHOLDER));
    let files = folder.map(list).transpose()?;
    let mut places = target.inputs();
    let mut combinations = vec![places.clone()];
    if let Some(files) = files {
        let with = |file: PathBuf| match is_file {
            true => Inputs { files: vec![file], ..target.inputs() },
            false => Inputs { stdin: Some(file), ..target.inputs() },
        };
        combinations = files.into_iter().map(with).collect();
        places = combinations.first().cloned().unwrap_or_default();
    }
    let mut inputs = Vec::new();
    for combination in &combinations {
        let input = input(combination, &places, &target.args)?;
        if shorter {
            inputs.extend(beginnings(&input));
        }
        inputs.push(input);
    }
    Ok(Seeds { inputs, places })
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = || -> std::io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
        Ok(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
    };
    let mut files =
        files().with_context(|| format!("cannot read the seeds in {}", folder.display())).map_err(Failure::Input)?;
    files.sort();
    if files.is_empty() {
        let what = anyhow!("there are no seeds in {}; put at least one file there, it may be empty", folder.display());
        return Err(Failure::Input(what));
    }
    Ok(files)
}

/// All inputs of a campaign give the file the same name.
fn input(combination: &Inputs, places: &Inputs, args: &[OsString]) -> Result<Input, Failure> {
    // A test case of KLEE says itself what its parts are.
    let given = combination.files.first().or(combination.stdin.as_ref());
    if let Some(given) = given.filter(|path| path.extension().is_some_and(|ending| ending == "ktest")) {
        let contents = fs::read(given).with_context(|| format!("cannot read {}", given.display()));
        let name = places.files.first().map(|place| place.display().to_string());
        return ktest::decode(&contents.map_err(Failure::Input)?, name.as_deref()).ok_or_else(|| {
            Failure::Input(anyhow!("{} is no test case of KLEE, though its name says so", given.display()))
        });
    }
    let mut input = combination.read(args).map_err(Failure::input)?;
    let files = input.parts.iter_mut().filter(|part| matches!(part.source, Source::File(_)));
    for (part, place) in files.zip(&places.files) {
        part.source = Source::File(place.display().to_string());
    }
    Ok(input)
}

/// The input with its first part cut short in every way.
fn beginnings(input: &Input) -> Vec<Input> {
    let length = input.parts.first().map_or(0, |part| part.bytes.len());
    let shortened = |length: usize| {
        let mut input = input.clone();
        if let Some(part) = input.parts.first_mut() {
            part.bytes.truncate(length);
        }
        input
    };
    (0..length).map(shortened).collect()
}
