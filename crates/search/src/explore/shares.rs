//! Who gets the time of a worker: the search of paths or mutation, and which paths.

use std::time::{Duration, Instant};

use store::{Item, Order};

use super::mutation::Mutation;
use super::statistics;

/// How much more mutation there is for the time that is spent on paths that promise little, while it brings something.
const UNPROMISING: u32 = 3;

/// How far one kind of paths may be ahead of the other: where there is none of a kind for long, it need not make up for that.
const MOST_AHEAD: Duration = Duration::from_secs(10);

/// How often it is written down where the time went.
const WRITE: Duration = Duration::from_secs(1);

/// What a worker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doing {
    Mutating,
    Replaying,
    Expanding,
    /// What others do has to be waited for.
    Waiting,
}

/// What the time of a worker went into.
#[derive(Default)]
pub(super) struct Shares {
    /// The search of paths; what promises little counts more than it took.
    pub(super) searched: Duration,
    /// Paths that were expanded from their start on.
    whole: Duration,
    /// Those that leave another one's path.
    children: Duration,
    /// What is to be written down, by what it went into.
    unwritten: [Duration; 3],
    written: Option<Instant>,
}

impl Shares {
    /// Which paths have their turn while there is mutation. It is fast and takes what is new away from others; where scores alone
    /// counted, inputs from negated branches would never have their turn, and hardly a path would come to its end.
    pub(super) fn next(&self) -> Order {
        if self.whole <= self.children { Order::Whole } else { Order::Children }
    }

    /// Counts time that went into the replay of an input. What mutants need is the mutation's to pay: they are inputs only
    /// because it made them.
    pub(super) fn replayed(&mut self, item: &Item, time: Duration, mutation: &mut Mutation) {
        match item.is_mutant() {
            true => mutation.spent += time,
            false => self.searched += time,
        }
    }

    /// Counts time that went into the expansion of a path.
    pub(super) fn expanded(&mut self, item: &Item, time: Duration, mutation: &Mutation) {
        let promises_little = (item.score == 0 || item.skimmed) && !mutation.is_fruitless();
        self.searched += time * if promises_little { UNPROMISING } else { 1 };
        *(if item.cut.is_none() { &mut self.whole } else { &mut self.children }) += time;
        let most = self.whole.min(self.children) + MOST_AHEAD;
        self.whole = self.whole.min(most);
        self.children = self.children.min(most);
    }

    /// Counts where time went; gives what is to be written down, if it is time to.
    pub(super) fn spend(&mut self, doing: Doing, time: Duration) -> Option<Vec<(String, u64)>> {
        let place = match doing {
            Doing::Mutating => 0,
            Doing::Replaying => 1,
            Doing::Expanding => 2,
            Doing::Waiting => return None,
        };
        if let Some(spent) = self.unwritten.get_mut(place) {
            *spent += time;
        }
        let is_due = self.written.is_none_or(|written| written.elapsed() >= WRITE);
        is_due.then(|| self.unwritten())
    }

    /// What is to be written down.
    pub(super) fn unwritten(&mut self) -> Vec<(String, u64)> {
        self.written = Some(Instant::now());
        let names = [statistics::MUTATION_TIME, statistics::REPLAY_TIME, statistics::EXPAND_TIME];
        let spent = std::mem::take(&mut self.unwritten);
        names.iter().zip(spent).map(|(name, time)| ((*name).to_owned(), time.as_micros() as u64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use store::Cut;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn item(parent: Option<i64>, cut: Option<Cut>, score: u64) -> Item {
        Item {
            id: 3,
            input: Default::default(),
            cut,
            parent,
            is_attempt: false,
            generation: 1,
            score,
            postponed: false,
            skimmed: false,
            next: 0,
            time: 0,
            checked: true,
        }
    }

    fn child(score: u64) -> Item {
        item(Some(1), Some(Cut { parent: 1, decisions: 1, site: 0, expected: vec![] }), score)
    }

    /// Replays of mutants counted as search, and took all the time that paths were to have.
    #[test]
    fn mutation_pays_for_its_mutants() {
        let (mut shares, mut mutation) = (Shares::default(), Mutation::new(1));
        shares.replayed(&item(Some(1), None, 0), 3 * SECOND, &mut mutation);
        assert_eq!((shares.searched, mutation.spent), (Duration::ZERO, 3 * SECOND));
        shares.replayed(&child(0), SECOND, &mut mutation);
        shares.replayed(&item(None, None, 0), SECOND, &mut mutation);
        assert_eq!((shares.searched, mutation.spent), (2 * SECOND, 3 * SECOND));
    }

    #[test]
    fn paths_of_both_kinds_have_their_turn() {
        let (mut shares, mutation) = (Shares::default(), Mutation::new(1));
        assert_eq!(shares.next(), Order::Whole);
        shares.expanded(&item(Some(1), None, 1), SECOND, &mutation);
        assert_eq!(shares.next(), Order::Children);
        shares.expanded(&child(1), 2 * SECOND, &mutation);
        assert_eq!((shares.next(), shares.searched), (Order::Whole, 3 * SECOND));
        // There was nothing else for long.
        shares.expanded(&child(1), 100 * SECOND, &mutation);
        shares.expanded(&item(Some(1), None, 1), MOST_AHEAD, &mutation);
        assert_eq!(shares.next(), Order::Whole);
        shares.expanded(&item(Some(1), None, 1), SECOND, &mutation);
        assert_eq!(shares.next(), Order::Children);
    }

    #[test]
    fn all_time_is_written_down_once() {
        let mut shares = Shares::default();
        assert!(shares.spend(Doing::Waiting, SECOND).is_none());
        let first = shares.spend(Doing::Mutating, SECOND).unwrap();
        assert!(first.contains(&(statistics::MUTATION_TIME.to_owned(), 1_000_000)));
        assert!(shares.spend(Doing::Expanding, SECOND).is_none(), "it is not time to");
        assert!(shares.unwritten().contains(&(statistics::EXPAND_TIME.to_owned(), 1_000_000)));
        assert!(shares.unwritten().iter().all(|(_, time)| *time == 0));
    }
}
