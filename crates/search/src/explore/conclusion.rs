//! What a campaign has shown, and what is missing.

use store::Counts;

use super::statistics;

/// Something that keeps a campaign from having explored everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// So many inputs are waiting.
    Queue(u64),
    /// So many paths have constraints that do not cover everything.
    Incomplete(u64),
    /// So many other ways are undecided.
    Branches(u64),
    /// So many checks are undecided.
    Checks(u64),
    /// So many checks and other ways are decided only for inputs on which no division before them fails.
    Behind(u64),
    /// So many checks can be violated according to the solver, and no run has shown it.
    Unconfirmed(u64),
    /// So many runs left the path that was expected of them.
    Divergences(u64),
    /// So many runs left no trace that can be used.
    Broken(u64),
    /// So many decisions in later iterations of loops that no check depends on were left out.
    Iterations(u64),
}

/// Everything that is missing. Only if that is nothing have all paths for inputs of the seeds' lengths been explored, and all
/// their checks decided.
pub fn missing(counts: &Counts) -> Vec<Missing> {
    let sum = |outcome: &str| -> u64 {
        let of_checks = counts.statistics.iter().filter(|(name, _)| name.starts_with("checks/"));
        of_checks.filter(|(name, _)| name.rsplit('/').next() == Some(outcome)).map(|(_, value)| value).sum()
    };
    let unknown = counts.statistic(statistics::UNKNOWN) + counts.statistic(statistics::OPTIMISTIC);
    let all = [
        (Missing::Queue as fn(u64) -> Missing, counts.new + counts.queued),
        (Missing::Incomplete, counts.paths.saturating_sub(counts.complete)),
        (Missing::Branches, unknown),
        (Missing::Checks, sum("unknown")),
        (Missing::Behind, sum("behind") + counts.statistic(statistics::BEHIND)),
        (Missing::Unconfirmed, sum("violated").saturating_sub(sum("confirmed"))),
        (Missing::Divergences, counts.divergences.values().sum()),
        (Missing::Broken, counts.statistic(statistics::BROKEN)),
        (Missing::Iterations, counts.statistic(statistics::LEFT_OUT)),
    ];
    all.into_iter().filter(|(_, number)| *number > 0).map(|(missing, number)| missing(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_missing_is_named() {
        let mut counts = Counts { paths: 3, complete: 3, ..Counts::default() };
        let mut count = |name: &str, value| {
            counts.statistics.insert(name.to_owned(), value);
        };
        count("checks/shift/safe", 4);
        assert_eq!(missing(&counts), []);
        let mut count = |name: &str, value| {
            counts.statistics.insert(name.to_owned(), value);
        };
        count("checks/shift/violated", 2);
        count("checks/shift/confirmed", 1);
        count("checks/array-index/unknown", 5);
        count("branches/unknown", 6);
        count("checks/assertion/behind", 2);
        count("branches/behind", 1);
        counts.divergences.insert(store::Divergence { site: 9, cause: "unmodelled-call".to_owned() }, 7);
        counts.queued = 1;
        counts.complete = 1;
        let all = [
            Missing::Queue(1),
            Missing::Incomplete(2),
            Missing::Branches(6),
            Missing::Checks(5),
            Missing::Behind(3),
            Missing::Unconfirmed(1),
            Missing::Divergences(7),
        ];
        assert_eq!(missing(&counts), all);
    }
}
