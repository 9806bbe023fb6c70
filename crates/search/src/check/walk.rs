//! Along the path of a run, and from there on behind its loops.

use std::ops::ControlFlow;
use std::sync::Arc;

use checkers::inject::Injected;
use path::Path;
use solver::Session;

use super::findings::Hope;
use super::iterations::{Chosen, Iterations, Looped};
use super::{Cause, Settings};
use crate::divisions::Division;
use crate::expand::{Aim, Branches, Candidate, Checks, Expansion, Options, expand_chosen};
use crate::loops::{self, Independence, Policy, Proposal, Run};

/// A path that is walked.
pub(super) struct Walk<'a> {
    pub(super) settings: &'a Settings<'a>,
    pub(super) checks: &'a [Injected],
    /// The divisions on it.
    pub(super) divisions: &'a [Division],
    /// The run that took it.
    pub(super) run: Run<'a>,
    /// Gives an input away to be run.
    pub(super) give: &'a dyn Fn(Cause, &expr::Input, Hope) -> ControlFlow<()>,
}

/// On a path of more constraints than these all checks are decided before any branch: the branches may take hours, and whoever has no
/// time for that wants to know what can fail on the path itself. On a shorter one both are done on one walk, which takes less.
const LONG: usize = 5_000;

type Step<'a> = dyn FnMut(usize) -> ControlFlow<()> + 'a;

impl Walk<'_> {
    /// Decides checks, and looks for inputs that go other ways.
    pub(super) fn along(&self, session: &mut Session, path: &mut Path, step: &mut Step) -> (Expansion, Looped) {
        let independence = self.independence(session, path);
        let iterations = Iterations::new(path, independence, self.settings.loops);
        let options = self.settings.options;
        let checks_first =
            options.branches == Branches::All && path.constraints.len() > LONG && !self.checks.is_empty();
        let first = if checks_first { Options { branches: Branches::None, ..options } } else { options };
        let mut expansion = self.expand(session, path, self.checks, first, &iterations, false, step);
        if checks_first && !expansion.stopped {
            expansion.add(self.expand(session, path, &[], options, &iterations, false, step));
        }
        if options.branches == Branches::All && iterations.asks_for_more() && !expansion.stopped {
            self.behind_loops(session, path, &expansion, &iterations);
        }
        let is_of_loops = matches!(options.branches, Branches::All | Branches::OfLoops);
        if is_of_loops && iterations.asks_for_more() && !expansion.stopped {
            self.many_iterations(session, path, &iterations);
        }
        if let Some(bound) = iterations.postponed().filter(|_| options.branches == Branches::All && !expansion.stopped)
        {
            let rest = Options { bound, ..options };
            expansion.add(self.expand(session, path, &[], rest, &iterations, true, step));
        }
        (expansion, iterations.finish())
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is about one walk")]
    fn expand(
        &self,
        session: &mut Session,
        path: &mut Path,
        checks: &[Injected],
        options: Options,
        iterations: &Iterations,
        postponed: bool,
        step: &mut Step,
    ) -> Expansion {
        let mut found = |candidate: Candidate| {
            let cause = match candidate.aim {
                Aim::Check(index) => Cause::Check(index),
                Aim::Branch { constraint, number, .. } => {
                    iterations.goes(constraint, number);
                    Cause::Branch(constraint)
                }
            };
            let hope = if candidate.follows { Hope::Follows } else { Hope::Sure };
            (self.give)(cause, &candidate.input, hope)
        };
        let mut chosen = Chosen { iterations, postponed };
        let input = Arc::clone(self.run.base);
        let checks = Checks { asked: checks, divisions: self.divisions, sites: Some(self.run.sites) };
        expand_chosen(session, path, checks, input, options, &mut chosen, step, &mut found)
    }

    /// Which decisions of later iterations nothing on the path depends on.
    fn independence(&self, session: &mut Session, path: &mut Path) -> Independence {
        match self.settings.loops {
            // Loops lead to nothing but other ways.
            _ if self.settings.options.branches != Branches::All => Independence::default(),
            // Nobody is going to look at any of them.
            _ if self.settings.is_over() => Independence::default(),
            Policy::Ask => loops::candidates(path, &self.run),
            policy @ (Policy::Postpone | Policy::LeaveOut) => {
                let contradiction = self.settings.options.contradiction;
                let settings = loops::Settings { policy, contradiction };
                loops::independence(session, path, self.checks, &self.run, settings)
            }
        }
    }

    /// Looks for inputs behind loops that nothing depends on. They are tried, not predicted: the loop may have to do with it after all.
    fn behind_loops(&self, session: &mut Session, path: &mut Path, expansion: &Expansion, iterations: &Iterations) {
        let mut found = |candidate: Candidate| {
            let cause = match candidate.aim {
                Aim::Check(index) => Cause::Check(index),
                Aim::Branch { constraint, .. } => Cause::Branch(constraint),
            };
            (self.give)(cause, &candidate.input, Hope::Tried)
        };
        let known = (expansion, 0);
        loops::relaxed(session, path, self.checks, &self.run, &iterations.independence, known, &mut found);
    }

    /// Looks for inputs that make many more iterations.
    fn many_iterations(&self, session: &mut Session, path: &mut Path, iterations: &Iterations) {
        let mut found = |proposal: Proposal, input: expr::Input| match proposal {
            Proposal::Check(index) => (self.give)(Cause::Check(index), &input, Hope::Tried),
            Proposal::Iterations { number, .. } => {
                iterations.tries(number);
                (self.give)(Cause::Iterations(number), &input, Hope::Tried)
            }
        };
        let mut due = |number| iterations.is_due(number);
        loops::propose(session, path, self.checks, &self.run, &mut due, &mut found);
    }
}
