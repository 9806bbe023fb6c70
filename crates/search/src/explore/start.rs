//! Whether a path begins as expected, and why not.

use path::{Kind, Path, last_loss};
use run::Outcome;
use store::{Cut, Divergence, Item};

use super::{Worker, from_store};
use crate::check::{Error, run_on};
use crate::decisions::{Decision, Row, behind, decisions};
use crate::divergence::in_common;

/// The program took another way on the same input: it depends on more than that.
const NOT_DETERMINISTIC: &str = "not-deterministic";
/// Nothing is known that can be the reason.
const UNEXPLAINED: &str = "unexplained";

/// Where the expansion of a path begins.
pub(super) struct Start {
    /// The first constraint that belongs to the path itself and not to its parent.
    pub(super) bound: usize,
    /// The decision that was not as expected, if there is one.
    pub(super) diverged: Option<Divergence>,
}

impl Worker<'_> {
    /// Compares the beginning of a path with what was expected of it.
    pub(super) fn start(&mut self, item: &Item, path: &Path, outcome: &Outcome) -> Result<Start, Error> {
        let Some(cut) = &item.cut else { return Ok(Start { bound: 0, diverged: None }) };
        let mut beginning = Row::new(outcome);
        if let Some(bound) = behind(path, cut.decisions) {
            beginning.extend(path, 0..bound);
            if beginning.name() == cut.expected {
                return Ok(Start { bound, diverged: None });
            }
        }
        let because = |site: u32, cause: &str| Some(Divergence { site, cause: cause.to_owned() });
        // Divergences are rare: the parent is run again to see where it was, rather than all paths be kept.
        let parent = from_store(&self.campaign.item(cut.parent)?.input);
        let outcome = run_on(self.subject, &parent, self.settings.stop)?;
        let Ok(parent) = path::build(&outcome.trace, self.subject.sites, self.settings.stop) else {
            return Ok(Start { bound: 0, diverged: because(cut.site, NOT_DETERMINISTIC) });
        };
        // Without a difference before it came to the place and did not go the way that it was to go.
        let shared = in_common(&parent, path).min(cut.decisions.saturating_sub(1));
        let decision = decisions(&parent).nth(shared).and_then(|(index, _)| parent.constraints.get(index));
        let (site, event) = decision.map_or((cut.site, usize::MAX), |decision| (decision.site, decision.event));
        let cause = match last_loss(&outcome.trace, self.subject.sites, event) {
            _ if !comes_to(&parent, &outcome, cut) => NOT_DETERMINISTIC,
            Some(loss) => loss.word(),
            None => UNEXPLAINED,
        };
        Ok(Start { bound: behind(path, shared).unwrap_or(0), diverged: because(site, cause) })
    }
}

/// Whether a run came to the place where another one was to leave its path, as it did before.
fn comes_to(path: &Path, outcome: &Outcome, cut: &Cut) -> bool {
    let mut before = Row::new(outcome);
    let Some(shared) = cut.decisions.checked_sub(1) else { return before.name() == cut.expected };
    let Some((index, decided)) = decisions(path).nth(shared) else { return false };
    let ways = match path.constraints.get(index).map(|constraint| &constraint.kind) {
        Some(Kind::Branch { .. }) => 2,
        Some(Kind::Switch { cases, .. }) => cases.len() as u64 + 1,
        Some(Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. }) | None => 0,
    };
    before.extend(path, 0..index);
    let is_expected = |way: u64| {
        let mut expected = before.clone();
        expected.push(Decision { way, ..decided });
        expected.name() == cut.expected
    };
    // Where the cases are not known, the way that it went has no number among them.
    (0..ways).chain([decided.way]).any(is_expected)
}
