//! Reports for programs.

use crate::model::{Report, VERSION};

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No JSON, or JSON of another kind.
    #[error("this is not a report in JSON ({0}); make one with --report json=FILE")]
    Malformed(#[from] serde_json::Error),
    /// A report of another version.
    #[error("this report has version {0} and only version {VERSION} can be read; make it again")]
    Version(u32),
}

/// Writes a report.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

/// Reads a report.
pub fn read(bytes: &[u8]) -> Result<Report, ReadError> {
    let report: Report = serde_json::from_slice(bytes)?;
    if report.version == VERSION { Ok(report) } else { Err(ReadError::Version(report.version)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing;

    #[test]
    fn a_report() {
        insta::assert_snapshot!(render(&testing::example()).unwrap());
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(error(b"[]").contains("--report json=FILE"));
        let newer = render(&Report { version: 2, ..testing::example() }).unwrap();
        assert!(error(newer.as_bytes()).contains("version 2"));
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn reports_come_back(report in testing::report()) {
            let text = render(&report).unwrap();
            prop_assert_eq!(read(text.as_bytes()).unwrap(), report);
        }
    }
}
