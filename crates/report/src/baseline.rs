//! `--baseline FILE`: only what is new.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::Report;
use crate::sarif::FINGERPRINT;

/// The findings that an earlier report has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    fingerprints: BTreeSet<String>,
}

/// Why a file cannot be a baseline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// No JSON.
    #[error("the baseline is not JSON; give a file that --report json=FILE or --report sarif=FILE made")]
    NotJson(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error(
        "the baseline has neither findings (JSON) nor runs (SARIF); give a file that --report json=FILE or \
         --report sarif=FILE made"
    )]
    NoReport,
}

impl Baseline {
    /// Reads an earlier report, in JSON or SARIF. Results of other tools in a SARIF file are passed over.
    pub fn parse(bytes: &[u8]) -> Result<Baseline, BaselineError> {
        let document: Value = serde_json::from_slice(bytes)?;
        let fingerprints = if let Some(findings) = document.get("findings").and_then(Value::as_array) {
            findings.iter().filter_map(|finding| text(finding.get("fingerprint"))).collect()
        } else if let Some(runs) = document.get("runs").and_then(Value::as_array) {
            let results = runs.iter().filter_map(|run| run.get("results")?.as_array()).flatten();
            results.filter_map(|result| text(result.get("partialFingerprints")?.get(FINGERPRINT))).collect()
        } else {
            return Err(BaselineError::NoReport);
        };
        Ok(Baseline { fingerprints })
    }

    /// Whether the earlier report has a finding with this fingerprint.
    pub fn has(&self, fingerprint: &str) -> bool {
        self.fingerprints.contains(fingerprint)
    }

    /// Takes the findings that are not new out of a report, and counts them in its summary.
    pub fn leave_out_known(&self, report: &mut Report) {
        report.take_back_proved();
        let before = report.findings.len();
        report.findings.retain(|finding| !self.has(&finding.fingerprint));
        report.summary.known += (before - report.findings.len()) as u64;
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Verified, json, sarif, testing};

    #[test]
    fn only_what_is_new_is_left() {
        let mut earlier = testing::example();
        let new = earlier.findings.remove(0);
        for text in [json::render(&earlier).unwrap(), sarif::render(&earlier, &testing::sources).unwrap()] {
            let mut report = testing::example();
            let known = report.findings.len() - 1;
            Baseline::parse(text.as_bytes()).unwrap().leave_out_known(&mut report);
            assert_eq!(report.findings, std::slice::from_ref(&new));
            assert_eq!(report.summary.known, known as u64);
        }
    }

    /// A rule with a finding is not called proved, whether the finding is shown or known.
    #[test]
    fn what_is_known_is_not_proved() {
        let mut report = testing::example();
        let rule = report.findings[0].rule;
        report.verified.push(Verified { rule, checks: 1 });
        let mut tallied = report.clone();
        tallied.tally();
        let itself = Baseline::parse(json::render(&report).unwrap().as_bytes()).unwrap();
        itself.leave_out_known(&mut report);
        for report in [report, tallied] {
            assert!(!report.verified.is_empty() && report.verified.iter().all(|verified| verified.rule != rule));
        }
    }

    #[test]
    fn other_tools_and_other_files() {
        let other = br#"{"runs": [{"results": [{"partialFingerprints": {"primary": "1"}}, {}]}, {}]}"#;
        assert_eq!(Baseline::parse(other).unwrap(), Baseline::default());
        let error = |bytes: &[u8]| Baseline::parse(bytes).unwrap_err().to_string();
        // The reason follows as the cause.
        assert!(error(b"<html>").contains("not JSON") && !error(b"<html>").contains("expected value"));
        assert!(error(b"[1]").contains("neither findings (JSON) nor runs (SARIF)"));
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn every_report_is_its_own_baseline(report in testing::report()) {
            let text = sarif::render(&report, &testing::sources).unwrap();
            let mut again = report;
            Baseline::parse(text.as_bytes()).unwrap().leave_out_known(&mut again);
            prop_assert!(again.findings.is_empty());
        }
    }
}
