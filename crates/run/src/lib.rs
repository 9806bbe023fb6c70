//! Starts programs under limits and leaves nothing behind.
//!
//! [`execute`] runs any program, [`Server`] runs one again and again, [`concolic`] runs a concolic view and gives its trace. Whatever the program does
//! (hang, fork, ignore signals, leave its process group, close its descriptors, die), the call comes back within
//! the limits, and every process that the program started is gone by then.

mod capture;
mod channel;
mod concolic;
mod input;
mod inputs;
mod lasting;
mod limits;
mod process;
mod scratch;
mod server;
mod supervisor;
mod surroundings;
mod tree;

pub use self::capture::Captured;
pub use self::channel::Channel;
pub use self::concolic::{Outcome, Request, concolic, concolic_on};
pub use self::input::{Input, Part, Source};
pub use self::inputs::{Inputs, LARGEST_INPUT, PLACEHOLDER, with_files};
pub use self::limits::Limits;
pub use self::process::{Command, Finished, Output, Status, execute, undisturbed};
pub use self::scratch::Scratch;
pub use self::server::{Served, Server};
pub use self::surroundings::Surroundings;

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
    #[error("an input file is given, but no argument contains {} to say where its name goes", placeholder(*.number, *.files))]
    NoPlaceholder {
        /// Which of the files, from 1.
        number: usize,
        /// How many there are.
        files: usize,
    },
    /// Something that cannot be an input.
    #[error("{path} {what}: give a file with the bytes that the program is to read, of at most 64 MiB")]
    Unsuitable {
        /// Its path.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// An argument is to be input that is not there.
    #[error("argument {number} is to be input, but the program gets only {given}")]
    NoArgument {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        given: usize,
    },
    /// An argument is to be input and names the input file.
    #[error("argument {number} contains {PLACEHOLDER}: it is the name of a file and cannot be input itself")]
    ArgumentIsFile {
        /// Its number, from 1.
        number: usize,
    },
    /// There is no room for copies of the inputs, or no folder.
    #[error("cannot copy the input to {}: {source}; TMPDIR says where temporary files go", .folder.display())]
    Copy {
        /// The folder for temporary files.
        folder: std::path::PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
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

fn placeholder(number: usize, files: usize) -> String {
    if files > 1 { format!("{PLACEHOLDER}{number}") } else { PLACEHOLDER.to_owned() }
}
