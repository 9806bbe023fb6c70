//! Text to tokens.

/// A token and where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub at: usize,
    pub kind: TokenKind<'a>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'a> {
    Open,
    Close,
    /// Everything between blanks and brackets that is not quoted.
    Word(&'a str),
    /// A name between bars, and what follows it directly: `[3]` or `:8`.
    Quoted(String, &'a str),
    /// A quoted name that does not end.
    Unclosed,
}

pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "();|".contains(c)
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(ends_word).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    fn quoted(&mut self) -> TokenKind<'a> {
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((place, c)) = chars.next() {
            match c {
                '|' => {
                    self.at += place + 1;
                    return TokenKind::Quoted(name, self.word());
                }
                '\\' => match chars.next() {
                    Some((_, escaped)) => name.push(escaped),
                    None => break,
                },
                _ => name.push(c),
            }
        }
        self.at = self.text.len();
        TokenKind::Unclosed
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let skipped = rest.len() - rest.trim_start().len();
            self.at += skipped;
            match self.rest().chars().next()? {
                ';' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                first => {
                    let at = self.at;
                    let kind = match first {
                        '(' | ')' => {
                            self.at += 1;
                            if first == '(' { TokenKind::Open } else { TokenKind::Close }
                        }
                        '|' => self.quoted(),
                        _ => TokenKind::Word(self.word()),
                    };
                    return Some(Token { at, kind });
                }
            }
        }
    }
}
