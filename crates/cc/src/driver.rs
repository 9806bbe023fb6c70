//! `provoke cc` and `provoke c++`.
//!
//! clang runs with the user's own arguments, so everything that can be seen of it (output files, messages, exit
//! status) is its own. At the same time clang is asked what these arguments mean, and the bitcode of the same units
//! is made. When both are done, the finished files get their additional sections. Nothing that goes wrong with bitcode
//! fails the build: the object then carries itself, and a note says so.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use rustix::process::Signal;

use crate::clang::Clang;
use crate::elf::{self, NewSection};
use crate::frame::{self, Frame, Kind};
use crate::jobs::{self, Duty, Job};
use crate::linkline::LinkLine;
use crate::record::{self, Item, LinkRecord};
use crate::unit::{self, Made, Unit};
use crate::{Error, Language, arguments, header, probe};

/// Environment variable: with any value, notes say why there is no bitcode.
pub const VERBOSE_VARIABLE: &str = "PROVOKE_VERBOSE";

/// Compiles and links as clang does; returns the exit status to end with.
///
/// If clang was killed by a signal, this process dies of the same.
pub fn run(language: Language, arguments: Vec<OsString>) -> u8 {
    match build(language, &arguments, Messages::Passed) {
        Ok(finished) => end_like(finished.status),
        Err(error) => {
            eprintln!("provoke: error: {error}");
            1
        }
    }
}

fn end_like(status: ExitStatus) -> u8 {
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        // If the signal is blocked or ignored here, the number that shells use tells the same.
        let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
    }
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Where clang's messages go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Messages {
    /// To this process's own standard error.
    Passed,
    /// To the caller.
    Kept,
}

/// How clang ended.
pub(crate) struct Finished {
    pub status: ExitStatus,
    pub messages: Vec<u8>,
}

/// What one call of the driver makes.
struct Plan {
    units: Vec<Unit>,
    link: Option<Job>,
}

impl Plan {
    fn ask(clang: &Clang, arguments: &[OsString]) -> Self {
        let jobs = jobs::ask(clang, &arguments::in_one_step(arguments));
        let mut units = Unit::among(&jobs);
        let link = jobs.into_iter().find(|job| job.duty() == Duty::Link);
        if link.is_none() {
            units.retain(|unit| unit.output().is_some_and(|output| may_become_file(Path::new(output))));
        }
        Self { units, link }
    }

    fn reads_stdin(&self) -> bool {
        self.units.iter().any(|unit| unit.source() == "-")
    }
}

/// False for `/dev/null` and other things that sections can't be added to.
fn may_become_file(path: &Path) -> bool {
    path != "-" && path.metadata().map_or(true, |metadata| metadata.is_file())
}

/// Runs clang and adds what its outputs are to carry.
pub(crate) fn build(language: Language, given: &[OsString], messages: Messages) -> Result<Finished, Error> {
    let clang = Clang::find(language)?;
    let expanded = arguments::expand(given);
    let without_lto = arguments::without_link_time_optimisation(&expanded);
    let effective = without_lto.as_deref().unwrap_or(given);
    if arguments::make_no_output(&expanded) || probe::is_probe(&expanded) {
        return native(&clang, effective, messages, None);
    }
    let expanded = without_lto.as_ref().unwrap_or(&expanded);
    let plan = || Plan::ask(&clang, expanded);

    let (finished, plan, made, input) = if arguments::may_read_stdin(expanded) {
        let plan = plan();
        let mut input = Vec::new();
        if plan.reads_stdin() {
            let _ = std::io::stdin().read_to_end(&mut input);
        }
        let given_input = plan.reads_stdin().then_some(input.as_slice());
        let finished = native(&clang, effective, messages, given_input)?;
        let made = unit::make_all(&plan.units, &input);
        (finished, plan, made, input)
    } else {
        let (finished, (plan, made)) = std::thread::scope(|scope| {
            let beside = scope.spawn(|| {
                let plan = plan();
                let made = unit::make_all(&plan.units, &[]);
                (plan, made)
            });
            // In this thread, because the child is bound to the life of the thread that starts it.
            let finished = native(&clang, effective, messages, None);
            (finished, beside.join().unwrap_or_else(|_| (Plan { units: Vec::new(), link: None }, Vec::new())))
        });
        (finished?, plan, made, Vec::new())
    };
    if !finished.status.success() {
        return Ok(finished);
    }
    let notes = Notes { verbose: std::env::var_os(VERBOSE_VARIABLE).is_some() };
    if without_lto.is_some() && plan.link.is_some() {
        notes.say("built without -flto: the bitcode for Provoke is taken before link-time optimisation");
    }
    // An object that clang was kept from writing misses nothing.
    let is_there = |unit: &Unit| plan.link.is_some() || unit.output().is_some_and(|output| Path::new(output).exists());
    let missing = plan.units.iter().zip(&made).filter(|(unit, _)| is_there(unit));
    missing.for_each(|(_, made)| notes.missing_bitcode(made));
    let attached = match &plan.link {
        Some(link) => attach_to_linked(link, language, expanded, &plan.units, &made, &input),
        None => attach_to_objects(&plan.units, &made),
    };
    if let Err((output, error)) = attached {
        notes.say(&format!("{} carries nothing for Provoke: {error}", output.display()));
    }
    Ok(finished)
}

/// Runs clang itself.
fn native(clang: &Clang, arguments: &[OsString], messages: Messages, input: Option<&[u8]>) -> Result<Finished, Error> {
    let mut command = clang.command();
    command.args(arguments);
    header::make_available(&mut command);
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    if messages == Messages::Kept {
        command.stderr(Stdio::piped());
    }
    // SAFETY: between fork and exec only prctl is called, which is a plain system call.
    unsafe {
        command.pre_exec(|| {
            // A build that is stopped must not have a compiler left that goes on writing its output.
            rustix::process::set_parent_process_death_signal(Some(Signal::TERM)).map_err(Into::into)
        });
    }
    let failed = |source| Error::Start { program: clang.path().to_owned(), source };
    let mut child = command.spawn().map_err(failed)?;
    let pipe = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(input.unwrap_or_default())));
        child.wait_with_output()
    });
    let output = output.map_err(failed)?;
    Ok(Finished { status: output.status, messages: output.stderr })
}

struct Notes {
    verbose: bool,
}

impl Notes {
    fn say(&self, text: &str) {
        eprintln!("provoke: note: {text}");
    }

    fn missing_bitcode(&self, made: &Made) {
        let (source, Some(Err(reason))) = (&made.source, &made.bitcode) else { return };
        match self.verbose {
            true => self.say(&format!("no bitcode for {source}:\n{reason}")),
            false => self.say(&format!("no bitcode for {source} ({VERBOSE_VARIABLE}=1 tells why)")),
        }
    }
}

type Attached = Result<(), (PathBuf, std::io::Error)>;

/// Adds to every object what it carries; of several errors the first is returned.
fn attach_to_objects(units: &[Unit], made: &[Made]) -> Attached {
    let attach = |(unit, made): (&Unit, &Made)| {
        let output = PathBuf::from(unit.output().unwrap_or_default());
        attach_to_object(&output, made).map_err(|error| (output, error))
    };
    let attached: Vec<Attached> = units.iter().zip(made).map(attach).collect();
    attached.into_iter().collect()
}

fn attach_to_object(output: &Path, made: &Made) -> std::io::Result<()> {
    let Some(file) = open_elf(output)? else { return Ok(()) };
    let object = match made.bitcode {
        Some(Ok(_)) => Vec::new(),
        _ => std::fs::read(output)?,
    };
    let mut section = Vec::new();
    made.frame(&object).write(&mut section);
    elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &section }])
}

/// Opens an output, if it is there and a file in which sections have a place.
fn open_elf(output: &Path) -> std::io::Result<Option<File>> {
    if !output.exists() || !may_become_file(output) {
        return Ok(None);
    }
    let file = OpenOptions::new().read(true).write(true).open(output)?;
    let mut magic = [0; 6];
    let is_elf = std::os::unix::fs::FileExt::read_at(&file, &mut magic, 0)? == 6 && &magic == b"\x7fELF\x02\x01";
    Ok(is_elf.then_some(file))
}

/// Adds to a linked file what its own units carry, and how it was linked.
fn attach_to_linked(
    link: &Job,
    language: Language,
    named: &[OsString],
    units: &[Unit],
    made: &[Made],
    input: &[u8],
) -> Attached {
    let output = link.output().unwrap_or(OsStr::new("a.out"));
    let attach = || {
        let Some(file) = open_elf(Path::new(output))? else { return Ok(()) };
        let directory = std::env::current_dir()?;
        let compiled: HashSet<OsString> = units.iter().filter_map(|unit| unit.output().map(OsStr::to_owned)).collect();
        let line = LinkLine { job: link, language, directory: &directory, compiled: &compiled, named };
        let record = line.record();
        let mut frames = frames_of_units(units, made, input)?;
        if line.is_relocatable() {
            add_bare_objects(&record, &mut frames);
            return elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &frames }]);
        }
        let encoded = record.encode().map_err(std::io::Error::other)?;
        let record = NewSection { name: record::SECTION, contents: &encoded };
        match frames.is_empty() {
            true => elf::add_sections(&file, &[record]),
            false => elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &frames }, record]),
        }
    };
    attach().map_err(|error| (output.into(), error))
}

fn frames_of_units(units: &[Unit], made: &[Made], input: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut section = Vec::new();
    for (unit, made) in units.iter().zip(made) {
        let object = match made.bitcode {
            Some(Ok(_)) => Vec::new(),
            _ => unit.make_object(input).map_err(std::io::Error::other)?,
        };
        made.frame(&object).write(&mut section);
    }
    Ok(section)
}

/// The objects without frames that went into one object have to be carried on by that one.
fn add_bare_objects(record: &LinkRecord, section: &mut Vec<u8>) {
    for item in &record.items {
        if let Item::Object { name, contents } = item {
            Frame { kind: Kind::Object, name: name.clone(), payload: contents }.write(section);
        }
    }
}
