//! The options of every command that solves.

use std::path::PathBuf;

use clap::Args;
use report::{Queries, TierCounts};
use solver::{BackendChoice, Budget, Config, Session, SessionError, Stats, Tier};

use crate::exit::Failure;
use crate::project;

/// Where answers are kept unless the user says otherwise, in the folder that has the views already.
const QUERIES: &str = "queries";

/// How queries are solved.
#[derive(Args, Debug)]
#[command(next_help_heading = "Solving")]
pub struct Solving {
    /// The solver: bitwuzla, z3, or cmd:COMMAND for a program that reads SMT-LIB 2
    #[arg(long, value_name = "SOLVER", default_value = "bitwuzla")]
    solver: BackendChoice,
    /// File that keeps the solver's answers for later runs [default: .provoke/queries, if there is a folder .provoke]
    #[arg(long, value_name = "FILE", conflicts_with = "no_query_cache")]
    query_cache: Option<PathBuf>,
    /// Ask the solver each time, whatever it said before
    #[arg(long)]
    no_query_cache: bool,
    /// Where a query has no solution, try one that keeps only to the constraints on the same bytes; the input may leave
    /// the path before it gets there
    #[arg(long)]
    optimistic: bool,
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
        let project = project::folder();
        let usual = project.is_dir().then(|| project.join(QUERIES));
        let query_cache = if self.no_query_cache { None } else { self.query_cache.clone().or(usual) };
        let config = Config {
            backend: self.solver.clone(),
            budget,
            disabled: if self.no_query_cache { vec![Tier::QueryCache] } else { Vec::new() },
            query_cache,
            dump: self.dump.clone(),
            optimistic: self.optimistic,
            ..Config::default()
        };
        match Session::new(config.clone()) {
            // Nobody asked for it: a project that cannot be written to has none.
            Err(SessionError::QueryCache { .. }) if self.query_cache.is_none() => {
                Session::new(Config { query_cache: None, ..config })
            }
            started => started,
        }
        .map_err(Failure::input)
    }
}

/// What a session did, for a report.
pub fn queries(stats: &Stats) -> Queries {
    let tier = |tier: &Tier| {
        let counts = stats.tier(*tier);
        let answered = counts.sat + counts.unsat;
        TierCounts { tier: tier.name().to_owned(), answered, seconds: in_seconds(counts.nanoseconds) }
    };
    Queries {
        asked: stats.queries,
        sat: stats.sat,
        unsat: stats.unsat,
        unknown: stats.unknown,
        tiers: Tier::ALL.iter().map(tier).collect(),
        sliced: stats.sliced,
        slice_constraints: stats.constraints_after_slicing,
        check_calls: stats.checks.calls,
        disjunctions: stats.checks.disjunctions,
        repeated_checks: stats.checks.repeated,
    }
}

/// What all tiers of a session took together.
pub fn seconds(stats: &Stats) -> f64 {
    stats.tiers.iter().map(|tier| in_seconds(tier.nanoseconds)).sum()
}

fn in_seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}
