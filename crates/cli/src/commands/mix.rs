//! `provoke mix FILE.c…|PROG`

mod confirm;
mod drivers;
mod summary;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use cc::bundle::{Program, source_language};
use clap::{Args, ValueEnum};
use confirm::Runs;
use report::{Destination, Seconds};

use crate::exit::{FINDINGS, Failure, INTERRUPTED};
use crate::solving::Solving;
use crate::sources::Built;
use crate::{baseline, interrupt, program, progress, shown, solving};

/// What one query may take: there are many, and one without an answer only leaves a warning where it is.
const QUERY: Duration = Duration::from_secs(2);

/// Seconds for the analysis with `--auto`, unless the user says otherwise.
const AUTO_SECONDS: u64 = 60;

/// Arguments of `provoke mix`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A program that `provoke cc` built, or the C files of one
    #[arg(value_name = "PROG", required = true)]
    pub program: Vec<PathBuf>,
    /// Which analysis to begin with
    #[arg(long, value_name = "MODE", default_value = "typed")]
    outer: Outer,
    /// Execute this function symbolically, as if it were marked PROVOKE_SYMBOLIC; can be repeated
    #[arg(long, value_name = "FUNCTION")]
    symbolic: Vec<String>,
    /// Infer qualifiers for this function, as if it were marked PROVOKE_TYPED; can be repeated
    #[arg(long, value_name = "FUNCTION")]
    typed: Vec<String>,
    /// Ignore PROVOKE_SYMBOLIC and PROVOKE_TYPED in the source
    #[arg(long)]
    ignore_blocks: bool,
    /// Choose symbolic blocks by the warnings that there are, until each is confirmed, refuted, or the time is up
    #[arg(long)]
    auto: bool,
    /// What must not be null: what is declared so, or every pointer that is followed as well
    #[arg(long, value_name = "WHICH", default_value = "annotated")]
    sinks: Sinks,
    /// Run neither the program where --auto finds an input that makes it fail, nor drivers that call single functions
    #[arg(long)]
    no_run: bool,
    /// Keep the drivers that call a function of a C file so that it fails, one C file for each
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_run")]
    drivers: Option<PathBuf>,
    /// Seconds that the analysis may take [default: 60 with --auto, else as many as it needs]
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    #[arg(long, value_name = "KIND=FILE", help = report::destination::HELP)]
    report: Vec<Destination>,
    /// An earlier report (JSON or SARIF): show only what it does not have
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    solving: Solving,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Outer {
    /// Inference of qualifiers
    Typed,
    /// Symbolic execution
    Symbolic,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Sinks {
    /// Positions that are declared never to be null, and arguments of library functions
    Annotated,
    /// Every pointer that is followed, too
    All,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let interrupted = interrupt::flag().map_err(Failure::input)?;
    let done = analyse(arguments, &interrupted);
    if !interrupted.load(Ordering::Relaxed) {
        return done;
    }
    match done {
        Ok(_) => Ok(ExitCode::from(INTERRUPTED)),
        // Ctrl-C ends a compiler that is running, too: what that says then is no mistake of the user's.
        Err(Failure::Input(_)) => {
            eprintln!("provoke: note: interrupted before anything was checked");
            Ok(ExitCode::from(INTERRUPTED))
        }
        other => other,
    }
}

fn analyse(arguments: &Arguments, interrupted: &Arc<AtomicBool>) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let known = arguments.baseline.as_deref().map(baseline::read).transpose()?;
    let opened = open(&arguments.program)?;
    let line = progress::Progress::start();
    line.step("linking bitcode");
    // SAFETY: the module is whole, and nobody else sees it.
    let lowered = views::inspect(&opened, |module| unsafe { ir::lower(module) });
    let lowered =
        lowered.map_err(|error| if error.is_internal() { Failure::internal(error) } else { Failure::input(error) })?;
    let views_took = started.elapsed();
    check_usage(arguments, &lowered)?;
    let options = mix::Options {
        outer: match arguments.outer {
            Outer::Typed => mix::Outer::Typed,
            Outer::Symbolic => mix::Outer::Symbolic,
        },
        symbolic: arguments.symbolic.clone(),
        typed: arguments.typed.clone(),
        ignore_blocks: arguments.ignore_blocks,
        auto: arguments.auto,
        sinks: match arguments.sinks {
            Sinks::Annotated => qualifiers::Sinks::Annotated,
            Sinks::All => qualifiers::Sinks::All,
        },
    };
    let mut session = arguments.solving.session(solver::Budget { time: QUERY, ..solver::Budget::default() })?;
    session.stop_when(interrupted);
    let seconds = arguments.time.or(arguments.auto.then_some(AUTO_SECONDS));
    let deadline = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    let stop = || interrupted.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let analysis = mix::analyse(&lowered, &options, &mut session, &stop, &|step| line.step(step));
    drop(line);
    if analysis.unfinished {
        return Err(not_finished(seconds));
    }
    let mut report = summary::report(arguments, &analysis);
    let mut runs = Runs::default();
    if let (false, Some(named)) = (arguments.no_run, arguments.program.first()) {
        let findings = &mut report.findings;
        let confirmed = confirm::confirm(&opened, named, &analysis.found, findings, &mut runs, interrupted);
        let ran = confirmed.and_then(|()| {
            let folder = arguments.drivers.as_deref();
            drivers::run(&arguments.program, folder, &analysis.found, findings, &mut runs, interrupted)
        });
        // What is ended from outside fails in many ways; what the analysis has found is not lost with it.
        if !interrupted.load(Ordering::Relaxed) {
            ran?;
        }
    }
    report.summary.interrupted |= interrupted.load(Ordering::Relaxed);
    report.summary.queries = solving::queries(session.stats());
    report.summary.candidates = runs.inputs;
    report.summary.verdicts = runs.verdicts;
    report.summary.seconds = Seconds {
        total: started.elapsed().as_secs_f64(),
        views: (views_took + runs.making).as_secs_f64(),
        run: 0.0,
        solve: solving::seconds(session.stats()),
        replay: runs.running.as_secs_f64(),
        ..Seconds::default()
    };
    if let Some(known) = &known {
        known.leave_out_known(&mut report);
    }
    report.tally();
    shown::show(&arguments.report, &report, &Built::new(&opened, None))?;
    if arguments.solving.stats {
        crate::exit::shown(writeln!(std::io::stdout(), "\n{}", session.stats()))?;
    }
    Ok(if report.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// Refuses options that would do nothing.
fn check_usage(arguments: &Arguments, lowered: &ir::Program) -> Result<(), Failure> {
    for name in arguments.symbolic.iter().chain(&arguments.typed) {
        let is_known = lowered.function_named(name).is_some_and(|id| lowered.function(id).has_code());
        if !is_known {
            return Err(Failure::input(anyhow!("the program has no function `{name}`")));
        }
    }
    if let Some(name) = arguments.symbolic.iter().find(|name| arguments.typed.contains(name)) {
        return Err(Failure::input(anyhow!("`{name}` is named by --symbolic and by --typed: give it one of them")));
    }
    let is_marked = !arguments.ignore_blocks && lowered.functions.iter().any(|function| function.marks.symbolic);
    let has_blocks =
        arguments.auto || is_marked || !arguments.symbolic.is_empty() || matches!(arguments.outer, Outer::Symbolic);
    if arguments.drivers.is_some() && !has_blocks {
        return Err(Failure::input(anyhow!(
            "--drivers needs functions that are executed symbolically: add --auto, or name them with --symbolic FUNCTION"
        )));
    }
    Ok(())
}

/// What is said when the time was up before anything was known: no warnings would look like a program without errors.
fn not_finished(seconds: Option<u64>) -> Failure {
    let why = match seconds {
        Some(seconds) => format!("{seconds} s were not enough"),
        None => "it was interrupted".to_owned(),
    };
    Failure::input(anyhow!(
        "not finished: what pointers point to was not known yet, and nothing was checked ({why}; --time SECONDS gives more)"
    ))
}

/// A program, or one that is made of C files.
fn open(files: &[PathBuf]) -> Result<Program, Failure> {
    let Some((first, more)) = files.split_first() else {
        return Err(Failure::input(anyhow!("name a program, or the C files of one")));
    };
    if more.is_empty() && source_language(first).is_none() {
        return program::open(first);
    }
    if let Some(other) = files.iter().find(|file| source_language(file).is_none()) {
        return Err(Failure::input(anyhow!("{} is no C file: give one program, or C files only", other.display())));
    }
    let mut words: Vec<OsString> = more.iter().map(|file| file.clone().into_os_string()).collect();
    let opened = match Program::open_source(first, &words) {
        Err(error) if error.lacks_main() => {
            eprintln!("provoke: note: there is no main function: taken as a library, whose functions anybody may call");
            words.extend(["-shared", "-fPIC"].map(OsString::from));
            Program::open_source(first, &words)
        }
        opened => opened,
    };
    let opened = opened.map_err(Failure::input)?;
    program::say_notes(&opened);
    Ok(opened)
}
