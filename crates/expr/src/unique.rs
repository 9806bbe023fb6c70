//! How a store finds the term that a node already is.
//!
//! Most nodes have few users, and those are made soon after their newest operand. So the first users of a term are a short list
//! that begins at the term: it stands in memory where computations are at the moment, and no hash is needed to see that a node is
//! new. A table over all terms is a place in memory that nothing was near to, for each term of millions. Only users beyond the
//! first few are in one.

use core::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::store::{Node, Term};

/// Users of a term that are in its list.
const LISTED: usize = 6;

/// No term.
const NONE: u32 = u32::MAX;

/// The users of one term, of those that it is the newest operand of.
#[derive(Clone, Copy)]
struct Links {
    /// The first of its users.
    first_user: u32,
    /// The next user of the term's own newest operand.
    next: u32,
}

/// The terms by the nodes that they are.
#[derive(Default)]
pub(crate) struct Unique {
    links: Vec<Links>,
    others: HashTable<u32>,
}

/// Where a node that is new belongs.
pub(crate) enum Place {
    /// It is the first user of a term.
    First(u32),
    /// It comes behind another user.
    Behind(u32),
    /// The list is full; its hash.
    Table(u64),
}

impl Unique {
    /// Makes room for so many more terms at once, if there is any.
    pub(crate) fn reserve(&mut self, terms: usize) {
        let _ = self.links.try_reserve(terms);
    }

    /// The term that a node is, or the place for it.
    pub(crate) fn find(&self, nodes: &[Node], node: &Node) -> Result<Term, Place> {
        let newest = node.operands.iter().map(|operand| operand.0).max().unwrap_or(0);
        let mut place = Place::First(newest);
        let mut user = self.links.get(newest as usize).map_or(NONE, |links| links.first_user);
        for _ in 0..LISTED {
            if user == NONE {
                return Err(place);
            }
            if nodes[user as usize] == *node {
                return Ok(Term(user));
            }
            place = Place::Behind(user);
            user = self.links[user as usize].next;
        }
        let hash = FxBuildHasher.hash_one(node);
        match self.others.find(hash, |other| nodes[*other as usize] == *node) {
            Some(found) => Ok(Term(*found)),
            None => Err(Place::Table(hash)),
        }
    }

    /// Adds the newest term, the last of `nodes`.
    pub(crate) fn add(&mut self, nodes: &[Node], place: Place) {
        let term = self.links.len() as u32;
        self.links.push(Links { first_user: NONE, next: NONE });
        match place {
            Place::First(operand) => self.links[operand as usize].first_user = term,
            Place::Behind(user) => self.links[user as usize].next = term,
            Place::Table(hash) => {
                let hash_of = |other: &u32| FxBuildHasher.hash_one(nodes[*other as usize]);
                self.others.insert_unique(hash, term, hash_of);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{Store, Term};

    /// Whether a term has few users or many, each of them exists once, in whatever order they come again.
    #[test]
    fn every_term_exists_once_however_many_use_its_newest_operand() {
        let mut store = Store::new();
        let older: Vec<Term> = (0..100).map(|offset| store.input(0, offset)).collect();
        let newest: Vec<Term> = (100..110).map(|offset| store.input(0, offset)).collect();
        let mut sums = |wanted: &mut dyn Iterator<Item = usize>| -> Vec<(usize, Term)> {
            let mut sum = |number: usize| store.add(older[number / 10], newest[number % 10]);
            wanted.map(|number| (number, sum(number))).collect()
        };
        let first = sums(&mut (0..1000));
        let mut again = sums(&mut (0..1000).rev());
        again.reverse();
        assert_eq!(first, again);
        let distinct: std::collections::BTreeSet<Term> = first.iter().map(|(_, term)| *term).collect();
        assert_eq!(distinct.len(), 1000);
    }
}
