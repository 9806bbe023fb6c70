//! From text to syntax.

mod expression;
mod lexer;
mod parser;
mod scope;
mod types;

use thiserror::Error;

use self::parser::Parser;
use crate::span::Span;
use crate::syntax::Program;

/// How deeply a program may be nested. Nobody writes 500 levels by hand, and everything that walks over a program may
/// rely on it.
pub const MAX_DEPTH: usize = 500;
/// The longest program that is read, in bytes.
pub const MAX_LENGTH: usize = 1 << 20;

/// A text that is no program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct ParseError {
    /// Where it stops being one.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ParseError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> ParseError {
        ParseError { span, message: message.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> ParseError {
        ParseError { help: Some(help.into()), ..self }
    }
}

/// Reads a program, and makes sure that its variables are bound and its nesting is bounded.
pub fn parse(source: &str) -> Result<Program, ParseError> {
    if source.len() > MAX_LENGTH {
        let span = Span { start: MAX_LENGTH, end: MAX_LENGTH };
        return Err(ParseError::new(span, "the program is too long").help("programs may have up to a million bytes"));
    }
    let tokens = lexer::tokens(source)?;
    let program = Parser::new(source.len(), &tokens).program()?;
    scope::check(&program)?;
    Ok(program)
}

#[cfg(test)]
mod tests;
