//! What was found, as data, and as text, JSON, SARIF, JUnit and HTML.
//!
//! A [`Report`] is plain data: whoever makes one need not know how it is shown, and nothing here knows how findings are
//! made. Whatever a report contains may come from the program under test, so every renderer escapes all of it.

pub mod baseline;
pub mod destination;
pub mod escape;
mod excerpt;
mod hexdump;
pub mod html;
pub mod json;
pub mod junit;
pub mod lcov;
pub mod model;
mod order;
mod places;
pub mod reproducer;
pub mod sarif;
pub mod sources;
#[cfg(test)]
mod testing;
pub mod text;
pub mod words;

pub use self::baseline::Baseline;
pub use self::destination::{Destination, Kind};
pub use self::excerpt::{WIDEST, first_shown};
pub use self::model::{
    BranchCounts, Bytes, Change, CheckCounts, CommandLine, Exploration, ExploredPath, FileCoverage, Finding, Frame,
    Input, LineChecks, LoopCost, Loss, LossPlace, Moment, Neighbours, Part, PartKind, Position, Prediction, Queries,
    Report, RunSummary, Seconds, Slow, Step, Suite, Summary, TestChecks, TestResult, TestVerdict, TierCounts, Tool,
    Variants, Verdict, VerdictCounts, Verified, fingerprint,
};
pub use self::order::Order;
pub use self::sources::{Disk, Sources};
