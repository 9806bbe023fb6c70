//! Questions behind loops that nothing depends on, with what the loops decided left out.
//!
//! A path with one iteration says how large its bound is, and so what is asked behind the loop is asked for that bound only.
//! Where the iterations do not matter, any other number of them will do.

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::Injected;
use path::Path;
use solver::{Answer, Session};

use super::effort::Effort;
use super::{Independence, Run};
use crate::expand::{Aim, Candidate, CheckVerdict, Expansion};
use crate::ways::other_ways;

/// Asks again what the loops' decisions excluded, from the constraint `bound` on, and gives each input to `found`. It goes along the
/// path up to the first constraint that is left out.
pub(crate) fn relaxed(
    session: &mut Session,
    path: &mut Path,
    checks: &[Injected],
    run: &Run,
    independence: &Independence,
    (expansion, bound): (&Expansion, usize),
    found: &mut dyn FnMut(Candidate) -> ControlFlow<()>,
) {
    let Some(first) = independence.first_outside(0) else { return };
    let mut effort = Effort::new(run.stop);
    let mut solver = session.path(Arc::clone(run.base));
    let store = &mut path.store;
    let from = first.max(bound);
    let mut next = 0;
    'path: for index in 0..=path.constraints.len() {
        while let Some(check) = checks.get(next).filter(|check| check.before <= index) {
            let number = next;
            next += 1;
            let holds = matches!(expansion.checks.get(number), Some(CheckVerdict::Holds | CheckVerdict::Behind));
            if !holds || check.by_use || check.before <= from || independence.protected.contains(&number) {
                continue;
            }
            if !effort.allows() {
                break 'path;
            }
            let violated = check.holds.negated(store);
            let answer = solver.query(store, violated);
            effort.spend(&answer);
            let Answer::Sat(solution) = answer else { continue };
            let aim = Aim::Check(number);
            if found(Candidate { aim, input: solution.model.input(store), optimistic: true, follows: false }).is_break()
            {
                break 'path;
            }
        }
        let Some(constraint) = path.constraints.get(index).filter(|_| independence.outside(index).is_none()) else {
            continue;
        };
        if index > from && expansion.refuted.binary_search(&index).is_ok() {
            for way in other_ways(store, constraint) {
                if !effort.allows() {
                    break 'path;
                }
                let answer = solver.query(store, way.goal);
                effort.spend(&answer);
                let Answer::Sat(solution) = answer else { continue };
                let aim = Aim::Branch { constraint: index, way: way.name, number: way.number };
                if found(Candidate { aim, input: solution.model.input(store), optimistic: true, follows: false })
                    .is_break()
                {
                    break 'path;
                }
            }
        }
        solver.push(store, constraint.claim());
    }
}
