//! Runs a program and its concolic view on the same input and compares what they do.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use run::{Captured, Inputs, Limits, Output, PLACEHOLDER, Request, Status};
use trace::reader::Trace;
use trace::sites::SiteTable;

use crate::observe;

/// Bytes of each output stream that are compared.
const KEPT: usize = 64 << 20;

/// A program, its view, and what they are run with.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The native program.
    pub native: PathBuf,
    /// Its concolic view.
    pub view: PathBuf,
    /// Arguments of both.
    pub args: Vec<OsString>,
    /// Inputs of both.
    pub inputs: Inputs,
    /// Limits of both.
    pub limits: Limits,
}

/// What the view did.
#[derive(Debug)]
pub struct Traced {
    /// How it ended.
    pub status: Status,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// Its trace.
    pub trace: Trace,
    /// Its sites.
    pub sites: SiteTable,
}

impl Pair {
    /// Runs the view under self-check.
    pub fn traced(&self) -> Result<Traced> {
        let request = Request {
            view: self.view.clone(),
            name: Some(self.native.clone().into()),
            args: self.args.clone(),
            inputs: self.inputs.clone(),
            surroundings: run::Surroundings::default(),
            limits: self.limits.clone(),
            output: Output::Capture(KEPT),
            selfcheck: true,
            memory: trace::reader::Memory::Precise,
        };
        let outcome = run::concolic(&request, &AtomicBool::new(false)).context("cannot run the view")?;
        let elf = std::fs::read(&self.view).context("cannot read the view")?;
        let sites = SiteTable::of_view(&elf).context("cannot read the sites of the view")?;
        let (stdout, stderr) = (outcome.stdout, outcome.stderr);
        Ok(Traced { status: outcome.status, stdout, stderr, trace: outcome.trace, sites })
    }

    /// Runs the native program, and says in which way the view behaved differently.
    pub fn differences(&self, traced: &Traced) -> Result<Vec<String>> {
        let finished = self.native()?;
        let mut differences = Vec::new();
        if finished.status != traced.status {
            differences.push(format!("the program ends with {:?}, its view with {:?}", finished.status, traced.status));
        }
        let streams = [("output", finished.stdout, &traced.stdout), ("error", finished.stderr, &traced.stderr)];
        for (name, native, view) in streams {
            if self.anonymous(&native.bytes) != self.anonymous(&view.bytes) || native.dropped != view.dropped {
                differences.push(format!(
                    "standard {name} differs\n--- native\n{}\n--- view\n{}",
                    excerpt(&native.bytes),
                    excerpt(&view.bytes)
                ));
            }
        }
        Ok(differences)
    }

    /// Everything that is wrong whatever the program is: differences, mismatches, damage of the trace.
    pub fn problems(&self, traced: &Traced) -> Result<Vec<String>> {
        let mut problems = self.differences(traced)?;
        problems.extend(observe::mismatches(&traced.trace, &traced.sites));
        problems.extend(traced.trace.notes().iter().map(|note| format!("the trace is damaged: {note}")));
        Ok(problems)
    }

    fn native(&self) -> Result<run::Finished> {
        let file = self.inputs.files.first().map(|file| file.as_os_str().to_string_lossy().into_owned());
        let args = self.args.iter().map(|arg| match (&file, arg.to_str()) {
            (Some(file), Some(arg)) => arg.replace(PLACEHOLDER, file).into(),
            _ => arg.clone(),
        });
        let command = run::Command {
            program: self.native.clone(),
            args: args.collect(),
            stdin: self.inputs.stdin.clone(),
            output: Output::Capture(KEPT),
            fixed_addresses: true,
            ..run::Command::default()
        };
        run::execute(&command, &self.limits, &AtomicBool::new(false)).context("cannot run the native program")
    }

    /// Output without the folder of the input file, which is a private copy in a traced run.
    fn anonymous(&self, bytes: &[u8]) -> Vec<u8> {
        let Some(name) = self.inputs.files.first().and_then(|file| file.file_name()) else { return bytes.to_vec() };
        let name = name.to_string_lossy();
        let text = String::from_utf8_lossy(bytes);
        let mut clean = String::with_capacity(text.len());
        let mut rest = text.as_ref();
        while let Some(at) = rest.find(&*name) {
            let before = rest.get(..at).unwrap_or_default();
            let start = before.rfind(|c: char| c.is_whitespace() || "\"'`(".contains(c)).map_or(0, |space| space + 1);
            let path = before.get(start..).unwrap_or_default();
            clean.push_str(if path.starts_with('/') { before.get(..start).unwrap_or_default() } else { before });
            clean.push_str(&name);
            rest = rest.get(at + name.len()..).unwrap_or_default();
        }
        clean.push_str(rest);
        clean.into_bytes()
    }
}

/// The start of an output, for a message.
fn excerpt(bytes: &[u8]) -> String {
    let shown = bytes.get(..bytes.len().min(2000)).unwrap_or_default();
    String::from_utf8_lossy(shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_input_makes_no_difference() {
        let pair = Pair {
            native: PathBuf::new(),
            view: PathBuf::new(),
            args: Vec::new(),
            inputs: Inputs { files: vec!["/a/b/in.gz".into()], ..Inputs::default() },
            limits: Limits::default(),
        };
        let clean = |text: &str| String::from_utf8(pair.anonymous(text.as_bytes())).unwrap();
        assert_eq!(clean("prog: /tmp/x/in.gz: bad\n/q/in.gz"), "prog: in.gz: bad\nin.gz");
        assert_eq!(clean("no file here, in.gz is one"), "no file here, in.gz is one");
    }
}
