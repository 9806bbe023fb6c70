//! Inputs that go another way: every branch and switch of the path, decided otherwise.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use expr::Input;
use run::Outcome;
use search::{Aim, Candidate, Checks, Options, expand};
use solver::Session;

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
    /// It was interrupted before all ways were tried.
    pub stopped: bool,
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
pub fn flip(
    folder: &Path,
    session: &mut Session,
    outcome: &Outcome,
    path: &mut path::Path,
    interrupted: &AtomicBool,
) -> Result<Flips, Failure> {
    if outcome.contents.is_empty() {
        let why = "there is no input to write: --flip needs --stdin, --file, --arg or --env";
        return Err(Failure::Input(anyhow::anyhow!(why)));
    }
    let cannot = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot).map_err(Failure::Input)?;
    let input = Arc::new(path::input(&outcome.trace, &outcome.contents));
    let mut flips = Flips::default();
    let mut failed = None;
    let mut found = |candidate: Candidate| {
        let Aim::Branch { constraint, way, .. } = candidate.aim else { return ControlFlow::Continue(()) };
        let name = format!("{:05}", flips.inputs.len() + 1);
        if let Err(error) = write_input(folder, &name, outcome, &candidate.input) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        flips.inputs.push(Flip { name, constraint, way });
        ControlFlow::Continue(())
    };
    let mut step = |_| match interrupted.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let expansion = expand(session, path, Checks::default(), input, Options::default(), &mut step, &mut found);
    if let Some(error) = failed {
        return Err(Failure::Input(anyhow::Error::from(error).context(cannot())));
    }
    flips.impossible = expansion.impossible;
    flips.unknown = expansion.unknown;
    flips.stopped = expansion.stopped;
    Ok(flips)
}

/// Writes what the engine gave to the run in the form it was given: one file, or one for each part.
fn write_input(folder: &Path, name: &str, outcome: &Outcome, input: &Input) -> io::Result<()> {
    let given = outcome.trace.parts().get(..outcome.contents.len()).unwrap_or_default();
    let input = run::Input::of_trace(given, &input.parts);
    for part in &input.parts {
        let file = match input.parts.len() {
            1 => name.to_owned(),
            _ => format!("{name}-{}", part.source.name().replace(['/', '[', ']'], "")),
        };
        fs::write(folder.join(file), &part.bytes)?;
    }
    Ok(())
}
