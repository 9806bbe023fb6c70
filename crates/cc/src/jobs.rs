//! What clang would do, told by itself.
//!
//! `clang -###` prints the commands that it would run, every word quoted, and a clang that is watched (see
//! [`crate::watch`]) prints them when it runs them. So whatever options, input languages and defaults clang knows, nobody
//! has to know them here.

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

    /// True if clang passes the arguments in a file.
    pub fn is_cut_short(&self) -> bool {
        self.arguments.iter().any(|argument| argument.as_bytes().starts_with(b"@"))
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
    let mut text = output.to_vec();
    // The last line may be without an end.
    text.push(b'\n');
    take_complete(&mut text, |job| jobs.push(job));
    jobs
}

/// Takes all lines that are complete from the front of `text`, and calls `take` for each that is a job.
pub fn take_complete(text: &mut Vec<u8>, mut take: impl FnMut(Job)) {
    let mut rest = text.as_slice();
    while let Some((line, after)) = split_line(rest) {
        let mut words = line.into_iter();
        words.next().map(|program| Job { program, arguments: words.collect() }).into_iter().for_each(&mut take);
        rest = after;
    }
    let taken = text.len() - rest.len();
    text.drain(..taken);
}

/// The quoted words of the first line, if it is complete; a remark has none. Line ends within quotes belong to the word.
fn split_line(text: &[u8]) -> Option<(Vec<OsString>, &[u8])> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.strip_prefix(b" \"") {
        let mut word = Vec::new();
        let mut letters = start.iter();
        loop {
            match letters.next()? {
                b'\\' => word.push(*letters.next()?),
                b'"' => break,
                other => word.push(*other),
            }
        }
        words.push(OsString::from_vec(word));
        rest = letters.as_slice();
    }
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some((words, rest.get(end + 1..).unwrap_or_default()))
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
    fn jobs_arrive_in_pieces() {
        let text = b"[Logging clang options]\n \"a\" \"b\\\"\n c\"\n (in-process)\n \"d\"\n \"unfinished";
        for size in 1..text.len() {
            let (mut waiting, mut jobs) = (Vec::new(), Vec::new());
            for piece in text.chunks(size) {
                waiting.extend_from_slice(piece);
                take_complete(&mut waiting, |job| jobs.push(job));
            }
            let expected = [("a", vec!["b\"\n c".into()]), ("d", Vec::new())];
            assert_eq!(jobs, expected.map(|(program, arguments)| Job { program: program.into(), arguments }));
            assert_eq!(waiting, b" \"unfinished");
        }
    }
}
