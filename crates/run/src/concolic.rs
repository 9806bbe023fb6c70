//! A concolic view, and its trace.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trace::abi::TRACE_VARIABLE;
use trace::reader::{self, Memory, Trace};

use crate::inputs::{self, Inputs};
use crate::{Captured, Command, Error, Limits, Output, Status, execute};

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

/// What the program is given where it asks for a symbolic buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Buffer {
    /// Its name, as a trace says it.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// Runs a concolic view. However the program ends, what was traced until then comes back.
pub fn concolic(request: &Request, interrupt: &AtomicBool) -> Result<Outcome, Error> {
    concolic_on(request, Vec::new(), Vec::new(), interrupt)
}

/// The same with other contents of the inputs, in the order of [`Outcome::contents`], and of buffers.
pub fn concolic_on(
    request: &Request,
    contents: Vec<Vec<u8>>,
    buffers: Vec<Buffer>,
    interrupt: &AtomicBool,
) -> Result<Outcome, Error> {
    let prepared = inputs::prepare(&request.inputs, &request.args, contents)?;
    let recording = reader::create(&reader::Options {
        selfcheck: request.selfcheck,
        memory: request.memory,
        memory_cap: request.limits.trace,
        parts: prepared.parts,
        buffers: buffers.into_iter().map(|buffer| (buffer.name, buffer.bytes)).collect(),
    })?;
    let command = Command {
        program: request.view.clone(),
        name: request.name.clone(),
        args: prepared.args,
        stdin: prepared.stdin,
        env: vec![(TRACE_VARIABLE.into(), recording.path().into())],
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
