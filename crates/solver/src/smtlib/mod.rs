//! Reads SMT-LIB 2 scripts in the logic QF_ABV and its parts.
//!
//! Each `check-sat` is a question: the assertions that hold there. Booleans become one-bit vectors, as all Booleans here
//! are. Function definitions with parameters are refused.

mod apply;
mod read;
mod sexpr;
#[cfg(test)]
mod tests;
pub(crate) mod token;

pub use read::{SmtLibError, looks_like, read_script};
