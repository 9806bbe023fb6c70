//! All paths of a program: generational search, over a campaign that remembers everything.
//!
//! An input is first run in the replay view, which says what it violates and what it reaches that is new. Then its path is
//! expanded: every check and every branch beyond the place where the input left its parent's path is decided. So no path is
//! expanded twice, and none that can be reached is left out. Where it is wanted, [`Mutating`] makes inputs by chance in between. Any number of [`Worker`]s, in any number of processes, work on
//! the same campaign.

mod conclusion;
mod expansion;
mod findings;
mod inputs;
mod iterations;
mod mutation;
mod shares;
mod start;
pub mod statistics;

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use checkers::selection::Selection;
use path::Completeness;
use replay::{Coverage, End, Outcome};
use run::Status;
use rustc_hash::FxHashMap;
use solver::{Combination, Session};
use store::{Campaign, Finding, Item, Loss, Order, Work};

pub use self::conclusion::{Missing, missing};
pub use self::findings::{Origin, Record, Step, Turn, findings};
pub use self::inputs::{from_store, to_store};
pub use self::mutation::Mutating;
use crate::check::{Error, Subject};
use crate::novelty::Novelty;
use crate::reached::Reached;
use findings::Way;
use mutation::Mutation;
use shares::{Doing, Shares};

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
    /// What is done about loops.
    pub loops: crate::loops::Settings,
    /// Replays that may be spent on making an input small.
    pub minimise: usize,
    /// Ends everything when it becomes true; what was done until then is kept.
    pub stop: &'a AtomicBool,
    /// Whether inputs are made by chance, too.
    pub mutating: Option<Mutating<'a>>,
    /// What the constraint of a run does not cover, in words.
    pub losses: &'a (dyn Fn(&Completeness, &run::Outcome) -> Vec<Loss> + Sync),
}

/// What the workers of a process know in common. All of it can be lost: it only says what is worth doing first, but for what could not be
/// written to the campaign's file.
#[derive(Default)]
pub struct Shared {
    /// What inputs of the campaign reached.
    reached: Mutex<Reached>,
    /// What mutants reached.
    mutated: Mutex<Reached>,
    /// What mutants reached that crashed.
    crashed: Mutex<Reached>,
    novelty: Mutex<Novelty>,
    /// How often many iterations of a loop were tried, by the loop's number.
    tried_loops: Mutex<FxHashMap<u32, u32>>,
    workers: AtomicU64,
    unsaved: Mutex<Vec<Finding>>,
}

impl Shared {
    /// What was found, and could not be written to the campaign's file.
    pub fn unsaved(&self) -> Vec<Finding> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What came of a run in the replay view, beside findings.
struct Passive {
    coverage: Coverage,
    /// What is to be counted.
    counted: Vec<(String, u64)>,
}

/// Does work of a campaign.
pub struct Worker<'a> {
    subject: &'a Subject<'a>,
    settings: &'a Settings<'a>,
    shared: &'a Shared,
    campaign: Campaign,
    mutation: Mutation,
    shares: Shares,
}

impl<'a> Worker<'a> {
    /// A worker on a campaign.
    pub fn new(
        subject: &'a Subject<'a>,
        settings: &'a Settings<'a>,
        shared: &'a Shared,
        campaign: Campaign,
    ) -> Worker<'a> {
        let number = shared.workers.fetch_add(1, Ordering::Relaxed);
        let mutation = Mutation::new(number + 1);
        Worker { subject, settings, shared, campaign, mutation, shares: Shares::default() }
    }

    /// Works until there is nothing left to do, or somebody stops it.
    ///
    /// # Errors
    /// If the program cannot be run or the campaign not be written; the work that this happened to is left undone.
    pub fn run(&mut self, session: &mut Session) -> Result<(), Error> {
        let mut result = Ok(true);
        while !self.is_stopped() && matches!(result, Ok(true)) {
            result = self.work(session);
        }
        let unwritten = self.shares.unwritten();
        let counted = self.campaign.count(&unwritten);
        // What ended the work says more than that it could not be counted.
        result?;
        Ok(counted?)
    }

    /// Does one piece of work; whether there was any.
    fn work(&mut self, session: &mut Session) -> Result<bool, Error> {
        let started = Instant::now();
        let mutating = self.settings.mutating.as_ref();
        let doing = match mutating {
            Some(mutating) if self.mutation.spent < self.shares.searched => {
                self.mutate(mutating)?;
                Doing::Mutating
            }
            _ => match (self.campaign.claim(self.order())?, mutating) {
                (Work::Replay(item), _) => {
                    self.replay(&item)?;
                    self.shares.replayed(&item, started.elapsed(), &mut self.mutation);
                    Doing::Replaying
                }
                (Work::Expand(item), _) => {
                    self.expand(session, &item)?;
                    self.shares.expanded(&item, started.elapsed(), &self.mutation);
                    Doing::Expanding
                }
                (Work::Wait, None) => {
                    std::thread::sleep(PAUSE);
                    Doing::Waiting
                }
                (Work::Nothing, Some(_)) if missing(&self.campaign.counts()?).is_empty() => return Ok(false),
                (Work::Nothing, None) => return Ok(false),
                (Work::Wait | Work::Nothing, Some(mutating)) => {
                    self.mutate(mutating)?;
                    self.shares.searched += started.elapsed();
                    Doing::Mutating
                }
            },
        };
        if let Some(spent) = self.shares.spend(doing, started.elapsed()) {
            self.campaign.count(&spent)?;
        }
        Ok(true)
    }

    fn order(&self) -> Order {
        match self.settings.strategy.order() {
            Order::Score if self.settings.mutating.is_some() => self.shares.next(),
            order => order,
        }
    }

    /// Whether a walk goes on after something was done on it; what went wrong is kept.
    fn goes_on(&self, result: Result<(), Error>, failed: &mut Option<Error>) -> ControlFlow<()> {
        match result {
            Ok(()) if !self.is_stopped() => return ControlFlow::Continue(()),
            Ok(()) => {}
            Err(error) => *failed = Some(error),
        }
        ControlFlow::Break(())
    }

    fn is_stopped(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
    }

    /// Runs a new input: what it reaches gives it a score, what it violates is found.
    fn replay(&mut self, item: &Item) -> Result<(), Error> {
        let Passive { coverage, counted } = match self.reaches_nothing_new(item)? {
            Some(coverage) => Passive { coverage, counted: vec![] },
            None => match self.passive(item)? {
                Some(run) => run,
                None => return Ok(self.campaign.release(item.id)?),
            },
        };
        let mut hits = self.reached().new_hits(&coverage);
        if item.is_attempt || (item.is_mutant() && self.settings.mutating.is_none()) {
            // It was made for many iterations: that it takes edges more often says nothing.
            let reached = self.reached();
            hits.retain(|hit| !reached.knows(hit.edge));
        }
        self.campaign.replayed(item.id, &hits, &counted)?;
        // Not before it is in the campaign.
        self.reached().add(&hits);
        Ok(())
    }

    /// Where there is a coverage view, most inputs are seen there to reach nothing new. What those violate is looked at when
    /// their turn comes; that of a mutant would never come, and an error that does no harm there would never be seen.
    fn reaches_nothing_new(&self, item: &Item) -> Result<Option<Coverage>, Error> {
        let is_optional = item.is_mutant() || item.is_attempt;
        let Some(mutating) = self.settings.mutating.as_ref().filter(|_| !is_optional) else { return Ok(None) };
        // What takes long is left to the replay view.
        let outcome = mutating.coverage.replay_within(&from_store(&item.input), self.mutation.limit())?;
        let is_usual = matches!(outcome.end, End::Other(Status::Exited(_)));
        let reaches_nothing = is_usual && self.reached().new_hits(&outcome.coverage).is_empty();
        Ok(reaches_nothing.then_some(outcome.coverage))
    }

    /// Runs an input in the replay view and keeps what it violates. Gives what it reaches, and what is to be counted; nothing
    /// if somebody interrupted it.
    fn passive(&mut self, item: &Item) -> Result<Option<Passive>, Error> {
        let input = from_store(&item.input);
        let outcome = self.subject.replayer.replay(&input)?;
        if is_interrupted(&outcome) {
            return Ok(None);
        }
        let mut counted = vec![(statistics::REPLAYS.to_owned(), 1)];
        if outcome.end == End::Other(Status::TimedOut) {
            counted.push((statistics::HANGS.to_owned(), 1));
            self.campaign.hangs_with(item.id)?;
        }
        let origin = match (&item.cut, item.parent) {
            (Some(cut), _) => Origin::Branch { site: cut.site },
            (None, Some(_)) => Origin::Mutation,
            (None, None) => Origin::Seed,
        };
        let steps = match &item.cut {
            Some(cut) => vec![Step { site: cut.site, turn: Turn::Other }],
            None => vec![],
        };
        self.keep(
            item.id,
            &input,
            outcome.violations,
            &Way { prediction: None, follows: false, armed: &[], origin, steps },
        )?;
        self.campaign.checked(item.id)?;
        Ok(Some(Passive { coverage: outcome.coverage, counted }))
    }

    fn reached(&self) -> std::sync::MutexGuard<'_, Reached> {
        self.shared.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn novelty(&self) -> std::sync::MutexGuard<'_, Novelty> {
        self.shared.novelty.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_interrupted(outcome: &Outcome) -> bool {
    outcome.end == End::Other(Status::Interrupted)
}
