//! Queries as files, for benchmarks and bug reports.
//!
//! The text form with, in comments, the answer and the input: `; input NAME HEX` for each part.

use core::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use expr::{Input, Model, Store, Term, print_query};

/// Writes numbered files into a folder.
pub(crate) struct Dump {
    folder: PathBuf,
    count: u64,
}

impl Dump {
    pub(crate) fn new(folder: &Path) -> io::Result<Dump> {
        fs::create_dir_all(folder)?;
        Ok(Dump { folder: folder.to_owned(), count: 0 })
    }

    /// Writes all constraints of a path, in order, for measurements of all its negations.
    pub(crate) fn write_path(&mut self, store: &Store, constraints: &[Term], base: &Model) {
        let name = format!("{}-{:06}.path", std::process::id(), self.count);
        self.save(&name, &query_file(store, constraints, base));
    }

    fn save(&mut self, name: &str, text: &str) {
        self.count += 1;
        if let Err(error) = fs::write(self.folder.join(name), text) {
            eprintln!("provoke: cannot write {name} to {}: {error}", self.folder.display());
        }
    }

    pub(crate) fn write(
        &mut self,
        store: &Store,
        constraints: &[Term],
        goals: &[Term],
        base: &Model,
        verdict: Option<bool>,
    ) {
        let answer = match verdict {
            Some(true) => "sat",
            Some(false) => "unsat",
            None => "unknown",
        };
        let mut text = format!("; {answer}\n");
        text.push_str(&query_file(store, &[constraints, goals].concat(), base));
        // A process number keeps processes that dump into one folder apart.
        let name = format!("{}-{:06}.query", std::process::id(), self.count);
        self.save(&name, &text);
    }
}

/// The text of a query file; the last constraint is the goal.
pub fn query_file(store: &Store, constraints: &[Term], base: &Model) -> String {
    let mut text = String::new();
    for (part, bytes) in base.original().iter().flat_map(|input| input.parts.iter()).enumerate() {
        let _ = write!(text, "; input {} ", store.part_name(part as u32).replace(char::is_whitespace, "_"));
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    text.push_str(&print_query(store, constraints));
    text
}

/// Reads the inputs of a query file, giving the parts the names that it has.
pub fn read_input(store: &mut Store, text: &str) -> Input {
    let mut input = Input::default();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("; input ") else { continue };
        let (name, digits) = rest.split_once(' ').unwrap_or((rest, ""));
        store.set_part_name(input.parts.len() as u32, name);
        let bytes = digits.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok();
        input.parts.push(bytes.map_while(byte).collect());
    }
    input
}
