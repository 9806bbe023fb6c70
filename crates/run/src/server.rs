//! A program that is started once and runs many times: a *fork server*, which forks a child for every run.
//!
//! The program must know how to be one (`crates/views/src/replay/server.c`). It stands under the same supervisor as any other, and
//! what limits say holds for each run. A run that reaches a limit other than that of time ends the server with it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::lasting::in_lasting_thread;
use crate::process::{end, pipe, start_supervised, status_of, watch};
use crate::{Command, Error, Limits, Status, Surroundings};

/// Says which descriptors requests come from and answers go to.
const VARIABLE: &str = "PROVOKE_SERVER";

/// How much longer than a run may take its server may take to say so.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the server says first, if it serves.
const READY: u32 = 1;

/// What the server says about a run.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    status: i32,
    timed_out: i32,
    peak_kilobytes: i64,
}

/// One run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Served {
    /// How it ended.
    pub status: Status,
    /// Whether the server can do more runs.
    pub is_ready: bool,
    /// How long it took.
    pub wall: Duration,
    /// Largest memory of its first process, in bytes.
    pub peak_memory: u64,
}

/// A program that is started once and runs many times.
#[derive(Debug)]
pub struct Server {
    supervisor: Child,
    program: Option<i32>,
    report: File,
    requests: File,
    answers: File,
    /// What it runs in, if it is a copy of its own: the folder, and what tells it from another one of that name.
    folder: Option<(TempDir, FileId)>,
}

/// Device and number of a file.
type FileId = (u64, u64);

impl Server {
    /// Starts a program; nothing if it does not serve. Its standard input is read from the start in every run.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(command: &Command, limits: &Limits, interrupt: &AtomicBool) -> Result<Option<Server>, Error> {
        let start = Instant::now();
        let refused = |source| Error::System { action: "make pipes for a fork server", source };
        let (theirs_to_read, requests) = pipe().map_err(refused)?;
        let (answers, theirs_to_write) = pipe().map_err(refused)?;
        let channels = [theirs_to_read.as_raw_fd(), theirs_to_write.as_raw_fd()];
        let mut command = command.clone();
        command.env.push((VARIABLE.into(), format!("{},{}", channels[0], channels[1]).into()));
        let folder = command.surroundings.prepare()?;
        let path = folder.as_ref().map(|folder| folder.path().to_owned());
        let own_limits = limits.clone();
        let spawn = move || start_supervised(&command, path.as_deref(), &own_limits, Some(channels));
        // Where that thread cannot be had, the server lives as long as this one.
        let spawned = in_lasting_thread(spawn.clone()).unwrap_or_else(spawn);
        let (supervisor, mut report) = spawned?;
        drop((theirs_to_read, theirs_to_write));
        let mut program = [0; size_of::<i32>()];
        let program = report.read_exact(&mut program).ok().map(|()| i32::from_ne_bytes(program));
        let (requests, answers) = (File::from(requests), File::from(answers));
        let folder = match folder {
            Some(folder) => {
                let id =
                    identity(folder.path()).map_err(|source| Error::System { action: "look at a folder", source })?;
                Some((folder, id))
            }
            None => None,
        };
        let mut server = Server { supervisor, program, report, requests, answers, folder };
        let mut hello = [0; size_of::<u32>()];
        let is_cut = watch(server.supervisor.id(), &server.answers, limits, start, interrupt).is_some();
        let serves = !is_cut && server.answers.read_exact(&mut hello).is_ok() && u32::from_ne_bytes(hello) == READY;
        Ok(serves.then_some(server))
    }

    /// Whether the program runs in a folder of its own.
    pub fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// Puts into the folder of the program what it is to find there.
    ///
    /// # Errors
    /// If an earlier run did something to it that cannot be undone.
    pub fn renew(&self, surroundings: &Surroundings) -> Result<(), Error> {
        let Some((folder, id)) = &self.folder else { return Ok(()) };
        let path = folder.path();
        let refused = |source| Error::System { action: "renew the folder of a fork server", source };
        // Not what the program may have put in its place.
        if identity(path).map_err(refused)? != *id {
            return Err(refused(io::Error::other("the program moved it away")));
        }
        surroundings.renew(path)
    }

    /// Runs the program once; `may_be_used` allows a process that did runs before, if the program can do more than one.
    pub fn run(&mut self, limits: &Limits, may_be_used: bool, interrupt: &AtomicBool) -> Served {
        let start = Instant::now();
        let lost =
            |start: Instant| Served { status: Status::Lost, is_ready: false, wall: start.elapsed(), peak_memory: 0 };
        let milliseconds = u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX);
        let mut request = milliseconds.to_ne_bytes().to_vec();
        request.extend(u32::from(may_be_used).to_ne_bytes());
        if self.requests.write_all(&request).is_err() {
            return lost(start);
        }
        // The server itself ends what takes too long.
        let patient = Limits { time: limits.time.saturating_add(PATIENCE), ..limits.clone() };
        // All that a run starts is below the server, which itself is no part of the run.
        let root = self.program.and_then(|program| u32::try_from(program).ok()).unwrap_or(self.supervisor.id());
        if let Some(status) = watch(root, &self.answers, &patient, start, interrupt) {
            return Served { status, ..lost(start) };
        }
        let mut bytes = [0; size_of::<Answer>()];
        if self.answers.read_exact(&mut bytes).is_err() {
            return lost(start);
        }
        // SAFETY: any bytes are an answer.
        let answer: Answer = unsafe { std::mem::transmute(bytes) };
        Served {
            status: if answer.timed_out != 0 { Status::TimedOut } else { status_of(answer.status) },
            is_ready: true,
            wall: start.elapsed(),
            peak_memory: u64::try_from(answer.peak_kilobytes).unwrap_or_default() * 1024,
        }
    }
}

/// What tells a folder from others; links are not followed.
fn identity(folder: &Path) -> io::Result<FileId> {
    let known = fs::symlink_metadata(folder)?;
    Ok((known.dev(), known.ino()))
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.supervisor, &mut self.report, self.program, true);
    }
}
