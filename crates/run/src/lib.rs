//! Starts programs under limits and leaves nothing behind.
//!
//! [`execute`] runs any program, [`Server`] runs one again and again, [`concolic`] runs a concolic view and gives its trace. Whatever the program does
//! (hang, fork, ignore signals, leave its process group, close its descriptors, die), the call comes back within
//! the limits, and every process that the program started is gone by then.

mod capture;
mod concolic;
mod inputs;
mod limits;
mod process;
mod server;
mod supervisor;
mod tree;

pub use self::capture::Captured;
pub use self::concolic::{Buffer, Outcome, Request, concolic, concolic_on};
pub use self::inputs::{Inputs, PLACEHOLDER, with_file};
pub use self::limits::Limits;
pub use self::process::{Command, Finished, Output, Status, execute, undisturbed};
pub use self::server::{Served, Server};

/// Why a program could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program did not start.
    #[error("cannot start {program}: {source}")]
    Start {
        /// Its path.
        program: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// An input cannot be read.
    #[error("cannot read the input {path}: {source}")]
    Input {
        /// Its path.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// An argument is `@@`, but there is no input file.
    #[error("an argument contains {PLACEHOLDER}, but no input file is given for it (--file FILE)")]
    NoFile,
    /// There is an input file, but no argument names it.
    #[error("an input file is given, but no argument contains {PLACEHOLDER} to say where its name goes")]
    NoPlaceholder,
    /// Something that a run needs was refused.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The trace is unusable.
    #[error(transparent)]
    Trace(#[from] trace::reader::Error),
}
