//! What came of a test.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::Loss;
use trace::rule::Rule;

/// Checks, by what was decided about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Verified for all inputs that take the path.
    pub verified: u64,
    /// Violated by the test itself.
    pub found: u64,
    /// Violated by another input on the path, which was seen to do so.
    pub predicted: u64,
    /// They hold for everything that the path's constraint describes, but something before them is not covered by it: the
    /// verdict is withheld.
    pub withheld: u64,
    /// Not decided.
    pub unknown: u64,
}

impl Tally {
    /// All of them.
    pub fn total(&self) -> u64 {
        [self.verified, self.found, self.predicted, self.withheld, self.unknown]
            .iter()
            .fold(0, |a, b| a.saturating_add(*b))
    }

    /// Those about which something is known.
    fn decided(&self) -> u64 {
        self.total().saturating_sub(self.unknown)
    }

    /// Adds those of another one.
    pub fn add(&mut self, other: &Tally) {
        let Tally { verified, found, predicted, withheld, unknown } = self;
        for (to, from) in [
            (verified, other.verified),
            (found, other.found),
            (predicted, other.predicted),
            (withheld, other.withheld),
            (unknown, other.unknown),
        ] {
            *to = to.saturating_add(from);
        }
    }
}

/// Checks of one rule at one line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The rule.
    pub rule: Rule,
    /// File; empty if unknown.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// What was decided.
    pub tally: Tally,
}

/// What came of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// How the program ended.
    pub end: String,
    /// Checks, by rule and line.
    pub places: Vec<Place>,
    /// Why checks are unknown, and how many.
    pub reasons: BTreeMap<String, u64>,
    /// What is not covered.
    pub losses: Vec<Loss>,
    /// The bugs that the test itself shows.
    pub found: Vec<String>,
    /// The bugs that it comes close to.
    pub predicted: Vec<String>,
    /// What it cost.
    pub cost: Cost,
    /// What could have been spent.
    #[serde(default)]
    pub effort: Effort,
    /// Whether its time was over before everything was decided.
    #[serde(default)]
    pub is_late: bool,
}

/// What may be spent on a test.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Microseconds of a query.
    pub query: u64,
    /// Microseconds of a run.
    pub run: u64,
    /// Bytes of memory of a run.
    pub memory: u64,
    /// Bytes of a trace.
    pub trace: u64,
    /// How checks share queries.
    pub combination: String,
    /// Microseconds of a test in all.
    #[serde(default)]
    pub test: u64,
}

impl Effort {
    /// Puts together what may be spent.
    pub fn new(test: Duration, query: Duration, limits: &run::Limits, combination: String) -> Effort {
        let (test, query, run) = (micros(test), micros(query), micros(limits.time));
        Effort { query, run, memory: limits.memory, trace: limits.trace, combination, test }
    }

    /// Whether more may come of it than of another one, in the same time.
    fn goes_beyond(&self, other: &Effort) -> bool {
        self.query > other.query
            || self.run > other.run
            || self.memory > other.memory
            || self.trace > other.trace
            || self.combination != other.combination
    }
}

/// A time as it is kept.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(i64::MAX as u64).min(i64::MAX as u64)
}

impl Record {
    /// What is said of a test that cannot be run.
    pub fn not_run(why: &str) -> Record {
        let loss = Loss {
            cause: "cannot-run".to_owned(),
            text: format!("the test cannot be run: {why}"),
            file: String::new(),
            line: 0,
            count: 0,
        };
        Record { end: "cannot be run".to_owned(), losses: vec![loss], ..Record::default() }
    }

    /// What is known of a test after one more run of it. Bugs that were seen stay, and a run whose time was over takes back nothing
    /// that was decided before.
    #[must_use]
    pub fn after(self, before: &Record) -> Record {
        let known = |record: &Record| (record.tally().decided(), record.tally().total());
        let is_less = self.is_late && known(&self) < known(before);
        let all =
            |own: &[String], before: &[String]| -> BTreeSet<String> { own.iter().chain(before).cloned().collect() };
        let found = all(&self.found, &before.found);
        let predicted = &all(&self.predicted, &before.predicted) - &found;
        let cost = self.cost;
        let record = if is_less { before.clone() } else { self };
        Record { found: found.into_iter().collect(), predicted: predicted.into_iter().collect(), cost, ..record }
    }

    /// Whether more is decided, perhaps, if this may be spent.
    pub fn can_gain(&self, effort: &Effort) -> bool {
        let tally = self.tally();
        let is_open = tally.unknown > 0 || tally.withheld > 0 || !self.losses.is_empty();
        let has_more_time = self.is_late && effort.test > self.effort.test;
        is_open && (has_more_time || effort.goes_beyond(&self.effort))
    }

    /// All checks together.
    pub fn tally(&self) -> Tally {
        let mut all = Tally::default();
        self.places.iter().for_each(|place| all.add(&place.tally));
        all
    }
}

/// What a test cost. Another run of the same test may cost something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Checks that had been decided for another test before.
    pub known: u64,
    /// Queries.
    pub queries: u64,
    /// Queries that were answered with a model, or with none.
    pub answered: (u64, u64),
    /// Inputs that were replayed.
    pub replays: u64,
    /// Predictions that were confirmed, confirmed elsewhere, that diverged, and that were not reproduced.
    pub verdicts: [u64; 4],
    /// Microseconds in the concolic view.
    pub run: u64,
    /// Microseconds in the solver.
    pub solve: u64,
    /// Microseconds in all.
    pub total: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_effort_is_for_what_is_open() {
        let effort = |query| Effort { query, ..Effort::default() };
        let open = Record { effort: effort(5), ..Record::not_run("why") };
        assert!(open.can_gain(&effort(6)));
        assert!(!open.can_gain(&effort(5)) && !open.can_gain(&effort(4)));
        let longer = Effort { test: 9, ..effort(5) };
        assert!(!open.can_gain(&longer), "it was not the time");
        assert!(Record { is_late: true, ..open }.can_gain(&longer));
        let closed = Record { effort: effort(5), ..Record::default() };
        assert!(!closed.can_gain(&effort(6)));
    }

    #[test]
    fn another_run_takes_nothing_back() {
        let record = |verified, unknown, found: &[&str], predicted: &[&str]| {
            let tally = Tally { verified, unknown, ..Tally::default() };
            let place = Place { rule: Rule::DivByZero, file: "a.c".to_owned(), line: 3, tally };
            let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Record { places: vec![place], found: names(found), predicted: names(predicted), ..Record::default() }
        };
        let before = record(3, 2, &["a"], &["b"]);
        assert_eq!(record(4, 1, &[], &["c"]).after(&before), record(4, 1, &["a"], &["b", "c"]));
        assert_eq!(record(4, 1, &["b"], &["a"]).after(&before), record(4, 1, &["a", "b"], &[]));
        let late = Record { is_late: true, ..record(2, 3, &[], &["c"]) };
        assert_eq!(late.after(&before), record(3, 2, &["a"], &["b", "c"]));
        let nothing = Record { is_late: true, ..Record::not_run("why") };
        assert_eq!(nothing.after(&record(0, 2, &[], &[])), record(0, 2, &[], &[]));
        let late = Record { is_late: true, ..record(4, 1, &[], &[]) };
        assert_eq!(late.after(&before).places, record(4, 1, &[], &[]).places);
    }
}
