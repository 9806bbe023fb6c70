//! How the command ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Something was found.
pub const FINDINGS: u8 = 1;
/// Wrong usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// A bug of Provoke.
const INTERNAL: u8 = 3;

/// Ended by Ctrl-C: what shells use for it.
pub const INTERRUPTED: u8 = 130;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// What the user gave cannot be used.
    Input(anyhow::Error),
    /// A bug of Provoke.
    Internal(anyhow::Error),
    /// Ctrl-C, and what that means for the result.
    Interrupted(&'static str),
    /// Whoever read our output has seen enough.
    PipeClosed,
}

impl Failure {
    /// What the user gave cannot be used.
    pub fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Input(error.into())
    }

    /// A bug of Provoke.
    pub fn internal(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Internal(error.into())
    }
}

/// Output that cannot be written.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::PipeClosed,
            _ => Failure::Input(anyhow::Error::new(error).context("cannot write the output")),
        }
    }
}

/// What came of showing a result. Whoever has seen enough of it still gets its exit code.
pub fn shown(written: io::Result<()>) -> Result<(), Failure> {
    match written.map_err(Failure::from) {
        Err(Failure::PipeClosed) => Ok(()),
        other => other,
    }
}

/// Says what went wrong and gives the exit code.
pub fn report(result: Result<ExitCode, Failure>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(Failure::PipeClosed) => ExitCode::SUCCESS,
        Err(Failure::Interrupted(result)) => {
            eprintln!("provoke: interrupted: {result}");
            ExitCode::from(INTERRUPTED)
        }
        Err(Failure::Input(error)) => {
            say(&error);
            ExitCode::from(BAD_INPUT)
        }
        Err(Failure::Internal(error)) => {
            say_internal(message(&error));
            ExitCode::from(INTERNAL)
        }
    }
}

/// Ends the command while other threads work on: what they have begun is left as if they had been killed, and removed by whoever comes later.
pub fn at_once(failure: Failure) -> ! {
    let code = match failure {
        Failure::Interrupted(_) => INTERRUPTED,
        _ => INTERNAL,
    };
    report(Err(failure));
    // SAFETY: ends the process. Nothing is torn down, since the others still use it.
    unsafe { libc::_exit(code.into()) }
}

/// Says what went wrong.
pub fn say(error: &anyhow::Error) {
    eprintln!("provoke: {}", message(error));
}

/// An error and its causes; many errors say themselves what caused them, which is enough.
pub fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

fn say_internal(what: impl Display) {
    eprintln!("provoke: internal error: {what}");
    eprintln!("This is a bug of Provoke, not of your program. Please report it, with the program and its input.");
}

/// Makes a panic anywhere end the command as an internal error.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        say_internal(panic);
        std::process::exit(INTERNAL.into());
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Telling {
        source: io::Error,
    }

    impl Display for Telling {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "cannot read x: {}; try y", self.source)
        }
    }

    impl std::error::Error for Telling {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.source)
        }
    }

    #[test]
    fn causes_are_said_once() {
        let source = || io::Error::other("the disk is on fire");
        assert_eq!(
            message(&anyhow::Error::new(Telling { source: source() })),
            "cannot read x: the disk is on fire; try y"
        );
        let plain = anyhow::Error::new(source()).context("cannot read y");
        assert_eq!(message(&plain), "cannot read y: the disk is on fire");
    }
}
