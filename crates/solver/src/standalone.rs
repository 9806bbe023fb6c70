//! A query that belongs to no path: every group of constraints is solved for itself.

use std::time::Instant;

use expr::{BitVec, Claim, Evaluator, Model, Sort, Store, Term, Var};
use rustc_hash::FxHashSet;

use crate::answer::{Answer, Reason, Solution};
use crate::path::conjuncts;
use crate::session::{Query, Raw, Session};
use crate::stats::Tier;
use crate::tiers::bounds;
use crate::tiers::byte_set::{ByteSet, ByteSets};
use crate::tiers::groups::Groups;

pub(crate) fn solve(session: &mut Session, store: &mut Store, constraints: &[Claim], base: &Model) -> Answer {
    session.stats.queries += 1;
    let answer = match answer(session, store, constraints, base) {
        Answer::Sat(solution) if !holds(store, &solution.model, constraints) => {
            session.stats.wrong_models += 1;
            Answer::Unknown(Reason::WrongModel)
        }
        answer => answer,
    };
    match answer {
        Answer::Sat(_) => session.stats.sat += 1,
        Answer::Unsat => session.stats.unsat += 1,
        Answer::Unknown(_) => session.stats.unknown += 1,
    }
    answer
}

/// Whether the constraints hold under a model, in both of their forms.
fn holds(store: &Store, model: &Model, constraints: &[Claim]) -> bool {
    let mut evaluator = Evaluator::new(store, model);
    constraints.iter().all(|claim| evaluator.all_true(&[claim.term, claim.original]))
}

fn answer(session: &mut Session, store: &mut Store, constraints: &[Claim], base: &Model) -> Answer {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    for constraint in constraints {
        parts.extend(conjuncts(store, constraint.term).into_iter().filter(|part| seen.insert(*part)));
    }
    if session.enabled(Tier::Contradiction) {
        let started = Instant::now();
        let found = parts.iter().any(|part| {
            let negated = store.not(*part);
            seen.contains(&negated) || store.value(*part).is_some_and(BitVec::is_zero)
        });
        session.stats.measure(Tier::Contradiction, started, found.then_some(false));
        if found {
            return Answer::Unsat;
        }
    }
    let satisfied = |tier, model| Answer::Sat(Solution { model, tier, optimistic: false });
    if session.enabled(Tier::Models) {
        let started = Instant::now();
        let holds = Evaluator::new(store, base).all_true(&parts);
        session.stats.measure(Tier::Models, started, holds.then_some(true));
        if holds {
            return satisfied(Tier::Models, base.clone());
        }
    }
    if session.enabled(Tier::Bounds) {
        let started = Instant::now();
        let never = parts.iter().any(|part| bounds::is_never(store, *part));
        session.stats.measure(Tier::Bounds, started, never.then_some(false));
        if never {
            return Answer::Unsat;
        }
    }
    let mut model = base.clone();
    let mut unknown = None;
    for group in split(session, store, &parts) {
        session.stats.sliced += 1;
        session.stats.constraints_before_slicing += parts.len() as u64;
        session.stats.constraints_after_slicing += group.len() as u64;
        if session.enabled(Tier::Models) && Evaluator::new(store, &model).all_true(&group) {
            continue;
        }
        match session.enabled(Tier::Domains).then(|| byte(session, store, &group)).flatten() {
            Some(Byte::Value(var, value)) => {
                model.set(var, value);
                continue;
            }
            Some(Byte::None) => return Answer::Unsat,
            None => {}
        }
        let query = Query { lineage: None, constraints: &group, goals: &[], base: &model };
        let mut raw = session.ask(store, query);
        // Another query may have the same name, or the file may be damaged.
        if let Raw::Sat(found, Tier::QueryCache) = &raw
            && !Evaluator::new(store, found).all_true(&group)
        {
            raw = session.ask_again(store, query);
        }
        match raw {
            Raw::Sat(found, _) => model = found,
            Raw::Unsat => return Answer::Unsat,
            // Another group may still be unsatisfiable, which is an answer.
            Raw::Unknown(reason) => unknown = Some(reason),
        }
    }
    match unknown {
        Some(reason) => Answer::Unknown(reason),
        None => satisfied(Tier::Backend, model),
    }
}

/// What constraints on one byte leave of it.
enum Byte {
    Value(Var, BitVec),
    None,
}

/// The answer for a group that is about a single byte: such groups come in hundreds, one for each byte of a longer input.
fn byte(session: &mut Session, store: &Store, group: &[Term]) -> Option<Byte> {
    let started = Instant::now();
    let vars = expr::variables(store, group);
    let mut found = None;
    if let [var] = vars[..]
        && let Sort::BitVec(width @ 1..=8) = store.var_sort(var)
    {
        let mut sets = ByteSets::default();
        let left =
            group.iter().try_fold(ByteSet::all(width), |left, part| Some(left.and(&sets.of(store, *part, var)?)));
        found = left.map(|left| match left.values().next() {
            Some(value) => Byte::Value(var, BitVec::new(width, value)),
            None => Byte::None,
        });
    }
    let verdict = found.as_ref().map(|byte| matches!(byte, Byte::Value(..)));
    session.stats.measure(Tier::Domains, started, verdict);
    found
}

/// The constraints in groups that share no variable.
fn split(session: &mut Session, store: &Store, parts: &[Term]) -> Vec<Vec<Term>> {
    if session.config.no_slicing {
        return vec![parts.to_vec()];
    }
    let mut groups = Groups::default();
    for part in parts {
        groups.join(store, *part, &mut session.next_lineage);
        groups.add(*part);
    }
    let mut roots: Vec<u32> = parts.iter().flat_map(|part| groups.touching(store, *part)).collect();
    roots.sort_unstable();
    roots.dedup();
    let mut split: Vec<Vec<Term>> = roots.iter().map(|root| groups.group(*root).constraints.clone()).collect();
    // Constraints without variables; the simplifier leaves some of arrays.
    let ground: Vec<Term> = parts.iter().copied().filter(|part| groups.touching(store, *part).is_empty()).collect();
    if !ground.is_empty() {
        split.push(ground);
    }
    split
}
