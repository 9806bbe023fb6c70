//! What is counted in a campaign, by name.

use solver::{Stats, Tier};
use trace::rule::Rule;

use crate::loops::Finding;

/// Inputs that were run in the replay view because they are inputs of the campaign.
pub const REPLAYS: &str = "replays";
/// Those that took too long.
pub const HANGS: &str = "hangs";
/// Runs that left no trace, or one that contradicts itself.
pub const BROKEN: &str = "broken";
/// Runs that took a path that was known.
pub const REPEATED: &str = "repeated";
/// Other ways that an input takes.
pub const POSSIBLE: &str = "branches/possible";
/// Other ways that no input takes.
pub const IMPOSSIBLE: &str = "branches/impossible";
/// Other ways that an input takes only if the program goes on after a division that fails.
pub const BEHIND: &str = "branches/behind";
/// Other ways that the solver gave no answer for.
pub const UNKNOWN: &str = "branches/unknown";
/// Those that were tried without an answer.
pub const OPTIMISTIC: &str = "branches/optimistic";
/// Decisions in later iterations of loops that were left out because nothing depends on them.
pub const LEFT_OUT: &str = "loops/left-out";
/// Checks that say again what a check before them on their path says.
pub const REPEATED_CHECKS: &str = "checks-repeated";
/// Checks that were recognised as protected, so that nothing depends on them.
pub const PROTECTED: &str = "loops/protected-checks";
/// Predictions that came true.
pub const CONFIRMED: &str = "predictions/confirmed";
/// Predictions for which something else failed.
pub const CONFIRMED_ELSEWHERE: &str = "predictions/confirmed-elsewhere";
/// Predictions whose runs left the path before.
pub const DIVERGED: &str = "predictions/diverged";
/// Predictions that did not come true.
pub const NOT_REPRODUCED: &str = "predictions/not-reproduced";
/// Microseconds of concolic runs.
pub const RUN_TIME: &str = "microseconds/run";
/// Microseconds of work on paths: runs, constraints, solving and the replays of predictions together.
pub const EXPAND_TIME: &str = "microseconds/expand";

/// Mutants that were run in the coverage view.
pub const MUTANTS: &str = "mutants";
/// Microseconds of mutation.
pub const MUTATION_TIME: &str = "microseconds/mutation";
/// Microseconds of the replays of new inputs, and of making small what failed there.
pub const REPLAY_TIME: &str = "microseconds/replay";

/// Outcomes of checks.
pub const CHECK_OUTCOMES: [&str; 5] = ["safe", "violated", "confirmed", "behind", "unknown"];

/// Checks of a rule with an outcome.
pub fn check(rule: Rule, outcome: &str) -> String {
    format!("checks/{}/{outcome}", rule.id())
}

/// Something about a loop, by its number.
pub fn of_loop(number: u32, what: &str) -> String {
    format!("loop/{number}/{what}")
}

/// What was found out about a loop, as the end of a name.
pub fn of_finding(finding: &Finding) -> String {
    match finding {
        Finding::Independent => "independent".to_owned(),
        Finding::Leaves(_) => "leaves".to_owned(),
        Finding::Check(rule, site) => format!("check/{}/{site}", rule.id()),
        Finding::Branch(site) => format!("branch/{site}"),
        Finding::Unknown => "unknown".to_owned(),
    }
}

/// The other way round; what the code says is not kept.
pub fn finding(name: &str) -> Option<Finding> {
    let parts: Vec<&str> = name.split('/').collect();
    Some(match parts[..] {
        ["independent"] => Finding::Independent,
        ["check", rule, site] => Finding::Check(Rule::from_id(rule)?, site.parse().ok()?),
        ["branch", site] => Finding::Branch(site.parse().ok()?),
        ["unknown"] => Finding::Unknown,
        _ => return None,
    })
}

/// What a tier of the solver answered.
pub fn answered(tier: Tier) -> String {
    format!("queries/answered/{}", tier.name())
}

/// How long it took, in microseconds.
pub fn took(tier: Tier) -> String {
    format!("queries/microseconds/{}", tier.name())
}

/// Queries.
pub const ASKED: &str = "queries/asked";
/// Queries with a model.
pub const SAT: &str = "queries/sat";
/// Queries without one.
pub const UNSAT: &str = "queries/unsat";
/// Queries without an answer.
pub const UNANSWERED: &str = "queries/unknown";

/// What a session did since it was like `before`.
pub fn queries(before: &Stats, after: &Stats) -> Vec<(String, u64)> {
    let mut counted = vec![
        (ASKED.to_owned(), after.queries.saturating_sub(before.queries)),
        (SAT.to_owned(), after.sat.saturating_sub(before.sat)),
        (UNSAT.to_owned(), after.unsat.saturating_sub(before.unsat)),
        (UNANSWERED.to_owned(), after.unknown.saturating_sub(before.unknown)),
    ];
    for tier in Tier::ALL {
        let (before, after) = (before.tier(tier), after.tier(tier));
        let answers = (after.sat + after.unsat).saturating_sub(before.sat + before.unsat);
        counted.push((answered(tier), answers));
        counted.push((took(tier), after.nanoseconds.saturating_sub(before.nanoseconds) / 1000));
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_about_loops_are_read_as_they_were_written() {
        let all = [Finding::Independent, Finding::Check(Rule::ALL[0], 7), Finding::Branch(9), Finding::Unknown];
        for found in all {
            assert_eq!(finding(&of_finding(&found)), Some(found));
        }
        assert_eq!(finding("inputs"), None);
    }
}
