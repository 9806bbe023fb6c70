//! Watching what the native clang does, while it does it.
//!
//! clang writes every command that it runs to a file of the user's choice, just before it runs it. Here that file is a
//! pipe. So no second clang has to be asked what the arguments mean.

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;

use rustix::io::FdFlags;

use crate::jobs::{self, Job};

/// Tells clang to write its commands.
const SWITCH_VARIABLE: &str = "CC_PRINT_OPTIONS";
/// Tells clang where to write them.
const FILE_VARIABLE: &str = "CC_PRINT_OPTIONS_FILE";
/// Ends the watch. No argument can contain it.
const END: u8 = 0;

/// A pipe on which a clang tells what it does.
pub struct Watch {
    reader: Mutex<PipeReader>,
    writer: PipeWriter,
}

impl Watch {
    /// A new pipe, unless the user wants to know the same or the pipe could not be named to clang: a clang that cannot
    /// open the file does not compile.
    pub fn new() -> Option<Self> {
        if std::env::var_os(SWITCH_VARIABLE).is_some() {
            return None;
        }
        let (reader, writer) = std::io::pipe().ok()?;
        let watch = Self { reader: Mutex::new(reader), writer };
        std::fs::OpenOptions::new().append(true).open(watch.name()).is_ok().then_some(watch)
    }

    fn name(&self) -> String {
        format!("/proc/self/fd/{}", self.writer.as_raw_fd())
    }

    /// Lets the clang that `command` starts write to the pipe.
    pub fn set_up(&self, command: &mut Command) {
        command.env(SWITCH_VARIABLE, "1").env(FILE_VARIABLE, self.name());
        let descriptor = self.writer.as_raw_fd();
        // SAFETY: between fork and exec only fcntl is called, which is a plain system call, on a descriptor that the
        // child has because `self` outlives the start of the command.
        unsafe {
            command.pre_exec(move || {
                let descriptor = std::os::fd::BorrowedFd::borrow_raw(descriptor);
                rustix::io::fcntl_setfd(descriptor, FdFlags::empty()).map_err(Into::into)
            });
        }
    }

    /// Calls `take` for every command, in their order, until the watch is ended.
    pub fn listen(&self, mut take: impl FnMut(Job)) {
        let Ok(mut reader) = self.reader.lock() else { return };
        let mut text = Vec::new();
        let mut bytes = vec![0; 1 << 16];
        loop {
            let count = match reader.read(&mut bytes) {
                Ok(count) if count > 0 => count,
                _ => return,
            };
            let new = bytes.get(..count).unwrap_or_default();
            let end = new.iter().position(|byte| *byte == END);
            text.extend_from_slice(new.get(..end.unwrap_or(count)).unwrap_or_default());
            jobs::take_complete(&mut text, &mut take);
            if end.is_some() {
                return;
            }
        }
    }

    /// Ends the watch, whoever else still holds the pipe: a process that clang left behind would otherwise keep it open.
    pub fn end(&self) {
        let _ = (&self.writer).write_all(&[END]);
    }
}
