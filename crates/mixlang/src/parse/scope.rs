//! Names: every variable is bound, only `var` variables are assigned to, and no function captures one of those.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::parse::ParseError;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Name, Program};

/// How a name is bound.
#[derive(Clone, Copy)]
struct Binding {
    assignable: bool,
    /// Number of functions around it.
    level: usize,
}

#[derive(Default)]
struct Scope {
    /// The bindings of each name, innermost last.
    bindings: FxHashMap<Name, Vec<Binding>>,
    /// Number of functions around the current place.
    level: usize,
}

pub(super) fn check(program: &Program) -> Result<(), ParseError> {
    let mut scope = Scope::default();
    for external in &program.externs {
        let bindings = scope.bindings.entry(external.name.clone()).or_default();
        if !bindings.is_empty() {
            return Err(ParseError::new(external.span, format!("`{}` is declared twice", external.name)));
        }
        bindings.push(Binding { assignable: false, level: 0 });
    }
    scope.check(&program.body)
}

impl Scope {
    fn lookup(&self, name: &Name, span: Span) -> Result<Binding, ParseError> {
        match self.bindings.get(name).and_then(|bindings| bindings.last()) {
            None => Err(ParseError::new(span, format!("there is no variable `{name}` here"))
                .help(format!("bind it, or declare its type: `extern {name} : type in`"))),
            Some(binding) if binding.assignable && binding.level < self.level => {
                let message = format!("a function cannot use the assignable variable `{name}` of its surroundings");
                Err(ParseError::new(span, message).help("make it a reference: `let … = ref …`"))
            }
            Some(binding) => Ok(*binding),
        }
    }

    fn within(&mut self, name: &Name, assignable: bool, body: &Expr) -> Result<(), ParseError> {
        let binding = Binding { assignable, level: self.level };
        self.bindings.entry(name.clone()).or_default().push(binding);
        let result = self.check(body);
        if let Some(bindings) = self.bindings.get_mut(name) {
            bindings.pop();
        }
        result
    }

    fn check(&mut self, expr: &Expr) -> Result<(), ParseError> {
        crate::with_stack(|| match &expr.kind {
            ExprKind::Variable(name) => self.lookup(name, expr.span).map(|_| ()),
            ExprKind::Set(name, value) if self.lookup(name, expr.span)?.assignable => self.check(value),
            ExprKind::Set(name, _) => Err(ParseError::new(expr.span, format!("`{name}` cannot be assigned to"))
                .help(format!("bind it with `var {name} = …`, or make it a reference and write `{name} := …`"))),
            ExprKind::Let(name, _, value, body) => {
                self.check(value)?;
                self.within(name, false, body)
            }
            ExprKind::Var(name, value, body) => {
                self.check(value)?;
                self.within(name, true, body)
            }
            ExprKind::Fun(lambda) => {
                self.level += 1;
                let result = self.within(&lambda.parameter, false, &lambda.body);
                self.level -= 1;
                result
            }
            _ => expr.parts().into_iter().try_for_each(|part| self.check(part)),
        })
    }
}

/// The free variables of a function's body, except its parameter, each once and sorted.
pub(super) fn captured(parameter: &Name, body: &Expr) -> Vec<Name> {
    let mut found = FxHashSet::default();
    free(body, &mut vec![parameter.clone()], &mut found);
    let mut names: Vec<Name> = found.into_iter().collect();
    names.sort();
    names
}

fn free(expr: &Expr, bound: &mut Vec<Name>, found: &mut FxHashSet<Name>) {
    crate::with_stack(|| match &expr.kind {
        ExprKind::Variable(name) => {
            if !bound.contains(name) {
                found.insert(name.clone());
            }
        }
        ExprKind::Let(name, _, value, body) | ExprKind::Var(name, value, body) => {
            free(value, bound, found);
            bound.push(name.clone());
            free(body, bound, found);
            bound.pop();
        }
        // Inner functions are parsed first and know already.
        ExprKind::Fun(lambda) => found.extend(lambda.captured.iter().filter(|name| !bound.contains(name)).cloned()),
        _ => expr.parts().into_iter().for_each(|part| free(part, bound, found)),
    });
}
