//! What a file says, before its names have been looked up.

use num_bigint::BigInt;

use crate::source::Span;
use crate::value::{Binary, Unary};

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TermKind {
    Int(BigInt),
    Bool(bool),
    Name(String),
    Unary(Unary, Box<TermTree>),
    Binary(Binary, Box<TermTree>, Box<TermTree>),
    If(Box<TermTree>, Box<TermTree>, Box<TermTree>),
}

/// A term. The parser bounds its depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TermTree {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
    pub(crate) depth: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeTree {
    Named(Name),
    Bool(Span),
    /// `{x : Int | t}`
    Refinement {
        variable: Name,
        predicate: TermTree,
        span: Span,
    },
    /// `T & S & …`
    Intersection(Vec<TypeTree>),
}

impl TypeTree {
    pub(crate) fn span(&self) -> Span {
        match self {
            TypeTree::Named(name) => name.span,
            TypeTree::Bool(span) | TypeTree::Refinement { span, .. } => *span,
            TypeTree::Intersection(types) => match (types.first(), types.last()) {
                (Some(first), Some(last)) => first.span().to(last.span()),
                _ => Span::default(),
            },
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OperandKind {
    Int(BigInt),
    Bool(bool),
    Variable(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OperandTree {
    pub(crate) kind: OperandKind,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ExpressionTree {
    Operand(OperandTree),
    Apply { operator: Name, operands: Vec<OperandTree>, span: Span },
}

pub(crate) type CastSetTree = Vec<(Name, TypeTree)>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CommandTree {
    Stop,
    Assign { casts: CastSetTree, target: Name, cast: Option<TypeTree>, expression: ExpressionTree },
    If { casts: CastSetTree, condition: ExpressionTree, yes: Sequence, no: Sequence },
}

/// Commands one after another. `stop` and `if` come last, if at all: a sequence without them ends in `stop`.
pub(crate) type Sequence = Vec<(CommandTree, Span)>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryTree {
    Variable(Name, TypeTree),
    /// The parameter types of an operator; the result stays as it is.
    Operator(Name, Vec<TypeTree>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Declaration {
    Type { name: Name, meaning: TypeTree },
    Operator { name: Name, parameters: Vec<(Name, TypeTree)>, result: TypeTree, definition: TermTree },
    Variable { name: Name, of: TypeTree, input: bool, initial: Option<OperandTree> },
    Environment { name: Name, entries: Vec<EntryTree> },
}

/// A whole file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct File {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) commands: Sequence,
}
