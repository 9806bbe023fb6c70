//! Which findings come first.

use std::cmp::Reverse;

use checkers::catalogue::Severity;
use trace::rule::Rule;

use crate::model::{Finding, Report};

/// How soon a finding should be looked at: what has less of it comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Order(Reverse<Severity>, Harm);

/// What a violation does to the program, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Harm {
    /// Memory is written that is not meant.
    Written,
    /// Memory is read that is not meant.
    Read,
    /// Memory is used that is none any more, or in a way that damages it.
    Misused,
    /// The program ends.
    Ended,
    /// Something else is computed than was meant.
    Miscomputed,
    /// A value changes where it is converted.
    Converted,
}

fn harm(finding: &Finding) -> Harm {
    match finding.rule {
        Rule::StackSmash | Rule::StringOverflow => Harm::Written,
        Rule::HeapBufferOverflow
        | Rule::StackBufferOverflow
        | Rule::GlobalBufferOverflow
        | Rule::BufferUnderflow
        | Rule::ArrayIndex => {
            if finding.is_write {
                Harm::Written
            } else {
                Harm::Read
            }
        }
        Rule::UseAfterFree | Rule::DoubleFree | Rule::InvalidFree | Rule::FormatString | Rule::Overlap => Harm::Misused,
        Rule::NullDeref
        | Rule::NonnullArg
        | Rule::DivByZero
        | Rule::Assertion
        | Rule::StackOverflow
        | Rule::Refinement => Harm::Ended,
        Rule::AllocSize | Rule::PointerArithmetic | Rule::IntegerOverflow | Rule::IntegerUnderflow | Rule::Shift => {
            Harm::Miscomputed
        }
        Rule::FloatCast | Rule::SignExtension | Rule::Truncation => Harm::Converted,
    }
}

impl Finding {
    /// Its place among others.
    pub fn order(&self) -> Order {
        Order(Reverse(self.severity), harm(self))
    }
}

impl Report {
    /// Puts the worst findings first; those that are as bad as each other stay as they are.
    pub(crate) fn put_in_order(&mut self) {
        self.findings.sort_by_key(Finding::order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CommandLine, Position};

    #[test]
    fn what_damages_memory_comes_first() {
        let finding = |rule, message: &str| Finding::new(rule, message, Position::new("a.c", 1, 1), message);
        let mut report = Report::new("a.out", CommandLine::default());
        let warned = Finding { severity: Severity::Warning, is_write: true, ..finding(Rule::HeapBufferOverflow, "i") };
        report.findings = vec![
            warned,
            finding(Rule::FloatCast, "h"),
            finding(Rule::IntegerOverflow, "f"),
            finding(Rule::Shift, "g"),
            finding(Rule::DivByZero, "e"),
            finding(Rule::UseAfterFree, "d"),
            finding(Rule::StackBufferOverflow, "c"),
            Finding { is_write: true, ..finding(Rule::HeapBufferOverflow, "a") },
            finding(Rule::StringOverflow, "b"),
        ];
        report.put_in_order();
        let order: String = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(order, "abcdefghi");
    }
}
