//! The parser's place in the tokens, and whole programs.

use crate::parse::lexer::Token;
use crate::parse::{MAX_DEPTH, ParseError};
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Extern, Name, Program};

pub(super) struct Parser<'t> {
    pub tokens: &'t [(Token, Span)],
    pub at: usize,
    end: Span,
    depth: usize,
    /// Functions so far.
    pub lambdas: u32,
}

/// An expression and how deeply it is nested.
pub(super) struct Nested {
    pub expr: Expr,
    pub depth: usize,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    pub fn new(length: usize, tokens: &'t [(Token, Span)]) -> Parser<'t> {
        Parser { tokens, at: 0, end: Span { start: length, end: length }, depth: 0, lambdas: 0 }
    }

    pub fn program(&mut self) -> Parsed<Program> {
        let mut externs = Vec::new();
        while self.eat_keyword("extern") {
            let (name, span) = self.name("the name of what is defined elsewhere")?;
            self.expect_symbol(":", "`:` and a type")?;
            let ty = self.ty()?;
            self.expect_keyword("in", "`in` and the rest of the program")?;
            externs.push(Extern { name, ty, span });
        }
        let body = self.sequence()?.expr;
        match self.peek() {
            None => Ok(Program { externs, body }),
            Some(token) => {
                Err(ParseError::new(self.span(), format!("{} after the end of the program", token.describe()))
                    .help("put `;` between expressions, or parentheses around them"))
            }
        }
    }

    pub fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    pub fn last_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end, |(_, span)| *span)
    }

    pub fn unexpected(&self, wanted: &str) -> ParseError {
        let found = self.peek().map_or("the end of the program".to_owned(), Token::describe);
        ParseError::new(self.span(), format!("expected {wanted}, found {found}"))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol)
    }

    pub fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    pub fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Keyword(found)) if *found == keyword);
        self.at += usize::from(found);
        found
    }

    pub fn expect_symbol(&mut self, symbol: &str, wanted: &str) -> Parsed<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    pub fn expect_keyword(&mut self, keyword: &str, wanted: &str) -> Parsed<()> {
        if self.eat_keyword(keyword) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    pub fn name(&mut self, wanted: &str) -> Parsed<(Name, Span)> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let span = self.span();
                self.at += 1;
                Ok((name.clone(), span))
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    pub fn too_deep(&self) -> ParseError {
        ParseError::new(self.span(), format!("nested more than {MAX_DEPTH} levels deep"))
            .help("each operator is a level, in a chain such as `a + b + c` too: bind a part of it to a variable")
    }

    /// Runs a parser one level further down.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = crate::with_stack(|| parse(self));
        self.depth -= 1;
        result
    }

    /// An expression made of parts. Chains of operators are parsed by loops, so their depth is counted here.
    pub fn node(&self, start: Span, kind: ExprKind, parts: impl IntoIterator<Item = usize>) -> Parsed<Nested> {
        let depth = 1 + parts.into_iter().max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        Ok(Nested { expr: Expr { kind, span: start.to(self.last_span()) }, depth })
    }
}
