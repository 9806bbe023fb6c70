//! Inputs of a run, as bytes.

use serde::{Deserialize, Serialize};
use trace::layout::PartKind;

/// An input: all its parts, in the order in which a trace names them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// The parts.
    pub parts: Vec<Part>,
}

/// One part of an input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// How the program gets it.
    pub source: Source,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// How a program gets a part of its input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Source {
    /// From its standard input.
    Stdin,
    /// From the file that `@@` stands for; the last component of its path is kept.
    File(String),
    /// From memory that it named with `provoke_make_symbolic`: the name, with `#2`, `#3`… for further uses of it.
    Buffer(String),
}

impl Source {
    /// The source that a trace describes by a kind and a name.
    pub fn new(kind: PartKind, name: &str) -> Source {
        match kind {
            PartKind::Stdin => Source::Stdin,
            PartKind::File => Source::File(name.to_owned()),
            PartKind::Buffer => Source::Buffer(name.to_owned()),
        }
    }
}

impl Input {
    /// An input that comes from standard input alone.
    pub fn stdin(bytes: impl Into<Vec<u8>>) -> Input {
        Input { parts: vec![Part { source: Source::Stdin, bytes: bytes.into() }] }
    }

    /// Contents of the standard input, if there is one.
    pub(crate) fn standard_input(&self) -> Option<&[u8]> {
        self.parts.iter().find(|part| part.source == Source::Stdin).map(|part| part.bytes.as_slice())
    }

    /// Name and contents of the file, if there is one.
    pub(crate) fn file(&self) -> Option<(&str, &[u8])> {
        self.parts.iter().find_map(|part| match &part.source {
            Source::File(name) => Some((name.as_str(), part.bytes.as_slice())),
            Source::Stdin | Source::Buffer(_) => None,
        })
    }

    /// Names and contents of the buffers.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.source {
            Source::Buffer(name) => Some((name.as_str(), part.bytes.as_slice())),
            Source::Stdin | Source::File(_) => None,
        })
    }
}
