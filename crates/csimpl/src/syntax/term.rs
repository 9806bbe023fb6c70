//! The grammar of terms.
//!
//! From the weakest to the strongest: `if`, `=>`, `||`, `&&`, `!`, comparisons, `+ -`, `* / %`, `-`, `^`. How strongly
//! operations bind is in [`crate::term`], which prints them.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::parse::{DEEPEST_TERM, Parsed, Parser, too_deep};
use super::token::Token;
use super::tree::{TermKind, TermTree};
use crate::source::{Diagnostic, Span};
use crate::term::{COMPARISON, NEGATION, strength};
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
                return made(kind, span, depth);
            }
            let left = parser.operations(0)?;
            if !parser.take_sign("=>") {
                return Ok(left);
            }
            let right = parser.term()?;
            let premise = parser.unary(Unary::Not, left)?;
            parser.binary(Binary::Or, premise, right)
        })
    }

    /// Operations that bind at least so strongly. One function for all strengths keeps the stack small.
    fn operations(&mut self, least: u8) -> Parsed<TermTree> {
        let mut left = self.first()?;
        // The last operand of a chain of comparisons, which is the first of the next one.
        let mut middle: Option<TermTree> = None;
        loop {
            if let Some(operation) = arithmetic_or_logic(self.peek()).filter(|found| strength(*found) >= least) {
                self.next();
                let right = self.operations(strength(operation) + 1)?;
                left = self.binary(operation, left, right)?;
                continue;
            }
            let Some(found) = comparison(self.peek()).filter(|_| COMPARISON >= least) else { return Ok(left) };
            self.next();
            let right = self.operations(COMPARISON + 1)?;
            let shared = if comparison(self.peek()).is_some() { Some(self.shared(&right)?) } else { None };
            left = match middle.take() {
                Some(middle) => {
                    let one = self.compare(found, middle, right)?;
                    self.binary(Binary::And, left, one)?
                }
                None => self.compare(found, left, right)?,
            };
            middle = shared;
        }
    }

    fn first(&mut self) -> Parsed<TermTree> {
        if !self.take_sign("!") {
            return self.prefix();
        }
        let inner = self.nested(|parser| parser.operations(NEGATION))?;
        self.unary(Unary::Not, inner)
    }

    /// The middle of `a < b < c` is written once and stands twice. With a chain inside it would double at every level.
    fn shared(&self, middle: &TermTree) -> Parsed<TermTree> {
        if is_arithmetic(middle) {
            return Ok(middle.clone());
        }
        Err(Diagnostic::new(middle.span, "only arithmetic can stand between two comparisons", "here")
            .help("write two comparisons with `&&` between them"))
    }

    fn compare(&self, found: Comparison, left: TermTree, right: TermTree) -> Parsed<TermTree> {
        let (first, second) = if found.swapped { (right, left) } else { (left, right) };
        let one = self.binary(found.operation, first, second)?;
        if found.negated { self.unary(Unary::Not, one) } else { Ok(one) }
    }

    fn prefix(&mut self) -> Parsed<TermTree> {
        if matches!(self.peek(), Token::Int(_)) || self.is_sign("-") {
            let start = self.span();
            let negative = self.take_sign("-");
            if let Token::Int(_) = self.peek() {
                let number = self.power()?;
                let number = if negative { -number } else { number };
                return made(TermKind::Int(number), start.to(self.last_span()), 0);
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
            return made(TermKind::Bool(true), start, 0);
        }
        if self.take_word("false") {
            return made(TermKind::Bool(false), start, 0);
        }
        if !matches!(self.peek(), Token::Word(_)) {
            return Err(self.expected("a term"));
        }
        let name = self.name("a term")?;
        made(TermKind::Name(name.text), name.span, 0)
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
        made(TermKind::Unary(operation, Box::new(inner)), span, depth)
    }

    fn binary(&self, operation: Binary, left: TermTree, right: TermTree) -> Parsed<TermTree> {
        let span = Span { start: left.span.start.min(right.span.start), end: left.span.end.max(right.span.end) };
        let depth = left.depth.max(right.depth);
        made(TermKind::Binary(operation, Box::new(left), Box::new(right)), span, depth)
    }
}

fn made(kind: TermKind, span: Span, inner: usize) -> Parsed<TermTree> {
    if inner >= DEEPEST_TERM {
        return Err(too_deep(span));
    }
    Ok(TermTree { kind, span, depth: inner + 1 })
}

#[derive(Clone, Copy)]
struct Comparison {
    operation: Binary,
    swapped: bool,
    negated: bool,
}

fn comparison(token: &Token) -> Option<Comparison> {
    let Token::Sign(sign) = token else { return None };
    let (operation, swapped, negated) = match *sign {
        "==" => (Binary::Equal, false, false),
        "!=" => (Binary::Equal, false, true),
        "<" => (Binary::Less, false, false),
        "<=" => (Binary::LessOrEqual, false, false),
        ">" => (Binary::Less, true, false),
        ">=" => (Binary::LessOrEqual, true, false),
        _ => return None,
    };
    Some(Comparison { operation, swapped, negated })
}

fn arithmetic_or_logic(token: &Token) -> Option<Binary> {
    let Token::Sign(sign) = token else { return None };
    Some(match *sign {
        "||" => Binary::Or,
        "&&" => Binary::And,
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "*" => Binary::Multiply,
        "/" => Binary::Divide,
        "%" => Binary::Remainder,
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
