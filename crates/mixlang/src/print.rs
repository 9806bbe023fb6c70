//! From syntax to text that parses to the same syntax.

use core::fmt;

use crate::syntax::{Expr, ExprKind, Literal, Mode, Program, Unary};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for external in &self.externs {
            writeln!(f, "extern {} : {} in", external.name, external.ty)?;
        }
        write!(f, "{}", self.body)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Int(number) => write!(f, "{number}"),
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::String(text) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
                write!(f, "\"{escaped}\"")
            }
            // Debug prints a decimal point where Display would not, and no exponent for what the lexer reads.
            Literal::Float(number) => write!(f, "{number:?}"),
            Literal::Unit => write!(f, "()"),
        }
    }
}

/// What may stand at a place without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Anything.
    Sequence,
    /// Anything but a sequence.
    Statement,
    /// Operators that bind more tightly than this, applications, atoms.
    Operand(u8),
    /// Operators with one operand, applications and atoms.
    Prefixed,
    /// Applications and atoms.
    Function,
    /// Atoms.
    Atom,
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, self, Place::Sequence)
    }
}

/// The most demanding place where an expression may stand as it is.
fn level(expr: &Expr) -> Place {
    match &expr.kind {
        ExprKind::Sequence(_) => Place::Sequence,
        ExprKind::Let(..)
        | ExprKind::Var(..)
        | ExprKind::If(..)
        | ExprKind::While(..)
        | ExprKind::Fun(_)
        | ExprKind::Set(..)
        | ExprKind::Assign(..) => Place::Statement,
        ExprKind::Binary(operator, ..) => Place::Operand(operator.precedence() - 1),
        ExprKind::Literal(Literal::Int(..0)) | ExprKind::Unary(..) | ExprKind::Ref(..) | ExprKind::Deref(_) => {
            Place::Prefixed
        }
        ExprKind::Apply(..) => Place::Function,
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Ascribe(..) | ExprKind::Block(..) => Place::Atom,
    }
}

fn show(f: &mut fmt::Formatter<'_>, expr: &Expr, place: Place) -> fmt::Result {
    crate::with_stack(|| {
        if level(expr) < place {
            write!(f, "(")?;
            show_bare(f, expr)?;
            write!(f, ")")
        } else {
            show_bare(f, expr)
        }
    })
}

fn show_bare(f: &mut fmt::Formatter<'_>, expr: &Expr) -> fmt::Result {
    match &expr.kind {
        ExprKind::Literal(literal) => write!(f, "{literal}"),
        ExprKind::Variable(name) => write!(f, "{name}"),
        ExprKind::Unary(operator, operand) => {
            write!(f, "{}", operator.symbol())?;
            // `-5` is a number, `-(5)` the operator.
            let number = *operator == Unary::Neg && matches!(operand.kind, ExprKind::Literal(Literal::Int(_)));
            if number { write!(f, "({operand})") } else { show(f, operand, Place::Prefixed) }
        }
        ExprKind::Binary(operator, left, right) => {
            let precedence = operator.precedence();
            let to_the_right = *operator == crate::syntax::Binary::Pow;
            let (left_place, right_place) = match to_the_right {
                true => (Place::Operand(precedence), Place::Operand(precedence - 1)),
                false => (Place::Operand(precedence - 1), Place::Operand(precedence)),
            };
            show(f, left, left_place)?;
            write!(f, " {} ", operator.symbol())?;
            show(f, right, right_place)
        }
        ExprKind::If(condition, yes, no) => {
            write!(f, "if ")?;
            show(f, condition, Place::Statement)?;
            write!(f, " then ")?;
            // Parentheses keep an inner `if` from taking the `else`.
            show(f, yes, Place::Operand(0))?;
            write!(f, " else ")?;
            show(f, no, Place::Statement)
        }
        ExprKind::Let(name, annotation, value, body) => {
            write!(f, "let {name}")?;
            if let Some(ty) = annotation {
                write!(f, " : {ty}")?;
            }
            write!(f, " = {value} in {body}")
        }
        ExprKind::Var(name, value, body) => write!(f, "var {name} = {value} in {body}"),
        ExprKind::Set(name, value) => {
            write!(f, "{name} <- ")?;
            show(f, value, Place::Statement)
        }
        ExprKind::Fun(lambda) => match &lambda.annotation {
            Some(ty) => write!(f, "fun ({} : {ty}) -> {}", lambda.parameter, lambda.body),
            None => write!(f, "fun {} -> {}", lambda.parameter, lambda.body),
        },
        ExprKind::Apply(function, argument) => {
            show(f, function, Place::Function)?;
            write!(f, " ")?;
            show(f, argument, Place::Atom)
        }
        ExprKind::Ref(cell, value) => {
            match cell {
                Some(ty) => write!(f, "ref [{ty}] ")?,
                None => write!(f, "ref ")?,
            }
            show(f, value, Place::Prefixed)
        }
        ExprKind::Deref(reference) => {
            write!(f, "!")?;
            show(f, reference, Place::Prefixed)
        }
        ExprKind::Assign(target, value) => {
            show(f, target, Place::Operand(0))?;
            write!(f, " := ")?;
            show(f, value, Place::Statement)
        }
        ExprKind::Sequence(parts) => {
            for (index, part) in parts.iter().enumerate() {
                write!(f, "{}", if index == 0 { "" } else { "; " })?;
                // What reaches as far to the right as it can would swallow the parts after it.
                let place = if index + 1 == parts.len() { Place::Statement } else { Place::Operand(0) };
                show(f, part, place)?;
            }
            Ok(())
        }
        ExprKind::While(condition, body) => {
            write!(f, "while ")?;
            show(f, condition, Place::Statement)?;
            write!(f, " do ")?;
            show(f, body, Place::Statement)
        }
        ExprKind::Ascribe(inner, ty) => write!(f, "({inner} : {ty})"),
        ExprKind::Block(Mode::Typed, inner) => write!(f, "{{t {inner} t}}"),
        ExprKind::Block(Mode::Symbolic, inner) => write!(f, "{{s {inner} s}}"),
    }
}
