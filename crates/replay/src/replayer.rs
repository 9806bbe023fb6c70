//! Runs inputs in a replay view.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use run::{Command, Limits, Output, Status, Surroundings};
use tempfile::TempDir;
use trace::sites::SiteTable;

use crate::Error;
use crate::input::{Input, Source};
use crate::layout::{Report, VARIABLE};
use crate::outcome::{Coverage, End, Outcome};
use crate::symbols::Symbols;
use crate::violations;

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
    /// Allocations above this many bytes are violations of `alloc-size`; without it, those that no machine has room for.
    pub largest_allocation: Option<u64>,
    /// Ends a run when it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

/// Runs inputs in a replay view.
pub struct Replayer {
    target: Target,
    settings: Settings,
    sites: Arc<SiteTable>,
    symbols: Arc<Symbols>,
}

impl Replayer {
    /// Gets ready to run a view.
    ///
    /// # Errors
    /// If the view cannot be read, or is none.
    pub fn new(target: Target, settings: Settings) -> Result<Replayer, Error> {
        let unreadable = |source| Error::View { path: target.view.clone(), source };
        let bytes = fs::read(&target.view).map_err(unreadable)?;
        let sites = Arc::new(SiteTable::of_view(&bytes)?);
        let symbols = Arc::new(Symbols::new(&target.view));
        Ok(Replayer { target, settings, sites, symbols })
    }

    /// The same view with other arguments and other surroundings; nothing is read again.
    #[must_use]
    pub fn with(&self, args: Vec<OsString>, surroundings: Surroundings) -> Replayer {
        Replayer {
            target: Target { args, surroundings, ..self.target.clone() },
            settings: self.settings.clone(),
            sites: Arc::clone(&self.sites),
            symbols: Arc::clone(&self.symbols),
        }
    }

    /// The checks that stand in the view.
    pub fn sites(&self) -> &SiteTable {
        &self.sites
    }

    /// Runs an input. Checks for what is often meant are not reported.
    ///
    /// # Errors
    /// If the view cannot be started. Whatever the program does afterwards is no error.
    pub fn replay(&self, input: &Input) -> Result<Outcome, Error> {
        self.replay_armed(input, &[])
    }

    /// Runs an input; of the checks for what is often meant, those with these numbers are reported.
    ///
    /// # Errors
    /// As for [`Replayer::replay`].
    pub fn replay_armed(&self, input: &Input, armed: &[u32]) -> Result<Outcome, Error> {
        let copies = Copies::new(input).map_err(|source| Error::Prepare { source })?;
        let report = Report::create(&self.silent(armed), self.sites.checks.len() as u32, input)
            .map_err(|source| Error::Prepare { source })?;
        let mut env: Vec<(OsString, OsString)> =
            input.variables().map(|(name, value)| (name.into(), value.to_owned())).collect();
        env.extend(copies.socket.iter().map(|path| (run::SOCKET_VARIABLE.into(), path.into())));
        env.push((VARIABLE.into(), report.path().into()));
        env.push(("ASAN_OPTIONS".into(), self.sanitizer_options().into()));
        let command = Command {
            program: self.target.view.clone(),
            name: self.target.name.clone(),
            args: run::with_files(&input.arguments(&self.target.args), &copies.files)?,
            stdin: copies.stdin.clone(),
            surroundings: self.target.surroundings.clone(),
            env,
            output: self.settings.output,
            fixed_addresses: true,
        };
        let finished = run::execute(&command, &self.settings.limits, &self.settings.interrupt)?;
        let contents = report.finish().map_err(|source| Error::Prepare { source })?;
        let is_own_end = matches!(finished.status, Status::Exited(_) | Status::Signalled(_));
        Ok(Outcome {
            violations: violations::read(&contents.records, &self.sites, &self.symbols),
            lost: contents.lost,
            end: if contents.stopped && is_own_end { End::Violation } else { End::Other(finished.status) },
            coverage: Coverage { counters: contents.counters },
            wall: finished.wall,
            peak_memory: finished.peak_memory,
            stdout: finished.stdout,
            stderr: finished.stderr,
        })
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

    /// What AddressSanitizer is told beyond what the view's runtime tells it.
    fn sanitizer_options(&self) -> String {
        // Symbolising would start another process; we do that here.
        let mut options = "symbolize=0".to_owned();
        if let Some(bytes) = self.settings.largest_allocation {
            options.push_str(&format!(":max_allocation_size_mb={}", bytes.div_ceil(1 << 20).max(1)));
        }
        options
    }
}

/// Copies of an input that the program can read, and do with what it likes.
struct Copies {
    _folder: Option<TempDir>,
    stdin: Option<PathBuf>,
    files: Vec<PathBuf>,
    socket: Option<PathBuf>,
}

impl Copies {
    fn new(input: &Input) -> io::Result<Copies> {
        let (standard, received) = (input.standard_input(), input.bytes_of(&Source::Socket));
        if standard.is_none() && received.is_none() && input.files().next().is_none() {
            return Ok(Copies { _folder: None, stdin: None, files: Vec::new(), socket: None });
        }
        let folder = TempDir::with_prefix("provoke-")?;
        let stdin = standard.map(|bytes| {
            // In a folder of its own, so that no name is taken.
            let own = folder.path().join("standard-input");
            fs::create_dir(&own)?;
            let path = own.join("stdin");
            fs::write(&path, bytes).map(|()| path)
        });
        let files = input.files().zip(1..).map(|((name, bytes), number)| {
            let own = folder.path().join(format!("file-{number}"));
            fs::create_dir(&own)?;
            let path = own.join(Path::new(name).file_name().unwrap_or("input".as_ref()));
            fs::write(&path, bytes).map(|()| path)
        });
        let files = files.collect::<io::Result<_>>()?;
        let socket = received.map(|bytes| {
            let path = folder.path().join("socket");
            fs::write(&path, bytes).map(|()| path)
        });
        Ok(Copies { stdin: stdin.transpose()?, files, socket: socket.transpose()?, _folder: Some(folder) })
    }
}
