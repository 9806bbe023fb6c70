//! The concrete syntax.

mod declaration;
mod parse;
mod term;
mod token;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use parse::{infix, parse};
pub(crate) use tree::*;
