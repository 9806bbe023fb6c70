//! Translation units: what a call of the driver compiles, and what an object that comes out of it carries.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::frame::{Frame, Kind};
use crate::jobs::{Duty, Job};
use crate::{paths, rewrite};

const BITCODE_MAGIC: &[u8] = b"BC\xc0\xde";

/// A source file on its way to an object.
#[derive(Debug)]
pub struct Unit {
    /// The commands, each reading what the one before has written.
    chain: Vec<Job>,
}

/// What was made for a unit.
#[derive(Debug)]
pub struct Made {
    /// The source, as it was named.
    pub source: String,
    /// Bitcode, or what the compiler said that would not make any. Assembler has neither.
    pub bitcode: Option<Result<Vec<u8>, String>>,
}

impl Unit {
    /// The units among the jobs of one call, in their order.
    pub fn among(jobs: &[Job]) -> Vec<Self> {
        let mut units: Vec<Self> = Vec::new();
        for job in jobs {
            let continued = units.iter_mut().find(|unit| unit.output().is_some() && unit.output() == job.input());
            match (job.duty(), continued) {
                (Duty::Link, _) => {}
                (_, Some(unit)) => unit.chain.push(job.clone()),
                (_, None) => units.push(Self { chain: vec![job.clone()] }),
            }
        }
        // Precompiled headers, preprocessor output and the like are no objects.
        units.retain(|unit| matches!(unit.last().map(Job::duty), Some(Duty::Compile | Duty::Assemble)));
        units
    }

    /// The unit that one job compiles.
    pub fn of(job: Job) -> Self {
        Self { chain: vec![job] }
    }

    /// True if this job alone compiles the unit.
    pub fn is(&self, job: &Job) -> bool {
        self.chain.as_slice() == [job.clone()]
    }

    fn last(&self) -> Option<&Job> {
        self.chain.last()
    }

    /// The object.
    pub fn output(&self) -> Option<&OsStr> {
        self.last().and_then(Job::output)
    }

    /// The source.
    pub fn source(&self) -> &OsStr {
        self.chain.first().and_then(Job::input).unwrap_or_default()
    }

    /// Makes the bitcode.
    pub fn make(&self, standard_input: &[u8]) -> Made {
        let source = paths::text(self.source());
        let compile = match self.chain.as_slice() {
            [job] if job.duty() == Duty::Compile => job,
            _ => return Made { source, bitcode: None },
        };
        let output = run(&compile.program, &rewrite::to_bitcode(compile), standard_input);
        // Options for the front end (`-Xclang -ast-dump`) can make it do something else altogether.
        let bitcode = output.and_then(|output| match output.starts_with(BITCODE_MAGIC) {
            true => Ok(output),
            false => Err("the compiler wrote something that is not bitcode".to_owned()),
        });
        Made { source, bitcode: Some(bitcode) }
    }

    /// Makes the object once more. That is for objects without bitcode that the native compilation passes to the linker
    /// and then deletes.
    pub fn make_object(&self, standard_input: &[u8]) -> Result<Vec<u8>, String> {
        let mut bytes = standard_input.to_vec();
        for (index, job) in self.chain.iter().enumerate() {
            let mut arguments = job.arguments.clone();
            if let Some(output) = arguments.iter().rposition(|argument| argument == "-o").map(|at| at + 1) {
                arguments.get_mut(output).into_iter().for_each(|name| *name = "-".into());
            }
            if index > 0 {
                arguments.last_mut().into_iter().for_each(|input| *input = "-".into());
            }
            bytes = run(&job.program, &arguments, &bytes)?;
        }
        Ok(bytes)
    }
}

impl Made {
    /// What the object carries; `object` is itself.
    pub fn frame<'a>(&'a self, object: &'a [u8]) -> Frame<'a> {
        let (kind, payload) = match &self.bitcode {
            Some(Ok(bitcode)) => (Kind::Bitcode, bitcode.as_slice()),
            _ => (Kind::Object, object),
        };
        Frame { kind, name: self.source.clone(), payload }
    }
}

/// Makes the bitcode of several units at the same time.
pub fn make_all(units: &[Unit], standard_input: &[u8]) -> Vec<Made> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
    let waiting = Mutex::new(units.iter().enumerate());
    let next = || waiting.lock().ok().and_then(|mut waiting| waiting.next());
    let work = || {
        let mut made = Vec::new();
        while let Some((index, unit)) = next() {
            made.push((index, unit.make(standard_input)));
        }
        made
    };
    let mut made: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, made)| made).collect()
}

/// Runs a command and returns what it wrote to its standard output, or else to its standard error.
fn run(program: &OsStr, arguments: &[OsString], input: &[u8]) -> Result<Vec<u8>, String> {
    let reads_input = arguments.last().is_some_and(|last| last == "-");
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if reads_input { Stdio::piped() } else { Stdio::null() });
    let cannot = |error: std::io::Error| format!("{}: {error}", Path::new(program).display());
    let mut child = command.spawn().map_err(cannot)?;
    let pipe = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A compiler that gives up early does not read all; its own message says why.
        scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    });
    let output = output.map_err(cannot)?;
    if output.status.success() && !output.stdout.is_empty() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(arguments: &str) -> Job {
        Job { program: "clang".into(), arguments: arguments.split(' ').map(OsString::from).collect() }
    }

    #[test]
    fn chains_of_jobs_are_units() {
        let jobs = [
            job("-cc1 -emit-obj -o /tmp/a.o -x c a.c"),
            job("-cc1 -E -o /tmp/b.s -x assembler-with-cpp b.S"),
            job("-cc1as -filetype obj -o /tmp/b.o /tmp/b.s"),
            job("-cc1 -emit-pch -o h.h.pch -x c-header h.h"),
            job("-pie -o prog /tmp/a.o /tmp/b.o"),
        ];
        let units = Unit::among(&jobs);
        let sources: Vec<_> = units.iter().map(|unit| (unit.source(), unit.output().unwrap())).collect();
        let expected = [("a.c", "/tmp/a.o"), ("b.S", "/tmp/b.o")].map(|(a, b)| (OsStr::new(a), OsStr::new(b)));
        assert_eq!(sources, expected);
    }
}
