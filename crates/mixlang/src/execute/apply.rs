//! Functions: a call executes the body, so each call is looked at for itself.

use std::rc::Rc;

use crate::analysis::Analysis;
use crate::execute::state::{Binding, Path, Sigma, State};
use crate::execute::values::{Sym, SymClosure, WORD, constant};
use crate::span::Span;
use crate::syntax::{Lambda, Name};
use crate::types::{CodeId, Type};
use crate::verdict::Cause;

/// How deeply calls may be nested.
const MAX_CALLS: u32 = 200;

impl Analysis<'_> {
    /// SEFUN: the function with what it captures.
    pub(super) fn closure(&mut self, lambda: &Rc<Lambda>, sigma: &Sigma) -> Sym {
        let captured = lambda.captured.iter().filter_map(|name| match sigma.get(name)? {
            Binding::Fixed(value) => Some((name.clone(), value.clone())),
            Binding::Slot(_) => None,
        });
        let captured: Vec<(Name, Sym)> = captured.collect();
        let types = captured.iter().map(|(name, value)| (name.clone(), value.ty.clone())).collect();
        let ty = self.codes.ty(lambda, types);
        let id = self.encoding.add_closure(SymClosure { lambda: lambda.clone(), captured });
        Sym { ty, term: self.store.small(WORD, id) }
    }

    /// SEAPP
    pub(super) fn apply(
        &mut self,
        mut state: State,
        callee: &Sym,
        argument: Sym,
        function_span: Span,
        argument_span: Span,
    ) -> Vec<Path> {
        let known = match &callee.ty {
            Type::Code(code) => self.function(&mut state, callee, *code),
            Type::Fun(..) => self.made_here(callee),
            other => {
                let message = format!("{other} is no function");
                return self.wrong_here(state, "SEAPP", function_span, message);
            }
        };
        let closure = match known {
            Some(known) => known,
            None => {
                let rejection = self
                    .reject("SEAPP", Cause::Unsupported, function_span, "the code of this function is not known here")
                    .help("put the call in a typed block, `{t … t}`: its result is then any value of its type");
                return vec![Path::rejected(state, rejection)];
            }
        };
        let lambda = &closure.lambda;
        if let Some(ty) = &lambda.annotation
            && let Err(path) = self.demand(&state, &argument, ty, "SEAPP", argument_span)
        {
            return vec![*path];
        }
        if self.calls >= MAX_CALLS {
            return vec![Path::unfinished(state, function_span, format!("more than {MAX_CALLS} nested calls"))];
        }
        let captured = closure.captured.iter().map(|(name, value)| (name.clone(), Binding::Fixed(value.clone())));
        let sigma: Sigma = captured.collect();
        let sigma = sigma.with(lambda.parameter.clone(), Binding::Fixed(argument));
        self.calls += 1;
        let paths = self.execute(&lambda.body, &sigma, state);
        self.calls -= 1;
        paths
    }

    /// The function and what it captured: exactly, if it was made on this path; else unknowns of the captured types.
    fn function(&mut self, state: &mut State, callee: &Sym, code: CodeId) -> Option<Rc<SymClosure>> {
        if let Some(made) = self.made_here(callee) {
            return Some(made);
        }
        let code = self.codes.get(code)?;
        let captured = code.captured.iter().map(|(name, ty)| (name.clone(), self.unknown(state, name, ty)));
        let captured = captured.collect();
        Some(Rc::new(SymClosure { lambda: code.lambda.clone(), captured }))
    }

    fn made_here(&self, callee: &Sym) -> Option<Rc<SymClosure>> {
        self.encoding.closure(constant(&self.store, callee.term)?)
    }
}
