//! From the linker's command line to the link record.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::jobs::Job;
use crate::options::{self, Word};
use crate::record::{Item, LinkRecord, Output};
use crate::survey::{self, Input};
use crate::{Language, arguments, paths};

/// A command line of the linker, and what is known about where it comes from.
pub struct LinkLine<'a> {
    /// The link.
    pub job: &'a Job,
    /// Which driver runs it.
    pub language: Language,
    /// The working directory.
    pub directory: &'a Path,
    /// Objects that the same call of the driver compiles.
    pub compiled: &'a HashSet<OsString>,
    /// The driver's arguments: what is not among them comes from the toolchain.
    pub named: &'a [OsString],
}

impl LinkLine<'_> {
    /// True if objects are linked into one object.
    pub fn is_relocatable(&self) -> bool {
        self.words().iter().any(|word| matches!(word, Word::Flag(flag) if options::is_relocatable(flag)))
    }

    /// The record of this link.
    pub fn record(&self) -> LinkRecord {
        let words = self.words();
        let folders = search_folders(&words, self.directory);
        let mut reader = Reader {
            line: self,
            named: named_inputs(self.named),
            compiled: self.compiled.iter().map(paths::text).collect(),
            exact: self.job.arguments.iter().map(|argument| (paths::text(argument), argument)).collect(),
            folders,
            only_static: false,
            has_program: false,
            items: Vec::new(),
        };
        let output = output_of(&words);
        words.into_iter().for_each(|word| reader.take(word));
        reader.mark_program();
        LinkRecord {
            directory: paths::text(self.directory),
            language: self.language,
            output,
            linker: Some(paths::text(&self.job.program)),
            items: reader.items,
        }
    }

    fn words(&self) -> Vec<Word> {
        options::read(arguments::expand(&self.job.arguments).iter().map(paths::text))
    }
}

/// What the user named as inputs of the linker, in the spelling in which clang passes them on.
fn named_inputs(arguments: &[OsString]) -> HashSet<String> {
    let mut named = HashSet::new();
    let mut after_l = false;
    for argument in arguments.iter().map(paths::text) {
        if let Some(words) = argument.strip_prefix("-Wl,") {
            named.extend(words.split(',').map(str::to_owned));
        }
        if std::mem::replace(&mut after_l, argument == "-l") {
            named.insert(format!("-l{argument}"));
        }
        named.insert(argument);
    }
    named
}

fn search_folders(words: &[Word], directory: &Path) -> Vec<PathBuf> {
    let folder = |word: &Word| match word {
        Word::SearchPath(folder) => Some(directory.join(folder)),
        _ => None,
    };
    words.iter().filter_map(folder).collect()
}

fn output_of(words: &[Word]) -> Output {
    let has =
        |names: &[&str]| words.iter().any(|word| matches!(word, Word::Flag(flag) if names.contains(&flag.as_str())));
    let is_pie = has(&["-pie", "--pie", "--pic-executable"]);
    if has(&["-shared", "--shared", "-Bshareable"]) {
        Output::SharedLibrary
    } else if has(&["-static", "--static"]) {
        if is_pie { Output::StaticPositionIndependent } else { Output::Static }
    } else if is_pie {
        Output::PositionIndependent
    } else {
        Output::FixedPosition
    }
}

struct Reader<'a> {
    line: &'a LinkLine<'a>,
    named: HashSet<String>,
    compiled: HashSet<String>,
    /// Names of files need not be text.
    exact: HashMap<String, &'a OsString>,
    folders: Vec<PathBuf>,
    /// `-Bstatic` is in force.
    only_static: bool,
    has_program: bool,
    items: Vec<Item>,
}

impl Reader<'_> {
    fn take(&mut self, word: Word) {
        match word {
            Word::Flag(flag) => {
                self.only_static = options::is_static_switch(&flag).unwrap_or(self.only_static);
                self.option(vec![flag]);
            }
            Word::Option(words) => self.option(words),
            Word::Dropped => {}
            Word::File { option, name } => self.take_file(option, name),
            Word::SearchPath(folder) => {
                self.items.push(Item::SearchPath(paths::text(self.line.directory.join(folder))));
            }
            Word::Library(name) => self.take_library(&name),
            Word::Input(name) => self.take_input(name),
        }
    }

    /// Consecutive options are one item.
    fn option(&mut self, words: Vec<String>) {
        match self.items.last_mut() {
            Some(Item::Option(before)) => before.extend(words),
            _ => self.items.push(Item::Option(words)),
        }
    }

    fn mark_program(&mut self) {
        if !std::mem::replace(&mut self.has_program, true) {
            self.items.push(Item::Program);
        }
    }

    fn take_file(&mut self, option: String, name: String) {
        if options::is_instrumentation_runtime(&name) {
            return;
        }
        match std::fs::read(self.line.directory.join(&name)) {
            Ok(contents) => self.items.push(Item::File { option, name, contents }),
            // The linker also searches its own folders for scripts.
            Err(_) if option.ends_with('=') => self.option(vec![option + &name]),
            Err(_) => self.option(vec![option, name]),
        }
    }

    fn take_library(&mut self, name: &str) {
        self.mark_program();
        let argument = format!("-l{name}");
        let found = self.named.contains(&argument).then(|| self.find_library(name)).flatten();
        match found {
            Some(path) => self.take_found(path, argument),
            None => self.items.push(Item::Library(argument)),
        }
    }

    fn find_library(&self, name: &str) -> Option<PathBuf> {
        let names = match name.strip_prefix(':') {
            Some(exact) => vec![exact.to_owned()],
            None if self.only_static => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let mut candidates = self.folders.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        candidates.find(|candidate| candidate.is_file())
    }

    fn take_input(&mut self, name: String) {
        if options::is_instrumentation_runtime(&name) {
            return;
        }
        if self.compiled.contains(&name) {
            return self.mark_program();
        }
        let path = match self.exact.get(&name) {
            Some(exact) => self.line.directory.join(exact),
            None => self.line.directory.join(&name),
        };
        if self.named.contains(&name) && !options::is_startup_file(&name) {
            self.mark_program();
            let argument = paths::text(&path);
            self.take_found(path, argument);
        } else {
            self.items.push(Item::Toolchain(paths::text(path)));
        }
    }

    fn take_found(&mut self, path: PathBuf, argument: String) {
        let name = paths::text(&path);
        match survey::look(&path) {
            // Its code comes from bitcode.
            Input::Object { carries: true, .. } => {}
            Input::Object { carries: false, contents } => self.items.push(Item::Object { name, contents }),
            Input::SharedLibrary { carries: true } => self.items.push(Item::Folded { path: name, argument }),
            Input::Archive { carries: true, bare } => {
                let members = bare.into_iter().map(|member| (member.name, member.contents)).collect();
                self.items.push(Item::Archive { name, members });
            }
            _ => self.items.push(Item::Library(argument)),
        }
    }
}
