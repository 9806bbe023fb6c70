//! What a condition says.

use std::fmt;

use crate::parse::{self, ConditionError};

/// A condition, with the text that it was read from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    text: String,
    formula: Formula,
}

/// Something that holds or does not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// `!a`
    Not(Box<Formula>),
    /// `a && b`: where `a` does not hold, `b` need not have a value.
    And(Box<Formula>, Box<Formula>),
    /// `a || b`: where `a` holds, `b` need not have a value.
    Or(Box<Formula>, Box<Formula>),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// A number as a condition: that it is not 0.
    NotZero(Term),
}

/// Something with a number as its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A number.
    Constant(u64),
    /// A variable.
    Name(String),
    /// `-a`
    Negated(Box<Term>),
    /// `a + b` and the like.
    Binary(Arithmetic, Box<Term>, Box<Term>),
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Arithmetic operators. Quotients are rounded towards 0, and a remainder has the sign of what is divided, as in C; where
/// the divisor is 0 there is no value, and the condition does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Condition {
    /// Reads a condition.
    pub fn parse(text: &str) -> Result<Condition, ConditionError> {
        Ok(Condition { text: text.trim().to_owned(), formula: parse::formula(text)? })
    }

    /// What always holds.
    pub fn truth() -> Condition {
        Condition { text: "1".to_owned(), formula: Formula::NotZero(Term::Constant(1)) }
    }

    /// As the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The variables in it, each once, in the order in which they appear.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.formula.each_term(&mut |term| {
            if let Term::Name(name) = term
                && !names.contains(&name.as_str())
            {
                names.push(name.as_str());
            }
        });
        names
    }
}

impl Formula {
    /// Visits every term in the formula, and every part of a term.
    pub fn each_term<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        match self {
            Formula::Not(a) => a.each_term(visit),
            Formula::And(a, b) | Formula::Or(a, b) => {
                a.each_term(visit);
                b.each_term(visit);
            }
            Formula::Compare(_, a, b) => {
                a.each_part(visit);
                b.each_part(visit);
            }
            Formula::NotZero(a) => a.each_part(visit),
        }
    }
}

impl Term {
    fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        visit(self);
        match self {
            Term::Constant(_) | Term::Name(_) => {}
            Term::Negated(a) => a.each_part(visit),
            Term::Binary(_, a, b) => {
                a.each_part(visit);
                b.each_part(visit);
            }
        }
    }
}

impl Comparison {
    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

impl Arithmetic {
    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        }
    }
}

/// With all parentheses.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Not(a) => write!(f, "!({a})"),
            Formula::And(a, b) => write!(f, "({a}) && ({b})"),
            Formula::Or(a, b) => write!(f, "({a}) || ({b})"),
            Formula::Compare(comparison, a, b) => write!(f, "{a} {} {b}", comparison.symbol()),
            Formula::NotZero(a) => write!(f, "{a}"),
        }
    }
}

/// With all parentheses.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Constant(value) => write!(f, "{value}"),
            Term::Name(name) => write!(f, "{name}"),
            Term::Negated(a) => write!(f, "-({a})"),
            Term::Binary(operator, a, b) => write!(f, "({a} {} {b})", operator.symbol()),
        }
    }
}
