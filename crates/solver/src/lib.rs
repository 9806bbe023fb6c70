//! Answers queries over terms: `Sat(model)`, `Unsat` or `Unknown(reason)`.
//!
//! A [`Session`] lives as long as a run. For every path it makes a [`PathSolver`], which is given the path's
//! constraints in order and asked, in between, whether they can hold together with something else: the negation of the
//! next branch, or the violation of a check. Most questions are answered by the *tiers* in front of the solvers; see
//! [`Tier`] for their order and [`Stats`] for what each one did. Every model is evaluated against the whole path and
//! the goal before it is returned.
//!
//! The crate knows nothing of traces or of C.

mod answer;
mod backend;
pub mod command;
pub mod dump;
mod path;
mod session;
pub mod smtlib;
mod standalone;
mod stats;
mod tiers;
mod wanted;

pub use answer::{Answer, BackendChoice, Budget, Reason, Solution, UnknownBackend};
pub use backend::{versions, worker};
pub use path::{Combination, Combined, Decision, PathSolver, UnknownCombination};
pub use session::{Config, Session, SessionError};
pub use stats::{CheckStats, Stats, Tier, TierStats};
