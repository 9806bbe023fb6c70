//! Null-pointer checking of C without running it: qualifier inference over the whole program, symbolic execution where that is
//! not precise enough, and the rules that mix the two.
//!
//! Functions are *typed* or *symbolic* blocks. A symbolic block is executed with what the types say about its parameters and
//! about the memory that it looks at: what may be null is null or not, the rest is not. Where it calls a typed function, passes a
//! loop for the third time, or returns, null in its memory becomes a constraint of the inference, by asking the solver
//! whether it can be there. Cells of the points-to analysis are what both sides mean by memory, so places that may be the
//! same have the same type. As constraints are added blocks are executed again, until nothing changes: qualifiers
//! start as nonnull and only ever become null.
//!
//! A block that is inconclusive is typed after all.

mod auto;
mod blocks;
mod driver;
mod explain;
mod found;
mod turn;
mod types;

pub use driver::{Driver, PROGRAM_MAIN};
pub use found::{Analysis, Assumption, BlockSummary, Certainty, Found, Step, Violation};
pub use symex::Input;

use auto::Placer;
use blocks::{Block, Cache, Follows, Mixer, Placement, Solved};
use explain::Explainer;
use ir::{Effects, FunctionId, Names, PointsTo, Program, Site};
use qualifiers::{Constraints, Facts, Inference, Sink, SinkKind, Sinks};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Session;
use std::collections::hash_map::Entry;
use symex::{Budget, Start, Subject, Turn};

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
    /// Whether the marks in the source count.
    pub ignore_blocks: bool,
    /// Whether to choose more symbolic blocks.
    pub auto: bool,
    /// What must not be null.
    pub sinks: Sinks,
}

/// Analyses a program. `stop` is asked whether the time is up; `progress` is told what is being done.
pub fn analyse(
    program: &Program,
    options: &Options,
    session: &mut Session,
    stop: &dyn Fn() -> bool,
    progress: &dyn Fn(&str),
) -> Analysis {
    progress("finding out what pointers point to");
    let Some(points_to) = PointsTo::new(program, stop) else {
        return Analysis { stopped: true, unfinished: true, ..Analysis::default() };
    };
    progress("inferring qualifiers");
    let constraints = Constraints::new(program, &points_to, options.sinks);
    let mut analysis = infer(program, &points_to, &constraints);
    let surroundings = Surroundings { options, stop, progress };
    if options.auto {
        drop(constraints);
        progress("telling apart what is allocated");
        let program = ir::specialise(program, &points_to);
        drop(points_to);
        match PointsTo::new(&program, stop) {
            Some(points_to) => {
                let constraints = Constraints::new(&program, &points_to, options.sinks);
                refine(&program, &points_to, &constraints, surroundings, session, &mut analysis);
            }
            None => analysis.stopped = true,
        }
    } else {
        refine(program, &points_to, &constraints, surroundings, session, &mut analysis);
    }
    let place = |found: &Found| (found.site.file.clone(), found.site.line, found.site.column);
    analysis.found.sort_by_key(place);
    analysis
}

/// What inference alone says.
fn infer(program: &Program, points_to: &PointsTo, constraints: &Constraints) -> Analysis {
    let names = Names::new(program);
    let explainer = Explainer { program, points_to, names: &names, constraints };
    let reachable = points_to.reachable(entries(program));
    let mut inference = Inference::new(constraints, None);
    inference.solve(reachable.iter().copied());
    let found = each_once(inference.warnings().iter().map(|warning| explainer.warning(warning)));
    Analysis {
        inferred: found.len(),
        found,
        functions: reachable.iter().filter(|id| program.function(**id).has_code()).count(),
        assumptions: assumptions(program, constraints, &reachable),
        ..Analysis::default()
    }
}

/// What an analysis is done for, and who is told of it.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    options: &'a Options,
    stop: &'a dyn Fn() -> bool,
    progress: &'a dyn Fn(&str),
}

/// Executes blocks: those that the user asks for, and those that are chosen by what is left.
fn refine(
    program: &Program,
    points_to: &PointsTo,
    constraints: &Constraints,
    surroundings: Surroundings<'_>,
    session: &mut Session,
    analysis: &mut Analysis,
) {
    let Surroundings { options, stop, progress } = surroundings;
    let mut placement = placement(program, options, entries(program));
    if placement.blocks.is_empty() && !options.auto {
        return;
    }
    let names = Names::new(program);
    let explainer = Explainer { program, points_to, names: &names, constraints };
    let effects = Effects::new(program, points_to);
    let facts = if options.auto {
        progress("following the order of instructions");
        Facts::new(program, points_to, &effects, constraints, &placement.entries, stop)
    } else {
        None
    };
    let mut inference = Inference::new(constraints, facts.as_ref());
    let subject = Subject { program, points_to, effects: &effects, names: &names, stop };
    let mixer = Mixer { subject, check_accesses: options.sinks == Sinks::All, stop };
    let placer = Placer { program, points_to, effects: &effects };
    let mut cache = Cache::default();
    let at_first: Vec<(Site, String)> = analysis.found.iter().map(key).collect();
    let mut refuted = FxHashSet::default();
    let mut last = Solved::default();
    loop {
        progress(&format!("executing {} symbolic blocks", placement.blocks.len()));
        let solved = mixer.solve(&mut inference, &placement, &mut cache, session);
        if solved.stopped {
            analysis.stopped = true;
            break;
        }
        let warnings = inference.warnings();
        let confirmed = violations(&explainer, &inference, &solved);
        let open = warnings.iter().map(|warning| explainer.warning(warning));
        let found = each_once(confirmed.into_iter().chain(open));
        analysis.found = found.into_iter().filter(|found| !refuted.contains(&key(found))).collect();
        let left: FxHashSet<(Site, String)> = analysis.found.iter().map(key).collect();
        // Every round says something about all of the program: what one of them does not find is not there.
        refuted.extend(at_first.iter().filter(|key| !left.contains(*key)).cloned());
        analysis.blocks = summaries(program, &placement, &solved, &cache);
        let goes_on =
            options.auto && !analysis.found.is_empty() && placer.refine(&inference, &warnings, &solved, &mut placement);
        last = solved;
        if !goes_on {
            break;
        }
    }
    if analysis.found.iter().any(|found| found.certainty != Certainty::Inferred) && !stop() {
        progress("looking for situations in which functions fail");
        let solved = mixer.execute_again(&inference, &placement, &last, session);
        let explained = violations(&explainer, &inference, &solved).into_iter();
        say_more(analysis, explained.filter(|found| found.driver.is_some()));
    }
    if options.auto && !analysis.found.is_empty() && !stop() {
        progress("looking for inputs of the program");
        let solved = mixer.execute_from_start(&mut inference, &placement, session);
        let confirmed = violations(&explainer, &inference, &solved).into_iter();
        say_more(analysis, confirmed.filter(|found| found.input.is_some()));
    }
    analysis.queries = cache.queries;
}

/// Takes over what more is known of errors that are left.
fn say_more(analysis: &mut Analysis, more: impl Iterator<Item = Found>) {
    let known = std::mem::take(&mut analysis.found);
    let places: FxHashSet<(Site, String)> = known.iter().map(key).collect();
    analysis.found = each_once(more.filter(|found| places.contains(&key(found))).chain(known));
}

/// What tells errors apart.
fn key(found: &Found) -> (Site, String) {
    (found.site.clone(), found.bucket.clone())
}

/// Keeps one of the warnings that are about the same: `*p += 1` reads and writes, and is one error.
fn each_once(found: impl Iterator<Item = Found>) -> Vec<Found> {
    let mut kept: Vec<Found> = Vec::new();
    let mut places: FxHashMap<(Site, String), usize> = FxHashMap::default();
    for found in found {
        let next = kept.len();
        match places.entry(key(&found)) {
            Entry::Vacant(place) => {
                place.insert(next);
                kept.push(found);
            }
            // What is certain says more.
            Entry::Occupied(place) => {
                let Some(known) = kept.get_mut(*place.get()) else { continue };
                let mut found = found;
                if known.certainty.rank() < found.certainty.rank() {
                    std::mem::swap(known, &mut found);
                }
                known.driver = known.driver.take().or(found.driver);
                known.input = known.input.take().or(found.input);
            }
        }
    }
    kept
}

/// Where a run of the program starts.
fn entries(program: &Program) -> Vec<FunctionId> {
    match program.function_named("main") {
        Some(main) => [main].into_iter().chain(program.constructors.iter().copied()).collect(),
        None => {
            let visible = program.all_functions().filter(|(_, function)| function.has_code() && function.is_visible);
            visible.map(|(id, _)| id).collect()
        }
    }
}

/// The blocks that the user asks for.
fn placement(program: &Program, options: &Options, entries: Vec<FunctionId>) -> Placement {
    let mut placement = Placement { entries, ..Placement::default() };
    for (id, function) in program.all_functions().filter(|(_, function)| function.has_code()) {
        let named = |names: &[String]| names.contains(&function.name);
        let marks = if options.ignore_blocks { ir::Marks::default() } else { function.marks };
        if marks.typed && !named(&options.symbolic) || named(&options.typed) {
            placement.typed.insert(id);
        } else if marks.symbolic || named(&options.symbolic) {
            let why = if marks.symbolic { "it is marked PROVOKE_SYMBOLIC" } else { "it was named by --symbolic" };
            placement.blocks.insert(id, Block { why: why.to_owned(), ..asked(Start::Typed) });
        }
    }
    if options.outer == Outer::Symbolic {
        for id in placement.entries.clone() {
            if !placement.typed.contains(&id) {
                let why = "the program starts in it".to_owned();
                let start = if program.function(id).name == "main" { Start::Program } else { Start::Typed };
                // What constructors leave behind is not what the program starts with.
                let start = if program.constructors.is_empty() { start } else { Start::Typed };
                placement.blocks.insert(id, Block { why, ..asked(start) });
            }
        }
    }
    placement
}

/// A block that the user asks for.
fn asked(start: Start) -> Block {
    Block { why: String::new(), follows: Follows::All, start, budget: Budget::LARGE, seeks_input: false }
}

/// What symbolic blocks found, each once.
fn violations(explainer: &Explainer<'_>, inference: &Inference<'_>, solved: &Solved) -> Vec<Found> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let program = explainer.program;
    for (id, cached) in &solved.executions {
        for violation in &cached.execution.violations {
            let how = (violation.is_certain, violation.by_types);
            if !seen.insert((violation.function, violation.at, violation.argument, how)) {
                continue;
            }
            let sinks = explainer.sinks_at(violation.function, violation.at);
            let fits = |sink: &&&Sink| match (&sink.kind, violation.argument) {
                (SinkKind::Argument(function, index), Some(argument)) => (*function, *index) == argument,
                (SinkKind::Argument(..), None) | (_, Some(_)) => false,
                _ => sink.value == violation.value,
            };
            let kind = match violation.argument {
                Some((function, index)) => SinkKind::Argument(function, index),
                None => SinkKind::Read,
            };
            let sink = sinks.iter().find(fits).map(|sink| (*sink).clone()).unwrap_or_else(|| Sink {
                node: None,
                kind,
                function: violation.function,
                site: program.function(violation.function).site,
                value: violation.value.clone(),
                at: violation.at,
            });
            let block = program.function(*id).name.clone();
            let mut steps = initial_state(explainer, inference, *id);
            steps.extend(violation.situation.as_ref().and_then(|situation| {
                let text = driver::in_words(program, situation)?;
                Some(Step { site: program.site(program.function(situation.function).site).clone(), text })
            }));
            let calls = violation.calls.iter().skip(1);
            steps.extend(violation.path.iter().map(|(site, turn)| Step {
                site: program.site(*site).clone(),
                text: match turn {
                    Turn::Branch(function, from, to) => turn::in_words(program, explainer.names, *function, *from, *to),
                    Turn::ReturnsNull(function) => format!("`{}` returns null", program.function(*function).name),
                },
            }));
            steps.extend(calls.map(|(function, site)| Step {
                site: program.site(*site).clone(),
                text: format!("`{}` is called", program.function(*function).name),
            }));
            let certainty = match how {
                (false, _) => Certainty::Inferred,
                (true, true) => Certainty::ByTypes { block },
                (true, false) => Certainty::Path { block },
            };
            let input = violation.input.clone();
            let driver = violation.situation.as_ref().and_then(|situation| driver::driver(program, situation));
            found.push(Found { input, driver, ..explainer.found(&sink, steps, certainty) });
        }
    }
    found
}

/// What a block's parameters are at its start, where they may be null.
fn initial_state(explainer: &Explainer<'_>, inference: &Inference<'_>, id: FunctionId) -> Vec<Step> {
    let function = explainer.program.function(id);
    let nodes = &inference.constraints().nodes;
    let mut steps = Vec::new();
    for (index, parameter) in (0..).zip(&function.parameters) {
        let node = nodes.register(id, ir::Register(index));
        if parameter.ty.is_pointer && inference.is_null(node) {
            let (source, flow) = inference.explain(node);
            steps.extend(explainer.flow(source.as_ref(), &flow));
            // A part of a structure that is passed in registers has no name of its own.
            let name = match parameter.name.as_str() {
                "" => format!("argument {}", index + 1),
                name => format!("`{name}`"),
            };
            steps.push(Step {
                site: explainer.program.site(function.site).clone(),
                text: format!("{name} can be null when `{}` is called", function.name),
            });
        }
    }
    steps
}

fn summaries(program: &Program, placement: &Placement, solved: &Solved, cache: &Cache) -> Vec<BlockSummary> {
    let reached = |id: &FunctionId| solved.executions.contains_key(id) || solved.inconclusive.contains_key(id);
    let blocks = placement.blocks.iter().filter(|(id, _)| reached(id));
    let summary = |(id, block): (&FunctionId, &Block)| BlockSummary {
        function: program.function(*id).name.clone(),
        why: block.why.clone(),
        executions: cache.executed.get(id).copied().unwrap_or(0),
        paths: solved.executions.get(id).map_or(0, |cached| cached.execution.paths),
        inconclusive: solved.inconclusive.get(id).cloned(),
    };
    blocks.map(summary).collect()
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
