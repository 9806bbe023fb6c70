//! What the analysis says.

use crate::driver::Driver;
use ir::Site;

/// A step on the way of a null pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub site: Site,
    /// What happens there.
    pub text: String,
}

/// What is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A null pointer is followed.
    Followed,
    /// Null where something is declared never to be null.
    Declared,
}

/// How sure it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// Inference sees a flow.
    Inferred,
    /// There is a path through a symbolic block, on which something is null that the types say may be.
    ByTypes {
        /// The block.
        block: String,
    },
    /// There is a path through a symbolic block that makes it null.
    Path {
        /// The block.
        block: String,
    },
}

impl Certainty {
    /// A number that grows with it.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Certainty::Inferred => 0,
            Certainty::ByTypes { .. } => 1,
            Certainty::Path { .. } => 2,
        }
    }
}

/// A warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What is violated.
    pub violation: Violation,
    /// What happens.
    pub message: String,
    /// In which function.
    pub function: String,
    /// Where in the source.
    pub site: Site,
    /// How null gets there.
    pub steps: Vec<Step>,
    /// How sure it is.
    pub certainty: Certainty,
    /// The same while the error is the same.
    pub bucket: String,
    /// An input of the program that may make it happen.
    pub input: Option<symex::Input>,
    /// A driver that may make it happen.
    pub driver: Option<Driver>,
}

/// A block that was executed symbolically.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockSummary {
    /// Its function.
    pub function: String,
    /// Why it is symbolic.
    pub why: String,
    /// How often it was executed, each time in another context.
    pub executions: u64,
    /// Paths through it, the last time.
    pub paths: u64,
    /// Why it says nothing, if that is so: it was taken as typed.
    pub inconclusive: Option<String>,
}

/// Something that was assumed and not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// What.
    pub what: String,
    /// Where, without repetitions.
    pub sites: Vec<Site>,
}

/// What came out of an analysis.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The warnings.
    pub found: Vec<Found>,
    /// How many there were by inference alone.
    pub inferred: usize,
    /// The symbolic blocks.
    pub blocks: Vec<BlockSummary>,
    /// What was assumed.
    pub assumptions: Vec<Assumption>,
    /// Functions with code that can be reached.
    pub functions: usize,
    /// Whether the time was up before everything was tried.
    pub stopped: bool,
    /// Whether the time was up before there was any result: that there are no warnings says nothing.
    pub unfinished: bool,
    /// Queries to the solver.
    pub queries: u64,
}
