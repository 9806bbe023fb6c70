//! The inputs that make the program fail, as files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cc::Language;
use replay::{Input, Source};
use report::reproducer::{self, Program};
use report::{CommandLine, Finding};
use run::{Channel, Surroundings};

use crate::exit::{self, Failure};
use crate::project;
use crate::refinements::Refinements;
use crate::target::Target;

/// How the program was run and checked.
pub struct Run<'a> {
    /// The program and its input.
    pub target: &'a Target,
    /// Refinements that are stated beside its source.
    pub refinements: &'a Refinements,
    /// What the program found around it.
    pub surroundings: &'a Surroundings,
}

/// The folder for the inputs. What cannot be saved is said at the end: what was found is not lost with it.
pub struct Folder {
    path: PathBuf,
    failed: Option<anyhow::Error>,
}

impl Folder {
    /// Looks whether files can be put there, before the work is done that makes them.
    pub fn prepare(path: PathBuf) -> Result<Folder, Failure> {
        let cannot = || format!("cannot write to {}, name another folder with --out", path.display());
        project::examine(&path).with_context(cannot).map_err(Failure::Input)?;
        Ok(Folder { path, failed: None })
    }

    /// Writes the input of a finding, and says in the finding where it is and how to run it again, or why it is not there.
    pub fn save(&mut self, run: &Run<'_>, input: &Input, armed: &[u32], finding: &mut Finding) {
        if let Err(error) = write(&self.path, run, input, armed, finding) {
            finding.not_saved = exit::message(&error);
            self.failed.get_or_insert(error);
        }
    }

    /// Writes an input whose run took too long, and says how to run it again if that went well.
    pub fn save_slow(&mut self, run: &Run<'_>, input: &Input) -> CommandLine {
        let name = file_name("hang", "", &run.target.program);
        match put(&self.path, &name, input) {
            Ok(put) => put.reproduce(run, &[], input),
            Err(error) => {
                self.failed.get_or_insert(error);
                CommandLine::default()
            }
        }
    }

    /// Says what could not be saved, when everything else has been shown. That something was found counts more than that.
    pub fn finish(self, has_findings: bool) -> Result<(), Failure> {
        match self.failed {
            Some(error) if has_findings => exit::say(&error),
            Some(error) => return Err(Failure::Input(error)),
            None => {}
        }
        Ok(())
    }
}

fn write(
    folder: &Path,
    run: &Run<'_>,
    input: &Input,
    armed: &[u32],
    finding: &mut Finding,
) -> Result<(), anyhow::Error> {
    let target = run.target;
    let name = file_name(finding.rule.id(), &finding.fingerprint, &target.program);
    let put = put(folder, &name, input)?;
    for (shown, path) in finding.input.parts.iter_mut().zip(&put.parts) {
        shown.saved = path.as_ref().map(|path| path.display().to_string());
    }
    finding.reproduce = put.reproduce(run, armed, input);
    let stand_ins = target.stand_ins();
    if !stand_ins.is_empty() {
        finding.no_debug = format!("there is no script for gdb: only `provoke replay` gives {}", stand_ins.join(", "));
        return Ok(());
    }
    let script = folder.join(format!("{name}.debug.sh"));
    let program = match cc::bundle::source_language(&target.program) {
        Some(Language::C) => Program::Source { file: &target.program, compiler: "cc" },
        Some(Language::Cxx) => Program::Source { file: &target.program, compiler: "c++" },
        None => Program::Built(&target.program),
    };
    let surroundings =
        reproducer::Surroundings { variables: &run.surroundings.variables, folder: run.surroundings.folder.as_deref() };
    let text = reproducer::script(finding, program, &input.arguments(&target.args), surroundings);
    write_whole(&script, text.as_bytes())?;
    finding.debug = CommandLine::new([OsStr::new("bash"), script.as_os_str()]);
    Ok(())
}

/// What the files of an input are called. Programs of one project share a folder, and what is at the same place in two of them has the
/// same fingerprint: the program's own path tells them apart, from here if it lies below, so that it is the same wherever the project is.
fn file_name(kind: &str, fingerprint: &str, program: &Path) -> String {
    let path = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(&path);
    let mut hash = sha1_smol::Sha1::new();
    hash.update(fingerprint.as_bytes());
    hash.update(path.as_os_str().as_bytes());
    let digits: String = hash.digest().to_string().chars().take(8).collect();
    format!("{kind}-{digits}")
}

/// Where the parts of an input are.
#[derive(Default)]
struct Put {
    stdin: Option<PathBuf>,
    channels: Vec<(Channel, PathBuf)>,
    files: Vec<PathBuf>,
    buffers: Vec<(String, PathBuf)>,
    /// The same by the number of the part; what is on the command line has no file.
    parts: Vec<Option<PathBuf>>,
}

impl Put {
    fn reproduce(self, run: &Run<'_>, armed: &[u32], input: &Input) -> CommandLine {
        let words = run.target.words(input, &self.files, self.stdin, &self.channels);
        reproduce(run, armed, words, &self.buffers)
    }
}

/// Writes a file, or leaves nothing of it.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), anyhow::Error> {
    report::destination::replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes an input to files whose names begin with this one.
fn put(folder: &Path, name: &str, input: &Input) -> Result<Put, anyhow::Error> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut put = Put::default();
    let many = input.parts.len() > 1;
    let several = input.files().nth(1).is_some();
    for (index, part) in input.parts.iter().enumerate() {
        let path = match &part.source {
            Source::Stdin if many => folder.join(format!("{name}.stdin")),
            Source::Stdin => folder.join(name),
            // The program may look at the ending.
            Source::File(original) if several => {
                let own = Path::new(original).file_name().unwrap_or_default().to_string_lossy();
                folder.join(format!("{name}.{}.{own}", put.files.len() + 1))
            }
            Source::File(original) => match Path::new(original).extension() {
                Some(ending) => folder.join(name).with_extension(ending),
                None => folder.join(name),
            },
            Source::Channel(channel) => folder.join(format!("{name}.{}", channel.name())),
            Source::Buffer(_) => folder.join(format!("{name}.{index}")),
            // They are on the command line.
            Source::Argument(_) | Source::Variable(_) => {
                put.parts.push(None);
                continue;
            }
        };
        write_whole(&path, &part.bytes)?;
        put.parts.push(Some(path.clone()));
        match &part.source {
            Source::Stdin => put.stdin = Some(path),
            Source::Channel(channel) => put.channels.push((*channel, path)),
            Source::File(_) => put.files.push(path),
            Source::Buffer(name) => put.buffers.push((name.clone(), path)),
            Source::Argument(_) | Source::Variable(_) => {}
        }
    }
    Ok(put)
}

fn reproduce(run: &Run<'_>, armed: &[u32], words: Vec<OsString>, buffers: &[(String, PathBuf)]) -> CommandLine {
    let mut line = CommandLine::new(["provoke", "replay"]);
    for number in armed {
        line.push("--armed");
        line.push(number.to_string());
    }
    for (name, path) in buffers {
        line.push("--buffer");
        line.push(format!("{name}={}", path.display()));
    }
    if let Some(folder) = &run.surroundings.folder {
        line.push("--start-in");
        line.push(folder);
    }
    for (name, value) in &run.surroundings.variables {
        let mut word = name.clone();
        word.push("=");
        word.push(value);
        line.push("--set");
        line.push(word);
    }
    run.refinements.words().into_iter().for_each(|word| line.push(word));
    words.into_iter().for_each(|word| line.push(word));
    line
}
