//! Refinements: conditions that a variable, parameter, field or result has to fulfil whenever it gets a value.
//!
//! ```
//! let condition = refine::Condition::parse("0 <= x && x < limit").unwrap();
//! assert_eq!(condition.names(), ["x", "limit"]);
//! ```
//!
//! A [`Condition`] is over mathematical integers: nothing in it wraps around. A [`Specification`] is a file of them.
//! This crate knows text only: what a name stands for is found out where the program is known.

#[cfg(any(test, feature = "arbitrary"))]
pub mod arbitrary;
mod condition;
mod parse;
mod place;
mod specification;
mod token;
mod unit;

pub use condition::{Arithmetic, Comparison, Condition, Formula, Term};
pub use parse::ConditionError;
pub use place::{Place, Step};
pub use specification::{Line, Specification, SpecificationError, Subject};
pub use unit::UnitName;
