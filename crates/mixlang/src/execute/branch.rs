//! Conditionals and loops: forking (SEIF-TRUE, SEIF-FALSE) and deferring (SEIF-DEFER).

use std::rc::Rc;

use expr::Term;
use solver::Answer;

use crate::analysis::Analysis;
use crate::execute::state::{Inconsistent, Memory, Path, Sigma, State, Unfinished};
use crate::execute::values::{Sym, constant};
use crate::rules::Premise;
use crate::span::Span;
use crate::syntax::{Expr, Literal};
use crate::types::Type;
use crate::verdict::{Cause, Step};

/// The ways that a condition can go from a state.
struct Fork {
    yes: Option<State>,
    no: Option<State>,
}

impl Analysis<'_> {
    pub(super) fn conditional(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        sigma: &Sigma,
        state: State,
    ) -> Vec<Path> {
        let paths = self.execute(condition, sigma, state);
        self.then(paths, |analysis, mut state, mut guard| {
            if guard.ty != Type::Bool {
                if analysis.rules.need(Premise::SymbolicOperandTypes) {
                    let message = format!("a condition is a boolean, not {}", guard.ty);
                    return analysis.wrong_here(state, "SEIF", condition.span, message);
                }
                guard = analysis.unknown(&mut state, "any", &Type::Bool);
            }
            let known = constant(&analysis.store, guard.term);
            if analysis.options.defer && known.is_none() {
                return analysis.deferred(state, guard.term, (condition.span, yes, no), sigma);
            }
            let fork = analysis.fork(state, &guard, condition.span);
            let mut paths = Vec::new();
            if let Some(state) = fork.yes {
                paths.extend(analysis.execute(yes, sigma, state));
            }
            if let Some(state) = fork.no {
                paths.extend(analysis.execute(no, sigma, state));
            }
            paths
        })
    }

    /// The loop unrolled, as conditionals that are always forked.
    pub(super) fn repetition(&mut self, condition: &Expr, body: &Expr, sigma: &Sigma, state: State) -> Vec<Path> {
        let unit = self.literal(&Literal::Unit);
        let mut done = Vec::new();
        let mut running = vec![state];
        for iteration in 0.. {
            let mut next = Vec::new();
            for state in std::mem::take(&mut running) {
                for path in self.execute(condition, sigma, state) {
                    let guard = match path.outcome {
                        Ok(guard) => guard,
                        Err(stop) => {
                            done.push(Path { state: path.state, outcome: Err(stop) });
                            continue;
                        }
                    };
                    if guard.ty != Type::Bool {
                        let message = format!("a condition is a boolean, not {}", guard.ty);
                        done.extend(self.wrong_here(path.state, "SEWHILE", condition.span, message));
                        continue;
                    }
                    let fork = self.fork(path.state, &guard, condition.span);
                    done.extend(fork.no.map(|state| Path::value(state, unit.clone())));
                    let Some(state) = fork.yes else { continue };
                    if iteration >= self.options.iterations {
                        let why = format!("the loop goes on after {iteration} iterations");
                        done.push(Path::unfinished(state, condition.span, why));
                        continue;
                    }
                    for path in self.execute(body, sigma, state) {
                        match path.outcome {
                            Ok(_) => next.push(path.state),
                            Err(stop) => done.push(Path { state: path.state, outcome: Err(stop) }),
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            running = next;
        }
        done
    }

    /// The state with a further condition, if that is feasible or cannot be told.
    pub(super) fn narrowed(&mut self, state: &State, condition: Term) -> Option<State> {
        if self.store.value(condition).is_some_and(expr::BitVec::is_zero) {
            return None;
        }
        let mut narrowed = state.clone();
        if self.store.value(condition).is_none() {
            match self.solve(&state.with(&[condition]), &state.model) {
                Answer::Unsat => return None,
                Answer::Sat(solution) => narrowed.model = Rc::new(solution.model),
                Answer::Unknown(_) => {}
            }
            narrowed.condition = self.store.and(state.condition, condition);
        }
        Some(narrowed)
    }

    fn fork(&mut self, state: State, guard: &Sym, span: Span) -> Fork {
        let decided = |mut state: State, taken: bool| {
            state.trail.push(Step { span, taken });
            Some(state)
        };
        let guard = guard.term;
        match constant(&self.store, guard) {
            Some(0) => return Fork { yes: None, no: decided(state, false) },
            Some(_) => return Fork { yes: decided(state, true), no: None },
            None => {}
        }
        let negated = self.store.not(guard);
        let (mut yes, mut no) = (self.narrowed(&state, guard), self.narrowed(&state, negated));
        if let (Some(_), Some(_)) = (&yes, &no) {
            let room = self.contexts.last_mut().is_some_and(|context| context.add_path());
            if !room {
                no = None;
                let why = "the budget of paths is used up".to_owned();
                if let Some(context) = self.contexts.last_mut() {
                    context.unfinished.push(Unfinished { span, why });
                }
            }
        }
        if !self.rules.need(Premise::BranchGuard) {
            for side in [&mut yes, &mut no].into_iter().flatten() {
                side.condition = state.condition;
            }
        }
        Fork { yes: yes.and_then(|state| decided(state, true)), no: no.and_then(|state| decided(state, false)) }
    }

    /// SEIF-DEFER: both arms are executed, and their results become conditional ones.
    fn deferred(
        &mut self,
        state: State,
        guard: Term,
        (span, yes, no): (Span, &Expr, &Expr),
        sigma: &Sigma,
    ) -> Vec<Path> {
        let negated = self.store.not(guard);
        let (yes_state, no_state) = match (self.narrowed(&state, guard), self.narrowed(&state, negated)) {
            (Some(yes_state), Some(no_state)) => (yes_state, no_state),
            // Only one arm can be reached.
            (Some(only), None) => return self.execute(yes, sigma, only),
            (None, Some(only)) => return self.execute(no, sigma, only),
            (None, None) => return Vec::new(),
        };
        let mut yes_paths = self.execute(yes, sigma, yes_state);
        let mut no_paths = self.execute(no, sigma, no_state);
        match (&yes_paths[..], &no_paths[..]) {
            ([Path { state: a, outcome: Ok(x) }], [Path { state: b, outcome: Ok(y) }]) => {
                let types_differ = x.ty != y.ty
                    || a.slots.len() != b.slots.len()
                    || a.slots.iter().zip(&b.slots).any(|(a, b)| a.ty != b.ty);
                if types_differ {
                    let message = format!("a deferred conditional needs one type: {} and {}", x.ty, y.ty);
                    let rejection = self
                        .reject("SEIF-DEFER", Cause::Type, span, message)
                        .help("without deferring, each arm is a path of its own");
                    return vec![Path::rejected(state, rejection)];
                }
                let merged = self.merged(&state, guard, a, b);
                let value = Sym { ty: x.ty.clone(), term: self.store.ite(guard, x.term, y.term) };
                vec![Path::value(merged, value)]
            }
            // What a loop has forked stays forked, and a path that stops stops.
            _ => {
                for (paths, taken) in [(&mut yes_paths, true), (&mut no_paths, false)] {
                    paths.iter_mut().for_each(|path| path.state.trail.push(Step { span, taken }));
                }
                yes_paths.append(&mut no_paths);
                yes_paths
            }
        }
    }

    fn merged(&mut self, before: &State, guard: Term, yes: &State, no: &State) -> State {
        let negated = self.store.not(guard);
        let mut facts = before.facts.clone();
        for (side, other) in [(yes, negated), (no, guard)] {
            for fact in side.facts.iter().skip(before.facts.len()) {
                facts.push(self.store.or(other, *fact));
            }
        }
        let mut inconsistent: Vec<Inconsistent> = Vec::new();
        for (side, term) in [(yes, guard), (no, negated)] {
            for write in &side.memory.inconsistent {
                let guard = self.store.and(write.guard, term);
                inconsistent.push(Inconsistent { guard, ..write.clone() });
            }
        }
        let slots = yes.slots.iter().zip(&no.slots);
        let slots = slots.map(|(a, b)| Sym { ty: a.ty.clone(), term: self.store.ite(guard, a.term, b.term) }).collect();
        State {
            condition: self.store.ite(guard, yes.condition, no.condition),
            facts,
            memory: Memory { cells: self.store.ite(guard, yes.memory.cells, no.memory.cells), inconsistent },
            slots,
            allocations: yes.allocations.max(no.allocations),
            trail: before.trail.clone(),
            // It satisfies the condition of one arm, and so the conditional one.
            model: yes.model.clone(),
        }
    }
}
