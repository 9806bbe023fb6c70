//! One more look, at a run in which the lengths of files and standard input are input too: files may end earlier, or go on.
//!
//! All checks are decided once more, and the branches that depend on lengths are taken the other way. So are those that the run could
//! take one way only: the last record of a file cannot be longer than the file is, and what is done with a longer one
//! was excluded for that alone. What comes to something new there is looked at for its checks.

use std::ops::ControlFlow;
use std::sync::Arc;

use replay::Input;
use run::Request;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Session;

use super::others::{look_at, original};
use super::{Checked, Error, Progress, Settings, Subject, Traced, decide, replayable, rows, trace};
use crate::decisions::Decision;
use crate::expand::{Branches, Candidate, Checks, Choice, Options, expand_chosen};

/// How many of the first and of the last places are asked about where something could not be decided otherwise: the last records of a file
/// are those that can go on.
const FIRST: usize = 1;
const LAST: usize = 3;
/// Decisions that are asked about in all.
const MOST_ASKED: usize = 96;
/// Inputs that came to something new and are looked at.
const MOST_LOOKS: usize = 4;

/// Looks at a run in which lengths are input. What goes wrong ends this; the looks before that stay.
pub fn check_any_length(
    subject: &Subject,
    of_any_length: &Request,
    session: &mut Session,
    settings: &Settings,
    checked: &Checked,
    progress: &mut dyn FnMut(Progress),
) -> (Vec<Checked>, Option<Error>) {
    let this = Subject { request: of_any_length, ..*subject };
    let look = trace(of_any_length, subject.sites, settings).and_then(|mut traced| {
        if settings.options.branches != Branches::None {
            traced.tried = Box::new(decided_otherwise(session, settings, checked, &mut traced).into_iter());
        }
        traced.reached = checked.reached.clone();
        decide(&this, session, settings, traced, progress)
    });
    let mut look = match look {
        Ok(look) => look,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut new = std::mem::take(&mut look.neighbours);
    new.sort_by_key(|neighbour| std::cmp::Reverse(neighbour.new_edges));
    let inputs = new.into_iter().take(MOST_LOOKS).map(|neighbour| neighbour.input).collect();
    let settings = Settings { options: Options { branches: Branches::None, ..settings.options }, ..*settings };
    let (more, failed) =
        look_at(subject, session, &settings, (&original(checked), inputs, Vec::new()), &FxHashSet::default(), progress);
    (std::iter::once(look).chain(more).collect(), failed)
}

/// Inputs of other lengths that decide what none of the run's own length does.
fn decided_otherwise(session: &mut Session, settings: &Settings, checked: &Checked, traced: &mut Traced) -> Vec<Input> {
    let excluded = rows::excluded(&checked.path, &checked.expansion.refuted);
    let mut places = Places(places(&excluded, traced.path.constraints.iter().map(rows::other)));
    if places.0.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let outcome = &traced.outcome;
    let mut keep = |candidate: Candidate| {
        found.push(replayable(outcome, &candidate.input));
        ControlFlow::Continue(())
    };
    let mut step = |_| if settings.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = Options { branches: Branches::All, sizes: false, ..settings.options };
    let base = Arc::clone(&traced.base);
    let checks = Checks::default();
    session.set_deadline(settings.until);
    expand_chosen(session, &mut traced.path, checks, base, options, &mut places, &mut step, &mut keep);
    session.set_deadline(None);
    found
}

/// Where decisions are asked about, of those that each constraint of a path could be otherwise.
fn places(excluded: &FxHashSet<Decision>, others: impl Iterator<Item = Option<Decision>>) -> FxHashSet<usize> {
    let mut by_decision: FxHashMap<Decision, Vec<usize>> = FxHashMap::default();
    for (index, other) in others.enumerate() {
        if let Some(other) = other.filter(|other| excluded.contains(other)) {
            by_decision.entry(other).or_default().push(index);
        }
    }
    let ends = |places: &Vec<usize>| {
        let (first, last) = (places.iter().take(FIRST), places.iter().rev().take(LAST));
        first.chain(last).copied().collect::<Vec<_>>()
    };
    let mut wanted: Vec<usize> = by_decision.values().flat_map(ends).collect();
    wanted.sort_unstable_by_key(|place| std::cmp::Reverse(*place));
    wanted.dedup();
    wanted.into_iter().take(MOST_ASKED).collect()
}

/// Some constraints.
struct Places(FxHashSet<usize>);

impl Choice for Places {
    fn wants_way(&mut self, constraint: usize, _: u64) -> bool {
        self.0.contains(&constraint)
    }

    fn wants_check(&mut self, _: usize) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_places_can_go_on() {
        let decision = |site| Decision { site, way: 1 };
        let others = [1, 2, 1, 1, 1, 1, 3].map(|site| Some(decision(site)));
        let excluded = FxHashSet::from_iter([decision(1), decision(3)]);
        let found = places(&excluded, others.into_iter().chain([None]));
        assert_eq!(found, FxHashSet::from_iter([0, 3, 4, 5, 6]));
        assert!(places(&FxHashSet::default(), others.into_iter()).is_empty());
    }
}
