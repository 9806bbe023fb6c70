//! What the solver can say.

use core::fmt;
use std::str::FromStr;
use std::time::Duration;

use expr::Model;
use thiserror::Error;

use crate::stats::Tier;

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The constraints hold under this model, which has been evaluated against all of them.
    Sat(Solution),
    /// No input satisfies the constraints.
    Unsat,
    /// Neither could be shown.
    Unknown(Reason),
}

impl Answer {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Answer::Sat(solution) => Some(solution),
            _ => None,
        }
    }

    /// `sat`, `unsat` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// A model and where it came from.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Values for the variables; others keep the original input's.
    pub model: Model,
    /// Which tier found it.
    pub tier: Tier,
    /// Only the constraints closest to the goal were solved, as a last resort: the path to it may be another one.
    pub optimistic: bool,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time budget was used up.
    Time,
    /// The time for all queries together was over.
    Deadline,
    /// The memory budget was used up.
    Memory,
    /// The budget of conflicts was used up.
    Conflicts,
    /// The solver died or could not be run.
    Crashed(String),
    /// The solver said so itself.
    GaveUp(String),
    /// Somebody stopped the run.
    Stopped,
    /// The model does not satisfy the query as it was said. A bug of the solver, of the translation or of the simplifier.
    WrongModel,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => write!(f, "time budget used up"),
            Reason::Deadline => write!(f, "the time for all queries was over"),
            Reason::Memory => write!(f, "memory budget used up"),
            Reason::Conflicts => write!(f, "budget of conflicts used up"),
            Reason::Crashed(how) => write!(f, "solver crashed: {how}"),
            Reason::GaveUp(why) => write!(f, "solver gave up: {why}"),
            Reason::Stopped => write!(f, "stopped"),
            Reason::WrongModel => {
                write!(f, "the model that was found does not satisfy the query; please report this as a bug")
            }
        }
    }
}

/// What one query may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time in a backend.
    pub time: Duration,
    /// Bytes that a backend's process may use.
    pub memory: u64,
    /// Conflicts of the SAT solver. Only Z3 takes such a limit; Bitwuzla's interface has none, and SMT-LIB has no word for
    /// it. A session with another backend refuses the limit rather than to ignore it: time and memory bound every one.
    pub conflicts: Option<u64>,
}

impl Default for Budget {
    /// Ten seconds and 2 GiB: what a query may take that a person would wait for.
    fn default() -> Budget {
        Budget { time: Duration::from_secs(10), memory: 2 << 30, conflicts: None }
    }
}

/// Which solver answers what the tiers leave over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BackendChoice {
    /// Bitwuzla.
    #[default]
    Bitwuzla,
    /// Z3.
    Z3,
    /// A program that reads an SMT-LIB 2 script on standard input, run by the shell.
    Command(String),
}

/// A solver name that is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no solver is called `{0}`; choose bitwuzla, z3 or cmd:COMMAND")]
pub struct UnknownBackend(String);

impl FromStr for BackendChoice {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<BackendChoice, UnknownBackend> {
        match (text, text.strip_prefix("cmd:")) {
            ("bitwuzla", _) => Ok(BackendChoice::Bitwuzla),
            ("z3", _) => Ok(BackendChoice::Z3),
            (_, Some(command)) if !command.trim().is_empty() => Ok(BackendChoice::Command(command.to_owned())),
            _ => Err(UnknownBackend(text.to_owned())),
        }
    }
}

impl fmt::Display for BackendChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendChoice::Bitwuzla => write!(f, "bitwuzla"),
            BackendChoice::Z3 => write!(f, "z3"),
            BackendChoice::Command(command) => write!(f, "cmd:{command}"),
        }
    }
}
