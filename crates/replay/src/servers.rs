//! Fork servers of a view, kept for the next run.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use run::{Captured, Command, Finished, Limits, Served, Server, Surroundings};

use crate::Error;
use crate::input::Input;
use crate::layout::{Argument, Contents};
use crate::stage::Stage;

/// How long a server may take to get ready: it is started once for many runs, which may be allowed much less.
const START: Duration = Duration::from_secs(10);

/// Servers that are kept while nobody uses them: each of them is a process that waits.
const MOST_IDLE: usize = 16;

/// Fork servers that nobody uses at the moment. There are as many as runs go on at a time, for each way of starting the program that
/// a server cannot change.
pub(crate) struct Servers {
    checks: u32,
    /// Whether a process may do more than one run.
    reuse: bool,
    idle: Mutex<Vec<Idle>>,
    /// Whether the view has said that it does not serve.
    refused: AtomicBool,
}

/// A server, where it runs, and what it was started with.
struct Idle {
    stage: Stage,
    server: Server,
    args: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
}

/// A run that somebody wants.
pub(crate) struct Wanted<'a, C> {
    pub(crate) input: &'a Input,
    /// A bit for each check that is not to be reported.
    pub(crate) silent: &'a [u8],
    /// What is started on a stage.
    pub(crate) command: C,
    /// How many arguments that has.
    pub(crate) arguments: usize,
    pub(crate) surroundings: &'a Surroundings,
}

impl Servers {
    pub(crate) fn new(checks: u32, reuse: bool) -> Servers {
        Servers { checks, reuse, idle: Mutex::default(), refused: AtomicBool::new(false) }
    }

    /// Runs an input; nothing if that cannot be done here.
    pub(crate) fn run<C: Fn(&Stage) -> Result<Command, Error>>(
        &self,
        wanted: &Wanted<'_, C>,
        limits: &Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<(Finished, Contents)>, Error> {
        if self.refused.load(Ordering::Relaxed) {
            return Ok(None);
        }
        // What an earlier run did to the folder can make it useless.
        let ready = self.take(wanted).and_then(|idle| self.renewed(idle, wanted).ok().flatten());
        let mut idle = match ready {
            Some(ready) => ready,
            None => {
                let Some(started) = self.start(wanted, limits, interrupt)? else {
                    self.refused.store(!interrupt.load(Ordering::Relaxed), Ordering::Relaxed);
                    return Ok(None);
                };
                started
            }
        };
        let Served { status, is_ready, wall, peak_memory } = idle.server.run(limits, self.reuse, interrupt);
        let contents = idle.stage.report.finish().map_err(Error::prepare)?;
        if is_ready {
            self.keep(idle);
        }
        let finished = Finished { status, wall, peak_memory, stdout: Captured::default(), stderr: Captured::default() };
        Ok(Some((finished, contents)))
    }

    /// A server that can do a run, as far as can be seen.
    fn take<C>(&self, wanted: &Wanted<'_, C>) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let Surroundings { variables, folder } = wanted.surroundings;
        let fits = |idle: &Idle| {
            idle.stage.fits(wanted.input)
                && idle.args.len() == wanted.arguments
                && idle.variables == *variables
                && idle.server.has_folder() == folder.is_some()
        };
        let place = idle.iter().rposition(fits)?;
        Some(idle.remove(place))
    }

    /// Gets a server ready for a run, if it can do it.
    fn renewed<C: Fn(&Stage) -> Result<Command, Error>>(
        &self,
        mut idle: Idle,
        wanted: &Wanted<'_, C>,
    ) -> Result<Option<Idle>, Error> {
        idle.stage.rename(wanted.input).map_err(Error::prepare)?;
        let args = (1..).zip((wanted.command)(&idle.stage)?.args).zip(&idle.args);
        let args: Vec<Argument> = args.filter(|((_, arg), known)| arg != *known).map(|(arg, _)| arg).collect();
        // A process that does more than one run is given its arguments once.
        if (self.reuse && !args.is_empty()) || !idle.stage.report.has_room(wanted.input, &args) {
            return Ok(None);
        }
        idle.stage.set(wanted.input, wanted.silent, &args).map_err(Error::prepare)?;
        idle.server.renew(wanted.surroundings)?;
        Ok(Some(idle))
    }

    fn start<C: Fn(&Stage) -> Result<Command, Error>>(
        &self,
        wanted: &Wanted<'_, C>,
        limits: &Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<Idle>, Error> {
        let mut stage = Stage::new(self.checks, wanted.input).map_err(Error::prepare)?;
        stage.set(wanted.input, wanted.silent, &[]).map_err(Error::prepare)?;
        let patient = Limits { time: START, ..limits.clone() };
        let command = (wanted.command)(&stage)?;
        let server = Server::start(&command, &patient, interrupt)?;
        let (args, variables) = (command.args, wanted.surroundings.variables.clone());
        Ok(server.map(|server| Idle { stage, server, args, variables }))
    }

    fn keep(&self, used: Idle) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(used);
        // The one that nobody wanted for the longest time.
        let too_many = (idle.len() > MOST_IDLE).then(|| idle.remove(0));
        drop(idle);
        drop(too_many);
    }
}
