//! Linking a view: the program's link, with one object in the place of its code.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::bundle::{Image, Program};
use crate::clang::Clang;
use crate::record::{Item, Output};
use crate::{Error, archive, header, paths, wrapping};

impl Program {
    /// Links `object`, which holds the code of all modules, and the archive `runtime` to a program.
    ///
    /// Libraries that are folded in are left out, and what they need themselves is linked. `extra` goes to the compiler
    /// driver (`-fsanitize=address`, say).
    ///
    /// # Errors
    /// If clang is missing, a file cannot be written, or the linker fails; its messages are in the error.
    pub fn relink(&self, object: &Path, runtime: &Path, out: &Path, extra: &[String]) -> Result<(), Error> {
        let clang = Clang::find(self.language())?;
        let folder = TempDir::with_prefix("provoke-").map_err(Error::temporary)?;
        let program = self.images.first().ok_or_else(|| Error::NoBitcode { path: out.to_owned() })?;
        let sanitizes = extra.iter().any(|flag| flag.starts_with("-fsanitize"));
        let is_static = matches!(program.link.output, Output::Static | Output::StaticPositionIndependent);
        let mut line = Line {
            program: self,
            folder: folder.path(),
            files: 0,
            words: Vec::new(),
            libraries: vec![0],
            shares: sanitizes && is_static,
        };
        line.image(program, object, runtime)?;
        let response = folder.path().join("link.rsp");
        write(&response, line.response().as_bytes())?;

        let mut command = clang.command();
        command.args(mode(if line.shares { shared(program.link.output) } else { program.link.output }));
        if let Some(linker) = &program.link.linker {
            // The record has everything, but a sanitizer that is added has needs of its own.
            command.args(["-Qunused-arguments", if sanitizes { "-nostartfiles" } else { "-nostdlib" }]);
            if Path::new(linker).is_file() {
                command.arg(format!("--ld-path={linker}"));
            }
        }
        if Path::new(&program.link.directory).is_dir() {
            command.current_dir(&program.link.directory);
        }
        let out = std::path::absolute(out).map_err(|source| Error::Write { path: out.to_owned(), source })?;
        command.args(extra).arg("-o").arg(&out).arg(format!("-Wl,@{}", response.display()));
        let output = command.output().map_err(|source| Error::Start { program: clang.path().to_owned(), source })?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::Link { path: out, output: String::from_utf8_lossy(&output.stderr).trim_end().to_owned() })
    }
}

fn mode(output: Output) -> &'static [&'static str] {
    match output {
        Output::PositionIndependent => &["-pie"],
        Output::FixedPosition => &["-no-pie"],
        Output::StaticPositionIndependent => &["-static-pie"],
        Output::Static => &["-static"],
        Output::SharedLibrary => &["-shared"],
    }
}

/// The same with shared libraries.
fn shared(output: Output) -> Output {
    match output {
        Output::Static => Output::FixedPosition,
        Output::StaticPositionIndependent => Output::PositionIndependent,
        other => other,
    }
}

/// Options that make a program a static one.
const STATIC: [&str; 5] = ["-static", "--static", "-no-dynamic-linker", "--no-dynamic-linker", "-Bstatic"];

/// What a static program starts with, and what takes its place where there are shared libraries.
const STARTS: [(&str, &str); 2] = [("rcrt1.o", "Scrt1.o"), ("crtbeginT.o", "crtbegin.o")];

/// The folder that an image lies in, which its options may be about.
pub(crate) fn origin(image: &Path) -> Option<String> {
    image.canonicalize().ok().and_then(|path| path.parent().map(paths::text))
}

/// Whether an option is about that folder.
pub(crate) fn has_origin(word: &str) -> bool {
    word.contains("${ORIGIN}") || word.contains("$ORIGIN")
}

fn without_origin(word: &str, image: &Path) -> String {
    match origin(image) {
        Some(origin) => word.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin),
        None => word.to_owned(),
    }
}

fn write(path: &Path, contents: &[u8]) -> Result<(), Error> {
    std::fs::write(path, contents).map_err(Error::temporary)
}

/// The linker's command line in the making.
struct Line<'a> {
    program: &'a Program,
    folder: &'a Path,
    /// Files written to the folder so far; their names are numbers.
    files: usize,
    words: Vec<String>,
    /// Images that are on the line already.
    libraries: Vec<usize>,
    /// Whether a static program gets shared libraries after all: a sanitizer's runtime needs them.
    shares: bool,
}

impl Line<'_> {
    fn image(&mut self, image: &Image, object: &Path, runtime: &Path) -> Result<(), Error> {
        for item in &image.link.items {
            match item {
                Item::Option(words) => {
                    // The code is wrapped already, and the runtime must not be.
                    let is_done = !self.program.has_code_without_bitcode();
                    let words = if is_done { wrapping::split(words).0 } else { words.clone() };
                    let is_static = |word: &&String| self.shares && STATIC.contains(&word.as_str());
                    let words: Vec<&String> = words.iter().filter(|word| !is_static(word)).collect();
                    // A view lies somewhere else than the program.
                    self.words.extend(words.into_iter().map(|word| without_origin(word, &image.path)));
                }
                Item::File { option, name, contents } => self.file_option(option, name, contents)?,
                Item::Toolchain(path) => {
                    let start = STARTS.iter().filter(|_| self.shares).find(|(name, _)| path.ends_with(name));
                    self.words.push(start.map_or_else(|| path.clone(), |(name, other)| path.replace(name, other)));
                }
                Item::Program => self.code(object, runtime)?,
                other => self.input(other)?,
            }
        }
        Ok(())
    }

    fn code(&mut self, object: &Path, runtime: &Path) -> Result<(), Error> {
        // A weak reference takes nothing out of an archive, and a strong one to what is not there is an error.
        let runtime_symbols = archive::symbols(runtime);
        let weak = header::WEAK_SYMBOLS.iter().filter(|symbol| runtime_symbols.contains(**symbol));
        self.words.extend(weak.map(|symbol| format!("--undefined={symbol}")));
        for file in [object, runtime] {
            let file = std::path::absolute(file).map_err(|source| Error::Read { path: file.to_owned(), source })?;
            self.words.push(paths::text(file));
        }
        for object in &self.program.objects {
            let path = self.next_file("o");
            write(&path, &object.contents)?;
            self.words.push(paths::text(path));
        }
        Ok(())
    }

    /// What is linked for a program and for a library that is folded into it alike.
    fn input(&mut self, item: &Item) -> Result<(), Error> {
        match item {
            Item::SearchPath(folder) => self.words.push(format!("-L{folder}")),
            Item::Library(argument) => self.words.push(argument.clone()),
            Item::Object { contents, .. } => {
                let path = self.next_file("o");
                write(&path, contents)?;
                self.words.push(paths::text(path));
            }
            Item::Archive { name, members } => self.archive(name, members)?,
            Item::Folded { path, argument } => match self.program.folded.get(path) {
                Some(index) => self.folded(*index)?,
                None => self.words.push(argument.clone()),
            },
            Item::Option(_) | Item::File { .. } | Item::Toolchain(_) | Item::Program => {}
        }
        Ok(())
    }

    /// Members without bitcode, and behind them the archive itself: at another optimisation level the code may refer to
    /// a member that the linker did not need before.
    fn archive(&mut self, name: &str, members: &[(String, Vec<u8>)]) -> Result<(), Error> {
        if !members.is_empty() {
            let path = self.next_file("a");
            archive::write(&path, members.iter().map(|(name, contents)| (name.as_str(), contents.as_slice())))
                .map_err(Error::temporary)?;
            self.words.push(paths::text(path));
        }
        if Path::new(name).is_file() {
            self.words.push(name.to_owned());
        }
        Ok(())
    }

    fn folded(&mut self, index: usize) -> Result<(), Error> {
        if self.libraries.contains(&index) {
            return Ok(());
        }
        self.libraries.push(index);
        let Some(image) = self.program.images.get(index) else { return Ok(()) };
        // Its options are its own, and with them the one that leaves out libraries that nothing refers to.
        self.words.extend(["--push-state", "--as-needed"].map(str::to_owned));
        image.link.items.iter().try_for_each(|item| self.input(item))?;
        self.words.push("--pop-state".to_owned());
        Ok(())
    }

    fn file_option(&mut self, option: &str, name: &str, contents: &[u8]) -> Result<(), Error> {
        let extension = Path::new(name).extension().map(paths::text).unwrap_or_default();
        let path = self.next_file(&extension);
        write(&path, contents)?;
        if option.ends_with('=') {
            self.words.push(format!("{option}{}", path.display()));
        } else {
            self.words.extend([option.to_owned(), paths::text(path)]);
        }
        Ok(())
    }

    fn next_file(&mut self, extension: &str) -> PathBuf {
        self.files += 1;
        self.folder.join(self.files.to_string()).with_extension(extension)
    }

    /// The line as a response file: quoted, so that blanks and quotes in paths stay what they are.
    fn response(&self) -> String {
        let quote = |word: &String| format!("\"{}\"\n", word.replace('\\', "\\\\").replace('"', "\\\""));
        self.words.iter().map(quote).collect()
    }
}
