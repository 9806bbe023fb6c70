//! Findings.

use checkers::catalogue::{self, Severity};
use serde::{Deserialize, Serialize};
use trace::rule::Rule;

use super::{Change, CommandLine, Frame, Input, Position, Step};

/// A violation that was seen to happen, or one that an analysis without a run warns of ([`Verdict::NotRun`]).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What was violated.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, with the values that it happened for.
    pub message: String,
    /// Where.
    pub position: Position,
    /// The function it happened in; empty if unknown.
    #[serde(default)]
    pub function: String,
    /// The calls that led there, the innermost first; its first frame is the position itself.
    #[serde(default)]
    pub stack: Vec<Frame>,
    /// Whether memory was written that is not meant to be.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_write: bool,
    /// The same for the same bug, in every run and after changes elsewhere in the program; see [`fingerprint`].
    pub fingerprint: String,
    /// How the prediction turned out.
    pub verdict: Verdict,
    /// What led to it.
    pub predicted_by: Prediction,
    /// The input that makes the program fail.
    #[serde(default)]
    pub input: Input,
    /// In which bytes it differs from the input it was made from: the bytes that matter.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// The input it was made from; empty if there was none.
    #[serde(default)]
    pub from_input: String,
    /// What of it could not be saved, and why; empty if nothing went wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub not_saved: String,
    /// A command that makes it happen again.
    #[serde(default)]
    pub reproduce: CommandLine,
    /// A command that opens it in a debugger.
    #[serde(default, skip_serializing_if = "CommandLine::is_empty")]
    pub debug: CommandLine,
    /// Why there is no such command, if somebody would look for one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub no_debug: String,
    /// How the program gets there.
    #[serde(default)]
    pub path: Vec<Step>,
    /// The tests that show it or come close to it, if it comes from a suite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
}

impl Finding {
    /// A finding about which no more is known than this; the other fields can be filled in.
    pub fn new(rule: Rule, message: impl Into<String>, position: Position, bucket: &str) -> Finding {
        Finding {
            rule,
            severity: catalogue::entry(rule).severity,
            message: message.into(),
            position,
            function: String::new(),
            stack: Vec::new(),
            is_write: false,
            fingerprint: fingerprint(rule, bucket),
            verdict: Verdict::Confirmed,
            predicted_by: Prediction::Run,
            input: Input::default(),
            changes: Vec::new(),
            from_input: String::new(),
            not_saved: String::new(),
            reproduce: CommandLine::default(),
            debug: CommandLine::default(),
            no_debug: String::new(),
            path: Vec::new(),
            tests: Vec::new(),
        }
    }
}

/// A name for a bug: a hash of the rule and of its bucket, which is whatever stays the same while the bug does.
pub fn fingerprint(rule: Rule, bucket: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(rule.id().as_bytes()).update(b"\0").update(bucket.as_bytes());
    hasher.finalize().to_hex().chars().take(FINGERPRINT_DIGITS).collect()
}

/// Enough that two of a million bugs share a fingerprint less often than once in a billion projects.
const FINGERPRINT_DIGITS: usize = 20;

/// How a prediction turned out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The rule was violated at the predicted site.
    Confirmed,
    /// Something else failed, or the same rule at another site.
    ConfirmedElsewhere,
    /// The run left the predicted path.
    Diverged,
    /// Nothing failed.
    NotReproduced,
    /// There is no input to run: a static analysis warns of it.
    NotRun,
}

impl Verdict {
    /// As it is printed.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::ConfirmedElsewhere => "confirmed elsewhere",
            Verdict::Diverged => "diverged",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotRun => "not run",
        }
    }
}

/// What led to an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Prediction {
    /// A checker asked for an input that violates its rule on the path.
    Checker {
        /// The rule.
        rule: Rule,
        /// Where it was to be violated.
        position: Position,
    },
    /// A branch of the path was to go the other way.
    Branch {
        /// The branch.
        position: Position,
    },
    /// An input was changed without a question about it.
    Changed {
        /// How, completing "found by".
        how: String,
    },
    /// Nothing: it fails on the input as it was given.
    Run,
    /// An analysis of the program's text.
    Analysis {
        /// How it came to its result, completing "found by".
        by: String,
    },
}

impl Prediction {
    /// For people, completing "found by".
    pub(crate) fn describe(&self) -> String {
        match self {
            Prediction::Checker { rule, position } => format!("the checker {rule} at {position}"),
            Prediction::Branch { position } => format!("taking the other way at {position}"),
            Prediction::Changed { how: by } | Prediction::Analysis { by } => by.clone(),
            Prediction::Run => "running the program on the input as it is".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_do_not_change() {
        // A new value here means that every baseline that users keep is void.
        assert_eq!(fingerprint(Rule::Shift, "main+3"), "7858274997d2cb0a1d01");
        assert_ne!(fingerprint(Rule::Shift, "main+3"), fingerprint(Rule::Shift, "main+4"));
        assert_ne!(fingerprint(Rule::Shift, "main+3"), fingerprint(Rule::Overlap, "main+3"));
    }
}
