//! Command lines that can be pasted into a shell.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;

use serde::{Deserialize, Serialize};

/// A command line, quoted for bash, zsh and every shell of POSIX 2024. It contains nothing invisible, so what people see
/// is what they paste.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommandLine(String);

impl CommandLine {
    /// Quotes a program and its arguments.
    pub fn new<A: AsRef<OsStr>>(words: impl IntoIterator<Item = A>) -> CommandLine {
        let mut line = CommandLine::default();
        words.into_iter().for_each(|word| line.push(word));
        line
    }

    /// Adds an argument.
    pub fn push(&mut self, word: impl AsRef<OsStr>) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        quote(word.as_ref().as_bytes(), &mut self.0);
    }

    /// Adds what the shell is to read as the command's standard input.
    pub fn read_from(&mut self, file: impl AsRef<OsStr>) {
        self.0.push_str(" <");
        self.push(file);
    }

    /// The line; empty if nothing is known.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn quote(word: &[u8], line: &mut String) {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "%+,-./:=@_".contains(c);
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && text.chars().all(harmless) => line.push_str(text),
        Ok(text) if !text.chars().any(|c| c == '\'' || crate::escape::is_invisible(c)) => {
            line.push('\'');
            line.push_str(text);
            line.push('\'');
        }
        _ => {
            line.push_str("$'");
            for byte in word {
                match byte {
                    b'\\' | b'\'' => line.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => line.push(char::from(*byte)),
                    // Three octal digits: unlike \x, which takes as many as there are in some shells.
                    _ => line.push_str(&format!("\\{byte:03o}")),
                }
            }
            line.push('\'');
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        let line = CommandLine::new(["provoke", "check", "a b.c", "", "--", "it's", "\x1b[2J", "$HOME"]);
        assert_eq!(line.as_str(), r"provoke check 'a b.c' '' -- $'it\'s' $'\033[2J' '$HOME'");
    }

    #[test]
    fn standard_input_is_named() {
        let mut line = CommandLine::new(["./unpack"]);
        line.read_from("bad input");
        assert_eq!(line.as_str(), "./unpack < 'bad input'");
    }

    proptest! {
        // Each case starts a shell.
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn bash_reads_back_what_was_quoted(
            words in prop::collection::vec(prop::collection::vec(1..=255u8, 0..12), 1..8),
        ) {
            let mut line = CommandLine::new(["printf", "%s\\0"]);
            words.iter().for_each(|word| line.push(OsStr::from_bytes(word)));
            prop_assert!(line.as_str().chars().all(|c| !crate::escape::is_invisible(c)));
            let output = Command::new("bash").arg("-c").arg(line.as_str()).output().unwrap();
            let read: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
            let (last, read) = read.split_last().unwrap();
            prop_assert!(last.is_empty());
            prop_assert_eq!(read, words.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
    }
}
