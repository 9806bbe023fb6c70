//! Slicing: the constraints of a path in groups that share no variable.
//!
//! Kept up to date while constraints are added. Each term is looked at once in the life of a path, however many
//! constraints contain it, so the whole costs little more than linear time in the number of terms.

use expr::{Store, Term};
use rustc_hash::FxHashSet;

/// A group of constraints.
#[derive(Default, Debug)]
pub(crate) struct Group {
    /// Its number for the backends; see `BackendQuery::lineage`.
    pub lineage: u64,
    /// The constraints. Only ever appended to, as long as `lineage` stays.
    pub constraints: Vec<Term>,
}

/// No variable below this term.
const NO_VARIABLE: u32 = u32::MAX;
/// Not looked at yet.
const NOT_JOINED: u32 = u32::MAX - 1;

/// Groups by variable.
#[derive(Default)]
pub(crate) struct Groups {
    /// Union-find over variables.
    parents: Vec<u32>,
    groups: Vec<Group>,
    /// For each term one of its variables, all of which are in one group.
    representative: Vec<u32>,
}

impl Groups {
    fn reserve(&mut self, store: &Store, next_lineage: &mut u64) {
        self.representative.resize(store.len(), NOT_JOINED);
        while self.parents.len() < store.vars().len() {
            self.parents.push(self.parents.len() as u32);
            self.groups.push(Group { lineage: *next_lineage, ..Group::default() });
            *next_lineage += 1;
        }
    }

    fn root(&mut self, var: u32) -> u32 {
        let mut root = var;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        let mut place = var;
        while self.parents[place as usize] != root {
            place = core::mem::replace(&mut self.parents[place as usize], root);
        }
        root
    }

    /// Makes one group of two; the larger one keeps its lineage and the order of its constraints.
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let size = |root: u32| self.groups[root as usize].constraints.len();
        let (kept, gone) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let absorbed = core::mem::take(&mut self.groups[gone as usize]);
        self.parents[gone as usize] = kept;
        let group = &mut self.groups[kept as usize];
        group.constraints.extend(absorbed.constraints);
    }

    /// Puts all variables of a term into one group.
    pub(crate) fn join(&mut self, store: &Store, root: Term, next_lineage: &mut u64) {
        self.reserve(store, next_lineage);
        for term in expr::postorder(store, &[root], |term| self.is_joined(term)) {
            let mut mine = store.var_of(term).map_or(NO_VARIABLE, |var| var.index() as u32);
            for operand in store.node(term).operands() {
                match (mine, self.representative[operand.index()]) {
                    (_, NO_VARIABLE | NOT_JOINED) => {}
                    (NO_VARIABLE, theirs) => mine = theirs,
                    (mine, theirs) => self.unite(mine, theirs),
                }
            }
            self.representative[term.index()] = mine;
        }
    }

    fn is_joined(&self, term: Term) -> bool {
        self.representative.get(term.index()).is_some_and(|known| *known != NOT_JOINED)
    }

    /// Adds a constraint that has been joined.
    pub(crate) fn add(&mut self, constraint: Term) {
        let Some(representative) = self.representative.get(constraint.index()).copied() else { return };
        if representative >= NOT_JOINED {
            return;
        }
        let root = self.root(representative);
        let group = &mut self.groups[root as usize];
        group.constraints.push(constraint);
    }

    /// The groups that share a variable with a term, which need not be joined.
    pub(crate) fn touching(&mut self, store: &Store, goal: Term) -> Vec<u32> {
        let mut roots: Vec<u32> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![goal];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.representative.get(term.index()).copied().unwrap_or(NOT_JOINED) {
                NO_VARIABLE => {}
                NOT_JOINED => stack.extend(store.node(term).operands()),
                var => roots.push(self.root(var)),
            }
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// A group that [`Groups::touching`] named.
    pub(crate) fn group(&self, root: u32) -> &Group {
        &self.groups[root as usize]
    }
}
