//! Runs of the program itself, which say how long it takes without anything of ours in it.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use run::{Command, Limits, Output, Status};

use crate::Error;
use crate::input::{Input, Source};
use crate::replayer::Target;
use crate::stage::Stage;

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// The program ended, in whatever way, in this time.
    Ended(Duration),
    /// It was stopped.
    TookTooLong,
    /// It cannot be run on such an input, or not at all.
    NotRun,
}

/// Runs a program on an input; the target's view is the program as it was built.
pub fn natively(target: &Target, input: &Input, limits: &Limits, interrupt: &AtomicBool) -> Native {
    // Only views know what is to be in these.
    let is_ours = |source: &Source| matches!(source, Source::Channel(_) | Source::Buffer(_));
    if input.parts.iter().any(|part| is_ours(&part.source)) {
        return Native::NotRun;
    }
    let run = || -> Result<_, Error> {
        let mut stage = Stage::new(0, input).map_err(Error::prepare)?;
        stage.set(input, &[], &[]).map_err(Error::prepare)?;
        let env: Vec<(OsString, OsString)> =
            input.variables().map(|(name, value)| (name.into(), value.to_owned())).collect();
        let command = Command {
            program: target.view.clone(),
            name: target.name.clone(),
            args: run::with_files(&input.arguments(&target.args), &stage.files())?,
            stdin: stage.stdin(),
            surroundings: target.surroundings.clone(),
            env,
            output: Output::Discard,
            fixed_addresses: true,
        };
        Ok(run::execute(&command, limits, interrupt)?)
    };
    match run() {
        Ok(finished) => match finished.status {
            Status::Exited(_) | Status::Signalled(_) => Native::Ended(finished.wall),
            Status::TimedOut => Native::TookTooLong,
            _ => Native::NotRun,
        },
        Err(_) => Native::NotRun,
    }
}
