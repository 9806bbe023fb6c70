//! The inputs that make the program fail, as files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cc::Language;
use replay::{Input, Source};
use report::reproducer::{self, Program};
use report::{CommandLine, Finding};
use run::Surroundings;

use crate::exit::Failure;
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

/// Writes the input of a finding, and says in the finding where it is and how to run it again.
pub fn save(folder: &Path, run: &Run<'_>, input: &Input, armed: &[u32], finding: &mut Finding) -> Result<(), Failure> {
    let cannot = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot).map_err(Failure::Input)?;
    write(folder, run, input, armed, finding).with_context(cannot).map_err(Failure::Input)
}

fn write(folder: &Path, run: &Run<'_>, input: &Input, armed: &[u32], finding: &mut Finding) -> std::io::Result<()> {
    let target = run.target;
    let fingerprint: String = finding.fingerprint.chars().take(8).collect();
    let name = format!("{}-{fingerprint}", finding.rule);
    let (mut stdin, mut channels, mut files) = (None, Vec::new(), Vec::new());
    let mut buffers = Vec::new();
    let many = input.parts.len() > 1;
    let several = input.files().nth(1).is_some();
    for (index, part) in input.parts.iter().enumerate() {
        let path = match &part.source {
            Source::Stdin if many => folder.join(format!("{name}.stdin")),
            Source::Stdin => folder.join(&name),
            // The program may look at the ending.
            Source::File(original) if several => {
                let own = Path::new(original).file_name().unwrap_or_default().to_string_lossy();
                folder.join(format!("{name}.{}.{own}", files.len() + 1))
            }
            Source::File(original) => match Path::new(original).extension() {
                Some(ending) => folder.join(&name).with_extension(ending),
                None => folder.join(&name),
            },
            Source::Channel(channel) => folder.join(format!("{name}.{}", channel.name())),
            Source::Buffer(_) => folder.join(format!("{name}.{index}")),
            // They are on the command line.
            Source::Argument(_) | Source::Variable(_) => continue,
        };
        fs::write(&path, &part.bytes)?;
        if let Some(shown) = finding.input.parts.get_mut(index) {
            shown.saved = Some(path.display().to_string());
        }
        match &part.source {
            Source::Stdin => stdin = Some(path),
            Source::Channel(channel) => channels.push((*channel, path)),
            Source::File(_) => files.push(path),
            Source::Buffer(name) => buffers.push((name.clone(), path)),
            Source::Argument(_) | Source::Variable(_) => {}
        }
    }
    finding.reproduce = reproduce(run, armed, run.target.words(input, &files, stdin, &channels), &buffers);
    let script = folder.join(format!("{name}.debug.sh"));
    let program = match cc::bundle::source_language(&target.program) {
        Some(Language::C) => Program::Source { file: &target.program, compiler: "cc" },
        Some(Language::Cxx) => Program::Source { file: &target.program, compiler: "c++" },
        None => Program::Built(&target.program),
    };
    let surroundings =
        reproducer::Surroundings { variables: &run.surroundings.variables, folder: run.surroundings.folder.as_deref() };
    fs::write(&script, reproducer::script(finding, program, &input.arguments(&target.args), surroundings))?;
    finding.debug = CommandLine::new([OsStr::new("bash"), script.as_os_str()]);
    Ok(())
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
