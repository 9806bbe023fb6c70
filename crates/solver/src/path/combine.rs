//! Checks between the same two branches, decided together.
//!
//! A check is a one-bit term that has to hold. Whether an input that takes the path so far can violate it is a query:
//! the path and the check's negation. Several checks at the same point of a path can share queries, because a model of
//! the path and of the *disjunction* of their negations violates at least one of them. The active property checking
//! paper (section 5.1) calls asking one by one the naive combination, asking for the disjunction once the weak one, and
//! repeating that without the checks that were violated until nothing is left the strong one (its Figure 10).
//!
//! The figure finds out which checks a model violates by a fresh Boolean for each. Here the negated checks are one-bit
//! terms themselves, and evaluating them reads the same bits off the model without adding variables to the query: its
//! slice and its name in the query cache stay the same.

use core::fmt;
use std::str::FromStr;

use expr::{Claim, Store, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::{PathSolver, is_true};
use crate::answer::{Answer, Budget, Reason, Solution};

/// How the checks of a bundle share queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Combination {
    /// A query for each check. Decides all of them, each violated one with a model of its own.
    Naive,
    /// One query for all of them. Gives a model if any of them can be violated, and decides only those that the model
    /// violates.
    Weak,
    /// Queries for all that are left, until none can be violated: of n checks of which t can be violated, at most
    /// min(t + 1, n). Decides all of them; a model may violate several.
    #[default]
    Strong,
}

impl Combination {
    /// All combinations.
    pub const ALL: [Combination; 3] = [Combination::Naive, Combination::Weak, Combination::Strong];

    /// As it is spelt in tables and options.
    pub fn name(self) -> &'static str {
        match self {
            Combination::Naive => "naive",
            Combination::Weak => "weak",
            Combination::Strong => "strong",
        }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of a combination that is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("checks are not combined `{0}`; choose naive, weak or strong")]
pub struct UnknownCombination(String);

impl FromStr for Combination {
    type Err = UnknownCombination;

    fn from_str(text: &str) -> Result<Combination, UnknownCombination> {
        let found = Combination::ALL.into_iter().find(|combination| combination.name() == text);
        found.ok_or_else(|| UnknownCombination(text.to_owned()))
    }
}

/// What was said of a bundle of checks.
#[derive(Clone, Debug, Default)]
pub struct Combined {
    /// Models that take the path so far and violate checks.
    pub solutions: Vec<Solution>,
    /// What was said of each check, in the order in which they were given.
    pub decisions: Vec<Decision>,
}

/// What was said of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// No input that takes the path so far violates it.
    Holds,
    /// The solution with this index violates it.
    Violated(usize),
    /// The weak combination did not find out: its one solution violates other checks.
    Undecided,
    /// No answer.
    Unknown(Reason),
}

/// What a path remembers of a check.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Holds,
    Violated,
    Undecided,
    Unknown(Reason),
}

impl From<&Decision> for Known {
    fn from(decision: &Decision) -> Known {
        match decision {
            Decision::Holds => Known::Holds,
            Decision::Violated(_) => Known::Violated,
            Decision::Undecided => Known::Undecided,
            Decision::Unknown(reason) => Known::Unknown(reason.clone()),
        }
    }
}

/// A check that is not decided yet.
#[derive(Clone, Copy)]
struct Open {
    check: Term,
    /// Its negation.
    goal: Claim,
}

/// Whether a solution violates a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Violation {
    /// It does.
    Real,
    /// Only what the simplifier made of the check and the path.
    Wrong,
}

/// A bundle while it is being decided.
#[derive(Default)]
struct Bundle {
    open: Vec<Open>,
    decided: FxHashMap<Term, Decision>,
    solutions: Vec<Solution>,
}

impl Bundle {
    /// Takes those that are decided away from those that are open: all at once, because a bundle can have thousands.
    fn close_decided(&mut self) {
        let decided = &self.decided;
        self.open.retain(|open| !decided.contains_key(&open.check));
    }

    /// Says the same of all checks that are left.
    fn decide_rest(&mut self, decision: &Decision) {
        self.decided.extend(self.open.drain(..).map(|open| (open.check, decision.clone())));
    }

    /// Puts checks that a solution is about where it says they belong.
    fn settle(&mut self, solution: Solution, outcomes: &FxHashMap<Term, Violation>) {
        let index = self.solutions.len();
        self.open.retain(|open| !outcomes.contains_key(&open.check));
        self.decided.extend(outcomes.iter().map(|(check, violation)| {
            let decision = match violation {
                Violation::Real => Decision::Violated(index),
                Violation::Wrong => Decision::Unknown(Reason::WrongModel),
            };
            (*check, decision)
        }));
        if outcomes.values().any(|violation| *violation == Violation::Real) {
            self.solutions.push(solution);
        }
    }
}

impl PathSolver<'_> {
    /// Which of these checks an input can violate that takes the path so far.
    ///
    /// A check that is in the path, or that was shown to hold before on this path, is not solved again: what holds here holds
    /// for every longer path. What can be violated is: fewer inputs may come this far. Nothing is added to the path. [`PathSolver::push`] the
    /// checks afterwards to assume that they hold from here on, as the run's own values did; later queries then give
    /// inputs that violate none of them. Leave it to find inputs that come later on the path whatever happened before.
    ///
    /// Optimistic solving has no say here: a check that is said to hold does.
    pub fn combine<C>(&mut self, store: &mut Store, checks: &[C], combination: Combination) -> Combined
    where
        C: Copy + Into<Claim>,
    {
        let mut bundle = Bundle::default();
        let mut seen = FxHashSet::default();
        let mut asked = Vec::new();
        let claims: Vec<Claim> = checks.iter().map(|check| (*check).into()).collect();
        for claim in &claims {
            let check = claim.term;
            if !seen.insert(check) {
                self.session.stats.checks.repeated += 1;
            } else if let Some(decision) = self.known(store, check) {
                bundle.decided.insert(check, decision);
            } else if self.holds_by_bounds(store, check) {
                bundle.decided.insert(check, Decision::Holds);
                asked.push(check);
            } else {
                let goal = claim.negated(store);
                // A check is asked about many models, which is fast for what can be found from the variables.
                self.evaluated.evaluate(store, goal.term);
                self.evaluated.link(store, goal.term);
                self.originals.expect(store, goal);
                bundle.open.push(Open { check, goal });
                asked.push(check);
            }
        }
        match combination {
            Combination::Naive => self.one_by_one(store, &mut bundle),
            Combination::Weak => self.together(store, &mut bundle, false),
            Combination::Strong => self.together(store, &mut bundle, true),
        }
        for check in asked {
            if let Some(decision) = bundle.decided.get(&check) {
                self.checks.insert(check, decision.into());
                self.session.stats.checks.count(decision);
            }
        }
        let stats = &mut self.session.stats.checks;
        stats.bundles += 1;
        stats.checks += checks.len() as u64;
        let said = |claim: &Claim| bundle.decided.get(&claim.term).cloned().unwrap_or(Decision::Undecided);
        let decisions = claims.iter().map(said);
        Combined { decisions: decisions.collect(), solutions: bundle.solutions }
    }

    /// What is known of a check without asking.
    fn known(&mut self, store: &Store, check: Term) -> Option<Decision> {
        if is_true(store, check) {
            self.session.stats.checks.constant += 1;
            return Some(Decision::Holds);
        }
        let assumed = self.contains(store, check);
        let decision = match self.checks.get(&check) {
            Some(Known::Holds) => Decision::Holds,
            // Of the inputs that violated it before, it is not known whether any comes this far.
            Some(Known::Violated) if !assumed => return None,
            Some(Known::Violated) => Decision::Holds,
            Some(Known::Unknown(reason)) => Decision::Unknown(reason.clone()),
            // What is assumed without having been decided has not been shown to hold.
            Some(Known::Undecided) if assumed => Decision::Undecided,
            None if assumed => Decision::Holds,
            Some(Known::Undecided) | None => return None,
        };
        self.session.stats.checks.repeated += 1;
        Some(decision)
    }

    fn one_by_one(&mut self, store: &mut Store, bundle: &mut Bundle) {
        for open in core::mem::take(&mut bundle.open) {
            if self.session.is_late() {
                bundle.decided.insert(open.check, Decision::Unknown(Reason::Deadline));
                continue;
            }
            let answer = self.recorded_quick(store, open.goal).unwrap_or_else(|| self.call(store, &[open]));
            let decision = match answer {
                Answer::Unsat => Decision::Holds,
                Answer::Unknown(reason) => Decision::Unknown(reason),
                Answer::Sat(solution) => {
                    let outcomes = self.violations(store, &[open], &solution);
                    bundle.settle(solution, &outcomes);
                    continue;
                }
            };
            bundle.decided.insert(open.check, decision);
        }
    }

    /// The weak and the strong combination. The quick tiers look at single checks, about which they know more.
    fn together(&mut self, store: &mut Store, bundle: &mut Bundle, all: bool) {
        let enough = |bundle: &Bundle| !all && !bundle.solutions.is_empty();
        for open in bundle.open.clone() {
            if bundle.decided.contains_key(&open.check) {
                continue;
            }
            if self.session.is_late() {
                break;
            }
            let Some(answer) = self.recorded_quick(store, open.goal) else { continue };
            match answer {
                Answer::Sat(solution) => {
                    bundle.close_decided();
                    let outcomes = self.violations(store, &bundle.open, &solution);
                    bundle.settle(solution, &outcomes);
                }
                Answer::Unsat => {
                    bundle.decided.insert(open.check, Decision::Holds);
                }
                Answer::Unknown(_) => {}
            }
            if enough(bundle) {
                break;
            }
        }
        bundle.close_decided();
        while !bundle.open.is_empty() && !enough(bundle) {
            let whole = self.budget();
            // Half of the time is for what is left alone where they have no answer together.
            let parts = if all && bundle.open.len() > 1 { 2 } else { 1 };
            self.set_budget(Budget { time: whole.time / parts, ..whole });
            let answer = self.call(store, &bundle.open);
            self.set_budget(whole);
            match answer {
                Answer::Sat(solution) => {
                    let outcomes = self.violations(store, &bundle.open, &solution);
                    if outcomes.is_empty() {
                        // The solver kept to the disjunction, but the disjunction is not what the checks say.
                        self.session.stats.wrong_models += 1;
                        bundle.decide_rest(&Decision::Unknown(Reason::WrongModel));
                    }
                    bundle.settle(solution, &outcomes);
                }
                Answer::Unsat => {
                    self.refuted.extend(bundle.open.iter().map(|open| open.goal.term));
                    bundle.decide_rest(&Decision::Holds);
                }
                // One hard check hides the others; alone they may be easy. Never more than one call worse than naive.
                // All of them have the other half of the time of one.
                Answer::Unknown(_) if all && bundle.open.len() > 1 => {
                    let open = u32::try_from(bundle.open.len()).unwrap_or(u32::MAX);
                    self.set_budget(Budget { time: whole.time / parts / open, ..whole });
                    self.one_by_one(store, bundle);
                    self.set_budget(whole);
                }
                Answer::Unknown(reason) => bundle.decide_rest(&Decision::Unknown(reason)),
            }
        }
        bundle.decide_rest(&Decision::Undecided);
    }

    /// The checks that a solution violates, in both of their forms or only in the simplified one.
    fn violations(&mut self, store: &mut Store, open: &[Open], solution: &Solution) -> FxHashMap<Term, Violation> {
        let terms: Vec<Term> = open.iter().map(|open| open.goal.term).collect();
        let goals: Vec<Claim> = open.iter().map(|open| open.goal).collect();
        // That the path holds under the model has been found out already, but not of its originals.
        let violated = self.evaluated.which_hold(store, &solution.model, &terms, |_| false);
        let really = self.originals.which_hold(store, &solution.model, &goals);
        let mut found = FxHashMap::default();
        for (open, (violated, really)) in open.iter().zip(violated.into_iter().zip(really)) {
            if violated {
                self.session.stats.wrong_models += u64::from(!really);
                found.insert(open.check, if really { Violation::Real } else { Violation::Wrong });
            }
        }
        found
    }

    /// Asks the query cache and the solver whether one of the checks can be violated.
    fn call(&mut self, store: &mut Store, open: &[Open]) -> Answer {
        let stats = &mut self.session.stats.checks;
        stats.calls += 1;
        stats.disjunctions += u64::from(open.len() > 1);
        let never = store.bool(false);
        let goal = open.iter().fold(never, |any, open| store.or(any, open.goal.term));
        self.evaluated.evaluate(store, goal);
        // What is easy among them makes all of them easy.
        let is_deep = open.iter().all(|open| self.deep.contains(store, open.goal.term));
        let answer = self.solve_in_time(store, goal, is_deep);
        self.record(goal, &answer);
        answer
    }

    fn recorded_quick(&mut self, store: &mut Store, goal: Claim) -> Option<Answer> {
        let answer = self.quick(store, goal)?;
        self.record(goal.term, &answer);
        Some(answer)
    }
}
