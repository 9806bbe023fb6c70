//! How long the solver is waited for.

use std::collections::HashMap;
use std::time::Duration;

use solver::{Answer, Budget, Reason};

/// Less would give up what is hardly a question at all.
const SHORTEST: Duration = Duration::from_millis(50);

/// Places in the program whose queries ran out of time on a path. What is hard once, such as a hash that is to have a certain
/// value, is hard again in the next round of the loop, so every further query from there gets half of the time: all of
/// them together cost no more than two that do not end.
#[derive(Default)]
pub struct Patience {
    unanswered: HashMap<u32, u32>,
}

impl Patience {
    /// What a query from a site may cost.
    pub fn budget(&self, site: u32, whole: Budget) -> Budget {
        let halvings = self.unanswered.get(&site).copied().unwrap_or(0).min(16);
        let time = (whole.time / (1 << halvings)).max(SHORTEST.min(whole.time));
        Budget { time, ..whole }
    }

    /// Takes note of an answer.
    pub fn learn(&mut self, site: u32, answer: &Answer) {
        if matches!(answer, Answer::Unknown(Reason::Time)) {
            *self.unanswered.entry(site).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_that_ran_out_of_time_get_less_of_it() {
        let whole = Budget { time: Duration::from_secs(1), ..Budget::default() };
        let mut patience = Patience::default();
        patience.learn(7, &Answer::Unsat);
        patience.learn(7, &Answer::Unknown(Reason::Memory));
        assert_eq!(patience.budget(7, whole), whole);
        patience.learn(7, &Answer::Unknown(Reason::Time));
        assert_eq!(patience.budget(7, whole).time, Duration::from_millis(500));
        assert_eq!(patience.budget(8, whole), whole);
        (0..100).for_each(|_| patience.learn(7, &Answer::Unknown(Reason::Time)));
        assert_eq!(patience.budget(7, whole).time, SHORTEST);
        let short = Budget { time: Duration::from_millis(10), ..whole };
        assert_eq!(patience.budget(7, short), short);
    }
}
