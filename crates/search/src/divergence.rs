//! Where a run left the path that another one took.

use path::{Constraint, Kind, Path};
use replay::Divergence;
use trace::sites::SiteTable;

/// The first decision of `predicted`, up to the constraint with index `end`, that `actual` made otherwise or never came to.
pub fn divergence(predicted: &Path, end: usize, actual: &Path, sites: &SiteTable) -> Option<Divergence> {
    let decisions = |path: &Path| -> Vec<(u32, Kind)> {
        path.constraints.iter().filter(|c| is_decision(c)).map(|c| (c.site, c.kind.clone())).collect()
    };
    let actual = decisions(actual);
    let predicted = predicted.constraints.iter().enumerate().take(end).filter(|(_, c)| is_decision(c));
    for (place, (index, constraint)) in predicted.enumerate() {
        let same = actual.get(place).is_some_and(|(site, kind)| *site == constraint.site && *kind == constraint.kind);
        if !same {
            let position = path::position(sites, constraint.site).cloned();
            return Some(Divergence { constraint: index, position });
        }
    }
    None
}

fn is_decision(constraint: &Constraint) -> bool {
    matches!(constraint.kind, Kind::Branch { .. } | Kind::Switch { .. })
}
