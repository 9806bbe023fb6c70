//! SEPLUS, SEEQ, SENOT, SEAND and their like: operators are deferred to the solver.

use expr::{Kind, Term};

use crate::analysis::Analysis;
use crate::evaluate;
use crate::execute::state::{Path, State};
use crate::execute::values::{Sym, WORD, constant};
use crate::rules::Premise;
use crate::span::Span;
use crate::syntax::{Binary, Mode, Unary};
use crate::types::Type;
use crate::verdict::Cause;

/// What an operator makes of its operands.
enum Made {
    Term(Term),
    /// A text that there is no room for.
    TooLong,
}

impl Analysis<'_> {
    pub(super) fn unary_operator(&mut self, mut state: State, operator: Unary, value: &Sym, span: Span) -> Vec<Path> {
        let (ty, rule) = match operator {
            Unary::Neg => (Type::INT, "SENEG"),
            Unary::Not => (Type::Bool, "SENOT"),
        };
        if value.ty != ty {
            if self.rules.need(Premise::SymbolicOperandTypes) {
                let message = format!("`{}` takes {ty}, not {}", operator.symbol().trim(), value.ty);
                return self.wrong_here(state, rule, span, message);
            }
            let any = self.unknown(&mut state, "any", &ty);
            return vec![Path::value(state, any)];
        }
        let term = match operator {
            Unary::Neg => self.store.neg(value.term),
            Unary::Not => self.store.not(value.term),
        };
        vec![Path::value(state, Sym { ty, term })]
    }

    pub(super) fn binary_operator(
        &mut self,
        mut state: State,
        span: Span,
        operator: Binary,
        (a, a_span): (&Sym, Span),
        (b, b_span): (&Sym, Span),
    ) -> Vec<Path> {
        let rule = operator.rule(Mode::Symbolic);
        let symbol = operator.symbol();
        let (operand, result) = match operator {
            // Any two values of one type, except functions.
            Binary::Eq | Binary::Ne => {
                if a.ty != b.ty || a.ty.is_function() {
                    if self.rules.need(Premise::SymbolicOperandTypes) {
                        let message = format!("`{symbol}` cannot compare {} with {}", a.ty, b.ty);
                        return self.wrong_here(state, rule, span, message);
                    }
                    let any = self.unknown(&mut state, "any", &Type::Bool);
                    return vec![Path::value(state, any)];
                }
                (a.ty.clone(), Type::Bool)
            }
            _ => operator.signature(),
        };
        for (value, place) in [(a, a_span), (b, b_span)] {
            if value.ty != operand {
                if self.rules.need(Premise::SymbolicOperandTypes) {
                    let message = format!("`{symbol}` takes {operand} operands, not {}", value.ty);
                    return self.wrong_here(state, rule, place, message);
                }
                let any = self.unknown(&mut state, "any", &result);
                return vec![Path::value(state, any)];
            }
        }
        match self.operator_term(operator, a.term, b.term) {
            Some(Made::TooLong) => vec![Path::unfinished(state, span, "strings become too long")],
            Some(Made::Term(term)) => vec![Path::value(state, Sym { ty: result, term })],
            None => {
                let message = format!("the solver does not know `{symbol}`, and the operands are not constant");
                let rejection = self
                    .reject(rule, Cause::Unsupported, span, message)
                    .help("put it in a typed block, `{t … t}`: its result is then any value of its type");
                vec![Path::rejected(state, rejection)]
            }
        }
    }

    /// The term for an operator; nothing if the solver has none.
    fn operator_term(&mut self, operator: Binary, a: Term, b: Term) -> Option<Made> {
        let store = &mut self.store;
        Some(Made::Term(match operator {
            Binary::Add => store.add(a, b),
            Binary::Sub => store.sub(a, b),
            Binary::Mul => store.binary(Kind::Mul, a, b),
            Binary::Div => {
                let zero = store.small(WORD, 0);
                let by_zero = store.eq(b, zero);
                let quotient = store.binary(Kind::SDiv, a, b);
                store.ite(by_zero, zero, quotient)
            }
            Binary::Eq => store.eq(a, b),
            Binary::Ne => store.ne(a, b),
            Binary::Lt => store.binary(Kind::Slt, a, b),
            Binary::Le => store.binary(Kind::Sle, a, b),
            Binary::Gt => store.binary(Kind::Slt, b, a),
            Binary::Ge => store.binary(Kind::Sle, b, a),
            Binary::And => store.and(a, b),
            Binary::Or => store.or(a, b),
            Binary::Pow => {
                let (a, b) = (constant(store, a)?, constant(store, b)?);
                store.small(WORD, evaluate::power(a as i64, b as i64) as u64)
            }
            Binary::Join => {
                let (a, b) = (constant(store, a)?, constant(store, b)?);
                let Some(id) = self.encoding.joined(a, b) else { return Some(Made::TooLong) };
                self.store.small(WORD, id)
            }
        }))
    }
}
