//! Places in a program's text.

use serde::Serialize;

/// A stretch of source text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One after the last byte.
    pub end: usize,
}

impl Span {
    /// From the start of one span to the end of another.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}
