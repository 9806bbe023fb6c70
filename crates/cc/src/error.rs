//! What can go wrong, and what to do about it.

use std::path::PathBuf;

/// What to do about temporary files that cannot be written.
const TMPDIR: &str = "TMPDIR says where temporary files go";

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable clang.
    #[error("clang 19 was not found: install it (Debian package clang-19) or name it in PROVOKE_CLANG")]
    NoClang,
    /// `PROVOKE_CLANG` names something that is no clang 19.
    #[error("PROVOKE_CLANG names {path}, which is not clang 19: {reason}")]
    WrongClang {
        /// What was named.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// There is no room for temporary files, or no folder.
    #[error("cannot write to {}: {source}; {TMPDIR}", .folder.display())]
    Temporary {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Not an ELF file that can be handled.
    #[error("{path} is not a 64-bit little-endian ELF file that Provoke can read: {reason}")]
    NotElf {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something else altogether.
    #[error(
        "{path} is neither a program nor C source: name a program that `provoke cc` built, or a file whose name ends in .c or .cpp"
    )]
    NeitherNor {
        /// The file.
        path: PathBuf,
    },
    /// A file on the way to a program.
    #[error("{path} is {kind}, not a program: link it by `provoke cc` and name what comes out")]
    NotProgram {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The program carries nothing.
    #[error(
        "{path} carries no bitcode: build it with CC=\"provoke cc\" (and CXX=\"provoke c++\"), after a `make clean` if \
         it was built before, and keep the section .provoke.bc if you strip it"
    )]
    NoBitcode {
        /// The program.
        path: PathBuf,
    },
    /// What the program carries was made by another version.
    #[error("{path} was built by another version of Provoke: build it again with `provoke cc`")]
    OtherVersion {
        /// The program.
        path: PathBuf,
    },
    /// What the program carries is damaged.
    #[error("what {path} carries for Provoke is damaged ({reason}): build it again with `provoke cc`")]
    Damaged {
        /// The program.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A libtool wrapper script without its program.
    #[error("{path} is libtool's wrapper script, but its program {missing} is not there: run make first")]
    WrapperWithoutProgram {
        /// The script.
        path: PathBuf,
        /// Where the program should be.
        missing: PathBuf,
    },
    /// A source file that was given in place of a program does not compile or link.
    #[error("{path} {}:\n{output}{}{}", compile_verb(.output), missing_main(.output), no_room(.output))]
    Compile {
        /// The source file.
        path: PathBuf,
        /// What the compiler said.
        output: String,
    },
    /// The linker failed.
    #[error("linking {path} failed:\n{output}{}", main_elsewhere(output))]
    Link {
        /// What was to be linked.
        path: PathBuf,
        /// What the linker said.
        output: String,
    },
}

/// Whether a source file did not compile, or not link, by the compiler's messages.
fn compile_verb(output: &str) -> &'static str {
    if output.contains("linker command failed") { "does not link" } else { "does not compile" }
}

impl Error {
    /// A temporary file or folder could not be made.
    pub fn temporary(source: std::io::Error) -> Error {
        Error::Temporary { folder: std::env::temp_dir(), source }
    }

    /// Whether a source file was not linked because it has functions alone.
    pub fn lacks_main(&self) -> bool {
        matches!(self, Error::Compile { output, .. } if says_no_main(output))
    }
}

fn says_no_main(output: &str) -> bool {
    ["undefined reference to `main'", "undefined symbol: main"].iter().any(|said| output.contains(said))
}

/// What to do where the compiler had no room for what it makes.
fn no_room(output: &str) -> String {
    if output.contains("No space left on device") { format!("\n{TMPDIR}") } else { String::new() }
}

/// What to do about a source file with functions alone.
fn missing_main(output: &str) -> &'static str {
    if says_no_main(output) {
        "\nit has no main function: write one that calls what is to be tried; or add `int main(void) { return 0; }` and name a \
         function with --unit FUNCTION, which is then called with arguments out of the input"
    } else {
        ""
    }
}

/// What to do about a program whose main function came from a library, which is not linked again.
fn main_elsewhere(output: &str) -> &'static str {
    if says_no_main(output) {
        "\nits main function is none of its own, as with -fsanitize=fuzzer: give the source file in place of the program, or name a \
         function with `provoke explore --unit LLVMFuzzerTestOneInput`, which is then called with arguments out of the input"
    } else {
        ""
    }
}
