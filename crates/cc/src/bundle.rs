//! What a program carries, read back.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::driver;
use crate::header::{MODEL_PREFIX, StandIn};
use crate::image::{self, Carried, OwnedFrame};
use crate::libtool;
use crate::models;
use crate::native::Messages;
use crate::record::{Item, LinkRecord, Output};
use crate::relink::{has_origin, origin};
use crate::{Error, Language};

/// The raw bitcode of a translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The source file, as it was named to the compiler.
    pub source: String,
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// Which of [`Program::images`] it belongs to.
    pub image: usize,
}

/// An object without bitcode that is part of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BareObject {
    /// The source or object file, as it was named.
    pub name: String,
    /// The object file.
    pub contents: Vec<u8>,
    /// Which of [`Program::images`] it belongs to.
    pub image: usize,
}

/// A linked file: the program, or a shared library that is folded in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Where it is.
    pub path: PathBuf,
    /// How it was linked.
    pub link: LinkRecord,
    /// Functions that its symbol table defines; nothing if it was stripped.
    pub functions: Option<usize>,
    /// Symbols that other images see. In a shared library all others are its own business: two images may define the
    /// same name as long as not both export it.
    pub exports: Vec<String>,
    /// Symbols that it gets from libraries.
    pub imports: Vec<String>,
}

/// A program built by `provoke cc`, with everything that views are made from.
#[derive(Debug)]
pub struct Program {
    /// The program itself, then the shared libraries that are folded in.
    pub images: Vec<Image>,
    /// All bitcode, the program's first, in the order of the link.
    pub modules: Vec<Module>,
    /// Objects without bitcode.
    pub objects: Vec<BareObject>,
    /// Models of library functions, which replace those in the concolic view alone.
    pub models: Vec<Module>,
    /// What takes the place of parts of the system, in all views.
    pub stand_ins: Vec<Module>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
    /// Which image a shared library became, by the path in the link record.
    pub(crate) folded: HashMap<String, usize>,
    /// Keeps a program that was compiled on the fly.
    _temporary: Option<TempDir>,
}

/// True if a file is C or C++ source by its name, and so is compiled on the fly where a program is wanted.
pub fn source_language(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "c" | "i" => Some(Language::C),
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" => Some(Language::Cxx),
        _ => None,
    }
}

impl Program {
    /// Reads a program (or libtool's wrapper script of one), and the shared libraries with bitcode that it uses. A
    /// source file is compiled first.
    ///
    /// # Errors
    /// If the file can't be read, is no ELF file, or carries no bitcode.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if source_language(path).is_some() {
            return Self::open_source(path, &[]);
        }
        let mut notes = Vec::new();
        let mut bytes = read(path)?;
        let mut path = path.to_owned();
        if let Some(programs) = libtool::programs_behind(&path, &bytes) {
            let program = programs.iter().find(|program| program.is_file());
            let missing = || programs.first().cloned().unwrap_or_default();
            let program =
                program.ok_or_else(|| Error::WrapperWithoutProgram { path: path.clone(), missing: missing() })?;
            notes.push(format!("{} is libtool's wrapper script for {}", path.display(), program.display()));
            bytes = read(program)?;
            path = program.clone();
        }
        let carried = image::read(&path, &bytes)?;
        if !carried.frames.iter().any(|frame| frame.is_bitcode) {
            return Err(Error::NoBitcode { path });
        }
        let mut program = Self {
            images: Vec::new(),
            modules: Vec::new(),
            objects: Vec::new(),
            models: Vec::new(),
            stand_ins: Vec::new(),
            notes,
            folded: HashMap::new(),
            _temporary: None,
        };
        program.take(path, carried);
        Ok(program)
    }

    /// Compiles a C or C++ source file to a native program, with additional flags, and opens that.
    ///
    /// # Errors
    /// If it does not compile and link; the compiler's messages are in the error.
    pub fn open_source(path: &Path, flags: &[OsString]) -> Result<Self, Error> {
        let language = source_language(path).unwrap_or(Language::C);
        let folder = TempDir::with_prefix("provoke-").map_err(Error::temporary)?;
        let name = path.file_stem().filter(|stem| !stem.is_empty()).unwrap_or("program".as_ref());
        let output = folder.path().join(name);
        let input = std::path::absolute(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let mut arguments = vec![OsString::from("-g")];
        let text = std::fs::read(&input).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        arguments.extend(crate::header::beside(&String::from_utf8_lossy(&text)).into_iter().map(OsString::from));
        arguments.extend([input.into(), "-o".into(), output.clone().into()]);
        arguments.extend_from_slice(flags);
        // A source file does not say what it is linked with, and this is what most need.
        arguments.push("-lm".into());
        let finished = driver::build(language, &arguments, Messages::Kept)?;
        if !finished.status.success() {
            let output = String::from_utf8_lossy(&finished.messages).trim_end().to_owned();
            return Err(Error::Compile { path: path.to_owned(), output });
        }
        let mut program = Self::open(&output)?;
        let messages = String::from_utf8_lossy(&finished.messages);
        program.notes.extend(messages.lines().filter(|line| line.contains("warning:")).map(str::to_owned));
        program._temporary = Some(folder);
        Ok(program)
    }

    /// Adds models of library functions, written in C as `provoke.h` says.
    ///
    /// # Errors
    /// If the file does not compile; the compiler's messages are in the error.
    pub fn add_models(&mut self, source: &Path) -> Result<(), Error> {
        let bitcode = models::compile(source)?;
        self.models.push(Module { source: source.display().to_string(), bitcode, image: 0 });
        Ok(())
    }

    /// Puts something in the place of a part of the system, in all views.
    ///
    /// # Errors
    /// If it does not compile here.
    pub fn add_stand_in(&mut self, stand_in: StandIn) -> Result<(), Error> {
        let nowhere = || Error::temporary(std::io::ErrorKind::PermissionDenied.into());
        let source = stand_in.file().ok_or_else(nowhere)?;
        let bitcode = models::compile(&source)?;
        self.stand_ins.push(Module { source: source.display().to_string(), bitcode, image: 0 });
        Ok(())
    }

    /// Whether a function may be called that something would take the place of, and that the user has no model of. What a static
    /// program calls is not known.
    pub fn needs(&self, stand_in: StandIn) -> bool {
        let is_static = |image: &Image| matches!(image.link.output, Output::Static | Output::StaticPositionIndependent);
        let is_imported =
            |image: &Image| stand_in.functions().any(|name| image.imports.iter().any(|other| other == name));
        // Names are in a table of bitcode as they are.
        let is_modelled = |model: &Module| {
            let mut names = stand_in.functions().map(|function| format!("{MODEL_PREFIX}{function}"));
            names.any(|name| model.bitcode.windows(name.len()).any(|bytes| bytes == name.as_bytes()))
        };
        self.images.iter().any(|image| is_static(image) || is_imported(image)) && !self.models.iter().any(is_modelled)
    }

    /// The native program.
    pub fn path(&self) -> &Path {
        self.images.first().map_or(Path::new(""), |image| &image.path)
    }

    /// Which driver linked it.
    pub fn language(&self) -> Language {
        let is_cxx = self.images.iter().any(|image| image.link.language == Language::Cxx);
        if is_cxx { Language::Cxx } else { Language::C }
    }

    /// True if it can be started; a shared library cannot.
    pub fn has_main(&self) -> bool {
        self.images.first().is_some_and(|image| image.link.output != Output::SharedLibrary)
    }

    /// A hash of everything that views are made from.
    pub fn hash(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        for image in &self.images {
            part(&image.link.encode().unwrap_or_default());
            let is_about_folder =
                |item: &Item| matches!(item, Item::Option(words) if words.iter().any(|word| has_origin(word)));
            // The same program in another folder means other libraries then.
            if image.link.items.iter().any(is_about_folder) {
                part(origin(&image.path).unwrap_or_default().as_bytes());
            }
        }
        for module in &self.modules {
            part(module.source.as_bytes());
            part(&module.bitcode);
            part(&module.image.to_le_bytes());
        }
        for model in self.models.iter().chain(&self.stand_ins) {
            part(b"model");
            part(&model.bitcode);
        }
        for object in &self.objects {
            part(&object.contents);
            part(&object.image.to_le_bytes());
        }
        hasher.finalize().into()
    }

    /// Takes up what an image carries, then the libraries that it folds in.
    fn take(&mut self, path: PathBuf, carried: Carried) {
        let index = self.images.len();
        for frame in carried.frames {
            if self.is_elsewhere(&frame, index) {
                let (name, path) = (&frame.name, path.display());
                self.notes.push(format!("{name} is in {path} and in the program: views have it once"));
            } else if frame.is_bitcode {
                self.modules.push(Module { source: frame.name, bitcode: frame.payload, image: index });
            } else {
                self.objects.push(BareObject { name: frame.name, contents: frame.payload, image: index });
            }
        }
        if carried.is_guessed {
            self.notes.push(format!(
                "{} was not linked by `provoke cc`: how to link it again is a guess from what it needs",
                path.display()
            ));
        }
        let wanted: Vec<String> = carried.link.items.iter().filter_map(folded_path).collect();
        self.images.push(Image {
            path: path.clone(),
            link: carried.link,
            functions: carried.functions,
            exports: carried.exports,
            imports: carried.imports,
        });
        for library in wanted {
            self.fold(&path, &library, &carried.search);
        }
    }

    /// True if another image has the very same object: build systems put helper libraries into a program and into the
    /// shared libraries that it uses. A view is one image, in which the same function can't be defined twice.
    fn is_elsewhere(&self, frame: &OwnedFrame, image: usize) -> bool {
        if frame.is_bitcode {
            let mut others = self.modules.iter().filter(|module| module.image != image);
            others.any(|module| module.source == frame.name && module.bitcode == frame.payload)
        } else {
            let mut others = self.objects.iter().filter(|object| object.image != image);
            others.any(|object| object.name == frame.name && object.contents == frame.payload)
        }
    }

    fn fold(&mut self, user: &Path, recorded: &str, search: &[PathBuf]) {
        if self.folded.contains_key(recorded) {
            return;
        }
        let Some(path) = image::find_library(Path::new(recorded), search) else {
            let user = user.display();
            self.notes.push(format!("{user} uses {recorded}, which is not there any more: it is not folded in"));
            return;
        };
        let known = path.canonicalize().unwrap_or_else(|_| path.clone());
        let same = |image: &Image| image.path.canonicalize().is_ok_and(|other| other == known);
        if let Some(index) = self.images.iter().position(same) {
            self.folded.insert(recorded.to_owned(), index);
            return;
        }
        match read(&path).and_then(|bytes| image::read(&path, &bytes)) {
            Ok(carried) if !carried.frames.is_empty() => {
                self.folded.insert(recorded.to_owned(), self.images.len());
                self.take(path, carried);
            }
            Ok(_) => self.notes.push(format!("{} carries no bitcode any more: it is not folded in", path.display())),
            Err(error) => self.notes.push(format!("{error}: it is not folded in")),
        }
    }
}

fn folded_path(item: &Item) -> Option<String> {
    match item {
        Item::Folded { path, .. } => Some(path.clone()),
        _ => None,
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}
