//! The concrete syntax.

mod parse;
mod term;
mod token;
mod tree;

pub(crate) use parse::{infix, parse};
pub(crate) use tree::*;
