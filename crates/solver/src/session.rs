//! What lasts longer than a path: backend, caches, statistics.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use expr::{BitVec, Claim, Input, Model, Sort, Store, Term};
use thiserror::Error;

use crate::answer::{Answer, BackendChoice, Budget, Reason};
use crate::backend::{self, Backend, BackendQuery, Outcome};
use crate::dump::Dump;
use crate::path::PathSolver;
use crate::stats::{Stats, Tier};
use crate::tiers::canonical::{Canonical, Namer};
use crate::tiers::query_cache::{Cached, QueryCache};
use crate::wanted::{Wanted, with_values};

/// How a session works.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Which solver answers what the tiers leave over.
    pub backend: BackendChoice,
    /// What one query may cost there.
    pub budget: Budget,
    /// Tiers that are not asked, for measurements. The backend is always asked.
    pub disabled: Vec<Tier>,
    /// Whether every query gets the whole path and not only its slice, for measurements.
    pub no_slicing: bool,
    /// Where answers are kept between runs.
    pub query_cache: Option<PathBuf>,
    /// Folder that gets a file for every query that reaches the backend.
    pub dump: Option<PathBuf>,
    /// Whether a query without a model is asked again with the constraints on the goal's own bytes only.
    pub optimistic: bool,
    /// Runs linked solvers in this process even where a worker is possible.
    pub in_process: bool,
}

/// A session that cannot be started.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The query cache cannot be opened.
    #[error("cannot open the query cache {path}: {error}; remove it or choose another place")]
    QueryCache {
        /// Its path.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A limit that the backend does not know.
    #[error("{0} cannot limit the number of conflicts; limit the time or the memory of a query, or choose z3")]
    Conflicts(BackendChoice),
    /// The folder for dumps cannot be made.
    #[error("cannot make the folder {path} for dumped queries: {error}")]
    Dump {
        /// Its path.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// Solves the queries of a run.
pub struct Session {
    pub(crate) config: Config,
    pub(crate) stats: Stats,
    pub(crate) next_lineage: u64,
    backend: Box<dyn Backend>,
    cache: QueryCache,
    namer: Namer,
    pub(crate) dump: Option<Dump>,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

/// What the cache and the backend are asked.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    /// The group that the constraints are, if they are one.
    pub lineage: Option<u64>,
    pub constraints: &'a [Term],
    pub goals: &'a [Term],
    /// Has the values that are not asked for.
    pub base: &'a Model,
}

/// What the cache or the backend said, before it is checked.
pub(crate) enum Raw {
    Sat(Model, Tier),
    Unsat,
    Unknown(Reason),
}

impl Raw {
    /// Whether there is a model, if that is known.
    fn verdict(&self) -> Option<bool> {
        match self {
            Raw::Sat(..) => Some(true),
            Raw::Unsat => Some(false),
            Raw::Unknown(_) => None,
        }
    }
}

impl Session {
    /// Starts a session.
    pub fn new(config: Config) -> Result<Session, SessionError> {
        if config.budget.conflicts.is_some() && config.backend != BackendChoice::Z3 {
            return Err(SessionError::Conflicts(config.backend));
        }
        let open_cache = |path: &PathBuf| {
            QueryCache::open(path).map_err(|error| SessionError::QueryCache { path: path.clone(), error })
        };
        let open_dump =
            |path: &PathBuf| Dump::new(path).map_err(|error| SessionError::Dump { path: path.clone(), error });
        let cache = config.query_cache.as_ref().map(open_cache).transpose()?.unwrap_or_default();
        let dump = config.dump.as_ref().map(open_dump).transpose()?;
        let backend = backend::make(&config.backend, config.in_process);
        let (stats, deadline, stop) = (Stats::default(), None, None);
        Ok(Session { config, stats, next_lineage: 0, backend, cache, namer: Namer::default(), dump, deadline, stop })
    }

    /// What has been done so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// What one query may cost.
    pub fn budget(&self) -> Budget {
        self.config.budget
    }

    /// Lets queries cost more or less from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.config.budget = budget;
    }

    /// Lets no backend work beyond a moment: what would be asked later has no answer.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Gives up the query that is being solved, and all later ones, when the flag becomes true.
    pub fn stop_when(&mut self, flag: &Arc<AtomicBool>) {
        self.stop = Some(Arc::clone(flag));
    }

    /// Whether the flag that ends queries is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// A solver for a path that was taken by `input`.
    pub fn path(&mut self, input: Arc<Input>) -> PathSolver<'_> {
        PathSolver::new(self, Model::of_input(input))
    }

    /// Whether all of the one-bit constraints can hold together. Variables that they leave open get their values from
    /// `base`. A model has been evaluated against the constraints' originals.
    pub fn solve<C>(&mut self, store: &mut Store, constraints: &[C], base: &Model) -> Answer
    where
        C: Copy + Into<Claim>,
    {
        let claims: Vec<Claim> = constraints.iter().map(|constraint| (*constraint).into()).collect();
        crate::standalone::solve(self, store, &claims, base)
    }

    pub(crate) fn enabled(&self, tier: Tier) -> bool {
        !self.config.disabled.contains(&tier)
    }

    /// The query cache, then the backend. Where the cache has a wrong model, [`Session::ask_again`].
    pub(crate) fn ask(&mut self, store: &mut Store, query: Query<'_>) -> Raw {
        let started = Instant::now();
        let Some(named) = self.name(store, query) else {
            return self.ask_backend(store, query);
        };
        let fits = |values: &[BitVec]| {
            values.len() == named.vars.len()
                && named.vars.iter().zip(values).all(|(var, value)| store.var_sort(*var) == Sort::BitVec(value.width()))
        };
        let found = match self.cache.get(named.key) {
            Some(Cached::Unsat) => Some(Raw::Unsat),
            Some(Cached::Sat(values)) if fits(values) => {
                Some(Raw::Sat(with_values(store, query.base, named.vars.iter().copied().zip(values)), Tier::QueryCache))
            }
            _ => None,
        };
        self.stats.measure(Tier::QueryCache, started, found.as_ref().and_then(Raw::verdict));
        match found {
            Some(found) => found,
            None => self.ask_and_keep(store, query, named),
        }
    }

    /// The backend, about a query for which the cache had a wrong model; then it has the backend's.
    pub(crate) fn ask_again(&mut self, store: &mut Store, query: Query<'_>) -> Raw {
        match self.name(store, query) {
            Some(named) => self.ask_and_keep(store, query, named),
            None => self.ask_backend(store, query),
        }
    }

    /// The name of a query that can be in the cache.
    fn name(&mut self, store: &Store, query: Query<'_>) -> Option<Canonical> {
        let named =
            if self.enabled(Tier::QueryCache) { self.namer.name(store, query.constraints, query.goals) } else { None };
        named.filter(|named| named.vars.iter().all(|var| matches!(store.var_sort(*var), Sort::BitVec(_))))
    }

    fn ask_and_keep(&mut self, store: &mut Store, query: Query<'_>, named: Canonical) -> Raw {
        let raw = self.ask_backend(store, query);
        match &raw {
            Raw::Unsat => self.cache.insert(named.key, Cached::Unsat),
            Raw::Sat(model, _) => {
                let values = named.vars.iter().map(|var| model.value(store, *var)).collect();
                self.cache.insert(named.key, Cached::Sat(values));
            }
            Raw::Unknown(_) => {}
        }
        raw
    }

    fn ask_backend(&mut self, store: &mut Store, query: Query<'_>) -> Raw {
        let Query { lineage, constraints, goals, base } = query;
        let stop = self.stop.as_deref();
        if self.is_stopped() {
            return Raw::Unknown(Reason::Stopped);
        }
        if self.config.budget.time.is_zero() {
            return Raw::Unknown(Reason::Time);
        }
        let started = Instant::now();
        let left = self.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(started));
        if left.is_zero() {
            return Raw::Unknown(Reason::Deadline);
        }
        let wanted = Wanted::of(store, constraints, goals);
        let terms = wanted.terms();
        let near = wanted.values(store, base);
        let query = BackendQuery { lineage, constraints, goals, wanted: &terms, near: &near, stop };
        let budget = Budget { time: self.config.budget.time.min(left), ..self.config.budget };
        let raw = match self.backend.solve(store, &query, &budget) {
            Outcome::Unsat => Raw::Unsat,
            Outcome::Unknown(Reason::Time) if budget.time == left => Raw::Unknown(Reason::Deadline),
            Outcome::Unknown(reason) => Raw::Unknown(reason),
            Outcome::Sat(values) => Raw::Sat(wanted.model(store, base, &values), Tier::Backend),
        };
        self.stats.measure(Tier::Backend, started, raw.verdict());
        if let Some(dump) = &mut self.dump {
            dump.write(store, constraints, goals, base, raw.verdict());
        }
        raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A product is 12, and smaller without the high byte if a third factor comes in.
    fn terms(store: &mut Store) -> (Term, Term) {
        let product = expr::parse_term(store, "(eq (mul (zext 16 part0[0]) (zext 16 part0[1])) 12)").unwrap();
        let goal = expr::parse_term(store, "(ult (mul part0[0] (mul part0[1] part0[2])) 9)").unwrap();
        (product, goal)
    }

    #[test]
    fn a_wrong_model_of_the_cache_leads_to_the_backend() {
        let disabled = vec![Tier::Domains, Tier::Models, Tier::Inversion];
        let mut session = Session::new(Config { in_process: true, disabled, ..Config::default() }).unwrap();
        let mut store = Store::new();
        let (product, goal) = terms(&mut store);
        let named = Namer::default().name(&store, &[product], &[goal]).unwrap();
        for wrong in [BitVec::new(8, 1), BitVec::new(100, 1)] {
            session.cache.insert(named.key, Cached::Sat(vec![wrong; named.vars.len()]));
            // The answer takes the place of what was wrong.
            for from in [Tier::Backend, Tier::QueryCache] {
                let mut path = session.path(Arc::new(Input { parts: vec![vec![3, 4, 5]] }));
                path.push(&mut store, product);
                let Answer::Sat(solution) = path.query(&mut store, goal) else { panic!("there is an answer") };
                assert_eq!(solution.tier, from);
            }
            assert_eq!(session.stats.wrong_models, 0);
        }
        let both = Namer::default().name(&store, &[product, goal], &[]).unwrap();
        session.cache.insert(both.key, Cached::Sat(vec![BitVec::new(8, 1); both.vars.len()]));
        let answer = session.solve(&mut store, &[product, goal], &Model::new());
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    }
}
