//! From tokens to syntax, by recursive descent; operators by their precedence.

use std::rc::Rc;

use crate::parse::lexer::Token;
use crate::parse::{MAX_DEPTH, ParseError, scope};
use crate::span::Span;
use crate::syntax::{Binary, Expr, ExprKind, Extern, Lambda, Literal, Mode, Name, Program, Unary};
use crate::types::{Sign, Type};

pub(super) struct Parser<'t> {
    tokens: &'t [(Token, Span)],
    at: usize,
    end: Span,
    depth: usize,
    lambdas: u32,
}

/// An expression and how deeply it is nested.
struct Nested {
    expr: Expr,
    depth: usize,
}

type Parsed<T> = Result<T, ParseError>;

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

    // Tokens.

    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    fn last_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end, |(_, span)| *span)
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        let found = self.peek().map_or("the end of the program".to_owned(), Token::describe);
        ParseError::new(self.span(), format!("expected {wanted}, found {found}"))
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol)
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Keyword(found)) if *found == keyword);
        self.at += usize::from(found);
        found
    }

    fn expect_symbol(&mut self, symbol: &str, wanted: &str) -> Parsed<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    fn expect_keyword(&mut self, keyword: &str, wanted: &str) -> Parsed<()> {
        if self.eat_keyword(keyword) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    fn name(&mut self, wanted: &str) -> Parsed<(Name, Span)> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let span = self.span();
                self.at += 1;
                Ok((name.clone(), span))
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    // Nesting.

    fn too_deep(&self) -> ParseError {
        ParseError::new(self.span(), format!("nested more than {MAX_DEPTH} levels deep"))
            .help("bind a part of it to a variable")
    }

    /// Runs a parser one level further down.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = crate::with_stack(|| parse(self));
        self.depth -= 1;
        result
    }

    /// An expression made of parts. Chains of operators are parsed by loops, so their depth is counted here.
    fn node(&self, start: Span, kind: ExprKind, parts: impl IntoIterator<Item = usize>) -> Parsed<Nested> {
        let depth = 1 + parts.into_iter().max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        Ok(Nested { expr: Expr { kind, span: start.to(self.last_span()) }, depth })
    }

    // Expressions.

    /// `e; e; e`, where the last `;` may stand before a closing token.
    fn sequence(&mut self) -> Parsed<Nested> {
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

    // Types.

    fn ty(&mut self) -> Parsed<Type> {
        self.nested(|parser| {
            let mut ty = parser.plain_type()?;
            let mut depth = 0;
            while parser.eat_keyword("ref") {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(parser.too_deep());
                }
                ty = ty.reference();
            }
            if parser.eat_symbol("->") { Ok(Type::Fun(Rc::new(ty), Rc::new(parser.ty()?))) } else { Ok(ty) }
        })
    }

    fn plain_type(&mut self) -> Parsed<Type> {
        let Some(token) = self.peek() else { return Err(self.unexpected("a type")) };
        let sign = match token {
            Token::Keyword("pos") => Some(Sign::Pos),
            Token::Keyword("neg") => Some(Sign::Neg),
            Token::Keyword("zero") => Some(Sign::Zero),
            Token::Keyword("unknown") => Some(Sign::Unknown),
            _ => None,
        };
        if let Some(sign) = sign {
            self.at += 1;
            self.expect_keyword("int", "`int`: signs are for integers")?;
            return Ok(Type::Int(sign));
        }
        let ty = match token {
            Token::Keyword("int") => Type::INT,
            Token::Keyword("bool") => Type::Bool,
            Token::Keyword("string") => Type::String,
            Token::Keyword("float") => Type::Float,
            Token::Keyword("unit") => Type::Unit,
            Token::Symbol("(") => {
                self.at += 1;
                let ty = self.ty()?;
                self.expect_symbol(")", "`)`")?;
                return Ok(ty);
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.at += 1;
        Ok(ty)
    }
}
