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

/// Line and column of a byte, both counted from 1; the column in characters.
pub fn position(text: &str, byte: usize) -> (usize, usize) {
    let mut before = byte.min(text.len());
    while !text.is_char_boundary(before) {
        before -= 1;
    }
    let before = text.get(..before).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
