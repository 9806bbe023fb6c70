//! What one linked file carries.

use std::path::{Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME, ET_EXEC, ET_REL, PT_DYNAMIC, PT_INTERP};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol, SymbolKind};

use crate::elf::Elf;
use crate::record::{Item, LinkRecord, Output, RecordError};
use crate::survey::{self, Input};
use crate::{Error, Language, elf, frame, record};

/// Libraries that the compiler driver links by itself.
const STANDARD: &[&str] = &["libc.so.", "libgcc_s.so.", "libstdc++.so.", "libc++.so.", "ld-linux"];

/// A frame, owned.
pub struct OwnedFrame {
    pub is_bitcode: bool,
    pub name: String,
    pub payload: Vec<u8>,
}

/// What a linked file carries, and where its libraries are.
pub struct Carried {
    pub frames: Vec<OwnedFrame>,
    pub link: LinkRecord,
    /// There was no link record; `link` is made from what the loader needs.
    pub is_guessed: bool,
    pub functions: Option<usize>,
    pub exports: Vec<String>,
    pub imports: Vec<String>,
    /// Folders that the loader searches for its libraries, and others where they usually are.
    pub search: Vec<PathBuf>,
}

/// Reads a linked file.
///
/// # Errors
/// If it is not a linked ELF file, or if what it carries is damaged.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Carried, Error> {
    let not_program = |kind| Error::NotProgram { path: path.to_owned(), kind };
    if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") {
        return Err(not_program("a static library"));
    }
    if !bytes.starts_with(elf::MAGIC) {
        return Err(Error::NeitherNor { path: path.to_owned() });
    }
    let elf = elf::parse(bytes).map_err(|error| Error::NotElf { path: path.to_owned(), reason: error.to_string() })?;
    if elf.elf_header().e_type(LittleEndian) == ET_REL {
        return Err(not_program("an object file"));
    }
    let damaged = |reason: String| Error::Damaged { path: path.to_owned(), reason };
    let mut frames = Vec::new();
    for section in elf::sections_named(&elf, frame::SECTION) {
        let read = frame::read(section).map_err(|error| damaged(error.to_string()))?;
        frames.extend(read.into_iter().map(|frame| OwnedFrame {
            is_bitcode: frame.kind == frame::Kind::Bitcode,
            name: frame.name,
            payload: frame.payload.to_vec(),
        }));
    }
    let dynamic = Dynamic::of(&elf);
    // Of several, the last was added last.
    let section = elf::sections_named(&elf, record::SECTION).pop();
    let is_guessed = section.is_none();
    let mut search = dynamic.search_folders(path);
    let link = match section {
        Some(section) => LinkRecord::decode(section).map_err(|error| match error {
            RecordError::Version => Error::OtherVersion { path: path.to_owned() },
            other => damaged(other.to_string()),
        })?,
        None => guess(path, &elf, &dynamic, &search),
    };
    search.extend(link.items.iter().filter_map(|item| match item {
        Item::SearchPath(folder) => Some(PathBuf::from(folder)),
        _ => None,
    }));
    let (functions, exports, imports) = (count_functions(&elf), exports(&elf), imports(&elf));
    Ok(Carried { frames, link, is_guessed, functions, exports, imports, search })
}

fn exports(elf: &Elf<'_>) -> Vec<String> {
    let defined = elf.dynamic_symbols().filter(|symbol| symbol.is_definition());
    defined.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
}

fn imports(elf: &Elf<'_>) -> Vec<String> {
    let undefined = elf.dynamic_symbols().filter(|symbol| symbol.is_undefined());
    undefined.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
}

/// What every program starts with, and what nobody wrote.
const START_CODE: [&str; 2] = ["_start", "_dl_relocate_static_pie"];

/// How many functions there are; those of the start code are none, and most of them say so by having no size.
fn count_functions(elf: &Elf<'_>) -> Option<usize> {
    elf.symbol_table()?;
    let is_start_code = |name: &str| START_CODE.contains(&name);
    let functions = elf.symbols().filter(|symbol| {
        let is_code = symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.size() > 0;
        is_code && !symbol.name().is_ok_and(is_start_code)
    });
    Some(functions.count())
}

/// Finds a shared library: where it was, or else by its name where the loader would look.
pub fn find_library(recorded: &Path, search: &[PathBuf]) -> Option<PathBuf> {
    let name = recorded.file_name()?;
    let places = std::iter::once(recorded.to_owned()).chain(search.iter().map(|folder| folder.join(name)));
    places.into_iter().find(|path| path.is_file())
}

/// What the loader is told.
#[derive(Default)]
struct Dynamic {
    needed: Vec<String>,
    run_paths: Vec<String>,
    is_library: bool,
}

impl Dynamic {
    fn of(elf: &Elf<'_>) -> Self {
        let mut dynamic = Self::default();
        let endian = LittleEndian;
        let (Ok(sections), data) = (elf.elf_header().sections(endian, elf.data()), elf.data()) else { return dynamic };
        let has_interpreter = elf.elf_program_headers().iter().any(|header| header.p_type(endian) == PT_INTERP);
        let Ok(Some((entries, strings))) = sections.dynamic(endian, data) else { return dynamic };
        let Ok(strings) = sections.strings(endian, data, strings) else { return dynamic };
        for entry in entries {
            let text = || entry.string(endian, strings).map(|text| String::from_utf8_lossy(text).into_owned()).ok();
            match entry.tag(endian) {
                DT_NEEDED => dynamic.needed.extend(text()),
                DT_RPATH | DT_RUNPATH => {
                    dynamic.run_paths.extend(text().iter().flat_map(|paths| paths.split(':').map(str::to_owned)));
                }
                DT_SONAME => dynamic.is_library = true,
                _ => {}
            }
        }
        dynamic.is_library |= !has_interpreter;
        dynamic
    }

    fn search_folders(&self, path: &Path) -> Vec<PathBuf> {
        let origin = path.parent().unwrap_or(Path::new("")).to_owned();
        let own = origin.to_string_lossy();
        let expand = |folder: &String| PathBuf::from(folder.replace("${ORIGIN}", &own).replace("$ORIGIN", &own));
        let mut folders: Vec<PathBuf> = self.run_paths.iter().map(expand).collect();
        folders.extend(std::env::var_os("LD_LIBRARY_PATH").iter().flat_map(std::env::split_paths));
        folders.extend([origin.join(".libs"), origin]);
        folders
    }
}

/// A link record for a file that was linked by something else than `provoke cc`.
fn guess(path: &Path, elf: &Elf<'_>, dynamic: &Dynamic, search: &[PathBuf]) -> LinkRecord {
    let endian = LittleEndian;
    let is_fixed = elf.elf_header().e_type(endian) == ET_EXEC;
    let is_dynamic = elf.elf_program_headers().iter().any(|header| header.p_type(endian) == PT_DYNAMIC);
    let output = match (is_fixed, is_dynamic) {
        (true, true) => Output::FixedPosition,
        (true, false) => Output::Static,
        (false, _) if dynamic.is_library && !dynamic.needed.is_empty() => Output::SharedLibrary,
        (false, _) if dynamic.needed.is_empty() => Output::StaticPositionIndependent,
        (false, _) => Output::PositionIndependent,
    };
    let is_standard = |library: &&String| STANDARD.iter().any(|prefix| library.starts_with(prefix));
    let is_cxx = dynamic.needed.iter().any(|library| library.starts_with("libstdc++") || library.starts_with("libc++"));
    let mut items = vec![Item::Program];
    for library in dynamic.needed.iter().filter(|library| !is_standard(library)) {
        let argument = format!("-l:{library}");
        let found = search.iter().map(|folder| folder.join(library)).find(|path| path.is_file());
        items.push(match found.map(|path| (survey::look(&path), crate::paths::text(path))) {
            Some((Input::SharedLibrary { carries: true }, path)) => Item::Folded { path, argument },
            Some((_, path)) => Item::Library(path),
            None => Item::Library(argument),
        });
    }
    LinkRecord {
        directory: path.parent().map(crate::paths::text).unwrap_or_default(),
        language: if is_cxx { Language::Cxx } else { Language::C },
        output,
        linker: None,
        items,
    }
}
