//! Reads SMT-LIB 2 scripts in the logic QF_ABV and its parts.
//!
//! One question per script: the assertions that hold at the first `check-sat`. Booleans become one-bit vectors, as all
//! Booleans here are. Function definitions with parameters are refused.

mod apply;
mod read;
mod sexpr;
#[cfg(test)]
mod tests;
pub(crate) mod token;

pub use read::{SmtLibError, looks_like, read_script};
