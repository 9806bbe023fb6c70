//! Null-pointer checking of C without running it: qualifier inference over the whole program, symbolic execution where that is
//! not precise enough, and the rules that mix the two.

mod explain;
mod found;

pub use found::{Analysis, Assumption, BlockSummary, Certainty, Found, Step, Violation};

use explain::Explainer;
use ir::{Effects, FunctionId, Names, PointsTo, Program, Site};
use qualifiers::{Constraints, Inference, Sinks};
use rustc_hash::FxHashMap;

/// Which analysis the program starts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outer {
    /// Inference.
    #[default]
    Typed,
    /// Symbolic execution.
    Symbolic,
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which analysis the program starts in.
    pub outer: Outer,
    /// Functions to execute symbolically, beside those that are marked so.
    pub symbolic: Vec<String>,
    /// Functions to infer qualifiers for, beside those that are marked so.
    pub typed: Vec<String>,
    /// Whether to choose more symbolic blocks.
    pub auto: bool,
    /// What must not be null.
    pub sinks: Sinks,
}

/// Analyses a program by inference alone.
pub fn infer(program: &Program, options: &Options) -> Analysis {
    let points_to = PointsTo::new(program);
    let constraints = Constraints::new(program, &points_to, options.sinks);
    let names = Names::new(program);
    let explainer = Explainer { program, points_to: &points_to, names: &names, constraints: &constraints };
    let reachable = reachable(program, &points_to);
    let mut inference = Inference::new(&constraints);
    inference.solve(reachable.iter().copied());
    let found: Vec<Found> = inference.warnings().iter().map(|warning| explainer.warning(warning)).collect();
    let _ = Effects::new(program, &points_to);
    Analysis {
        inferred: found.len(),
        found,
        functions: reachable.iter().filter(|id| program.function(**id).has_code()).count(),
        assumptions: assumptions(program, &constraints, &reachable),
        ..Analysis::default()
    }
}

/// The functions that a run of the program can reach.
fn reachable(program: &Program, points_to: &PointsTo) -> Vec<FunctionId> {
    let entries: Vec<FunctionId> = match program.function_named("main") {
        Some(main) => [main].into_iter().chain(program.constructors.iter().copied()).collect(),
        None => {
            let visible = program.all_functions().filter(|(_, function)| function.has_code() && function.is_visible);
            visible.map(|(id, _)| id).collect()
        }
    };
    points_to.reachable(entries)
}

fn assumptions(program: &Program, constraints: &Constraints, reachable: &[FunctionId]) -> Vec<Assumption> {
    let mut by_text: FxHashMap<&str, Vec<Site>> = FxHashMap::default();
    for (function, site, what) in &constraints.assumptions {
        if reachable.binary_search(function).is_ok() {
            let sites = by_text.entry(what).or_default();
            let site = program.site(*site);
            if !sites.contains(site) {
                sites.push(site.clone());
            }
        }
    }
    let mut all: Vec<Assumption> =
        by_text.into_iter().map(|(what, sites)| Assumption { what: what.to_owned(), sites }).collect();
    all.sort_by(|a, b| b.sites.len().cmp(&a.sites.len()).then_with(|| a.what.cmp(&b.what)));
    all
}
