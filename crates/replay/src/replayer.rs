//! Runs inputs in a replay view.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use run::{Command, Finished, Limits, Output, Status, Surroundings};
use trace::sites::SiteTable;

use crate::Error;
use crate::input::{Input, Part, Source};
use crate::layout::{Contents, VARIABLE};
use crate::mapped::mapped;
use crate::outcome::{Coverage, End, Outcome};
use crate::servers::{Servers, Wanted};
use crate::stage::Stage;
use crate::symbols::Symbols;
use crate::texts::texts;
use crate::violations;

/// Longer arguments than this the system does not take.
const LONGEST_ARGUMENT: usize = 128 << 10;

/// What AddressSanitizer is told beyond what the view's runtime tells it. Symbolising would start another process; we do that here.
/// What only people read takes longer than most runs.
const SANITIZER_OPTIONS: &str = "symbolize=0:stack_trace_format='    #%n %p':print_summary=0:color=never";

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// The replay view.
    pub view: PathBuf,
    /// What the program is told that its name is.
    pub name: Option<OsString>,
    /// Its arguments; `@@` stands for the input file.
    pub args: Vec<OsString>,
    /// What it finds around it.
    pub surroundings: Surroundings,
}

/// How it is run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What a run may use.
    pub limits: Limits,
    /// What becomes of the program's output.
    pub output: Output,
    /// Whether a process may do more than one run, in programs that can (harnesses of fuzzers). What one run leaves behind can then change what
    /// another one does.
    pub reuse: bool,
    /// Whether the first run has a server already: where there is seldom but one, it is worth it.
    pub serve_at_once: bool,
    /// Ends a run when it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

/// Runs inputs in a replay view.
pub struct Replayer {
    target: Target,
    settings: Settings,
    sites: Arc<SiteTable>,
    symbols: Arc<Symbols>,
    used: Arc<AtomicBool>,
    servers: Arc<Servers>,
    /// A run that nobody has asked for yet.
    ahead: Mutex<Option<Ahead>>,
}

/// A run that has begun.
struct Ahead {
    input: Input,
    run: JoinHandle<Result<Outcome, Error>>,
}

impl Replayer {
    /// Gets ready to run a view.
    ///
    /// # Errors
    /// If the view cannot be read, or is none.
    pub fn new(target: Target, settings: Settings) -> Result<Replayer, Error> {
        let unreadable = |source| Error::View { path: target.view.clone(), source };
        let bytes = mapped(&target.view).map_err(unreadable)?;
        let sites = Arc::new(SiteTable::of_view(&bytes)?);
        let symbols = Arc::new(Symbols::new(&target.view));
        let servers = Arc::new(Servers::new(sites.checks.len() as u32, settings.reuse));
        Ok(Replayer { target, settings, sites, symbols, used: Arc::default(), servers, ahead: Mutex::default() })
    }

    /// Short texts in the program's constant data: names, keywords, marks of formats.
    ///
    /// # Errors
    /// If the view cannot be read any more.
    pub fn texts(&self) -> Result<Vec<Vec<u8>>, Error> {
        let bytes = mapped(&self.target.view);
        let bytes = bytes.map_err(|source| Error::View { path: self.target.view.clone(), source })?;
        Ok(texts(&bytes))
    }

    /// The same view with other arguments and other surroundings; nothing is read again, and no server is started again that can do runs with
    /// both.
    #[must_use]
    pub fn with(&self, args: Vec<OsString>, surroundings: Surroundings) -> Replayer {
        Replayer {
            target: Target { args, surroundings, ..self.target.clone() },
            settings: self.settings.clone(),
            sites: Arc::clone(&self.sites),
            symbols: Arc::clone(&self.symbols),
            used: Arc::clone(&self.used),
            servers: Arc::clone(&self.servers),
            ahead: Mutex::default(),
        }
    }

    /// The same with runs that may take no longer than this.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Replayer {
        self.settings.limits.time = self.settings.limits.time.min(time);
        self
    }

    /// The checks that stand in the view.
    pub fn sites(&self) -> &SiteTable {
        &self.sites
    }

    /// How long a run may take.
    pub fn longest(&self) -> Duration {
        self.settings.limits.time
    }

    /// Begins to run an input that somebody will ask for, while there is something else to do. Who asks for it first, without checks for
    /// what is often meant, is given what comes of it; it may take as long as any run.
    pub fn begin(&self, input: Input) {
        let other = self.with(self.target.args.clone(), self.target.surroundings.clone());
        let own = input.clone();
        // Where no thread can be had, it is run when it is asked for.
        if let Ok(run) = std::thread::Builder::new().name("ahead".to_owned()).spawn(move || other.replay(&own)) {
            *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) = Some(Ahead { input, run });
        }
    }

    /// What comes of a run that has begun.
    fn begun(&self, input: &Input) -> Option<Result<Outcome, Error>> {
        let ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner).take_if(|ahead| ahead.input == *input)?;
        match ahead.run.join() {
            Ok(outcome) => Some(outcome),
            // The panic has been reported where it happened.
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// Runs an input. Checks for what is often meant are not reported.
    ///
    /// # Errors
    /// If the view cannot be started. Whatever the program does afterwards is no error.
    pub fn replay(&self, input: &Input) -> Result<Outcome, Error> {
        self.replay_armed(input, &[])
    }

    /// The same within this time, if that is less than what the limits say.
    ///
    /// # Errors
    /// As for [`Replayer::replay`].
    pub fn replay_within(&self, input: &Input, time: Duration) -> Result<Outcome, Error> {
        self.replay_armed_within(input, &[], time)
    }

    /// Both of it.
    ///
    /// # Errors
    /// As for [`Replayer::replay`].
    pub fn replay_armed_within(&self, input: &Input, armed: &[u32], time: Duration) -> Result<Outcome, Error> {
        if armed.is_empty()
            && let Some(outcome) = self.begun(input)
        {
            return outcome;
        }
        self.run(input, &self.silent(armed), time)
    }

    /// Runs an input; of the checks for what is often meant, those with these numbers are reported.
    ///
    /// # Errors
    /// As for [`Replayer::replay`].
    pub fn replay_armed(&self, input: &Input, armed: &[u32]) -> Result<Outcome, Error> {
        self.run(input, &self.silent(armed), Duration::MAX)
    }

    fn run(&self, input: &Input, silent: &[u8], time: Duration) -> Result<Outcome, Error> {
        let limits = Limits { time: self.settings.limits.time.min(time), ..self.settings.limits.clone() };
        // One run alone is not worth a server.
        let is_first = !self.used.swap(true, Ordering::Relaxed) && !self.settings.serve_at_once;
        let is_alone = is_first || !self.can_be_served(input);
        let run = || {
            let served = match is_alone {
                true => None,
                false => {
                    let wanted = Wanted {
                        input,
                        silent,
                        command: |stage: &Stage| self.command(stage, input),
                        arguments: self.target.args.len(),
                        surroundings: &self.target.surroundings,
                    };
                    self.servers.run(&wanted, &limits, &self.settings.interrupt)?
                }
            };
            served.map_or_else(|| self.run_alone(input, silent, &limits), Ok)
        };
        let (finished, contents) = run::undisturbed(run, |(finished, _): &(Finished, Contents)| finished.status)?;
        Ok(self.outcome(finished, contents))
    }

    /// A server has the same environment for all of its runs, and nobody reads its output. Arguments it takes as long as the system
    /// would.
    fn can_be_served(&self, input: &Input) -> bool {
        let can_be = |part: &Part| match part.source {
            Source::Variable(_) => false,
            // A process that does more than one run is given its arguments once.
            Source::Argument(_) => {
                !self.settings.reuse && part.bytes.len() < LONGEST_ARGUMENT && !part.bytes.contains(&0)
            }
            _ => true,
        };
        !matches!(self.settings.output, Output::Capture(_)) && input.parts.iter().all(can_be)
    }

    fn run_alone(&self, input: &Input, silent: &[u8], limits: &Limits) -> Result<(Finished, Contents), Error> {
        let mut stage = Stage::new(self.sites.checks.len() as u32, input).map_err(Error::prepare)?;
        stage.set(input, silent, &[]).map_err(Error::prepare)?;
        let finished = run::execute(&self.command(&stage, input)?, limits, &self.settings.interrupt)?;
        let contents = stage.report.finish().map_err(Error::prepare)?;
        Ok((finished, contents))
    }

    fn command(&self, stage: &Stage, input: &Input) -> Result<Command, Error> {
        let mut env: Vec<(OsString, OsString)> =
            input.variables().map(|(name, value)| (name.into(), value.to_owned())).collect();
        env.extend(stage.channels().into_iter().map(|(channel, path)| (channel.variable().into(), path.into())));
        env.push((VARIABLE.into(), stage.report.path().into()));
        env.push(("ASAN_OPTIONS".into(), SANITIZER_OPTIONS.into()));
        Ok(Command {
            program: self.target.view.clone(),
            name: self.target.name.clone(),
            args: run::with_files(&input.arguments(&self.target.args), &stage.files())?,
            stdin: stage.stdin(),
            surroundings: self.target.surroundings.clone(),
            env,
            output: self.settings.output,
            fixed_addresses: true,
        })
    }

    fn outcome(&self, finished: Finished, contents: Contents) -> Outcome {
        let is_own_end = matches!(finished.status, Status::Exited(_) | Status::Signalled(_));
        Outcome {
            violations: violations::read(&contents.records, &self.sites, &self.symbols),
            lost: contents.lost,
            end: if contents.stopped && is_own_end { End::Violation } else { End::Other(finished.status) },
            coverage: Coverage { counters: contents.counters },
            wall: finished.wall,
            peak_memory: finished.peak_memory,
            stdout: finished.stdout,
            stderr: finished.stderr,
        }
    }

    /// A bit for each check that is not to be reported.
    fn silent(&self, armed: &[u32]) -> Vec<u8> {
        let mut bits = vec![0; self.sites.checks.len() / 8 + 1];
        for (number, check) in self.sites.checks.iter().enumerate() {
            if check.often_meant
                && !armed.contains(&(number as u32))
                && let Some(byte) = bits.get_mut(number / 8)
            {
                *byte |= 1 << (number % 8);
            }
        }
        bits
    }
}

impl Drop for Replayer {
    fn drop(&mut self) {
        // Nothing goes on when those are gone who wanted it.
        if let Some(ahead) = self.ahead.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = ahead.run.join();
        }
    }
}
