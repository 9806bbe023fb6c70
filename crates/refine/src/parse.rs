//! Reads conditions, with the precedences of C.

use crate::condition::{Arithmetic, Comparison, Formula, Term};
use crate::place::LENGTH;
use crate::token::{Token, tokens};

/// How deep parentheses and signs in front may be nested: what is deeper was not written by a person.
const DEEPEST: usize = 64;

/// A condition that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {at}: {reason}")]
pub struct ConditionError {
    /// Where in the text, in characters from 1.
    pub at: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl ConditionError {
    pub(crate) fn new(at: usize, reason: String) -> ConditionError {
        ConditionError { at, reason }
    }
}

/// Reads a condition.
pub(crate) fn formula(text: &str) -> Result<Formula, ConditionError> {
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end, depth: 0 };
    let whole = parser.binary(0)?;
    match parser.tokens.get(parser.next) {
        None => Ok(whole.into_formula()),
        Some((at, token)) => {
            Err(ConditionError::new(*at, format!("{} does not belong here: an operator should", shown(token))))
        }
    }
}

/// What an expression turns out to be.
enum Parsed {
    Truth(Formula),
    Value(Term),
}

impl Parsed {
    fn into_formula(self) -> Formula {
        match self {
            Parsed::Truth(formula) => formula,
            Parsed::Value(term) => Formula::NotZero(term),
        }
    }

    fn into_term(self, at: usize) -> Result<Term, ConditionError> {
        match self {
            Parsed::Value(term) => Ok(term),
            Parsed::Truth(_) => {
                let reason = "what holds or does not is no number; join comparisons by &&, as in 0 <= x && x < 10";
                Err(ConditionError::new(at, reason.to_owned()))
            }
        }
    }
}

/// Operators with two operands.
#[derive(Clone, Copy)]
enum Operator {
    Or,
    And,
    Compare(Comparison),
    Compute(Arithmetic),
}

impl Operator {
    fn of(sign: &str) -> Option<Operator> {
        Some(match sign {
            "||" => Operator::Or,
            "&&" => Operator::And,
            "==" => Operator::Compare(Comparison::Equal),
            "!=" => Operator::Compare(Comparison::NotEqual),
            "<" => Operator::Compare(Comparison::Less),
            "<=" => Operator::Compare(Comparison::LessOrEqual),
            ">" => Operator::Compare(Comparison::Greater),
            ">=" => Operator::Compare(Comparison::GreaterOrEqual),
            "+" => Operator::Compute(Arithmetic::Add),
            "-" => Operator::Compute(Arithmetic::Subtract),
            "*" => Operator::Compute(Arithmetic::Multiply),
            "/" => Operator::Compute(Arithmetic::Divide),
            "%" => Operator::Compute(Arithmetic::Remainder),
            _ => return None,
        })
    }

    /// How strongly it binds.
    fn strength(self) -> usize {
        use Arithmetic::{Add, Subtract};
        use Comparison::{Equal, NotEqual};
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Compare(Equal | NotEqual) => 3,
            Operator::Compare(_) => 4,
            Operator::Compute(Add | Subtract) => 5,
            Operator::Compute(_) => 6,
        }
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    /// Place behind the last character.
    end: usize,
    depth: usize,
}

impl Parser {
    /// An expression whose operators bind more strongly than `than`.
    fn binary(&mut self, than: usize) -> Result<Parsed, ConditionError> {
        let mut left = self.prefix()?;
        loop {
            let Some((at, Token::Sign(sign))) = self.tokens.get(self.next) else { return Ok(left) };
            let (at, Some(operator)) = (*at, Operator::of(sign)) else { return Ok(left) };
            if operator.strength() <= than {
                return Ok(left);
            }
            self.next += 1;
            let right_at = self.place();
            let right = self.binary(operator.strength())?;
            left = match operator {
                Operator::Or => Parsed::Truth(Formula::Or(left.into_formula().into(), right.into_formula().into())),
                Operator::And => Parsed::Truth(Formula::And(left.into_formula().into(), right.into_formula().into())),
                Operator::Compare(comparison) => {
                    Parsed::Truth(Formula::Compare(comparison, left.into_term(at)?, right.into_term(right_at)?))
                }
                Operator::Compute(arithmetic) => {
                    let (left, right) = (left.into_term(at)?, right.into_term(right_at)?);
                    Parsed::Value(Term::Binary(arithmetic, left.into(), right.into()))
                }
            };
        }
    }

    /// A name, a number, something in parentheses, or something with a sign in front.
    fn prefix(&mut self) -> Result<Parsed, ConditionError> {
        let at = self.place();
        let Some((_, token)) = self.tokens.get(self.next) else {
            return Err(ConditionError::new(at, "a name or a number is missing".to_owned()));
        };
        let token = token.clone();
        self.next += 1;
        match token {
            Token::Name(name) if name == LENGTH && self.is_next(&Token::Sign("(")) => self.length(at),
            Token::Name(name) => Ok(Parsed::Value(Term::Name(name))),
            // The first element of what is pointed to.
            Token::Sign("*") if matches!(self.tokens.get(self.next), Some((_, Token::Name(_)))) => {
                match self.prefix()? {
                    Parsed::Value(Term::Name(name)) => Ok(Parsed::Value(Term::Name(format!("{name}[0]")))),
                    other => Ok(other),
                }
            }
            Token::Number(value) => Ok(Parsed::Value(Term::Constant(value))),
            Token::Sign("(") => {
                let inner = self.nested(at, |parser| parser.binary(0))?;
                let behind = self.place();
                if self.tokens.get(self.next).is_some_and(|(_, token)| *token == Token::Sign(")")) {
                    self.next += 1;
                    return Ok(inner);
                }
                Err(ConditionError::new(behind, format!("`)` is missing for the `(` at character {at}")))
            }
            Token::Sign("!") => {
                let inner = self.nested(at, Parser::prefix)?;
                Ok(Parsed::Truth(Formula::Not(inner.into_formula().into())))
            }
            Token::Sign("-") => {
                let inner = self.nested(at, Parser::prefix)?;
                Ok(Parsed::Value(Term::Negated(inner.into_term(at)?.into())))
            }
            token => Err(ConditionError::new(at, format!("a name or a number is missing before {}", shown(&token)))),
        }
    }

    /// The name behind `strlen`, in parentheses.
    fn length(&mut self, at: usize) -> Result<Parsed, ConditionError> {
        self.next += 1;
        let inner = self.tokens.get(self.next).cloned();
        self.next += 1;
        let closed = self.is_next(&Token::Sign(")"));
        match inner {
            Some((_, Token::Name(name))) if closed => {
                self.next += 1;
                Ok(Parsed::Value(Term::Name(format!("{LENGTH}({name})"))))
            }
            _ => Err(ConditionError::new(at, format!("{LENGTH} needs the name of a string: {LENGTH}(name)"))),
        }
    }

    fn is_next(&self, token: &Token) -> bool {
        self.tokens.get(self.next).is_some_and(|(_, next)| next == token)
    }

    fn nested(
        &mut self,
        at: usize,
        parse: impl FnOnce(&mut Parser) -> Result<Parsed, ConditionError>,
    ) -> Result<Parsed, ConditionError> {
        if self.depth == DEEPEST {
            return Err(ConditionError::new(at, "this is nested too deeply".to_owned()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Where the next token stands.
    fn place(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Number(value) => format!("`{value}`"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        formula(text).map_or_else(|error| error.to_string(), |formula| formula.to_string())
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(read("0 <= x && x < limit - 1"), "(0 <= x) && (x < (limit - 1))");
        assert_eq!(read("a || b && !c"), "(a) || ((b) && (!(c)))");
        assert_eq!(read("-a * b % 3 - c - 1 > 2"), "((((-(a) * b) % 3) - c) - 1) > 2");
        assert_eq!(read("!(a < b) || -(a + 1) != 0"), "(!(a < b)) || (-((a + 1)) != 0)");
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(read(""), "at character 1: a name or a number is missing");
        assert_eq!(read("x <"), "at character 4: a name or a number is missing");
        assert_eq!(read("x < * 2"), "at character 5: a name or a number is missing before `*`");
        assert_eq!(read("(x < 3"), "at character 7: `)` is missing for the `(` at character 1");
        assert_eq!(read("ä < 3"), "at character 1: `ä` has no meaning in a condition");
        assert_eq!(read("x = 3"), "at character 3: `=` has no meaning in a condition");
        assert_eq!(read("x y"), "at character 3: `y` does not belong here: an operator should");
        assert_eq!(read("x < 08"), "at character 5: `08` is no number");
        assert_eq!(
            read("x < 99999999999999999999"),
            "at character 5: `99999999999999999999` is larger than any integer of C"
        );
        assert!(read("0 <= x < 10").starts_with("at character 8: what holds or does not is no number"));
        assert_eq!(read(&format!("{}x", "(".repeat(65))), "at character 65: this is nested too deeply");
        assert!(read(&"x+".repeat(501)).ends_with("the condition is too long"));
    }

    #[test]
    fn names_go_through_pointers_structures_and_arrays() {
        assert_eq!(read("p->len<a[3].b"), "p->len < a[3].b");
        assert_eq!(read("2 * *p - *q->r"), "((2 * p[0]) - q->r[0])");
        assert_eq!(read("strlen(s) < 31 && strlen > 0"), "(strlen(s) < 31) && (strlen > 0)");
        assert!(read("strlen(3) < 4").starts_with("at character 1: strlen needs the name of a string"));
        assert!(read("a[i] < 4").starts_with("at character 2: `[` has no meaning"));
    }

    #[test]
    fn numbers_are_those_of_c() {
        assert_eq!(read("x == 0x10UL || x == 010 || x == 0"), "((x == 16) || (x == 8)) || (x == 0)");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(written in arbitrary::formula("[a-z_][a-z0-9_]{0,3}")) {
            prop_assert_eq!(formula(&written.to_string()), Ok(written));
        }

        /// Also of text that is nearly a condition.
        #[test]
        fn any_text_is_read_or_refused_at_a_place_in_it(text in "([-a-z0-9 ()<>=!&|+*/%]|\\PC){0,40}") {
            if let Err(error) = formula(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
            }
        }
    }
}
