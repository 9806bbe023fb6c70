//! Inputs that go another way: every branch and switch of the path, decided otherwise.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use expr::{Input, Store, Term};
use path::{Constraint, Kind};
use run::Outcome;
use solver::{Answer, Session};

use crate::exit::Failure;

/// What came of it.
#[derive(Default)]
pub struct Flips {
    /// The inputs that go another way.
    pub inputs: Vec<Flip>,
    /// Ways that no input goes.
    pub impossible: usize,
    /// Ways that the solver gave no answer for.
    pub unknown: usize,
}

/// An input that goes another way.
pub struct Flip {
    /// Name of its file.
    pub name: String,
    /// Index of the constraint where it leaves the path.
    pub constraint: usize,
    /// Which way it goes there.
    pub way: String,
}

/// Solves for every other way out of the path's branches and switches, and writes the inputs to `folder`.
pub fn flip(folder: &Path, session: &mut Session, outcome: &Outcome, path: &mut path::Path) -> Result<Flips, Failure> {
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
    for (index, constraint) in path.constraints.iter().enumerate() {
        for (goal, way) in other_ways(store, constraint) {
            match solver.query(store, goal) {
                Answer::Sat(solution) => {
                    let name = format!("{:05}", flips.inputs.len() + 1);
                    write_input(folder, &name, outcome, &solution.model.input(store))
                        .with_context(cannot)
                        .map_err(Failure::Input)?;
                    flips.inputs.push(Flip { name, constraint: index, way });
                }
                Answer::Unsat => flips.impossible += 1,
                Answer::Unknown(_) => flips.unknown += 1,
            }
        }
        solver.push(store, constraint.holds);
    }
    solver.dump(store);
    Ok(flips)
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
