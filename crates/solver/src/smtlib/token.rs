//! SMT-LIB tokens.

/// A token and where it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub at: usize,
    pub kind: TokenKind<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind<'a> {
    Open,
    Close,
    /// A symbol (without its bars), number, keyword or the like.
    Word(&'a str),
    /// A string literal, with its quotes.
    Text(&'a str),
    /// A quoted symbol or string that does not end.
    Unclosed,
}

/// Splits text into tokens.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// What lies between the quote at the current place and the next one.
    fn quoted(&mut self, quote: char) -> Option<&'a str> {
        let inside = self.rest().get(1..)?;
        let end = inside.find(quote)?;
        self.at += end + 2;
        inside.get(..end)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            let at = self.at;
            let kind = match rest.chars().next()? {
                ';' => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                '(' => {
                    self.at += 1;
                    TokenKind::Open
                }
                ')' => {
                    self.at += 1;
                    TokenKind::Close
                }
                '|' => self.quoted('|').map_or(TokenKind::Unclosed, TokenKind::Word),
                '"' => self.quoted('"').map_or(TokenKind::Unclosed, TokenKind::Text),
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "();|\"".contains(c)).unwrap_or(rest.len());
                    self.at += end;
                    TokenKind::Word(rest.get(..end).unwrap_or(""))
                }
            };
            if kind == TokenKind::Unclosed {
                self.at = self.text.len();
            }
            return Some(Token { at, kind });
        }
    }
}

/// The value of `#b101`, `#x41`, or (from the words of `(_ bv65 8)`) `bv65`.
pub(crate) fn literal(word: &str, width: Option<u16>) -> Option<expr::BitVec> {
    let wide =
        |digits: &str, bits: usize| u16::try_from(digits.len() * bits).ok().filter(|w| *w <= expr::MAX_WIDTH && *w > 0);
    if let Some(digits) = word.strip_prefix("#b") {
        return expr::BitVec::parse(wide(digits, 1)?, digits, 2);
    }
    if let Some(digits) = word.strip_prefix("#x") {
        return expr::BitVec::parse(wide(digits, 4)?, digits, 16);
    }
    expr::BitVec::parse(width?, word.strip_prefix("bv")?, 10)
}
