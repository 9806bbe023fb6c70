//! What came of a replay.

use std::time::Duration;

use run::{Captured, Status};
use serde::{Deserialize, Serialize};
use trace::rule::Rule;
use trace::sites::Position;

/// What came of a replay.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What was violated, in the order in which it happened.
    pub violations: Vec<Violation>,
    /// Violations that were not recorded, because there were too many.
    pub lost: u32,
    /// How the run ended.
    pub end: End,
    /// Which edges were taken; empty if the view counts none.
    pub coverage: Coverage,
    /// How long it took.
    pub wall: Duration,
    /// Largest memory of any one of its processes, in bytes.
    pub peak_memory: u64,
    /// The program's standard output, if that was captured.
    pub stdout: Captured,
    /// The program's standard error, if that was captured.
    pub stderr: Captured,
}

/// How many times longer than a run another one beside it may take, if that is more than a moment.
const PATIENCE: u32 = 20;

/// What a run beside another one has in any case.
const MOMENT: Duration = Duration::from_secs(2);

impl Outcome {
    /// How long runs on other inputs may take: one that takes far longer than this one most likely hangs.
    pub fn patience(&self) -> Duration {
        self.wall.saturating_mul(PATIENCE).max(MOMENT)
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The last violation was one that nothing can follow.
    Violation,
    /// In another way.
    Other(Status),
}

/// A property that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// Which rule was violated.
    pub rule: Rule,
    /// What happened, for people.
    pub message: String,
    /// The access to memory that was the violation, if it was one.
    pub access: Option<Access>,
    /// Number of the check that failed, if it was one that stands in the code.
    pub check: Option<u32>,
    /// Operands of that check.
    pub operands: Option<(u64, u64)>,
    /// The refinement that does not hold, if it was one: what it is about, and the condition.
    pub refinement: Option<(String, String)>,
    /// Where it happened: the innermost frame first. Frames of Provoke's and of the sanitizer are left out.
    pub stack: Vec<Frame>,
    /// Where the block that was accessed had been allocated, if it was a block.
    pub allocated: Vec<Frame>,
    /// Where that block had been freed, if it had been.
    pub freed: Vec<Frame>,
    /// Whether the rule is a guess: the address lay so far off that nothing says what it should have belonged to.
    pub wild: bool,
    /// The column of the index that left its declared bounds on the same line before, if one did: the mistake is that one's.
    #[serde(default)]
    pub index_column: Option<u32>,
}

/// An access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Access {
    /// Whether it was a write.
    pub is_write: bool,
    /// Bytes; 0 if unknown.
    pub size: u64,
    /// First address, if that is known.
    pub address: Option<u64>,
}

/// A frame of a call stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// Where in the source; the file is empty if there is no debug information.
    pub position: Position,
    /// Line where the function starts; 0 if unknown.
    pub function_line: u32,
    /// Whether the function was inlined into that of the next frame.
    pub inlined: bool,
    /// File name of the library that the frame belongs to; empty for the program itself.
    pub library: String,
    /// Whether the function can be called again before it has returned.
    #[serde(default)]
    pub recursive: bool,
}

/// How often edges were taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// A counter for each edge; 255 is followed by 1. Edge N leads to site N + 1 of the view.
    pub counters: Vec<u8>,
}

impl Coverage {
    /// The edges that were taken.
    pub fn edges(&self) -> impl Iterator<Item = usize> {
        self.counters.iter().enumerate().filter(|(_, count)| **count != 0).map(|(edge, _)| edge)
    }
}

impl Violation {
    /// Where it happened: the innermost place in the program's own source.
    pub fn position(&self) -> Option<&Position> {
        self.stack.iter().map(|frame| &frame.position).find(|position| !position.file.is_empty())
    }
}
