//! Sets of numbers as bits, for sets that grow by other sets.

/// Bits of a block.
const BLOCK: u32 = u64::BITS;

/// A set of numbers. Blocks in which there is none take no space.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Blocks that are not empty, by their number, sorted.
    blocks: Vec<(u32, u64)>,
}

impl Bits {
    /// Just one number.
    pub fn one(number: u32) -> Bits {
        Bits { blocks: vec![(number / BLOCK, 1 << (number % BLOCK))] }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: u32) -> bool {
        let at = self.blocks.binary_search_by_key(&(number / BLOCK), |(block, _)| *block);
        at.ok().and_then(|at| self.blocks.get(at)).is_some_and(|(_, bits)| bits >> (number % BLOCK) & 1 == 1)
    }

    /// The numbers, sorted.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flat_map(|(block, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(block * BLOCK + bit)
            })
        })
    }

    /// Adds numbers; gives those that are new.
    pub fn add(&mut self, more: &Bits) -> Bits {
        let mut new = Vec::new();
        let mut missing = Vec::new();
        let mut at = 0;
        for (block, bits) in &more.blocks {
            at = seek(&self.blocks, at, *block);
            let added = match self.blocks.get_mut(at) {
                Some((known, own)) if known == block => {
                    let added = bits & !*own;
                    *own |= added;
                    added
                }
                _ => {
                    missing.push((*block, *bits));
                    *bits
                }
            };
            if added != 0 {
                new.push((*block, added));
            }
        }
        self.add_blocks(missing);
        Bits { blocks: new }
    }

    /// The numbers that are not in another set.
    pub fn without(&self, other: &Bits) -> Bits {
        let mut at = 0;
        let left = self.blocks.iter().filter_map(|(block, bits)| {
            at = seek(&other.blocks, at, *block);
            let left = match other.blocks.get(at) {
                Some((known, other)) if known == block => bits & !other,
                _ => *bits,
            };
            (left != 0).then_some((*block, left))
        });
        Bits { blocks: left.collect() }
    }

    /// Adds blocks that it does not have, sorted.
    fn add_blocks(&mut self, more: Vec<(u32, u64)>) {
        let (Some((first, _)), last) = (more.first(), self.blocks.last()) else { return };
        if last.is_none_or(|(last, _)| last < first) {
            self.blocks.extend(more);
            return;
        }
        let mut merged = Vec::with_capacity(self.blocks.len() + more.len());
        let (mut old, mut added) = (self.blocks.iter().copied().peekable(), more.into_iter().peekable());
        loop {
            match (old.peek(), added.peek()) {
                (Some((a, _)), Some((b, _))) if a < b => merged.extend(old.next()),
                (_, Some(_)) => merged.extend(added.next()),
                (Some(_), None) => merged.extend(old.next()),
                (None, None) => break,
            }
        }
        self.blocks = merged;
    }
}

/// Where a block is, or would be, not before `from`. What is looked for is most often close to what was looked for before.
fn seek(blocks: &[(u32, u64)], from: usize, block: u32) -> usize {
    let mut from = from;
    let mut step = 1;
    while blocks.get(from + step).is_some_and(|(at, _)| *at < block) {
        from += step;
        step *= 2;
    }
    let end = blocks.len().min(from + step + 1);
    from + blocks.get(from..end).unwrap_or_default().partition_point(|(at, _)| *at < block)
}

impl FromIterator<u32> for Bits {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Bits {
        let mut all: Vec<u32> = numbers.into_iter().collect();
        all.sort_unstable();
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for number in all {
            let (block, bit) = (number / BLOCK, 1 << (number % BLOCK));
            match blocks.last_mut() {
                Some((last, bits)) if *last == block => *bits |= bit,
                _ => blocks.push((block, bit)),
            }
        }
        Bits { blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn numbers() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(prop_oneof![0..300u32, 0..20_000u32], 0..60)
    }

    proptest! {
        #[test]
        fn unions_and_differences(a in numbers(), b in numbers()) {
            let (mut set, more): (Bits, Bits) = (a.iter().copied().collect(), b.iter().copied().collect());
            prop_assert_eq!(set.without(&more).iter().collect::<Vec<_>>(), a.difference(&b).copied().collect::<Vec<_>>());
            let new = set.add(&more);
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(new.iter().collect::<Vec<_>>(), b.difference(&a).copied().collect::<Vec<_>>());
            prop_assert_eq!(set, a.union(&b).copied().collect());
        }
    }
}
