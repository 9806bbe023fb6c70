//! Fork servers of a view, kept for the next run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use run::{Captured, Command, Finished, Limits, Served, Server, Surroundings};

use crate::Error;
use crate::input::Input;
use crate::layout::Contents;
use crate::stage::Stage;

/// How long a server may take to get ready: it is started once for many runs, which may be allowed much less.
const START: Duration = Duration::from_secs(10);

/// Fork servers that nobody uses at the moment. There are as many as runs go on at a time.
pub(crate) struct Servers {
    checks: u32,
    /// Whether a process may do more than one run.
    reuse: bool,
    idle: Mutex<Vec<(Stage, Server)>>,
    /// Whether the view has said that it does not serve.
    refused: Arc<AtomicBool>,
}

impl Servers {
    pub(crate) fn new(checks: u32, reuse: bool) -> Servers {
        Servers { checks, reuse, idle: Mutex::default(), refused: Arc::default() }
    }

    /// For other arguments of the same view: none yet.
    pub(crate) fn others(&self) -> Servers {
        Servers { checks: self.checks, reuse: self.reuse, idle: Mutex::default(), refused: Arc::clone(&self.refused) }
    }

    /// Runs an input; nothing if that cannot be done here. `command` says what is started on a new stage, and in which surroundings.
    pub(crate) fn run(
        &self,
        input: &Input,
        silent: &[u8],
        (command, surroundings): (impl Fn(&Stage) -> Result<Command, Error>, &Surroundings),
        limits: &Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<(Finished, Contents)>, Error> {
        if self.refused.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let idle = self.take(input);
        // What an earlier run did to the folder can make it useless.
        let renewed = idle.and_then(|(mut stage, server)| {
            stage.set(input, silent).ok()?;
            server.renew(surroundings).ok()?;
            Some((stage, server))
        });
        let (mut stage, mut server) = match renewed {
            Some(ready) => ready,
            None => {
                let mut stage = Stage::new(self.checks, input).map_err(Error::prepare)?;
                stage.set(input, silent).map_err(Error::prepare)?;
                let patient = Limits { time: START, ..limits.clone() };
                let Some(server) = Server::start(&command(&stage)?, &patient, interrupt)? else {
                    self.refused.store(!interrupt.load(Ordering::Relaxed), Ordering::Relaxed);
                    return Ok(None);
                };
                (stage, server)
            }
        };
        let Served { status, is_ready, wall, peak_memory } = server.run(limits, self.reuse, interrupt);
        let contents = stage.report.finish().map_err(Error::prepare)?;
        if is_ready {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((stage, server));
        }
        let finished = Finished { status, wall, peak_memory, stdout: Captured::default(), stderr: Captured::default() };
        Ok(Some((finished, contents)))
    }

    fn take(&self, input: &Input) -> Option<(Stage, Server)> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|(stage, _)| stage.fits(input))?;
        Some(idle.swap_remove(place))
    }
}
