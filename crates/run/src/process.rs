//! Any program, under limits.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::capture::{Capture, Captured};
use crate::supervisor::{self, Report, Setup};
use crate::{Error, Limits, Surroundings, tree};

/// How often memory and the number of processes are looked at. Long enough to cost nothing, short enough that a program
/// that allocates as fast as it can stays near its limit.
const LOOK: Duration = Duration::from_millis(20);

/// How long killed processes may take to go away (one that hangs in the kernel can take forever).
const PATIENCE: Duration = Duration::from_secs(5);

/// What becomes of a program's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Output {
    /// It goes where ours goes.
    #[default]
    Inherit,
    /// All of it goes where our standard error goes.
    ToStderr,
    /// Nobody sees it.
    Discard,
    /// The first bytes of each stream are kept.
    Capture(usize),
}

/// A program to run.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// Path of the program.
    pub program: PathBuf,
    /// What the program is told that its name is; its path if nothing is said.
    pub name: Option<OsString>,
    /// Its arguments, without its name.
    pub args: Vec<OsString>,
    /// File that is its standard input; none is `/dev/null`.
    pub stdin: Option<PathBuf>,
    /// What it finds around it.
    pub surroundings: Surroundings,
    /// Environment variables in addition to those.
    pub env: Vec<(OsString, OsString)>,
    /// What becomes of its output.
    pub output: Output,
    /// Whether addresses are the same in every run.
    pub fixed_addresses: bool,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Status {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It took too long and was killed.
    TimedOut,
    /// It used too much memory and was killed.
    MemoryExceeded,
    /// It started too many processes and was killed.
    TooManyProcesses,
    /// Somebody asked for its end, with Ctrl-C for example.
    Interrupted,
    /// It killed the process that watched it, so how it ended is not known.
    Lost,
}

/// How often a run is done again that seems to have been ended by somebody else.
const RETRIES: usize = 2;

impl Status {
    /// Whether somebody else may have ended the run: the system that had no memory left, or a person. Programs that kill
    /// themselves do it again.
    fn is_suspicious(self) -> bool {
        matches!(self, Status::Signalled(libc::SIGKILL) | Status::Lost)
    }
}

/// Does a run, and does it again if somebody else may have ended it.
///
/// # Errors
/// As the run.
pub fn undisturbed<T, E>(mut run: impl FnMut() -> Result<T, E>, status: impl Fn(&T) -> Status) -> Result<T, E> {
    let mut outcome = run()?;
    for _ in 0..RETRIES {
        if !status(&outcome).is_suspicious() {
            break;
        }
        outcome = run()?;
    }
    Ok(outcome)
}

/// A program that has run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: Status,
    /// How long it took.
    pub wall: Duration,
    /// Largest memory of any one of its processes, in bytes.
    pub peak_memory: u64,
    /// Its standard output, if that was captured.
    pub stdout: Captured,
    /// Its standard error, if that was captured.
    pub stderr: Captured,
}

/// Runs a program to its end, or until a limit is reached or `interrupt` becomes true.
pub fn execute(command: &Command, limits: &Limits, interrupt: &AtomicBool) -> Result<Finished, Error> {
    let start = Instant::now();
    let folder = command.surroundings.prepare()?;
    let (mut supervisor, mut pipe) = start_supervised(command, folder.as_ref().map(TempDir::path), limits, None)?;
    let (stdout, stderr) = match command.output {
        Output::Capture(cap) => (
            supervisor.stdout.take().map(|pipe| Capture::start(pipe, cap)),
            supervisor.stderr.take().map(|pipe| Capture::start(pipe, cap)),
        ),
        Output::Inherit | Output::ToStderr | Output::Discard => (None, None),
    };
    let mut program = [0; size_of::<i32>()];
    let program = pipe.read_exact(&mut program).ok().map(|()| i32::from_ne_bytes(program));
    let cut = watch(supervisor.id(), &pipe, limits, start, interrupt);
    let report = end(&mut supervisor, &mut pipe, program, cut.is_some());
    let wall = start.elapsed();
    let status = match (cut, report) {
        (Some(status), _) => status,
        (None, Some(report)) => status_of(report.status),
        (None, None) => Status::Lost,
    };
    let report = report.unwrap_or_default();
    let captured = |stream: Option<Capture>| stream.map(|stream| stream.finish(PATIENCE)).unwrap_or_default();
    let peak_memory = u64::try_from(report.peak_kilobytes).unwrap_or_default() * 1024;
    Ok(Finished { status, wall, peak_memory, stdout: captured(stdout), stderr: captured(stderr) })
}

/// Takes the supervisor's report, if there is one; with `cut` it is asked to end everything first. Nothing is left afterwards.
pub(crate) fn end(supervisor: &mut Child, pipe: &mut File, program: Option<i32>, cut: bool) -> Option<Report> {
    if cut {
        // SAFETY: the supervisor has not been waited for, so the number is still its own.
        unsafe { libc::kill(supervisor.id() as i32, libc::SIGTERM) };
        if !readable(pipe, PATIENCE) {
            let _ = supervisor.kill();
        }
    }
    let mut bytes = [0; Report::SIZE];
    let reported = pipe.read_exact(&mut bytes).is_ok();
    if !reported {
        end_session(program);
    }
    let _ = supervisor.wait();
    // SAFETY: any bytes are a report.
    reported.then(|| unsafe { std::mem::transmute(bytes) })
}

/// Without its supervisor, what the program left behind is found by its session.
fn end_session(program: Option<i32>) {
    let Some(session) = program else { return };
    let start = Instant::now();
    let mut left = tree::session(session);
    // Not forever: where nobody takes in orphans, they stay as zombies.
    while !left.is_empty() && start.elapsed() < PATIENCE {
        for process in left {
            // SAFETY: sends a signal.
            unsafe { libc::kill(process, libc::SIGKILL) };
        }
        std::thread::sleep(Duration::from_millis(1));
        left = tree::session(session);
    }
}

pub(crate) fn status_of(raw: i32) -> Status {
    let status = ExitStatus::from_raw(raw);
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, Some(signal)) => Status::Signalled(signal),
        (None, None) => Status::Lost,
    }
}

/// Starts a program in a folder under a supervisor, which reports to the pipe. The program finds `channels` open under their
/// numbers.
pub(crate) fn start_supervised(
    command: &Command,
    folder: Option<&Path>,
    limits: &Limits,
    channels: Option<[RawFd; 2]>,
) -> Result<(Child, File), Error> {
    let program = command.program.display().to_string();
    let mut process = std::process::Command::new(&command.program);
    let variables = command.surroundings.variables.iter().chain(&command.env);
    process.args(&command.args).envs(variables.map(|(name, value)| (name, value)));
    if let Some(folder) = folder {
        process.current_dir(folder);
    }
    if let Some(name) = &command.name {
        process.arg0(name);
    }
    process.stdin(match &command.stdin {
        None => Stdio::null(),
        Some(path) => {
            Stdio::from(File::open(path).map_err(|source| Error::Input { path: path.display().to_string(), source })?)
        }
    });
    let (stdout, stderr) = match command.output {
        Output::Inherit => (Stdio::inherit(), Stdio::inherit()),
        Output::ToStderr => (Stdio::from(io::stderr()), Stdio::inherit()),
        Output::Discard => (Stdio::null(), Stdio::null()),
        Output::Capture(_) => (Stdio::piped(), Stdio::piped()),
    };
    process.stdout(stdout).stderr(stderr);
    let (reader, writer) =
        pipe().map_err(|source| Error::System { action: "make a pipe for the report of the run", source })?;
    let setup = Setup {
        engine: std::process::id() as i32,
        report: writer.as_raw_fd(),
        file_size: limits.file_size,
        fixed_addresses: command.fixed_addresses,
        channels,
    };
    // SAFETY: `split` is made to be called there.
    unsafe { process.pre_exec(move || supervisor::split(setup)) };
    let child = process.spawn().map_err(|source| Error::Start { program, source })?;
    drop(writer);
    Ok((child, File::from(reader)))
}

pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the call fills two descriptors in, which are then ours alone.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Waits until the report comes (`None`) or a limit is reached. What the processes below `root` use is limited.
pub(crate) fn watch(
    root: u32,
    report: &File,
    limits: &Limits,
    start: Instant,
    interrupt: &AtomicBool,
) -> Option<Status> {
    loop {
        let left = limits.time.saturating_sub(start.elapsed());
        if readable(report, left.min(LOOK)) {
            return None;
        }
        if interrupt.load(Ordering::Relaxed) {
            return Some(Status::Interrupted);
        }
        if left.is_zero() {
            return Some(Status::TimedOut);
        }
        let usage = tree::usage(root, limits.processes);
        if usage.memory > limits.memory {
            return Some(Status::MemoryExceeded);
        }
        if usage.processes > limits.processes {
            return Some(Status::TooManyProcesses);
        }
    }
}

/// Whether there is something to read, or the other end is closed, within the time.
fn readable(file: &File, within: Duration) -> bool {
    let mut entry = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // Rounded up, or a last fraction of a millisecond would be waited for without sleeping.
    let milliseconds = i32::try_from(within.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
    // SAFETY: one entry, which lives through the call.
    unsafe { libc::poll(&mut entry, 1, milliseconds) > 0 }
}
