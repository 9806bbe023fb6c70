//! Inputs in the forms of those who handle them.

use replay::{Channel, Input, Part, Source};

const STDIN: u8 = 0;
const FILE: u8 = 1;
const BUFFER: u8 = 2;
const ARGUMENT: u8 = 3;
const VARIABLE: u8 = 4;
const CHANNEL: u8 = 5;

/// An input as a campaign keeps it.
pub fn to_store(input: &Input) -> store::Input {
    let part = |part: &Part| {
        let (kind, name) = match &part.source {
            Source::Stdin => (STDIN, "stdin".to_owned()),
            Source::File(name) => (FILE, name.clone()),
            Source::Buffer(name) => (BUFFER, name.clone()),
            Source::Argument(number) => (ARGUMENT, number.to_string()),
            Source::Variable(name) => (VARIABLE, name.clone()),
            Source::Channel(channel) => (CHANNEL, channel.name().to_owned()),
        };
        store::Part { kind, name, bytes: part.bytes.clone() }
    };
    store::Input { parts: input.parts.iter().map(part).collect() }
}

/// An input that a campaign kept.
pub fn from_store(input: &store::Input) -> Input {
    let part = |part: &store::Part| {
        let source = match part.kind {
            STDIN => Source::Stdin,
            FILE => Source::File(part.name.clone()),
            ARGUMENT => Source::Argument(part.name.parse().unwrap_or(0)),
            VARIABLE => Source::Variable(part.name.clone()),
            kind => match Channel::named(&part.name).filter(|_| kind == CHANNEL) {
                Some(channel) => Source::Channel(channel),
                None => Source::Buffer(part.name.clone()),
            },
        };
        Part { source, bytes: part.bytes.clone() }
    };
    Input { parts: input.parts.iter().map(part).collect() }
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
            part(Source::Argument(3), b"-x"),
            part(Source::Variable("HOME".into()), b"/"),
            part(Source::Channel(Channel::Folder), b"a\nb\n"),
        ];
        let input = Input { parts };
        assert_eq!(from_store(&to_store(&input)), input);
    }
}
