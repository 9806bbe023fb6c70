//! Expressions, by recursive descent; operators by their precedence.

use std::rc::Rc;

use crate::parse::lexer::Token;
use crate::parse::parser::{Nested, Parsed, Parser};
use crate::parse::{ParseError, scope};
use crate::span::Span;
use crate::syntax::{Binary, ExprKind, Lambda, Literal, Mode, Name, Unary};
use crate::types::Type;

impl Parser<'_> {
    /// `e; e; e`, where the last `;` may stand before a closing token.
    pub fn sequence(&mut self) -> Parsed<Nested> {
        let start = self.span();
        let first = self.statement()?;
        if !self.is_symbol(";") {
            return Ok(first);
        }
        let (mut depth, mut parts) = (first.depth, vec![first.expr]);
        while self.eat_symbol(";") {
            if matches!(self.peek(), None | Some(Token::Symbol(")") | Token::Keyword("t}" | "s}"))) {
                break;
            }
            let part = self.statement()?;
            depth = depth.max(part.depth);
            parts.push(part.expr);
        }
        match (parts.pop(), parts.is_empty()) {
            (Some(only), true) => Ok(Nested { expr: only, depth }),
            (last, _) => {
                parts.extend(last);
                self.node(start, ExprKind::Sequence(parts), [depth])
            }
        }
    }

    fn statement(&mut self) -> Parsed<Nested> {
        self.nested(|parser| match parser.peek() {
            Some(Token::Keyword("let")) => parser.binding(),
            Some(Token::Keyword("var")) => parser.variable_binding(),
            Some(Token::Keyword("if")) => parser.conditional(),
            Some(Token::Keyword("while")) => parser.repetition(),
            Some(Token::Keyword("fun")) => parser.function(),
            _ => parser.assignment(),
        })
    }

    fn binding(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let (name, _) = self.name("a name to bind")?;
        let parameters = self.parameters()?;
        let annotation = if self.eat_symbol(":") { Some(self.ty()?) } else { None };
        if let (Some(_), Some((_, _, span))) = (&annotation, parameters.last()) {
            return Err(ParseError::new(*span, "the result of a function has no type annotation")
                .help("put it around the function's body: `(… : type)`"));
        }
        self.expect_symbol("=", "`=` and a value")?;
        let value = self.sequence()?;
        let value = self.functions(start, parameters, value)?;
        self.expect_keyword("in", "`in` and what the name is for")?;
        let body = self.sequence()?;
        let kind = ExprKind::Let(name, annotation, Box::new(value.expr), Box::new(body.expr));
        self.node(start, kind, [value.depth, body.depth])
    }

    fn variable_binding(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let (name, _) = self.name("a variable")?;
        self.expect_symbol("=", "`=` and the variable's first value")?;
        let value = self.sequence()?;
        self.expect_keyword("in", "`in` and what the variable is for")?;
        let body = self.sequence()?;
        let kind = ExprKind::Var(name, Box::new(value.expr), Box::new(body.expr));
        self.node(start, kind, [value.depth, body.depth])
    }

    fn conditional(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let condition = self.statement()?;
        self.expect_keyword("then", "`then`")?;
        let yes = self.statement()?;
        let no = if self.eat_keyword("else") {
            self.statement()?
        } else {
            self.node(self.last_span(), ExprKind::Literal(Literal::Unit), [])?
        };
        let depths = [condition.depth, yes.depth, no.depth];
        self.node(start, ExprKind::If(Box::new(condition.expr), Box::new(yes.expr), Box::new(no.expr)), depths)
    }

    fn repetition(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let condition = self.statement()?;
        self.expect_keyword("do", "`do` and what is repeated")?;
        let body = self.statement()?;
        let depths = [condition.depth, body.depth];
        self.node(start, ExprKind::While(Box::new(condition.expr), Box::new(body.expr)), depths)
    }

    fn function(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let parameters = self.parameters()?;
        if parameters.is_empty() {
            return Err(self.unexpected("a parameter"));
        }
        self.expect_symbol("->", "`->` and the function's body")?;
        let body = self.sequence()?;
        self.functions(start, parameters, body)
    }

    /// Parameters: `x`, `(x : type)` or `()`.
    fn parameters(&mut self) -> Parsed<Vec<(Name, Option<Type>, Span)>> {
        let mut parameters = Vec::new();
        loop {
            let span = self.span();
            if let Some(Token::Name(name)) = self.peek() {
                self.at += 1;
                parameters.push((name.clone(), None, span));
            } else if self.eat_symbol("(") {
                if self.eat_symbol(")") {
                    parameters.push(("_".into(), Some(Type::Unit), span.to(self.last_span())));
                    continue;
                }
                let (name, _) = self.name("a parameter")?;
                self.expect_symbol(":", "`:` and the parameter's type")?;
                let ty = self.ty()?;
                self.expect_symbol(")", "`)`")?;
                parameters.push((name, Some(ty), span.to(self.last_span())));
            } else {
                return Ok(parameters);
            }
        }
    }

    /// A function of each parameter in turn around `body`.
    fn functions(&mut self, start: Span, parameters: Vec<(Name, Option<Type>, Span)>, body: Nested) -> Parsed<Nested> {
        let mut whole = body;
        for (parameter, annotation, _) in parameters.into_iter().rev() {
            let captured = scope::captured(&parameter, &whole.expr);
            let lambda = Lambda { id: self.lambdas, parameter, annotation, body: whole.expr, captured };
            self.lambdas += 1;
            whole = self.node(start, ExprKind::Fun(Rc::new(lambda)), [whole.depth])?;
        }
        Ok(whole)
    }

    fn assignment(&mut self) -> Parsed<Nested> {
        let start = self.span();
        if let (Some(Token::Name(name)), Some((Token::Symbol("<-"), _))) = (self.peek(), self.tokens.get(self.at + 1)) {
            self.at += 2;
            let value = self.statement()?;
            return self.node(start, ExprKind::Set(name.clone(), Box::new(value.expr)), [value.depth]);
        }
        let target = self.operators(0)?;
        if !self.eat_symbol(":=") {
            return Ok(target);
        }
        let value = self.statement()?;
        let depths = [target.depth, value.depth];
        self.node(start, ExprKind::Assign(Box::new(target.expr), Box::new(value.expr)), depths)
    }

    fn operator(&self) -> Option<Binary> {
        let Some(Token::Symbol(symbol)) = self.peek() else { return None };
        const ALL: [Binary; 14] = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Div,
            Binary::Pow,
            Binary::Join,
            Binary::Eq,
            Binary::Ne,
            Binary::Lt,
            Binary::Le,
            Binary::Gt,
            Binary::Ge,
            Binary::And,
            Binary::Or,
        ];
        ALL.into_iter().find(|operator| operator.symbol() == *symbol)
    }

    /// Operators that bind more tightly than `above`.
    fn operators(&mut self, above: u8) -> Parsed<Nested> {
        let start = self.span();
        let mut left = self.prefixed()?;
        while let Some(operator) = self.operator().filter(|operator| operator.precedence() > above) {
            self.at += 1;
            // `**` groups to the right, the others to the left.
            let tighter = operator.precedence() - u8::from(operator == Binary::Pow);
            let right = self.nested(|parser| parser.operators(tighter))?;
            let depths = [left.depth, right.depth];
            left = self.node(start, ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr)), depths)?;
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Nested> {
        let start = self.span();
        let below = |parser: &mut Self| parser.nested(Self::prefixed);
        if self.eat_symbol("-") {
            if let Some(Token::Int(magnitude)) = self.peek() {
                self.at += 1;
                let number = Literal::Int((*magnitude as i64).wrapping_neg());
                return self.node(start, ExprKind::Literal(number), []);
            }
            let operand = below(self)?;
            return self.node(start, ExprKind::Unary(Unary::Neg, Box::new(operand.expr)), [operand.depth]);
        }
        if self.eat_keyword("not") {
            let operand = below(self)?;
            return self.node(start, ExprKind::Unary(Unary::Not, Box::new(operand.expr)), [operand.depth]);
        }
        if self.eat_symbol("!") {
            let operand = below(self)?;
            return self.node(start, ExprKind::Deref(Box::new(operand.expr)), [operand.depth]);
        }
        if self.eat_keyword("ref") {
            let cell = if self.eat_symbol("[") {
                let ty = self.ty()?;
                self.expect_symbol("]", "`]`")?;
                Some(ty)
            } else {
                None
            };
            let operand = below(self)?;
            return self.node(start, ExprKind::Ref(cell, Box::new(operand.expr)), [operand.depth]);
        }
        self.application()
    }

    fn application(&mut self) -> Parsed<Nested> {
        let start = self.span();
        let mut function = match self.atom()? {
            Some(atom) => atom,
            None => return Err(self.unexpected("an expression")),
        };
        loop {
            // An argument such as `!x` needs no parentheses.
            let place = self.span();
            let argument = if self.eat_symbol("!") {
                let operand = self.nested(Self::prefixed_atom)?;
                Some(self.node(place, ExprKind::Deref(Box::new(operand.expr)), [operand.depth])?)
            } else {
                self.atom()?
            };
            let Some(argument) = argument else { return Ok(function) };
            let depths = [function.depth, argument.depth];
            let kind = ExprKind::Apply(Box::new(function.expr), Box::new(argument.expr));
            function = self.node(start, kind, depths)?;
        }
    }

    fn prefixed_atom(&mut self) -> Parsed<Nested> {
        let start = self.span();
        if self.eat_symbol("!") {
            let operand = self.nested(Self::prefixed_atom)?;
            return self.node(start, ExprKind::Deref(Box::new(operand.expr)), [operand.depth]);
        }
        match self.atom()? {
            Some(atom) => Ok(atom),
            None => Err(self.unexpected("an expression")),
        }
    }

    fn atom(&mut self) -> Parsed<Option<Nested>> {
        let start = self.span();
        let kind = match self.peek() {
            Some(Token::Int(number)) => match i64::try_from(*number) {
                Ok(number) => ExprKind::Literal(Literal::Int(number)),
                Err(_) => {
                    return Err(ParseError::new(start, "this number is too large")
                        .help("integers have 64 bits: -9223372036854775808 to 9223372036854775807"));
                }
            },
            Some(Token::Float(number)) => ExprKind::Literal(Literal::Float(*number)),
            Some(Token::String(text)) => ExprKind::Literal(Literal::String(text.clone())),
            Some(Token::Keyword("true")) => ExprKind::Literal(Literal::Bool(true)),
            Some(Token::Keyword("false")) => ExprKind::Literal(Literal::Bool(false)),
            Some(Token::Name(name)) => ExprKind::Variable(name.clone()),
            Some(Token::Symbol("(")) => return self.parentheses().map(Some),
            Some(Token::Symbol("{t")) => return self.block(Mode::Typed, "t}").map(Some),
            Some(Token::Symbol("{s")) => return self.block(Mode::Symbolic, "s}").map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        self.node(start, kind, []).map(Some)
    }

    fn parentheses(&mut self) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        if self.eat_symbol(")") {
            return self.node(start, ExprKind::Literal(Literal::Unit), []);
        }
        let mut inner = self.nested(Self::sequence)?;
        if self.eat_symbol(":") {
            let ty = self.ty()?;
            inner = self.node(start, ExprKind::Ascribe(Box::new(inner.expr), ty), [inner.depth])?;
        }
        self.expect_symbol(")", "`)`")?;
        inner.expr.span = start.to(self.last_span());
        Ok(inner)
    }

    fn block(&mut self, mode: Mode, close: &str) -> Parsed<Nested> {
        let start = self.span();
        self.at += 1;
        let inner = self.nested(Self::sequence)?;
        if !self.eat_keyword(close) {
            let error = self.unexpected(&format!("`{close}`"));
            return Err(error.help(format!("a {} block is closed by `{close}`", mode.word())));
        }
        self.node(start, ExprKind::Block(mode, Box::new(inner.expr)), [inner.depth])
    }
}
