//! The tiers of a path that need no solver.

use std::time::Instant;

use expr::{BitVec, Claim, Model, Sort, Store, Term, Var};
use rustc_hash::FxHashMap;

use super::{PathSolver, conjuncts, slice_of};
use crate::answer::{Answer, Solution};
use crate::stats::Tier;
use crate::tiers::bounds::{self, Bounds};
use crate::tiers::byte_set::ByteSet;
use crate::tiers::climbing;
use crate::tiers::inversion::{self, Proposal};
use crate::tiers::sampling::Sampling;
use crate::tiers::trials::{self, Limits, Tried};
use crate::tiers::what_if::{Single, WhatIf};

/// Terms that may change when a model is tried: guesses are only worth it while they cost less than a backend.
const GUESS_LIMIT: usize = 4_000;
/// And when it is a sample: whatever comes behind a hash changes with it, and no backend answers instead.
const SAMPLE_LIMIT: usize = 100_000;
/// Values of a byte that are tried.
const VALUES_TRIED: usize = 12;

/// A tier's verdict.
enum Verdict {
    Sat(Model),
    Unsat,
}

impl<'s> PathSolver<'s> {
    /// What the tiers in front of the query cache say about the path so far and the goal, if they know.
    pub(super) fn quick(&mut self, store: &mut Store, goal: Claim) -> Option<Answer> {
        type Work<'s> = fn(&mut PathSolver<'s>, &mut Store, Claim) -> Option<Verdict>;
        let tiers: [(Tier, Work<'s>); 11] = [
            (Tier::LocalCache, |p, s, g| p.local_cache(s, g.term)),
            (Tier::Contradiction, |p, s, g| p.contradiction(s, g.term)),
            (Tier::Counterexamples, |p, s, g| p.counterexamples(s, g.term)),
            (Tier::Bounds, |p, s, g| p.bounds(s, g.term)),
            (Tier::Domains, |p, s, g| p.domains(s, g.term)),
            (Tier::Models, |p, s, g| p.models(s, g.term)),
            (Tier::Inversion, |p, s, g| p.inversion(s, g.term)),
            (Tier::Choices, |p, s, g| p.choices(s, g)),
            (Tier::Trials, |p, s, g| p.trials(s, g.term, trials::CHEAP)),
            (Tier::Climbing, |p, s, g| p.climbing(s, g.term)),
            (Tier::Sampling, |p, s, g| p.sampling(s, g.term)),
        ];
        self.get_ready(store);
        self.evaluated.evaluate(store, goal.term);
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
                Some(Verdict::Sat(model)) => return Some(Answer::Sat(Solution { model, tier, optimistic: false })),
                Some(Verdict::Unsat) => return Some(Answer::Unsat),
                None => {}
            }
        }
        None
    }

    /// The model that a proposal describes, if the path and the goal hold under it. What equals a byte on the path changes with it.
    fn try_proposal(&self, store: &mut Store, proposal: &Proposal, goal: Term) -> Option<Verdict> {
        self.try_within(store, proposal, goal, GUESS_LIMIT)
    }

    fn try_within(&self, store: &mut Store, proposal: &Proposal, goal: Term, limit: usize) -> Option<Verdict> {
        if !self.consistent {
            return None;
        }
        let mut model = self.evaluated.base().clone();
        for (var, value) in proposal {
            for var in core::iter::once(var).chain(self.twins.of(*var)) {
                let allowed = self.domains.get(var).is_none_or(|domain| domain.contains(value.low64()));
                if !allowed {
                    return None;
                }
                model.set(*var, value.clone());
            }
        }
        (self.try_model(store, &model, goal, limit) == WhatIf::Holds).then_some(Verdict::Sat(model))
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
    pub(super) fn byte_set(&mut self, store: &Store, term: Term) -> Option<(Var, ByteSet)> {
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
        let domains = &self.domains;
        self.bounds.is_never(store, goal, |var| bounds_of(store, domains, var)).then_some(Verdict::Unsat)
    }

    /// Whether bounds alone say that a check holds. Most checks do, and nothing has to be made ready for these: no negation, no values, no
    /// place among the constraints.
    pub(super) fn holds_by_bounds(&mut self, store: &Store, check: Term) -> bool {
        if !self.session.enabled(Tier::Bounds) {
            return false;
        }
        let (started, domains) = (Instant::now(), &self.domains);
        let holds = self.bounds.is_always(store, check, |var| bounds_of(store, domains, var));
        if holds {
            let stats = &mut self.session.stats;
            stats.measure(Tier::Bounds, started, Some(false));
            stats.queries += 1;
            stats.unsat += 1;
        }
        holds
    }

    /// Lets what is known of terms learn from a constraint.
    pub(super) fn learn(&mut self, store: &mut Store, constraint: Term) {
        let whole = bounds::not_zero(store, constraint);
        let (store, domains) = (&*store, &self.domains);
        let of_var = |var| bounds_of(store, domains, var);
        self.bounds.learn(store, constraint, of_var);
        if let Some((number, bounds)) = whole {
            self.bounds.say(store, number, bounds, of_var);
        }
    }

    /// Of a goal as it was said, too: the condition that a pointer is not null still has the pointer in it there.
    fn choices(&mut self, store: &Store, goal: Claim) -> Option<Verdict> {
        let is_never = self.choices.is_never(store, goal.original)
            || goal.term != goal.original && self.choices.is_never(store, goal.term);
        is_never.then_some(Verdict::Unsat)
    }

    /// All values of the few bytes that a goal and what the path says of them depend on.
    fn trials(&mut self, store: &mut Store, goal: Term, limits: Limits) -> Option<Verdict> {
        let roots = self.groups.touching(store, goal);
        let (_, slice) = slice_of(&self.groups, &roots);
        if !self.consistent || slice.len() > trials::MAX_CLAIMS {
            return None;
        }
        let claims: Vec<Term> = slice.iter().copied().chain([goal]).collect();
        let all = |var: Var| ByteSet::all(store.var_sort(var).width());
        let allowed = |var: Var| self.domains.get(&var).copied().unwrap_or(all(var));
        match trials::try_all(store, self.evaluated.base(), &claims, allowed, limits)? {
            Tried::Never => Some(Verdict::Unsat),
            Tried::Holds(proposal) => self.try_within(store, &proposal, goal, SAMPLE_LIMIT),
        }
    }

    /// What trying says of a goal that no backend has answered.
    pub(super) fn last_trials(&mut self, store: &mut Store, goal: Term) -> Option<Answer> {
        if !self.session.enabled(Tier::Trials) {
            return None;
        }
        let started = Instant::now();
        let verdict = self.trials(store, goal, trials::LAST);
        let is_sat = verdict.as_ref().map(|verdict| matches!(verdict, Verdict::Sat(_)));
        self.session.stats.measure(Tier::Trials, started, is_sat);
        Some(match verdict? {
            Verdict::Sat(model) => Answer::Sat(Solution { model, tier: Tier::Trials, optimistic: false }),
            Verdict::Unsat => Answer::Unsat,
        })
    }

    fn climbing(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if !self.light.is_about_floats(store, goal) || !self.hope.is_there() {
            return None;
        }
        let ends = |var: Var| match self.domains.get(&var) {
            Some(domain) => (domain.values().min().unwrap_or(0), domain.values().max().unwrap_or(0)),
            None => (0, (1 << store.var_sort(var).width()) - 1),
        };
        let proposal = climbing::climb(store, self.evaluated.base(), goal, ends)?;
        let found = self.try_proposal(store, &proposal, goal)?;
        self.hope.is_fulfilled();
        Some(found)
    }

    fn sampling(&mut self, store: &mut Store, goal: Term) -> Option<Verdict> {
        if !self.consistent {
            return None;
        }
        let allowed = |var: Var| {
            let domains = core::iter::once(&var).chain(self.twins.of(var)).filter_map(|var| self.domains.get(var));
            domains.fold(ByteSet::all(store.var_sort(var).width()), |all, domain| all.and(domain))
        };
        let mut sampling = Sampling::new(store, self.evaluated.base(), goal, allowed, &self.twins)?;
        if !self.luck.is_there() {
            return None;
        }
        while let Some(proposal) = sampling.next(store) {
            if let Some(found) = self.try_within(store, &proposal, goal, SAMPLE_LIMIT) {
                self.luck.is_fulfilled();
                return Some(found);
            }
        }
        None
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
}

/// What the values say that are left of a variable.
pub(super) fn bounds_of(store: &Store, domains: &FxHashMap<Var, ByteSet>, var: Var) -> Option<Bounds> {
    Some(Bounds::of_values(store.var_sort(var).width(), domains.get(&var)?.values()))
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
