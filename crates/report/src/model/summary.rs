//! What was done, in numbers.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use trace::rule::Rule;

use super::{CommandLine, Position, Suite};
use crate::words::{counted, grouped};

/// What a command did. What does not apply to it stays at 0.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Whether every check of the path, or of all paths, was decided and nothing was lost: no input on the path violates any rule that was
    /// checked, or there is a finding for it.
    #[serde(alias = "verified")]
    pub complete: bool,
    /// Whether it was stopped before it was done.
    pub interrupted: bool,
    /// Findings that the report has.
    pub findings: u64,
    /// Findings that are left out because an earlier report has them.
    pub known: u64,
    /// How often something was not covered.
    pub losses: u64,
    /// Distinct paths that were looked at.
    pub paths: u64,
    /// Runs that left the path that was expected of them.
    pub divergences: u64,
    /// The run that everything started from.
    pub run: RunSummary,
    /// Branches and switches of its path.
    pub branches: BranchCounts,
    /// Checks of its path, by rule.
    pub checks: Vec<CheckCounts>,
    /// What was asked of the solver.
    pub queries: Queries,
    /// Inputs that were made and run in the replay view.
    pub candidates: u64,
    /// Inputs that were made and not run: the run's own fails, and so did many in a row that lie beside it.
    #[serde(skip_serializing_if = "is_none")]
    pub left_out: u64,
    /// Those that took too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow: Option<Slow>,
    /// Inputs beside the run that reach new code, if the checks on their paths were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Neighbours>,
    /// Other inputs that were made from the run's, if the checks on their paths were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<Variants>,
    /// How predictions turned out, on the paths of all inputs that were looked at.
    pub verdicts: VerdictCounts,
    /// Predictions that did not come true, in words, by place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// Loops on input, those first that most inputs were made for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopCost>,
    /// Checks that hold whatever loops before them decided.
    pub protected_checks: u64,
    /// Time, by what it was spent on.
    pub seconds: Seconds,
    /// The paths that were explored, if it was more than one run's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploration: Option<Exploration>,
    /// The tests, if it was a suite of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
}

/// Inputs that took too long: the program may never end on them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Slow {
    /// How many.
    pub inputs: u64,
    /// How long each of them ran at least, before it was stopped.
    pub seconds: f64,
    /// A command that runs the first of them again.
    pub reproduce: CommandLine,
    /// How long the program itself, without the sanitizers, takes at most on those of them that it was run on, if it ends in that time
    /// on each: then they are slow, and no hangs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub natively: Option<f64>,
}

impl Slow {
    /// For people, without the command.
    pub(crate) fn sentence(&self) -> String {
        let time = format!("{:.1}", self.seconds);
        let time = time.strip_suffix(".0").unwrap_or(&time);
        let took = format!("{} took longer than {time} s", counted(self.inputs, "input"));
        match self.natively {
            Some(seconds) => {
                format!(
                    "{took} under the sanitizers; the program itself, where that was tried, ended within {:.2} s",
                    seconds.max(0.01)
                )
            }
            None => took,
        }
    }
}

/// Inputs that go another way than the run and reach code that nothing before them had reached. What holds there is not part of what
/// is verified, which is about the path of the run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Neighbours {
    /// How many.
    pub inputs: u64,
    /// Those whose paths were looked at.
    pub looked_at: u64,
    /// Checks on these paths, behind the place where they leave that of the run, that hold.
    pub safe: u64,
    /// Those that can be violated.
    pub violated: u64,
    /// Those without an answer.
    pub unknown: u64,
    /// Those that nobody asked about: they were too many, or came again in iterations.
    pub left_out: u64,
}

impl Neighbours {
    /// For people.
    pub(crate) fn sentence(&self) -> String {
        let Neighbours { inputs, looked_at, safe, violated, unknown, left_out } = self;
        format!(
            "{} with new code, {} looked at: {} there, {} hold, {} can be violated, {} undecided, {} left out",
            grouped(*inputs),
            grouped(*looked_at),
            counted(safe + violated + unknown + left_out, "check"),
            grouped(*safe),
            grouped(*violated),
            grouped(*unknown),
            grouped(*left_out)
        )
    }
}

/// Inputs like the run's, in which numbers have more digits, loops more rounds, or of which the length is input too.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Variants {
    /// How many.
    pub inputs: u64,
    /// Checks on their paths that hold.
    pub safe: u64,
    /// Those that can be violated.
    pub violated: u64,
    /// Those without an answer.
    pub unknown: u64,
}

impl Variants {
    /// For people.
    pub(crate) fn sentence(&self) -> String {
        let Variants { inputs, safe, violated, unknown } = self;
        let checks = safe.saturating_add(*violated).saturating_add(*unknown);
        format!(
            "{} of another length, with longer numbers or more rounds: {} there, {} hold, {} can be violated, {} undecided",
            grouped(*inputs),
            counted(checks, "check"),
            grouped(*safe),
            grouped(*violated),
            grouped(*unknown)
        )
    }
}

/// The exploration of a program's paths. Branches and checks of the summary are then those of all paths.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Exploration {
    /// Distinct paths.
    pub paths: u64,
    /// Those whose constraints cover everything.
    pub complete: u64,
    /// Inputs that were made or given.
    pub inputs: u64,
    /// Inputs that are waiting.
    pub waiting: u64,
    /// Steps from a seed to the inputs that are farthest from it.
    pub generations: u64,
    /// Edges of the program that were taken.
    pub edges: u64,
    /// Edges that there are.
    pub all_edges: u64,
    /// Runs that left the path that was expected of them.
    pub divergences: u64,
    /// Where they did, the most frequent place first, a line each.
    pub diverged: Vec<String>,
    /// What inputs the paths are for: "4 bytes", "up to 4 bytes".
    pub lengths: String,
    /// What keeps the exploration from being exhaustive, a phrase each; empty if it is.
    pub missing: Vec<String>,
    /// Checks that said again what one before them on their path says.
    pub repeated_checks: u64,
    /// How far it was, the earliest moment first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<Moment>,
    /// Which lines were reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileCoverage>,
    /// The first paths, each behind the one that it left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<ExploredPath>,
}

/// A path that was explored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExploredPath {
    /// Number of the first input that took it.
    pub input: u64,
    /// Index of the path that it left, if it left one.
    pub parent: Option<usize>,
    /// Where it left that path, if that is known.
    pub left_at: Option<String>,
    /// Decisions that depend on the input.
    pub decisions: u64,
    /// Whether its constraint covers everything.
    pub complete: bool,
}

/// What a loop on input cost.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopCost {
    /// Where its first condition on input is.
    pub position: Position,
    /// Inputs that were made for decisions behind its first iteration.
    pub inputs: u64,
    /// Such decisions that were left out, or left for later.
    pub left_out: u64,
    /// Inputs that were tried for many iterations at once.
    pub attempts: u64,
    /// Why its iterations matter, or that they do not.
    pub why: String,
}

/// How far an exploration was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Moment {
    /// When, in milliseconds of work.
    pub milliseconds: u64,
    /// Distinct paths until then.
    pub paths: u64,
    /// Inputs that were waiting.
    pub waiting: u64,
    /// Edges that had been taken.
    pub edges: u64,
    /// Findings.
    pub findings: u64,
}

/// Which lines of a file were reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileCoverage {
    /// The file.
    pub file: String,
    /// Lines that an edge leads to, and whether one of them was taken.
    pub lines: Vec<(u32, bool)>,
}

impl Exploration {
    /// What it has shown; `holds` if every check holds and nothing was found.
    pub fn sentence(&self, holds: bool) -> String {
        let paths = format!("all {}", counted(self.paths, "path"));
        match (self.missing.is_empty(), holds) {
            (true, true) => {
                format!("{paths} explored; verified: no property violated for inputs of {}", self.lengths)
            }
            (true, false) => format!("{paths} explored for inputs of {}", self.lengths),
            (false, _) => format!("{} explored, not all", counted(self.paths, "path")),
        }
    }
}

/// The run that everything started from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    /// The input, as the user named it; empty if there is none.
    pub input: String,
    /// Its length in bytes.
    pub input_bytes: u64,
    /// Bytes of it on which the path depends.
    pub bytes_that_matter: u64,
    /// How it ended, completing "the program …": `exited with 0`.
    pub end: String,
}

/// Branches and switches of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchCounts {
    /// That depend on the input.
    pub total: u64,
    /// Of their other ways, of which a switch has several: those that an input was found for.
    pub flipped: u64,
    /// Those that no input takes.
    pub impossible: u64,
    /// Those that were not decided.
    pub unknown: u64,
}

impl BranchCounts {
    /// How many there are at a place ("on the path"), and what came of their other ways.
    pub fn sentence(&self, place: &str) -> String {
        format!(
            "{} {place}; of their other ways {} can be taken by some input, {} by none, {} undecided",
            grouped(self.total),
            grouped(self.flipped),
            grouped(self.impossible),
            grouped(self.unknown)
        )
    }
}

/// Checks of a path that make sure of the same rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckCounts {
    /// The rule.
    pub rule: Rule,
    /// That hold for every input on the path.
    pub safe: u64,
    /// For which there is an input that violates them.
    pub violated: u64,
    /// Of those, for how many this was seen to happen where it was predicted.
    #[serde(default)]
    pub confirmed: u64,
    /// Which were not decided.
    pub unknown: u64,
}

impl CheckCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.safe.saturating_add(self.violated).saturating_add(self.unknown)
    }
}

/// What was asked of the solver.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Queries {
    /// All queries.
    pub asked: u64,
    /// Answered with a model.
    pub sat: u64,
    /// Answered with "there is none".
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Who answered them, cheapest first.
    pub tiers: Vec<TierCounts>,
    /// Queries that were sliced, because nothing answered them before.
    pub sliced: u64,
    /// Constraints that were left in all slices together.
    pub slice_constraints: u64,
    /// Calls of the solver for checks, one check or several at a time.
    pub check_calls: u64,
    /// Those that asked for several checks at once.
    pub disjunctions: u64,
    /// Checks that had been decided before on the path.
    pub repeated_checks: u64,
}

/// What one tier of the solver did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TierCounts {
    /// Its name.
    pub tier: String,
    /// Queries that it answered.
    pub answered: u64,
    /// Time it took.
    pub seconds: f64,
}

/// How predictions turned out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VerdictCounts {
    /// The rule was violated at the predicted site.
    pub confirmed: u64,
    /// Something else failed, or the same rule at another site.
    pub confirmed_elsewhere: u64,
    /// The run left the predicted path.
    pub diverged: u64,
    /// Nothing failed.
    pub not_reproduced: u64,
}

impl AddAssign for VerdictCounts {
    fn add_assign(&mut self, other: VerdictCounts) {
        self.confirmed += other.confirmed;
        self.confirmed_elsewhere += other.confirmed_elsewhere;
        self.diverged += other.diverged;
        self.not_reproduced += other.not_reproduced;
    }
}

/// Time, by what it was spent on.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Seconds {
    /// All of it.
    pub total: f64,
    /// Making views.
    pub views: f64,
    /// The concolic run.
    pub run: f64,
    /// The solver.
    pub solve: f64,
    /// Replaying candidates, minimisation included, most of it while the solver works; of a campaign its new inputs.
    pub replay: f64,
    /// Making path constraints and the checks on them; of a campaign all work on its paths, with runs and solver.
    #[serde(skip_serializing_if = "is_no_time")]
    pub paths: f64,
    /// Making inputs by chance.
    #[serde(skip_serializing_if = "is_no_time")]
    pub mutation: f64,
}

fn is_no_time(seconds: &f64) -> bool {
    *seconds <= 0.0
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_is_told_from_what_hangs() {
        let slow = Slow { inputs: 2, seconds: 2.0, ..Slow::default() };
        assert_eq!(slow.sentence(), "2 inputs took longer than 2 s");
        let sentence = Slow { natively: Some(0.27), ..slow }.sentence();
        assert_eq!(
            sentence,
            "2 inputs took longer than 2 s under the sanitizers; the program itself, where that was tried, ended within 0.27 s"
        );
    }

    #[test]
    fn checks_of_variants_are_counted() {
        let variants = Variants { inputs: 3, safe: 1200, violated: 26, unknown: 4 };
        let checks = "1,230 checks there, 1,200 hold, 26 can be violated, 4 undecided";
        assert!(variants.sentence().ends_with(checks), "{}", variants.sentence());
    }
}
