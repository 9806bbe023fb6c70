//! The input of a run as one container: named parts with their bytes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::{Deserialize, Serialize};
use trace::layout::{LENGTH_BYTES, LONGEST_STRING, PartKind, STRING_FILL};
use trace::reader::InputPart;

use crate::channel::Channel;

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
    /// From a file that `@@` stands for; the last component of its path is kept.
    File(String),
    /// From memory that it named with `provoke_make_symbolic`: the name, with `#2`, `#3`… for further uses of it.
    Buffer(String),
    /// As the argument with this number; the program's name has number 0.
    Argument(usize),
    /// As the value of the environment variable with this name.
    Variable(String),
    /// From a part of the system that a file stands in for.
    Channel(Channel),
}

impl Source {
    /// The source that a trace describes; nothing for what is no part of its own.
    pub fn of(part: &InputPart) -> Option<Source> {
        Some(match part.kind {
            PartKind::Stdin => Source::Stdin,
            PartKind::File => Source::File(part.name.clone()),
            PartKind::Buffer => Source::Buffer(part.name.clone()),
            PartKind::Argument => Source::Argument(usize::try_from(part.inode).ok()?),
            PartKind::Variable => Source::Variable(part.name.clone()),
            PartKind::Socket => Source::Channel(Channel::Socket),
            PartKind::Folder => Source::Channel(Channel::Folder),
            PartKind::Length | PartKind::String => return None,
        })
    }

    /// What people call it.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::Channel(channel) => channel.name().to_owned(),
            Source::File(name) => name.rsplit('/').next().unwrap_or(name).to_owned(),
            Source::Buffer(name) | Source::Variable(name) => name.clone(),
            Source::Argument(number) => format!("argv[{number}]"),
        }
    }
}

impl Input {
    /// An input that comes from standard input alone.
    pub fn stdin(bytes: impl Into<Vec<u8>>) -> Input {
        Input { parts: vec![Part { source: Source::Stdin, bytes: bytes.into() }] }
    }

    /// The input that the parts of a trace with these contents stand for. A length is no part of its own: it says how much
    /// of another part there is.
    pub fn of_trace(parts: &[InputPart], contents: &[Vec<u8>]) -> Input {
        let length_of = |index: usize| {
            let about = |part: &&InputPart| part.kind == PartKind::Length && part.inode == index as u64;
            let bytes = parts.iter().zip(contents).find(|(part, _)| about(part)).map(|(_, bytes)| bytes)?;
            let number =
                bytes.iter().take(LENGTH_BYTES as usize).rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            usize::try_from(number).ok()
        };
        let mut result = Vec::new();
        for (index, (part, bytes)) in parts.iter().zip(contents).enumerate() {
            let Some(source) = Source::of(part) else { continue };
            let mut bytes = bytes.clone();
            let is_string = matches!(source, Source::Argument(_) | Source::Variable(_));
            if let Some(length) = length_of(index) {
                let most = if is_string { LONGEST_STRING as usize } else { usize::MAX };
                let fill = bytes.get(..length).unwrap_or(&bytes).last().copied().unwrap_or(STRING_FILL);
                bytes.resize(length.min(most), fill);
            }
            if is_string && let Some(end) = bytes.iter().position(|byte| *byte == 0) {
                // The system would end it there.
                bytes.truncate(end);
            }
            result.push(Part { source, bytes });
        }
        Input { parts: result }
    }

    /// The contents of a part.
    pub fn bytes_of(&self, source: &Source) -> Option<&[u8]> {
        self.parts.iter().find(|part| part.source == *source).map(|part| part.bytes.as_slice())
    }

    /// Contents of the standard input, if there is one.
    pub fn standard_input(&self) -> Option<&[u8]> {
        self.bytes_of(&Source::Stdin)
    }

    /// Names and contents of the files.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.source {
            Source::File(name) => Some((name.as_str(), part.bytes.as_slice())),
            _ => None,
        })
    }

    /// What stands in for parts of the system.
    pub fn channels(&self) -> impl Iterator<Item = (Channel, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.source {
            Source::Channel(channel) => Some((*channel, part.bytes.as_slice())),
            _ => None,
        })
    }

    /// Names and contents of the buffers.
    pub fn buffers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.source {
            Source::Buffer(name) => Some((name.as_str(), part.bytes.as_slice())),
            _ => None,
        })
    }

    /// Names and values of environment variables.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        self.parts.iter().filter_map(|part| match &part.source {
            Source::Variable(name) => Some((name.as_str(), OsStr::from_bytes(&part.bytes))),
            _ => None,
        })
    }

    /// The arguments of a program with those of the input in their places.
    pub fn arguments(&self, args: &[OsString]) -> Vec<OsString> {
        let mut args = args.to_vec();
        for part in &self.parts {
            if let Source::Argument(number) = part.source
                && let Some(place) = number.checked_sub(1).and_then(|index| args.get_mut(index))
            {
                *place = OsString::from_vec(part.bytes.clone());
            }
        }
        args
    }

    /// Whether what the program is started with depends on the input: not only what it reads later.
    pub fn is_at_start(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.source, Source::Argument(_) | Source::Variable(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: PartKind, name: &str, inode: u64, len: u64) -> InputPart {
        InputPart { kind, name: name.to_owned(), device: 0, inode, len }
    }

    #[test]
    fn lengths_cut_and_extend() {
        let parts = [part(PartKind::Argument, "argv[2]", 2, 67), part(PartKind::Length, "length", 0, 4)];
        let with = |length: u32| {
            let contents = [b"abcdef".to_vec(), length.to_le_bytes().to_vec()];
            Input::of_trace(&parts, &contents).parts.remove(0)
        };
        assert_eq!(with(3).bytes, b"abc");
        assert_eq!(with(9).bytes, b"abcdeffff");
        assert_eq!(with(9).source, Source::Argument(2));
        assert_eq!(with(u32::MAX).bytes.len() as u64, LONGEST_STRING);
    }

    #[test]
    fn strings_end_at_a_zero_byte() {
        let parts = [part(PartKind::Variable, "HOME", 0, 4), part(PartKind::Stdin, "stdin", 0, 4)];
        let input = Input::of_trace(&parts, &[b"a\0bc".to_vec(), b"a\0bc".to_vec()]);
        assert_eq!(input.variables().collect::<Vec<_>>(), [("HOME", OsStr::new("a"))]);
        assert_eq!(input.standard_input(), Some(b"a\0bc".as_slice()));
    }

    #[test]
    fn arguments_take_their_places() {
        let input = Input { parts: vec![Part { source: Source::Argument(2), bytes: b"x".to_vec() }] };
        assert_eq!(input.arguments(&["a".into(), "b".into()]), ["a", "x"]);
        assert_eq!(input.arguments(&["a".into()]), ["a"]);
    }
}
