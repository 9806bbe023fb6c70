//! Where the command is run.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub const PROVOKE: &str = env!("CARGO_BIN_EXE_provoke");

/// A folder of its own, with files in it.
pub struct Sandbox(TempDir);

impl Sandbox {
    pub fn with(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        for (name, contents) in files {
            sandbox.put(name, contents);
        }
        sandbox
    }

    pub fn put(&self, name: &str, contents: &str) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command with the words of `line` as its arguments.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(PROVOKE);
        command.args(line.split_whitespace()).current_dir(self.0.path()).env("PROVOKE_SELFCHECK", "1");
        command
    }

    /// Runs the command and expects the exit code. Gives standard output and error.
    pub fn run(&self, line: &str, code: i32) -> (String, String) {
        expect(&self.command(line).output().unwrap(), code)
    }

    /// The report of a command that finds something, as JSON.
    pub fn report(&self, line: &str, code: i32) -> Value {
        let (command, rest) = line.split_once(' ').unwrap();
        self.run(&format!("{command} --report json=report.json {rest}"), code);
        serde_json::from_str(&self.read("report.json")).unwrap()
    }
}

/// Expects the exit code, and gives standard output and error.
pub fn expect(output: &Output, code: i32) -> (String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    (out, err)
}
