//! Where a run left the path that another one took.

use path::Path;
use replay::Divergence;
use trace::sites::SiteTable;

use crate::decisions::{Decision, behind, decision, decisions};

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
fn first_difference(predicted: &Path, end: usize, actual: &Path) -> Option<usize> {
    let (index, _) = decisions(predicted).nth(in_common(predicted, actual))?;
    (index < end).then_some(index)
}

/// Where a run left the path of another one: indices of constraints of its own path, on which more or less may be pinned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Its first decision that the other one did not make; behind the end of its path if there is none.
    pub place: usize,
    /// From here on the path is its own.
    pub bound: usize,
}

/// Where `own` leaves the path `from`. One that only goes on behind the last decision there is its own right behind that: nobody knows
/// where the other one ended.
pub fn departure(from: &Path, own: &Path) -> Departure {
    let (common, end) = (in_common(from, own), own.constraints.len());
    let place = decisions(own).nth(common).map_or(end, |(index, _)| index);
    let goes_otherwise = decisions(from).nth(common).is_some();
    let bound = if goes_otherwise { (place + 1).min(end) } else { behind(own, common).unwrap_or(end) };
    Departure { place, bound }
}

/// How many decisions two paths begin with in common, whatever is pinned on one of them and not on the other.
pub fn in_common(one: &Path, other: &Path) -> usize {
    let pairs = decisions(one).zip(decisions(other));
    pairs.take_while(|((_, one), (_, other))| one == other).count()
}

#[cfg(test)]
mod tests {
    use path::Kind;
    use trace::layout::Reason;

    use super::*;
    use crate::made::path_of;

    /// Places on the path of a neighbour were counted on that of the run, which had pins elsewhere.
    #[test]
    fn where_a_path_leaves_another_is_counted_on_its_own() {
        let pin = || Kind::Pin { value: 7, reason: Reason::Size };
        let branch = |taken| Kind::Branch { taken };
        let from = path_of(&[branch(true), pin(), pin(), branch(false), pin()]);
        let departed = |kinds: &[Kind]| {
            let Departure { place, bound } = departure(&from, &path_of(kinds));
            (place, bound)
        };
        assert_eq!(departed(&[branch(true), branch(true), pin(), branch(true)]), (1, 2));
        assert_eq!(departed(&[pin(), branch(true), pin(), pin(), pin(), branch(true)]), (5, 6));
        assert_eq!(departed(&[branch(false)]), (0, 1));
        // One that ends before it decides otherwise, and one that goes on.
        assert_eq!(departed(&[branch(true), pin()]), (2, 2));
        assert_eq!(departed(&[branch(true), branch(false), pin(), branch(true)]), (3, 2));
        assert_eq!(departed(&[branch(true), branch(false), pin()]), (3, 2));
    }
}
