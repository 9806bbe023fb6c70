//! Adding sections to finished ELF files, and reading them.
//!
//! New sections go behind everything that is there, followed by a new section header table; the ELF header is
//! pointed to it last, by one write. No byte that a linker or loader looks at moves, and a process that dies in between
//! leaves the file as it was, with unused bytes at its end.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;

use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection};

/// A 64-bit little-endian ELF file in memory.
pub type Elf<'a> = ElfFile64<'a, LittleEndian>;

/// A section to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewSection<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its contents.
    pub contents: &'a [u8],
}

/// What every ELF file starts with.
pub const MAGIC: &[u8] = b"\x7fELF";

const HEADER_SIZE: usize = 64;
const ENTRY_SIZE: usize = 64;
/// Section numbers from here on don't fit the 16-bit fields of the ELF header.
const FIRST_RESERVED: usize = 0xff00;
/// What the ELF header says when the number of the name section is in section 0's `sh_link`.
const NUMBER_ELSEWHERE: u16 = 0xffff;
/// A multiple of the alignment of [`crate::frame`]s.
const SECTION_ALIGNMENT: u64 = 16;

/// Adds sections (`SHT_PROGBITS`, not loaded) to an ELF file.
///
/// # Errors
/// If the file can't be read or written, or is not a 64-bit little-endian ELF file with section headers; it is not
/// changed then.
pub fn add_sections(file: &File, sections: &[NewSection<'_>]) -> Result<()> {
    let size = file.metadata()?.len();
    let mut header = [0; HEADER_SIZE];
    file.read_exact_at(&mut header, 0).map_err(|_| broken("too short for an ELF header"))?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Err(broken("no 64-bit little-endian ELF file"));
    }
    let mut table = SectionTable::read(file, &header, size)?;
    let mut end = size;
    for section in sections {
        end = end.next_multiple_of(SECTION_ALIGNMENT);
        file.write_all_at(section.contents, end)?;
        table.add(section, end);
        end += section.contents.len() as u64;
    }
    file.write_all_at(&table.names, end)?;
    let names_offset = end;
    end = (end + table.names.len() as u64).next_multiple_of(8);
    table.place_names(names_offset);
    table.describe(&mut header, end);
    file.write_all_at(&table.entries, end)?;
    file.write_all_at(&header, 0)
}

fn broken(reason: &'static str) -> Error {
    Error::new(ErrorKind::InvalidData, reason)
}

/// The section headers, and the names that they refer to.
struct SectionTable {
    entries: Vec<u8>,
    names: Vec<u8>,
    names_index: usize,
}

impl SectionTable {
    fn read(file: &File, header: &[u8; HEADER_SIZE], size: u64) -> Result<Self> {
        let offset = get64(header, 0x28);
        let entry_size = get16(header, 0x3a);
        let mut count = usize::from(get16(header, 0x3c));
        let mut names_index = usize::from(get16(header, 0x3e));
        if offset == 0 || usize::from(entry_size) != ENTRY_SIZE {
            return Err(broken("no section headers"));
        }
        let first = read_range(file, offset, ENTRY_SIZE as u64, size)?;
        if count == 0 {
            count = usize::try_from(get64(&first, 0x20)).map_err(|_| broken("too many sections"))?;
        }
        if names_index == usize::from(NUMBER_ELSEWHERE) {
            names_index = get32(&first, 0x28) as usize;
        }
        let length = count.checked_mul(ENTRY_SIZE).ok_or_else(|| broken("too many sections"))?;
        let entries = read_range(file, offset, length as u64, size)?;
        if names_index == 0 || names_index >= count {
            return Err(broken("no section with the names of the sections"));
        }
        let names_entry = &entries[names_index * ENTRY_SIZE..][..ENTRY_SIZE];
        let names = read_range(file, get64(names_entry, 0x18), get64(names_entry, 0x20), size)?;
        Ok(Self { entries, names, names_index })
    }

    fn add(&mut self, section: &NewSection<'_>, offset: u64) {
        let mut entry = [0; ENTRY_SIZE];
        put32(&mut entry, 0x00, self.names.len() as u32);
        put32(&mut entry, 0x04, object::elf::SHT_PROGBITS);
        put64(&mut entry, 0x18, offset);
        put64(&mut entry, 0x20, section.contents.len() as u64);
        put64(&mut entry, 0x30, SECTION_ALIGNMENT);
        self.entries.extend_from_slice(&entry);
        self.names.extend_from_slice(section.name.as_bytes());
        self.names.push(0);
    }

    fn place_names(&mut self, offset: u64) {
        let length = self.names.len() as u64;
        let entry = &mut self.entries[self.names_index * ENTRY_SIZE..][..ENTRY_SIZE];
        put64(entry, 0x18, offset);
        put64(entry, 0x20, length);
    }

    fn describe(&mut self, header: &mut [u8; HEADER_SIZE], offset: u64) {
        let count = self.entries.len() / ENTRY_SIZE;
        put64(header, 0x28, offset);
        match u16::try_from(count) {
            Ok(small) if count < FIRST_RESERVED => put16(header, 0x3c, small),
            _ => {
                put16(header, 0x3c, 0);
                put64(&mut self.entries, 0x20, count as u64);
            }
        }
    }
}

fn read_range(file: &File, offset: u64, length: u64, size: u64) -> Result<Vec<u8>> {
    if offset.checked_add(length).is_none_or(|end| end > size) {
        return Err(broken("headers point behind the end of the file"));
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| broken("too large"))?];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

// Offsets below are constants within headers whose size was checked when they were read.

fn get16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn get32(bytes: &[u8], at: usize) -> u32 {
    u32::from(get16(bytes, at)) | u32::from(get16(bytes, at + 2)) << 16
}

fn get64(bytes: &[u8], at: usize) -> u64 {
    u64::from(get32(bytes, at)) | u64::from(get32(bytes, at + 4)) << 32
}

fn put16(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

fn put32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn put64(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// Parses an ELF file.
///
/// # Errors
/// If it is not one.
pub fn parse(bytes: &[u8]) -> std::result::Result<Elf<'_>, object::Error> {
    Elf::parse(bytes)
}

/// The contents of all sections of that name; there are several where one was added to a linked file.
pub fn sections_named<'a>(elf: &Elf<'a>, name: &str) -> Vec<&'a [u8]> {
    let named = elf.sections().filter(|section| section.name_bytes().is_ok_and(|found| found == name.as_bytes()));
    named.filter_map(|section| section.data().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

    /// The smallest ELF file with section headers: the empty section and the names.
    fn minimal() -> Vec<u8> {
        let names = b"\0.shstrtab\0";
        let mut bytes = vec![0; HEADER_SIZE];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[6] = 1;
        put16(&mut bytes, 0x10, object::elf::ET_REL);
        put16(&mut bytes, 0x12, object::elf::EM_X86_64);
        put32(&mut bytes, 0x14, 1);
        put64(&mut bytes, 0x28, 80);
        put16(&mut bytes, 0x34, 64);
        put16(&mut bytes, 0x3a, 64);
        put16(&mut bytes, 0x3c, 2);
        put16(&mut bytes, 0x3e, 1);
        bytes.extend_from_slice(names);
        bytes.resize(80 + 2 * ENTRY_SIZE, 0);
        let entry = &mut bytes[80 + ENTRY_SIZE..];
        put32(entry, 0, 1);
        put32(entry, 4, object::elf::SHT_STRTAB);
        put64(entry, 0x18, 64);
        put64(entry, 0x20, names.len() as u64);
        bytes
    }

    fn add(bytes: &[u8], sections: &[NewSection<'_>]) -> (Result<()>, Vec<u8>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let result = add_sections(file.as_file(), sections);
        (result, std::fs::read(file.path()).unwrap())
    }

    #[test]
    fn added_sections_are_found_again() {
        let first = NewSection { name: ".one", contents: b"first" };
        let (result, once) = add(&minimal(), &[first]);
        result.unwrap();
        let second = NewSection { name: ".one", contents: b"second" };
        let (result, twice) = add(&once, &[second, NewSection { name: ".two", contents: b"" }]);
        result.unwrap();
        let elf = parse(&twice).unwrap();
        assert_eq!(sections_named(&elf, ".one"), [b"first".as_slice(), b"second"]);
        assert_eq!(sections_named(&elf, ".two"), [b""]);
        assert_eq!(elf.sections().count(), 4);
    }

    #[test]
    fn section_numbers_can_exceed_sixteen_bits() {
        let many = vec![NewSection { name: ".n", contents: b"" }; FIRST_RESERVED + 10];
        let (result, bytes) = add(&minimal(), &many);
        result.unwrap();
        let (result, bytes) = add(&bytes, &[NewSection { name: ".last", contents: b"here" }]);
        result.unwrap();
        assert_eq!(sections_named(&parse(&bytes).unwrap(), ".last"), [b"here"]);
    }

    proptest! {
        #[test]
        fn broken_files_are_errors_and_stay_as_they_are(
            changes in prop::collection::vec((0usize..208, any::<u8>()), 1..6), keep in 0usize..209
        ) {
            let mut bytes = minimal();
            for (at, byte) in changes {
                bytes[at] = byte;
            }
            bytes.truncate(keep);
            let (result, after) = add(&bytes, &[NewSection { name: ".x", contents: b"x" }]);
            if result.is_err() {
                prop_assert_eq!(after, bytes);
            }
        }
    }
}
