//! The command `provoke`. This crate alone knows terminals, the names of files, and exit codes.

mod arguments;
mod baseline;
mod c_library;
mod commands;
mod describe;
mod driver;
mod exit;
mod finding;
mod hangs;
mod interrupt;
mod limits;
mod loops;
mod modelled;
mod models;
mod narrow;
mod output;
mod preconditions;
mod program;
mod progress;
mod project;
mod refinements;
mod saved;
mod shown;
mod solving;
mod sources;
mod target;
mod terms;
mod time;
mod version;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use self::arguments::{Arguments, Command};
use self::exit::{Failure, report};

fn main() -> ExitCode {
    exit::install_panic_hook();
    if let Some(code) = commands::compile::dispatch(std::env::args_os()) {
        return code;
    }
    solver::worker::init();
    let command = Arguments::command().version(version::short()).long_version(version::long());
    let matches = command.get_matches();
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    // Without a folder of its own, what a process leaves that is killed stays where it is.
    let _scratch = run::Scratch::claim();
    report(run(&arguments.command))
}

fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Cc(arguments) => Ok(commands::compile::run(cc::Language::C, arguments)),
        Command::Cxx(arguments) => Ok(commands::compile::run(cc::Language::Cxx, arguments)),
        Command::Info(arguments) => commands::info::run(arguments),
        Command::View(arguments) => commands::view::run(arguments),
        Command::Solve(arguments) => commands::solve::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Explore(arguments) => commands::explore::run(arguments),
        Command::Predict(arguments) => commands::predict::run(arguments),
        Command::Wrap(arguments) => commands::wrap::run(arguments),
        Command::Hoist(arguments) => commands::hoist::run(arguments),
        Command::Status(arguments) => commands::status::run(arguments),
        Command::Replay(arguments) => commands::replay::run(arguments),
        Command::Trace(arguments) => commands::trace::run(arguments),
        Command::Libc(arguments) => commands::libc::run(arguments),
        Command::Checkers(arguments) => commands::checkers::run(arguments),
        Command::Csimpl(arguments) => commands::csimpl::run(arguments),
        Command::Mix(arguments) => commands::mix::run(arguments),
        Command::Mixlang(arguments) => commands::mixlang::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments),
        Command::Man(arguments) => commands::man::run(arguments),
    }
}
