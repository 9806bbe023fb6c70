//! The data of a report.

mod bytes;
mod command;
mod finding;
pub(crate) mod input;
mod place;
mod suite;
mod summary;

use serde::{Deserialize, Serialize};
use trace::rule::Rule;

pub use self::bytes::Bytes;
pub use self::command::CommandLine;
pub use self::finding::{Finding, Prediction, Verdict, fingerprint};
pub use self::input::{Change, Input, KEPT, Part, PartKind};
pub use self::place::{Frame, Position, Step};
pub use self::suite::{LineChecks, Suite, TestChecks, TestResult, TestVerdict};
pub use self::summary::{
    BranchCounts, CheckCounts, Exploration, ExploredPath, FileCoverage, LoopCost, Moment, Neighbours, Queries,
    RunSummary, Seconds, Slow, Summary, TierCounts, Variants, VerdictCounts,
};

/// Version of the JSON form. Raised when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

/// Everything that a command that finds things has to say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`].
    pub version: u32,
    /// What made the report.
    pub tool: Tool,
    /// The program under test, as the user named it.
    pub program: String,
    /// How the tool was started.
    pub command: CommandLine,
    /// What was done.
    pub summary: Summary,
    /// What was found, each confirmed by a run.
    pub findings: Vec<Finding>,
    /// What was proved.
    #[serde(default)]
    pub verified: Vec<Verified>,
    /// What was not covered, by cause.
    #[serde(default)]
    pub losses: Vec<Loss>,
    /// What to do next, a sentence each.
    #[serde(default)]
    pub advice: Vec<String>,
}

impl Report {
    /// A report without findings.
    pub fn new(program: impl Into<String>, command: CommandLine) -> Report {
        Report {
            version: VERSION,
            tool: Tool::default(),
            program: program.into(),
            command,
            summary: Summary::default(),
            findings: Vec::new(),
            verified: Vec::new(),
            losses: Vec::new(),
            advice: Vec::new(),
        }
    }

    /// For which inputs it is known that a check holds: behind something that is not covered, not for all.
    pub(crate) fn how_far(&self) -> &'static str {
        if self.losses.is_empty() { "for every input" } else { "as far as is covered" }
    }

    /// Takes back that rules are proved where there is a finding of them: on another path, perhaps, but nobody would understand it.
    pub(crate) fn take_back_proved(&mut self) {
        let findings = &self.findings;
        self.verified.retain(|verified| findings.iter().all(|finding| finding.rule != verified.rule));
    }

    /// Counts in the summary what the report has, and puts the worst findings first: to be called when nothing is added any more.
    pub fn tally(&mut self) {
        self.take_back_proved();
        self.put_in_order();
        self.summary.findings = self.findings.len() as u64;
        // What has no number happened once.
        self.summary.losses = self.losses.iter().fold(0, |sum, loss| sum.saturating_add(loss.count.max(1)));
    }
}

/// What made a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Default for Tool {
    fn default() -> Tool {
        Tool { name: "Provoke".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// A rule that no input on the path can violate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verified {
    /// The rule.
    pub rule: Rule,
    /// Its checks on the path, all of which were decided.
    pub checks: u64,
}

/// Something that was not covered, and so keeps a path from being verified.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// A word for programs, `symbolic-read` for example.
    pub cause: String,
    /// For people, without the number: "reads at symbolic addresses pinned".
    pub text: String,
    /// How often; 0 if that does not apply.
    pub count: u64,
    /// Where, the most frequent place first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<LossPlace>,
}

/// Where something was not covered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LossPlace {
    /// File; empty if unknown.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// How often.
    pub count: u64,
}
