//! From one run to the inputs beside it.
//!
//! [`expand`] decides every check of a path and looks for an input for every other way out of its branches. It knows
//! nothing of programs: what comes of the inputs is somebody else's business.

mod expand;
mod ways;

pub use expand::{Aim, Candidate, CheckVerdict, Expansion, Options, expand};
pub use ways::{Way, other_ways};
