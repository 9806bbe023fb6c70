//! What was decided about the checks of a test.

use std::collections::{BTreeMap, BTreeSet};

use checkers::inject::Injected;
use replay::{Divergence, Violation};
use rustc_hash::FxHashMap;
use search::CheckVerdict;
use search::check::{Checked, Miss};
use serde::{Deserialize, Serialize};
use solver::Reason;
use trace::rule::Rule;
use trace::sites::SiteTable;

use crate::record::{Place, Record, Tally};

/// Why a check that a test violates is not counted as found.
const NOT_SHOWN: &str = "the test violates it, but no replay of the test showed that";

/// Why a check is not decided that the time was not enough for.
pub const TIME_OVER: &str = "the time for the test was over";

/// Why a check is not verified that holds behind divisions.
const BEHIND: &str = "it holds only for inputs on which no division before it fails";

/// Why a check is not decided whose input did something else.
const ELSEWHERE: &str = "the input that should violate it failed elsewhere";

/// Why a check is not decided that nobody asked about.
const PASSED_OVER: &str = "the solver was not asked: checks before had taken the time for queries without an answer";

/// What was decided about a check on a path, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Decided {
    /// No input on the path violates it.
    Holds,
    /// One does, and shows these bugs.
    Violated(BTreeSet<String>),
    /// The input that should violate it was not seen to, but it shows these bugs.
    Elsewhere(BTreeSet<String>),
    /// It holds for inputs that get past the divisions before it, and not for others: one of those shows these bugs.
    Behind(BTreeSet<String>),
    /// There is no answer, and why.
    Unknown(String),
    /// Others had taken the time that there is for queries without an answer. This is not kept: the next test on the path asks.
    PassedOver,
    /// The time for the test was over. This is not kept: with more time it is asked again.
    Late,
}

/// What was decided about the checks that were asked about, in their order.
pub fn decided(checked: &Checked) -> Vec<Decided> {
    // What was predicted is what counts, if it counts for itself.
    let buckets = |index: usize, only_predicted: bool| -> BTreeSet<String> {
        let shown = checked.shown.iter().filter(|shown| shown.check == index);
        let shown = shown.filter(|shown| shown.as_predicted || !only_predicted);
        shown.map(|shown| shown.bucket.to_string()).collect()
    };
    let missed: FxHashMap<usize, &Miss> = checked.missed.iter().map(|(index, why)| (*index, why)).collect();
    let reasons: FxHashMap<usize, &Reason> =
        checked.expansion.reasons.iter().map(|(index, reason)| (*index, reason)).collect();
    let is_over = checked.expansion.stopped;
    let violated = |index: usize| {
        let (predicted, all) = (buckets(index, true), buckets(index, false));
        Decided::Violated(if predicted.is_empty() { all } else { predicted })
    };
    let decided = |index: usize| match checked.expansion.checks.get(index) {
        Some(CheckVerdict::Holds) => Decided::Holds,
        _ if checked.confirmed.contains(&index) => violated(index),
        _ if checked.late.contains(&index) => Decided::Late,
        Some(CheckVerdict::Behind) => Decided::Behind(buckets(index, false)),
        Some(CheckVerdict::Violable) => match (buckets(index, false), missed.get(&index)) {
            (_, Some(missed)) => Decided::Unknown(not_seen(missed)),
            (shown, None) if !shown.is_empty() => Decided::Elsewhere(shown),
            // There was no time to run it.
            (_, None) if is_over => Decided::Late,
            (_, None) => Decided::Unknown(not_seen(&Miss::NothingFailed)),
        },
        Some(CheckVerdict::Unknown) | None if checked.expansion.passed_over.contains(&index) => Decided::PassedOver,
        Some(CheckVerdict::Unknown) | None => match reasons.get(&index) {
            Some(Reason::Deadline) => Decided::Late,
            Some(reason) => Decided::Unknown(format!("the solver gave no answer: {reason}")),
            None if is_over => Decided::Late,
            None => Decided::Unknown("the solver was not asked".to_owned()),
        },
    };
    (0..checked.checks.len()).map(decided).collect()
}

fn not_seen(missed: &Miss) -> String {
    match missed {
        Miss::Left(Divergence { position: Some(at), .. }) => {
            format!("the input that should violate it left the path at {}:{}", at.file, at.line)
        }
        Miss::Left(Divergence { position: None, .. }) => "the input that should violate it left the path".to_owned(),
        Miss::TookTooLong => "the input that should violate it took too long".to_owned(),
        Miss::NothingFailed => "the input that should violate it was not seen to".to_owned(),
    }
}

/// The checks of a test, counted by rule and line. The first `covered` constraints of its path cover everything. A check that
/// the test violates counts as found only if a bug of the test's own was shown.
pub fn tallied(
    sites: &SiteTable,
    checks: &[Injected],
    decided: &BTreeMap<usize, Decided>,
    covered: usize,
    is_shown: bool,
) -> Record {
    let mut places: BTreeMap<(Rule, &str, u32), Tally> = BTreeMap::new();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let mut open = |tally: &mut Tally, reason: &str| {
        tally.unknown += 1;
        *reasons.entry(reason.to_owned()).or_default() += 1;
    };
    for (index, check) in checks.iter().enumerate() {
        let (file, line) = path::position(sites, check.site).map_or(("", 0), |p| (p.file.as_str(), p.line));
        let tally = places.entry((check.rule, file, line)).or_default();
        match decided.get(&index) {
            _ if !check.held && is_shown => tally.found += 1,
            _ if !check.held => open(tally, NOT_SHOWN),
            Some(Decided::Holds) if check.before < covered => tally.verified += 1,
            Some(Decided::Holds) => tally.withheld += 1,
            Some(Decided::Violated(_)) => tally.predicted += 1,
            Some(Decided::Unknown(reason)) => open(tally, reason),
            Some(Decided::Elsewhere(_)) => open(tally, ELSEWHERE),
            Some(Decided::Behind(_)) => open(tally, BEHIND),
            Some(Decided::PassedOver) => open(tally, PASSED_OVER),
            Some(Decided::Late) => open(tally, TIME_OVER),
            None => tally.unknown += 1,
        }
    }
    let place =
        |((rule, file, line), tally): ((Rule, &str, u32), Tally)| Place { rule, file: file.to_owned(), line, tally };
    Record { places: places.into_iter().map(place).collect(), reasons, ..Record::default() }
}

/// Counts what a test was seen to violate where no check of its path says so: a program that ends there may leave nothing of the last
/// steps in its trace, and the steps before them say nothing about these.
pub fn count_shown<'a>(record: &mut Record, shown: impl Iterator<Item = &'a Violation>) {
    for violation in shown {
        let Some(frame) = violation.stack.first() else { continue };
        let (rule, file, line) = (violation.rule, &frame.position.file, frame.position.line);
        let is_there = |place: &&mut Place| (place.rule, &place.file, place.line) == (rule, file, line);
        match record.places.iter_mut().find(is_there) {
            Some(place) => place.tally.found = place.tally.found.max(1),
            None => {
                let tally = Tally { found: 1, ..Tally::default() };
                record.places.push(Place { rule, file: file.clone(), line, tally });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Claim, Store};

    fn check(held: bool, before: usize) -> Injected {
        let mut store = Store::new();
        let term = store.named("holds", 1);
        let holds = Claim { term, original: term };
        Injected {
            rule: Rule::DivByZero,
            holds,
            stated: holds,
            near: None,
            held,
            site: 0,
            number: None,
            fatal: false,
            by_use: false,
            before,
            event: 0,
        }
    }

    fn tally(check: Injected, decided: Option<Decided>, covered: usize, is_shown: bool) -> Tally {
        let decided = decided.into_iter().map(|decided| (0, decided)).collect();
        tallied(&SiteTable::default(), &[check], &decided, covered, is_shown).tally()
    }

    #[test]
    fn what_the_test_violates_is_not_verified() {
        for decided in [Some(Decided::Holds), Some(Decided::Late), None] {
            let found = tally(check(false, 0), decided.clone(), usize::MAX, true);
            assert_eq!(found, Tally { found: 1, ..Tally::default() });
            let not_shown = tally(check(false, 0), decided, usize::MAX, false);
            assert_eq!(not_shown, Tally { unknown: 1, ..Tally::default() });
        }
    }

    #[test]
    fn what_holds_is_verified_only_before_the_first_loss() {
        assert_eq!(tally(check(true, 2), Some(Decided::Holds), 3, true).verified, 1);
        assert_eq!(tally(check(true, 3), Some(Decided::Holds), 3, true).withheld, 1);
        assert_eq!(tally(check(true, 2), Some(Decided::Late), 3, true).unknown, 1);
    }
}
