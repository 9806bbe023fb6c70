//! A concolic view, and its trace.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trace::abi::TRACE_VARIABLE;
use trace::reader::{self, Memory, Trace};

use crate::input::Input;
use crate::inputs::Inputs;
use crate::{Captured, Command, Error, Limits, Output, Status, Surroundings, execute};

/// A run of a concolic view.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The view.
    pub view: PathBuf,
    /// What the program is told that its name is.
    pub name: Option<OsString>,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What of its input is symbolic.
    pub inputs: Inputs,
    /// What it finds around it.
    pub surroundings: Surroundings,
    /// How much it may use.
    pub limits: Limits,
    /// What becomes of its output.
    pub output: Output,
    /// Whether the runtime compares every labelled value with its node's.
    pub selfcheck: bool,
    /// What becomes of addresses that depend on input.
    pub memory: Memory,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub status: Status,
    /// What was traced until then.
    pub trace: Trace,
    /// Contents of the trace's first parts: those that the engine gave.
    pub contents: Vec<Vec<u8>>,
    /// How long it took.
    pub wall: Duration,
    /// Largest memory of any one of its processes, in bytes, trace included.
    pub peak_memory: u64,
    /// Its standard output, if that was captured.
    pub stdout: Captured,
    /// Its standard error, if that was captured.
    pub stderr: Captured,
}

/// Runs a concolic view. However the program ends, what was traced until then comes back.
pub fn concolic(request: &Request, interrupt: &AtomicBool) -> Result<Outcome, Error> {
    concolic_on(request, &request.inputs.read(&request.args)?, interrupt)
}

/// The same on another input, which has the same sources.
pub fn concolic_on(request: &Request, input: &Input, interrupt: &AtomicBool) -> Result<Outcome, Error> {
    let prepared = request.inputs.prepare(&request.args, input)?;
    let recording = reader::create(&reader::Options {
        selfcheck: request.selfcheck,
        memory: request.memory,
        memory_cap: request.limits.trace,
        parts: prepared.parts,
    })?;
    let mut env = prepared.env;
    env.push((TRACE_VARIABLE.into(), recording.path().into()));
    let command = Command {
        program: request.view.clone(),
        name: request.name.clone(),
        args: prepared.args,
        stdin: prepared.stdin,
        surroundings: request.surroundings.clone(),
        env,
        output: request.output,
        fixed_addresses: true,
    };
    let finished = execute(&command, &request.limits, interrupt)?;
    Ok(Outcome {
        status: finished.status,
        trace: recording.finish()?,
        contents: prepared.contents,
        wall: finished.wall,
        peak_memory: finished.peak_memory,
        stdout: finished.stdout,
        stderr: finished.stderr,
    })
}
