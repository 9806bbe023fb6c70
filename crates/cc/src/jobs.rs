//! What clang would do, told by itself.
//!
//! `clang -###` prints the commands that it would run, every word quoted. So whatever options, input languages and
//! defaults clang knows, nobody has to know them here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Stdio;

use crate::clang::Clang;

/// A command that clang would run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// What a job does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// From a source file (or LLVM IR) to an object.
    Compile,
    /// From a source file to something that is no object.
    Preprocess,
    /// From assembler to an object.
    Assemble,
    /// Anything else, which is linking unless a whole toolchain is unusual.
    Link,
}

impl Job {
    /// What the job does.
    pub fn duty(&self) -> Duty {
        match self.arguments.first().map(|first| first.as_bytes()) {
            Some(b"-cc1") if self.arguments.iter().any(|argument| argument == "-emit-obj") => Duty::Compile,
            Some(b"-cc1") => Duty::Preprocess,
            Some(b"-cc1as") => Duty::Assemble,
            _ => Duty::Link,
        }
    }

    /// The value of the last `-o`.
    pub fn output(&self) -> Option<&OsStr> {
        let at = self.arguments.iter().rposition(|argument| argument == "-o")?;
        self.arguments.get(at + 1).map(OsString::as_os_str)
    }

    /// The input of a job that is not the link: clang names it last.
    pub fn input(&self) -> Option<&OsStr> {
        self.arguments.last().map(OsString::as_os_str)
    }
}

/// Asks clang what it would do with these arguments.
///
/// Nothing comes back if it would refuse them: then clang itself, run with them, says why.
pub fn ask(clang: &Clang, arguments: &[OsString]) -> Vec<Job> {
    let mut command = clang.command();
    command.arg("-###").args(arguments).stdin(Stdio::null());
    crate::header::make_available(&mut command);
    match command.output() {
        Ok(output) if output.status.success() => parse(&output.stderr),
        _ => Vec::new(),
    }
}

/// Reads what `clang -###` prints: jobs stand on lines that start with ` "`, between remarks.
fn parse(output: &[u8]) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut rest = output;
    while !rest.is_empty() {
        if rest.starts_with(b" \"") {
            let (words, after) = quoted_words(rest);
            let mut words = words.into_iter();
            jobs.extend(words.next().map(|program| Job { program, arguments: words.collect() }));
            rest = after;
        }
        let line = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
        rest = rest.get(line..).unwrap_or_default();
    }
    jobs
}

/// The words up to the end of the line; line ends within quotes belong to the word.
fn quoted_words(bytes: &[u8]) -> (Vec<OsString>, &[u8]) {
    let mut words = Vec::new();
    let mut rest = bytes;
    while let Some(start) = rest.strip_prefix(b" \"") {
        let mut word = Vec::new();
        let mut letters = start.iter().copied().enumerate();
        let mut end = start.len();
        while let Some((at, byte)) = letters.next() {
            match byte {
                b'\\' => word.extend(letters.next().map(|(_, escaped)| escaped)),
                b'"' => {
                    end = at + 1;
                    break;
                }
                other => word.push(other),
            }
        }
        words.push(OsString::from_vec(word));
        rest = start.get(end..).unwrap_or_default();
    }
    (words, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_found_between_remarks() {
        let text = b"Debian clang version 19.1.7\nTarget: x\n (in-process)\n \"/c\" \"-cc1\" \"-emit-obj\" \"-DA=\\\"\\$x\\\\\n\\\"\" \
                     \"-o\" \"a.o\" \"-x\" \"c\" \"a b.c\"\nclang: warning: \"hm\"\n \"/ld\" \"-o\" \"p\" \"\" \"a.o\"\n";
        let jobs = parse(text);
        assert_eq!(jobs.len(), 2);
        assert_eq!(jobs[0].duty(), Duty::Compile);
        assert_eq!(jobs[0].arguments[2], "-DA=\"$x\\\n\"");
        assert_eq!(jobs[0].input().unwrap(), "a b.c");
        assert_eq!(jobs[0].output().unwrap(), "a.o");
        assert_eq!(jobs[1].duty(), Duty::Link);
        assert_eq!(jobs[1].arguments, ["-o", "p", "", "a.o"].map(OsString::from));
    }

    #[test]
    fn unfinished_output_is_no_reason_to_stop() {
        assert_eq!(parse(b" \"a\" \"b\\")[0].arguments, ["b"].map(OsString::from));
        assert_eq!(parse(b" \""), [Job { program: OsString::new(), arguments: Vec::new() }]);
    }
}
