//! One generation of inputs from one run: `bench/memory/run` prints its table.
//!
//! `neighbours MODEL VIEW INPUT FOLDER ARGUMENT…` runs the view on the input (`@@` among the arguments stands for it;
//! without, it is standard input), writes an input for every constraint that can be negated into the folder, and runs them
//! once more to see whether they went that way. Prints the figures as JSON. The models of memory are `precise`, `concrete`, and
//! `free`: what is read is concrete, as in the second, and nothing keeps the address where it was.

use std::cell::RefCell;
use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use path::Pins;
use run::{Inputs, Output, Request};
use search::{Aim, Candidate, Checks, Choice, Options, expand_chosen, went_the_way};
use solver::{Budget, Config, Session, worker};
use trace::reader::Memory;
use trace::sites::SiteTable;

/// What one query may take.
const QUERY: Duration = Duration::from_secs(1);
/// What all of them may take together: what is left then is not asked.
const LONGEST: Duration = Duration::from_secs(60);
/// Tests that are run once more: of more than these, some.
const MOST_RUNS: usize = 300;

/// Each constraint is negated once, whichever of several ways that is.
struct Once<'a> {
    negated: &'a RefCell<HashSet<usize>>,
}

impl Choice for Once<'_> {
    fn wants_way(&mut self, constraint: usize, _: u64) -> bool {
        !self.negated.borrow().contains(&constraint)
    }

    fn wants_check(&mut self, _: usize) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    worker::init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, view, input, folder, rest @ ..] = &arguments[..] else {
        return Err("neighbours precise|concrete|free VIEW INPUT FOLDER ARGUMENT…".into());
    };
    let (memory, pins) = match model.as_str() {
        "precise" => (Memory::Precise, Pins::All),
        "concrete" => (Memory::Concrete, Pins::All),
        "free" => (Memory::Concrete, Pins::NotOfAddresses),
        other => return Err(format!("there is no model `{other}`").into()),
    };
    let is_file = rest.iter().any(|argument| argument.contains("@@"));
    let given = vec![PathBuf::from(input)];
    let request = Request {
        view: view.into(),
        args: rest.iter().map(Into::into).collect(),
        inputs: match is_file {
            true => Inputs { files: given, ..Inputs::default() },
            false => Inputs { stdin: given.into_iter().next(), ..Inputs::default() },
        },
        output: Output::Discard,
        memory,
        ..Request::default()
    };
    let sites = SiteTable::of_view(&fs::read(view)?)?;
    measure(&request, &sites, pins, Path::new(folder))
}

fn measure(request: &Request, sites: &SiteTable, pins: Pins, folder: &Path) -> Result<(), Box<dyn Error>> {
    let never = AtomicBool::new(false);
    let started = Instant::now();
    let outcome = run::concolic(request, &never)?;
    let mut path = path::build_with(&outcome.trace, sites, &never, pins)?;
    let execution = started.elapsed();

    let started = Instant::now();
    let budget = Budget { time: QUERY, ..Budget::default() };
    let mut session = Session::new(Config { budget, ..Config::default() })?;
    let input = Arc::new(path::input(&outcome.trace, &outcome.contents));
    let mut tests = Vec::new();
    let negated = RefCell::new(HashSet::new());
    let mut found = |candidate: Candidate| {
        if let Aim::Branch { constraint, number, .. } = candidate.aim {
            negated.borrow_mut().insert(constraint);
            tests.push((constraint, number, candidate.input));
        }
        ControlFlow::Continue(())
    };
    let going = &mut |_| match started.elapsed() < LONGEST {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let mut once = Once { negated: &negated };
    let options = Options::default();
    let expansion =
        expand_chosen(&mut session, &mut path, Checks::default(), input, options, &mut once, going, &mut found);
    let solving = started.elapsed();

    fs::create_dir_all(folder)?;
    let mut divergences = 0;
    for (index, (_, _, input)) in tests.iter().enumerate() {
        fs::write(folder.join(format!("{index:05}")), input.parts.first().map_or(&[][..], Vec::as_slice))?;
    }
    let distance = tests.len().div_ceil(MOST_RUNS).max(1);
    let checked: Vec<_> = tests.iter().step_by(distance).collect();
    for (constraint, number, input) in &checked {
        let input = run::Input::of_trace(outcome.trace.parts(), &input.parts);
        let outcome = run::concolic_on(request, &input, &never)?;
        let actual = path::build_with(&outcome.trace, sites, &never, pins);
        divergences += usize::from(!actual.is_ok_and(|actual| went_the_way(&path, *constraint, *number, &actual)));
    }
    let figures = serde_json::json!({
        "execution": execution.as_secs_f64(),
        "run": outcome.wall.as_secs_f64(),
        "solving": solving.as_secs_f64(),
        "nodes": path.sizes.nodes,
        "constraints": path.constraints.len(),
        "branches": path.sizes.branches + path.sizes.switches,
        "pins": path.sizes.pins,
        "stale": path.record.stale_labels,
        "tests": tests.len(),
        "impossible": expansion.impossible,
        "unknown": expansion.unknown,
        "stopped": expansion.stopped,
        "checked": checked.len(),
        "divergences": divergences,
        "solver": session.stats().to_json(),
    });
    println!("{figures}");
    Ok(())
}
