//! A suite of tests, and what can be said of each.

use serde::{Deserialize, Serialize};

/// A suite of tests. Checks of the summary are then those on the paths of all tests.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Suite {
    /// The tests, in their order.
    pub tests: Vec<TestResult>,
    /// Checks that had been decided before, for another test or for the same one.
    pub known_checks: u64,
    /// Tests that had been run before.
    pub known_tests: u64,
    /// Tests whose time was over before everything was decided.
    pub late_tests: u64,
    /// Tests that nobody came to before it was stopped; they are not among `tests`.
    pub waiting_tests: u64,
    /// Checks by line.
    pub lines: Vec<LineChecks>,
    /// Why checks are undecided, the most frequent reason first.
    pub reasons: Vec<(String, u64)>,
}

/// What can be said of a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestVerdict {
    /// It fails itself.
    Failing,
    /// Another input on its path fails.
    Predicted,
    /// No input on its path violates a check.
    Verified,
    /// Nothing was seen to fail, and not everything is known.
    Open,
}

impl TestVerdict {
    /// All of them, the worst first.
    pub const ALL: [TestVerdict; 4] =
        [TestVerdict::Failing, TestVerdict::Predicted, TestVerdict::Verified, TestVerdict::Open];

    /// What is said of so many tests, as in "3 tests …".
    pub const fn words(self, count: usize) -> &'static str {
        match (self, count) {
            (TestVerdict::Failing, 1) => "fails itself",
            (TestVerdict::Failing, _) => "fail themselves",
            (TestVerdict::Predicted, 1) => "comes close to a failure",
            (TestVerdict::Predicted, _) => "come close to a failure",
            (TestVerdict::Verified, _) => "verified",
            (TestVerdict::Open, _) => "not decided",
        }
    }
}

/// One test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestResult {
    /// Its name.
    pub name: String,
    /// What can be said of it.
    pub verdict: TestVerdict,
    /// Its checks.
    pub checks: TestChecks,
    /// Why it is not verified, a phrase each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// How the program ended, completing "the program …".
    pub end: String,
}

/// Checks by what was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TestChecks {
    /// Hold for every input that takes the path.
    pub verified: u64,
    /// Violated by the test.
    pub found: u64,
    /// Violated by another input on the path.
    pub predicted: u64,
    /// Hold as far as is known, but something before them was not covered.
    pub withheld: u64,
    /// Not decided.
    pub unknown: u64,
}

impl TestChecks {
    /// All of them.
    pub fn total(&self) -> u64 {
        [self.verified, self.found, self.predicted, self.withheld, self.unknown]
            .iter()
            .fold(0, |sum, number| sum.saturating_add(*number))
    }
}

/// The checks at a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineChecks {
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Its checks, on the paths of all tests.
    pub checks: TestChecks,
}

impl Suite {
    /// How many tests there are of each kind, the worst first; kinds without tests are left out.
    pub fn by_verdict(&self) -> impl Iterator<Item = (TestVerdict, usize)> {
        let count = |verdict| self.tests.iter().filter(|test| test.verdict == verdict).count();
        TestVerdict::ALL.into_iter().map(move |verdict| (verdict, count(verdict))).filter(|(_, count)| *count > 0)
    }

    /// Lines on which every check is verified, and all lines that have checks.
    pub fn verified_lines(&self) -> (usize, usize) {
        let verified = self.lines.iter().filter(|line| line.checks.verified == line.checks.total()).count();
        (verified, self.lines.len())
    }
}
