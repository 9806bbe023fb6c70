//! `provoke cc` and `provoke c++`, also as `provoke-cc` and `provoke-c++`
//!
//! The arguments belong to the compiler: nothing here looks at them, [`dispatch`] not even for `--help`.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use cc::Language;
use clap::Args;

/// Arguments of `provoke cc` and `provoke c++`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Arguments of clang
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// The exit code of the compiler, if this command line is meant for it.
pub fn dispatch(mut command_line: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let name = command_line.next()?;
    let language = match Path::new(&name).file_name().and_then(OsStr::to_str) {
        Some("provoke-cc") => Language::C,
        Some("provoke-c++") => Language::Cxx,
        _ => match command_line.next()?.to_str() {
            Some("cc") => Language::C,
            Some("c++") => Language::Cxx,
            _ => return None,
        },
    };
    let _scratch = run::Scratch::claim();
    Some(ExitCode::from(cc::driver::run(language, command_line.collect())))
}

/// Runs the command.
pub fn run(language: Language, arguments: &Arguments) -> ExitCode {
    ExitCode::from(cc::driver::run(language, arguments.args.clone()))
}
