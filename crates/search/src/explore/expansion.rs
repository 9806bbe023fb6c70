//! From an input's path to its children.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use checkers::inject::{Injected, inject};
use checkers::selection::Scope;
use path::Path;
use replay::{Input, Prediction, Verdict, verdict};
use run::Outcome;
use solver::Session;
use store::{Cut, Expanded, Item};

use super::{Origin, Worker, from_store, is_interrupted, statistics, to_store};
use crate::check::{Error, diverged, prediction, replayable};
use crate::decisions::{Decision, Row, decision};
use crate::divergence::first_difference;
use crate::expand::{Aim, Candidate, CheckVerdict, Expansion, Options, expand};

/// Where the expansion of a path begins.
struct Start {
    /// The first constraint that belongs to the path itself and not to its parent.
    bound: usize,
    /// Site of the decision that was not as expected, if there is one.
    diverged: Option<u32>,
}

/// How the predictions of a path turned out.
#[derive(Default)]
struct Predictions {
    /// Checks whose violation was seen.
    confirmed: Vec<usize>,
    elsewhere: u64,
    missed: Vec<(usize, Input)>,
}

impl Worker<'_> {
    pub(super) fn expand(&mut self, session: &mut Session, item: &Item) -> Result<(), Error> {
        let outcome = run::concolic_on(self.subject.request, &from_store(&item.input), self.settings.stop)?;
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        if outcome.trace.state() == trace::layout::State::Unclaimed {
            return if item.cut.is_none() { Err(Error::NoTrace) } else { self.broken(item) };
        }
        let base = Arc::new(path::input(&outcome.trace, &outcome.contents));
        if self.subject.request.selfcheck
            && let Some(mismatch) = path::selfcheck::selfcheck(&outcome.trace, &base)
        {
            return Err(Error::Mismatch(mismatch.message));
        }
        let built = path::build(&outcome.trace, self.subject.sites, self.settings.stop);
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        let Ok(mut path) = built else { return self.broken(item) };
        let mut whole = Row::new(&outcome);
        whole.extend(&path, 0..path.constraints.len());
        let name = whole.name();
        let start = self.start(item, &path, &outcome)?;
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        if self.campaign.knows_path(&name)? {
            let repeated = [(statistics::REPEATED.to_owned(), 1)];
            return Ok(self.campaign.settled(item.id, &repeated, start.diverged)?);
        }

        let mut checks = inject(&mut path, &outcome.trace, self.subject.sites, self.settings.selection);
        checks.retain(|check| check.before >= start.bound || self.depends_on_later(check));
        let row = Row::new(&outcome);
        let before = session.stats().clone();
        let started = Instant::now();
        let (expansion, predictions, optimistic) =
            self.candidates(session, item, &outcome, &mut path, &checks, start.bound, row, base)?;
        if expansion.stopped || self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }

        let losses = (self.settings.losses)(&path.record, &outcome);
        let mut counted = statistics::queries(&before, session.stats());
        counted.extend(self.judged(&path, &checks, &expansion, &predictions)?);
        counted.extend(
            [
                (statistics::POSSIBLE, expansion.possible as u64),
                (statistics::IMPOSSIBLE, expansion.impossible as u64),
                (statistics::UNKNOWN, expansion.unknown as u64),
                (statistics::OPTIMISTIC, optimistic),
                (statistics::RUN_TIME, outcome.wall.as_micros() as u64),
                (statistics::EXPAND_TIME, started.elapsed().as_micros() as u64),
            ]
            .map(|(name, value)| (name.to_owned(), value)),
        );
        if self.is_stopped() {
            return Ok(self.campaign.release(item.id)?);
        }
        let expanded = Expanded {
            path: name,
            decisions: path.constraints.iter().filter_map(decision).count(),
            complete: losses.is_empty(),
            statistics: counted,
            losses,
            diverged: start.diverged,
        };
        Ok(self.campaign.expanded(item.id, &expanded)?)
    }

    fn broken(&mut self, item: &Item) -> Result<(), Error> {
        Ok(self.campaign.settled(item.id, &[(statistics::BROKEN.to_owned(), 1)], None)?)
    }

    /// Compares the beginning of a path with what was expected of it.
    fn start(&mut self, item: &Item, path: &Path, outcome: &Outcome) -> Result<Start, Error> {
        let Some(cut) = &item.cut else { return Ok(Start { bound: 0, diverged: None }) };
        let bound = cut.constraint.saturating_add(1);
        let mut beginning = Row::new(outcome);
        beginning.extend(path, 0..bound);
        if path.constraints.len() >= bound && beginning.name() == cut.expected {
            return Ok(Start { bound, diverged: None });
        }
        // Divergences are rare: the parent is run again to see where it was, rather than all paths be kept.
        let parent = from_store(&self.campaign.item(cut.parent)?.input);
        let outcome = run::concolic_on(self.subject.request, &parent, self.settings.stop)?;
        let Ok(parent) = path::build(&outcome.trace, self.subject.sites, self.settings.stop) else {
            return Ok(Start { bound: 0, diverged: Some(cut.site) });
        };
        Ok(match first_difference(&parent, cut.constraint, path) {
            Some(constraint) => {
                let site = parent.constraints.get(constraint).map_or(cut.site, |constraint| constraint.site);
                Start { bound: constraint, diverged: Some(site) }
            }
            // It came to the place and did not go the way that it was to go.
            None => Start { bound: cut.constraint, diverged: Some(cut.site) },
        })
    }

    /// Whether what comes later on a path says if the check is one. All other checks before the cut were the parent's.
    fn depends_on_later(&self, check: &Injected) -> bool {
        let check = check.number.and_then(|number| self.subject.sites.checks.get(number as usize));
        check.is_some_and(|check| self.settings.selection.scope_of_check(check) == Scope::Sizes)
    }

    /// Walks along the path. Children go into the campaign as they come, so that others can run them meanwhile.
    #[expect(clippy::too_many_arguments, reason = "all of it is about one walk")]
    fn candidates(
        &mut self,
        session: &mut Session,
        item: &Item,
        outcome: &Outcome,
        path: &mut Path,
        checks: &[Injected],
        bound: usize,
        mut row: Row,
        base: Arc<expr::Input>,
    ) -> Result<(Expansion, Predictions, u64), Error> {
        let decisions: Vec<Option<Decision>> = path.constraints.iter().map(decision).collect();
        let sites: Vec<u32> = path.constraints.iter().map(|constraint| constraint.site).collect();
        let options = Options { combination: self.settings.combination, branches: true, sizes: false, bound };
        let (mut predictions, mut optimistic) = (Predictions::default(), 0);
        let (mut walked, mut failed) = (0, None);
        let stop = self.settings.stop;
        let mut found = |candidate: Candidate| {
            let input = replayable(outcome, &candidate.input);
            let result = match candidate.aim {
                Aim::Check(index) => self.predicted(item, checks, index, input, &mut predictions),
                Aim::Branch { constraint, number, .. } => {
                    optimistic += u64::from(candidate.optimistic);
                    let passed = decisions.get(walked..constraint).unwrap_or_default();
                    passed.iter().flatten().for_each(|decision| row.push(*decision));
                    walked = constraint;
                    let site = sites.get(constraint).copied().unwrap_or(0);
                    let mut expected = row.clone();
                    expected.push(Decision { site, way: number });
                    let cut = Cut { parent: item.id, constraint, site, expected: expected.name() };
                    let child = to_store(&input);
                    self.campaign.add_child(&child, &cut).map(drop).map_err(Error::from)
                }
            };
            match result {
                Ok(()) if !self.is_stopped() => ControlFlow::Continue(()),
                Ok(()) => ControlFlow::Break(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let mut go_on = |_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let expansion = expand(session, path, checks, base, options, &mut go_on, &mut found);
        match failed {
            Some(error) => Err(error),
            None => Ok((expansion, predictions, optimistic)),
        }
    }

    /// Runs an input that is to violate a check.
    fn predicted(
        &mut self,
        item: &Item,
        checks: &[Injected],
        index: usize,
        input: Input,
        predictions: &mut Predictions,
    ) -> Result<(), Error> {
        let Some(check) = checks.get(index) else { return Ok(()) };
        let prediction: Prediction = prediction(self.subject.sites, check);
        let replayer = self.subject.replayer;
        let is_often_meant = |number: &u32| {
            replayer.sites().checks.get(*number as usize).is_some_and(trace::sites::Check::counts_if_asked_for)
        };
        let armed: Vec<u32> = prediction.check.into_iter().filter(is_often_meant).collect();
        let outcome = replayer.replay_armed(&input, &armed)?;
        if is_interrupted(&outcome) {
            return Ok(());
        }
        match verdict(&prediction, &outcome) {
            Verdict::Confirmed { .. } => predictions.confirmed.push(index),
            Verdict::ConfirmedElsewhere { .. } => predictions.elsewhere += 1,
            Verdict::Diverged(_) | Verdict::NotReproduced => predictions.missed.push((index, input.clone())),
        }
        let origin = Origin::Check { rule: check.rule, site: check.site };
        self.keep(item.id, &input, outcome.violations, &armed, Some(&prediction), origin)
    }

    /// Checks and predictions in numbers.
    fn judged(
        &mut self,
        path: &Path,
        checks: &[Injected],
        expansion: &Expansion,
        predictions: &Predictions,
    ) -> Result<Vec<(String, u64)>, Error> {
        let mut counted = Vec::new();
        for (index, (check, verdict)) in checks.iter().zip(&expansion.checks).enumerate() {
            let outcome = match verdict {
                CheckVerdict::Holds => "safe",
                CheckVerdict::Violable => "violated",
                CheckVerdict::Unknown => "unknown",
            };
            counted.push((statistics::check(check.rule, outcome), 1));
            if predictions.confirmed.contains(&index) {
                counted.push((statistics::check(check.rule, "confirmed"), 1));
            }
        }
        counted.push((statistics::CONFIRMED.to_owned(), predictions.confirmed.len() as u64));
        counted.push((statistics::CONFIRMED_ELSEWHERE.to_owned(), predictions.elsewhere));
        for (index, input) in &predictions.missed {
            let end = checks.get(*index).map_or(0, |check| check.before);
            let divergence = diverged(self.subject, self.settings.stop, (path, end), input)?;
            let name = if divergence.is_some() { statistics::DIVERGED } else { statistics::NOT_REPRODUCED };
            counted.push((name.to_owned(), 1));
        }
        Ok(counted)
    }
}
