//! Constraint contradiction: does a check hold anyway?
//!
//! What protects a check usually stands right before it. So the constraints are taken from the latest backwards, twice as many
//! each time, until the negated check contradicts them. A question with few constraints is small, and it is the same one on
//! all paths that come by the same guard, so that the query cache knows the answer.

use expr::{Claim, Evaluator, Model, Store, Term, Var};
use rustc_hash::FxHashSet;
use solver::{Answer, Session};

/// The constraints of a path so far that are not about later iterations.
#[derive(Default)]
pub struct Guards {
    kept: Vec<(Claim, Vec<Var>)>,
}

impl Guards {
    /// Adds a constraint, if it is kept.
    pub fn push(&mut self, store: &Store, constraint: Claim, is_kept: bool) {
        if is_kept {
            self.kept.push((constraint, expr::variables(store, &[constraint.term])));
        }
    }

    /// Whether the constraints, together with `own`, exclude `goal`.
    pub fn contradict(
        &self,
        session: &mut Session,
        store: &mut Store,
        own: &[Claim],
        goal: Claim,
        base: &Model,
    ) -> bool {
        let relevant = self.relevant(store, own, goal);
        let terms: Vec<Term> = relevant.iter().map(|claim| claim.term).collect();
        let mut taken = 1;
        loop {
            let latest = relevant.get(relevant.len().saturating_sub(taken)..).unwrap_or(&relevant);
            let mut question = latest.to_vec();
            question.push(goal);
            match session.solve(store, &question, base) {
                Answer::Unsat => return true,
                Answer::Sat(solution) if Evaluator::new(store, &solution.model).all_true(&terms) => return false,
                Answer::Sat(_) | Answer::Unknown(_) if taken >= relevant.len() => return false,
                Answer::Sat(_) | Answer::Unknown(_) => taken *= 2,
            }
        }
    }

    /// The constraints that have anything to do with the goal, in the order of the path.
    fn relevant(&self, store: &Store, own: &[Claim], goal: Claim) -> Vec<Claim> {
        let own = own.iter().map(|claim| (*claim, expr::variables(store, &[claim.term])));
        let all: Vec<(Claim, Vec<Var>)> = self.kept.iter().cloned().chain(own).collect();
        let mut reached: FxHashSet<Var> = expr::variables(store, &[goal.term]).into_iter().collect();
        let mut is_relevant = vec![false; all.len()];
        loop {
            let mut changed = false;
            for ((_, variables), is_relevant) in all.iter().zip(&mut is_relevant) {
                if !*is_relevant && variables.iter().any(|variable| reached.contains(variable)) {
                    *is_relevant = true;
                    changed = true;
                    reached.extend(variables.iter().copied());
                }
            }
            if !changed {
                break;
            }
        }
        all.into_iter().zip(is_relevant).filter(|(_, relevant)| *relevant).map(|((claim, _), _)| claim).collect()
    }
}
