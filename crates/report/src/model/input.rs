//! Inputs of the program under test.

use serde::{Deserialize, Serialize};

use super::Bytes;

/// Bytes of a part that a report keeps. Reports are read by people and uploaded; the whole input is in the file that
/// [`Part::saved`] names.
pub const KEPT: usize = 64 << 10;

/// The input that makes the program fail.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// Its parts.
    pub parts: Vec<Part>,
}

/// One part of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// `stdin`, a file's name, `argv[1]`, or the name that the program gave to a buffer.
    pub name: String,
    /// What it is.
    pub kind: PartKind,
    /// Length in bytes.
    pub length: u64,
    /// The bytes, up to [`KEPT`] of them.
    pub contents: Bytes,
    /// Where all of it was saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
}

impl Part {
    /// A part with these bytes that is not saved anywhere.
    pub fn new(name: impl Into<String>, kind: PartKind, bytes: &[u8]) -> Part {
        let kept = bytes.get(..KEPT).unwrap_or(bytes);
        Part { name: name.into(), kind, length: bytes.len() as u64, contents: kept.into(), saved: None }
    }

    /// Whether [`Part::contents`] is only the beginning.
    pub fn is_cut(&self) -> bool {
        (self.contents.0.len() as u64) < self.length
    }
}

/// What a part of an input is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// Standard input.
    Stdin,
    /// A file.
    File,
    /// An argument of the program.
    Argument,
    /// An environment variable.
    Environment,
    /// Memory that the program made symbolic.
    Buffer,
}

impl PartKind {
    /// As it is printed.
    pub const fn name(self) -> &'static str {
        match self {
            PartKind::Stdin => "standard input",
            PartKind::File => "file",
            PartKind::Argument => "argument",
            PartKind::Environment => "environment variable",
            PartKind::Buffer => "buffer",
        }
    }
}

impl From<trace::layout::PartKind> for PartKind {
    fn from(kind: trace::layout::PartKind) -> PartKind {
        match kind {
            trace::layout::PartKind::File | trace::layout::PartKind::Socket | trace::layout::PartKind::Folder => {
                PartKind::File
            }
            trace::layout::PartKind::Stdin => PartKind::Stdin,
            trace::layout::PartKind::Buffer | trace::layout::PartKind::String => PartKind::Buffer,
            // A length is a number about an argument or a file; nobody sees it as a part of its own.
            trace::layout::PartKind::Argument | trace::layout::PartKind::Length => PartKind::Argument,
            trace::layout::PartKind::Variable => PartKind::Environment,
        }
    }
}

/// One byte in which the input differs from the one it was made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Name of the part.
    pub part: String,
    /// Which byte, from 0.
    pub offset: u64,
    /// What it was; nothing if it was added behind the end.
    pub from: Option<u8>,
    /// What it is; nothing if the input ends before it.
    pub to: Option<u8>,
}

/// Changes that can be told in one sentence: neighbours that were all changed, added or removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stretch<'a> {
    /// The changes; never empty.
    changes: &'a [Change],
}

impl<'a> Stretch<'a> {
    /// Divides changes, which are in order within each part.
    pub(crate) fn of(changes: &'a [Change]) -> impl Iterator<Item = Stretch<'a>> {
        let same = |a: &Change, b: &Change| {
            a.part == b.part
                && a.offset.checked_add(1) == Some(b.offset)
                && a.from.is_some() == b.from.is_some()
                && a.to.is_some() == b.to.is_some()
        };
        changes.chunk_by(same).map(|changes| Stretch { changes })
    }

    /// The sentence: "change byte 7 of stdin from 0x41 'A' to 0xff".
    pub(crate) fn sentence(&self) -> String {
        let [first, ..] = self.changes else { return String::new() };
        let part = crate::escape::visible(&first.part);
        let bytes = match self.changes {
            [_] => format!("byte {} of {part}", first.offset),
            [.., last] => format!("bytes {} to {} of {part}", first.offset, last.offset),
            [] => return String::new(),
        };
        let from: Vec<u8> = self.changes.iter().filter_map(|change| change.from).collect();
        let to: Vec<u8> = self.changes.iter().filter_map(|change| change.to).collect();
        match (from.is_empty(), to.is_empty()) {
            (false, false) => format!("change {bytes} from {} to {}", values(&from), values(&to)),
            (true, false) => format!("add {bytes}: {}", values(&to)),
            (false, true) => format!("remove {bytes}: {}", values(&from)),
            (true, true) => format!("look at {bytes}"),
        }
    }
}

/// Values that are shown of a stretch; the rest is in the file.
const SHOWN: usize = 16;

fn values(bytes: &[u8]) -> String {
    let shown = bytes.get(..SHOWN).unwrap_or(bytes);
    let more = if shown.len() < bytes.len() { " …" } else { "" };
    let digits: Vec<String> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
    match shown {
        [byte @ b'!'..=b'~'] => format!("0x{byte:02x} '{}'", char::from(*byte)),
        [byte] => format!("0x{byte:02x}"),
        _ if shown.iter().all(|byte| matches!(byte, b' '..=b'~')) => {
            format!("{} \"{}\"{more}", digits.join(" "), String::from_utf8_lossy(shown).escape_debug())
        }
        _ => format!("{}{more}", digits.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(offset: u64, from: Option<u8>, to: Option<u8>) -> Change {
        Change { part: "stdin".into(), offset, from, to }
    }

    fn sentences(changes: &[Change]) -> Vec<String> {
        Stretch::of(changes).map(|stretch| stretch.sentence()).collect()
    }

    #[test]
    fn changes_are_sentences() {
        let changes = [
            change(7, Some(b'A'), Some(0xff)),
            change(9, Some(0), Some(b'n')),
            change(10, Some(1), Some(b'o')),
            change(11, None, Some(0)),
        ];
        assert_eq!(
            sentences(&changes),
            [
                "change byte 7 of stdin from 0x41 'A' to 0xff",
                "change bytes 9 to 10 of stdin from 00 01 to 6e 6f \"no\"",
                "add byte 11 of stdin: 0x00",
            ]
        );
        assert_eq!(sentences(&[change(3, Some(b'\n'), None)]), ["remove byte 3 of stdin: 0x0a"]);
    }

    #[test]
    fn long_stretches_are_cut() {
        let changes: Vec<Change> = (0..40).map(|offset| change(offset, Some(0), Some(1))).collect();
        let [sentence] = sentences(&changes).try_into().unwrap();
        assert!(sentence.starts_with("change bytes 0 to 39 of stdin from 00 00") && sentence.ends_with("01 …"));
    }

    #[test]
    fn offsets_may_be_anything() {
        assert_eq!(sentences(&[change(u64::MAX, Some(0), None), change(0, Some(0), None)]).len(), 2);
    }

    #[test]
    fn large_parts_are_cut() {
        let part = Part::new("stdin", PartKind::Stdin, &vec![7; KEPT + 1]);
        assert_eq!((part.length, part.contents.0.len()), (KEPT as u64 + 1, KEPT));
        assert!(part.is_cut());
        assert!(!Part::new("stdin", PartKind::Stdin, b"abc").is_cut());
    }
}
