//! Inference of the qualifiers null and nonnull.
//!
//! Every register, result and memory cell of a program has a qualifier: *null* if it may hold a null pointer. Qualifiers flow
//! along assignments, whatever the order of instructions, the conditions around them and the contexts of calls: the inference
//! is flow-insensitive, path-insensitive and monomorphic. Pointers that may be the same cell have the same qualifier there
//! ([`ir::PointsTo`] knows which). A *source* is where null comes from, a *sink* is a position that must not be null, and
//! a warning is a flow from one to the other.
//!
//! The constraints of a function can be left out ([`Inference::solve`]): then it is somebody else's to say what it does, by
//! [`Inference::constrain`].

mod flow;
mod generate;
mod initial;
mod library;
mod node;
mod solve;

pub use flow::Facts;
pub use node::{Edge, Flow, Node, Nodes, Sink, SinkKind, Source, SourceKind};
pub use solve::{Inference, Warning};

use ir::{FunctionId, PointsTo, Program};

/// Which positions must not be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sinks {
    /// Those that are declared so, and arguments of library functions.
    #[default]
    Annotated,
    /// Every pointer that is followed, too.
    All,
}

/// What the code of one function says about qualifiers.
#[derive(Clone, Debug, Default)]
pub struct FunctionConstraints {
    /// What flows where.
    pub edges: Vec<Edge>,
    /// Where null comes from.
    pub sources: Vec<Source>,
    /// What must not be null.
    pub sinks: Vec<Sink>,
    /// For every block: where the constraints of each instruction start, of the terminator, and of what comes next.
    starts: Vec<Vec<Counts>>,
}

/// How many edges, sources and sinks come before an instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    edges: usize,
    sources: usize,
    sinks: usize,
}

impl FunctionConstraints {
    fn counts(&self) -> Counts {
        Counts { edges: self.edges.len(), sources: self.sources.len(), sinks: self.sinks.len() }
    }

    fn range(&self, at: (u32, u32)) -> Option<(Counts, Counts)> {
        let block = self.starts.get(at.0 as usize)?;
        Some((*block.get(at.1 as usize)?, *block.get(at.1 as usize + 1)?))
    }

    /// The edges of an instruction: number of its block, and within that.
    pub fn edges_at(&self, at: (u32, u32)) -> &[Edge] {
        let range = self.range(at).map(|(from, to)| from.edges..to.edges);
        range.and_then(|range| self.edges.get(range)).unwrap_or_default()
    }

    /// The sources of an instruction.
    pub fn sources_at(&self, at: (u32, u32)) -> &[Source] {
        let range = self.range(at).map(|(from, to)| from.sources..to.sources);
        range.and_then(|range| self.sources.get(range)).unwrap_or_default()
    }

    /// The numbers of the sinks of an instruction.
    pub fn sinks_at(&self, at: (u32, u32)) -> std::ops::Range<usize> {
        self.range(at).map_or(0..0, |(from, to)| from.sinks..to.sinks)
    }
}

/// The constraints of a whole program.
#[derive(Debug)]
pub struct Constraints {
    /// How nodes are numbered.
    pub nodes: Nodes,
    /// By function.
    pub functions: Vec<FunctionConstraints>,
    /// Where null comes from before anything runs.
    pub initial: Vec<Source>,
    /// Sources in what may not be understood, for the completeness record: what, and in which function.
    pub assumptions: Vec<(FunctionId, ir::SiteId, String)>,
}

impl Constraints {
    /// Generates the constraints of a program.
    pub fn new(program: &Program, points_to: &PointsTo, sinks: Sinks) -> Constraints {
        let mut constraints = Constraints {
            nodes: Nodes::new(program, points_to),
            functions: Vec::new(),
            initial: Vec::new(),
            assumptions: Vec::new(),
        };
        for (id, _) in program.all_functions() {
            let generated = generate::function(program, points_to, &constraints.nodes, id, sinks);
            constraints.assumptions.extend(generated.assumptions);
            constraints.functions.push(generated.constraints);
        }
        constraints.initial = initial::sources(program, points_to, &constraints.nodes);
        constraints
    }
}
