//! The options of every command that solves.

use std::path::PathBuf;

use clap::Args;
use solver::{BackendChoice, Budget, Config, Session};

use crate::exit::Failure;

/// How queries are solved.
#[derive(Args, Debug)]
#[command(next_help_heading = "Solving")]
pub struct Solving {
    /// The solver: bitwuzla, z3, or cmd:COMMAND for a program that reads SMT-LIB 2
    #[arg(long, value_name = "SOLVER", default_value = "bitwuzla")]
    solver: BackendChoice,
    /// Show what each tier of the solver did
    #[arg(long)]
    pub stats: bool,
    /// Folder that gets a file for every query that reaches the solver
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
}

impl Solving {
    /// A session with these options.
    pub fn session(&self, budget: Budget) -> Result<Session, Failure> {
        let config = Config { backend: self.solver.clone(), budget, dump: self.dump.clone(), ..Config::default() };
        Session::new(config).map_err(Failure::input)
    }
}
