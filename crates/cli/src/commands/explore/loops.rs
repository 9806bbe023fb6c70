//! What loops cost, and why.

use report::LoopCost;
use search::explore::statistics;
use store::Counts;
use trace::sites::{Leaves, SiteTable};

use crate::describe;

/// The loops of a campaign that more than one iteration was decided about, the most expensive first.
pub fn costs(counts: &Counts, sites: &SiteTable) -> Vec<LoopCost> {
    let mut costs: Vec<LoopCost> = (0..)
        .zip(&sites.loops)
        .filter_map(|(number, found)| {
            let count = |what: &str| counts.statistic(&statistics::of_loop(number, what));
            let prefix = statistics::of_loop(number, "");
            let is_known = counts.statistics.keys().any(|name| name.starts_with(&prefix));
            let position = path::position(sites, found.site)?;
            is_known.then(|| LoopCost {
                position: position.into(),
                inputs: count("inputs"),
                left_out: count("left-out"),
                attempts: count("attempts"),
                why: found.leaves.as_ref().map_or_else(|| dynamic(counts, sites, &prefix), why),
            })
        })
        .collect();
    costs.sort_by_key(|cost| std::cmp::Reverse((cost.inputs, cost.left_out)));
    costs
}

/// What was found out in runs.
fn dynamic(counts: &Counts, sites: &SiteTable, prefix: &str) -> String {
    let of = |kind: &str| {
        let sites = counts.statistics.keys().filter_map(|name| name.strip_prefix(prefix)?.strip_prefix(kind));
        sites.filter_map(|site| site.parse::<u32>().ok()).next()
    };
    match (of("check/"), of("branch/")) {
        (Some(site), _) => format!("the check at {} depends on it", describe::position(sites, site)),
        (None, Some(site)) => format!("the branch at {} depends on it", describe::position(sites, site)),
        (None, None) => match counts.statistic(&format!("{prefix}independent")) {
            0 => String::new(),
            _ => "nothing depends on it".to_owned(),
        },
    }
}

fn why(leaves: &Leaves) -> String {
    match leaves {
        Leaves::Value => "each iteration computes a value from the one before".to_owned(),
        Leaves::Result => "what it computes is used behind it".to_owned(),
        Leaves::Memory => "it writes to memory what it computes".to_owned(),
        Leaves::Call(name) if name.is_empty() => "it calls a function through a pointer".to_owned(),
        Leaves::Call(name) => format!("it calls {name}"),
    }
}
