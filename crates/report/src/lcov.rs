//! Verified coverage in the form of lcov: the lines that have checks, and whether all of them are verified.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::{LineChecks, Suite};

/// Writes the lines of a suite. A line counts as covered, so many times as it has checks, if every check on it was verified on
/// the paths of all tests that came there. Lines without checks are left out.
pub fn render(suite: &Suite) -> String {
    let mut files: BTreeMap<&str, Vec<&LineChecks>> = BTreeMap::new();
    for line in &suite.lines {
        files.entry(&line.file).or_default().push(line);
    }
    let mut text = String::from("TN:\n");
    for (file, lines) in files {
        let is_verified = |line: &LineChecks| line.checks.verified == line.checks.total();
        // A name cannot end a line in this form.
        let _ = writeln!(text, "SF:{}", file.replace(['\n', '\r'], " "));
        for line in &lines {
            let _ = writeln!(text, "DA:{},{}", line.line, if is_verified(line) { line.checks.verified } else { 0 });
        }
        let hit = lines.iter().filter(|line| is_verified(line)).count();
        let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TestChecks;

    #[test]
    fn a_line_is_verified_as_a_whole() {
        let line = |file: &str, line: u32, verified: u64, unknown: u64| LineChecks {
            file: file.to_owned(),
            line,
            checks: TestChecks { verified, unknown, ..TestChecks::default() },
        };
        let suite = Suite { lines: vec![line("b.c", 3, 4, 0), line("a.c", 7, 5, 1)], ..Suite::default() };
        let expected = "TN:\nSF:a.c\nDA:7,0\nLF:1\nLH:0\nend_of_record\nSF:b.c\nDA:3,4\nLF:1\nLH:1\nend_of_record\n";
        assert_eq!(render(&suite), expected);
    }
}
