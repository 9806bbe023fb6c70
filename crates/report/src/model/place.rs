//! Places in the source.

use serde::{Deserialize, Serialize};

/// A place in the source. Columns count bytes from 1, as the compiler does.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// File as the compiler was given it; empty if unknown.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    #[serde(default)]
    pub column: u32,
    /// Line of the end, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// Column behind the last character, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

impl Position {
    /// A place whose end is not known.
    pub fn new(file: impl Into<String>, line: u32, column: u32) -> Position {
        Position { file: file.into(), line, column, end_line: None, end_column: None }
    }

    /// Whether file and line are known.
    pub fn is_known(&self) -> bool {
        !self.file.is_empty() && self.line > 0
    }
}

impl From<&trace::sites::Position> for Position {
    fn from(position: &trace::sites::Position) -> Position {
        Position::new(position.file.clone(), position.line, position.column)
    }
}

/// `file:line:column`, with what is not known left out.
impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Position { file, .. } if file.is_empty() => f.write_str("unknown place"),
            Position { file, line: 0, .. } => f.write_str(file),
            Position { file, line, column: 0, .. } => write!(f, "{file}:{line}"),
            Position { file, line, column, .. } => write!(f, "{file}:{line}:{column}"),
        }
    }
}

/// One call on the stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// Function; empty if unknown.
    pub function: String,
    /// Where in it.
    pub position: Position,
    /// Whether the compiler put the function's code into its caller.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inlined: bool,
}

/// One step of the path that leads to a finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub position: Position,
    /// What happens there.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_left_out() {
        assert_eq!(Position::new("a.c", 3, 9).to_string(), "a.c:3:9");
        assert_eq!(Position::new("a.c", 3, 0).to_string(), "a.c:3");
        assert_eq!(Position::new("a.c", 0, 0).to_string(), "a.c");
        assert_eq!(Position::default().to_string(), "unknown place");
    }
}
