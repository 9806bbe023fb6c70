//! Inputs in the forms of those who handle them.

use replay::{Input, Part, Source};

const STDIN: u8 = 0;
const FILE: u8 = 1;
const BUFFER: u8 = 2;

/// An input as a campaign keeps it.
pub fn to_store(input: &Input) -> store::Input {
    let part = |part: &Part| {
        let (kind, name) = match &part.source {
            Source::Stdin => (STDIN, "stdin"),
            Source::File(name) => (FILE, name.as_str()),
            Source::Buffer(name) => (BUFFER, name.as_str()),
        };
        store::Part { kind, name: name.to_owned(), bytes: part.bytes.clone() }
    };
    store::Input { parts: input.parts.iter().map(part).collect() }
}

/// An input that a campaign kept.
pub fn from_store(input: &store::Input) -> Input {
    let part = |part: &store::Part| {
        let source = match part.kind {
            STDIN => Source::Stdin,
            FILE => Source::File(part.name.clone()),
            _ => Source::Buffer(part.name.clone()),
        };
        Part { source, bytes: part.bytes.clone() }
    };
    Input { parts: input.parts.iter().map(part).collect() }
}

/// The input without its buffers, if they are as in `original`: then the program makes them the same again.
pub fn without_same_buffers(input: Input, original: &Input) -> Input {
    let is_changed = |(part, other): (&Part, &Part)| matches!(part.source, Source::Buffer(_)) && part != other;
    if input.parts.iter().zip(&original.parts).any(is_changed) {
        return input;
    }
    Input { parts: input.parts.into_iter().filter(|part| !matches!(part.source, Source::Buffer(_))).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(source: Source, bytes: &[u8]) -> Part {
        Part { source, bytes: bytes.to_vec() }
    }

    #[test]
    fn inputs_come_back_as_they_were() {
        let parts = vec![
            part(Source::File("a/b.gz".into()), b"x"),
            part(Source::Stdin, b""),
            part(Source::Buffer("n#2".into()), b"yz"),
        ];
        let input = Input { parts };
        assert_eq!(from_store(&to_store(&input)), input);
    }

    #[test]
    fn buffers_that_stay_the_same_are_left_out() {
        let with = |stdin: &[u8], buffer: &[u8]| Input {
            parts: vec![part(Source::Stdin, stdin), part(Source::Buffer("n".into()), buffer)],
        };
        let original = with(b"a", b"b");
        assert_eq!(without_same_buffers(with(b"c", b"b"), &original), Input::stdin("c"));
        assert_eq!(without_same_buffers(with(b"a", b"c"), &original), with(b"a", b"c"));
    }
}
