//! Conditions as words and signs.

use crate::parse::ConditionError;
use crate::place::step_end;

/// What a condition is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Name(String),
    Number(u64),
    Sign(&'static str),
}

/// Longer ones first: `<` is the beginning of `<=`.
const SIGNS: [&str; 16] = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")"];

/// Nobody writes longer ones by hand; what is nested in a formula of this size fits on every stack.
const MOST_TOKENS: usize = 1000;

/// Splits a text into tokens, each with the place of its first character, from 1.
pub(crate) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ConditionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text[..text.len() - rest.len()].chars().count() + 1;
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, length) = if is_word(first) {
            let mut length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if first.is_ascii_digit() {
                (number(&rest[..length], at)?, length)
            } else {
                while let Some(step) = step_end(&rest[length..]) {
                    length += step;
                }
                (Token::Name(rest[..length].to_owned()), length)
            }
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return Err(ConditionError::new(at, format!("`{first}` has no meaning in a condition")));
        };
        if tokens.len() == MOST_TOKENS {
            return Err(ConditionError::new(at, "the condition is too long".to_owned()));
        }
        tokens.push((at, token));
        rest = &rest[length..];
    }
}

/// A number as C writes it. Endings for types mean nothing here.
fn number(word: &str, at: usize) -> Result<Token, ConditionError> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hexadecimal, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.map(Token::Number).map_err(|error| {
        use std::num::IntErrorKind::PosOverflow;
        let reason = if *error.kind() == PosOverflow { "is larger than any integer of C" } else { "is no number" };
        ConditionError::new(at, format!("`{word}` {reason}"))
    })
}
