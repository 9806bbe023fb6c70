//! What is done beside the native compilation: finding out what it does, and making bitcode of the same.
//!
//! Usually the native clang is watched. That is not possible before it runs, nor with options that split a compilation
//! into steps; then another clang is asked what it would do.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::thread::{Scope, ScopedJoinHandle};

use crate::clang::Clang;
use crate::jobs::{self, Duty, Job};
use crate::native::{Finished, Native};
use crate::unit::{self, Made, Unit};
use crate::watch::Watch;
use crate::{Error, arguments};

/// What one call of the driver makes.
#[derive(Default)]
pub struct Work {
    /// What it compiles.
    pub units: Vec<Unit>,
    /// What was made for each of the units.
    pub made: Vec<Made>,
    /// What it links.
    pub link: Option<Job>,
    /// What it was given on standard input.
    pub input: Vec<u8>,
}

/// The jobs of a watched clang, with what was made for them.
type Seen = Vec<(Job, Option<Made>)>;

/// False for `/dev/null` and other things that sections can't be added to.
pub fn may_become_file(path: &Path) -> bool {
    path != "-" && path.metadata().map_or(true, |metadata| metadata.is_file())
}

impl Work {
    /// Runs the native compilation, and does the work beside it.
    ///
    /// # Errors
    /// If clang cannot be started.
    pub fn beside(native: Native<'_>, arguments: &[OsString]) -> Result<(Finished, Self), Error> {
        if arguments::may_read_stdin(arguments) {
            return Self::with_input(native, arguments);
        }
        let watch = if arguments::can_be_watched(arguments) { Watch::new() } else { None };
        match watch {
            Some(watch) => {
                let (finished, seen) = watched(native, &watch)?;
                // clang passes a command line that is too long as a file, which is gone by now.
                if seen.iter().any(|(job, _)| job.is_cut_short()) {
                    return Ok((finished, Self::planned(native.clang, arguments)));
                }
                Ok((finished, Self::of_watched(seen)))
            }
            None => std::thread::scope(|scope| {
                let planned = scope.spawn(|| Self::planned(native.clang, arguments));
                let finished = native.run(None, None)?;
                Ok((finished, planned.join().unwrap_or_default()))
            }),
        }
    }

    /// Standard input can be read only once, so it has to be known beforehand who wants it.
    fn with_input(native: Native<'_>, arguments: &[OsString]) -> Result<(Finished, Self), Error> {
        let mut work = Self::plan(native.clang, arguments);
        let reads_stdin = work.units.iter().any(|unit| unit.source() == "-");
        if reads_stdin {
            let _ = std::io::stdin().read_to_end(&mut work.input);
        }
        let finished = native.run(reads_stdin.then_some(&work.input), None)?;
        work.made = unit::make_all(&work.units, &work.input);
        Ok((finished, work))
    }

    /// Asks clang what it would do.
    fn plan(clang: &Clang, arguments: &[OsString]) -> Self {
        let jobs = jobs::ask(clang, &arguments::in_one_step(arguments));
        Self { units: wanted_units(&jobs), link: link_of(jobs), ..Self::default() }
    }

    fn planned(clang: &Clang, arguments: &[OsString]) -> Self {
        let work = Self::plan(clang, arguments);
        Self { made: unit::make_all(&work.units, &[]), ..work }
    }

    fn of_watched(seen: Seen) -> Self {
        let (jobs, mut made): (Vec<_>, Vec<_>) = seen.into_iter().unzip();
        let mut work = Self::default();
        for unit in wanted_units(&jobs) {
            let place = jobs.iter().position(|job| unit.is(job));
            let found = place.and_then(|place| made.get_mut(place)).and_then(Option::take);
            // What is not compiled by itself has no bitcode, and finding that out takes no time.
            work.made.push(found.unwrap_or_else(|| unit.make(&[])));
            work.units.push(unit);
        }
        Self { link: link_of(jobs), ..work }
    }

    /// What was made for outputs that exist: clang can be kept from writing an object.
    pub fn made_for_outputs(&self) -> impl Iterator<Item = &Made> {
        let is_there = |unit: &Unit| unit.output().is_some_and(|output| Path::new(output).exists());
        let pairs = self.units.iter().zip(&self.made);
        pairs.filter(move |(unit, _)| self.link.is_some() || is_there(unit)).map(|(_, made)| made)
    }
}

fn wanted_units(jobs: &[Job]) -> Vec<Unit> {
    let mut units = Unit::among(jobs);
    units.retain(|unit| unit.output().is_some_and(|output| may_become_file(Path::new(output))));
    units
}

fn link_of(jobs: Vec<Job>) -> Option<Job> {
    jobs.into_iter().find(|job| job.duty() == Duty::Link)
}

/// Runs the native compilation; whenever it starts to compile a unit, starts to make the unit's bitcode. Returns the jobs
/// with what was made for them.
fn watched(native: Native<'_>, watch: &Watch) -> Result<(Finished, Seen), Error> {
    std::thread::scope(|scope| {
        let listener = scope.spawn(move || listen(scope, watch));
        // In this thread, because the child is bound to the life of the thread that starts it.
        let finished = native.run(None, Some(watch));
        watch.end();
        let seen = listener.join().unwrap_or_default().into_iter();
        let seen = seen.map(|(job, maker)| (job, maker.and_then(|maker| maker.join().ok()))).collect();
        Ok((finished?, seen))
    })
}

type Maker<'scope> = ScopedJoinHandle<'scope, Made>;

fn listen<'scope>(scope: &'scope Scope<'scope, '_>, watch: &'scope Watch) -> Vec<(Job, Option<Maker<'scope>>)> {
    let mut seen: Vec<(Job, Option<Maker<'scope>>)> = Vec::new();
    watch.listen(|job| {
        let is_first = !seen.iter().any(|(before, _)| before.output().is_some() && before.output() == job.input());
        let is_wanted = job.output().is_some_and(|output| may_become_file(Path::new(output)));
        let is_unit = job.duty() == Duty::Compile && is_first && is_wanted;
        let maker = is_unit.then(|| {
            let unit = Unit::of(job.clone());
            scope.spawn(move || unit.make(&[]))
        });
        seen.push((job, maker));
    });
    seen
}
