//! How long the solver is waited for.

use std::collections::HashMap;
use std::time::Duration;

use solver::Budget;

/// Less would give up what is hardly a question at all.
const SHORTEST: Duration = Duration::from_millis(50);

/// Queries that may run out of time after all of it is used up. Each costs the solver what it has learnt, too, so that the next
/// one has little chance.
const LAST_TRIES: u32 = 8;

/// Decides what a query of a path may cost by what came of those before.
///
/// What is hard once, such as a hash that is to have a certain value, is hard again in the next round of the loop, so every
/// further query from a place whose query ran out of time gets half of it. And all queries that run out of time together
/// may take no longer than those that do not, beyond an advance, so a path is never waited for much longer than it is worth.
/// When that is used up there are a few more tries; then nothing is asked until others have taken longer.
pub struct Patience {
    /// How much of one query's time queries without an answer may take before there are any with one.
    advance: f64,
    /// Queries without an answer, by their places in the program.
    unanswered: HashMap<u32, u32>,
    /// Time of queries that were answered.
    spent: Duration,
    /// Time of those that were not.
    wasted: Duration,
    /// Queries that ran out of time when none was left.
    last_tries: u32,
}

impl Patience {
    /// Patience with queries none of which was asked yet.
    pub fn with_advance(advance: f64) -> Patience {
        Patience { advance, unanswered: HashMap::new(), spent: Duration::ZERO, wasted: Duration::ZERO, last_tries: 0 }
    }

    /// What a query from a site may cost, of which none may cost more than `whole`.
    pub fn budget(&self, site: u32, whole: Budget) -> Budget {
        let halvings = self.unanswered.get(&site).copied().unwrap_or(0).min(16);
        let left = self.left(whole);
        if left.is_zero() && self.last_tries >= LAST_TRIES {
            return Budget { time: Duration::ZERO, ..whole };
        }
        let time = (whole.time / (1 << halvings)).min(left).max(SHORTEST.min(whole.time));
        Budget { time, ..whole }
    }

    /// What queries that run out of time may still take.
    fn left(&self, whole: Budget) -> Duration {
        (whole.time.mul_f64(self.advance) + self.spent).saturating_sub(self.wasted)
    }

    /// Takes note of the time that a query took, of which it might have taken `whole`, and whether it ran out of it.
    pub fn learn(&mut self, site: u32, whole: Budget, ran_out: bool, time: Duration) {
        if ran_out {
            self.last_tries += u32::from(self.left(whole).is_zero());
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
        patience.learn(7, whole(), !RAN_OUT, 100 * SECOND);
        assert_eq!(patience.budget(7, whole()), whole());
        patience.learn(7, whole(), RAN_OUT, SECOND);
        assert_eq!(patience.budget(7, whole()).time, SECOND / 2);
        assert_eq!(patience.budget(8, whole()), whole());
        (0..20).for_each(|_| patience.learn(7, whole(), RAN_OUT, SHORTEST));
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
            patience.learn(site, whole(), RAN_OUT, time);
            time
        };
        assert_eq!(fail(&mut patience), SECOND / 5);
        assert_eq!(fail(&mut patience), SHORTEST);
        patience.learn(0, whole(), !RAN_OUT, 2 * SECOND);
        assert_eq!(fail(&mut patience), SECOND);
        assert_eq!(fail(&mut patience), SECOND - SHORTEST);
        (1..LAST_TRIES).for_each(|_| assert_eq!(fail(&mut patience), SHORTEST));
        assert_eq!(fail(&mut patience), Duration::ZERO);
        patience.learn(0, whole(), !RAN_OUT, 3 * SECOND);
        assert_eq!(fail(&mut patience), SECOND);
    }
}
