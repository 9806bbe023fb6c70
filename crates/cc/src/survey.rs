//! What an input of the linker is, and whether it carries frames.

use std::path::Path;

use object::elf::{ET_DYN, ET_EXEC, ET_REL};
use object::{LittleEndian, Object, ObjectSection, ReadCache, ReadRef};

use crate::archive::{self, Member};
use crate::frame;

/// An input of the linker.
pub enum Input {
    /// An object file.
    Object {
        /// It carries frames.
        carries: bool,
        /// The file.
        contents: Vec<u8>,
    },
    /// A shared library.
    SharedLibrary {
        /// It carries frames.
        carries: bool,
    },
    /// A static library.
    Archive {
        /// Some member carries frames.
        carries: bool,
        /// Members that are objects and carry none.
        bare: Vec<Member>,
    },
    /// Something else: a linker script, or nothing that can be read.
    Other,
}

/// Looks at a file.
pub fn look(path: &Path) -> Input {
    let Ok(file) = std::fs::File::open(path) else { return Input::Other };
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Input::Other;
    }
    let cache = ReadCache::new(file);
    let Ok(length) = cache.len() else { return Input::Other };
    let magic = cache.read_bytes_at(0, length.min(8)).unwrap_or_default();
    if magic == b"!<arch>\n" || magic == b"!<thin>\n" {
        return std::fs::read(path).map_or(Input::Other, |bytes| look_into_archive(path, &bytes));
    }
    // A shared library may be large, and only its headers matter: what is not asked for is not read.
    match Kind::of(&cache) {
        Some(Kind::SharedLibrary) => Input::SharedLibrary { carries: carries(&cache) },
        Some(Kind::Object) => std::fs::read(path)
            .map_or(Input::Other, |contents| Input::Object { carries: carries(contents.as_slice()), contents }),
        None => Input::Other,
    }
}

fn look_into_archive(path: &Path, bytes: &[u8]) -> Input {
    let objects = archive::members(path, bytes);
    let objects = objects.into_iter().filter(|member| Kind::of(member.contents.as_slice()) == Some(Kind::Object));
    let (carrying, bare): (Vec<_>, Vec<_>) = objects.partition(|member| carries(member.contents.as_slice()));
    Input::Archive { carries: !carrying.is_empty(), bare }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Object,
    SharedLibrary,
}

impl Kind {
    fn of<'data>(bytes: impl ReadRef<'data>) -> Option<Self> {
        let header = bytes.read_bytes_at(0, 18).ok()?;
        if !header.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        match u16::from_le_bytes([*header.get(16)?, *header.get(17)?]) {
            ET_REL => Some(Self::Object),
            // A linker refuses a program as input, so ET_EXEC is here for completeness only.
            ET_DYN | ET_EXEC => Some(Self::SharedLibrary),
            _ => None,
        }
    }
}

/// True if an ELF file has frames.
fn carries<'data>(bytes: impl ReadRef<'data>) -> bool {
    let Ok(file) = object::read::elf::ElfFile64::<LittleEndian, _>::parse(bytes) else { return false };
    let named = |name: &[u8]| name == frame::SECTION.as_bytes();
    file.sections().any(|section| section.name_bytes().is_ok_and(named) && section.size() > 0)
}
