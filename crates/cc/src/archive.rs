//! Static libraries.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, ObjectReader, write_archive_to_stream};
use object::read::archive::ArchiveFile;

static READER: ObjectReader = DEFAULT_OBJECT_READER;

/// A member of an archive.
pub struct Member {
    /// Its name.
    pub name: String,
    /// The file.
    pub contents: Vec<u8>,
}

/// The members of an archive; those of a thin archive are read from where it says they are. Members that cannot be read
/// are left out: the linker has complained about them, if it needed them.
pub fn members(path: &Path, bytes: &[u8]) -> Vec<Member> {
    let Ok(archive) = ArchiveFile::parse(bytes) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = |member: object::read::archive::ArchiveMember<'_>| {
        let contents = if archive.is_thin() {
            std::fs::read(folder.join(OsStr::from_bytes(member.name()))).ok()?
        } else {
            member.data(bytes).ok()?.to_vec()
        };
        Some(Member { name: String::from_utf8_lossy(member.name()).into_owned(), contents })
    };
    archive.members().filter_map(|member| read(member.ok()?)).collect()
}

/// What the symbol table of an archive lists; nothing if there is none.
pub fn symbols(path: &Path) -> HashSet<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let table = ArchiveFile::parse(bytes.as_slice()).ok().and_then(|archive| archive.symbols().ok().flatten());
    let names = table.into_iter().flatten().flatten();
    names.map(|symbol| String::from_utf8_lossy(symbol.name()).into_owned()).collect()
}

/// Writes an archive with its symbol table.
///
/// # Errors
/// If the file can't be written.
pub fn write<'a>(path: &Path, members: impl Iterator<Item = (&'a str, &'a [u8])>) -> Result<()> {
    let members: Vec<_> =
        members.map(|(name, contents)| NewArchiveMember::new(contents, &READER, name.to_owned())).collect();
    let mut file = BufWriter::new(File::create(path)?);
    write_archive_to_stream(&mut file, &members, ArchiveKind::Gnu, false, Some(false))?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.a");
        let long = "a name that is longer than sixteen bytes.o";
        write(&path, [("a.o", b"first".as_slice()), (long, b"second")].into_iter()).unwrap();
        let members = members(&path, &std::fs::read(&path).unwrap());
        let found: Vec<_> = members.iter().map(|member| (member.name.as_str(), member.contents.as_slice())).collect();
        assert_eq!(found, [("a.o", b"first".as_slice()), (long, b"second")]);
    }
}
