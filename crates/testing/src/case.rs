//! A test program and the comments in its head. The first line says what the test is about, the others how it is run.
//!
//! ```text
//! // input: stdin "GIF89a\x00"       what is symbolic: stdin or file, as a C string
//! // args: -d @@                     @@ is the input file
//! // symbolic: lengths argv[1]       what else is: where files end, arguments with their lengths
//! // cflags: -std=c23                added to the flags of every revision
//! // revisions: O0 O2 O3             optimisation levels, if not O0 and O2
//! // status: signal 11               how the program ends, if not with exit code 0
//! // state: running                  how its trace ends, if not "ended"
//! // native: differs                 output and status are not those of the native program
//! // elsewhere: allowed              events outside of this file need no expectation
//! // unseen: 12                      bytes of the input that nobody but code without labels reads, if not 0
//! // limit: time 2                   seconds, or `trace` and bytes
//! // fixme: labels are lost          known to fail, and why; the test fails when it no longer does
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use run::{Limits, Status};
use trace::layout::State;

use crate::expectation::Expectation;

/// A test program.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its source.
    pub path: PathBuf,
    /// Contents for standard input.
    pub stdin: Option<Vec<u8>>,
    /// Contents for the input file.
    pub file: Option<Vec<u8>>,
    /// Arguments.
    pub args: Vec<String>,
    /// Whether the lengths of the inputs are symbolic too.
    pub lengths: bool,
    /// Indices in [`Case::args`] of the arguments that are symbolic.
    pub symbolic_arguments: BTreeSet<usize>,
    /// Flags for the compiler.
    pub cflags: Vec<String>,
    /// Optimisation levels.
    pub revisions: Vec<String>,
    /// How the view ends.
    pub status: Status,
    /// How the trace ends.
    pub state: State,
    /// Whether the native program must do the same.
    pub same_as_native: bool,
    /// Whether events in other files are of no interest.
    pub elsewhere: bool,
    /// Bytes of the input that are read by code without labels.
    pub unseen: u64,
    /// Why the test is known to fail.
    pub fixme: Option<String>,
    /// Limits of the view's run.
    pub limits: Limits,
    /// What is to be seen.
    pub expectations: Vec<Expectation>,
}

impl Case {
    /// Reads a test program.
    pub fn read(path: &Path) -> Result<Case> {
        let source = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Case::parse(path, &source).with_context(|| format!("in the head of {}", path.display()))
    }

    fn parse(path: &Path, source: &str) -> Result<Case> {
        let limits = Limits { time: Duration::from_secs(30), trace: 256 << 20, ..Limits::default() };
        let mut case = Case {
            path: path.to_owned(),
            stdin: None,
            file: None,
            args: Vec::new(),
            lengths: false,
            symbolic_arguments: BTreeSet::new(),
            cflags: Vec::new(),
            revisions: vec!["O0".to_owned(), "O2".to_owned()],
            status: Status::Exited(0),
            state: State::Ended,
            same_as_native: true,
            elsewhere: false,
            unseen: 0,
            fixme: None,
            limits,
            expectations: Vec::new(),
        };
        for line in source.lines().take_while(|line| line.starts_with("//")).skip(1) {
            if let Some((key, value)) = line.trim_start_matches('/').split_once(':') {
                case.set(key.trim(), value.trim())?;
            }
        }
        let lines = (1..).zip(source.lines());
        case.expectations = lines.flat_map(|(number, line)| Expectation::of_line(number, line)).collect();
        Ok(case)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let words = || value.split_whitespace().map(str::to_owned).collect();
        match (key, value) {
            ("input", _) => match value.split_once(' ') {
                Some(("stdin", text)) => self.stdin = Some(c_string(text)?),
                Some(("file", text)) => self.file = Some(c_string(text)?),
                _ => bail!("an input is stdin or file and a string, not {value}"),
            },
            ("args", _) => self.args = words(),
            ("symbolic", _) => value.split_whitespace().try_for_each(|what| self.set_symbolic(what))?,
            ("cflags", _) => self.cflags = words(),
            ("revisions", _) => self.revisions = words(),
            ("status", _) => self.status = status(value)?,
            ("state", "running") => self.state = State::Running,
            ("state", "cap-reached") => self.state = State::CapReached,
            ("state", "replaced") => self.state = State::Replaced,
            ("state", "unclaimed") => self.state = State::Unclaimed,
            ("native", "differs") => self.same_as_native = false,
            ("elsewhere", "allowed") => self.elsewhere = true,
            ("unseen", _) => self.unseen = value.parse()?,
            ("fixme", _) => self.fixme = Some(value.to_owned()),
            ("limit", _) => match value.split_once(' ') {
                Some(("time", seconds)) => self.limits.time = Duration::from_secs(seconds.parse()?),
                Some(("trace", bytes)) => self.limits.trace = bytes.parse()?,
                _ => bail!("a limit is time or trace and a number, not {value}"),
            },
            _ => bail!("{key}: {value} is not known (a colon in a comment of the head makes it a key)"),
        }
        Ok(())
    }

    fn set_symbolic(&mut self, what: &str) -> Result<()> {
        let argument = what.strip_prefix("argv[").and_then(|rest| rest.strip_suffix(']'));
        match (what, argument) {
            ("lengths", _) => self.lengths = true,
            (_, Some(index)) => {
                let index: usize = index.parse()?;
                self.symbolic_arguments.insert(index.checked_sub(1).context("argv[0] is no argument")?);
            }
            _ => bail!("symbolic are `lengths` and `argv[N]`, not {what}"),
        }
        Ok(())
    }
}

fn status(text: &str) -> Result<Status> {
    Ok(match text.split_once(' ') {
        Some(("exit", code)) => Status::Exited(code.parse()?),
        Some(("signal", number)) => Status::Signalled(number.parse()?),
        None if text == "timeout" => Status::TimedOut,
        None if text == "too-many-processes" => Status::TooManyProcesses,
        _ => bail!("a status is `exit N`, `signal N`, `timeout` or `too-many-processes`, not {text}"),
    })
}

/// The bytes of a C string, and of `"…" * N` its N-fold repetition.
pub fn c_string(text: &str) -> Result<Vec<u8>> {
    let (text, times) = match text.rsplit_once("\" * ") {
        Some((text, times)) => (format!("{text}\""), times.trim().parse()?),
        None => (text.to_owned(), 1),
    };
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inner = inner.ok_or_else(|| anyhow!("{text} is not in quotes"))?;
    let mut bytes = Vec::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match chars.next() {
            Some('n') => b'\n',
            Some('t') => b'\t',
            Some('0') => 0,
            Some('\\') => b'\\',
            Some('"') => b'"',
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).with_context(|| format!("\\x{digits} in {text}"))?
            }
            other => bail!("unknown escape {other:?} in {text}"),
        });
    }
    Ok(bytes.repeat(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_says_how_to_run_it() {
        let source = "// Loops.\n// input: file \"a\\x00\\n\" * 2\n// args: -d @@\n// status: signal 11\n// limit: trace 4096\n\
            #include <x>\nint main() { //~ branch\n}";
        let case = Case::parse(Path::new("a.c"), source).unwrap();
        assert_eq!(case.file.as_deref(), Some(b"a\0\na\0\n".as_slice()));
        assert_eq!(case.args, ["-d", "@@"]);
        assert_eq!(case.status, Status::Signalled(11));
        assert_eq!(case.limits.trace, 4096);
        assert_eq!(case.expectations.len(), 1);
        assert_eq!(case.expectations[0].line, 7);
    }

    #[test]
    fn mistakes_are_said() {
        for head in ["inptu: stdin \"\"", "input: stdin a", "status: dead", "input: stdin \"\\q\""] {
            assert!(Case::parse(Path::new("a.c"), &format!("// About\n// {head}")).is_err(), "{head}");
        }
    }
}
