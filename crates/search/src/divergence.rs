//! Where a run left the path that another one took.

use path::Path;
use replay::Divergence;
use trace::sites::SiteTable;

use crate::decisions::{Decision, decision, decisions};

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
    let (index, _) = decisions(predicted).nth(in_common(predicted, actual))?;
    (index < end).then_some(index)
}

/// How many decisions two paths begin with in common, whatever is pinned on one of them and not on the other.
pub fn in_common(one: &Path, other: &Path) -> usize {
    let pairs = decisions(one).zip(decisions(other));
    pairs.take_while(|((_, one), (_, other))| one == other).count()
}
