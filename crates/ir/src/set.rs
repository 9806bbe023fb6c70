//! Small sets of numbers.

/// A set of numbers, kept sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Set(Vec<u32>);

impl Set {
    /// Whether a number is in it.
    pub fn contains(&self, number: u32) -> bool {
        self.0.binary_search(&number).is_ok()
    }

    /// Adds a number; true if it is new.
    pub fn insert(&mut self, number: u32) -> bool {
        match self.0.binary_search(&number) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, number);
                true
            }
        }
    }

    /// Adds numbers, which are sorted; gives those that are new.
    pub fn add_all(&mut self, more: &[u32]) -> Vec<u32> {
        let new: Vec<u32> = match more {
            [] => return Vec::new(),
            [one] => return if self.insert(*one) { vec![*one] } else { Vec::new() },
            _ => self.without(more),
        };
        if new.is_empty() {
            return new;
        }
        let mut merged = Vec::with_capacity(self.0.len() + new.len());
        let (mut old, mut added) = (self.0.iter().copied().peekable(), new.iter().copied().peekable());
        loop {
            match (old.peek(), added.peek()) {
                (Some(a), Some(b)) if a < b => merged.extend(old.next()),
                (_, Some(_)) => merged.extend(added.next()),
                (Some(_), None) => merged.extend(old.next()),
                (None, None) => break,
            }
        }
        self.0 = merged;
        new
    }

    /// Those of some sorted numbers that are not in it.
    fn without(&self, more: &[u32]) -> Vec<u32> {
        let mut rest = self.0.as_slice();
        let is_new = |number: &u32| {
            // What is looked for is most often close to what was looked for before.
            let mut step = 1;
            while rest.get(step).is_some_and(|at| at < number) {
                rest = rest.get(step..).unwrap_or_default();
                step *= 2;
            }
            let window = rest.get(..step + 1).unwrap_or(rest);
            let skipped = window.partition_point(|at| at < number);
            rest = rest.get(skipped..).unwrap_or_default();
            rest.first() != Some(number)
        };
        more.iter().copied().filter(is_new).collect()
    }

    /// The numbers, sorted.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// Whether the two have a number in common.
    pub fn meets(&self, other: &Set) -> bool {
        let (small, large) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        small.0.iter().any(|number| large.contains(*number))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The numbers, sorted.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<u32> for Set {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Set {
        let mut all: Vec<u32> = numbers.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        Set(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_union_and_what_is_new(a in prop::collection::vec(0..50u32, 0..20), b in prop::collection::vec(0..50u32, 0..20)) {
            let (mut set, more): (Set, Set) = (a.iter().copied().collect(), b.iter().copied().collect());
            let new = set.add_all(more.as_slice());
            let (a, b): (BTreeSet<u32>, BTreeSet<u32>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(new, b.difference(&a).copied().collect::<Vec<_>>());
        }
    }
}
