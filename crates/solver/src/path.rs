//! All questions about one path.

use std::collections::VecDeque;
use std::time::Instant;

use expr::{BitVec, Evaluator, Kind, Model, Sort, Store, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::{Answer, Reason, Solution};
use crate::session::{Raw, Session};
use crate::stats::Tier;
use crate::tiers::bounds::{self, Bounds};
use crate::tiers::byte_set::{ByteSet, ByteSets};
use crate::tiers::groups::Groups;
use crate::tiers::inversion::{self, Proposal};
use crate::tiers::what_if::{Evaluated, Single, WhatIf};

/// Models kept for later questions.
const RECENT_MODELS: usize = 8;
/// Terms that may change when a model is tried: guesses are only worth it while they cost less than a backend.
const GUESS_LIMIT: usize = 4_000;
/// Values of a byte that are tried.
const VALUES_TRIED: usize = 12;

/// Solves queries about a path whose constraints are added in order.
///
/// Use one store for all terms of a path.
pub struct PathSolver<'s> {
    session: &'s mut Session,
    evaluated: Evaluated,
    groups: Groups,
    constraints: FxHashSet<Term>,
    /// The same in the order in which they came.
    order: Vec<Term>,
    /// Whether the path's input satisfies all constraints, as it should.
    consistent: bool,
    /// Whether a constraint is `false`.
    contradictory: bool,
    byte_sets: ByteSets,
    domains: FxHashMap<Var, ByteSet>,
    recent: VecDeque<Proposal>,
    /// Goals that had no model: they have none later in the path either, where more constraints hold.
    refuted: FxHashSet<Term>,
    /// Models of goals that had one.
    confirmed: FxHashMap<Term, Proposal>,
}

/// A tier's verdict.
enum Verdict {
    Sat(Model),
    Unsat,
}

impl<'s> PathSolver<'s> {
    pub(crate) fn new(session: &'s mut Session, base: Model) -> PathSolver<'s> {
        PathSolver {
            session,
            evaluated: Evaluated::new(base),
            groups: Groups::default(),
            constraints: FxHashSet::default(),
            order: Vec::new(),
            consistent: true,
            contradictory: false,
            byte_sets: ByteSets::default(),
            domains: FxHashMap::default(),
            recent: VecDeque::new(),
            refuted: FxHashSet::default(),
            confirmed: FxHashMap::default(),
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
    pub fn push(&mut self, store: &mut Store, constraint: Term) {
        for part in conjuncts(store, constraint) {
            if is_true(store, part) || !self.constraints.insert(part) {
                continue;
            }
            self.order.push(part);
            self.evaluated.evaluate(store, part);
            self.evaluated.link(store, part);
            self.consistent &= self.evaluated.value(part).is_some_and(BitVec::is_true);
            self.contradictory |= store.value(part).is_some();
            self.groups.join(store, part, &mut self.session.next_lineage);
            let single = self.evaluated.single(part);
            self.groups.add(part, single != Single::Many);
            if let Some((var, set)) = self.byte_set(store, part) {
                let all = ByteSet::all(store.var_sort(var).width());
                let domain = self.domains.entry(var).or_insert(all);
                *domain = domain.and(&set);
            }
        }
    }

    /// Asks for the negation of a constraint, then adds the constraint: one step along a path.
    pub fn branch(&mut self, store: &mut Store, constraint: Term) -> Answer {
        // What is added next will tie its variables together anyway; a conjunction is added in parts that do not.
        if conjuncts(store, constraint).len() == 1 {
            self.groups.join(store, constraint, &mut self.session.next_lineage);
        }
        let negated = store.not(constraint);
        let answer = self.query(store, negated);
        self.push(store, constraint);
        answer
    }

    /// Whether the path so far and the one-bit `goal` can hold together.
    pub fn query(&mut self, store: &mut Store, goal: Term) -> Answer {
        self.session.stats.queries += 1;
        let answer = self.answer(store, goal);
        match &answer {
            Answer::Sat(solution) => {
                self.session.stats.sat += 1;
                self.remember(goal, &solution.model);
            }
            Answer::Unsat => {
                self.session.stats.unsat += 1;
                self.refuted.insert(goal);
            }
            Answer::Unknown(_) => self.session.stats.unknown += 1,
        }
        match answer {
            Answer::Unsat | Answer::Unknown(_) if self.session.config.optimistic => {
                self.optimistic(store, goal).unwrap_or(answer)
            }
            answer => answer,
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

    fn answer(&mut self, store: &mut Store, goal: Term) -> Answer {
        type Work<'s> = fn(&mut PathSolver<'s>, &mut Store, Term) -> Option<Verdict>;
        let tiers: [(Tier, Work<'s>); 7] = [
            (Tier::LocalCache, |p, s, g| p.local_cache(s, g)),
            (Tier::Contradiction, |p, s, g| p.contradiction(s, g)),
            (Tier::Counterexamples, |p, s, g| p.counterexamples(s, g)),
            (Tier::Domains, |p, s, g| p.domains(s, g)),
            (Tier::Bounds, |p, s, g| p.bounds(s, g)),
            (Tier::Models, |p, s, g| p.models(s, g)),
            (Tier::Inversion, |p, s, g| p.inversion(s, g)),
        ];
        self.evaluated.evaluate(store, goal);
        for (tier, work) in tiers {
            if !self.session.enabled(tier) {
                continue;
            }
            let started = Instant::now();
            let verdict = work(self, store, goal);
            self.session.stats.measure(
                tier,
                started,
                verdict.as_ref().map(|verdict| matches!(verdict, Verdict::Sat(_))),
            );
            match verdict {
                Some(Verdict::Sat(model)) => return Answer::Sat(Solution { model, tier, optimistic: false }),
                Some(Verdict::Unsat) => return Answer::Unsat,
                None => {}
            }
        }
        self.solve(store, goal)
    }

    /// Asks the query cache and the backend about the goal's slice.
    fn solve(&mut self, store: &mut Store, goal: Term) -> Answer {
        let roots = self.groups.touching(store, goal);
        let base = self.evaluated.base().clone();
        self.session.stats.sliced += 1;
        self.session.stats.constraints_before_slicing += self.order.len() as u64;
        let raw = if self.session.config.no_slicing {
            self.session.stats.constraints_after_slicing += self.order.len() as u64;
            self.session.ask(store, None, &self.order, &[goal], &base)
        } else if let [root] = roots[..] {
            let group = self.groups.group(root);
            self.session.stats.constraints_after_slicing += group.constraints.len() as u64;
            self.session.ask(store, Some(group.lineage), &group.constraints, &[goal], &base)
        } else {
            let slice: Vec<Term> =
                roots.iter().flat_map(|root| self.groups.group(*root).constraints.iter().copied()).collect();
            self.session.stats.constraints_after_slicing += slice.len() as u64;
            self.session.ask(store, None, &slice, &[goal], &base)
        };
        match raw {
            Raw::Unsat => Answer::Unsat,
            Raw::Unknown(reason) => Answer::Unknown(reason),
            Raw::Sat(model, tier) if self.verify(store, &model, goal) => {
                Answer::Sat(Solution { model, tier, optimistic: false })
            }
            Raw::Sat(..) => {
                self.session.stats.wrong_models += 1;
                Answer::Unknown(Reason::WrongModel)
            }
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
        let base = self.evaluated.base();
        let vectors = model.values().filter(|(var, value)| base.get(*var) != Some(*value)).map(|(var, _)| var);
        let arrays = model.arrays().map(|(var, _)| var);
        let changed: Vec<Var> = vectors.chain(arrays).collect();
        self.evaluated.what_if(store, model, &changed, goal, |term| self.constraints.contains(&term), limit)
    }

    /// The model that a proposal describes, if the path and the goal hold under it.
    fn try_proposal(&self, store: &mut Store, proposal: &Proposal, goal: Term) -> Option<Verdict> {
        if !self.consistent {
            return None;
        }
        let mut model = self.evaluated.base().clone();
        for (var, value) in proposal {
            let allowed = self.domains.get(var).is_none_or(|domain| domain.contains(value.low64()));
            if !allowed {
                return None;
            }
            model.set(*var, value.clone());
        }
        (self.try_model(store, &model, goal, GUESS_LIMIT) == WhatIf::Holds).then_some(Verdict::Sat(model))
    }

    fn own_model(&self) -> Option<Verdict> {
        self.consistent.then(|| Verdict::Sat(self.evaluated.base().clone()))
    }

    fn local_cache(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if self.contains(store, goal) { self.own_model() } else { None }
    }

    fn contradiction(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if self.contradictory {
            return Some(Verdict::Unsat);
        }
        for part in conjuncts(store, goal) {
            let negated = store.not(part);
            if self.constraints.contains(&negated) || store.value(part).is_some_and(BitVec::is_zero) {
                return Some(Verdict::Unsat);
            }
        }
        // The goal also fails if everything that it excludes is there: `not (a and b)` with a and b.
        let negated = store.not(goal);
        self.contains(store, negated).then_some(Verdict::Unsat)
    }

    fn counterexamples(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if self.refuted.contains(&goal) {
            return Some(Verdict::Unsat);
        }
        let proposal = self.confirmed.get(&goal)?.clone();
        self.try_proposal(store, &proposal, goal)
    }

    /// The variable of a term with one variable of at most 8 bits, and the values for which it holds.
    fn byte_set(&mut self, store: &Store, term: Term) -> Option<(Var, ByteSet)> {
        let Single::One(var) = self.evaluated.single(term) else { return None };
        let Sort::BitVec(1..=8) = store.var_sort(var) else { return None };
        Some((var, self.byte_sets.of(store, term, var)?))
    }

    /// Goals about single bytes, or conjunctions of such.
    fn domains(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        let mut wanted: Vec<(Var, ByteSet)> = Vec::new();
        let mut complete = true;
        for part in conjuncts(store, goal) {
            let Some((var, set)) = self.byte_set(store, part) else {
                complete = false;
                continue;
            };
            let domain = self.domains.get(&var).copied().unwrap_or(ByteSet::all(store.var_sort(var).width()));
            match wanted.iter_mut().find(|(known, _)| *known == var) {
                Some((_, known)) => *known = known.and(&set),
                None => wanted.push((var, domain.and(&set))),
            }
        }
        if wanted.iter().any(|(_, set)| set.is_empty()) {
            return Some(Verdict::Unsat);
        }
        if !complete || wanted.is_empty() {
            return None;
        }
        let attempts = if wanted.len() == 1 { VALUES_TRIED } else { 2 };
        for attempt in 0..attempts {
            let proposal: Proposal = wanted
                .iter()
                .map(|(var, set)| (*var, BitVec::new(store.var_sort(*var).width(), nth_spread(*set, attempt))))
                .collect();
            if let Some(found) = self.try_proposal(store, &proposal, goal) {
                return Some(found);
            }
        }
        None
    }

    fn bounds(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        let of_var = |var: Var| {
            let domain = self.domains.get(&var)?;
            Some(Bounds::of_values(store.var_sort(var).width(), domain.values()))
        };
        bounds::is_never(store, goal, of_var).then_some(Verdict::Unsat)
    }

    fn models(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if self.evaluated.value(goal).is_some_and(BitVec::is_true) {
            return self.own_model();
        }
        let recent: Vec<Proposal> = self.recent.iter().rev().cloned().collect();
        recent.iter().find_map(|proposal| self.try_proposal(store, proposal, goal))
    }

    fn inversion(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        let mut tried: Vec<Proposal> = Vec::new();
        for attempt in 0..inversion::ATTEMPTS {
            let Some(proposal) = inversion::propose(store, &self.evaluated, goal, attempt) else { continue };
            if proposal.is_empty() || tried.contains(&proposal) {
                continue;
            }
            if let Some(found) = self.try_proposal(store, &proposal, goal) {
                return Some(found);
            }
            tried.push(proposal);
        }
        None
    }

    /// The last resort: the goal with the constraints on its own single bytes only.
    fn optimistic(&mut self, store: &mut Store, goal: Term) -> Option<Answer> {
        let own: FxHashSet<Var> = expr::variables(store, &[goal]).into_iter().collect();
        let roots = self.groups.touching(store, goal);
        let near: Vec<Term> = roots
            .iter()
            .flat_map(|root| self.groups.group(*root).constraints.iter().copied())
            .filter(|term| matches!(self.evaluated.single(*term), Single::One(var) if own.contains(&var)))
            .collect();
        let base = self.evaluated.base().clone();
        let Raw::Sat(model, tier) = self.session.ask(store, None, &near, &[goal], &base) else { return None };
        let mut evaluator = Evaluator::new(store, &model);
        let holds = evaluator.all_true(&near) && evaluator.eval(goal).is_true();
        holds.then(|| {
            self.session.stats.optimistic += 1;
            Answer::Sat(Solution { model, tier, optimistic: true })
        })
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

/// Values of a set from its ends and its middle, in turn.
fn nth_spread(set: ByteSet, attempt: usize) -> u64 {
    let values: Vec<u64> = set.values().collect();
    let (length, half) = (values.len().max(1), attempt / 3);
    let place = match attempt % 3 {
        0 => half,
        1 => (length - 1).saturating_sub(half),
        _ => length / 2 + half,
    };
    values.get(place.min(length - 1)).copied().unwrap_or(0)
}
