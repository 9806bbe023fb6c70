//! Conditions as code that computes them, exactly: in integers so wide that nothing wraps around.

use llvm::debug_info::{Form, SourceType};
use llvm::{Builder, Type, Value};
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
    pub values: &'a [Known<'a>],
}

/// A variable, its value, and whether it has one, if that is not certain.
pub type Known<'a> = (&'a str, Value, Option<Value>);

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
                let known = self.values.iter().find(|(known, ..)| known == name);
                known.map_or_else(|| (self.ty.zero(), None), |(_, value, exists)| (*value, *exists))
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

#[cfg(test)]
mod tests {
    use super::*;
    use llvm::Module;
    use llvm_sys::core::{LLVMContextCreate, LLVMContextDispose, LLVMDisposeModule, LLVMModuleCreateWithNameInContext};
    use proptest::prelude::*;

    /// What a formula says of these values, by arithmetic that would notice if it overflowed. Nothing where it divides by 0.
    fn says(formula: &Formula, values: &[(&str, i128)]) -> Option<bool> {
        match formula {
            Formula::Not(a) => says(a, values).map(|a| !a),
            Formula::And(a, b) => {
                if says(a, values)? {
                    says(b, values)
                } else {
                    Some(false)
                }
            }
            Formula::Or(a, b) => {
                if says(a, values)? {
                    Some(true)
                } else {
                    says(b, values)
                }
            }
            Formula::NotZero(a) => Some(number(a, values)? != 0),
            Formula::Compare(comparison, a, b) => {
                let (a, b) = (number(a, values)?, number(b, values)?);
                Some(match comparison {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => a < b,
                    Comparison::LessOrEqual => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::GreaterOrEqual => a >= b,
                })
            }
        }
    }

    fn number(term: &Term, values: &[(&str, i128)]) -> Option<i128> {
        Some(match term {
            Term::Constant(value) => i128::from(*value),
            Term::Name(name) => values.iter().find(|(known, _)| known == name).expect("a known name").1,
            Term::Negated(a) => number(a, values)?.checked_neg().expect("room"),
            Term::Binary(operator, a, b) => {
                let (a, b) = (number(a, values)?, number(b, values)?);
                match operator {
                    Arithmetic::Add => a.checked_add(b).expect("room"),
                    Arithmetic::Subtract => a.checked_sub(b).expect("room"),
                    Arithmetic::Multiply => a.checked_mul(b).expect("room"),
                    Arithmetic::Divide if b != 0 => a.checked_div(b).expect("room"),
                    Arithmetic::Remainder if b != 0 => a.checked_rem(b).expect("room"),
                    Arithmetic::Divide | Arithmetic::Remainder => return None,
                }
            }
        })
    }

    /// The same by the code that is made for it, which LLVM computes at once because all values are constants.
    fn computed(formula: &Formula, width: u32, small: i32, large: u64) -> bool {
        // SAFETY: everything made here is used and disposed of here.
        unsafe {
            let context = LLVMContextCreate();
            let raw = LLVMModuleCreateWithNameInContext(c"".as_ptr(), context);
            let module = Module::new(raw);
            let ty = module.int(width);
            let builder = module.builder();
            let small = builder.sext(module.int(32).constant(small as u32 as u64), ty);
            let large = builder.resize(module.int(64).constant(large), ty);
            let values = [("small", small, None), ("large", large, None)];
            let holds = Lowering { builder: &builder, ty, values: &values }.holds(formula);
            let holds = holds.as_constant().expect("a constant") == 1;
            drop(builder);
            LLVMDisposeModule(raw);
            LLVMContextDispose(context);
            holds
        }
    }

    fn type_of(name: &str) -> Option<SourceType> {
        let (form, bits) = if name == "small" { (Form::Signed, 32) } else { (Form::Unsigned, 64) };
        Some(SourceType { name: String::new(), form, bits })
    }

    proptest! {
        /// Whatever width is chosen is wide enough, and what divides by 0 does not hold.
        #[test]
        fn code_computes_what_the_formula_says(
            formula in refine::arbitrary::formula(prop::sample::select(vec!["small".to_owned(), "large".to_owned()])),
            small in prop_oneof![-3..3i32, any::<i32>(), Just(i32::MIN)],
            large in prop_oneof![0..3u64, any::<u64>(), Just(u64::MAX)],
        ) {
            let Some(width) = width(&formula, &type_of) else { return Ok(()) };
            let values = [("small", i128::from(small)), ("large", i128::from(large))];
            prop_assert_eq!(computed(&formula, width, small, large), says(&formula, &values) == Some(true));
        }
    }

    #[test]
    fn what_is_narrow_is_computed_in_64_bits() {
        let width_of = |text: &str| width(refine::Condition::parse(text).expect("a condition").formula(), &type_of);
        assert_eq!(width_of("0 <= small && small < 8"), Some(64));
        assert_eq!(width_of("small * small < 8"), Some(64));
        assert_eq!(width_of("small < large"), Some(128));
        assert_eq!(width_of("large * large < 5"), None);
    }
}
