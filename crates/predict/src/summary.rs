//! What came of a suite.

use std::collections::{BTreeMap, BTreeSet};

use store::Suite;
use trace::rule::Rule;

use crate::record::{Record, Tally};
use crate::worker::{Defect, Error};

/// What can be said of a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TestVerdict {
    /// It shows a bug itself.
    Failing,
    /// Another input on its path shows one.
    Predicted,
    /// No input on its path violates any check.
    Verified,
    /// Nothing was seen to fail, but not everything is known.
    Open,
}

impl TestVerdict {
    /// What can be said of a test that this came of.
    pub fn of(record: &Record) -> TestVerdict {
        let tally = record.tally();
        if !record.found.is_empty() {
            TestVerdict::Failing
        } else if !record.predicted.is_empty() {
            TestVerdict::Predicted
        } else if record.losses.is_empty() && tally.total() == tally.verified {
            TestVerdict::Verified
        } else {
            TestVerdict::Open
        }
    }
}

/// The checks at a line, of all tests together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// What was decided.
    pub tally: Tally,
}

/// What came of a suite.
pub struct Summary {
    /// Bugs, each with the names of the tests that show it or come close to it.
    pub defects: Vec<(Defect, Vec<String>)>,
    /// Checks by rule.
    pub rules: BTreeMap<Rule, Tally>,
    /// Checks by line, where that is known.
    pub lines: Vec<Line>,
}

impl Summary {
    /// Puts together what came of tests, which are given with their names, and the bugs that could not be written to the suite's file.
    ///
    /// # Errors
    /// If what is kept about a finding cannot be read.
    pub fn new(
        suite: &Suite,
        program: &[u8],
        tests: &[(String, Record)],
        unsaved: &[(String, String)],
    ) -> Result<Summary, Error> {
        let mut rules: BTreeMap<Rule, Tally> = BTreeMap::new();
        let mut lines: BTreeMap<(&str, u32), Tally> = BTreeMap::new();
        let mut by_bucket: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for (name, record) in tests {
            for place in &record.places {
                rules.entry(place.rule).or_default().add(&place.tally);
                if place.line > 0 {
                    lines.entry((&place.file, place.line)).or_default().add(&place.tally);
                }
            }
            for bucket in record.found.iter().chain(&record.predicted) {
                let tests = by_bucket.entry(bucket).or_default();
                if tests.is_empty() {
                    order.push(bucket);
                }
                tests.insert(name);
            }
        }
        let mut defects = Vec::new();
        for bucket in order {
            let unsaved = || unsaved.iter().find(|(name, _)| name == bucket).map(|(_, data)| data.clone());
            let Some(data) = suite.finding(program, bucket)?.or_else(unsaved) else { continue };
            let tests = by_bucket.remove(bucket).unwrap_or_default();
            defects.push((serde_json::from_str::<Defect>(&data)?, tests));
        }
        let mut more: Vec<(Defect, BTreeSet<&str>)> = Vec::new();
        search::merge(
            &mut defects,
            |(defect, _): &(Defect, BTreeSet<&str>)| &defect.violation,
            |_| false,
            |dropped, kept| {
                more.push((kept.0.clone(), dropped.1.clone()));
            },
        );
        for (kept, tests) in more {
            if let Some((_, all)) = defects.iter_mut().find(|(defect, _)| *defect == kept) {
                all.extend(tests);
            }
        }
        let named =
            |(defect, tests): (Defect, BTreeSet<&str>)| (defect, tests.into_iter().map(str::to_owned).collect());
        let line = |((file, line), tally): ((&str, u32), Tally)| Line { file: file.to_owned(), line, tally };
        Ok(Summary {
            defects: defects.into_iter().map(named).collect(),
            lines: lines.into_iter().map(line).collect(),
            rules,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Place;
    use store::Loss;

    fn record(tally: Tally) -> Record {
        let place = Place { rule: Rule::DivByZero, file: "a.c".to_owned(), line: 3, tally };
        Record { places: vec![place], ..Record::default() }
    }

    #[test]
    fn verified_needs_everything_to_be_known() {
        let verified = record(Tally { verified: 2, ..Tally::default() });
        assert_eq!(TestVerdict::of(&verified), TestVerdict::Verified);
        for tally in [Tally { withheld: 1, ..Tally::default() }, Tally { verified: 5, unknown: 1, ..Tally::default() }]
        {
            assert_eq!(TestVerdict::of(&record(tally)), TestVerdict::Open);
        }
        let lost = Loss { count: 1, ..Loss::default() };
        let incomplete = Record { losses: vec![lost], ..verified.clone() };
        assert_eq!(TestVerdict::of(&incomplete), TestVerdict::Open);
        let predicted = Record { predicted: vec!["bug".to_owned()], ..verified };
        assert_eq!(TestVerdict::of(&predicted), TestVerdict::Predicted);
    }

    #[test]
    fn lines_and_rules_are_sums() {
        let folder = tempfile::tempdir().unwrap();
        let suite = Suite::open(&folder.path().join("suite")).unwrap();
        let (a, b) = (Tally { verified: 2, ..Tally::default() }, Tally { unknown: 1, ..Tally::default() });
        let tests = [("a".to_owned(), record(a)), ("b".to_owned(), record(b))];
        let summary = Summary::new(&suite, b"p", &tests, &[]).unwrap();
        let both = Tally { verified: 2, unknown: 1, ..Tally::default() };
        assert_eq!(summary.rules[&Rule::DivByZero], both);
        assert_eq!(summary.lines, [Line { file: "a.c".to_owned(), line: 3, tally: both }]);
    }

    #[test]
    fn bugs_that_could_not_be_kept_are_part_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let suite = Suite::open(&folder.path().join("suite")).unwrap();
        let violation = replay::Violation {
            rule: Rule::DivByZero,
            message: String::new(),
            access: None,
            check: None,
            operands: None,
            refinement: None,
            stack: vec![],
            allocated: vec![],
            freed: vec![],
            wild: false,
            index_column: None,
        };
        let (input, armed, test, description) = (replay::Input::default(), vec![], "a".to_owned(), String::new());
        let defect = Defect { violation, input, armed, test, description };
        let unsaved = [("bug".to_owned(), serde_json::to_string(&defect).unwrap())];
        let tests = [("a".to_owned(), Record { predicted: vec!["bug".to_owned()], ..Record::default() })];
        let summary = Summary::new(&suite, b"p", &tests, &unsaved).unwrap();
        assert_eq!(summary.defects, [(defect, vec!["a".to_owned()])]);
        assert!(Summary::new(&suite, b"p", &tests, &[]).unwrap().defects.is_empty());
    }
}
