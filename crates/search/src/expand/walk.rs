//! The questions that are asked along a path.

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use checkers::inject::Injected;
use expr::{Claim, Model, Store};
use rustc_hash::FxHashSet;
use solver::{Answer, Combination, Decision, PathSolver, Reason};
use trace::rule::Rule;
use trace::sites::SiteTable;

use super::{Aim, Candidate, CheckVerdict, Choice, Expansion};
use crate::divisions::{Division, for_survivors};
use crate::patience::Patience;
use crate::violations::is_of_memory;
use crate::ways::{Way, other_ways};

/// A path that is walked.
pub(super) struct Walk<'a, 's> {
    pub(super) solver: PathSolver<'s>,
    pub(super) store: &'a mut Store,
    pub(super) choice: &'a mut dyn Choice,
    pub(super) found: &'a mut dyn FnMut(Candidate) -> ControlFlow<()>,
    pub(super) expansion: Expansion,
    pub(super) branch_patience: Patience,
    pub(super) check_patience: Patience,
    /// Checks that are known to hold.
    pub(super) protected: FxHashSet<usize>,
    /// Which checks are to be decided, where that was said before the walk.
    pub(super) chosen: Option<Vec<bool>>,
    /// The divisions on the path.
    pub(super) divisions: &'a [Division],
    /// How many of them the solver watches.
    pub(super) watched: usize,
    /// Where sites are.
    pub(super) sites: Option<&'a SiteTable>,
    /// Checks of indices that some input violates, and their sites: it may damage memory, and what comes later fails because of that.
    pub(super) indices: Vec<(u32, Claim)>,
    /// Places at which an input that fails at a division was tried.
    pub(super) tried: FxHashSet<(Rule, u32)>,
}

/// What is asked about.
#[derive(Clone, Copy)]
enum Question {
    Check,
    Branch,
}

/// Whether an input gets past the divisions on the way to what is asked about.
enum Past {
    /// This one does.
    With(Model),
    /// None does.
    Nobody,
    /// There is no answer.
    Unknown(Reason),
}

impl Walk<'_, '_> {
    /// Decides the checks that come before the constraint with this index, as one bundle.
    pub(super) fn checks_before(
        &mut self,
        checks: &[Injected],
        next: &mut usize,
        constraint: usize,
        combination: Combination,
    ) -> ControlFlow<()> {
        let first = *next;
        let left = checks.get(first..).unwrap_or_default();
        *next += left.iter().take_while(|check| check.before <= constraint).count();
        self.bundle(checks, first..*next, combination)
    }

    /// Decides some checks as one bundle.
    fn bundle(&mut self, checks: &[Injected], bundle: Range<usize>, combination: Combination) -> ControlFlow<()> {
        let first = bundle.start;
        let bundle = checks.get(bundle).unwrap_or_default();
        let bundle: Vec<(usize, &Injected)> = (first..).zip(bundle).filter(|(index, _)| self.is_open(*index)).collect();
        if bundle.is_empty() {
            return ControlFlow::Continue(());
        }
        let claims: Vec<Claim> = bundle.iter().map(|(_, check)| check.holds).collect();
        let site = bundle.first().map_or(0, |(_, check)| check.site);
        let whole = self.solver.budget();
        let budget = self.check_patience.budget(site, whole);
        self.solver.set_budget(budget);
        let started = Instant::now();
        let combined = self.solver.combine(self.store, &claims, combination);
        self.solver.set_budget(whole);
        let ran_out = combined.decisions.contains(&Decision::Unknown(Reason::Time));
        self.check_patience.learn(site, whole, ran_out, started.elapsed());
        if combined.decisions.contains(&Decision::Unknown(Reason::Stopped)) {
            return ControlFlow::Break(());
        }
        for (decision, (index, check)) in combined.decisions.iter().zip(bundle) {
            match decision {
                Decision::Holds => self.decide(index, CheckVerdict::Holds),
                Decision::Violated(solution) => {
                    let Some(solution) = combined.solutions.get(*solution) else { continue };
                    self.violable(index, check, &solution.model)?;
                }
                Decision::Undecided => {}
                Decision::Unknown(Reason::Time) if budget.time.is_zero() => self.expansion.passed_over.push(index),
                Decision::Unknown(reason) => self.expansion.reasons.push((index, reason.clone())),
            }
        }
        ControlFlow::Continue(())
    }

    fn decide(&mut self, index: usize, verdict: CheckVerdict) {
        if let Some(place) = self.expansion.checks.get_mut(index) {
            *place = verdict;
        }
    }

    /// Decides a check that is violated under a model: an input that fails at a division before may never come to it.
    fn violable(&mut self, index: usize, check: &Injected, model: &Model) -> ControlFlow<()> {
        let divisions = self.watched(Division::before(self.divisions, check));
        let mut follows = false;
        let model = match self.past(Question::Check, check.site, check.holds, model, &divisions) {
            Past::With(model) => {
                self.decide(index, CheckVerdict::Violable);
                let mut survived = divisions.clone();
                if is_of_memory(check.rule) {
                    survived.extend(self.indices_elsewhere(check.site));
                }
                match self.past(Question::Check, check.site, check.holds, &model, &survived) {
                    Past::With(apart) => {
                        let mut near = self.near(check, &survived);
                        if near.is_none() && survived.len() > divisions.len() {
                            // It must be seen at all.
                            near = self.near(check, &divisions);
                        }
                        near.unwrap_or(apart)
                    }
                    Past::Unknown(Reason::Stopped) => return ControlFlow::Break(()),
                    past => {
                        follows = matches!(past, Past::Nobody);
                        self.near(check, &divisions).unwrap_or(model)
                    }
                }
            }
            Past::Unknown(Reason::Stopped) => return ControlFlow::Break(()),
            past => {
                match past {
                    Past::Unknown(reason) => self.expansion.reasons.push((index, reason)),
                    _ => self.decide(index, CheckVerdict::Behind),
                }
                // Where nobody needs the division's result, it is violated all the same. The same place would say the same again.
                if !self.tried.insert((check.rule, check.site)) {
                    return ControlFlow::Continue(());
                }
                model.clone()
            }
        };
        if check.rule == Rule::ArrayIndex {
            self.solver.watch(self.store, check.holds);
            self.indices.push((check.site, check.holds));
        }
        let input = model.input(self.store);
        (self.found)(Candidate { aim: Aim::Check(index), input, optimistic: false, follows })
    }

    /// The indices before that are out of bounds on another line. What fails on the same one is one finding anyway.
    fn indices_elsewhere(&self, site: u32) -> Vec<Claim> {
        let line = |site| {
            let position = path::position(self.sites?, site)?;
            Some((position.file.as_str(), position.line))
        };
        let is_elsewhere = |other: u32| other != site && (line(other).is_none() || line(other) != line(site));
        self.indices.iter().filter(|(other, _)| is_elsewhere(*other)).map(|(_, holds)| *holds).collect()
    }

    /// Whether a check is to be decided.
    fn is_open(&mut self, index: usize) -> bool {
        let is_wanted = match &self.chosen {
            Some(chosen) => chosen.get(index).copied().unwrap_or(false),
            None => self.choice.wants_check(index),
        };
        is_wanted && !self.protected.contains(&index)
    }

    /// A model that violates the check where this is seen best.
    fn near(&mut self, check: &Injected, survived: &[Claim]) -> Option<Model> {
        let near = check.near?;
        let goal = Claim::build(self.store, [check.holds, near], |store, [holds, near]| {
            let violated = store.not(holds);
            store.and(violated, near)
        });
        let whole = self.solver.budget();
        self.solver.set_budget(self.check_patience.budget(check.site, whole));
        let answer = self.solver.query(self.store, goal);
        self.solver.set_budget(whole);
        let Answer::Sat(solution) = answer else { return None };
        let holds = goal.negated(self.store);
        match self.past(Question::Check, check.site, holds, &solution.model, survived) {
            Past::With(model) if !solution.optimistic => Some(model),
            _ => None,
        }
    }

    /// Looks for a model that violates a claim and gets past what comes before, all of which is watched, given one that violates it.
    fn past(&mut self, what: Question, site: u32, claim: Claim, model: &Model, survived: &[Claim]) -> Past {
        // Those that this model fails at are enough as a rule.
        let mut required = self.failing(model, survived);
        if required.is_empty() {
            return Past::With(model.clone());
        }
        for next in [survived.to_vec(), Vec::new()] {
            let claim = for_survivors(self.store, &required, claim);
            let combined = self.decide_alone(what, site, claim);
            match (combined.decisions.first(), combined.solutions.into_iter().next()) {
                (Some(Decision::Violated(_)), Some(solution)) => {
                    if self.failing(&solution.model, survived).is_empty() {
                        return Past::With(solution.model);
                    }
                }
                (Some(Decision::Holds), _) => return Past::Nobody,
                (Some(Decision::Unknown(reason)), _) => return Past::Unknown(reason.clone()),
                _ => break,
            }
            required = next;
        }
        Past::Unknown(Reason::WrongModel)
    }

    /// That divisions can be done. From now on the solver watches them.
    fn watched(&mut self, divisions: &[Division]) -> Vec<Claim> {
        let claims: Vec<Claim> = divisions.iter().map(Division::holds).collect();
        for claim in claims.iter().skip(self.watched) {
            self.solver.watch(self.store, *claim);
        }
        self.watched = self.watched.max(claims.len());
        claims
    }

    /// The claims that fail under a model.
    fn failing(&mut self, model: &Model, claims: &[Claim]) -> Vec<Claim> {
        let hold = self.solver.which_hold(self.store, model, claims);
        claims.iter().zip(hold).filter(|(_, holds)| !holds).map(|(claim, _)| *claim).collect()
    }

    fn patience(&mut self, what: Question) -> &mut Patience {
        match what {
            Question::Check => &mut self.check_patience,
            Question::Branch => &mut self.branch_patience,
        }
    }

    fn decide_alone(&mut self, what: Question, site: u32, claim: Claim) -> solver::Combined {
        let whole = self.solver.budget();
        let budget = self.patience(what).budget(site, whole);
        self.solver.set_budget(budget);
        let started = Instant::now();
        let combined = self.solver.combine(self.store, &[claim], Combination::Naive);
        self.solver.set_budget(whole);
        let ran_out = combined.decisions.contains(&Decision::Unknown(Reason::Time));
        self.patience(what).learn(site, whole, ran_out, started.elapsed());
        combined
    }

    /// Asks for another way at a site.
    fn ask(&mut self, site: u32, goal: Claim) -> Answer {
        let whole = self.solver.budget();
        self.solver.set_budget(self.branch_patience.budget(site, whole));
        let started = Instant::now();
        let answer = self.solver.query(self.store, goal);
        self.solver.set_budget(whole);
        let ran_out = matches!(answer, Answer::Unknown(Reason::Time));
        self.branch_patience.learn(site, whole, ran_out, started.elapsed());
        answer
    }

    pub(super) fn branch(&mut self, index: usize, constraint: &path::Constraint, sizes: Vec<Way>) -> ControlFlow<()> {
        let ways = other_ways(self.store, constraint);
        let divisions = Division::before_constraint(self.divisions, index);
        self.solver.expect(self.store, constraint.claim());
        for way in ways.into_iter().chain(sizes) {
            if !self.choice.wants_way(index, way.number) {
                continue;
            }
            let past = match self.ask(constraint.site, way.goal) {
                Answer::Sat(solution) if solution.optimistic => (Past::With(solution.model), true),
                Answer::Sat(solution) => {
                    let not_there = way.goal.negated(self.store);
                    let divisions = self.watched(divisions);
                    (self.past(Question::Branch, constraint.site, not_there, &solution.model, &divisions), false)
                }
                Answer::Unsat => {
                    self.expansion.impossible += 1;
                    self.expansion.refuted.push(index);
                    continue;
                }
                Answer::Unknown(reason) => (Past::Unknown(reason), false),
            };
            match past {
                (Past::With(model), optimistic) => {
                    self.expansion.possible += 1;
                    let aim = Aim::Branch { constraint: index, way: way.name, number: way.number };
                    let input = model.input(self.store);
                    (self.found)(Candidate { aim, input, optimistic, follows: false })?;
                }
                (Past::Nobody, _) => self.expansion.behind += 1,
                (Past::Unknown(Reason::Stopped), _) => return ControlFlow::Break(()),
                (Past::Unknown(_), _) => self.expansion.unknown += 1,
            }
        }
        ControlFlow::Continue(())
    }
}
