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
