//! All paths of a program: generational search, over a campaign that remembers everything.
//!
//! An input is first run in the replay view, which says what it violates and what it reaches that is new. Then its path is
//! expanded: every check and every branch beyond the place where the input left its parent's path is decided. So no path is
//! expanded twice, and none that can be reached is left out. Any number of [`Worker`]s, in any number of processes, work on
//! the same campaign.

mod conclusion;
mod expansion;
mod findings;
mod inputs;
pub mod statistics;

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use checkers::selection::Selection;
use path::Completeness;
use replay::{End, Outcome};
use run::Status;
use solver::{Combination, Session};
use store::{Campaign, Item, Loss, Order, Work};

pub use self::conclusion::{Missing, missing};
pub use self::findings::{Origin, Record, findings};
pub use self::inputs::{from_store, to_store};
use crate::check::{Error, Subject};

/// How long a worker that has nothing to do waits for others.
const PAUSE: Duration = Duration::from_millis(20);

/// In which order paths are expanded. All are exhaustive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The input first that reached most edges that nothing had reached before.
    #[default]
    Generational,
    /// The input first that was made last.
    DepthFirst,
    /// The input first that was made first.
    BreadthFirst,
    /// Any order, the same each time.
    Random,
}

impl Strategy {
    fn order(self) -> Order {
        match self {
            Strategy::Generational => Order::Score,
            Strategy::DepthFirst => Order::Latest,
            Strategy::BreadthFirst => Order::Earliest,
            Strategy::Random => Order::Random,
        }
    }
}

/// A name that is no strategy's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no strategy is called `{0}`; choose generational, dfs, bfs or random")]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Strategy, UnknownStrategy> {
        match text {
            "generational" => Ok(Strategy::Generational),
            "dfs" => Ok(Strategy::DepthFirst),
            "bfs" => Ok(Strategy::BreadthFirst),
            "random" => Ok(Strategy::Random),
            _ => Err(UnknownStrategy(text.to_owned())),
        }
    }
}

/// How it is explored.
pub struct Settings<'a> {
    /// The checkers that are wanted.
    pub selection: &'a Selection,
    /// How checks share queries.
    pub combination: Combination,
    /// In which order paths are expanded.
    pub strategy: Strategy,
    /// Replays that may be spent on making an input small.
    pub minimise: usize,
    /// Ends everything when it becomes true; what was done until then is kept.
    pub stop: &'a AtomicBool,
    /// What the constraint of a run does not cover, in words.
    pub losses: &'a (dyn Fn(&Completeness, &run::Outcome) -> Vec<Loss> + Sync),
}

/// Does work of a campaign.
pub struct Worker<'a> {
    /// What is explored.
    pub subject: &'a Subject<'a>,
    /// How.
    pub settings: &'a Settings<'a>,
    /// Where everything is kept.
    pub campaign: Campaign,
}

impl Worker<'_> {
    /// Works until there is nothing left to do, or somebody stops it.
    ///
    /// # Errors
    /// If the program cannot be run or the campaign not be written; the work that this happened to is left undone.
    pub fn run(&mut self, session: &mut Session) -> Result<(), Error> {
        while !self.is_stopped() {
            match self.campaign.claim(self.settings.strategy.order())? {
                Work::Replay(item) => self.replay(&item)?,
                Work::Expand(item) => self.expand(session, &item)?,
                Work::Wait => std::thread::sleep(PAUSE),
                Work::Nothing => break,
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
    }

    fn replay(&mut self, item: &Item) -> Result<(), Error> {
        let input = from_store(&item.input);
        let outcome = self.subject.replayer.replay(&input)?;
        if is_interrupted(&outcome) {
            return Ok(self.campaign.release(item.id)?);
        }
        let edges: Vec<u64> = outcome.coverage.edges().map(|edge| edge as u64).collect();
        let mut counted = vec![(statistics::REPLAYS.to_owned(), 1)];
        if outcome.end == End::Other(Status::TimedOut) {
            counted.push((statistics::HANGS.to_owned(), 1));
        }
        let origin = item.cut.as_ref().map_or(Origin::Seed, |cut| Origin::Branch { site: cut.site });
        self.keep(item.id, &input, outcome.violations, &[], None, origin)?;
        self.campaign.replayed(item.id, &edges, true, &counted)?;
        Ok(())
    }
}

fn is_interrupted(outcome: &Outcome) -> bool {
    outcome.end == End::Other(Status::Interrupted)
}
