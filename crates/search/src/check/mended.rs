//! Longer inputs that a checksum turns away, with the right one.
//!
//! What is repeated in an input changes the sums over it, and a program that compares one goes no further. But the path of such a run
//! says what the sum is computed from, and what it is compared with: the comparison is decided as it was in the run.

use std::ops::ControlFlow;
use std::sync::Arc;

use expr::{Kind as Operator, Store, Term};
use path::Path;
use replay::Input;
use run::Request;
use rustc_hash::FxHashSet;
use solver::Session;

use super::{Checked, Settings, Subject, Traced, replayable, rows, trace_run};
use crate::decisions::{Decision, decision};
use crate::expand::{Branches, Candidate, Checks, Choice, Options, expand_chosen};
use crate::growth::bytes_of;

/// How many sums of one input are mended, one after the other.
const MOST_SUMS: usize = 2;

/// Terms of a condition that are looked at.
const MOST_TERMS: usize = 32;

/// Inputs that were turned away, and would not have been if the sums in them were right.
pub fn mended(subject: &Subject, session: &mut Session, settings: &Settings, checked: &Checked) -> Vec<Input> {
    if checked.turned_away.is_empty() {
        return Vec::new();
    }
    let sums = sums(&checked.path);
    if sums.is_empty() {
        return Vec::new();
    }
    let inputs = checked.turned_away.iter().take_while(|_| !settings.is_over());
    inputs.filter_map(|input| mend(subject, session, settings, &sums, input)).collect()
}

/// The decisions of a path that compare something computed from much of the input, always with the same result.
fn sums(path: &Path) -> FxHashSet<Decision> {
    let taken: FxHashSet<Decision> = path.constraints.iter().filter_map(decision).collect();
    let sums = path.constraints.iter().filter(|constraint| {
        let is_always_so = rows::other(constraint).is_some_and(|other| !taken.contains(&other));
        is_always_so && compares_much(&path.store, constraint.holds)
    });
    sums.filter_map(decision).collect()
}

/// Whether a comparison of equality in a condition is about more than a few bytes. Words that are compared byte by byte are not.
fn compares_much(store: &Store, condition: Term) -> bool {
    let mut left = vec![condition];
    for _ in 0..MOST_TERMS {
        let Some(term) = left.pop() else { break };
        match store.kind(term) {
            Operator::Not | Operator::And | Operator::Or => left.extend(store.node(term).operands()),
            Operator::Eq if bytes_of(store, term).is_none() => return true,
            _ => {}
        }
    }
    false
}

/// The input with right sums; nothing if it was not turned away by one.
fn mend(
    subject: &Subject,
    session: &mut Session,
    settings: &Settings,
    sums: &FxHashSet<Decision>,
    input: &Input,
) -> Option<Input> {
    let mut mended: Option<Input> = None;
    for _ in 0..MOST_SUMS {
        let this = mended.as_ref().unwrap_or(input);
        let run = |request: &Request| run::concolic_on(request, this, settings.interrupt);
        // Whatever became of this one, others can be mended.
        let mut traced = trace_run(subject.request, subject.sites, settings, usize::MAX, run).ok()?;
        let is_wrong =
            |constraint: &path::Constraint| rows::other(constraint).is_some_and(|other| sums.contains(&other));
        let Some(place) = traced.path.constraints.iter().rposition(is_wrong) else { break };
        mended = Some(decided(session, settings, &mut traced, place)?);
    }
    mended
}

/// An input that leaves the path of a run at a constraint.
fn decided(session: &mut Session, settings: &Settings, traced: &mut Traced, place: usize) -> Option<Input> {
    let options = Options { branches: Branches::All, bound: place, ..settings.options };
    let mut found = None;
    let mut keep = |candidate: Candidate| {
        found = Some(candidate.input);
        ControlFlow::Break(())
    };
    let mut step = |_| if settings.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let base = Arc::clone(&traced.base);
    let checks = Checks::default();
    expand_chosen(session, &mut traced.path, checks, base, options, &mut At(place), &mut step, &mut keep);
    found.map(|input| replayable(&traced.outcome, &input))
}

/// One constraint.
struct At(usize);

impl Choice for At {
    fn wants_way(&mut self, constraint: usize, _: u64) -> bool {
        constraint == self.0
    }

    fn wants_check(&mut self, _: usize) -> bool {
        false
    }
}
