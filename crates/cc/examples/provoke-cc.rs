//! The compiler driver alone, for trials: `provoke-cc cc|c++|info ARGUMENTS`.

use std::process::ExitCode;

use cc::Language;
use cc::bundle::Program;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    match command.to_str() {
        Some("cc") => cc::driver::run(Language::C, arguments.collect()).into(),
        Some("c++") => cc::driver::run(Language::Cxx, arguments.collect()).into(),
        Some("info") => {
            for path in arguments {
                match Program::open(path.as_ref()) {
                    Ok(program) => print!("{}", cc::info::describe(&program)),
                    Err(error) => {
                        eprintln!("provoke: error: {error}");
                        return ExitCode::FAILURE;
                    }
                }
            }
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: provoke-cc cc|c++|info ARGUMENTS");
            ExitCode::from(2)
        }
    }
}
