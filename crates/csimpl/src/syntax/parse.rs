//! The grammar of files, commands and types.

use super::token::{Token, tokens};
use super::tree::{CastSetTree, CommandTree, ExpressionTree, File, Name, OperandKind, OperandTree, Sequence, TypeTree};
use crate::source::{Diagnostic, Span};

/// How deeply terms may be nested. Functions recurse over them, so the value has to fit the stacks of test threads; the
/// deepest that people write is about ten.
pub(crate) const DEEPEST_TERM: usize = 64;
/// How deeply commands may be nested; a chain of `else if` counts.
const DEEPEST_COMMAND: usize = 128;

/// Words that cannot be names.
const RESERVED: [&str; 13] =
    ["type", "op", "input", "var", "env", "if", "then", "else", "stop", "true", "false", "Int", "Bool"];

/// How the operators that are written between or before operands are called.
const INFIX: [(&str, &str); 13] = [
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "mod"),
    ("==", "eq"),
    ("!=", "ne"),
    ("<", "lt"),
    ("<=", "le"),
    (">", "gt"),
    (">=", "ge"),
    ("&&", "and"),
    ("||", "or"),
];

/// How an operator with this name is written between its operands.
pub(crate) fn infix(name: &str) -> Option<&'static str> {
    INFIX.iter().find(|(_, called)| *called == name).map(|(sign, _)| *sign)
}

pub(crate) type Parsed<T> = Result<T, Diagnostic>;

pub(crate) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    terms: usize,
    commands: usize,
}

/// Parses a file.
pub(crate) fn parse(text: &str) -> Parsed<File> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, terms: 0, commands: 0 };
    let mut declarations = Vec::new();
    while let Some(declaration) = parser.declaration()? {
        declarations.push(declaration);
    }
    let commands = parser.sequence()?;
    if parser.peek() != &Token::End {
        return Err(parser.after_end(&commands));
    }
    Ok(File { declarations, commands })
}

impl Parser {
    pub(crate) fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::default(), |(_, span)| *span)
    }

    pub(crate) fn last_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(Span::default(), |(_, span)| *span)
    }

    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(there) if *there == sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(there) if there == word)
    }

    pub(crate) fn take_sign(&mut self, sign: &str) -> bool {
        let there = self.is_sign(sign);
        self.at += usize::from(there);
        there
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    pub(crate) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.peek().describe());
        Diagnostic::new(self.span(), message, format!("expected {what}"))
    }

    pub(crate) fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek() {
            Token::Word(word) if RESERVED.contains(&word.as_str()) => {
                let message = format!("expected {what}, found the reserved word `{word}`");
                Err(Diagnostic::new(span, message, "this word has a meaning of its own"))
            }
            Token::Word(word) => {
                let text = word.clone();
                self.at += 1;
                Ok(Name { text, span })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Runs a part of the grammar of terms one level deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.terms >= DEEPEST_TERM {
            return Err(too_deep(self.span()));
        }
        self.terms += 1;
        let result = parse(self);
        self.terms -= 1;
        result
    }

    /// Things with commas between them, up to a closing sign.
    pub(crate) fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.take_sign(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take_sign(close) {
                return Ok(items);
            }
            if !self.take_sign(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn sequence(&mut self) -> Parsed<Sequence> {
        let mut commands = Vec::new();
        loop {
            if self.is_sign("}") || self.is_word("else") || self.peek() == &Token::End {
                return Ok(commands);
            }
            let start = self.span();
            let command = self.command()?;
            let last = !matches!(command, CommandTree::Assign { .. });
            commands.push((command, start.to(self.last_span())));
            if last {
                return Ok(commands);
            }
            self.sign(";")?;
        }
    }

    fn command(&mut self) -> Parsed<CommandTree> {
        if self.take_word("stop") {
            self.take_sign(";");
            return Ok(CommandTree::Stop);
        }
        let casts = if self.take_sign("(") { self.cast_set()? } else { Vec::new() };
        if self.take_word("if") {
            let condition = self.condition()?;
            self.word("then")?;
            let yes = self.block()?;
            let no = if self.take_word("else") { self.block()? } else { Vec::new() };
            return Ok(CommandTree::If { casts, condition, yes, no });
        }
        let target = self.name("a command")?;
        self.sign(":=")?;
        let cast = if self.take_sign("<") {
            let cast = self.type_tree()?;
            self.sign(">")?;
            Some(cast)
        } else {
            None
        };
        let expression = self.expression()?;
        Ok(CommandTree::Assign { casts, target, cast, expression })
    }

    fn block(&mut self) -> Parsed<Sequence> {
        if self.commands >= DEEPEST_COMMAND {
            let message = format!("commands are nested more than {DEEPEST_COMMAND} levels deep");
            return Err(Diagnostic::new(self.span(), message, "here")
                .help("each branch is a level, in a chain of `else if` too: use fewer of them"));
        }
        self.commands += 1;
        let braces = self.take_sign("{");
        let commands = self.sequence()?;
        self.commands -= 1;
        if braces && !self.take_sign("}") {
            return Err(self.after_end(&commands));
        }
        Ok(commands)
    }

    fn cast_set(&mut self) -> Parsed<CastSetTree> {
        self.list(")", |parser| {
            let name = parser.name("a variable")?;
            parser.sign(":")?;
            Ok((name, parser.type_tree()?))
        })
    }

    /// What to say if something follows a command that nothing can follow.
    fn after_end(&self, commands: &Sequence) -> Diagnostic {
        let error = self.expected("the end");
        match commands.last() {
            Some((CommandTree::Stop, _)) => error.help("nothing follows `stop`"),
            Some((CommandTree::If { .. }, _)) => {
                error.help("nothing follows `if`: put what is to come next at the end of both branches")
            }
            _ => error,
        }
    }

    fn condition(&mut self) -> Parsed<ExpressionTree> {
        if self.take_sign("(") {
            let condition = self.expression()?;
            self.sign(")")?;
            return Ok(condition);
        }
        self.expression()
    }

    fn expression(&mut self) -> Parsed<ExpressionTree> {
        let start = self.span();
        if self.take_sign("!") {
            return self.prefixed("not", start);
        }
        if self.is_sign("-") && !matches!(self.tokens.get(self.at + 1), Some((Token::Int(_), _))) {
            self.at += 1;
            return self.prefixed("neg", start);
        }
        let left = self.operand()?;
        if let OperandKind::Variable(text) = &left.kind
            && self.take_sign("(")
        {
            let operator = Name { text: text.clone(), span: left.span };
            let operands = self.list(")", Parser::operand)?;
            return Ok(ExpressionTree::Apply { operator, operands, span: start.to(self.last_span()) });
        }
        let sign = match self.peek() {
            Token::Sign(sign) => INFIX.iter().find(|(infix, _)| infix == sign),
            _ => None,
        };
        let Some((_, called)) = sign else { return Ok(ExpressionTree::Operand(left)) };
        let operator = Name { text: (*called).to_owned(), span: self.span() };
        self.at += 1;
        let right = self.operand()?;
        if matches!(self.peek(), Token::Sign(sign) if INFIX.iter().any(|(infix, _)| infix == sign)) {
            return Err(self.not_nested());
        }
        Ok(ExpressionTree::Apply { operator, operands: vec![left, right], span: start.to(self.last_span()) })
    }

    fn prefixed(&mut self, operator: &str, start: Span) -> Parsed<ExpressionTree> {
        let operand = self.operand()?;
        let span = start.to(operand.span);
        let operator = Name { text: operator.to_owned(), span: start };
        Ok(ExpressionTree::Apply { operator, operands: vec![operand], span })
    }

    fn not_nested(&self) -> Diagnostic {
        Diagnostic::new(self.span(), "expressions are not nested", "a second operator")
            .help("assign the inner expression to a variable first")
    }

    pub(crate) fn operand(&mut self) -> Parsed<OperandTree> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Word(word) if word == "true" || word == "false" => {
                let truth = word == "true";
                self.at += 1;
                OperandKind::Bool(truth)
            }
            Token::Word(_) => OperandKind::Variable(self.name("an operand")?.text),
            Token::Int(_) | Token::Sign("-") => OperandKind::Int(self.literal()?),
            Token::Sign("(") => return Err(self.not_nested()),
            _ => return Err(self.expected("a variable or a literal")),
        };
        Ok(OperandTree { kind, span: start.to(self.last_span()) })
    }

    pub(crate) fn type_tree(&mut self) -> Parsed<TypeTree> {
        let first = self.simple_type()?;
        if !self.is_sign("&") {
            return Ok(first);
        }
        let mut types = vec![first];
        while self.take_sign("&") {
            types.push(self.simple_type()?);
        }
        Ok(TypeTree::Intersection(types))
    }

    fn simple_type(&mut self) -> Parsed<TypeTree> {
        let start = self.span();
        if self.take_word("Bool") {
            return Ok(TypeTree::Bool(start));
        }
        if !self.take_sign("{") {
            return Ok(TypeTree::Named(self.name("a type")?));
        }
        let variable = self.name("a variable")?;
        self.sign(":")?;
        self.word("Int")?;
        self.sign("|")?;
        let predicate = self.term()?;
        self.sign("}")?;
        Ok(TypeTree::Refinement { variable, predicate, span: start.to(self.last_span()) })
    }
}

pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("the term is more than {DEEPEST_TERM} levels deep"), "here")
        .help("each operator is a level, in a chain such as `a + b + c` too; a type can be made of several with `&`")
}
