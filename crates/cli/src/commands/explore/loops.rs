//! What loops cost in a campaign, and why.

use report::LoopCost;
use search::explore::statistics;
use search::loops::Finding;
use store::Counts;
use trace::sites::SiteTable;

use crate::loops::{sorted, why};

/// The loops of a campaign that more than one iteration was decided about, the most expensive first.
pub fn costs(counts: &Counts, sites: &SiteTable) -> Vec<LoopCost> {
    let costs = (0..).zip(&sites.loops).filter_map(|(number, found)| {
        let count = |what: &str| counts.statistic(&statistics::of_loop(number, what));
        let prefix = statistics::of_loop(number, "");
        let is_known = counts.statistics.keys().any(|name| name.starts_with(&prefix));
        let position = path::position(sites, found.site)?;
        let finding = found.leaves.clone().map(Finding::Leaves).or_else(|| dynamic(counts, &prefix));
        is_known.then(|| LoopCost {
            position: position.into(),
            inputs: count("inputs"),
            left_out: count("left-out"),
            attempts: count("attempts"),
            why: finding.map_or_else(String::new, |finding| why(sites, &finding)),
        })
    });
    sorted(costs.collect())
}

/// What was found out in runs, the most frequent reason of the strongest kind.
fn dynamic(counts: &Counts, prefix: &str) -> Option<Finding> {
    let known = counts.statistics.iter().filter_map(|(name, count)| {
        let finding = statistics::finding(name.strip_prefix(prefix)?)?;
        let strength = match finding {
            Finding::Check(..) => 3,
            Finding::Branch(_) => 2,
            Finding::Unknown => 1,
            Finding::Leaves(_) | Finding::Independent => 0,
        };
        Some(((strength, *count), finding))
    });
    known.max_by_key(|(key, _)| *key).map(|(_, finding)| finding)
}
