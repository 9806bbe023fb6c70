//! Inputs that go another way: every branch and switch of the path, decided otherwise.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use expr::{Input, Store, Term};
use path::{Constraint, Kind};
use run::Outcome;
use solver::{Answer, Session};
use trace::sites::SiteTable;

use super::describe;
use crate::exit::Failure;
use crate::output::counted;

/// What came of it.
#[derive(Default)]
struct Flips {
    solved: usize,
    impossible: usize,
    unknown: usize,
}

/// Solves for every other way out of the path's branches and switches, and writes the inputs to `folder`.
pub fn run(
    out: &mut impl Write,
    folder: &Path,
    session: &mut Session,
    outcome: &Outcome,
    sites: &SiteTable,
    path: &mut path::Path,
) -> Result<(), Failure> {
    if outcome.contents.is_empty() {
        let why = "there is no input to write: --flip needs --stdin FILE or --file FILE";
        return Err(Failure::Input(anyhow::anyhow!(why)));
    }
    let cannot = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot).map_err(Failure::Input)?;
    let input = Arc::new(path::input(&outcome.trace, &outcome.contents));
    let mut solver = session.path(input);
    let mut flips = Flips::default();
    let store = &mut path.store;
    for constraint in &path.constraints {
        for (goal, way) in other_ways(store, constraint) {
            match solver.query(store, goal) {
                Answer::Sat(solution) => {
                    flips.solved += 1;
                    let name = format!("{:05}", flips.solved);
                    write_input(folder, &name, outcome, &solution.model.input(store))
                        .with_context(cannot)
                        .map_err(Failure::Input)?;
                    writeln!(out, "flip {name}  {}  {way}", describe::site(sites, constraint.site))?;
                }
                Answer::Unsat => flips.impossible += 1,
                Answer::Unknown(_) => flips.unknown += 1,
            }
        }
        solver.push(store, constraint.holds);
    }
    solver.dump(store);
    writeln!(
        out,
        "flipped: {} in {}; {} impossible, {} not solved",
        counted(flips.solved, "input"),
        folder.display(),
        flips.impossible,
        flips.unknown
    )?;
    Ok(())
}

/// The other ways that there are at a constraint: what must hold to take them, and how they are called. A pin is no
/// decision of the program.
fn other_ways(store: &mut Store, constraint: &Constraint) -> Vec<(Term, String)> {
    let not_this = store.not(constraint.holds);
    match &constraint.kind {
        Kind::Pin { .. } | Kind::Access { .. } => Vec::new(),
        Kind::Branch { taken } => vec![(not_this, if *taken { "not taken" } else { "taken" }.to_owned())],
        Kind::Switch { value, cases } => {
            let width = store.width(constraint.subject);
            let mut ways = Vec::new();
            let mut default = not_this;
            for case in cases.iter().filter(|case| *case != value) {
                let constant = store.small(width, *case);
                let goal = store.eq(constraint.subject, constant);
                let other = store.not(goal);
                default = store.and(default, other);
                ways.push((goal, format!("= {case:#x}")));
            }
            if cases.contains(value) {
                ways.push((default, "default".to_owned()));
            }
            ways
        }
    }
}

/// Writes what the engine gave to the run in the form it was given: one file, or one for each part.
fn write_input(folder: &Path, name: &str, outcome: &Outcome, input: &Input) -> io::Result<()> {
    let parts = outcome.trace.parts().iter().zip(&input.parts).take(outcome.contents.len());
    for (part, bytes) in parts {
        let file = match outcome.contents.len() {
            1 => name.to_owned(),
            _ => format!("{name}-{}", format!("{:?}", part.kind).to_lowercase()),
        };
        fs::write(folder.join(file), bytes)?;
    }
    Ok(())
}
