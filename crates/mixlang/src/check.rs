//! The type checker: figure 6 of the paper, with signs, functions, loops and assignable variables.
//!
//! It knows of symbolic execution only that [`Analysis::symbolic_block`] gives a symbolic block a type.

mod subtype;

use std::rc::Rc;

use crate::analysis::{Analysis, Checked};
use crate::environment::Environment;
use crate::rules::Premise;
use crate::signs;
use crate::span::Span;
use crate::syntax::{Binary, Expr, ExprKind, Lambda, Literal, Mode, Unary};
use crate::types::{CodeId, Sign, Type};
use crate::verdict::{Cause, Rejection};

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub ty: Type,
    pub assignable: bool,
}

impl Entry {
    pub fn fixed(ty: Type) -> Entry {
        Entry { ty, assignable: false }
    }
}

/// The typing environment Γ.
pub(crate) type Gamma = Environment<Entry>;

impl Analysis<'_> {
    /// Γ ⊢ e : τ
    pub fn check(&mut self, expr: &Expr, gamma: &Gamma) -> Checked<Type> {
        if !self.step() {
            return Err(vec![self.reject("LIMIT", Cause::Limit, expr.span, "the budget of steps is used up")]);
        }
        crate::with_stack(|| self.check_kind(expr, gamma))
    }

    fn check_kind(&mut self, expr: &Expr, gamma: &Gamma) -> Checked<Type> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(type_of(literal)),
            ExprKind::Variable(name) => match gamma.get(name) {
                Some(entry) => Ok(entry.ty.clone()),
                None => self.wrong("TVAR", expr.span, format!("there is no variable `{name}` here")),
            },
            ExprKind::Unary(operator, operand) => self.check_unary(*operator, operand, gamma),
            ExprKind::Binary(operator, left, right) => self.check_binary(expr.span, *operator, left, right, gamma),
            ExprKind::If(condition, yes, no) => {
                self.check_condition(condition, gamma)?;
                let (yes_type, no_type) = (self.check(yes, gamma)?, self.check(no, gamma)?);
                match join(&yes_type, &no_type) {
                    Some(ty) => Ok(ty),
                    None if !self.rules.need(Premise::SameArms) => Ok(yes_type),
                    None => {
                        let message = format!("the arms have different types: {yes_type} and {no_type}");
                        let rejection = self
                            .reject("TIF", Cause::Type, expr.span, message)
                            .related(yes.span, format!("this is {yes_type}"))
                            .related(no.span, format!("this is {no_type}"))
                            .help("a symbolic block `{s … s}` around the conditional looks at one arm at a time");
                        Err(vec![rejection])
                    }
                }
            }
            ExprKind::Let(name, annotation, value, body) => {
                let mut ty = self.check(value, gamma)?;
                if let Some(wanted) = annotation {
                    self.expect(value.span, &ty, wanted, "TLET")?;
                    ty = wanted.clone();
                }
                self.check(body, &gamma.with(name.clone(), Entry::fixed(ty)))
            }
            ExprKind::Var(name, value, body) => {
                let ty = self.check(value, gamma)?.without_sign();
                self.check(body, &gamma.with(name.clone(), Entry { ty, assignable: true }))
            }
            ExprKind::Set(name, value) => {
                let ty = self.check(value, gamma)?;
                let Some(entry) = gamma.get(name) else {
                    return self.wrong("TSET", expr.span, format!("there is no variable `{name}` here"));
                };
                if self.rules.need(Premise::CellType) {
                    self.expect(value.span, &ty, &entry.ty.clone(), "TSET")?;
                }
                Ok(ty)
            }
            ExprKind::Fun(lambda) => self.check_function(lambda, gamma),
            ExprKind::Apply(function, argument) => {
                let callee = self.check(function, gamma)?;
                let given = self.check(argument, gamma)?;
                match callee {
                    Type::Fun(from, to) => {
                        if self.rules.need(Premise::ArgumentType) {
                            self.expect(argument.span, &given, &from, "TAPP")?;
                        }
                        Ok((*to).clone())
                    }
                    Type::Code(code) => Err(vec![self.no_arrow(code, function.span)]),
                    other => self.wrong("TAPP", function.span, format!("{other} is no function")),
                }
            }
            ExprKind::Ref(cell, value) => {
                let ty = self.check(value, gamma)?;
                match cell {
                    Some(wanted) => {
                        self.expect(value.span, &ty, wanted, "TREF")?;
                        Ok(wanted.clone().reference())
                    }
                    None => Ok(ty.without_sign().reference()),
                }
            }
            ExprKind::Deref(reference) => match self.check(reference, gamma)? {
                Type::Ref(cell) => Ok((*cell).clone()),
                other => self.wrong("TDEREF", reference.span, format!("`!` takes a reference, not {other}")),
            },
            ExprKind::Assign(target, value) => {
                let reference = self.check(target, gamma)?;
                let ty = self.check(value, gamma)?;
                match reference {
                    Type::Ref(cell) => {
                        if self.rules.need(Premise::CellType) {
                            self.expect(value.span, &ty, &cell, "TASSIGN")?;
                        }
                        Ok(ty)
                    }
                    other => self.wrong("TASSIGN", target.span, format!("`:=` writes to a reference, not to {other}")),
                }
            }
            ExprKind::Sequence(parts) => {
                let mut last = Type::Unit;
                for part in parts {
                    last = self.check(part, gamma)?;
                }
                Ok(last)
            }
            ExprKind::While(condition, body) => {
                self.check_condition(condition, gamma)?;
                self.check(body, gamma)?;
                Ok(Type::Unit)
            }
            ExprKind::Ascribe(inner, wanted) => {
                let ty = self.check(inner, gamma)?;
                self.expect(inner.span, &ty, wanted, "TASCRIBE")?;
                Ok(wanted.clone())
            }
            ExprKind::Block(Mode::Symbolic, inner) if self.follows(Mode::Symbolic, Mode::Typed) => {
                self.enter_block(Mode::Symbolic, expr.span, |analysis| analysis.symbolic_block(inner, gamma))
            }
            ExprKind::Block(_, inner) => self.check(inner, gamma),
        }
    }

    fn wrong<T>(&self, rule: &'static str, span: Span, message: String) -> Checked<T> {
        Err(vec![self.reject(rule, Cause::Type, span, message)])
    }

    /// Demands that a value of one type may stand where another is asked for.
    fn expect(&mut self, span: Span, ty: &Type, wanted: &Type, rule: &'static str) -> Checked<()> {
        if self.is_subtype(ty, wanted) {
            return Ok(());
        }
        self.wrong(rule, span, format!("{ty} where {wanted} is asked for"))
    }

    fn check_condition(&mut self, condition: &Expr, gamma: &Gamma) -> Checked<()> {
        match self.check(condition, gamma)? {
            Type::Bool => Ok(()),
            _ if !self.rules.need(Premise::OperandTypes) => Ok(()),
            other => self.wrong("TIF", condition.span, format!("a condition is a boolean, not {other}")),
        }
    }

    fn check_unary(&mut self, operator: Unary, operand: &Expr, gamma: &Gamma) -> Checked<Type> {
        let ty = self.check(operand, gamma)?;
        match (operator, &ty) {
            (Unary::Neg, Type::Int(sign)) => Ok(Type::Int(signs::unary(operator, *sign))),
            (Unary::Not, Type::Bool) => Ok(Type::Bool),
            (Unary::Neg, _) if !self.rules.need(Premise::OperandTypes) => Ok(Type::INT),
            (Unary::Not, _) if !self.rules.need(Premise::OperandTypes) => Ok(Type::Bool),
            (Unary::Neg, _) => self.wrong("TNEG", operand.span, format!("`-` takes an integer, not {ty}")),
            (Unary::Not, _) => self.wrong("TNOT", operand.span, format!("`not` takes a boolean, not {ty}")),
        }
    }

    fn check_binary(
        &mut self,
        span: Span,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        gamma: &Gamma,
    ) -> Checked<Type> {
        let (a, b) = (self.check(left, gamma)?, self.check(right, gamma)?);
        if let Binary::Eq | Binary::Ne = operator {
            return if a.same_shape(&b) && !a.is_function() || !self.rules.need(Premise::OperandTypes) {
                Ok(Type::Bool)
            } else {
                self.wrong("TEQ", span, format!("`{}` cannot compare {a} with {b}", operator.symbol()))
            };
        }
        let (operand, result) = operator.signature();
        let rule = operator.rule(Mode::Typed);
        for (part, ty) in [(left, &a), (right, &b)] {
            if !ty.same_shape(&operand) && self.rules.need(Premise::OperandTypes) {
                return self.wrong(
                    rule,
                    part.span,
                    format!("`{}` takes {operand} operands, not {ty}", operator.symbol()),
                );
            }
        }
        Ok(match (&result, a, b) {
            (Type::Int(_), Type::Int(a), Type::Int(b)) => Type::Int(signs::binary(self.rules, operator, a, b)),
            _ => result,
        })
    }

    /// Why a function that is known by its code cannot be called.
    fn no_arrow(&mut self, code: CodeId, span: Span) -> Rejection {
        let annotated = self.codes.get(code).is_some_and(|code| code.lambda.annotation.is_some());
        if !annotated {
            let message = "the type checker cannot call a function without a type";
            return self
                .reject("TAPP", Cause::Type, span, message)
                .help("give its parameter a type, `(x : type)`, or put the call in a symbolic block, `{s … s}`");
        }
        let mut rejection = self
            .reject("TAPP", Cause::Type, span, "this function has no type, because its body has none")
            .help("put the call in a symbolic block, `{s … s}`, to look at this call alone");
        let reasons = self.check_body(code, None).err().unwrap_or_default();
        rejection.related.extend(reasons.into_iter().map(|reason| (reason.span, reason.message)));
        rejection
    }

    /// TFUN. A function whose parameter has no type is known by its code alone.
    fn check_function(&mut self, lambda: &Rc<Lambda>, gamma: &Gamma) -> Checked<Type> {
        match &lambda.annotation {
            Some(from) => {
                let inner = gamma.with(lambda.parameter.clone(), Entry::fixed(from.clone()));
                let to = self.check(&lambda.body, &inner)?;
                Ok(Type::Fun(Rc::new(from.clone()), Rc::new(to)))
            }
            None => {
                let captured = lambda.captured.iter();
                let captured = captured.filter_map(|name| Some((name.clone(), gamma.get(name)?.ty.without_sign())));
                let captured = captured.collect();
                Ok(self.codes.ty(lambda, captured))
            }
        }
    }
}

/// The type of a literal.
pub(crate) fn type_of(literal: &Literal) -> Type {
    match literal {
        Literal::Int(number) => Type::Int(Sign::of(*number)),
        Literal::Bool(_) => Type::Bool,
        Literal::String(_) => Type::String,
        Literal::Float(_) => Type::Float,
        Literal::Unit => Type::Unit,
    }
}

/// The type of a value that has one of two types.
pub(crate) fn join(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Int(a), Type::Int(b)) => Some(Type::Int(a.join(*b))),
        _ => (a == b).then(|| a.clone()),
    }
}

impl Binary {
    /// The type of both operands and of the result; comparisons for equality take any.
    pub(crate) fn signature(self) -> (Type, Type) {
        match self {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Pow => (Type::INT, Type::INT),
            Binary::Join => (Type::String, Type::String),
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => (Type::INT, Type::Bool),
            Binary::And | Binary::Or => (Type::Bool, Type::Bool),
        }
    }

    /// The name of the rule for it.
    pub(crate) fn rule(self, mode: Mode) -> &'static str {
        let typed = mode == Mode::Typed;
        match self {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Pow | Binary::Join => {
                if typed {
                    "TPLUS"
                } else {
                    "SEPLUS"
                }
            }
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                if typed {
                    "TEQ"
                } else {
                    "SEEQ"
                }
            }
            Binary::And | Binary::Or => {
                if typed {
                    "TAND"
                } else {
                    "SEAND"
                }
            }
        }
    }
}
