//! Findings that violate the same rule in the same place. They differ in the calls that lead there, and each is a bug of its own for
//! programs that read reports; for people the place is what has to be looked at.

use std::collections::HashMap;

use crate::model::{Finding, Frame, Position, Report};
use crate::words::counted;
use trace::rule::Rule;

/// A place with what was found there.
pub(crate) struct Place<'a> {
    /// The finding that is shown for it.
    pub(crate) first: &'a Finding,
    /// Those that come to it in other ways.
    pub(crate) others: Vec<&'a Finding>,
}

/// The places of findings, in the order of their first ones. What has no place that is known is one by itself.
pub(crate) fn places(findings: &[Finding]) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut known: HashMap<(Rule, &Position), usize> = HashMap::new();
    for finding in findings {
        let index = match finding.position.is_known() {
            true => *known.entry((finding.rule, &finding.position)).or_insert(places.len()),
            false => places.len(),
        };
        match places.get_mut(index) {
            Some(place) => place.others.push(finding),
            None => places.push(Place { first: finding, others: Vec::new() }),
        }
    }
    places
}

impl Place<'_> {
    /// The innermost call in which the way of another finding is not that of the first one.
    pub(crate) fn differs<'b>(&self, other: &'b Finding) -> Option<&'b Frame> {
        let same = self.first.stack.iter().zip(&other.stack).take_while(|(a, b)| a == b).count();
        other.stack.get(same)
    }
}

/// How many findings a report has, and at how many places if these are fewer.
pub(crate) fn number(report: &Report) -> String {
    let (findings, places) = (report.findings.len(), places(&report.findings).len());
    let findings_text = counted(findings, "finding");
    if places < findings { format!("{findings_text} at {}", counted(places, "place")) } else { findings_text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CommandLine;
    use crate::text::{Palette, render};

    /// A finding at the only place, in a function that this line has called.
    fn called_from(line: u32) -> Finding {
        let frame = |function: &str, line| Frame {
            function: function.to_owned(),
            position: Position::new("a.c", line, 5),
            inlined: false,
        };
        let message = format!("overflow by {line}");
        Finding {
            function: "number".to_owned(),
            stack: vec![frame("number", 3), frame(&format!("field{line}"), line), frame("main", 99)],
            ..Finding::new(Rule::IntegerOverflow, &message, Position::new("a.c", 3, 5), &message)
        }
    }

    #[test]
    fn one_place_is_shown_once() {
        let mut report = Report::new("a.out", CommandLine::default());
        report.findings = (10..17).map(called_from).collect();
        report.findings.push(Finding::new(Rule::Shift, "shift by 99", Position::new("a.c", 3, 5), "other rule"));
        report.findings.extend([1, 2].map(|_| Finding::new(Rule::Shift, "shift by 77", Position::default(), "")));
        assert_eq!(places(&report.findings).len(), 4);
        let text = render(&report, &|_: &str| None, &Palette::plain());
        assert_eq!(text.matches("[integer-overflow]").count(), 1, "{text}");
        let ways = "also: reached in 6 other ways: by a.c:11 in field11, a.c:12 in field12, a.c:13 in field13, a.c:14 in field14, 2 more\n";
        assert!(text.contains(ways), "{text}");
        assert!(text.contains("10 findings at 4 places (10 errors)"), "{text}");
        report.findings.truncate(1);
        assert!(render(&report, &|_: &str| None, &Palette::plain()).ends_with("\n1 finding (1 error)\n"));
    }
}
