//! `provoke wrap -- make check`

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, anyhow};
use cc::Language;
use cc::clang::Clang;
use clap::Args;
use predict::recording::{self, FOLDER_VARIABLE, RECORDER};

use crate::exit::{BAD_INPUT, Failure};
use crate::interrupt;
use crate::output::counted;
use crate::project;

/// How many programs it is said of what can be done next.
const MOST_NAMED: usize = 3;

/// Arguments of `provoke wrap`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Folder for the recordings; those that are there already stay [default: .provoke/recordings]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The suite: any command that runs programs which `provoke cc` built
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let named = project::place(arguments.out.as_deref(), "recordings");
    let cannot = || format!("cannot make the folder {}", named.display());
    fs::create_dir_all(&named).with_context(cannot).map_err(Failure::Input)?;
    let out = fs::canonicalize(&named).with_context(cannot).map_err(Failure::Input)?;
    let before = recording::list(&out).map_err(Failure::input)?.len();
    let library = tempfile::Builder::new().prefix("provoke-").tempdir();
    let library = library.map_err(cc::Error::temporary).map_err(Failure::input)?;
    let recorder = compile(library.path())?;
    let mut preload = recorder.into_os_string();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    let (program, args) =
        arguments.command.split_first().ok_or_else(|| Failure::Input(anyhow!("there is no command to run")))?;
    let mut command = Command::new(program);
    command.args(args).env("LD_PRELOAD", preload).env(FOLDER_VARIABLE, &out);
    let status = interrupt::handing_on(&mut command)
        .with_context(|| format!("cannot start {}", program.display()))
        .map_err(Failure::Input)?;
    let ours: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    recording::forget_variables(&out, &ours)
        .with_context(|| format!("cannot write to {}", out.display()))
        .map_err(Failure::Input)?;
    let recorded = recording::list(&out).map_err(Failure::input)?;
    let new = recorded.len().saturating_sub(before);
    eprintln!("provoke: {} recorded in {}", counted(new as u64, "execution"), named.display());
    if new == 0 {
        eprintln!(
            "provoke: note: was the program built with `provoke cc`, and linked dynamically? `provoke info PROG` says \
             what it carries"
        );
    }
    let programs: BTreeSet<&Path> = recorded.iter().map(|recording| recording.program.as_path()).collect();
    for program in programs.into_iter().filter(|program| program.is_file()).take(MOST_NAMED) {
        eprintln!("provoke: next: provoke predict {} --tests {}", quoted(program), quoted(&named));
    }
    // The suite's own answer stays the suite's.
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => ExitCode::from(u8::try_from(code).unwrap_or(BAD_INPUT)),
        (None, signal) => ExitCode::from(u8::try_from(128 + signal.unwrap_or(0)).unwrap_or(BAD_INPUT)),
    })
}

/// A path as it can be typed here.
fn quoted(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path).to_string_lossy();
    shell_words::quote(&path).into_owned()
}

/// Makes the library that records.
fn compile(folder: &Path) -> Result<PathBuf, Failure> {
    let (source, library) = (folder.join("recorder.c"), folder.join("recorder.so"));
    fs::write(&source, RECORDER).map_err(Failure::input)?;
    let clang = Clang::find(Language::C).map_err(Failure::input)?;
    let flags = ["-shared", "-fPIC", "-O1", "-fno-builtin", "-U_FORTIFY_SOURCE", "-w"];
    let mut command = clang.command();
    command.args(flags).arg(&source).arg("-o").arg(&library).arg("-ldl");
    let output = command.output().context("cannot start clang").map_err(Failure::Input)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Internal(anyhow!("the recorder cannot be compiled:\n{said}")));
    }
    Ok(library)
}
