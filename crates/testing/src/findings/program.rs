//! A program and the comments in its head. The first line says what the program is, the others how it is checked.
//!
//! ```text
//! // input: stdin "GIF89a\x00"       an input on which nothing fails: stdin or file, as a C string; can be repeated for files
//! // args: -d @@                     @@ is the input file, of several @@1, @@2
//! // options: --arg 2 --env X=y      more options for the command
//! // checks: default,truncation      what is switched on, if not the default
//! // spec: f.x: x > 0                a line of the specification file; can be repeated
//! // witness: stdin "GIF89a\xff"     an input that fails: stdin, file, or the name that the program gave it
//! // anywhere: stack-overflow        must be found, on whatever line
//! // paths: 12                       how many paths there are, for `provoke explore`
//! // diverges: reason                some runs must leave the path that `provoke explore` expects of them
//! // fixme: not modelled             known to be missed, and why; the test fails when it no longer is
//! //~ verified                       the path must be called verified; with `verified?` it may be
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use trace::rule::Rule;

use super::expectation::{Expectation, rules};
use crate::case::c_string;

/// A program, and what is to be found in it.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// Its source.
    pub path: PathBuf,
    /// Contents for standard input.
    pub stdin: Option<Vec<u8>>,
    /// What comes out of its sockets.
    pub socket: Option<Vec<u8>>,
    /// The names in folders.
    pub folder: Option<Vec<u8>>,
    /// Contents for the input files.
    pub files: Vec<Vec<u8>>,
    /// Arguments.
    pub args: Vec<String>,
    /// More options for the command.
    pub options: Vec<String>,
    /// What is switched on, if not the default.
    pub checks: Option<String>,
    /// Lines of the specification file.
    pub specification: Vec<String>,
    /// What must be found on whatever line.
    pub anywhere: Vec<Rule>,
    /// How many paths there are.
    pub paths: Option<u64>,
    /// Whether runs leave the path that is expected of them.
    pub diverges: bool,
    /// Why something is known to be missed.
    pub fixme: Option<String>,
    /// Whether the path must be called verified.
    pub verified: bool,
    /// What is to be found on a line.
    pub expectations: Vec<Expectation>,
}

impl Program {
    /// Reads a program.
    pub fn read(path: &Path) -> Result<Program> {
        let source = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Program::parse(path, &source).with_context(|| format!("in {}", path.display()))
    }

    fn parse(path: &Path, source: &str) -> Result<Program> {
        let mut program = Program { path: path.to_owned(), ..Program::default() };
        let head = source.lines().take_while(|line| line.starts_with("//")).count();
        for line in source.lines().take(head).skip(1) {
            program.set(line)?;
        }
        for (number, line) in (1..).zip(source.lines()).skip(head) {
            program.expectations.extend(Expectation::of_line(number, line)?);
        }
        Ok(program)
    }

    fn set(&mut self, line: &str) -> Result<()> {
        match line.trim_end() {
            "//~ verified" => self.verified = true,
            "//~ verified?" => {}
            line => match line.trim_start_matches('/').split_once(':') {
                Some((key, value)) => self.set_key(key.trim(), value.trim())?,
                None => bail!("{line} is not known: the head has one line of text, then keys with a colon"),
            },
        }
        Ok(())
    }

    fn set_key(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "input" => match named_bytes(value)? {
                ("stdin", bytes) => self.stdin = Some(bytes),
                ("file", bytes) => self.files.push(bytes),
                ("socket", bytes) => self.socket = Some(bytes),
                ("folder", bytes) => self.folder = Some(bytes),
                _ => bail!("an input is stdin, socket, folder or file and a string, not {value}"),
            },
            // For people, and for replays; what the command finds is up to the command.
            "witness" => drop(named_bytes(value)?),
            "options" => self.options = value.split_whitespace().map(str::to_owned).collect(),
            "args" => self.args = value.split_whitespace().map(str::to_owned).collect(),
            "checks" => self.checks = Some(value.to_owned()),
            "spec" => self.specification.push(value.to_owned()),
            "anywhere" => self.anywhere.extend(rules(value)?),
            "paths" => self.paths = Some(value.parse().context("the number of paths is a number")?),
            "diverges" => self.diverges = true,
            "fixme" => self.fixme = Some(value.to_owned()),
            _ => bail!("{key}: {value} is not known"),
        }
        Ok(())
    }
}

fn named_bytes(value: &str) -> Result<(&str, Vec<u8>)> {
    let (name, text) = value.split_once(' ').with_context(|| format!("{value} is no name and a string"))?;
    Ok((name, c_string(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_says_how_to_check_it() {
        let source = "// Divides.\n// input: file \"a\\x00\"\n// args: @@\n// checks: all\n// spec: f.x: x > 0\n// witness: file \"b\\x00\"\n\
            // anywhere: stack-overflow\n//~ verified\n#include <x>\nint x = 1 / y; //~ div-by-zero\n";
        let program = Program::parse(Path::new("a.c"), source).unwrap();
        assert_eq!(program.files, [b"a\0".to_vec()]);
        assert_eq!(program.args, ["@@"]);
        assert_eq!(program.checks.as_deref(), Some("all"));
        assert_eq!(program.specification, ["f.x: x > 0"]);
        assert_eq!(program.anywhere, [Rule::StackOverflow]);
        assert!(program.verified);
        assert_eq!(program.expectations, Expectation::of_line(10, "//~ div-by-zero").unwrap());
    }

    #[test]
    fn verified_is_no_must_with_a_question_mark() {
        assert!(!Program::parse(Path::new("a.c"), "// About.\n//~ verified?\n").unwrap().verified);
    }

    #[test]
    fn mistakes_are_said() {
        for head in ["// inptu: stdin \"\"", "// input: stdin a", "// no key", "//~ verifeid", "// witness: \"a\""] {
            assert!(Program::parse(Path::new("a.c"), &format!("// About\n{head}")).is_err(), "{head}");
        }
        assert!(Program::parse(Path::new("a.c"), "// About\nint x; //~ no-such-rule").is_err());
    }
}
