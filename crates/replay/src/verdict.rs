//! Whether a prediction came true.

use serde::{Deserialize, Serialize};
use trace::rule::Rule;
use trace::sites::Position;

use crate::outcome::{Outcome, Violation};

/// What a checker says will happen with an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Prediction {
    /// The rule that will be violated.
    pub rule: Rule,
    /// Number of the check that will fail, if it is one that stands in the code.
    pub check: Option<u32>,
    /// Where: the innermost position, then those that it was inlined into.
    pub positions: Vec<Position>,
}

/// Whether it came true. Violations are given by their index in the outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The property failed at the predicted site.
    Confirmed {
        /// Which violation that is.
        violation: usize,
    },
    /// Another property failed, or this one at another place.
    ConfirmedElsewhere {
        /// The violation that says most about why.
        violation: usize,
    },
    /// Nothing failed.
    NotReproduced,
}

/// Where a run left the predicted path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Divergence {
    /// Index of the first constraint of the predicted path that did not hold.
    pub constraint: usize,
    /// Where that branch is.
    pub position: Option<Position>,
}

/// Compares a prediction with what happened. Whether the run left the path cannot be seen in a replay.
pub fn verdict(prediction: &Prediction, outcome: &Outcome) -> Verdict {
    let confirms = |violation: &Violation| is_predicted(prediction, violation);
    if let Some(violation) = outcome.violations.iter().position(confirms) {
        return Verdict::Confirmed { violation };
    }
    // The last one is what the program died of, if it did.
    match outcome.violations.len().checked_sub(1) {
        Some(violation) => Verdict::ConfirmedElsewhere { violation },
        None => Verdict::NotReproduced,
    }
}

/// Whether a violation is the predicted one.
pub fn is_predicted(prediction: &Prediction, violation: &Violation) -> bool {
    if prediction.check.is_some() && prediction.check == violation.check {
        // What is too small was predicted on its own; where only one prediction was made for both ends, it is of an overflow.
        return prediction.rule != Rule::IntegerUnderflow || violation.rule == Rule::IntegerUnderflow;
    }
    fits(prediction.rule, violation) && is_at(prediction, violation)
}

/// Rules about memory that differ only in what the wrong address happens to lie in.
const WRONG_ADDRESS: [Rule; 9] = [
    Rule::HeapBufferOverflow,
    Rule::StackBufferOverflow,
    Rule::GlobalBufferOverflow,
    Rule::BufferUnderflow,
    Rule::ArrayIndex,
    Rule::PointerArithmetic,
    Rule::StackSmash,
    Rule::StringOverflow,
    Rule::UseAfterFree,
];

/// Whether a violation can be of a rule. The sanitizer sees where an address lies, not where it came from: an index too
/// large by much can lie in the next block, or in one that was freed.
fn fits(rule: Rule, violation: &Violation) -> bool {
    let seen = violation.rule;
    let is_arithmetic = |rule| matches!(rule, Rule::IntegerOverflow | Rule::IntegerUnderflow | Rule::DivByZero);
    let is_release = |rule| matches!(rule, Rule::DoubleFree | Rule::InvalidFree | Rule::UseAfterFree);
    let is_memory = |rule| WRONG_ADDRESS.contains(&rule) || rule == Rule::NullDeref;
    rule == seen
        || WRONG_ADDRESS.contains(&rule) && WRONG_ADDRESS.contains(&seen)
        || violation.wild && is_memory(rule)
        // A null argument is a null pointer as soon as it is used.
        || matches!((rule, seen), (Rule::NonnullArg, Rule::NullDeref) | (Rule::NullDeref, Rule::NonnullArg))
        || is_arithmetic(rule) && is_arithmetic(seen) && violation.check.is_none()
        || is_release(rule) && is_release(seen)
}

fn is_at(prediction: &Prediction, violation: &Violation) -> bool {
    // An unbounded recursion ends anywhere in its circle.
    let depth = if violation.rule == Rule::StackOverflow { violation.stack.len() } else { 1 };
    let mut with_source = violation.stack.iter().filter(|frame| !frame.position.file.is_empty());
    let Some(predicted) = prediction.positions.first() else { return false };
    if prediction.rule == Rule::Assertion {
        // Many may end in one function that ends the program: who calls it makes the difference.
        let mut predicted = prediction.positions.iter();
        return predicted.all(|at| with_source.next().is_some_and(|frame| is_same_line(&frame.position, at)));
    }
    with_source.take(depth).any(|frame| is_same_line(&frame.position, predicted))
}

/// Whether two positions are on the same line. One of them may name its file by a longer path.
pub(crate) fn is_same_line(a: &Position, b: &Position) -> bool {
    let ends =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    a.line == b.line && a.line != 0 && (ends(&a.file, &b.file) || ends(&b.file, &a.file))
}
