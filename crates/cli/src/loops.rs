//! The options of every command that looks at loops, and what is said about them.

use clap::Args;
use report::LoopCost;
use search::Contradiction;
use search::loops::{Finding, Policy, Settings};
use trace::sites::{Leaves, SiteTable};

use crate::describe;

/// What is done about loops.
#[derive(Args, Debug)]
#[command(next_help_heading = "Loops")]
pub struct Loops {
    /// What is done about iterations of loops that no check depends on: auto asks about them when nothing else is left, dependence
    /// leaves them out, off treats them like everything else and tries no other number of iterations
    #[arg(long = "loops", value_name = "HOW", default_value = "auto")]
    pub policy: Policy,
    /// How a check is recognised that a guard protects, so that it makes no loop matter: plain (all constraints at once), reverse
    /// (from the latest backwards until they are enough) or off
    #[arg(long, value_name = "HOW", default_value = "plain")]
    pub contradiction: Contradiction,
}

impl Loops {
    /// The same for the search.
    pub fn settings(&self) -> Settings {
        Settings { policy: self.policy, contradiction: self.contradiction }
    }
}

/// Loops with the most expensive first.
pub fn sorted(mut costs: Vec<LoopCost>) -> Vec<LoopCost> {
    costs.sort_by_key(|cost| std::cmp::Reverse((cost.inputs, cost.left_out, cost.attempts)));
    costs
}

/// Why the iterations of a loop matter, or that they do not.
pub fn why(sites: &SiteTable, finding: &Finding) -> String {
    match finding {
        Finding::Independent => "nothing depends on it".to_owned(),
        Finding::Leaves(leaves) => left(leaves),
        Finding::Check(rule, site) => {
            format!("a check for {} at {} depends on it", rule.id(), describe::position(sites, *site))
        }
        Finding::Branch(site) => format!("the branch at {} depends on it", describe::position(sites, *site)),
        Finding::Unknown => "it takes too long to find out what depends on it".to_owned(),
    }
}

fn left(leaves: &Leaves) -> String {
    match leaves {
        Leaves::Value => "each iteration computes a value from the one before".to_owned(),
        Leaves::Result => "what it computes is used behind it".to_owned(),
        Leaves::Memory => "it writes to memory what it computes".to_owned(),
        Leaves::Call(name) if name.is_empty() => "it calls a function through a pointer".to_owned(),
        Leaves::Call(name) => format!("it calls {name}"),
    }
}
