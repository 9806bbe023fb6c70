//! Writes what was seen into a test program.

use std::collections::{BTreeMap, BTreeSet};

use crate::expectation::MARK;
use crate::observe::Observation;

/// The source with its expectations replaced by what was seen in each revision.
///
/// Lines whose expectations hold are left as people wrote them: `keep` says so. Whoever blesses reads the difference
/// before committing it.
pub fn bless(source: &str, seen: &BTreeMap<String, BTreeSet<Observation>>, keep: impl Fn(u32) -> bool) -> String {
    let mut blessed = String::new();
    for (number, line) in (1..).zip(source.lines()) {
        if keep(number) {
            blessed.push_str(line);
        } else {
            blessed.push_str(line.split(MARK).next().unwrap_or_default().trim_end());
            for mark in marks(number, seen) {
                blessed.push_str(&mark);
            }
        }
        blessed.push('\n');
    }
    blessed
}

fn marks(line: u32, seen: &BTreeMap<String, BTreeSet<Observation>>) -> Vec<String> {
    let on_line = |observations: &BTreeSet<Observation>| -> BTreeSet<String> {
        observations.iter().filter(|seen| seen.line == line).map(|seen| seen.text.clone()).collect()
    };
    let all: BTreeMap<_, _> = seen.iter().map(|(revision, seen)| (revision, on_line(seen))).collect();
    let texts: BTreeSet<_> = all.values().flatten().collect();
    let mut marks = Vec::new();
    for text in texts {
        if all.values().all(|texts| texts.contains(text)) {
            marks.push(format!(" {MARK} {text}"));
        } else {
            let revisions = all.iter().filter(|(_, texts)| texts.contains(text));
            marks.extend(revisions.map(|(revision, _)| format!(" {MARK}[{revision}] {text}")));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wrong_lines_change() {
        let see = |line, text: &str| Observation { line, text: text.into(), place: String::new() };
        let seen = BTreeMap::from([
            ("O0".to_owned(), BTreeSet::from([see(1, "branch taken a[0]"), see(2, "pin size 0x1 a[0]")])),
            ("O2".to_owned(), BTreeSet::from([see(1, "branch taken a[0]"), see(3, "loss float")])),
        ]);
        let source = "one //~ branch\ntwo //~ switch\nthree\nfour //~ no event\n";
        let blessed = bless(source, &seen, |line| line == 1 || line == 4);
        assert_eq!(
            blessed,
            "one //~ branch\ntwo //~[O0] pin size 0x1 a[0]\nthree //~[O2] loss float\nfour //~ no event\n"
        );
    }
}
