//! The test cases of KLEE: all parts of an input in one file, each with a name.

use std::io;
use std::path::Path;

use replay::{Input, Part, Source};

use super::{Corpus, Folder, item_input};

const MAGIC: &[u8; 5] = b"KTEST";
const VERSION: u32 = 3;
/// The name that KLEE gives to standard input; behind the letter of a file, to its contents; and before the number of an argument.
const STDIN: &str = "stdin";
const FILE: &str = "-data";
const ARGUMENT: &str = "arg";
/// What KLEE has no name for.
const VARIABLE: &str = "env:";

pub(super) fn write(folder: &Path, corpus: &Corpus) -> io::Result<()> {
    let mut folder = Folder::make(folder.to_owned(), corpus.moment)?;
    let mut number = 0;
    let mut next = || {
        number += 1;
        format!("test{number:06}")
    };
    for item in &corpus.queue {
        folder.put(next() + ".ktest", &encode(&item_input(item)))?;
    }
    for found in corpus.found {
        let name = next();
        folder.put(format!("{name}.ktest"), &encode(&found.input))?;
        let text = format!("Error: {}\n", found.violation.message);
        folder.put(format!("{name}.{}.err", found.violation.rule), text.as_bytes())?;
    }
    folder.finish(|name| name.starts_with("test") && (name.ends_with(".ktest") || name.ends_with(".err")))
}

/// What KLEE would call a part; `file` is the number of a file.
fn name(source: &Source, file: usize) -> String {
    match source {
        Source::Stdin => STDIN.to_owned(),
        Source::File(_) => {
            let letter = u8::try_from(file).ok().and_then(|file| b'A'.checked_add(file)).unwrap_or(b'Z');
            format!("{}{FILE}", char::from(letter))
        }
        Source::Argument(number) => format!("{ARGUMENT}{:02}", number.saturating_sub(1)),
        Source::Variable(name) => format!("{VARIABLE}{name}"),
        Source::Channel(channel) => channel.name().to_owned(),
        Source::Buffer(name) => name.clone(),
    }
}

/// An input as a test case.
fn encode(input: &Input) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let number = |value: u32, bytes: &mut Vec<u8>| bytes.extend(value.to_be_bytes());
    // No arguments, and none of them symbolic.
    for value in [VERSION, 0, 0, 0, input.parts.len() as u32] {
        number(value, &mut bytes);
    }
    for (name, part) in names(input).into_iter().zip(&input.parts) {
        for piece in [name.as_bytes(), &part.bytes] {
            number(piece.len() as u32, &mut bytes);
            bytes.extend(piece);
        }
    }
    bytes
}

/// The names of an input's parts.
fn names(input: &Input) -> Vec<String> {
    let mut files = 0;
    let one = |part: &Part| {
        let name = name(&part.source, files);
        files += usize::from(matches!(part.source, Source::File(_)));
        name
    };
    input.parts.iter().map(one).collect()
}

/// The input in a test case; nothing if it is none. `given` is what the command line says of inputs: what its parts are, and the
/// contents of arguments and variables that the test case does not name.
pub fn decode(bytes: &[u8], given: &Input) -> Option<Input> {
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
    let known: Vec<(String, &Part)> = names(given).into_iter().zip(&given.parts).collect();
    let mut parts: Vec<Part> = Vec::new();
    for _ in 0..rest.number()? {
        let (name, bytes) = (String::from_utf8_lossy(rest.piece()?).into_owned(), rest.piece()?.to_vec());
        let source = match known.iter().find(|(known, _)| *known == name) {
            Some((_, part)) => part.source.clone(),
            None if name == STDIN => Source::Stdin,
            // What KLEE says about files beside their contents.
            None if name.ends_with("-stat") || name == "model_version" => continue,
            None => Source::Buffer(name),
        };
        parts.push(Part { source, bytes });
    }
    let is_a_string = |part: &&Part| matches!(part.source, Source::Argument(_) | Source::Variable(_));
    for part in given.parts.iter().filter(is_a_string) {
        if !parts.iter().any(|named| named.source == part.source) {
            parts.push(part.clone());
        }
    }
    // In the order in which a run has them.
    parts.sort_by_key(|part| match part.source {
        Source::File(_) => (0, 0),
        Source::Stdin => (1, 0),
        Source::Channel(_) => (2, 0),
        Source::Argument(number) => (3, number),
        Source::Variable(_) => (4, 0),
        Source::Buffer(_) => (5, 0),
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
                part(Source::File("y".to_owned()), b"d"),
                part(Source::Stdin, b""),
                part(Source::Argument(2), b"-v"),
                part(Source::Variable("HOME".to_owned()), b"/"),
                part(Source::Buffer("n".to_owned()), &[0, 1]),
            ],
        }
    }

    #[test]
    fn inputs_come_back_as_they_were() {
        assert_eq!(decode(&encode(&input()), &input()), Some(input()));
    }

    #[test]
    fn what_the_program_does_not_take_is_memory() {
        let mut given = input();
        given.parts.retain(|part| !matches!(part.source, Source::Argument(_)));
        let back = decode(&encode(&input()), &given).unwrap();
        assert_eq!(back.bytes_of(&Source::Buffer("arg01".to_owned())), Some(&b"-v"[..]));
    }

    #[test]
    fn arguments_that_are_not_named_stay() {
        let mut without = input();
        without.parts.retain(|part| !matches!(part.source, Source::Argument(_)));
        assert_eq!(decode(&encode(&without), &input()), Some(input()));
    }

    #[test]
    fn anything_else_is_none() {
        let whole = encode(&input());
        let none = Input::default();
        assert!((0..whole.len()).all(|length| decode(&whole[..length], &none).is_none()));
        assert_eq!(decode(b"GIF89a", &none), None);
    }
}
