//! Goals about a few bytes that have few values left: each combination is tried.
//!
//! What a loop makes of two small numbers, by dividing, say, is hard for a backend, which knows nothing of how few there are. Here
//! they are chosen one after the other, and what depends on those that are chosen is computed before the next one is.

use expr::{BitVec, Model, Sort, Store, Term, Values, Var, eval_step};
use rustc_hash::{FxHashMap, FxHashSet};

use super::byte_set::ByteSet;
use super::inversion::Proposal;

/// What may be tried, and at what cost.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Combinations of values.
    pub combinations: u64,
    /// Terms that are computed in all.
    pub steps: u64,
}

/// While a backend may still answer, trials cost no more than it would: some milliseconds.
pub(crate) const CHEAP: Limits = Limits { combinations: 1 << 12, steps: 100_000 };
/// Where it has not answered, they may cost a fraction of what it did: as many as two bytes have.
pub(crate) const LAST: Limits = Limits { combinations: 1 << 16, steps: 4_000_000 };

/// More constraints, or terms, than this are no small goal.
pub(crate) const MAX_CLAIMS: usize = 100;
const MAX_TERMS: usize = 1_000;

/// What came of trying.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Tried {
    /// Under these values everything holds.
    Holds(Proposal),
    /// Under none.
    Never,
}

/// Tries all values that the variables of some one-bit terms may have, until all of the terms are true; those of `base` first. Nothing if there
/// would be too much to do.
pub(crate) fn try_all(
    store: &Store,
    base: &Model,
    claims: &[Term],
    allowed: impl Fn(Var) -> ByteSet,
    limits: Limits,
) -> Option<Tried> {
    let terms = below(store, claims)?;
    let mut bytes = Vec::new();
    for term in &terms {
        let sort = store.node(*term).sort;
        match (store.var_of(*term), sort) {
            (Some(var), Sort::BitVec(1..=8)) => bytes.push(Byte::new(store, base, *term, var, allowed(var))),
            (None, Sort::BitVec(_)) => {}
            _ => return None,
        }
    }
    let number = bytes.iter().try_fold(1_u64, |all, byte| all.checked_mul(byte.values.len() as u64))?;
    if number > limits.combinations {
        return None;
    }
    // What has few values says much about the others.
    bytes.sort_by_key(|byte| byte.values.len());
    let mut trial = Trial { store, base, stages: vec![Vec::new(); bytes.len() + 1], values: FxHashMap::default() };
    trial.arrange(&terms, &bytes, claims);
    trial.search(&bytes, limits.steps)
}

/// All terms below some, operands before users, unless there are too many.
fn below(store: &Store, roots: &[Term]) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Term> = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > MAX_TERMS {
                return None;
            }
            stack.extend(store.node(term).operands());
        }
    }
    Some(expr::postorder(store, roots, |_| false))
}

/// A byte that is chosen.
struct Byte {
    term: Term,
    var: Var,
    own: BitVec,
    values: Vec<BitVec>,
}

impl Byte {
    fn new(store: &Store, base: &Model, term: Term, var: Var, allowed: ByteSet) -> Byte {
        let own = base.value(store, var);
        let mut values: Vec<BitVec> = allowed.values().map(|value| BitVec::new(own.width(), value)).collect();
        values.sort_by_key(|value| *value != own);
        Byte { term, var, own, values }
    }
}

/// One term that is computed once a byte is chosen; what is claimed must be true.
#[derive(Clone, Copy)]
struct Step {
    term: Term,
    is_claim: bool,
}

struct Trial<'a> {
    store: &'a Store,
    base: &'a Model,
    /// What can be computed before anything is chosen, and behind each choice.
    stages: Vec<Vec<Step>>,
    values: FxHashMap<Term, BitVec>,
}

impl Values for Trial<'_> {
    fn value(&self, term: Term) -> Option<&BitVec> {
        self.values.get(&term)
    }
}

impl Trial<'_> {
    /// Puts every term behind the last choice that it depends on.
    fn arrange(&mut self, terms: &[Term], bytes: &[Byte], claims: &[Term]) {
        let mut stage_of: FxHashMap<Term, usize> = FxHashMap::default();
        for (stage, byte) in (1..).zip(bytes) {
            stage_of.insert(byte.term, stage);
        }
        for term in terms {
            if stage_of.contains_key(term) {
                // A byte that is a claim itself.
                if claims.contains(term) {
                    self.stages[stage_of[term]].push(Step { term: *term, is_claim: true });
                }
                continue;
            }
            let node = self.store.node(*term);
            let stage = node.operands().iter().filter_map(|operand| stage_of.get(operand)).max().copied().unwrap_or(0);
            stage_of.insert(*term, stage);
            self.stages[stage].push(Step { term: *term, is_claim: claims.contains(term) });
        }
    }

    /// Computes a stage; whether all that is claimed there is true.
    fn holds(&mut self, stage: usize, steps: &mut u64) -> bool {
        for place in 0..self.stages[stage].len() {
            let Step { term, is_claim } = self.stages[stage][place];
            *steps += 1;
            if self.store.var_of(term).is_none() {
                let value = eval_step(self.store, self.base, term, self);
                self.values.insert(term, value);
            }
            if is_claim && !self.values.get(&term).is_some_and(BitVec::is_true) {
                return false;
            }
        }
        true
    }

    fn search(&mut self, bytes: &[Byte], limit: u64) -> Option<Tried> {
        let mut steps = 0;
        if !self.holds(0, &mut steps) {
            return Some(Tried::Never);
        }
        // The next value of each byte that is chosen.
        let mut next = vec![0_usize];
        while let Some(depth) = next.len().checked_sub(1) {
            let Some(byte) = bytes.get(depth) else {
                let changed = bytes.iter().filter(|byte| self.values.get(&byte.term) != Some(&byte.own));
                return Some(Tried::Holds(changed.map(|byte| (byte.var, self.values[&byte.term].clone())).collect()));
            };
            let Some(value) = byte.values.get(next[depth]) else {
                next.pop();
                continue;
            };
            next[depth] += 1;
            self.values.insert(byte.term, value.clone());
            if self.holds(depth + 1, &mut steps) {
                next.push(0);
            }
            if steps > limit {
                return None;
            }
        }
        Some(Tried::Never)
    }
}

#[cfg(test)]
mod tests {
    use expr::{Input, parse_term};
    use std::sync::Arc;

    use super::*;

    fn tried(claims: &[&str], limits: Limits) -> Option<Tried> {
        let mut store = Store::new();
        store.set_part_name(0, "stdin");
        let claims: Vec<Term> = claims.iter().map(|text| parse_term(&mut store, text).unwrap()).collect();
        let base = Model::of_input(Arc::new(Input { parts: vec![vec![12, 9, 0]] }));
        let below_32: ByteSet = (0..32).fold(ByteSet::EMPTY, |mut set, value| {
            set.insert(value);
            set
        });
        try_all(&store, &base, &claims, |_| below_32, limits)
    }

    const A_MOD_B: &str = "(urem stdin[0] stdin[1])";

    #[test]
    fn what_holds_for_some_values_is_found() {
        let last = format!("(eq (urem stdin[1] {A_MOD_B}) 7:8)");
        let Some(Tried::Holds(proposal)) = tried(&[&last, "(ult stdin[1] 20:8)"], CHEAP) else { panic!() };
        let value = |index: usize, own: u64| {
            proposal.iter().find(|(var, _)| var.index() == index).map_or(own, |(_, value)| value.low64())
        };
        // The term has met the second byte first. What is divided by 0 is left.
        let (b, a) = (value(0, 9), value(1, 12));
        let remainder = |a: u64, b: u64| a.checked_rem(b).unwrap_or(a);
        assert!(b < 20 && remainder(b, remainder(a, b)) == 7, "{proposal:?}");
    }

    #[test]
    fn the_own_values_come_first() {
        let Some(Tried::Holds(proposal)) = tried(&["(ult (mul stdin[0] stdin[1]) 100:8)"], CHEAP) else { panic!() };
        assert_eq!(proposal.len(), 1, "{proposal:?}");
    }

    #[test]
    fn what_holds_for_none_is_refuted() {
        let remainder = format!("(not (ult {A_MOD_B} stdin[1]))");
        assert_eq!(tried(&[&remainder, "(ult 0:8 stdin[1])"], CHEAP), Some(Tried::Never));
        assert_eq!(tried(&["(eq (mul stdin[0] stdin[0]) 2:8)"], CHEAP), Some(Tried::Never));
        assert_eq!(tried(&["(ult 5:8 5:8)"], CHEAP), Some(Tried::Never));
    }

    #[test]
    fn what_is_too_much_is_left_to_others() {
        let remainder = format!("(not (ult {A_MOD_B} stdin[1]))");
        assert_eq!(tried(&[&remainder], Limits { combinations: 1000, ..CHEAP }), None);
        assert_eq!(tried(&["(eq (mul stdin[0] stdin[1]) 251:8)"], Limits { steps: 1000, ..CHEAP }), None);
    }
}
