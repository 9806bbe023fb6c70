//! MIX.
mod analysis;
mod check;
mod environment;
pub mod evaluate;
mod execute;
mod mix;
mod parse;
mod print;
pub mod render;
mod rules;
mod signs;
mod span;
pub mod syntax;
#[cfg(test)]
mod theorems;
mod types;
mod verdict;
mod witness;

pub use analysis::{Options, analyse};
pub use parse::{MAX_DEPTH, MAX_LENGTH, ParseError, parse};
pub use span::Span;
pub use types::{Code, Sign, Type};
pub use verdict::{BlockPlace, Cause, Rejection, Report, Run, Stats, Step, Verdict, Witness};

/// Runs something that recurses over a program with enough stack for another level.
fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    // A level of any of our recursions needs far less than the first number, also in debug builds.
    stacker::maybe_grow(128 << 10, 2 << 20, work)
}
