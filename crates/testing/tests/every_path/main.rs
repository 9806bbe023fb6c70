//! Programs whose addresses depend on the input: following one run's branches leads to every path that there is, to each
//! of them once, and to no other.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

mod program;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use run::{Command, Inputs, Limits, Output, Request};
use search::{Aim, Candidate, Checks, Options, expand};
use solver::{Config, Session};
use testing::toolchain::Toolchain;
use trace::sites::SiteTable;

/// Programs that are tried, if `PROVOKE_PROGRAMS` does not say how many.
const PROGRAMS: u64 = 3;
/// More than any of them has.
const MOST_PATHS: usize = 200;

struct Compiled {
    native: PathBuf,
    view: PathBuf,
    sites: SiteTable,
}

fn compile(toolchain: &Toolchain, number: u64, work: &Path) -> Compiled {
    let (source, native, view) = (work.join("program.c"), work.join("program"), work.join("view"));
    std::fs::write(&source, program::program(number)).unwrap();
    let level = if number.is_multiple_of(2) { "-O0" } else { "-O2" };
    toolchain.compile(&source, &[level.to_owned()], &native).unwrap();
    toolchain.view(&native, &view).unwrap();
    let sites = SiteTable::of_view(&std::fs::read(&view).unwrap()).unwrap();
    Compiled { native, view, sites }
}

/// The paths that the inputs take, all of them.
fn existing(compiled: &Compiled) -> BTreeSet<String> {
    let program = compiled.native.clone();
    let command = Command { program, args: vec!["all".into()], output: Output::Capture(1 << 22), ..Command::default() };
    let finished = run::execute(&command, &Limits::default(), &AtomicBool::new(false)).unwrap();
    String::from_utf8(finished.stdout.bytes).unwrap().lines().map(str::to_owned).collect()
}

/// The paths that are found from the run on `input`.
fn explored(compiled: &Compiled, input: [u8; 2], work: &Path) -> BTreeSet<String> {
    let stdin = work.join("input");
    std::fs::write(&stdin, input).unwrap();
    let request = Request {
        view: compiled.view.clone(),
        inputs: Inputs { stdin: Some(stdin), ..Inputs::default() },
        output: Output::Capture(1 << 10),
        selfcheck: true,
        ..Request::default()
    };
    let mut session = Session::new(Config { in_process: true, ..Config::default() }).unwrap();
    let mut paths = BTreeSet::new();
    let mut waiting = vec![(input.to_vec(), 0)];
    while let Some((input, bound)) = waiting.pop() {
        let outcome = run::concolic_on(&request, &run::Input::stdin(input.clone()), &AtomicBool::new(false)).unwrap();
        let base = path::input(&outcome.trace, &outcome.contents);
        assert_eq!(path::selfcheck::selfcheck(&outcome.trace, &base), None);
        let mut path = path::build(&outcome.trace, &compiled.sites, &AtomicBool::new(false)).unwrap();
        assert!(path.record.is_empty(), "{input:?}: {:?}", path.record);
        let taken = String::from_utf8(outcome.stdout.bytes).unwrap().trim_end().to_owned();
        assert!(paths.insert(taken.clone()), "{taken} is found again, by {input:?}");
        assert!(paths.len() < MOST_PATHS);
        let mut found = |candidate: Candidate| {
            if let Aim::Branch { constraint, .. } = candidate.aim {
                waiting.push((candidate.input.parts[0].clone(), constraint + 1));
            }
            ControlFlow::Continue(())
        };
        let options = Options { bound, ..Options::default() };
        let expansion = expand(
            &mut session,
            &mut path,
            Checks::default(),
            Arc::new(base),
            options,
            &mut |_| ControlFlow::Continue(()),
            &mut found,
        );
        assert_eq!(expansion.unknown, 0);
    }
    paths
}

#[test]
fn every_path_is_found_once() {
    let Ok(toolchain) = Toolchain::find() else { panic!("there is no provoke beside the tests: build it first") };
    let programs = std::env::var("PROVOKE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(PROGRAMS);
    for number in 0..programs {
        let work = tempfile::Builder::new().prefix("provoke-paths-").tempdir().unwrap();
        let compiled = compile(&toolchain, number, work.path());
        let explored = explored(&compiled, [number as u8, (number % 4) as u8], work.path());
        assert_eq!(explored, existing(&compiled), "program {number}:\n{}", program::program(number));
    }
}
