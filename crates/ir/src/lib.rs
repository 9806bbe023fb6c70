//! The static view of a program.
//!
//! Whole-program bitcode, as `provoke cc` keeps it, is lowered once ([`lower()`]) to a small IR: functions of blocks of
//! instructions over registers, with the positions, names and fields that debug information has. The compiler's own
//! checks are left out, except those that say that a pointer is not null. [`PointsTo`] then tells what every pointer of the
//! program may point to, and which functions every call may reach; [`Effects`] what every function may read and write.
//!
//! Values are bit-vectors; a pointer has 64 bits. Structures and vectors in registers are the bits of their bytes in memory.

mod calls;
mod describe;
mod effects;
pub mod library;
mod lower;
mod points_to;
mod program;
mod returns;
mod set;
mod specialise;

pub use describe::Names;
pub use effects::{Cells, Effects, Touched, touch};
pub use lower::lower;
pub use points_to::{Cell, CellId, Object, ObjectId, ObjectKind, PointsTo};
pub use program::{
    Argument, ArrayRange, Binary, Block, BlockId, Callee, Cast, Comparison, Function, FunctionId, Global, GlobalId,
    Initial, Instruction, Layout, Marks, Op, Operand, Parameter, Program, Register, Site, SiteId, Step, Terminator,
    Type,
};
pub use set::Set;
pub use specialise::specialise;
