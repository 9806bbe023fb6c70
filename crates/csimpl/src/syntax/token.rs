//! Words and signs.

use num_bigint::BigInt;

use crate::source::{Diagnostic, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Word(String),
    Int(BigInt),
    Sign(&'static str),
    End,
}

impl Token {
    /// How an error message names it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(number) => format!("`{number}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// Longer ones first, so that `<=` is not read as `<`.
const SIGNS: [&str; 29] = [
    ":=", "<=", ">=", "==", "!=", "&&", "||", "=>", ":", ";", ",", "(", ")", "{", "}", "<", ">", "+", "-", "*", "/",
    "%", "^", "!", "|", "&", "=", "[", "]",
];

/// Reading a number takes time that is quadratic in its length, and nobody writes one this long.
const LONGEST_LITERAL: usize = 1_000;

pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let skipped = blank(rest);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let (token, length) = token(rest, at)?;
        found.push((token, Span { start: at, end: at + length }));
        at += length;
    }
    found.push((Token::End, Span { start: at, end: at }));
    Ok(found)
}

/// The length of white space and of a comment at the start.
fn blank(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    rest.len() - rest.trim_start().len()
}

fn token(rest: &str, at: usize) -> Result<(Token, usize), Diagnostic> {
    let length = |accept: fn(char) -> bool| rest.find(|c: char| !accept(c)).unwrap_or(rest.len());
    let Some(first) = rest.chars().next() else { return Ok((Token::End, 0)) };
    if first.is_ascii_alphabetic() || first == '_' {
        let length = length(|c| c.is_ascii_alphanumeric() || c == '_');
        return Ok((Token::Word(rest.get(..length).unwrap_or_default().to_owned()), length));
    }
    if first.is_ascii_digit() {
        let length = length(|c| c.is_ascii_alphanumeric() || c == '_');
        return number(rest.get(..length).unwrap_or_default(), at);
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => {
            let span = Span { start: at, end: at + first.len_utf8() };
            Err(Diagnostic::new(span, format!("`{}` means nothing here", first.escape_debug()), "this character"))
        }
    }
}

fn number(text: &str, at: usize) -> Result<(Token, usize), Diagnostic> {
    let span = Span { start: at, end: at + text.len() };
    if text.len() > LONGEST_LITERAL {
        let message = format!("a number with more than {LONGEST_LITERAL} digits");
        return Err(Diagnostic::new(span, message, "this number").help("write it as a power, `2^64` for example"));
    }
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(number) => Ok((Token::Int(number), text.len())),
        None => Err(Diagnostic::new(span, format!("`{text}` is not a number"), "here")
            .help("numbers are decimal, or hexadecimal after `0x`; a name starts with a letter")),
    }
}
