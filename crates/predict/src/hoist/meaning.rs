//! Conditions as terms: what a condition says of a unit's inputs, so that a solver can compare.

use expr::{Kind, Store, Term};
use refine::{Arithmetic, Comparison, Condition};

/// Bits that conditions are computed in: those of the code that checks them.
pub(super) const WIDTH: u16 = 128;

/// What a condition says, as a one-bit term over what its names stand for, each a term of 128 bits. Nothing if it names anything
/// else. Where it divides by 0, it does not hold.
pub fn meaning(store: &mut Store, condition: &Condition, value_of: &mut ValueOf<'_>) -> Option<Term> {
    let (holds, exists) = Meaning { store, value_of }.formula(condition.formula())?;
    Some(store.and(holds, exists))
}

/// What a name stands for.
pub type ValueOf<'a> = dyn FnMut(&mut Store, &str) -> Option<Term> + 'a;

struct Meaning<'a, 'b> {
    store: &'a mut Store,
    value_of: &'a mut ValueOf<'b>,
}

impl Meaning<'_, '_> {
    /// Whether it holds, and whether it has a truth value at all.
    fn formula(&mut self, formula: &refine::Formula) -> Option<(Term, Term)> {
        Some(match formula {
            refine::Formula::Not(inner) => {
                let (holds, exists) = self.formula(inner)?;
                (self.store.not(holds), exists)
            }
            refine::Formula::And(a, b) => {
                let ((a, a_exists), (b, b_exists)) = (self.formula(a)?, self.formula(b)?);
                let skipped = self.store.not(a);
                let needed = self.store.or(skipped, b_exists);
                (self.store.and(a, b), self.store.and(a_exists, needed))
            }
            refine::Formula::Or(a, b) => {
                let ((a, a_exists), (b, b_exists)) = (self.formula(a)?, self.formula(b)?);
                let needed = self.store.or(a, b_exists);
                (self.store.or(a, b), self.store.and(a_exists, needed))
            }
            refine::Formula::Compare(comparison, a, b) => {
                let ((a, a_exists), (b, b_exists)) = (self.term(a)?, self.term(b)?);
                let exists = self.store.and(a_exists, b_exists);
                let holds = match comparison {
                    Comparison::Equal => self.store.eq(a, b),
                    Comparison::NotEqual => self.store.ne(a, b),
                    Comparison::Less => self.store.binary(Kind::Slt, a, b),
                    Comparison::LessOrEqual => self.store.binary(Kind::Sle, a, b),
                    Comparison::Greater => self.store.binary(Kind::Slt, b, a),
                    Comparison::GreaterOrEqual => self.store.binary(Kind::Sle, b, a),
                };
                (holds, exists)
            }
            refine::Formula::NotZero(a) => {
                let (value, exists) = self.term(a)?;
                let none = self.store.small(WIDTH, 0);
                (self.store.ne(value, none), exists)
            }
        })
    }

    fn term(&mut self, term: &refine::Term) -> Option<(Term, Term)> {
        let truth = self.store.bool(true);
        Some(match term {
            refine::Term::Constant(value) => (self.store.small(WIDTH, *value), truth),
            refine::Term::Name(name) => ((self.value_of)(self.store, name)?, truth),
            refine::Term::Negated(inner) => {
                let (value, exists) = self.term(inner)?;
                (self.store.neg(value), exists)
            }
            refine::Term::Binary(operator, a, b) => {
                let ((a, a_exists), (b, b_exists)) = (self.term(a)?, self.term(b)?);
                let exists = self.store.and(a_exists, b_exists);
                let kind = match operator {
                    Arithmetic::Add => Kind::Add,
                    Arithmetic::Subtract => Kind::Sub,
                    Arithmetic::Multiply => Kind::Mul,
                    Arithmetic::Divide => Kind::SDiv,
                    Arithmetic::Remainder => Kind::SRem,
                };
                let value = self.store.binary(kind, a, b);
                if !matches!(kind, Kind::SDiv | Kind::SRem) {
                    return Some((value, exists));
                }
                let none = self.store.small(WIDTH, 0);
                let is_some = self.store.ne(b, none);
                (value, self.store.and(exists, is_some))
            }
        })
    }
}
