//! Predictive testing: what the tests that there are come close to.
//!
//! Every test of a suite is run once, concolically, and stays on its path. [`Worker::run`] decides each check on it: it is verified
//! for all inputs that take the path, or the test itself violates it, or another input on the path does and was seen to, or it
//! is not known. What was decided about a check on a path is not decided again for another test that comes the same way
//! ([`pairs`]). A [`Record`] says what came of a test; [`summary`](Summary) puts those of a suite together.

mod decided;
pub mod hoist;
pub mod pairs;
mod record;
pub mod recording;
mod summary;
mod test;
mod worker;

pub use record::{Effort, Record, Tally};
pub use summary::{Line, Summary, TestVerdict};
pub use test::{Test, program};
pub use worker::{Defect, Error, Ran, Settings, Words, Worker};
