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
/// functions count like called ones, so neither does optimisation.
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
        let mut places: Vec<(&str, u32)> = frames.map(place).collect();
        // How deep a recursion is makes no difference.
        places.dedup();
        places.truncate(FRAMES);
        places.hash(&mut hasher);
    }
    if let Some(refinement) = &violation.refinement {
        // Several parameters with refinements stand on one line.
        refinement.hash(&mut hasher);
    }
    Bucket { rule: violation.rule, stack: hasher.finish() }
}

fn place(frame: &Frame) -> (&str, u32) {
    (&frame.position.function, frame.position.line.wrapping_sub(frame.function_line))
}

#[cfg(test)]
mod tests {
    use super::*;

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
