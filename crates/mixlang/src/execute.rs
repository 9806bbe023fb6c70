//! The symbolic executor: figures 2 and 3 of the paper, with functions, loops and assignable variables.
//!
//! It knows of type checking only that [`Analysis::typed_block`] gives a typed block a type. Each function returns all
//! paths through an expression; a path that stops keeps its state, so that it can be told whether it is feasible.

mod apply;
mod branch;
mod memory;
mod operators;
pub(crate) mod state;
pub(crate) mod values;

use expr::Term;

use crate::analysis::Analysis;
use crate::check::type_of;
use crate::execute::state::{Binding, Path, Sigma, State};
use crate::execute::values::{Sym, WORD, width};
use crate::rules::Premise;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Literal, Mode};
use crate::types::{Sign, Type};
use crate::verdict::Cause;

impl Analysis<'_> {
    /// Σ ⊢ ⟨S; e⟩ ⇓ ⟨S′; s⟩, for all S′ and s.
    pub fn execute(&mut self, expr: &Expr, sigma: &Sigma, state: State) -> Vec<Path> {
        if !self.step() {
            return vec![Path::unfinished(state, expr.span, "the budget of steps is used up")];
        }
        crate::with_stack(|| self.execute_kind(expr, sigma, state))
    }

    fn execute_kind(&mut self, expr: &Expr, sigma: &Sigma, state: State) -> Vec<Path> {
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let value = self.literal(literal);
                vec![Path::value(state, value)]
            }
            ExprKind::Variable(name) => {
                let value = match sigma.get(name) {
                    Some(Binding::Fixed(value)) => Some(value.clone()),
                    Some(Binding::Slot(slot)) => state.slots.get(*slot).cloned(),
                    None => None,
                };
                match value {
                    Some(value) => vec![Path::value(state, value)],
                    None => self.wrong_here(state, "SEVAR", expr.span, format!("there is no variable `{name}` here")),
                }
            }
            ExprKind::Unary(operator, operand) => {
                let paths = self.execute(operand, sigma, state);
                self.then(paths, |analysis, state, value| {
                    analysis.unary_operator(state, *operator, &value, operand.span)
                })
            }
            ExprKind::Binary(operator, left, right) => self.both(left, right, sigma, state, |analysis, state, a, b| {
                analysis.binary_operator(state, expr.span, *operator, (&a, left.span), (&b, right.span))
            }),
            ExprKind::If(condition, yes, no) => self.conditional(condition, yes, no, sigma, state),
            ExprKind::Let(name, annotation, value, body) => {
                let paths = self.execute(value, sigma, state);
                self.then(paths, |analysis, state, bound| {
                    if let Some(ty) = annotation
                        && let Err(path) = analysis.demand(&state, &bound, ty, "SELET", value.span)
                    {
                        return vec![*path];
                    }
                    analysis.execute(body, &sigma.with(name.clone(), Binding::Fixed(bound)), state)
                })
            }
            ExprKind::Var(name, value, body) => {
                let paths = self.execute(value, sigma, state);
                self.then(paths, |analysis, mut state, first| {
                    let slot = state.slots.len();
                    state.slots.push(first);
                    let mut paths = analysis.execute(body, &sigma.with(name.clone(), Binding::Slot(slot)), state);
                    paths.iter_mut().for_each(|path| path.state.slots.truncate(slot));
                    paths
                })
            }
            ExprKind::Set(name, value) => {
                let paths = self.execute(value, sigma, state);
                self.then(paths, |analysis, mut state, new| {
                    let place = match sigma.get(name) {
                        Some(Binding::Slot(slot)) => state.slots.get_mut(*slot),
                        _ => None,
                    };
                    match place {
                        Some(place) => *place = new.clone(),
                        None => {
                            let message = format!("`{name}` cannot be assigned to");
                            return analysis.wrong_here(state, "SESET", expr.span, message);
                        }
                    }
                    vec![Path::value(state, new)]
                })
            }
            ExprKind::Fun(lambda) => {
                let value = self.closure(lambda, sigma);
                vec![Path::value(state, value)]
            }
            ExprKind::Apply(function, argument) => {
                self.both(function, argument, sigma, state, |analysis, state, callee, value| {
                    analysis.apply(state, &callee, value, function.span, argument.span)
                })
            }
            ExprKind::Ref(cell, value) => {
                let paths = self.execute(value, sigma, state);
                self.then(paths, |analysis, state, first| analysis.allocate(state, cell.as_ref(), &first, value.span))
            }
            ExprKind::Deref(reference) => {
                let paths = self.execute(reference, sigma, state);
                self.then(paths, |analysis, state, place| analysis.read(state, &place, reference.span))
            }
            ExprKind::Assign(target, value) => self.both(target, value, sigma, state, |analysis, state, place, new| {
                analysis.write(state, (&place, target.span), &new, expr.span)
            }),
            ExprKind::Sequence(parts) => {
                let unit = self.literal(&Literal::Unit);
                let start = vec![Path::value(state, unit)];
                parts.iter().fold(start, |paths, part| {
                    self.then(paths, |analysis, state, _| analysis.execute(part, sigma, state))
                })
            }
            ExprKind::While(condition, body) => self.repetition(condition, body, sigma, state),
            ExprKind::Ascribe(inner, ty) => {
                let paths = self.execute(inner, sigma, state);
                self.then(paths, |analysis, state, value| {
                    match analysis.demand(&state, &value, ty, "SEASCRIBE", inner.span) {
                        Ok(()) => vec![Path::value(state, value)],
                        Err(path) => vec![*path],
                    }
                })
            }
            ExprKind::Block(Mode::Typed, inner) if self.follows(Mode::Typed, Mode::Symbolic) => {
                vec![self.enter_block(Mode::Typed, expr.span, |analysis| analysis.typed_block(inner, sigma, state))]
            }
            ExprKind::Block(_, inner) => self.execute(inner, sigma, state),
        }
    }

    /// Goes on with every path that has a value.
    fn then(&mut self, paths: Vec<Path>, mut next: impl FnMut(&mut Self, State, Sym) -> Vec<Path>) -> Vec<Path> {
        let mut all = Vec::with_capacity(paths.len());
        for path in paths {
            match path.outcome {
                Ok(value) => all.extend(next(self, path.state, value)),
                Err(stop) => all.push(Path { state: path.state, outcome: Err(stop) }),
            }
        }
        all
    }

    /// Executes two expressions, one after the other, and goes on with both values.
    fn both(
        &mut self,
        first: &Expr,
        second: &Expr,
        sigma: &Sigma,
        state: State,
        mut next: impl FnMut(&mut Self, State, Sym, Sym) -> Vec<Path>,
    ) -> Vec<Path> {
        let paths = self.execute(first, sigma, state);
        self.then(paths, |analysis, state, a| {
            let paths = analysis.execute(second, sigma, state);
            analysis.then(paths, |analysis, state, b| next(analysis, state, a.clone(), b))
        })
    }

    /// A path on which a rule does not apply.
    fn wrong_here(&mut self, state: State, rule: &'static str, span: Span, message: String) -> Vec<Path> {
        let rejection = self.reject(rule, Cause::Type, span, message);
        vec![Path::rejected(state, rejection)]
    }

    pub fn literal(&mut self, literal: &Literal) -> Sym {
        let term = match literal {
            Literal::Int(number) => self.store.small(WORD, *number as u64),
            Literal::Bool(value) => self.store.bool(*value),
            Literal::String(text) => {
                let id = self.encoding.string(text);
                self.store.small(WORD, id)
            }
            Literal::Float(number) => self.store.small(WORD, number.to_bits()),
            Literal::Unit => self.store.small(WORD, 0),
        };
        Sym { ty: type_of(literal).without_sign(), term }
    }

    /// A fresh unknown α:τ. What its type says about it becomes a fact of the path.
    pub fn unknown(&mut self, state: &mut State, name: &str, ty: &Type) -> Sym {
        let term = match ty {
            Type::Unit => self.store.small(WORD, 0),
            _ => {
                let fresh = self.rules.need(Premise::FreshUnknowns);
                let name = if fresh { self.encoding.fresh_name(name) } else { ty.to_string() };
                self.store.named(&name, width(ty))
            }
        };
        self.assume_type(state, ty, term);
        Sym { ty: ty.without_sign(), term }
    }

    /// Notes what a type says about a value that has it.
    pub fn assume_type(&mut self, state: &mut State, ty: &Type, term: Term) {
        let fact = match ty {
            Type::Int(sign) if *sign != Sign::Unknown => values::has_sign(&mut self.store, *sign, term),
            Type::Ref(cell) => match self.encoding.tag(cell) {
                Some(tag) => values::is_address(&mut self.store, term, tag, state.allocations),
                // With more types than tags, less is known about aliases.
                None => return,
            },
            _ => return,
        };
        if self.store.value(fact).is_some_and(expr::BitVec::is_true) {
            return;
        }
        state.facts.push(fact);
        // Other paths know it only under this path's condition.
        let not_here = self.store.not(state.condition);
        let everywhere = self.store.or(not_here, fact);
        if let Some(context) = self.contexts.last_mut() {
            context.facts.push(everywhere);
        }
    }

    /// Whether a symbolic value certainly has a type.
    pub fn has_type(&mut self, state: &State, value: &Sym, ty: &Type) -> bool {
        match (&value.ty, ty) {
            (Type::Int(_), Type::Int(sign)) => {
                let holds = values::has_sign(&mut self.store, *sign, value.term);
                self.is_valid(state, holds)
            }
            (found, wanted) => {
                let found = found.clone();
                self.is_subtype(&found, wanted)
            }
        }
    }

    /// Whether a condition holds wherever the path condition does.
    pub fn is_valid(&mut self, state: &State, condition: Term) -> bool {
        if let Some(value) = self.store.value(condition) {
            return value.is_true();
        }
        let negated = self.store.not(condition);
        matches!(self.solve(&state.with(&[negated]), &state.model), solver::Answer::Unsat)
    }

    /// A path that stops, unless the value has the type that an annotation asks for.
    fn demand(
        &mut self,
        state: &State,
        value: &Sym,
        ty: &Type,
        rule: &'static str,
        span: Span,
    ) -> Result<(), Box<Path>> {
        if self.has_type(state, value, ty) {
            return Ok(());
        }
        let message = match (&value.ty, ty) {
            (Type::Int(_), Type::Int(_)) => {
                format!("{} where {ty} is asked for", self.described_integer(value))
            }
            (found, _) => format!("{found} where {ty} is asked for"),
        };
        // The path's witness should be one for which the value really has another sign.
        let mut state = state.clone();
        if let (Type::Int(_), Type::Int(sign)) = (&value.ty, ty) {
            let holds = values::has_sign(&mut self.store, *sign, value.term);
            let negated = self.store.not(holds);
            state.condition = self.store.and(state.condition, negated);
        }
        Err(Box::new(Path::rejected(state, self.reject(rule, Cause::Type, span, message))))
    }

    /// An integer in a message: the number, if it is known.
    fn described_integer(&self, value: &Sym) -> String {
        match values::constant(&self.store, value.term) {
            Some(number) => (number as i64).to_string(),
            None => "an integer of any sign".to_owned(),
        }
    }
}
