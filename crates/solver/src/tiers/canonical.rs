//! A name for a query that does not depend on where its variables and terms come from.

use core::hash::{Hash, Hasher};

use expr::{Store, Term, Var};
use rustc_hash::{FxHashMap, FxHasher};

/// 128 bits: two different queries with the same key would need more queries than anybody asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(pub u64, pub u64);

/// A query's key, and its variables in the order by which they are numbered in it.
pub(crate) struct Canonical {
    pub key: Key,
    pub vars: Vec<Var>,
}

/// Queries with more terms than this are rare, cost much to name and are not seen again.
const MAX_TERMS: usize = 20_000;

fn mix(parts: impl Hash, seed: u64) -> u64 {
    let mut hasher = FxHasher::default();
    seed.hash(&mut hasher);
    parts.hash(&mut hasher);
    // The hasher is fast and weak; a finalizer spreads its bits before they are hashed again.
    let mixed = hasher.finish();
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

/// Names a query. Variables are numbered in the order in which a walk through the constraints meets them.
pub(crate) fn canonical(store: &Store, constraints: impl Iterator<Item = Term>) -> Option<Canonical> {
    let mut keys: FxHashMap<Term, Key> = FxHashMap::default();
    let mut vars = Vec::new();
    let mut whole = Key(0, 1);
    for root in constraints {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if keys.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = store.node(term);
            let before = stack.len();
            stack.extend(node.operands().iter().rev().filter(|operand| !keys.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if keys.len() >= MAX_TERMS {
                return None;
            }
            let both = |seed| {
                let operands: Vec<Key> =
                    node.operands().iter().filter_map(|operand| keys.get(operand).copied()).collect();
                match (store.value(term), store.var_of(term)) {
                    (Some(value), _) => mix((0u8, value.width(), value.words()), seed),
                    (_, Some(_)) => mix((1u8, node.sort, vars.len()), seed),
                    _ => match store.table(term) {
                        // Its number says something about this store only.
                        Some(table) => mix((3u8, table, operands), seed),
                        None => mix((2u8, node.kind, node.sort, node.imm, operands), seed),
                    },
                }
            };
            let key = Key(both(0x5bd1), both(0xa3f7));
            vars.extend(store.var_of(term));
            keys.insert(term, key);
        }
        let root = keys.get(&root).copied()?;
        whole = Key(mix((whole, root), 3), mix((whole, root), 5));
    }
    Some(Canonical { key: whole, vars })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::parse_query;

    fn key(text: &str) -> Key {
        let mut store = Store::new();
        let query = parse_query(&mut store, text).unwrap();
        canonical(&store, query.into_iter()).unwrap().key
    }

    #[test]
    fn names_do_not_matter_but_structure_does() {
        let a = key("(assert (ult (add x:32 y:32) 7:32)) (assert (eq x:32 3))");
        assert_eq!(a, key("(assert (ult (add p:32 q:32) 7:32)) (assert (eq p:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 q:32) 7:32)) (assert (eq q:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 p:32) 7:32)) (assert (eq p:32 3))"));
        assert_ne!(a, key("(assert (ult (add p:32 q:32) 8:32)) (assert (eq p:32 3))"));
    }
}
