//! Types.

use core::fmt;
use std::rc::Rc;

/// What is known about the sign of an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// Nothing.
    Unknown,
    /// Above 0.
    Pos,
    /// Below 0.
    Neg,
    /// 0.
    Zero,
}

impl Sign {
    /// The sign of a number.
    pub fn of(number: i64) -> Sign {
        match number {
            0 => Sign::Zero,
            1.. => Sign::Pos,
            _ => Sign::Neg,
        }
    }

    /// What is known of a number that is one of two.
    pub fn join(self, other: Sign) -> Sign {
        if self == other { self } else { Sign::Unknown }
    }

    /// Whether the sign is that of `number`.
    pub fn admits(self, number: i64) -> bool {
        self == Sign::Unknown || self == Sign::of(number)
    }

    /// The qualifier as it is written, with a space after it; nothing for an unknown sign.
    fn prefix(self) -> &'static str {
        match self {
            Sign::Unknown => "",
            Sign::Pos => "pos ",
            Sign::Neg => "neg ",
            Sign::Zero => "zero ",
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Integers of a sign.
    Int(Sign),
    /// Booleans.
    Bool,
    /// Strings.
    String,
    /// Floating-point numbers.
    Float,
    /// `()`.
    Unit,
    /// References to cells that hold values of a type.
    Ref(Rc<Type>),
    /// Functions, known by what they take and give.
    Fun(Rc<Type>, Rc<Type>),
    /// Functions, known by their code. The type checker cannot call them: it has no type for their parameter.
    Code(CodeId),
}

/// A number for the functions that one `fun` makes where the variables that it captures have certain types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodeId(pub(crate) u32);

impl Type {
    /// Integers.
    pub const INT: Type = Type::Int(Sign::Unknown);

    /// The type without what it says about the sign of the integer itself. (What a cell holds is another matter.)
    pub fn without_sign(&self) -> Type {
        match self {
            Type::Int(_) => Type::INT,
            other => other.clone(),
        }
    }

    /// References to cells of this type.
    pub fn reference(self) -> Type {
        Type::Ref(Rc::new(self))
    }

    /// How deeply references and arrows are nested.
    pub fn depth(&self) -> usize {
        match self {
            Type::Ref(cell) => 1 + crate::with_stack(|| cell.depth()),
            Type::Fun(from, to) => 1 + crate::with_stack(|| from.depth().max(to.depth())),
            _ => 0,
        }
    }

    /// Whether its values are functions.
    pub fn is_function(&self) -> bool {
        matches!(self, Type::Fun(..) | Type::Code(_))
    }

    /// Whether the types differ in signs of the integer itself at most.
    pub fn same_shape(&self, other: &Type) -> bool {
        matches!((self, other), (Type::Int(_), Type::Int(_))) || self == other
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(sign) => write!(f, "{}int", sign.prefix()),
            Type::Bool => write!(f, "bool"),
            Type::String => write!(f, "string"),
            Type::Float => write!(f, "float"),
            Type::Unit => write!(f, "unit"),
            Type::Ref(cell) if matches!(**cell, Type::Fun(..)) => write!(f, "({cell}) ref"),
            Type::Ref(cell) => write!(f, "{cell} ref"),
            Type::Fun(from, to) if matches!(**from, Type::Fun(..)) => write!(f, "({from}) -> {to}"),
            Type::Fun(from, to) => write!(f, "{from} -> {to}"),
            Type::Code(_) => write!(f, "function without a type"),
        }
    }
}
