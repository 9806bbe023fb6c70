//! What lasts longer than a path: backend, caches, statistics.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use expr::{BitVec, Claim, Input, Model, Sort, Store, Term, Var};
use thiserror::Error;

use crate::answer::{Answer, BackendChoice, Budget, Reason};
use crate::backend::{self, Backend, BackendQuery, Outcome};
use crate::dump::Dump;
use crate::path::PathSolver;
use crate::stats::{Stats, Tier};
use crate::tiers::canonical::canonical;
use crate::tiers::query_cache::{Cached, QueryCache};

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
    pub(crate) dump: Option<Dump>,
}

/// The terms whose values make up a model.
pub(crate) struct Wanted {
    vars: Vec<(Var, Term)>,
    /// Array variable, index, element.
    elements: Vec<(Var, Term, Term)>,
}

/// What the cache or the backend said, before it is checked.
pub(crate) enum Raw {
    Sat(Model, Tier),
    Unsat,
    Unknown(Reason),
}

impl Session {
    /// Starts a session.
    pub fn new(config: Config) -> Result<Session, SessionError> {
        let cache = match &config.query_cache {
            None => QueryCache::default(),
            Some(path) => {
                QueryCache::open(path).map_err(|error| SessionError::QueryCache { path: path.clone(), error })?
            }
        };
        let dump = match &config.dump {
            None => None,
            Some(path) => Some(Dump::new(path).map_err(|error| SessionError::Dump { path: path.clone(), error })?),
        };
        let backend =
            if config.in_process { backend::make_in_process(&config.backend) } else { backend::make(&config.backend) };
        Ok(Session { config, stats: Stats::default(), next_lineage: 0, backend, cache, dump })
    }

    /// What has been done so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
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

    /// The query cache, then the backend. Values that are not asked for are those of `base`.
    pub(crate) fn ask(
        &mut self,
        store: &mut Store,
        lineage: Option<u64>,
        constraints: &[Term],
        goals: &[Term],
        base: &Model,
    ) -> Raw {
        let started = Instant::now();
        let cacheable = self.enabled(Tier::QueryCache);
        let named = if cacheable { canonical(store, constraints.iter().chain(goals).copied()) } else { None };
        let named = named.filter(|named| named.vars.iter().all(|var| matches!(store.var_sort(*var), Sort::BitVec(_))));
        if let Some(named) = &named {
            let found = match self.cache.get(named.key) {
                Some(Cached::Unsat) => Some(Raw::Unsat),
                Some(Cached::Sat(values)) if values.len() == named.vars.len() => {
                    Some(Raw::Sat(with_values(store, base, named.vars.iter().copied().zip(values)), Tier::QueryCache))
                }
                _ => None,
            };
            self.stats.measure(Tier::QueryCache, started, found.as_ref().map(|raw| matches!(raw, Raw::Sat(..))));
            if let Some(found) = found {
                return found;
            }
        }
        let raw = self.ask_backend(store, lineage, constraints, goals, base);
        if let Some(named) = named {
            match &raw {
                Raw::Unsat => self.cache.insert(named.key, Cached::Unsat),
                Raw::Sat(model, _) => {
                    let values = named.vars.iter().map(|var| model.value(store, *var)).collect();
                    self.cache.insert(named.key, Cached::Sat(values));
                }
                Raw::Unknown(_) => {}
            }
        }
        raw
    }

    fn ask_backend(
        &mut self,
        store: &mut Store,
        lineage: Option<u64>,
        constraints: &[Term],
        goals: &[Term],
        base: &Model,
    ) -> Raw {
        let started = Instant::now();
        let wanted = Wanted::of(store, constraints, goals);
        let terms = wanted.terms();
        let query = BackendQuery { lineage, constraints, goals, wanted: &terms };
        let outcome = self.backend.solve(store, &query, &self.config.budget);
        let raw = match outcome {
            Outcome::Unsat => Raw::Unsat,
            Outcome::Unknown(reason) => Raw::Unknown(reason),
            Outcome::Sat(values) => Raw::Sat(wanted.model(store, base, &terms, &values), Tier::Backend),
        };
        let verdict = match raw {
            Raw::Sat(..) => Some(true),
            Raw::Unsat => Some(false),
            Raw::Unknown(_) => None,
        };
        self.stats.measure(Tier::Backend, started, verdict);
        if let Some(dump) = &mut self.dump {
            dump.write(store, constraints, goals, base, verdict);
        }
        raw
    }
}

/// `base` with these values, as far as they differ from it.
fn with_values<'a>(store: &Store, base: &Model, values: impl Iterator<Item = (Var, &'a BitVec)>) -> Model {
    let mut model = base.clone();
    for (var, value) in values {
        if base.value(store, var) != *value {
            model.set(var, value.clone());
        }
    }
    model
}

impl Wanted {
    /// All variables of a query; for array variables the elements that it reads.
    fn of(store: &mut Store, constraints: &[Term], goals: &[Term]) -> Wanted {
        let roots = [constraints, goals].concat();
        let mut vars = Vec::new();
        let mut arrays = false;
        for var in expr::variables(store, &roots) {
            match store.var_sort(var) {
                Sort::BitVec(_) => vars.push((var, store.var_term(var))),
                Sort::Array { .. } => arrays = true,
            }
        }
        let elements = if arrays { read_elements(store, &roots) } else { Vec::new() };
        Wanted { vars, elements }
    }

    fn terms(&self) -> Vec<Term> {
        let elements = self.elements.iter().flat_map(|(_, index, element)| [*index, *element]);
        self.vars.iter().map(|(_, term)| *term).chain(elements).collect()
    }

    fn model(&self, store: &Store, base: &Model, terms: &[Term], values: &[BitVec]) -> Model {
        let (vars, elements) = values.split_at(self.vars.len().min(values.len()));
        let mut model = with_values(store, base, self.vars.iter().map(|(var, _)| *var).zip(vars));
        debug_assert_eq!(terms.len(), values.len());
        for ((array, ..), pair) in self.elements.iter().zip(elements.chunks_exact(2)) {
            if let [index, element] = pair {
                model.set_element(*array, index.clone(), element.clone());
            }
        }
        model
    }
}

/// For every `select`: the variables that its array is made of, with its index and the element of the variable there.
fn read_elements(store: &mut Store, roots: &[Term]) -> Vec<(Var, Term, Term)> {
    let mut found = Vec::new();
    for term in expr::postorder(store, roots, |_| false) {
        if store.kind(term) != expr::Kind::Select {
            continue;
        }
        let [array, index, _] = store.node(term).operands;
        let inside = expr::postorder(store, &[array], |part| matches!(store.sort(part), Sort::BitVec(_)));
        for part in inside {
            let Some(var) = store.var_of(part) else { continue };
            if let Ok(element) = store.raw(expr::Kind::Select, &[part, index], 0, 0) {
                found.push((var, index, element));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
