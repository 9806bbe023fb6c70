//! Rows of decisions, as those about the name of a command, and what a path can decide nowhere in them.
//!
//! A run comes to the end of such a row with one command, and the others may be excluded for that one: they are shorter, say. But where
//! the row was left early, for another command, it can be gone through as well.

use path::{Constraint, Kind, Path};
use replay::Input;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decisions::{Decision, decision};

/// Inputs, by a decision that they make where the run decided otherwise.
pub type Rows = FxHashMap<Decision, Input>;

/// The other ways of branches, by the constraint.
pub fn others(path: &Path) -> FxHashMap<usize, Decision> {
    let constraints = path.constraints.iter().enumerate();
    constraints.filter_map(|(index, constraint)| Some((index, other(constraint)?))).collect()
}

/// Ways of branches that a path takes nowhere, and that no input takes which comes to one of them on it.
pub fn excluded(path: &Path, refuted: &[usize]) -> FxHashSet<Decision> {
    let mut possible: FxHashSet<Decision> = path.constraints.iter().filter_map(decision).collect();
    let mut excluded = FxHashSet::default();
    for (index, constraint) in path.constraints.iter().enumerate() {
        let ways = if refuted.binary_search(&index).is_ok() { &mut excluded } else { &mut possible };
        ways.extend(other(constraint));
    }
    excluded.retain(|decision| !possible.contains(decision));
    excluded
}

/// How far before a decision inputs are looked for that come to it: so many other names may be compared first.
const FARTHEST: usize = 6;

/// Inputs that come to decisions which could not be made otherwise, by the decisions before them, the nearest ones first: where the row was left
/// early for a name, it is gone through to its end without that.
pub fn leading_to<'a>(excluded: &FxHashSet<Decision>, path: &Path, rows: &'a Rows) -> impl Iterator<Item = &'a Input> {
    let mut known = FxHashSet::default();
    let pairs = (1..=FARTHEST).flat_map(|far| path.constraints.iter().zip(path.constraints.iter().skip(far)));
    let pairs = pairs.filter(|(_, next)| other(next).is_some_and(|other| excluded.contains(&other)));
    let before = pairs.filter_map(|(before, _)| decision(before)).filter(move |before| known.insert(*before));
    before.filter_map(|before| rows.get(&before))
}

/// Inputs that decide what a path decides nowhere, in the order of the path. Of those that come to nothing new the run has gone there with
/// something that was no input, and could decide nothing.
pub fn never_decided<'a>(path: &Path, rows: &'a Rows) -> impl Iterator<Item = &'a Input> {
    let mut known: FxHashSet<Decision> = path.constraints.iter().filter_map(decision).collect();
    let others = path.constraints.iter().filter_map(other).filter(move |other| known.insert(*other));
    others.filter_map(|other| rows.get(&other))
}

/// The other way of a branch.
pub fn other(constraint: &Constraint) -> Option<Decision> {
    match constraint.kind {
        Kind::Branch { taken } => Some(Decision { site: constraint.site, way: u64::from(!taken) }),
        _ => None,
    }
}
