//! Checks behind values that are not followed.
//!
//! A path pins such a value to what it was in the run, and so, often, all of the input that it was computed from: whatever
//! comes later holds then. Without pins a path is not certain, but inputs are quickly tried.

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::{Injected, inject};
use checkers::selection::Selection;
use path::{Kind, Path, Pins};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Budget, Session};
use trace::rule::Rule;

use super::Cause;
use super::findings::Hope;
use crate::expand::CheckVerdict;
use crate::loops::{Effort, Run};

/// So often a check of one rule is asked about at one site: others there are mostly the same in later iterations.
const AT_ONE_SITE: u32 = 4;

/// Of one query's time, what one may take here.
const QUERY: u32 = 10;

/// A path whose checks are decided.
pub(super) struct Known<'a> {
    pub(super) path: &'a Path,
    pub(super) checks: &'a [Injected],
    pub(super) verdicts: &'a [CheckVerdict],
}

impl Known<'_> {
    /// The event that was the first to pin something.
    fn first_pin(&self) -> Option<usize> {
        let is_pin = |kind: &Kind| matches!(kind, Kind::Pin { .. } | Kind::Access { .. });
        self.path.constraints.iter().find(|constraint| is_pin(&constraint.kind)).map(|pin| pin.event)
    }

    /// Where checks are known to be violated by some input.
    fn violable(&self) -> FxHashSet<(Rule, u32)> {
        let violable = self.checks.iter().zip(self.verdicts).filter(|(_, verdict)| **verdict == CheckVerdict::Violable);
        violable.map(|(check, _)| (check.rule, check.site)).collect()
    }
}

/// Asks for violations of checks behind the first pin, as if there were none, and gives the inputs away to be tried.
pub(super) fn unpinned(
    session: &mut Session,
    run: &Run,
    selection: &Selection,
    known: &Known,
    give: &dyn Fn(Cause, &expr::Input, Hope) -> ControlFlow<()>,
) {
    let Some(first) = known.first_pin() else { return };
    let Ok(mut path) = path::build_with(run.trace, run.sites, run.stop, Pins::None) else { return };
    let checks = inject(&mut path, run.trace, run.sites, selection, run.stop);
    let from = path.constraints.partition_point(|constraint| constraint.event <= first);
    let violable = known.violable();
    let mut asked: FxHashMap<(Rule, u32), u32> = FxHashMap::default();
    let mut effort = Effort::new(run.stop);
    let budget = session.budget();
    session.set_budget(Budget { time: budget.time / QUERY, ..budget });
    let mut solver = session.path(Arc::clone(run.base));
    let mut pushed = 0;
    for check in checks.iter().filter(|check| check.before >= from && !check.by_use) {
        let place = (check.rule, check.site);
        let times = asked.entry(place).or_default();
        if violable.contains(&place) || *times >= AT_ONE_SITE {
            continue;
        }
        *times += 1;
        if !effort.allows() {
            break;
        }
        let before = path.constraints.get(pushed..check.before).unwrap_or_default();
        before.iter().for_each(|constraint| solver.push(&mut path.store, constraint.claim()));
        pushed = pushed.max(check.before);
        let violated = check.holds.negated(&mut path.store);
        let answer = solver.query(&mut path.store, violated);
        effort.spend(&answer);
        let Answer::Sat(solution) = answer else { continue };
        if give(Cause::Unpinned(check.site), &solution.model.input(&path.store), Hope::Tried).is_break() {
            break;
        }
    }
    session.set_budget(budget);
}
