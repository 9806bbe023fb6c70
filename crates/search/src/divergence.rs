//! Where a run left the path that another one took.

use path::Path;
use replay::Divergence;
use trace::sites::SiteTable;

use crate::decisions::{Decision, decision};

/// The first decision of `predicted`, up to the constraint with index `end`, that `actual` made otherwise or never came to.
pub fn divergence(predicted: &Path, end: usize, actual: &Path, sites: &SiteTable) -> Option<Divergence> {
    let constraint = first_difference(predicted, end, actual)?;
    let site = predicted.constraints.get(constraint).map_or(0, |constraint| constraint.site);
    Some(Divergence { constraint, position: path::position(sites, site).cloned() })
}

/// Whether a run came to the constraint of `predicted` with an index as that did, and took the way with a number there.
pub fn went_the_way(predicted: &Path, constraint: usize, number: u64, actual: &Path) -> bool {
    let before = predicted.constraints.get(..constraint).unwrap_or_default().iter().filter_map(decision).count();
    let wanted = predicted.constraints.get(constraint).and_then(decision).map(|here| Decision { way: number, ..here });
    first_difference(predicted, constraint, actual).is_none()
        && wanted.is_some()
        && actual.constraints.iter().filter_map(decision).nth(before) == wanted
}

/// The same, as the index of the constraint of `predicted`.
pub fn first_difference(predicted: &Path, end: usize, actual: &Path) -> Option<usize> {
    let mut actual = actual.constraints.iter().filter_map(decision);
    let predicted: Vec<(usize, Decision)> = predicted
        .constraints
        .iter()
        .enumerate()
        .take(end)
        .filter_map(|(index, constraint)| Some((index, decision(constraint)?)))
        .collect();
    predicted.into_iter().find(|(_, decision)| actual.next() != Some(*decision)).map(|(index, _)| index)
}
