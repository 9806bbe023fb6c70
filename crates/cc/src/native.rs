//! The native compilation: clang with the user's own arguments.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ExitStatus, Stdio};

use rustix::process::Signal;

use crate::clang::Clang;
use crate::watch::Watch;
use crate::{Error, header};

/// Where clang's messages go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Messages {
    /// To this process's own standard error.
    Passed,
    /// To the caller.
    Kept,
}

/// How clang ended.
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it said, if that is kept.
    pub messages: Vec<u8>,
}

/// A native compilation.
#[derive(Clone, Copy)]
pub struct Native<'a> {
    /// The compiler.
    pub clang: &'a Clang,
    /// The user's arguments.
    pub arguments: &'a [OsString],
    /// Where its messages go.
    pub messages: Messages,
}

impl Native<'_> {
    /// Runs clang, with an input if it is not to read this process's own.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, input: Option<&[u8]>, watch: Option<&Watch>) -> Result<Finished, Error> {
        let mut command = self.clang.command();
        command.args(self.arguments);
        header::make_available(&mut command);
        if input.is_some() {
            command.stdin(Stdio::piped());
        }
        if self.messages == Messages::Kept {
            command.stderr(Stdio::piped());
        }
        if let Some(watch) = watch {
            watch.set_up(&mut command);
        }
        // SAFETY: between fork and exec only prctl is called, which is a plain system call.
        unsafe {
            command.pre_exec(|| {
                // A build that is stopped must not have a compiler left that goes on writing its output.
                rustix::process::set_parent_process_death_signal(Some(Signal::TERM)).map_err(Into::into)
            });
        }
        let failed = |source| Error::Start { program: self.clang.path().to_owned(), source };
        let mut child = command.spawn().map_err(failed)?;
        let pipe = child.stdin.take();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(input.unwrap_or_default())));
            child.wait_with_output()
        });
        let output = output.map_err(failed)?;
        Ok(Finished { status: output.status, messages: output.stderr })
    }
}
