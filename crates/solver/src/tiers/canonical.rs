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
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    let first = spread(hasher.finish());
    // What was different stays different only by chance where the hash is the same: the second half is a hash of its own.
    let mut hasher = FxHasher::default();
    (0xa3f7u64, first).hash(&mut hasher);
    parts.hash(&mut hasher);
    Key(first, spread(hasher.finish()))
}

/// The hasher is fast and weak; this spreads its bits before they are hashed again.
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
}

impl Namer {
    /// Names a query. Variables are numbered in the order in which a walk through constraints and goals meets them.
    pub(crate) fn name(&mut self, store: &Store, constraints: &[Term], goals: &[Term]) -> Option<Canonical> {
        if self.store != Some(store.id()) || !constraints.starts_with(&self.constraints) {
            *self = Namer { store: Some(store.id()), ..Namer::default() };
        }
        let known = self.constraints.len();
        for constraint in constraints.iter().skip(known) {
            self.add(store, *constraint)?;
            self.constraints.push(*constraint);
        }
        let (terms, vars, key) = (self.known.len(), self.vars.len(), self.key);
        let named = goals.iter().try_for_each(|goal| self.add(store, *goal));
        let canonical = named.map(|()| Canonical { key: self.key, vars: self.vars.clone() });
        for term in self.known.drain(terms..) {
            self.keys.remove(&term);
        }
        self.vars.truncate(vars);
        self.key = key;
        canonical
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
    use expr::parse_query;

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
}
