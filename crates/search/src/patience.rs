//! How long the solver is waited for.

use std::collections::HashMap;
use std::time::Duration;

use solver::Budget;

/// Less would give up what is hardly a question at all.
const SHORTEST: Duration = Duration::from_millis(50);

/// Decides what a query of a path may cost by what came of those before.
///
/// What is hard once, such as a hash that is to have a certain value, is hard again in the next round of the loop, so every
/// further query from a place whose query ran out of time gets half of it. And all queries that run out of time together
/// may take no longer than those that do not, beyond an advance, so a path is never waited for much longer than it is worth.
pub struct Patience {
    /// How much of one query's time queries without an answer may take before there are any with one.
    advance: f64,
    /// Queries without an answer, by their places in the program.
    unanswered: HashMap<u32, u32>,
    /// Time of queries that were answered.
    spent: Duration,
    /// Time of those that were not.
    wasted: Duration,
}

impl Patience {
    /// Patience with queries none of which was asked yet.
    pub fn with_advance(advance: f64) -> Patience {
        Patience { advance, unanswered: HashMap::new(), spent: Duration::ZERO, wasted: Duration::ZERO }
    }

    /// What a query from a site may cost, of which none may cost more than `whole`.
    pub fn budget(&self, site: u32, whole: Budget) -> Budget {
        let halvings = self.unanswered.get(&site).copied().unwrap_or(0).min(16);
        let left = (whole.time.mul_f64(self.advance) + self.spent).saturating_sub(self.wasted);
        let time = (whole.time / (1 << halvings)).min(left).max(SHORTEST.min(whole.time));
        Budget { time, ..whole }
    }

    /// Takes note of the time that a query took, and whether it ran out of it.
    pub fn learn(&mut self, site: u32, ran_out: bool, time: Duration) {
        if ran_out {
            *self.unanswered.entry(site).or_default() += 1;
            self.wasted += time;
        } else {
            self.spent += time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const RAN_OUT: bool = true;

    fn whole() -> Budget {
        Budget { time: SECOND, ..Budget::default() }
    }

    #[test]
    fn sites_that_ran_out_of_time_get_less_of_it() {
        let mut patience = Patience::with_advance(0.2);
        patience.learn(7, !RAN_OUT, 100 * SECOND);
        assert_eq!(patience.budget(7, whole()), whole());
        patience.learn(7, RAN_OUT, SECOND);
        assert_eq!(patience.budget(7, whole()).time, SECOND / 2);
        assert_eq!(patience.budget(8, whole()), whole());
        (0..20).for_each(|_| patience.learn(7, RAN_OUT, SHORTEST));
        assert_eq!(patience.budget(7, whole()).time, SHORTEST);
        let short = Budget { time: SHORTEST / 5, ..whole() };
        assert_eq!(patience.budget(7, short), short);
    }

    #[test]
    fn what_runs_out_of_time_takes_no_longer_than_what_does_not() {
        let mut patience = Patience::with_advance(0.2);
        let mut site = 0;
        let mut fail = |patience: &mut Patience| {
            site += 1;
            let time = patience.budget(site, whole()).time;
            patience.learn(site, RAN_OUT, time);
            time
        };
        assert_eq!(fail(&mut patience), SECOND / 5);
        assert_eq!(fail(&mut patience), SHORTEST);
        patience.learn(0, !RAN_OUT, 2 * SECOND);
        assert_eq!(fail(&mut patience), SECOND);
        assert_eq!(fail(&mut patience), SECOND - SHORTEST);
        assert_eq!(fail(&mut patience), SHORTEST);
    }
}
