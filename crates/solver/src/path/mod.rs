//! All questions about one path.

mod combine;
mod deep;
mod fixed;
mod light;
mod originals;
mod quick;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;

use expr::{BitVec, Claim, Evaluator, Kind, Model, Sort, Store, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::{Answer, Budget, Reason, Solution};
use crate::session::{Query, Raw, Session};
use crate::stats::Tier;
use crate::tiers::bounds;
use crate::tiers::byte_set::{ByteSet, ByteSets};
use crate::tiers::choices::Choices;
use crate::tiers::groups::Groups;
use crate::tiers::hope::Hope;
use crate::tiers::inversion::Proposal;
use crate::tiers::twins::Twins;
use crate::tiers::what_if::{Evaluated, Single, WhatIf};
use combine::Known;
use deep::Deep;
use fixed::Compared;
use light::Light;
use originals::Originals;

pub use combine::{Combination, Combined, Decision, UnknownCombination};

/// Of a query's time, the part that a deep goal may take: it is answered soon or never. Less than a moment is nothing to ask in.
const DEEP_SHARE: u32 = 16;
const MOMENT: Duration = Duration::from_millis(10);

/// Models kept for later questions.
const RECENT_MODELS: usize = 8;

/// Solves queries about a path whose constraints are added in order.
///
/// Use one store for all terms of a path.
pub struct PathSolver<'s> {
    session: &'s mut Session,
    evaluated: Evaluated,
    originals: Originals,
    groups: Groups,
    light: Light,
    deep: Deep,
    /// Of answers by climbing.
    hope: Hope,
    /// Of answers by chance.
    luck: Hope,
    constraints: FxHashSet<Term>,
    /// The same in the order in which they came.
    order: Vec<Term>,
    /// How many of them have a place in `groups`, and are found from their variables. Nobody needs either before a tier looks at models.
    ready: usize,
    /// Whether the path's input satisfies all constraints, as it should.
    consistent: bool,
    /// Whether a constraint is `false`.
    contradictory: bool,
    byte_sets: ByteSets,
    bounds: bounds::Remembered,
    choices: Choices,
    compared: Compared,
    domains: FxHashMap<Var, ByteSet>,
    twins: Twins,
    recent: VecDeque<Proposal>,
    /// Goals that had no model: they have none later in the path either, where more constraints hold.
    refuted: FxHashSet<Term>,
    /// Models of goals that had one.
    confirmed: FxHashMap<Term, Proposal>,
    /// What was said of the checks that were asked about.
    checks: FxHashMap<Term, Known>,
}

impl<'s> PathSolver<'s> {
    /// What a query may cost.
    pub fn budget(&self) -> Budget {
        self.session.budget()
    }

    /// Lets queries cost more or less from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.session.set_budget(budget);
    }

    pub(crate) fn new(session: &'s mut Session, base: Model) -> PathSolver<'s> {
        PathSolver {
            session,
            originals: Originals::new(base.clone()),
            evaluated: Evaluated::new(base),
            groups: Groups::default(),
            light: Light::default(),
            deep: Deep::default(),
            hope: Hope::default(),
            luck: Hope::default(),
            constraints: FxHashSet::default(),
            order: Vec::new(),
            ready: 0,
            consistent: true,
            contradictory: false,
            byte_sets: ByteSets::default(),
            bounds: bounds::Remembered::default(),
            choices: Choices::default(),
            compared: Compared::default(),
            domains: FxHashMap::default(),
            twins: Twins::default(),
            recent: VecDeque::new(),
            refuted: FxHashSet::default(),
            confirmed: FxHashMap::default(),
            checks: FxHashMap::default(),
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        self.session
    }

    /// The constraints added so far, each once; conjunctions as their parts.
    pub fn constraints(&self) -> &[Term] {
        &self.order
    }

    /// Whether the path's input satisfies all constraints added so far. It does, unless the path is not the input's.
    pub fn is_consistent(&self) -> bool {
        self.consistent
    }

    /// Whether a one-bit constraint is part of the path already, so that adding it changes nothing.
    pub fn contains(&self, store: &Store, constraint: Term) -> bool {
        conjuncts(store, constraint).into_iter().all(|part| self.constraints.contains(&part) || is_true(store, part))
    }

    /// Where queries are dumped, dumps the path too: the constraints added so far, in order, in one file.
    pub fn dump(&mut self, store: &Store) {
        if let Some(dump) = &mut self.session.dump {
            dump.write_path(store, &self.order, self.evaluated.base());
        }
    }

    /// Adds a one-bit constraint to the path.
    pub fn push(&mut self, store: &mut Store, constraint: impl Into<Claim>) {
        let Claim { term: constraint, original } = constraint.into();
        self.choices.push(constraint);
        if original != constraint {
            self.choices.push(original);
            self.originals.push(original);
        }
        for part in conjuncts(store, constraint) {
            if is_true(store, part) || !self.constraints.insert(part) {
                continue;
            }
            self.order.push(part);
            self.evaluated.evaluate(store, part);
            self.consistent &= self.evaluated.value(part).is_some_and(BitVec::is_true);
            self.contradictory |= store.value(part).is_some();
            if let Some((var, set)) = self.byte_set(store, part) {
                let all = ByteSet::all(store.var_sort(var).width());
                let domain = self.domains.entry(var).or_insert(all);
                *domain = domain.and(&set);
            }
            self.twins.learn(store, part);
            if self.session.enabled(Tier::Bounds) {
                self.learn(store, part);
            }
        }
    }

    /// Puts the constraints in their places that have come since it was done last.
    fn get_ready(&mut self, store: &Store) {
        for part in self.order.iter().skip(self.ready) {
            self.evaluated.link(store, *part);
            self.groups.join(store, *part, &mut self.session.next_lineage);
            self.groups.add(*part);
        }
        self.ready = self.order.len();
    }

    /// Says which constraint is added next. Queries before that, which are about its variables as a rule, can then use what
    /// the backend knows already.
    pub fn expect(&mut self, store: &Store, constraint: impl Into<Claim>) {
        let constraint = constraint.into();
        self.get_ready(store);
        // It will tie its variables together anyway; a conjunction is added in parts that do not.
        if conjuncts(store, constraint.term).len() == 1 {
            self.groups.join(store, constraint.term, &mut self.session.next_lineage);
            self.light.expect(store, &self.order, constraint.term, &mut self.session.next_lineage);
        }
    }

    /// Gets ready to say under many models whether a claim holds that is no constraint of the path.
    pub fn watch(&mut self, store: &Store, claim: Claim) {
        self.evaluated.evaluate(store, claim.term);
        self.evaluated.link(store, claim.term);
    }

    /// Which of the claims, all of which are watched, hold under a model.
    pub fn which_hold(&self, store: &mut Store, model: &Model, claims: &[Claim]) -> Vec<bool> {
        if claims.is_empty() {
            return Vec::new();
        }
        let terms: Vec<Term> = claims.iter().map(|claim| claim.term).collect();
        self.evaluated.which_hold(store, model, &terms, |_| false)
    }

    /// Asks for the negation of a constraint, then adds the constraint: one step along a path.
    pub fn branch(&mut self, store: &mut Store, constraint: impl Into<Claim>) -> Answer {
        let constraint = constraint.into();
        self.expect(store, constraint);
        let negated = constraint.negated(store);
        let answer = self.query(store, negated);
        self.push(store, constraint);
        answer
    }

    /// Whether the path so far and the one-bit `goal` can hold together. A model has been evaluated against the originals
    /// of the path and of the goal.
    pub fn query(&mut self, store: &mut Store, goal: impl Into<Claim>) -> Answer {
        let goal = goal.into();
        let quick = self.quick(store, goal);
        let answer = match quick.unwrap_or_else(|| self.solve(store, goal.term)) {
            Answer::Sat(solution) if !self.originals.hold(store, &solution.model, goal) => self.wrong_model(),
            answer => answer,
        };
        self.record(goal.term, &answer);
        match answer {
            Answer::Unsat | Answer::Unknown(_) if self.session.config.optimistic => {
                self.optimistic(store, goal).unwrap_or(answer)
            }
            answer => answer,
        }
    }

    fn wrong_model(&mut self) -> Answer {
        self.session.stats.wrong_models += 1;
        Answer::Unknown(Reason::WrongModel)
    }

    /// Counts an answer and keeps it for later questions.
    fn record(&mut self, goal: Term, answer: &Answer) {
        let stats = &mut self.session.stats;
        stats.queries += 1;
        match answer {
            Answer::Sat(solution) => {
                stats.sat += 1;
                self.remember(goal, &solution.model);
            }
            Answer::Unsat => {
                stats.unsat += 1;
                self.refuted.insert(goal);
            }
            Answer::Unknown(_) => stats.unknown += 1,
        }
    }

    fn remember(&mut self, goal: Term, model: &Model) {
        let changes: Proposal = model.values().map(|(var, value)| (var, value.clone())).collect();
        if changes.is_empty() || model.arrays().next().is_some() {
            return;
        }
        if self.recent.len() >= RECENT_MODELS {
            self.recent.pop_front();
        }
        self.recent.push_back(changes.clone());
        self.confirmed.insert(goal, changes);
    }

    /// Asks the query cache and the backend, for no longer than the goal is worth.
    fn solve(&mut self, store: &mut Store, goal: Term) -> Answer {
        let is_deep = self.deep.contains(store, goal);
        self.solve_in_time(store, goal, is_deep)
    }

    /// The same, where somebody has said whether the goal is deep.
    fn solve_in_time(&mut self, store: &mut Store, goal: Term, is_deep: bool) -> Answer {
        let whole = self.budget();
        if is_deep {
            let time = (whole.time / DEEP_SHARE).max(MOMENT.min(whole.time));
            self.set_budget(Budget { time, ..whole });
        }
        let answer = self.ask(store, goal);
        self.set_budget(whole);
        answer
    }

    /// Asks the query cache and the backend, and learns from what they say.
    fn ask(&mut self, store: &mut Store, goal: Term) -> Answer {
        if let Some(answer) = self.solve_light(store, goal) {
            return answer;
        }
        let mut answer = self.solve_slice(store, goal);
        if matches!(answer, Answer::Unknown(Reason::Time)) {
            answer = self.last_trials(store, goal).unwrap_or(answer);
        }
        if matches!(answer, Answer::Unsat) {
            self.learn_fixed(store, goal);
        }
        answer
    }

    /// Asks the query cache and the backend about the goal's slice.
    fn solve_slice(&mut self, store: &mut Store, goal: Term) -> Answer {
        let base = self.evaluated.base().clone();
        let roots = self.groups.touching(store, goal);
        let (lineage, slice) = match self.session.config.no_slicing {
            true => (None, Cow::Borrowed(&self.order[..])),
            false => slice_of(&self.groups, &roots),
        };
        let stats = &mut self.session.stats;
        stats.sliced += 1;
        stats.constraints_before_slicing += self.order.len() as u64;
        stats.constraints_after_slicing += slice.len() as u64;
        let query = Query { lineage, constraints: &slice, goals: &[goal], base: &base };
        let mut raw = self.session.ask(store, query);
        loop {
            raw = match raw {
                Raw::Unsat => return Answer::Unsat,
                Raw::Unknown(reason) => return Answer::Unknown(reason),
                Raw::Sat(model, tier) if self.verify(store, &model, goal) => {
                    return Answer::Sat(Solution { model, tier, optimistic: false });
                }
                // Another query may have the same name, or the file may be damaged.
                Raw::Sat(_, Tier::QueryCache) => self.session.ask_again(store, query),
                Raw::Sat(..) => return self.wrong_model(),
            };
        }
    }

    /// Whether the whole path and the goal hold under a model.
    fn verify(&self, store: &mut Store, model: &Model, goal: Term) -> bool {
        if self.consistent {
            self.try_model(store, model, goal, usize::MAX) == WhatIf::Holds
        } else {
            let mut evaluator = Evaluator::new(store, model);
            evaluator.all_true(&self.order) && evaluator.eval(goal).is_true()
        }
    }

    fn try_model(&self, store: &mut Store, model: &Model, goal: Term, limit: usize) -> WhatIf {
        self.evaluated.what_if(store, model, goal, |term| self.constraints.contains(&term), limit)
    }

    /// The last resort: the goal with the constraints on its own single bytes only.
    fn optimistic(&mut self, store: &mut Store, claim: Claim) -> Option<Answer> {
        let goal = claim.term;
        let own: FxHashSet<Var> = expr::variables(store, &[goal]).into_iter().collect();
        let roots = self.groups.touching(store, goal);
        let near: Vec<Term> = roots
            .iter()
            .flat_map(|root| self.groups.group(*root).constraints.iter().copied())
            .filter(|term| matches!(self.evaluated.single(*term), Single::One(var) if own.contains(&var)))
            .collect();
        let base = self.evaluated.base().clone();
        let query = Query { lineage: None, constraints: &near, goals: &[goal], base: &base };
        let Raw::Sat(model, tier) = self.session.ask(store, query) else { return None };
        let mut evaluator = Evaluator::new(store, &model);
        let holds = evaluator.all_true(&near) && evaluator.all_true(&[goal, claim.original]);
        holds.then(|| {
            self.session.stats.optimistic += 1;
            Answer::Sat(Solution { model, tier, optimistic: true })
        })
    }
}

/// The constraints of some groups, and their lineage if it is one group.
fn slice_of<'a>(groups: &'a Groups, roots: &[u32]) -> (Option<u64>, Cow<'a, [Term]>) {
    match roots[..] {
        [root] => {
            let group = groups.group(root);
            (Some(group.lineage), Cow::Borrowed(&group.constraints))
        }
        _ => (None, roots.iter().flat_map(|root| groups.group(*root).constraints.iter().copied()).collect()),
    }
}

fn is_true(store: &Store, term: Term) -> bool {
    store.value(term).is_some_and(BitVec::is_true)
}

/// The parts of a conjunction, without recursion.
pub(crate) fn conjuncts(store: &Store, term: Term) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        let node = store.node(term);
        if node.kind == Kind::And && node.sort == Sort::BitVec(1) {
            stack.extend([node.operands[1], node.operands[0]]);
        } else {
            parts.push(term);
        }
    }
    parts
}
