//! Which edges were seen to be taken, and how often.

use replay::Coverage;
use store::Hit;

/// Edges that were taken, with the classes of how often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// A bit for each class, for each edge.
    classes: Vec<u8>,
}

impl Reached {
    /// What of a run's edges is not known yet.
    pub fn new_hits(&self, coverage: &Coverage) -> Vec<Hit> {
        let known = self.classes.iter().copied().chain(std::iter::repeat(0));
        let hits = coverage.counters.iter().zip(known).enumerate();
        hits.filter_map(|(edge, (count, known))| {
            let often = class(*count)?;
            (known & 1 << often == 0).then_some(Hit { edge: edge as u64, often })
        })
        .collect()
    }

    /// Whether an edge was taken, however often.
    pub fn knows(&self, edge: u64) -> bool {
        self.classes.get(edge as usize).is_some_and(|classes| *classes != 0)
    }

    /// Whether a run took an edge that is not known at all.
    pub fn reaches_more(&self, coverage: &Coverage) -> bool {
        (0..).zip(&coverage.counters).any(|(edge, count)| *count > 0 && !self.knows(edge))
    }

    /// How many edges are in hits that were not taken at all.
    pub fn unknown_edges(&self, hits: &[Hit]) -> usize {
        hits.iter().filter(|hit| !self.knows(hit.edge)).count()
    }

    /// Whether something in hits that has been done once only was done again: a loop goes round for the second time.
    pub fn repeats(&self, hits: &[Hit]) -> bool {
        let once = |edge: u64| self.classes.get(edge as usize) == Some(&1);
        hits.iter().any(|hit| hit.often > 0 && once(hit.edge))
    }

    /// Notes hits.
    pub fn add(&mut self, hits: &[Hit]) {
        for hit in hits {
            let edge = hit.edge as usize;
            if self.classes.len() <= edge {
                self.classes.resize(edge + 1, 0);
            }
            if let Some(classes) = self.classes.get_mut(edge) {
                *classes |= 1 << hit.often;
            }
        }
    }
}

/// The class of a counter; nothing if it is 0. What happens once, twice or three times is told apart, what happens very
/// often is not.
fn class(count: u8) -> Option<u8> {
    Some(match count {
        0 => return None,
        1 => 0,
        2 => 1,
        3 => 2,
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        128.. => 7,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_often_is_new_and_as_often_is_not() {
        let coverage = |counters: &[u8]| Coverage { counters: counters.to_vec() };
        let mut reached = Reached::default();
        let hits = reached.new_hits(&coverage(&[0, 1, 200]));
        assert_eq!(hits, [Hit { edge: 1, often: 0 }, Hit { edge: 2, often: 7 }]);
        reached.add(&hits);
        assert_eq!(reached.new_hits(&coverage(&[0, 1, 130])), []);
        let again = reached.new_hits(&coverage(&[0, 5, 130]));
        assert_eq!(again, [Hit { edge: 1, often: 3 }]);
        assert!(reached.repeats(&again));
        reached.add(&again);
        assert!(!reached.repeats(&reached.new_hits(&coverage(&[0, 9, 1]))));
    }
}
