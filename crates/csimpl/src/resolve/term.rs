//! Names and sorts in terms.

use super::Resolved;
use crate::source::{Diagnostic, Span};
use crate::syntax::{TermKind, TermTree};
use crate::term::Term;
use crate::value::{Sort, Value};

/// A term with its sort, given the names and sorts of what it may mention.
pub(super) fn term(tree: &TermTree, scope: &[(&str, Sort)]) -> Resolved<(Term, Sort)> {
    let expect = |tree: &TermTree, wanted: Sort| {
        let (found, sort) = term(tree, scope)?;
        if sort == wanted { Ok(Box::new(found)) } else { Err(wrong_sort(tree.span, wanted, sort)) }
    };
    Ok(match &tree.kind {
        TermKind::Int(number) => (Term::Value(Value::Int(number.clone())), Sort::Int),
        TermKind::Bool(truth) => (Term::Value(Value::Bool(*truth)), Sort::Bool),
        TermKind::Name(name) => match scope.iter().position(|(there, _)| there == name) {
            Some(index) => (Term::Parameter(index), scope.get(index).map_or(Sort::Int, |(_, sort)| *sort)),
            None => {
                let names: Vec<String> = scope.iter().map(|(name, _)| format!("`{name}`")).collect();
                return Err(Diagnostic::new(tree.span, format!("there is no `{name}` here"), "not known here")
                    .help(format!("a term can mention {} and nothing else", names.join(", "))));
            }
        },
        TermKind::Unary(operation, inner) => {
            (Term::Unary(*operation, expect(inner, operation.sort())?), operation.sort())
        }
        TermKind::Binary(operation, left, right) => {
            let (first, sort) = term(left, scope)?;
            let wanted = operation.operands().unwrap_or(sort);
            if sort != wanted {
                return Err(wrong_sort(left.span, wanted, sort));
            }
            (Term::Binary(*operation, Box::new(first), expect(right, wanted)?), operation.result())
        }
        TermKind::If(condition, yes, no) => {
            let condition = expect(condition, Sort::Bool)?;
            let (first, sort) = term(yes, scope)?;
            (Term::If(condition, Box::new(first), expect(no, sort)?), sort)
        }
    })
}

/// Something of one sort stands where another is needed.
pub(super) fn wrong_sort(span: Span, wanted: Sort, found: Sort) -> Diagnostic {
    Diagnostic::new(span, format!("expected {wanted}, found {found}"), format!("this is {found}"))
}
