//! Places in the source, and what is said about them.

use thiserror::Error;

/// A stretch of the source, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// From the start of one to the end of the other.
    pub fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end.max(self.start) }
    }
}

/// Something that is wrong with the source.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to say right there.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Something that is wrong.
    pub fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), span, label: label.into(), help: None }
    }

    /// With what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Where the lines of a text start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(text: &'a str) -> Lines<'a> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { text, starts: std::iter::once(0).chain(ends.map(|(index, _)| index + 1)).collect() }
    }

    /// Line and column of a byte, both counted from 1; the column in characters.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index)).copied().unwrap_or(0);
        let before = self.text.get(start..byte.min(self.text.len())).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "é = 1;\nx\n";
        let lines = Lines::new(text);
        assert_eq!(lines.position(0), (1, 1));
        assert_eq!(lines.position(2), (1, 2));
        assert_eq!(lines.position(text.find('x').unwrap()), (2, 1));
        assert_eq!(lines.position(text.len()), (3, 1));
        assert_eq!(lines.position(1_000), (3, 1));
    }
}
