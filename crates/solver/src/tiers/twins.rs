//! Bytes that the path says are equal: names that are closed as they were opened, a length that is there twice.

use expr::{Kind, Store, Term, Var};
use rustc_hash::FxHashMap;

/// Groups of variables that have the same value.
#[derive(Default)]
pub(crate) struct Twins {
    groups: Vec<Vec<Var>>,
    group_of: FxHashMap<Var, usize>,
}

impl Twins {
    /// Learns from a constraint, if it says that two variables are equal.
    pub(crate) fn learn(&mut self, store: &Store, constraint: Term) {
        let node = store.node(constraint);
        let [a, b, _] = node.operands;
        let (Kind::Eq, Some(a), Some(b)) = (node.kind, store.var_of(a), store.var_of(b)) else { return };
        let (a, b) = (self.group(a), self.group(b));
        if a != b {
            // The smaller one moves.
            let (from, to) = if self.groups[a].len() < self.groups[b].len() { (a, b) } else { (b, a) };
            let moved = core::mem::take(&mut self.groups[from]);
            self.group_of.extend(moved.iter().map(|var| (*var, to)));
            self.groups[to].extend(moved);
        }
    }

    fn group(&mut self, var: Var) -> usize {
        *self.group_of.entry(var).or_insert_with(|| {
            self.groups.push(vec![var]);
            self.groups.len() - 1
        })
    }

    /// All variables that equal this one, in the same order whichever of them is asked for; none if nothing equals it.
    pub(crate) fn of(&self, var: Var) -> &[Var] {
        self.group_of.get(&var).map_or(&[], |group| &self.groups[*group])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_of_equals_are_equal() {
        let mut store = Store::new();
        let vars: Vec<Var> = (0..6)
            .filter_map(|place| {
                let byte = store.input(0, place);
                store.var_of(byte)
            })
            .collect();
        let mut twins = Twins::default();
        for text in
            ["(eq part0[0] part0[1])", "(eq part0[2] part0[3])", "(ult part0[4] part0[5])", "(eq part0[3] part0[0])"]
        {
            let constraint = expr::parse_term(&mut store, text).unwrap();
            twins.learn(&store, constraint);
        }
        for equal in &vars[..4] {
            let mut group = twins.of(*equal).to_vec();
            group.sort();
            assert_eq!(group, &vars[..4]);
        }
        assert!(twins.of(vars[4]).is_empty());
    }
}
