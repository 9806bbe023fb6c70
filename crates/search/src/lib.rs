//! From one run to the inputs beside it, and what comes of them.
//!
//! [`expand`] decides every check of a path and looks for an input for every other way out of its branches. [`check()`]
//! does that for one run of a program, and replays what comes out of it: only what was seen to fail is found. [`mod@explore`] goes
//! on from there, over all paths that the program has.

pub mod check;
mod contradiction;
mod decisions;
mod divergence;
mod divisions;
mod expand;
pub mod explore;
mod growth;
pub mod loops;
#[cfg(test)]
mod made;
mod novelty;
mod patience;
mod reached;
mod violations;
mod ways;

pub use check::{Checked, Found, check};
pub use contradiction::{Contradiction, UnknownContradiction};
pub use divergence::went_the_way;
pub use divisions::{Division, divisions};
pub use expand::{Aim, Branches, Candidate, CheckVerdict, Checks, Choice, Expansion, Options, expand, expand_chosen};
pub use violations::merge;
pub use ways::{Way, other_ways};
