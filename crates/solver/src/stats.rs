//! What every tier did.

use core::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::path::Decision;

/// The tiers, cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The goal is in the path already.
    LocalCache,
    /// The goal's negation is in the path already, or it is constant.
    Contradiction,
    /// Queries that are answered before under the same goal.
    Counterexamples,
    /// The sets of values that single bytes can have.
    Domains,
    /// Intervals and known bits.
    Bounds,
    /// The path's own input and the models found last.
    Models,
    /// The goal computed backwards from its value to the input.
    Inversion,
    /// Each value of the one choice that the goal depends on.
    Choices,
    /// Each combination of the values that are left of a few bytes.
    Trials,
    /// Bytes changed one by one until a goal about floating-point numbers holds.
    Climbing,
    /// Bytes by chance, until a goal about a hash holds.
    Sampling,
    /// Answers that earlier runs left behind.
    QueryCache,
    /// Bitwuzla, Z3 or another program.
    Backend,
}

impl Tier {
    /// All tiers, in the order in which they are asked.
    pub const ALL: [Tier; 13] = [
        Tier::LocalCache,
        Tier::Contradiction,
        Tier::Counterexamples,
        Tier::Domains,
        Tier::Bounds,
        Tier::Models,
        Tier::Inversion,
        Tier::Choices,
        Tier::Trials,
        Tier::Climbing,
        Tier::Sampling,
        Tier::QueryCache,
        Tier::Backend,
    ];

    /// As it is spelt in tables and options.
    pub fn name(self) -> &'static str {
        match self {
            Tier::LocalCache => "local-cache",
            Tier::Contradiction => "contradiction",
            Tier::Counterexamples => "counterexamples",
            Tier::Domains => "domains",
            Tier::Bounds => "bounds",
            Tier::Models => "models",
            Tier::Inversion => "inversion",
            Tier::Choices => "choices",
            Tier::Trials => "trials",
            Tier::Climbing => "climbing",
            Tier::Sampling => "sampling",
            Tier::QueryCache => "query-cache",
            Tier::Backend => "backend",
        }
    }
}

/// What one tier did.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TierStats {
    /// Queries that it looked at.
    pub asked: u64,
    /// Queries that it showed to be satisfiable.
    pub sat: u64,
    /// Queries that it showed to be unsatisfiable.
    pub unsat: u64,
    /// Time spent, in nanoseconds.
    pub nanoseconds: u64,
}

/// What became of checks, in bundles.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CheckStats {
    /// Bundles asked about.
    pub bundles: u64,
    /// Checks in them.
    pub checks: u64,
    /// Checks that hold whatever the input.
    pub constant: u64,
    /// Checks that the path had already, as a constraint or as a check: hits of the local cache.
    pub repeated: u64,
    /// Queries that reached the query cache or a backend.
    pub calls: u64,
    /// Those of them that were about more than one check.
    pub disjunctions: u64,
    /// Checks that hold for all inputs on their path.
    pub held: u64,
    /// Checks that an input on their path violates.
    pub violated: u64,
    /// Checks that the weak combination left open.
    pub undecided: u64,
    /// Checks without an answer.
    pub unknown: u64,
}

impl CheckStats {
    pub(crate) fn count(&mut self, decision: &Decision) {
        match decision {
            Decision::Holds => self.held += 1,
            Decision::Violated(_) => self.violated += 1,
            Decision::Undecided => self.undecided += 1,
            Decision::Unknown(_) => self.unknown += 1,
        }
    }
}

/// What a session did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stats {
    /// Queries asked.
    pub queries: u64,
    /// Queries answered with a model.
    pub sat: u64,
    /// Queries without a model.
    pub unsat: u64,
    /// Queries without an answer.
    pub unknown: u64,
    /// Answers to weaker queries, after the query itself had none.
    pub optimistic: u64,
    /// Models that did not satisfy their query as it was said.
    pub wrong_models: u64,
    /// Queries whose slice was made, because no tier answered them before.
    pub sliced: u64,
    /// Constraints in the paths, summed over those queries.
    pub constraints_before_slicing: u64,
    /// Constraints that remained, summed over the same queries.
    pub constraints_after_slicing: u64,
    /// What became of checks.
    pub checks: CheckStats,
    /// What each tier did, in the order of [`Tier::ALL`].
    pub tiers: [TierStats; Tier::ALL.len()],
}

impl Stats {
    /// What one tier did.
    pub fn tier(&self, tier: Tier) -> &TierStats {
        &self.tiers[tier as usize]
    }

    /// Runs one tier's work; `Some(true)` from it is "satisfiable", `Some(false)` "unsatisfiable".
    pub(crate) fn measure(&mut self, tier: Tier, started: Instant, verdict: Option<bool>) {
        let stats = &mut self.tiers[tier as usize];
        stats.asked += 1;
        stats.nanoseconds += u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        match verdict {
            Some(true) => stats.sat += 1,
            Some(false) => stats.unsat += 1,
            None => {}
        }
    }

    /// For `--json`.
    pub fn to_json(&self) -> serde_json::Value {
        let tiers: serde_json::Map<String, serde_json::Value> =
            Tier::ALL.into_iter().map(|tier| (tier.name().to_owned(), serde_json::json!(self.tier(tier)))).collect();
        let mut whole = serde_json::json!(self);
        if let Some(object) = whole.as_object_mut() {
            object.insert("tiers".to_owned(), tiers.into());
        }
        whole
    }
}

/// The table that `--stats` shows.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16} {:>9} {:>9} {:>9} {:>12} {:>10}", "tier", "asked", "sat", "unsat", "time", "per query")?;
        for tier in Tier::ALL {
            let stats = self.tier(tier);
            let time = Duration::from_nanos(stats.nanoseconds);
            let each = time.checked_div(u32::try_from(stats.asked).unwrap_or(u32::MAX)).unwrap_or_default();
            writeln!(
                f,
                "{:<16} {:>9} {:>9} {:>9} {:>12} {:>10}",
                tier.name(),
                stats.asked,
                stats.sat,
                stats.unsat,
                format!("{:.1} ms", time.as_secs_f64() * 1e3),
                format!("{:.1} µs", each.as_secs_f64() * 1e6)
            )?;
        }
        let sliced = |sum: u64| sum as f64 / (self.sliced.max(1)) as f64;
        writeln!(
            f,
            "{} queries: {} sat, {} unsat, {} unknown, {} optimistic, {} wrong models; \
             {} were sliced, from {:.1} constraints each to {:.1}",
            self.queries,
            self.sat,
            self.unsat,
            self.unknown,
            self.optimistic,
            self.wrong_models,
            self.sliced,
            sliced(self.constraints_before_slicing),
            sliced(self.constraints_after_slicing)
        )?;
        if self.checks.bundles == 0 {
            return Ok(());
        }
        let checks = &self.checks;
        writeln!(
            f,
            "{} checks in {} bundles: {} constant, {} repeated, {} hold, {} violated, {} undecided, {} unknown; \
             {} solver calls, {} of them disjunctions",
            checks.checks,
            checks.bundles,
            checks.constant,
            checks.repeated,
            checks.held,
            checks.violated,
            checks.undecided,
            checks.unknown,
            checks.calls,
            checks.disjunctions
        )
    }
}
