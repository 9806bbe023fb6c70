//! The grammar of terms.
//!
//! From the weakest to the strongest: `if`, `=>`, `||`, `&&`, `!`, comparisons, `+ -`, `* / %`, `-`, `^`.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::parse::{DEEPEST, Parsed, Parser};
use super::token::Token;
use super::tree::{TermKind, TermTree};
use crate::source::{Diagnostic, Span};
use crate::value::{Binary, Sort, Unary};

/// A larger power than this is more than a program can compute with.
const LARGEST_EXPONENT: u32 = 4_096;

impl Parser {
    pub(crate) fn term(&mut self) -> Parsed<TermTree> {
        self.nested(|parser| {
            let start = parser.span();
            if parser.take_word("if") {
                let condition = parser.term()?;
                parser.word("then")?;
                let yes = parser.term()?;
                parser.word("else")?;
                let no = parser.term()?;
                let span = start.to(parser.last_span());
                let depth = condition.depth.max(yes.depth).max(no.depth);
                let kind = TermKind::If(Box::new(condition), Box::new(yes), Box::new(no));
                return parser.made(kind, span, depth);
            }
            let left = parser.chain(1)?;
            if !parser.take_sign("=>") {
                return Ok(left);
            }
            let right = parser.term()?;
            let premise = parser.unary(Unary::Not, left)?;
            parser.binary(Binary::Or, premise, right)
        })
    }

    /// Operations of one strength, which associate to the left, and those that bind more strongly.
    fn chain(&mut self, strength: u8) -> Parsed<TermTree> {
        let operations: &[(&str, Binary)] = match strength {
            1 => &[("||", Binary::Or)],
            2 => &[("&&", Binary::And)],
            3 => return self.negation(),
            4 => return self.comparison(),
            5 => &[("+", Binary::Add), ("-", Binary::Subtract)],
            6 => &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
            _ => return self.prefix(),
        };
        let mut left = self.chain(strength + 1)?;
        while let Some((_, operation)) = operations.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.next();
            let right = self.chain(strength + 1)?;
            left = self.binary(*operation, left, right)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<TermTree> {
        if !self.take_sign("!") {
            return self.chain(4);
        }
        let inner = self.nested(Parser::negation)?;
        self.unary(Unary::Not, inner)
    }

    /// `a < b`, and as mathematicians write it, `a <= b < c`.
    fn comparison(&mut self) -> Parsed<TermTree> {
        let mut left = self.chain(5)?;
        let mut all: Option<TermTree> = None;
        while let Some((operation, swapped, negated)) = comparison(self.peek()) {
            self.next();
            let right = self.chain(5)?;
            let next = right.clone();
            let (first, second) = if swapped { (right, left) } else { (left, right) };
            let mut one = self.binary(operation, first, second)?;
            if negated {
                one = self.unary(Unary::Not, one)?;
            }
            all = Some(match all {
                Some(before) => self.binary(Binary::And, before, one)?,
                None => one,
            });
            // The middle of a chain is written once and stands twice. With a chain inside it would double at every level.
            if comparison(self.peek()).is_some() && !is_arithmetic(&next) {
                return Err(Diagnostic::new(next.span, "only arithmetic can stand between two comparisons", "here")
                    .help("write two comparisons with `&&` between them"));
            }
            left = next;
        }
        Ok(all.unwrap_or(left))
    }

    fn prefix(&mut self) -> Parsed<TermTree> {
        if matches!(self.peek(), Token::Int(_)) || self.is_sign("-") {
            let start = self.span();
            let negative = self.take_sign("-");
            if let Token::Int(_) = self.peek() {
                let number = self.power()?;
                let number = if negative { -number } else { number };
                return self.made(TermKind::Int(number), start.to(self.last_span()), 0);
            }
            let inner = self.nested(Parser::prefix)?;
            return self.unary(Unary::Negate, inner);
        }
        self.atom()
    }

    fn atom(&mut self) -> Parsed<TermTree> {
        let start = self.span();
        if self.take_sign("(") {
            let inner = self.term()?;
            self.sign(")")?;
            return Ok(inner);
        }
        if self.take_word("true") {
            return self.made(TermKind::Bool(true), start, 0);
        }
        if self.take_word("false") {
            return self.made(TermKind::Bool(false), start, 0);
        }
        if !matches!(self.peek(), Token::Word(_)) {
            return Err(self.expected("a term"));
        }
        let name = self.name("a term")?;
        self.made(TermKind::Name(name.text), name.span, 0)
    }

    /// A literal with its sign.
    pub(crate) fn literal(&mut self) -> Parsed<BigInt> {
        let negative = self.take_sign("-");
        let number = self.power()?;
        Ok(if negative { -number } else { number })
    }

    /// `i` or `i^j`.
    fn power(&mut self) -> Parsed<BigInt> {
        let Token::Int(base) = self.peek() else { return Err(self.expected("a number")) };
        let base = base.clone();
        self.next();
        if !self.take_sign("^") {
            return Ok(base);
        }
        let span = self.span();
        let Token::Int(exponent) = self.next() else {
            return Err(Diagnostic::new(span, "an exponent is a number", "expected a number"));
        };
        let size = exponent.to_u32().filter(|exponent| {
            *exponent <= LARGEST_EXPONENT && base.bits().saturating_mul(u64::from(*exponent)) <= 1 << 16
        });
        match size {
            Some(exponent) => Ok(base.pow(exponent)),
            None => Err(Diagnostic::new(span, "this power is too large to compute with", "this exponent")
                .help(format!("exponents go up to {LARGEST_EXPONENT}, powers to 2^65536"))),
        }
    }

    fn unary(&self, operation: Unary, inner: TermTree) -> Parsed<TermTree> {
        let (span, depth) = (inner.span, inner.depth);
        self.made(TermKind::Unary(operation, Box::new(inner)), span, depth)
    }

    fn binary(&self, operation: Binary, left: TermTree, right: TermTree) -> Parsed<TermTree> {
        let span = Span { start: left.span.start.min(right.span.start), end: left.span.end.max(right.span.end) };
        let depth = left.depth.max(right.depth);
        self.made(TermKind::Binary(operation, Box::new(left), Box::new(right)), span, depth)
    }

    fn made(&self, kind: TermKind, span: Span, inner: usize) -> Parsed<TermTree> {
        if inner >= DEEPEST {
            return Err(self.too_deep(span));
        }
        Ok(TermTree { kind, span, depth: inner + 1 })
    }
}

/// The operation, whether its operands are exchanged, and whether it is negated.
fn comparison(token: &Token) -> Option<(Binary, bool, bool)> {
    let Token::Sign(sign) = token else { return None };
    Some(match *sign {
        "==" => (Binary::Equal, false, false),
        "!=" => (Binary::Equal, false, true),
        "<" => (Binary::Less, false, false),
        "<=" => (Binary::LessOrEqual, false, false),
        ">" => (Binary::Less, true, false),
        ">=" => (Binary::LessOrEqual, true, false),
        _ => return None,
    })
}

fn is_arithmetic(term: &TermTree) -> bool {
    match &term.kind {
        TermKind::Int(_) | TermKind::Name(_) => true,
        TermKind::Unary(operation, inner) => *operation == Unary::Negate && is_arithmetic(inner),
        TermKind::Binary(operation, left, right) => {
            operation.result() == Sort::Int && is_arithmetic(left) && is_arithmetic(right)
        }
        TermKind::Bool(_) | TermKind::If(..) => false,
    }
}
