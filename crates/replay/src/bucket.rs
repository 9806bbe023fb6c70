//! Which violations are the same bug.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use trace::rule::Rule;

use crate::outcome::{Frame, Violation};

/// How many frames tell violations apart. With fewer, one function that all others call would make one bug of all; with more,
/// every way to get there would be a bug of its own.
const FRAMES: usize = 3;

/// A class of violations that are taken to be the same bug: the rule, and where the innermost frames of the program
/// are. Lines are counted from the start of their function, so changes of other functions change nothing; inlined
/// functions count like called ones, so neither does optimisation. The column of the innermost frame tells two mistakes on
/// one line apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Bucket {
    /// The rule.
    pub rule: Rule,
    /// Hash of the frames.
    pub stack: u64,
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.rule, self.stack)
    }
}

/// A text that is no bucket's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this names no class of violations")]
pub struct NoBucket;

impl FromStr for Bucket {
    type Err = NoBucket;

    fn from_str(text: &str) -> Result<Bucket, NoBucket> {
        let (rule, stack) = text.rsplit_once('-').ok_or(NoBucket)?;
        let rule = Rule::from_id(rule).ok_or(NoBucket)?;
        let stack = u64::from_str_radix(stack, 16).map_err(|_| NoBucket)?;
        Ok(Bucket { rule, stack })
    }
}

/// The bucket of a violation.
pub fn bucket(violation: &Violation) -> Bucket {
    let mut hasher = FxHasher::default();
    let frames = violation.stack.iter().filter(|frame| !frame.position.file.is_empty());
    if violation.rule == Rule::StackOverflow {
        // The stack ends anywhere in the circle of functions that call each other.
        let circle: BTreeSet<&str> = frames.map(|frame| frame.position.function.as_str()).collect();
        circle.hash(&mut hasher);
    } else {
        let column = frames.clone().next().map(|frame| frame.position.column);
        column.hash(&mut hasher);
        let places: Vec<(&str, u32)> = up_to_recursion(frames).map(place).collect();
        without_recursion(&places).take(FRAMES).collect::<Vec<_>>().hash(&mut hasher);
    }
    if let Some(refinement) = &violation.refinement {
        // Several parameters with refinements stand on one line.
        refinement.hash(&mut hasher);
    }
    Bucket { rule: violation.rule, stack: hasher.finish() }
}

/// The frames up to one of a function that can be called again before it has returned. How often that happened, from where, and who
/// called it first makes no difference; nor does it where a stack is too deep to be written down.
fn up_to_recursion<'a>(frames: impl Iterator<Item = &'a Frame>) -> impl Iterator<Item = &'a Frame> {
    frames.scan(false, |is_over, frame| {
        let was_over = std::mem::replace(is_over, frame.recursive);
        (!was_over).then_some(frame)
    })
}

/// The places of a stack without what lies between two calls of one function: how deep a recursion is, and which way it
/// took, makes no difference. This is for recursion through pointers, which only a stack shows.
fn without_recursion<'a>(places: &'a [(&'a str, u32)]) -> impl Iterator<Item = &'a (&'a str, u32)> {
    let mut rest = places;
    std::iter::from_fn(move || {
        let innermost = rest.first()?;
        let outermost = rest.iter().rposition(|place| place.0 == innermost.0)?;
        rest = rest.get(outermost + 1..)?;
        Some(innermost)
    })
}

fn place(frame: &Frame) -> (&str, u32) {
    (&frame.position.function, frame.position.line.wrapping_sub(frame.function_line))
}

#[cfg(test)]
mod tests {
    use trace::sites::Position;

    use super::*;

    /// What tells a stack apart, written as `function:line`, the innermost first.
    fn folded(stack: &str) -> String {
        let places = stack.split(' ').map(|frame| frame.split_once(':').unwrap());
        let places: Vec<(&str, u32)> = places.map(|(function, line)| (function, line.parse().unwrap())).collect();
        let frames = without_recursion(&places).map(|(function, line)| format!("{function}:{line}"));
        frames.take(FRAMES).collect::<Vec<_>>().join(" ")
    }

    /// The bucket of a division in functions of these names, at these columns, that can be called again or not.
    fn bucket_of(stack: &[(&str, u32, bool)]) -> Bucket {
        let frame = |(function, column, recursive): &(&str, u32, bool)| {
            let position = Position { file: "a.c".into(), function: (*function).into(), line: 5, column: *column };
            Frame { position, function_line: 1, inlined: false, library: String::new(), recursive: *recursive }
        };
        bucket(&Violation {
            rule: Rule::DivByZero,
            message: String::new(),
            access: None,
            check: None,
            operands: None,
            refinement: None,
            stack: stack.iter().map(frame).collect(),
            allocated: vec![],
            freed: vec![],
            wild: false,
            index_column: None,
        })
    }

    /// A stack that is too deep ends anywhere, and `1/0` comes to a division by other calls than `(2+1/0)` does.
    #[test]
    fn what_calls_a_recursive_function_makes_no_difference() {
        let (term, expr, factor) = (("term", 9, true), ("expr", 3, true), ("factor", 2, true));
        let once = bucket_of(&[term, expr, ("main", 5, false)]);
        assert_eq!(bucket_of(&[term, ("line", 7, true), ("main", 5, false)]), once);
        assert_eq!(bucket_of(&[term, expr, factor, term, expr]), once);
        let divide = ("divide", 4, false);
        assert_eq!(bucket_of(&[divide, term, expr, factor, term]), bucket_of(&[divide, term, expr]));
        assert_ne!(bucket_of(&[divide, term, expr]), bucket_of(&[divide, factor, term]));
        assert_ne!(bucket_of(&[divide, ("mean", 9, false)]), bucket_of(&[divide, ("median", 9, false)]));
    }

    #[test]
    fn recursion_makes_no_difference() {
        let once = "term:9 expr:3 main:5";
        assert_eq!(folded(once), once);
        assert_eq!(folded("term:9 expr:3 factor:2 term:4 expr:3 main:5"), once);
        assert_eq!(folded("term:9 expr:6 factor:2 term:7 expr:6 factor:2 term:4 expr:3 main:5"), once);
        assert_eq!(folded("walk:4 walk:5 walk:6 walk:5 main:1"), "walk:4 main:1");
        assert_eq!(folded("copy:2 item:8 list:4 item:9 list:4 main:1"), "copy:2 item:8 list:4");
    }

    #[test]
    fn places_that_are_not_in_a_recursion_count() {
        assert_ne!(folded("get:2 header:7 main:3"), folded("get:2 header:8 main:3"));
        assert_ne!(folded("get:2 header:7 main:3"), folded("get:3 header:7 main:3"));
    }

    /// `100 / (a - 'k') + 100 / (b - 'm')`: two mistakes, and each of them the same one in whichever column its callers are.
    #[test]
    fn columns_of_the_innermost_frame_count() {
        let at = |column, caller| bucket_of(&[("mean", column, false), ("main", caller, false)]);
        assert_eq!(at(9, 3), at(9, 30));
        assert_ne!(at(9, 3), at(30, 3));
    }

    #[test]
    fn buckets_are_read_back() {
        for rule in Rule::ALL {
            let bucket = Bucket { rule: *rule, stack: 0x1f };
            assert_eq!(bucket.to_string().parse(), Ok(bucket));
        }
        for text in ["", "div-by-zero", "div-by-zero-", "nothing-00", "div-by-zero-xyz"] {
            assert_eq!(text.parse::<Bucket>(), Err(NoBucket));
        }
    }
}
