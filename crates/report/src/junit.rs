//! JUnit XML: for build servers.
//!
//! Every rule that was checked is a test: one that passes if nothing violated it, and one that fails for each finding
//! otherwise. If the report is about a suite of tests, each of those is a test too; one about which not everything is known is
//! skipped.

use std::collections::BTreeSet;
use std::time::Duration;

use checkers::catalogue;
use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};
use trace::rule::Rule;

use crate::escape::visible;
use crate::model::{Finding, Report, TestResult, TestVerdict};
use crate::sources::Sources;
use crate::text::{self, Palette};

/// Writes a report.
pub fn render(report: &Report, sources: &dyn Sources) -> Result<String, SerializeError> {
    let program = visible(&report.program).into_owned();
    let mut suite = TestSuite::new(program.as_str());
    let violated: BTreeSet<Rule> = report.findings.iter().map(|finding| finding.rule).collect();
    suite.add_test_cases(report.findings.iter().map(|finding| failure(finding, sources)));
    let checked = report.summary.checks.iter().filter(|counts| !violated.contains(&counts.rule));
    suite.add_test_cases(checked.map(|counts| {
        let mut case = TestCase::new(catalogue::entry(counts.rule).absence, TestCaseStatus::success());
        case.set_classname(counts.rule.id());
        case
    }));
    suite.add_test_cases(report.summary.suite.iter().flat_map(|suite| &suite.tests).map(test));
    if suite.test_cases.is_empty() {
        // Build servers take a file without tests for a mistake.
        suite.add_test_case(TestCase::new("no findings", TestCaseStatus::success()));
    }
    suite.set_system_out(text::summary(report, &Palette::plain()));
    let time = Duration::try_from_secs_f64(report.summary.seconds.total).unwrap_or_default();
    suite.set_time(time);
    let mut file = quick_junit::Report::new(format!("provoke {program}"));
    file.set_time(time);
    file.add_test_suite(suite);
    file.to_string()
}

/// A test of the user's. What was predicted from it fails by itself, as a finding.
fn test(result: &TestResult) -> TestCase {
    let status = match result.verdict {
        TestVerdict::Verified | TestVerdict::Predicted => TestCaseStatus::success(),
        TestVerdict::Failing => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("test").set_message("the test itself violates a check");
            status
        }
        TestVerdict::Open => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(visible(&format!("not decided: {}", result.reasons.join("; "))));
            status
        }
    };
    let mut case = TestCase::new(visible(&result.name), status);
    case.set_classname("test");
    case
}

fn failure(finding: &Finding, sources: &dyn Sources) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(finding.rule.id()).set_message(visible(&finding.message)).set_description(text::finding(
        finding,
        sources,
        &Palette::plain(),
    ));
    let position = finding.position.to_string();
    let mut case = TestCase::new(format!("{} at {}", finding.rule, visible(&position)), status);
    case.set_classname(finding.rule.id());
    if finding.position.is_known() {
        case.extra.insert("file".into(), visible(&finding.position.file).as_ref().into());
        case.extra.insert("line".into(), finding.position.line.to_string().into());
    }
    case
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::testing;

    #[test]
    fn a_report() {
        insta::assert_snapshot!(render(&testing::example(), &testing::sources).unwrap());
    }

    #[test]
    fn a_report_without_findings() {
        insta::assert_snapshot!(render(&testing::clean(), &testing::sources).unwrap());
    }

    /// Names of all elements and the values of all attributes; fails if the text is not XML.
    fn contents(text: &str) -> (Vec<String>, Vec<String>) {
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_end_names = true;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) | Event::Empty(element) => {
                    names.push(String::from_utf8(element.name().as_ref().to_vec()).unwrap());
                    for attribute in element.attributes() {
                        values.push(attribute.unwrap().unescape_value().unwrap().into_owned());
                    }
                }
                Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => panic!("{text}"),
                Event::Eof => return (names, values),
                _ => {}
            }
        }
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn every_report_is_xml(report in testing::report()) {
            let text = render(&report, &testing::sources).unwrap();
            let is_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
            prop_assert!(text.chars().all(is_xml), "{text:?}");
            let (names, values) = contents(&text);
            let known = ["testsuites", "testsuite", "testcase", "failure", "skipped", "system-out"];
            prop_assert!(names.iter().all(|name| known.contains(&name.as_str())), "{names:?}");
            for finding in &report.findings {
                let message = visible(&finding.message).into_owned();
                prop_assert!(values.contains(&message), "{message:?} is not in {values:?}");
            }
        }
    }
}
