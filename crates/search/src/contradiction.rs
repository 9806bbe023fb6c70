//! Constraint contradiction: does a check hold anyway?
//!
//! It does if the constraints before it contradict its violation. They can be asked all at once, or from the latest backwards: what
//! protects a check usually stands right before it. That is the reverse incremental check. Of constraints that an answer satisfies
//! none is needed, so only others are taken, twice as many each time. A question with few constraints is small, and it is the same
//! one on all paths that come by the same guard, so that the query cache knows the answer. Still it is slower on the
//! paths of real programs, which `bench/loops` shows, so it has to be asked for.

use std::str::FromStr;
use std::sync::Arc;

use checkers::inject::Injected;
use expr::{Claim, Evaluator, Input, Model, Store, Term, Var};
use path::Path;
use rustc_hash::FxHashSet;
use solver::{Answer, Session};

/// How checks are recognised that hold anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Contradiction {
    /// By all constraints at once.
    #[default]
    Plain,
    /// By constraints from the latest backwards, until they are enough.
    Reverse,
    /// Not at all.
    Off,
}

/// A name that is no way to recognise them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no way to recognise checks that a guard protects; choose plain, reverse or off")]
pub struct UnknownContradiction(String);

impl FromStr for Contradiction {
    type Err = UnknownContradiction;

    fn from_str(text: &str) -> Result<Contradiction, UnknownContradiction> {
        match text {
            "plain" => Ok(Contradiction::Plain),
            "reverse" => Ok(Contradiction::Reverse),
            "off" => Ok(Contradiction::Off),
            _ => Err(UnknownContradiction(text.to_owned())),
        }
    }
}

/// Constraints that may protect checks, in the order of the path.
#[derive(Default)]
pub(crate) struct Guards {
    all: Vec<(Claim, Vec<Var>)>,
}

impl Guards {
    /// Adds a constraint.
    pub(crate) fn push(&mut self, store: &Store, constraint: Claim) {
        self.all.push((constraint, expr::variables(store, &[constraint.term])));
    }

    /// Whether the constraints, together with `own`, exclude `goal`; `ask` answers questions for as long as it wants to.
    pub(crate) fn contradict(
        &self,
        store: &mut Store,
        own: &[Claim],
        goal: Claim,
        how: Contradiction,
        ask: &mut dyn FnMut(&mut Store, &[Claim]) -> Option<Answer>,
    ) -> bool {
        if how == Contradiction::Off {
            return false;
        }
        let mut left = self.relevant(store, own, goal);
        let mut question = vec![goal];
        let mut step = match how {
            Contradiction::Reverse => 1,
            Contradiction::Plain | Contradiction::Off => left.len(),
        };
        loop {
            question.extend(left.drain(left.len().saturating_sub(step)..));
            step = step.saturating_mul(2);
            let needed = match ask(store, &question) {
                Some(Answer::Unsat) => return true,
                Some(Answer::Sat(solution)) => violated(store, &solution.model, &left),
                Some(Answer::Unknown(_)) => left.clone(),
                None => return false,
            };
            if needed.is_empty() {
                return false;
            }
            // What the answer violates goes to the end, where it is taken from.
            let is_needed: FxHashSet<Term> = needed.iter().map(|claim| claim.term).collect();
            left.retain(|claim| !is_needed.contains(&claim.term));
            step = step.min(needed.len());
            left.extend(needed);
        }
    }

    /// The constraints that have anything to do with the goal, in the order of the path.
    fn relevant(&self, store: &Store, own: &[Claim], goal: Claim) -> Vec<Claim> {
        let own: Vec<(Claim, Vec<Var>)> =
            own.iter().map(|claim| (*claim, expr::variables(store, &[claim.term]))).collect();
        let all: Vec<&(Claim, Vec<Var>)> = self.all.iter().chain(&own).collect();
        let mut reached: FxHashSet<Var> = expr::variables(store, &[goal.term]).into_iter().collect();
        let mut is_relevant = vec![false; all.len()];
        loop {
            let mut changed = false;
            for ((_, variables), is_relevant) in all.iter().zip(&mut is_relevant).rev() {
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
        all.into_iter().zip(is_relevant).filter(|(_, relevant)| *relevant).map(|((claim, _), _)| *claim).collect()
    }
}

/// The checks of a path, among those that are `wanted`, that constraints before them protect, by index; as far as it `goes_on`.
pub(crate) fn protected(
    session: &mut Session,
    path: &mut Path,
    checks: &[Injected],
    input: &Arc<Input>,
    wanted: &mut dyn FnMut(usize) -> bool,
    goes_on: &mut dyn FnMut() -> bool,
) -> FxHashSet<usize> {
    let model = Model::of_input(Arc::clone(input));
    let mut guards = Guards::default();
    let mut constraints = path.constraints.iter().enumerate().peekable();
    let mut protected = FxHashSet::default();
    for (index, check) in checks.iter().enumerate().filter(|(index, _)| wanted(*index)) {
        while let Some((_, constraint)) = constraints.next_if(|(number, _)| *number < check.before) {
            guards.push(&path.store, constraint.claim());
        }
        let violated = check.holds.negated(&mut path.store);
        let mut ask = |store: &mut Store, claims: &[Claim]| goes_on().then(|| session.solve(store, claims, &model));
        if guards.contradict(&mut path.store, &[], violated, Contradiction::Reverse, &mut ask) {
            protected.insert(index);
        }
    }
    protected
}

/// The constraints that do not hold under a model.
fn violated(store: &Store, model: &Model, claims: &[Claim]) -> Vec<Claim> {
    let mut evaluator = Evaluator::new(store, model);
    claims.iter().copied().filter(|claim| !evaluator.all_true(&[claim.term])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::parse_term;
    use proptest::prelude::*;
    use solver::Config;

    /// Whether guards contradict a goal, and how many constraints each question had.
    fn contradict(how: Contradiction, guards: &[String], goal: &str) -> (bool, Vec<usize>) {
        let mut session = Session::new(Config { in_process: true, ..Config::default() }).unwrap();
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let mut all = Guards::default();
        for guard in guards {
            let term = parse_term(&mut store, guard).unwrap();
            all.push(&store, term.into());
        }
        let goal = parse_term(&mut store, goal).unwrap();
        let base = Model::default();
        let mut asked = Vec::new();
        let mut ask = |store: &mut Store, claims: &[Claim]| {
            asked.push(claims.len() - 1);
            Some(session.solve(store, claims, &base))
        };
        (all.contradict(&mut store, &[], goal.into(), how, &mut ask), asked)
    }

    #[test]
    fn the_guard_right_before_is_enough() {
        let mut guards: Vec<String> = (0..20).map(|i| format!("(ult stdin[{i}] stdin[{}])", i + 1)).collect();
        guards.push("(ult stdin[0] 0xa)".to_owned());
        assert_eq!(contradict(Contradiction::Reverse, &guards, "(ult 0x9 stdin[0])"), (true, vec![1]));
        assert_eq!(contradict(Contradiction::Plain, &guards, "(ult 0x9 stdin[0])"), (true, vec![21]));
        assert_eq!(contradict(Contradiction::Off, &guards, "(ult 0x9 stdin[0])"), (false, vec![]));
    }

    #[test]
    fn what_has_nothing_to_do_with_it_is_not_asked() {
        let guards = ["(ult stdin[0] 0xa)".to_owned(), "(ult stdin[1] 0xa)".to_owned()];
        assert_eq!(contradict(Contradiction::Plain, &guards, "(eq 0x9 stdin[0])"), (false, vec![1]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn both_ways_say_the_same(
            guards in prop::collection::vec((0..3u8, 0..3u8, any::<bool>(), 0..8u8), 0..8),
            goal in (0..3u8, 0..8u8),
        ) {
            let guards: Vec<String> = guards
                .iter()
                .map(|(a, b, with_constant, constant)| match with_constant {
                    true => format!("(ult stdin[{a}] {constant:#x})"),
                    false => format!("(ult stdin[{a}] stdin[{b}])"),
                })
                .collect();
            let goal = format!("(ult {:#x} stdin[{}])", goal.1, goal.0);
            let (plain, reverse) = (Contradiction::Plain, Contradiction::Reverse);
            prop_assert_eq!(contradict(plain, &guards, &goal).0, contradict(reverse, &guards, &goal).0);
        }
    }
}
