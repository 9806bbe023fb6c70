//! Objects and their cells.

use crate::program::{FunctionId, GlobalId, Layout, Register};
use std::collections::BTreeMap;

/// An object, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// A cell, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId(pub u32);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A variable of a function: what the instruction for this register makes.
    Variable(FunctionId, Register),
    /// The copy of a structure that a parameter is passed in.
    ByValue(FunctionId, u32),
    /// What the call with this number in a function allocates; the second number tells several apart.
    Heap(FunctionId, u32, u32),
    /// The variable arguments of a function.
    Variadic(FunctionId),
    /// Memory of a function that is not part of the program.
    External(FunctionId),
    /// What a global variable points to that is defined elsewhere.
    Elsewhere(GlobalId),
    /// Where an integer points to that was made a pointer.
    Integer,
    /// `argv` and `envp`.
    Arguments,
    /// The strings that those point to.
    ArgumentTexts,
    /// What a pointer parameter points to of a function that is called from outside.
    Outside(FunctionId, u32),
}

impl ObjectKind {
    /// The function, if it is one.
    pub fn function(self) -> Option<FunctionId> {
        match self {
            ObjectKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether it may be code that nobody sees: a pointer to it comes from elsewhere.
    pub fn may_be_code(self) -> bool {
        matches!(
            self,
            ObjectKind::Integer | ObjectKind::External(_) | ObjectKind::Elsewhere(_) | ObjectKind::Outside(..)
        )
    }

    /// Whether its size and arrays are only known by how it is used.
    pub fn is_open(self) -> bool {
        matches!(self, ObjectKind::Heap(..) | ObjectKind::Outside(..))
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its size, if known, and its arrays.
    pub layout: Layout,
    /// Its cells, by their distance from its start.
    pub cells: BTreeMap<u64, CellId>,
    /// Whether it is never written: that would end the program.
    pub is_constant: bool,
    /// Whether there is never more than one of it at a time.
    pub is_single: bool,
    /// What all its cells point to from the start: nobody sees how the object was filled.
    pub points_on: Option<CellId>,
}

/// A part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Of which.
    pub object: ObjectId,
    /// How far from its start.
    pub offset: u64,
}
