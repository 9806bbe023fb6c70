//! A few inputs that together reach what all of them reach.

use std::collections::HashSet;

use replay::Replayer;
use store::Item;

use super::{bytes, item_input};
use crate::exit::Failure;

/// Keeps a few inputs that take all edges that all of them take: small ones first, and of those only what adds something.
pub(super) fn minimal(queue: Vec<Item>, replayer: &Replayer) -> Result<Vec<Item>, Failure> {
    let mut runs = Vec::new();
    for item in queue {
        let outcome = replayer.replay(&item_input(&item)).map_err(Failure::input)?;
        let edges: HashSet<usize> = outcome.coverage.edges().collect();
        runs.push((item, edges));
    }
    let kept = chosen(runs, |(item, _)| bytes(&item_input(item)).len(), |(_, edges)| edges.clone());
    Ok(kept.into_iter().map(|(item, _)| item).collect())
}

/// Of these things so few that everything stays covered, in their order.
fn chosen<T>(things: Vec<T>, size: impl Fn(&T) -> usize, covers: impl Fn(&T) -> HashSet<usize>) -> Vec<T> {
    let sets: Vec<HashSet<usize>> = things.iter().map(covers).collect();
    let mut by_size: Vec<usize> = (0..things.len()).collect();
    by_size.sort_by_key(|index| things.get(*index).map_or(0, &size));
    let mut covered = HashSet::new();
    let mut kept: Vec<usize> = Vec::new();
    for index in by_size {
        let Some(set) = sets.get(index) else { continue };
        if !set.is_subset(&covered) {
            covered.extend(set);
            kept.push(index);
        }
    }
    // What came early may have become superfluous by what came later.
    let mut index = 0;
    while let Some(candidate) = kept.get(index).copied() {
        let others = kept.iter().filter(|other| **other != candidate).filter_map(|other| sets.get(*other));
        let by_others: HashSet<usize> = others.flatten().copied().collect();
        if sets.get(candidate).is_some_and(|set| set.is_subset(&by_others)) {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    things.into_iter().enumerate().filter(|(index, _)| kept.contains(index)).map(|(_, thing)| thing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_covered_by_few() {
        let things = vec![(5, vec![1, 2, 3]), (1, vec![1]), (2, vec![2]), (9, vec![3, 4]), (3, vec![])];
        let kept = chosen(things, |(size, _)| *size, |(_, covers)| covers.iter().copied().collect());
        let sizes: Vec<usize> = kept.iter().map(|(size, _)| *size).collect();
        assert_eq!(sizes, [5, 9]);
    }
}
