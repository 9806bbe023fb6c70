//! From text to tokens.

use std::rc::Rc;

use crate::parse::ParseError;
use crate::span::Span;

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Int(u64),
    Float(f64),
    String(Rc<str>),
    Name(Rc<str>),
    Keyword(&'static str),
    Symbol(&'static str),
}

impl Token {
    /// For messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Int(_) | Token::Float(_) => "a number".to_owned(),
            Token::String(_) => "a string".to_owned(),
            Token::Name(name) => format!("`{name}`"),
            Token::Keyword(word) => format!("`{word}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
        }
    }
}

const KEYWORDS: [&str; 25] = [
    "let", "var", "in", "if", "then", "else", "while", "do", "fun", "ref", "not", "true", "false", "extern", "int",
    "bool", "string", "float", "unit", "pos", "neg", "zero", "unknown", "t}", "s}",
];

/// Longer ones before their beginnings.
const SYMBOLS: [&str; 26] = [
    "**", ":=", "<-", "->", "<>", "<=", ">=", "&&", "||", "+", "-", "*", "/", "^", "=", "<", ">", "!", "(", ")", "[",
    "]", ":", ";", "{t", "{s",
];

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\''
}

/// All tokens of a text, with their places.
pub(super) fn tokens(source: &str) -> Result<Vec<(Token, Span)>, ParseError> {
    let mut tokens = Vec::new();
    let mut lexer = Lexer { source, at: 0 };
    while let Some(found) = lexer.next()? {
        tokens.push(found);
    }
    Ok(tokens)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.at }
    }

    /// Moves over what `matches` from the start of the rest, and gives it.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let length = rest.find(|c| !matches(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn next(&mut self) -> Result<Option<(Token, Span)>, ParseError> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let token = match first {
            '"' => self.string()?,
            '0'..='9' => self.number()?,
            c if is_name_start(c) => self.word(),
            _ => self.symbol()?,
        };
        Ok(Some((token, self.span_from(start))))
    }

    /// White space and comments, `(* … *)`, which nest.
    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest().starts_with("(*") {
                return Ok(());
            }
            let start = self.at;
            self.at += 2;
            let mut open = 1u32;
            while open > 0 {
                let rest = self.rest();
                if rest.starts_with("(*") {
                    (open, self.at) = (open + 1, self.at + 2);
                } else if rest.starts_with("*)") {
                    (open, self.at) = (open - 1, self.at + 2);
                } else if let Some(c) = rest.chars().next() {
                    self.at += c.len_utf8();
                } else {
                    let opening = Span { start, end: start + 2 };
                    return Err(ParseError::new(opening, "this comment has no end").help("end it with `*)`"));
                }
            }
        }
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        let word = self.take_while(is_name_part);
        // `t}` and `s}` close blocks, also straight after a space.
        if matches!(word, "t" | "s") && self.rest().starts_with('}') {
            self.at += 1;
            return Token::Keyword(if word == "t" { "t}" } else { "s}" });
        }
        debug_assert!(self.at > start);
        match KEYWORDS.iter().find(|keyword| **keyword == word) {
            Some(keyword) => Token::Keyword(keyword),
            None => Token::Name(word.into()),
        }
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        let fraction = self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if fraction {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
            let text = self.source.get(start..self.at).unwrap_or_default();
            return match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Token::Float(number)),
                _ => Err(ParseError::new(self.span_from(start), "this number is too large")),
            };
        }
        // The largest magnitude is that of the smallest number; whether there is a sign before it, the parser sees.
        match digits.parse::<u64>() {
            Ok(number) if number <= 1 << 63 => Ok(Token::Int(number)),
            _ => Err(ParseError::new(self.span_from(start), "this number is too large")
                .help("integers have 64 bits: -9223372036854775808 to 9223372036854775807")),
        }
    }

    fn string(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut characters = self.rest().chars();
        while let Some(c) = characters.next() {
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(Token::String(text.into())),
                '\n' => break,
                '\\' => {
                    let escaped = characters.next();
                    self.at += escaped.map_or(0, char::len_utf8);
                    text.push(match escaped {
                        Some('n') => '\n',
                        Some('t') => '\t',
                        Some(c @ ('"' | '\\')) => c,
                        _ => {
                            let span = Span { start: self.at - escaped.map_or(0, char::len_utf8) - 1, end: self.at };
                            return Err(ParseError::new(span, "unknown escape")
                                .help("there are `\\n`, `\\t`, `\\\"` and `\\\\`"));
                        }
                    });
                }
                c => text.push(c),
            }
        }
        let opening = Span { start, end: start + 1 };
        Err(ParseError::new(opening, "this string has no end").help("end it with `\"` on the same line"))
    }

    fn symbol(&mut self) -> Result<Token, ParseError> {
        let start = self.at;
        let rest = self.rest();
        // `{t` is a word of its own: `{target` opens no block.
        let opens = |symbol: &str| {
            !symbol.starts_with('{') || !rest.get(symbol.len()..).is_some_and(|after| after.starts_with(is_name_part))
        };
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol) && opens(symbol)) {
            Some(symbol) => {
                self.at += symbol.len();
                Ok(Token::Symbol(symbol))
            }
            None => {
                let c = rest.chars().next().unwrap_or(' ');
                self.at += c.len_utf8();
                let error =
                    ParseError::new(self.span_from(start), format!("`{}` means nothing here", c.escape_debug()));
                Err(match c {
                    '{' | '}' => error.help("blocks are written `{t … t}` and `{s … s}`"),
                    '&' | '|' => error.help("the connectives are `&&` and `||`"),
                    _ => error,
                })
            }
        }
    }
}
