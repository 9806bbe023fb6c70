//! What came of a suite, as a report.

use std::collections::BTreeMap;
use std::path::Path;

use predict::{Record, Summary, Tally};
use report::{
    CheckCounts, CommandLine, Finding, LineChecks, Loss, LossPlace, Queries, Report, Seconds, Suite, TestChecks,
    TestResult, TestVerdict, VerdictCounts, Verified,
};

use crate::describe;
use crate::exit::Failure;

/// A test that is done.
pub struct Done {
    /// Its name.
    pub name: String,
    /// What came of it.
    pub record: Record,
    /// Whether it had been run before.
    pub was_known: bool,
}

/// The report of a suite of so many tests.
pub fn report(program: &Path, (tests, all): (&[Done], usize), summary: &Summary) -> Result<Report, Failure> {
    let mut report = Report::new(program.display().to_string(), CommandLine::new(std::env::args_os()));
    for (defect, tests) in &summary.defects {
        let mut finding: Finding = serde_json::from_str(&defect.description).map_err(Failure::internal)?;
        finding.tests.clone_from(tests);
        report.findings.push(finding);
    }
    report.losses = losses(tests);
    report.summary.checks = summary
        .rules
        .iter()
        .map(|(rule, tally)| CheckCounts {
            rule: *rule,
            safe: tally.verified + tally.withheld,
            violated: tally.found + tally.predicted,
            confirmed: tally.found + tally.predicted,
            unknown: tally.unknown,
        })
        .collect();
    let proved = summary.rules.iter().filter(|(_, tally)| tally.verified == tally.total());
    report.verified = proved.map(|(rule, tally)| Verified { rule: *rule, checks: tally.verified }).collect();
    let cost = |count: fn(&Record) -> u64| -> u64 {
        tests.iter().filter(|test| !test.was_known).map(|test| count(&test.record)).sum()
    };
    report.summary.queries = Queries {
        asked: cost(|record| record.cost.queries),
        sat: cost(|record| record.cost.answered.0),
        unsat: cost(|record| record.cost.answered.1),
        ..Queries::default()
    };
    let queries = &mut report.summary.queries;
    queries.unknown = queries.asked.saturating_sub(queries.sat).saturating_sub(queries.unsat);
    report.summary.candidates = cost(|record| record.cost.replays);
    report.summary.verdicts = VerdictCounts {
        confirmed: cost(|record| record.cost.verdicts[0]),
        confirmed_elsewhere: cost(|record| record.cost.verdicts[1]),
        diverged: cost(|record| record.cost.verdicts[2]),
        not_reproduced: cost(|record| record.cost.verdicts[3]),
    };
    let seconds = |count: fn(&Record) -> u64| cost(count) as f64 / 1e6;
    report.summary.seconds = Seconds {
        run: seconds(|record| record.cost.run),
        solve: seconds(|record| record.cost.solve),
        ..Seconds::default()
    };
    let suite = Suite { waiting_tests: all.saturating_sub(tests.len()) as u64, ..suite(tests, summary) };
    report.summary.complete = !suite.tests.is_empty()
        && suite.waiting_tests == 0
        && suite.tests.iter().all(|test| test.verdict == TestVerdict::Verified);
    report.summary.suite = Some(suite);
    report.advice = advice(&report);
    Ok(report)
}

fn suite(tests: &[Done], summary: &Summary) -> Suite {
    let test = |test: &Done| TestResult {
        name: test.name.clone(),
        verdict: match predict::TestVerdict::of(&test.record) {
            predict::TestVerdict::Failing => TestVerdict::Failing,
            predict::TestVerdict::Predicted => TestVerdict::Predicted,
            predict::TestVerdict::Verified => TestVerdict::Verified,
            predict::TestVerdict::Open => TestVerdict::Open,
        },
        checks: checks(&test.record.tally()),
        reasons: open(&test.record),
        end: test.record.end.strip_prefix("program ").unwrap_or(&test.record.end).to_owned(),
    };
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for (reason, count) in tests.iter().flat_map(|test| &test.record.reasons) {
        *reasons.entry(reason).or_default() += count;
    }
    let mut reasons: Vec<(String, u64)> =
        reasons.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let line =
        |line: &predict::Line| LineChecks { file: line.file.clone(), line: line.line, checks: checks(&line.tally) };
    Suite {
        tests: tests.iter().map(test).collect(),
        known_checks: tests.iter().filter(|test| !test.was_known).map(|test| test.record.cost.known).sum(),
        known_tests: tests.iter().filter(|test| test.was_known).count() as u64,
        late_tests: tests.iter().filter(|test| test.record.is_late).count() as u64,
        waiting_tests: 0,
        lines: summary.lines.iter().map(line).collect(),
        reasons,
    }
}

fn checks(tally: &Tally) -> TestChecks {
    let Tally { verified, found, predicted, withheld, unknown } = *tally;
    TestChecks { verified, found, predicted, withheld, unknown }
}

/// Why not everything is known about a test.
fn open(record: &Record) -> Vec<String> {
    let lost = record.losses.iter().map(|lost| match lost.line {
        0 => lost.text.clone(),
        line => format!("{} at {}:{line}", lost.text, lost.file),
    });
    record.reasons.keys().cloned().chain(lost).collect()
}

/// What the paths of all tests do not cover, by cause.
fn losses(tests: &[Done]) -> Vec<Loss> {
    let mut places: BTreeMap<(&str, &str, &str, u32), u64> = BTreeMap::new();
    for store::Loss { cause, text, file, line, count } in tests.iter().flat_map(|test| &test.record.losses) {
        let place = places.entry((cause, text, file, *line)).or_default();
        *place = place.saturating_add(*count);
    }
    let mut losses: Vec<Loss> = Vec::new();
    for ((cause, text, file, line), count) in places {
        let place = (line > 0).then(|| LossPlace { file: file.to_owned(), line, count });
        match losses.last_mut() {
            Some(last) if last.cause == cause && last.text == text => {
                last.count = last.count.saturating_add(count);
                last.places.extend(place);
            }
            _ => losses.push(Loss {
                cause: cause.to_owned(),
                text: text.to_owned(),
                count,
                places: place.into_iter().collect(),
            }),
        }
    }
    for loss in losses.iter_mut().filter(|loss| loss.count == 1) {
        loss.text = describe::of_one(&loss.text);
    }
    losses.iter_mut().for_each(|loss| loss.places.sort_by_key(|place| std::cmp::Reverse(place.count)));
    losses
}

fn advice(report: &Report) -> Vec<String> {
    let mut advice = Vec::new();
    let suite = report.summary.suite.as_ref();
    if suite.is_some_and(|suite| suite.waiting_tests > 0) {
        advice.push("Not all tests are done: the same command goes on with those that are left.".to_owned());
    } else if suite
        .is_some_and(|suite| suite.late_tests == 0 && suite.tests.iter().all(|test| test.checks.total() == 0))
    {
        advice.push("No check depends on the input of a test: is it the input that the program reads?".to_owned());
    }
    if report.losses.iter().any(|loss| loss.cause == "unmodelled-call") {
        advice.push(
            "Calls into libraries without bitcode lose precision: build those libraries with `provoke cc` too."
                .to_owned(),
        );
    }
    if suite.is_some_and(|suite| suite.reasons.iter().any(|(reason, _)| reason.contains("time budget"))) {
        advice.push("Some queries were not answered: allow more with --limit query-time=SECONDS.".to_owned());
    }
    if suite.is_some_and(|suite| suite.late_tests > 0) {
        advice.push(
            "Some tests were not done in their time: allow more with --test-time TIME; only they are done again."
                .to_owned(),
        );
    }
    advice
}
