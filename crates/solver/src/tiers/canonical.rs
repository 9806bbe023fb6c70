//! A name for a query that does not depend on where its variables and terms come from.

use core::hash::{Hash, Hasher};

use expr::{Store, Term, Var};
use rustc_hash::{FxHashMap, FxHasher};

/// 128 bits: two different queries with the same key would need more queries than anybody asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Key(pub u64, pub u64);

/// A query's key, and its variables in the order by which they are numbered in it.
pub(crate) struct Canonical {
    pub key: Key,
    pub vars: Vec<Var>,
}

/// Queries with more terms than this are rare, cost much to name and are not seen again.
const MAX_TERMS: usize = 20_000;

fn mix(parts: impl Hash) -> Key {
    let mut halves = Halves::default();
    parts.hash(&mut halves);
    Key(spread(halves.first.finish()), spread(halves.second))
}

/// Two hashes of the same words, made at once. The first is fast and weak: it is a polynomial of the words, so there are simple
/// differences that it does not see. They must not be those that the second does not see, which therefore mixes up its bits after each word.
struct Halves {
    first: FxHasher,
    second: u64,
}

impl Default for Halves {
    fn default() -> Halves {
        // Not 0, which words that are 0 would not change.
        Halves { first: FxHasher::default(), second: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Halves {
    fn add(&mut self, word: u64) {
        self.first.write_u64(word);
        // To spread twice would undo half of it.
        self.second = spread(self.second ^ word).wrapping_mul(0xa076_1d64_78bd_642f);
    }
}

impl Hasher for Halves {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.add(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.add(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.add(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }

    fn finish(&self) -> u64 {
        self.second
    }
}

/// Lets every bit have a say in most others.
fn spread(hash: u64) -> u64 {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

/// Names queries. The next query on a path most often has the constraints of the one before and a few more, so what is known of
/// them is kept.
#[derive(Default)]
pub(crate) struct Namer {
    /// Whose terms these are.
    store: Option<u64>,
    constraints: Vec<Term>,
    keys: FxHashMap<Term, Key>,
    /// The terms with keys, in the order in which they got them.
    known: Vec<Term>,
    vars: Vec<Var>,
    key: Key,
    /// The constraint that was too much, behind these or more of them.
    too_large: Option<Term>,
}

impl Namer {
    /// Names a query. Variables are numbered in the order in which a walk through constraints and goals meets them.
    pub(crate) fn name(&mut self, store: &Store, constraints: &[Term], goals: &[Term]) -> Option<Canonical> {
        if self.store != Some(store.id()) || !constraints.starts_with(&self.constraints) {
            *self = Namer { store: Some(store.id()), ..Namer::default() };
        }
        let known = self.constraints.len();
        for constraint in constraints.iter().skip(known) {
            let (terms, vars) = (self.known.len(), self.vars.len());
            if self.too_large == Some(*constraint) || self.add(store, *constraint).is_none() {
                self.too_large = Some(*constraint);
                self.forget(terms, vars);
                return None;
            }
            self.constraints.push(*constraint);
        }
        let (terms, vars, key) = (self.known.len(), self.vars.len(), self.key);
        let named = goals.iter().try_for_each(|goal| self.add(store, *goal));
        let canonical = named.map(|()| Canonical { key: self.key, vars: self.vars.clone() });
        self.forget(terms, vars);
        self.key = key;
        canonical
    }

    /// Forgets all terms and variables but the first ones.
    fn forget(&mut self, terms: usize, vars: usize) {
        for term in self.known.drain(terms..) {
            self.keys.remove(&term);
        }
        self.vars.truncate(vars);
    }

    /// Adds a constraint to the query; nothing if that becomes too large.
    fn add(&mut self, store: &Store, root: Term) -> Option<()> {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.keys.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = store.node(term);
            let before = stack.len();
            stack.extend(node.operands().iter().rev().filter(|operand| !self.keys.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.keys.len() >= MAX_TERMS {
                return None;
            }
            let mut operands = [Key::default(); 3];
            for (key, operand) in operands.iter_mut().zip(node.operands()) {
                *key = self.keys.get(operand).copied().unwrap_or_default();
            }
            let key = match (store.value(term), store.var_of(term)) {
                (Some(value), _) => mix((0u8, value.width(), value.words())),
                (_, Some(_)) => mix((1u8, node.sort, self.vars.len())),
                _ => match store.table(term) {
                    // Its number says something about this store only.
                    Some(table) => mix((3u8, table, operands)),
                    None => mix((2u8, node.kind, node.sort, node.imm, operands)),
                },
            };
            self.vars.extend(store.var_of(term));
            self.keys.insert(term, key);
            self.known.push(term);
        }
        let root = self.keys.get(&root).copied()?;
        self.key = mix((self.key, root));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Kind, parse_query};
    use proptest::prelude::*;

    fn key(text: &str) -> Key {
        let mut store = Store::new();
        let query = parse_query(&mut store, text).unwrap();
        Namer::default().name(&store, &query, &[]).unwrap().key
    }

    #[test]
    fn names_do_not_matter_but_structure_does() {
        let a = key("(assert (ult (add x:32 y:32) 7:32)) (assert (eq x:32 3))");
        assert_eq!(a, key("(assert (ult (add p:32 q:32) 7:32)) (assert (eq p:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 q:32) 7:32)) (assert (eq q:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 p:32) 7:32)) (assert (eq p:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 q:32) 8:32)) (assert (eq p:32 3))"));
    }

    #[test]
    fn what_is_kept_changes_no_name() {
        let mut store = Store::new();
        let text = "(assert (ult x:32 7)) (assert (ult (add x:32 y:32) 9)) (assert (eq (mul y:32 z:32) 3)) (assert (ult w:8 x2:8))";
        let terms = parse_query(&mut store, text).unwrap();
        let mut kept = Namer::default();
        let questions: [(&[usize], usize); 6] =
            [(&[], 3), (&[0], 1), (&[0], 3), (&[0, 1], 2), (&[0, 1, 2], 3), (&[1, 2], 0)];
        for (constraints, goal) in questions {
            let constraints: Vec<Term> = constraints.iter().map(|place| terms[*place]).collect();
            let [again, fresh] = [&mut kept, &mut Namer::default()]
                .map(|namer| namer.name(&store, &constraints, &[terms[goal]]).unwrap());
            assert_eq!((again.key, again.vars), (fresh.key, fresh.vars));
        }
    }

    #[test]
    fn what_one_half_does_not_see_the_other_does() {
        // The factor of the first half: one more in a word is this much less in the next.
        const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
        for (a, b) in [(0u64, 0u64), (1, 2), (7, u64::MAX), (1 << 63, 1 << 40)] {
            let (one, other) = (mix((a, b)), mix((a + 1, b.wrapping_sub(FACTOR))));
            assert_eq!(one.0, other.0, "the first half is not made like this any more");
            assert_ne!(one.1, other.1);
        }
    }

    proptest! {
        /// Differences in two words, of which the second makes up for the first in a sum, in a polynomial, or bit by bit.
        #[test]
        fn different_words_have_different_keys(words: [u64; 4], at in 0usize..3, change in 1u64..100, bit in 0u32..64) {
            let factors = [1, 0xf135_7aea_2e62_a9c5u64, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];
            let mut others: Vec<[u64; 4]> = factors.iter().map(|factor| {
                let mut other = words;
                other[at] = other[at].wrapping_add(change);
                other[at + 1] = other[at + 1].wrapping_sub(change.wrapping_mul(*factor));
                other
            }).collect();
            let mut flipped = words;
            flipped[at] ^= 1 << bit;
            flipped[at + 1] ^= 1 << bit;
            let mut swapped = words;
            swapped.swap(at, at + 1);
            others.extend([flipped, swapped]);
            let key = mix(words);
            for other in others.into_iter().filter(|other| *other != words) {
                prop_assert_ne!(key.1, mix(other).1);
            }
        }
    }

    #[test]
    fn a_constraint_that_is_too_large_does_not_keep_others_from_being_named() {
        let mut store = Store::new();
        let small = parse_query(&mut store, "(assert (ult x:32 7)) (assert (ult y:32 x:32))").unwrap();
        let (mut large, y) = (store.named("z", 32), store.named("y", 32));
        for _ in 0..MAX_TERMS {
            let product = store.binary(Kind::Mul, large, y);
            large = store.xor(product, y);
        }
        let zero = store.small(32, 0);
        let large = store.eq(large, zero);
        let mut namer = Namer::default();
        assert!(namer.name(&store, &[small[0]], &[small[1]]).is_some());
        for _ in 0..2 {
            assert!(namer.name(&store, &[small[0], large], &[small[1]]).is_none());
            assert!(namer.name(&store, &[small[0]], &[large]).is_none());
        }
        let kept = namer.name(&store, &small, &[]).unwrap();
        let fresh = Namer::default().name(&store, &small, &[]).unwrap();
        assert_eq!((kept.key, kept.vars), (fresh.key, fresh.vars));
        assert!(namer.name(&store, &[small[0], small[1], large], &[]).is_none());
    }
}
