//! The inputs to start from.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use replay::{Input, Source};
use run::{Inputs, PLACEHOLDER, Request};

use super::CAMPAIGN;
use super::corpus::ktest;
use crate::exit::{Failure, message};
use crate::target::Target;

/// The inputs to start from.
pub struct Seeds {
    /// The inputs, in the order of their names.
    pub inputs: Vec<Input>,
    /// Where the parts of all inputs go, with files that are there.
    pub places: Inputs,
    /// Whether nobody said what they are.
    pub is_assumed: bool,
}

/// Reads the inputs that the user names; with `shorter` everything that they begin with, too.
pub fn read(target: &Target, folder: Option<&Path>, shorter: bool) -> Result<Seeds, Failure> {
    let is_file = target.args.iter().any(|arg| arg.to_string_lossy().contains(PLACEHOLDER));
    let with = |file: PathBuf| match is_file {
        true => Inputs { files: vec![file], ..target.inputs() },
        false => Inputs { stdin: Some(file), ..target.inputs() },
    };
    let combinations = match folder.map(list).transpose()? {
        Some(files) => files.into_iter().map(with).collect(),
        None => vec![target.inputs()],
    };
    let (mut inputs, mut places, mut refused) = (Vec::new(), None, Vec::new());
    for combination in combinations {
        let input = match input(&combination, places.as_ref().unwrap_or(&combination), &target.args) {
            Ok(input) => input,
            Err(error) => {
                refused.push(error);
                continue;
            }
        };
        places.get_or_insert(combination);
        if shorter {
            inputs.extend(beginnings(&input));
        }
        inputs.push(input);
    }
    let mut refused = refused.into_iter();
    let Some(places) = places else {
        return Err(refused.next().map_or_else(|| Failure::Input(anyhow!("there are no seeds")), Failure::Input));
    };
    // What cannot be read keeps nobody from starting with the rest.
    refused.for_each(|error| eprintln!("provoke: note: seed left out: {}", message(&error)));
    Ok(Seeds { inputs, places, is_assumed: false })
}

impl Seeds {
    /// The same if somebody said what the input is, or the program makes its input itself. Otherwise it is standard input, which is empty and
    /// may go on: there is nothing to explore without any.
    pub fn or_standard_input(self, request: &Request, interrupt: &AtomicBool) -> Result<Seeds, Failure> {
        let none = Inputs { lengths: self.places.lengths, ..Inputs::default() };
        if self.places != none {
            return Ok(self);
        }
        let outcome = run::concolic(request, interrupt).map_err(Failure::input)?;
        if !outcome.trace.parts().is_empty() {
            return Ok(self);
        }
        let places = Inputs { stdin: Some(PathBuf::from("/dev/null")), lengths: true, ..none };
        let inputs = vec![places.read(&request.args).map_err(Failure::input)?];
        Ok(Seeds { inputs, places, is_assumed: true })
    }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = files_of(folder);
    let files = files.with_context(|| format!("cannot read the seeds in {}", folder.display()));
    let files = files.map_err(Failure::Input)?;
    if files.is_empty() {
        let what = anyhow!("there are no seeds in {}; put at least one file there, it may be empty", folder.display());
        return Err(Failure::Input(what));
    }
    Ok(files)
}

/// The inputs in a folder: its files, or what fuzzers have in such folders. A file is itself one.
fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let (mut folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path)
        } else if path.is_file() {
            files.push(path)
        }
    }
    folders.sort();
    files.sort();
    let is = |path: &Path, name: &str| path.file_name().is_some_and(|there| there == name);
    // An output folder of AFL++, or several of them in one: what lies beside the inputs is about them.
    let queues = folders.iter().filter(|path| is(path, "queue") || path.join("queue").is_dir());
    let mut inputs = Vec::new();
    for queue in queues {
        let beside = if is(queue, "queue") { folder } else { queue };
        for kind in ["queue", "crashes", "hangs"].map(|kind| beside.join(kind)).iter().filter(|kind| kind.is_dir()) {
            let mut found: Vec<PathBuf> =
                fs::read_dir(kind)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
            found.retain(|path| path.is_file() && !is(path, "README.txt"));
            found.sort();
            inputs.extend(found);
        }
    }
    if !inputs.is_empty() {
        return Ok(inputs);
    }
    // A folder that was written in the layout of libFuzzer.
    let corpus = folder.join("corpus");
    if corpus.is_dir() && folder.join(CAMPAIGN).is_file() {
        files.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            ["crash-", "timeout-"].iter().any(|prefix| name.starts_with(prefix))
        });
        files.splice(0..0, files_of(&corpus)?);
    }
    // A campaign with test cases of KLEE: the rest is about them.
    if files.iter().any(|file| is(file, CAMPAIGN)) {
        files.retain(|file| file.extension().is_some_and(|ending| ending == "ktest"));
    }
    Ok(files)
}

/// All inputs of a campaign give the file the same name.
fn input(combination: &Inputs, places: &Inputs, args: &[OsString]) -> anyhow::Result<Input> {
    let mut input = combination.read(args)?;
    let files = input.parts.iter_mut().filter(|part| matches!(part.source, Source::File(_)));
    for (part, place) in files.zip(&places.files) {
        part.source = Source::File(place.display().to_string());
    }
    // A test case of KLEE says itself what its parts are.
    let given = combination.files.first().or(combination.stdin.as_ref());
    if let Some(given) = given.filter(|path| path.extension().is_some_and(|ending| ending == "ktest")) {
        let contents = fs::read(given).with_context(|| format!("cannot read {}", given.display()))?;
        return ktest::decode(&contents, &input)
            .ok_or_else(|| anyhow!("{} is no test case of KLEE, though its name says so", given.display()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(made: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for file in made {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let files = files_of(folder.path()).unwrap();
        files.iter().map(|file| file.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
    }

    #[test]
    fn only_inputs_are_taken_of_what_fuzzers_write() {
        assert_eq!(names(&["b", "a", "sub/c"]), ["a", "b"]);
        let afl = ["fuzzer_stats", "queue/id:1", "queue/.state/x", "crashes/README.txt", "crashes/id:0", "hangs/id:2"];
        assert_eq!(names(&afl), ["queue/id:1", "crashes/id:0", "hangs/id:2"]);
        assert_eq!(
            names(&["main/queue/id:1", "main/cmdline", "other/queue/id:2"]),
            ["main/queue/id:1", "other/queue/id:2"]
        );
        assert_eq!(names(&["campaign.sqlite", "corpus/00", "crash-1", "coverage.info"]), ["corpus/00", "crash-1"]);
        assert_eq!(names(&["campaign.sqlite", "test1.ktest", "test1.x.err"]), ["test1.ktest"]);
    }
}
