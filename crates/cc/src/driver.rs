//! `provoke cc` and `provoke c++`.
//!
//! clang runs with the user's own arguments, and accepts the C that GCC accepts; everything that can be seen of it (output files, messages,
//! exit status) is its own. At the same time the bitcode of the same units is made. When both are done, the finished files get
//! their additional sections. Nothing that goes wrong with bitcode fails the build: the object then carries itself, and
//! a note says so.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

use crate::clang::Clang;
use crate::native::{Finished, Messages, Native};
use crate::unit::Made;
use crate::work::Work;
use crate::{Error, Language, arguments, attach, probe};

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

/// Runs clang and adds what its outputs are to carry.
pub(crate) fn build(language: Language, given: &[OsString], messages: Messages) -> Result<Finished, Error> {
    let clang = Clang::find(language)?;
    let expanded = arguments::expand(given);
    let lenient = arguments::accepting_old_c(language, &expanded);
    let [given, expanded] =
        [given, &expanded].map(|all| lenient.iter().map(OsString::from).chain(all.iter().cloned()).collect::<Vec<_>>());
    let without_lto = arguments::without_link_time_optimisation(&expanded);
    let native = Native { clang: &clang, arguments: without_lto.as_deref().unwrap_or(&given), messages };
    if arguments::make_no_output(&expanded) || probe::is_probe(&expanded) {
        return native.run(None, None);
    }
    let arguments = without_lto.as_ref().unwrap_or(&expanded);
    let (finished, work) = Work::beside(native, arguments)?;
    if !finished.status.success() {
        return Ok(finished);
    }
    let notes = Notes { verbose: std::env::var_os(VERBOSE_VARIABLE).is_some() };
    if without_lto.is_some() && work.link.is_some() {
        notes.say("built without -flto: the bitcode for Provoke is taken before link-time optimisation");
    }
    work.made_for_outputs().for_each(|made| notes.missing_bitcode(made));
    let attached = match &work.link {
        Some(link) => attach::to_linked(link, language, arguments, &work),
        None => attach::to_objects(&work),
    };
    if let Err((output, error)) = attached {
        notes.say(&format!("{} carries nothing for Provoke: {error}", output.display()));
    }
    Ok(finished)
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
