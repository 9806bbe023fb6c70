//! Child processes that are watched while they work.

use std::fs;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::answer::Reason;

/// How often memory is looked at. A process can fill a few ten megabytes in that time, which nobody will notice.
const LOOK: Duration = Duration::from_millis(20);

/// A child in its own process group, which dies with this value.
pub(super) struct Watched {
    child: Child,
    pub(super) stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

impl Watched {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Watched> {
        let mut child = command.stdout(Stdio::piped()).process_group(0).spawn()?;
        let stdin = child.stdin.take();
        match child.stdout.take() {
            Some(stdout) => Ok(Watched { child, stdin, stdout }),
            None => Err(io::Error::other("no pipe from the child")),
        }
    }

    /// Reads until `done` says so. The child is of no use after an error.
    pub(super) fn read(
        &mut self,
        buffer: &mut Vec<u8>,
        deadline: Instant,
        memory: u64,
        stop: Option<&AtomicBool>,
        mut done: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Reason> {
        let mut chunk = vec![0; 1 << 16];
        while !done(buffer) {
            let now = Instant::now();
            if now >= deadline {
                return Err(Reason::Time);
            }
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Reason::Stopped);
            }
            // What a talkative child says is kept here, so it counts as its memory.
            if buffer.len() as u64 > memory {
                return Err(Reason::Memory);
            }
            let wait = LOOK.min(deadline - now);
            let wait = Timespec { tv_sec: 0, tv_nsec: wait.as_nanos().min(999_999_999) as i64 };
            let mut descriptors = [PollFd::from_borrowed_fd(self.stdout.as_fd(), PollFlags::IN)];
            match poll(&mut descriptors, Some(&wait)) {
                Ok(0) => {
                    if self.memory() > memory {
                        return Err(Reason::Memory);
                    }
                    continue;
                }
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(Reason::Crashed(error.to_string())),
            }
            match self.stdout.read(&mut chunk) {
                Ok(0) => return Err(self.ended()),
                Ok(count) => buffer.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Reason::Crashed(error.to_string())),
            }
        }
        Ok(())
    }

    /// Resident bytes of the child and of its own children.
    fn memory(&self) -> u64 {
        let mut total = 0;
        let mut pending = vec![self.child.id()];
        while let Some(process) = pending.pop() {
            let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
            let pages: u64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
            total += pages * rustix::param::page_size() as u64;
            let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
            pending.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        total
    }

    /// How a child that closed its pipe came to its end.
    fn ended(&mut self) -> Reason {
        // It may have closed the pipe and live on; it is killed when this value is dropped.
        let status = self.child.try_wait();
        Reason::Crashed(match status {
            Ok(Some(status)) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("it ended with exit status {code}"),
                (_, Some(signal)) => format!("it was killed by signal {signal}"),
                _ => "it ended".to_owned(),
            },
            _ => "it closed its output".to_owned(),
        })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            // Fails where nothing of the group is left, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
