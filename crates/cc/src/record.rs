//! The link record: how a program was linked, so that it can be linked again with other code.
//!
//! It follows the linker's own command line, item by item, because that is exact: order, defaults and everything that
//! the compiler driver added are there. Inputs without bitcode are kept with their contents where they belong to the
//! program, and by path where they belong to the system.

use serde::{Deserialize, Serialize};

use crate::{Language, checksum};

/// Name of the section that holds the record.
pub const SECTION: &str = ".provoke.link";

const NAME: &[u8] = b"PVKLINK";
const VERSION: u8 = 2;

/// What was linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Output {
    /// A program at a place of the loader's choice.
    PositionIndependent,
    /// A program at a fixed place.
    FixedPosition,
    /// A program without shared libraries, at a place of its own choice.
    StaticPositionIndependent,
    /// A program without shared libraries, at a fixed place.
    Static,
    /// A shared library.
    SharedLibrary,
}

/// One item of the linker's command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Item {
    /// Words that are repeated as they are.
    Option(Vec<String>),
    /// An option whose value is a file, a version script for example.
    File {
        /// What stands before the value; with `=` at its end if in one word.
        option: String,
        /// Name of the file.
        name: String,
        /// Contents of the file.
        contents: Vec<u8>,
    },
    /// A folder with libraries.
    SearchPath(String),
    /// A file of the toolchain, such as `crt1.o`.
    Toolchain(String),
    /// Here stood the first input; here the code made from bitcode goes.
    Program,
    /// An object without bitcode.
    Object {
        /// Its path, when it was linked.
        name: String,
        /// The object.
        contents: Vec<u8>,
    },
    /// An archive of which some members have bitcode.
    Archive {
        /// Its path, when it was linked.
        name: String,
        /// Members without bitcode.
        members: Vec<(String, Vec<u8>)>,
    },
    /// A library without bitcode: `-lname` or a path.
    Library(String),
    /// A shared library with bitcode, which a view folds in.
    Folded {
        /// Its path, when it was linked.
        path: String,
        /// How it was named to the linker.
        argument: String,
    },
}

/// How a program or a shared library was linked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Working directory of the link.
    pub directory: String,
    /// Which driver linked.
    pub language: Language,
    /// What came out.
    pub output: Output,
    /// The linker, and with it the fact that `items` are its whole command line. Without, the items are a guess from
    /// the finished program, and the compiler driver has to add startup files and standard libraries.
    pub linker: Option<String>,
    /// The command line.
    pub items: Vec<Item>,
}

/// Why a record could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// One of another version.
    #[error("link record of another version")]
    Version,
    /// Something else.
    #[error("no link record")]
    Other,
    /// Cut off or changed.
    #[error("the checksum of the link record is wrong")]
    Changed,
    /// Made otherwise.
    #[error("link record: {0}")]
    Encoding(#[from] postcard::Error),
}

impl LinkRecord {
    /// The contents of the section.
    ///
    /// # Errors
    /// If the record cannot be encoded, which no record made here causes.
    pub fn encode(&self) -> Result<Vec<u8>, RecordError> {
        let encoded = postcard::to_extend(self, Vec::new())?;
        Ok([NAME, &[VERSION], &checksum::of(&[&encoded]), &encoded].concat())
    }

    /// Reads the contents of the section.
    ///
    /// # Errors
    /// If they are no record.
    pub fn decode(section: &[u8]) -> Result<Self, RecordError> {
        let (version, bytes) = section.strip_prefix(NAME).and_then(<[u8]>::split_first).ok_or(RecordError::Other)?;
        if *version != VERSION {
            return Err(RecordError::Version);
        }
        let (checksum, encoded) = bytes.split_at_checked(checksum::SIZE).ok_or(RecordError::Changed)?;
        if checksum::of(&[encoded]) != checksum {
            return Err(RecordError::Changed);
        }
        Ok(postcard::from_bytes(encoded)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example() -> LinkRecord {
        LinkRecord {
            directory: "/build".into(),
            language: Language::Cxx,
            output: Output::Static,
            linker: Some("/usr/bin/ld".into()),
            items: vec![
                Item::Option(vec!["-z".into(), "now".into()]),
                Item::Program,
                Item::Archive { name: "liba.a".into(), members: vec![("m.o".into(), vec![1, 2, 3])] },
                Item::Library("-lm".into()),
            ],
        }
    }

    #[test]
    fn records_are_read_back() {
        let record = example();
        assert_eq!(LinkRecord::decode(&record.encode().unwrap()), Ok(record));
        assert_eq!(LinkRecord::decode(b"something else"), Err(RecordError::Other));
        assert_eq!(LinkRecord::decode(b"PVKLINK"), Err(RecordError::Other));
        assert_eq!(LinkRecord::decode(b"PVKLINK\x01and what was there"), Err(RecordError::Version));
    }

    proptest! {
        #[test]
        fn damaged_records_are_errors_and_nothing_else(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = example().encode().unwrap();
            let index = at.index(bytes.len());
            let is_same = std::mem::replace(&mut bytes[index], byte) == byte;
            prop_assert_eq!(LinkRecord::decode(&bytes).is_ok(), is_same);
        }
    }
}
