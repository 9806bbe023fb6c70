//! The test cases of KLEE: all parts of an input in one file, each with a name.

use std::fs;
use std::io;
use std::path::Path;

use replay::{Input, Part, Source};

use super::{Corpus, item_input, put};

const MAGIC: &[u8; 5] = b"KTEST";
const VERSION: u32 = 3;
/// The name that KLEE gives to standard input, and behind the letter of a file to its contents.
const STDIN: &str = "stdin";
const FILE: &str = "A-data";

pub(super) fn write(folder: &Path, corpus: &Corpus) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut number = 0;
    let mut next = || {
        number += 1;
        format!("test{number:06}")
    };
    for item in &corpus.queue {
        put(&folder.join(next() + ".ktest"), &encode(&item_input(item)))?;
    }
    for found in corpus.found {
        let name = next();
        put(&folder.join(format!("{name}.ktest")), &encode(&found.input))?;
        let text = format!("Error: {}\n", found.violation.message);
        put(&folder.join(format!("{name}.{}.err", found.violation.rule)), text.as_bytes())?;
    }
    Ok(())
}

/// An input as a test case.
fn encode(input: &Input) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let number = |value: u32, bytes: &mut Vec<u8>| bytes.extend(value.to_be_bytes());
    // No arguments, and none of them symbolic.
    for value in [VERSION, 0, 0, 0, input.parts.len() as u32] {
        number(value, &mut bytes);
    }
    for part in &input.parts {
        let name = match &part.source {
            Source::File(_) => FILE.to_owned(),
            source => source.name(),
        };
        for piece in [name.as_bytes(), &part.bytes] {
            number(piece.len() as u32, &mut bytes);
            bytes.extend(piece);
        }
    }
    bytes
}

/// The input in a test case; nothing if it is none. `file` is the name of the input file, if the program has one.
pub fn decode(bytes: &[u8], file: Option<&str>) -> Option<Input> {
    let mut rest = Rest { bytes: bytes.strip_prefix(MAGIC)? };
    if rest.number()? > VERSION {
        return None;
    }
    for _ in 0..rest.number()? {
        rest.piece()?;
    }
    // About symbolic arguments.
    rest.number()?;
    rest.number()?;
    let mut parts = Vec::new();
    for _ in 0..rest.number()? {
        let (name, bytes) = (String::from_utf8_lossy(rest.piece()?).into_owned(), rest.piece()?.to_vec());
        let source = match file {
            _ if name == STDIN => Source::Stdin,
            // What KLEE says about files beside their contents.
            _ if name.ends_with("-stat") || name == "model_version" => continue,
            Some(file) if name.ends_with("-data") => Source::File(file.to_owned()),
            _ => Source::Buffer(name),
        };
        parts.push(Part { source, bytes });
    }
    // In the order in which a run has them.
    parts.sort_by_key(|part| match part.source {
        Source::File(_) => 0,
        Source::Stdin => 1,
        _ => 2,
    });
    Some(Input { parts })
}

struct Rest<'a> {
    bytes: &'a [u8],
}

impl<'a> Rest<'a> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn piece(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let (piece, rest) = self.bytes.split_at_checked(length as usize)?;
        self.bytes = rest;
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> Input {
        let part = |source, bytes: &[u8]| Part { source, bytes: bytes.to_vec() };
        Input {
            parts: vec![
                part(Source::File("x.gz".to_owned()), b"abc"),
                part(Source::Stdin, b""),
                part(Source::Buffer("n".to_owned()), &[0, 1]),
            ],
        }
    }

    #[test]
    fn inputs_come_back_as_they_were() {
        assert_eq!(decode(&encode(&input()), Some("x.gz")), Some(input()));
    }

    #[test]
    fn anything_else_is_none() {
        let whole = encode(&input());
        assert!((0..whole.len()).all(|length| decode(&whole[..length], None).is_none()));
        assert_eq!(decode(b"GIF89a", None), None);
    }
}
