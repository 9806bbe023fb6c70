//! Terms: the predicates of refinement types and the definitions of operators.

use std::fmt;

use crate::value::{Binary, NoValue, Unary, Value, choose};

/// A term over parameters that are known by their position.
///
/// The parser bounds how deeply terms are nested, so functions may recurse over them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A literal.
    Value(Value),
    /// A parameter, by position.
    Parameter(usize),
    /// An operation on one term.
    Unary(Unary, Box<Term>),
    /// An operation on two terms.
    Binary(Binary, Box<Term>, Box<Term>),
    /// `if a then b else c`
    If(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    /// `left && right`
    pub fn and(left: Term, right: Term) -> Term {
        Term::Binary(Binary::And, Box::new(left), Box::new(right))
    }

    /// Its value under an assignment to the parameters.
    pub fn evaluate(&self, arguments: &[Value]) -> Result<Value, NoValue> {
        match self {
            Term::Value(value) => Ok(value.clone()),
            Term::Parameter(index) => arguments.get(*index).cloned().ok_or(NoValue::Undefined),
            Term::Unary(operation, operand) => operation.apply(operand.evaluate(arguments).as_ref().map_err(|e| *e)),
            Term::Binary(operation, left, right) => {
                let (left, right) = (left.evaluate(arguments), right.evaluate(arguments));
                operation.apply(left.as_ref().map_err(|e| *e), right.as_ref().map_err(|e| *e))
            }
            Term::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (condition.evaluate(arguments), yes.evaluate(arguments), no.evaluate(arguments));
                choose(condition.as_ref().map_err(|e| *e), yes.as_ref().map_err(|e| *e), no.as_ref().map_err(|e| *e))
            }
        }
    }

    /// The one value that the first parameter can have, if the term says so in as many words.
    pub(crate) fn pinned(&self) -> Option<&Value> {
        match self {
            Term::Binary(Binary::Equal, left, right) => match (&**left, &**right) {
                (Term::Parameter(0), Term::Value(value)) | (Term::Value(value), Term::Parameter(0)) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Its text, with these names for the parameters.
    pub fn with_names<'a>(&'a self, names: &'a [&'a str]) -> impl fmt::Display + 'a {
        Named { term: self, names, outer: 0 }
    }
}

/// How strongly an operation binds. The parser uses the same table.
pub(crate) fn strength(operation: Binary) -> u8 {
    match operation {
        Binary::Or => 1,
        Binary::And => 2,
        Binary::Equal | Binary::Less | Binary::LessOrEqual => COMPARISON,
        Binary::Add | Binary::Subtract => 5,
        Binary::Multiply | Binary::Divide | Binary::Remainder => 6,
    }
}

/// How an operation is written.
pub(crate) fn symbol(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Equal => "==",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}

/// How strongly comparisons bind. They do not associate.
pub(crate) const COMPARISON: u8 = 4;
/// How strongly `-` before a term binds.
pub(crate) const PREFIX: u8 = 7;
/// How strongly `!` before a term binds: less than comparisons.
pub(crate) const NEGATION: u8 = 3;

struct Named<'a> {
    term: &'a Term,
    names: &'a [&'a str],
    /// Parentheses are needed around anything that binds less strongly than this.
    outer: u8,
}

impl Named<'_> {
    fn inner<'b>(&'b self, term: &'b Term, outer: u8) -> Named<'b> {
        Named { term, names: self.names, outer }
    }

    fn closed(&self, f: &mut fmt::Formatter<'_>, own: u8, body: &dyn fmt::Display) -> fmt::Result {
        if own < self.outer { write!(f, "({body})") } else { write!(f, "{body}") }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.term {
            Term::Value(Value::Int(number)) => write!(f, "{}", Number(number)),
            Term::Value(value) => write!(f, "{value}"),
            Term::Parameter(index) => f.write_str(self.names.get(*index).copied().unwrap_or("_")),
            Term::Unary(Unary::Not, inner) => {
                if let Term::Binary(Binary::Equal, left, right) = &**inner {
                    let body = format!("{} != {}", self.inner(left, COMPARISON + 1), self.inner(right, COMPARISON + 1));
                    return self.closed(f, COMPARISON, &body);
                }
                self.closed(f, NEGATION, &format_args!("!{}", self.inner(inner, PREFIX)))
            }
            Term::Unary(Unary::Negate, inner) => {
                self.closed(f, PREFIX, &format_args!("-{}", self.inner(inner, PREFIX + 1)))
            }
            Term::Binary(operation, left, right) => {
                let own = strength(*operation);
                // The others associate to the left.
                let left_outer = if own == COMPARISON { own + 1 } else { own };
                let body = format_args!(
                    "{} {} {}",
                    self.inner(left, left_outer),
                    symbol(*operation),
                    self.inner(right, own + 1)
                )
                .to_string();
                self.closed(f, own, &body)
            }
            Term::If(condition, yes, no) => {
                let body =
                    format!("if {} then {} else {}", self.inner(condition, 0), self.inner(yes, 0), self.inner(no, 0));
                self.closed(f, 0, &body)
            }
        }
    }
}

/// A number as people write it: large powers of two as powers.
pub(crate) struct Number<'a>(pub(crate) &'a num_bigint::BigInt);

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0.bits();
        let power = self.0.magnitude().trailing_zeros();
        let sign = if self.0.sign() == num_bigint::Sign::Minus { "-" } else { "" };
        match power {
            Some(power) if power + 1 == bits && power >= 15 => write!(f, "{sign}2^{power}"),
            _ => write!(f, "{}", self.0),
        }
    }
}
