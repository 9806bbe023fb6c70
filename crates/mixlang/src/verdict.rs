//! What the analysis says about a program.

use serde::Serialize;

use crate::span::Span;
use crate::syntax::Mode;

/// The result of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Whether the program is accepted.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What was done.
    pub stats: Stats,
}

/// Whether a program is accepted.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// No evaluation of the program ends in an error.
    Accepted {
        /// The program's type.
        #[serde(rename = "type")]
        ty: String,
        /// Whether all paths were explored. Only a `good enough` analysis accepts without.
        exhaustive: bool,
    },
    /// The program may end in an error, or it could not be shown that it does not.
    Rejected {
        /// Why; never empty.
        rejections: Vec<Rejection>,
    },
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stats {
    /// Typed blocks that were checked; a block counts once for each path and caller that reaches it.
    pub typed_blocks: u64,
    /// Symbolic blocks that were executed.
    pub symbolic_blocks: u64,
    /// Paths through symbolic blocks.
    pub paths: u64,
    /// Questions that the solver was asked.
    pub queries: u64,
}

/// Why a program is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A value of the wrong type.
    Type,
    /// A cell holds a value of another type than the cell's where types are relied on.
    Memory,
    /// Not all paths were explored.
    NotExhaustive,
    /// An operation that the analysis cannot follow. No error of the program.
    Unsupported,
    /// A budget is used up, or the solver has no answer. No error of the program.
    Limit,
}

/// One reason to reject a program.
#[derive(Clone, Debug, Serialize)]
pub struct Rejection {
    /// The rule whose premise does not hold, by the paper's name where the paper has it.
    pub rule: &'static str,
    /// What kind of reason.
    pub cause: Cause,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// The blocks around the place, outermost first. The last one is the one that rejected.
    pub blocks: Vec<BlockPlace>,
    /// The decisions that lead there.
    pub path: Vec<Step>,
    /// A state at the start of a symbolic block from which execution gets there.
    pub witness: Option<Witness>,
}

/// A block of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BlockPlace {
    /// The analysis.
    pub mode: Mode,
    /// The block; the whole program for the outermost one.
    pub span: Span,
}

/// A decision on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The condition.
    pub span: Span,
    /// What it was.
    pub taken: bool,
}

/// Values at the start of a symbolic block.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    /// The block.
    pub block: BlockPlace,
    /// Variables and cells with their values.
    pub values: Vec<(String, String)>,
    /// What happens when the block is run from there.
    pub run: Run,
}

/// What happened when a block was run from a witness.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Run {
    /// It ended in an error: the witness is confirmed.
    Error {
        /// Where.
        span: Span,
        /// What happened.
        message: String,
    },
    /// It came to an end without one.
    NoError,
    /// It was not run, or stopped because it took too long.
    Unknown,
}

impl Rejection {
    /// Whether the witness was run and ended in an error.
    pub fn is_confirmed(&self) -> bool {
        self.witness.as_ref().is_some_and(|witness| matches!(witness.run, Run::Error { .. }))
    }
}

impl Report {
    /// Whether the program is accepted.
    pub fn is_accepted(&self) -> bool {
        matches!(self.verdict, Verdict::Accepted { .. })
    }

    /// The reasons to reject it; none if it is accepted.
    pub fn rejections(&self) -> &[Rejection] {
        match &self.verdict {
            Verdict::Accepted { .. } => &[],
            Verdict::Rejected { rejections } => rejections,
        }
    }
}
