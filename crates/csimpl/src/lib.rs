//! CSimpL.

mod analysis;
mod compile;
mod environment;
mod evaluate;
mod explain;
mod formula;
mod module;
mod obligation;
mod print;
mod program;
mod resolve;
mod rules;
mod search;
mod side_by_side;
mod solve;
mod source;
mod subtyping;
mod syntax;
mod term;
mod types;
mod typing;
mod value;

#[cfg(test)]
mod theorems;

pub use analysis::{Analysis, Options, Problem, Verdict, analyse};
pub use compile::{Compiled, Rejected, Step, compile};
pub use environment::{Environment, Signature};
pub use evaluate::{CastPlace, Store};
pub use explain::{Row, State, table};
pub use formula::{Formulas, Node, Symbolic};
pub use module::{Module, OperatorInfo, UnknownEnvironment, VariableInfo};
pub use obligation::{Judgement, Obligation, Purpose};
pub use print::{Detail, Line, command as command_text, expression as expression_text, lines};
pub use program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Operator, Program, Variable};
pub use resolve::LIBRARY;
pub use search::{Finding, Gap, Limits, Search, Subject};
pub use side_by_side::{End, Event, EventKind, Run, SymbolicStore};
pub use solve::{Budget, Constraint, Solution, Unknown, solve};
pub use source::{Diagnostic, Span, position};
pub use subtyping::{Answer, Smt, Strength, Subtyping};
pub use term::Term;
pub use types::Type;
pub use typing::{Typing, check};
pub use value::{Binary, LARGEST_BITS, NoValue, Sort, Unary, Value};
