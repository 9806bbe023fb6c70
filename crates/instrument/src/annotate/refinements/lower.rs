//! Conditions as code that computes them, exactly: in integers so wide that nothing wraps around.

use crate::debug_info::{Form, SourceType};
use crate::llvm::{Builder, Type, Value};
use llvm_sys::LLVMIntPredicate;
use refine::{Arithmetic, Comparison, Formula, Term};

/// Widths that conditions are computed in. Processors have the first, LLVM makes the second out of it.
const WIDTHS: [u32; 2] = [64, 128];

/// The width that a formula has to be computed in so that every number in it fits, or nothing if that is too much.
pub fn width(formula: &Formula, types: &dyn Fn(&str) -> Option<SourceType>) -> Option<u32> {
    let mut most = 0;
    formula.each_term(&mut |term| most = most.max(bits(term, types)));
    WIDTHS.into_iter().find(|width| *width >= most)
}

/// Bits of a signed number that every value of the term fits into.
fn bits(term: &Term, types: &dyn Fn(&str) -> Option<SourceType>) -> u32 {
    match term {
        Term::Constant(value) => u64::BITS - value.leading_zeros() + 1,
        Term::Name(name) => types(name).map_or(0, |ty| ty.bits + u32::from(ty.form != Form::Signed)),
        Term::Negated(a) => bits(a, types).saturating_add(1),
        Term::Binary(operator, a, b) => {
            let (a, b) = (bits(a, types), bits(b, types));
            match operator {
                Arithmetic::Add | Arithmetic::Subtract => a.max(b).saturating_add(1),
                Arithmetic::Multiply => a.saturating_add(b),
                Arithmetic::Divide => a.saturating_add(1),
                Arithmetic::Remainder => a.min(b),
            }
        }
    }
}

/// Makes code where the builder stands.
pub struct Lowering<'a> {
    pub builder: &'a Builder,
    /// The type in which it is computed; see [`width`].
    pub ty: Type,
    /// The variables' values, of that type.
    pub values: &'a [(&'a str, Value)],
}

/// A value or a truth value, and whether there is one: nothing if there always is.
type Partial = (Value, Option<Value>);

impl Lowering<'_> {
    /// Whether the formula holds, as one bit. It does not where it divides by 0.
    pub fn holds(&self, formula: &Formula) -> Value {
        let (holds, exists) = self.formula(formula);
        exists.map_or(holds, |exists| self.builder.and(exists, holds))
    }

    fn formula(&self, formula: &Formula) -> Partial {
        let b = self.builder;
        match formula {
            Formula::Not(inner) => {
                let (holds, exists) = self.formula(inner);
                (self.not(holds), exists)
            }
            Formula::And(left, right) => {
                let ((left, left_exists), (right, right_exists)) = (self.formula(left), self.formula(right));
                let needed = right_exists.map(|exists| b.or(self.not(left), exists));
                (b.and(left, right), self.both(left_exists, needed))
            }
            Formula::Or(left, right) => {
                let ((left, left_exists), (right, right_exists)) = (self.formula(left), self.formula(right));
                let needed = right_exists.map(|exists| b.or(left, exists));
                (b.or(left, right), self.both(left_exists, needed))
            }
            Formula::Compare(comparison, left, right) => {
                let ((left, left_exists), (right, right_exists)) = (self.term(left), self.term(right));
                (b.icmp(predicate(*comparison), left, right), self.both(left_exists, right_exists))
            }
            Formula::NotZero(term) => {
                let (value, exists) = self.term(term);
                (b.is_not_zero(value), exists)
            }
        }
    }

    fn term(&self, term: &Term) -> Partial {
        let b = self.builder;
        match term {
            Term::Constant(value) => (self.ty.constant(*value), None),
            Term::Name(name) => {
                let value = self.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
                (value.unwrap_or_else(|| self.ty.zero()), None)
            }
            Term::Negated(inner) => {
                let (value, exists) = self.term(inner);
                (b.sub(self.ty.zero(), value), exists)
            }
            Term::Binary(operator, left, right) => {
                let ((left, left_exists), (right, right_exists)) = (self.term(left), self.term(right));
                let exists = self.both(left_exists, right_exists);
                match operator {
                    Arithmetic::Add => (b.add(left, right), exists),
                    Arithmetic::Subtract => (b.sub(left, right), exists),
                    Arithmetic::Multiply => (b.mul(left, right), exists),
                    Arithmetic::Divide | Arithmetic::Remainder => {
                        // The program must not stop here, where only the condition divides.
                        let is_some = b.is_not_zero(right);
                        let divisor = b.select(is_some, right, self.ty.constant(1));
                        let value = match operator {
                            Arithmetic::Divide => b.sdiv(left, divisor),
                            _ => b.srem(left, divisor),
                        };
                        (value, self.both(exists, Some(is_some)))
                    }
                }
            }
        }
    }

    fn both(&self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.and(a, b)),
            (one, other) => one.or(other),
        }
    }

    fn not(&self, bit: Value) -> Value {
        self.builder.xor(bit, bit.ty().constant(1))
    }
}

fn predicate(comparison: Comparison) -> LLVMIntPredicate {
    match comparison {
        Comparison::Equal => LLVMIntPredicate::LLVMIntEQ,
        Comparison::NotEqual => LLVMIntPredicate::LLVMIntNE,
        Comparison::Less => LLVMIntPredicate::LLVMIntSLT,
        Comparison::LessOrEqual => LLVMIntPredicate::LLVMIntSLE,
        Comparison::Greater => LLVMIntPredicate::LLVMIntSGT,
        Comparison::GreaterOrEqual => LLVMIntPredicate::LLVMIntSGE,
    }
}
