//! A test: a way to run the program that somebody wrote down.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use replay::Input;
use run::{Inputs, Surroundings};

/// Hash of everything about a program and how it is checked that what comes of its tests depends on.
pub fn program(pieces: &[&str]) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for piece in pieces {
        hasher.update(&(piece.len() as u64).to_le_bytes()).update(piece.as_bytes());
    }
    hasher.finalize().as_bytes().to_vec()
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Test {
    /// What people call it.
    pub name: String,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// What is its input.
    pub inputs: Inputs,
    /// What the program finds around it.
    pub surroundings: Surroundings,
}

impl Test {
    /// What tells the test from every other one of a program: its name, how the program is started, and what it reads.
    pub fn key(&self, program: &[u8], input: &Input) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        add(program);
        add(self.name.as_bytes());
        add(&(self.args.len() as u64).to_le_bytes());
        self.args.iter().for_each(|arg| add(arg.as_bytes()));
        add(format!("{:?}", self.surroundings).as_bytes());
        self.surroundings.contents(&mut |name, bytes| {
            add(name);
            add(bytes);
        });
        for part in &input.parts {
            add(format!("{:?}", part.source).as_bytes());
            add(&part.bytes);
        }
        hasher.finalize().as_bytes().to_vec()
    }
}
