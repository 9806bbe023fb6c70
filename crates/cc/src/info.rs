//! What is inside a program, for people and for other programs.

use std::fmt::{Display, Formatter, Result};

use serde::Serialize;

use crate::Language;
use crate::bundle::Program;
use crate::record::{Item, Output};

/// What a program carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Info {
    /// The native program.
    pub path: String,
    /// Which driver linked it.
    pub language: Language,
    /// How it was linked.
    pub output: Output,
    /// Functions that the native program and the folded libraries define; nothing if one of them was stripped.
    pub functions: Option<usize>,
    /// Translation units with bitcode.
    pub modules: Vec<ModuleInfo>,
    /// Objects without bitcode; they run as they are in every view.
    pub without_bitcode: Vec<String>,
    /// Shared libraries with bitcode, which become part of every view.
    pub folded: Vec<String>,
    /// Libraries without bitcode.
    pub libraries: Vec<String>,
    /// What else the user should know.
    pub notes: Vec<String>,
}

/// A translation unit with bitcode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ModuleInfo {
    /// The source file.
    pub source: String,
    /// Bytes of bitcode.
    pub bytes: usize,
    /// The shared library that it is in, if not in the program.
    pub library: Option<String>,
}

/// Describes a program.
pub fn describe(program: &Program) -> Info {
    let path = |index: usize| program.images.get(index).map(|image| image.path.display().to_string());
    let modules = program.modules.iter().map(|module| ModuleInfo {
        source: module.source.clone(),
        bytes: module.bitcode.len(),
        library: path(module.image).filter(|_| module.image > 0),
    });
    let items = || program.images.iter().flat_map(|image| &image.link.items);
    let mut without_bitcode: Vec<String> = program.objects.iter().map(|object| object.name.clone()).collect();
    let mut libraries = Vec::new();
    for item in items() {
        match item {
            Item::Object { name, .. } => without_bitcode.push(name.clone()),
            Item::Archive { name, members } => {
                without_bitcode.extend(members.iter().map(|(member, _)| format!("{name}({member})")));
            }
            Item::Library(argument) if !libraries.contains(argument) => libraries.push(argument.clone()),
            Item::Folded { path, argument } if !program.folded.contains_key(path) => libraries.push(argument.clone()),
            _ => {}
        }
    }
    Info {
        path: program.path().display().to_string(),
        language: program.language(),
        output: program.images.first().map_or(Output::PositionIndependent, |image| image.link.output),
        functions: program.images.iter().map(|image| image.functions).sum(),
        modules: modules.collect(),
        without_bitcode,
        folded: program.images.iter().skip(1).map(|image| image.path.display().to_string()).collect(),
        libraries,
        notes: program.notes.clone(),
    }
}

impl Display for Info {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let language = match self.language {
            Language::C => "C",
            Language::Cxx => "C++",
        };
        let output = match self.output {
            Output::PositionIndependent => "program",
            Output::FixedPosition => "program at a fixed address",
            Output::StaticPositionIndependent => "static program",
            Output::Static => "static program at a fixed address",
            Output::SharedLibrary => "shared library",
        };
        writeln!(f, "{}: {language} {output}", self.path)?;
        let bytes: usize = self.modules.iter().map(|module| module.bytes).sum();
        writeln!(f, "  modules: {} ({} of bitcode)", self.modules.len(), Size(bytes))?;
        for module in &self.modules {
            let library = module.library.iter().map(|library| format!("  in {library}")).collect::<String>();
            writeln!(f, "    {:>10}  {}{library}", Size(module.bytes).to_string(), module.source)?;
        }
        match self.functions {
            Some(functions) => writeln!(f, "  functions: {functions}")?,
            None => writeln!(f, "  functions: unknown, the symbol table was stripped")?,
        }
        list(f, "objects without bitcode", &self.without_bitcode)?;
        list(f, "libraries folded in", &self.folded)?;
        list(f, "libraries without bitcode", &self.libraries)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))
    }
}

fn list(f: &mut Formatter<'_>, title: &str, entries: &[String]) -> Result {
    if entries.is_empty() {
        return writeln!(f, "  {title}: none");
    }
    writeln!(f, "  {title}:")?;
    entries.iter().try_for_each(|entry| writeln!(f, "    {entry}"))
}

struct Size(usize);

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            small @ 0..1024 => write!(f, "{small} B"),
            kilobytes @ 1024..1_048_576 => write!(f, "{:.1} KiB", kilobytes as f64 / 1024.0),
            megabytes => write!(f, "{:.1} MiB", megabytes as f64 / 1_048_576.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_readable() {
        assert_eq!([Size(12), Size(2048), Size(3 << 20)].map(|size| size.to_string()), ["12 B", "2.0 KiB", "3.0 MiB"]);
    }
}
