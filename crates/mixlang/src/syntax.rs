//! The abstract syntax: figure 1 of the paper, with strings, functions, loops and assignable variables added.

use std::rc::Rc;

use crate::span::Span;
use crate::types::Type;

/// A name, shared by all who mention it.
pub type Name = Rc<str>;

/// The two analyses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Type checking: `{t … t}`.
    Typed,
    /// Symbolic execution: `{s … s}`.
    Symbolic,
}

impl Mode {
    /// `typed` or `symbolic`.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Typed => "typed",
            Mode::Symbolic => "symbolic",
        }
    }
}

/// Something that the program does not define: `extern name : type in`.
#[derive(Clone, PartialEq, Debug)]
pub struct Extern {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// What it does not define.
    pub externs: Vec<Extern>,
    /// What it computes.
    pub body: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Equal programs may stand at different places.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

/// Written-out values.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// A 64-bit integer.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A text.
    String(Rc<str>),
    /// A number with a decimal point. There are no operators for these, except equality.
    Float(f64),
    /// `()`.
    Unit,
}

/// Operators with two operands; both are always evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; 0 for a divisor of 0.
    Div,
    /// `**`; 0 for a negative exponent. The solver does not know it.
    Pow,
    /// `^`, which joins strings. The solver does not know it.
    Join,
    /// `=`
    Eq,
    /// `<>`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Neg,
    /// `not`
    Not,
}

/// A function of one parameter.
#[derive(Debug)]
pub struct Lambda {
    /// Tells functions of one program apart.
    pub id: u32,
    /// The parameter.
    pub parameter: Name,
    /// Its type, if that is given.
    pub annotation: Option<Type>,
    /// What it computes.
    pub body: Expr,
    /// The variables from outside that the body mentions, each once.
    pub captured: Vec<Name>,
}

impl PartialEq for Lambda {
    fn eq(&self, other: &Lambda) -> bool {
        self.parameter == other.parameter && self.annotation == other.annotation && self.body == other.body
    }
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A value.
    Literal(Literal),
    /// A variable's value.
    Variable(Name),
    /// One operand.
    Unary(Unary, Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if … then … else …`; without `else` the third part is `()`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x : τ = … in …`
    Let(Name, Option<Type>, Box<Expr>, Box<Expr>),
    /// `var x = … in …`: a variable that can be assigned to.
    Var(Name, Box<Expr>, Box<Expr>),
    /// `x <- …`
    Set(Name, Box<Expr>),
    /// `fun x -> …`
    Fun(Rc<Lambda>),
    /// A function applied to its argument.
    Apply(Box<Expr>, Box<Expr>),
    /// `ref [τ] …`
    Ref(Option<Type>, Box<Expr>),
    /// `!…`
    Deref(Box<Expr>),
    /// `… := …`
    Assign(Box<Expr>, Box<Expr>),
    /// `…; …`
    Sequence(Vec<Expr>),
    /// `while … do …`
    While(Box<Expr>, Box<Expr>),
    /// `(… : τ)`
    Ascribe(Box<Expr>, Type),
    /// `{t … t}` or `{s … s}`.
    Block(Mode, Box<Expr>),
}

impl Expr {
    /// The parts, in the order in which they are evaluated.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) => Vec::new(),
            ExprKind::Unary(_, a)
            | ExprKind::Set(_, a)
            | ExprKind::Ref(_, a)
            | ExprKind::Deref(a)
            | ExprKind::Ascribe(a, _)
            | ExprKind::Block(_, a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Let(_, _, a, b)
            | ExprKind::Var(_, a, b)
            | ExprKind::Apply(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::While(a, b) => vec![a, b],
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Sequence(parts) => parts.iter().collect(),
            ExprKind::Fun(lambda) => vec![&lambda.body],
        }
    }
}

impl Binary {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Pow => "**",
            Binary::Join => "^",
            Binary::Eq => "=",
            Binary::Ne => "<>",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::And => "&&",
            Binary::Or => "||",
        }
    }

    /// How tightly it binds; larger is tighter.
    pub fn precedence(self) -> u8 {
        match self {
            Binary::Or => 1,
            Binary::And => 2,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => 3,
            Binary::Add | Binary::Sub | Binary::Join => 4,
            Binary::Mul | Binary::Div => 5,
            Binary::Pow => 6,
        }
    }
}

impl Unary {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "not ",
        }
    }
}
