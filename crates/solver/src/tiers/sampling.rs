//! Goals about bits that were mixed, as hashes are, by chance.
//!
//! For a backend a hash is a circuit that nobody finds the way back through. But what programs do with most hashes is to look into a
//! table of some ten places, and then any name has the wanted place once in some ten times: a few hundred of them are evaluated in
//! less time than it takes to ask.

use std::collections::HashMap;
use std::ops::Range;

use expr::{BitVec, Kind, Model, Node, Sort, Store, Term, Var, eval_kind, postorder};
use fastrand::Rng;
use rustc_hash::FxBuildHasher;

use super::byte_set::ByteSet;
use super::inversion::Proposal;
use super::twins::Twins;

/// Operators that mix bits, of which a goal must have as many to be about a hash.
const LEAST_MIXING: usize = 8;
/// Terms that a goal may have, and that are evaluated in all.
const MOST_TERMS: usize = 20_000;
const EVALUATIONS: usize = 100_000;
/// Neighbouring bytes that are changed together, at most. The fewer, the less of the path is about them.
const MOST_CHANGED: usize = 4;
/// How far a byte goes from its value where it stays near, in values that the path leaves of it.
const NEAR: usize = 3;
/// Values for which the goal holds and that the path does not allow, before nothing more is tried.
const MOST_REFUSED: u32 = 32;

/// A goal, ready to be evaluated again and again under other values of its bytes.
pub(crate) struct Sampling {
    steps: Vec<Step>,
    /// Of each step the value under the path's own input.
    own: Vec<BitVec>,
    /// And under the sample, where that is another one.
    changed: Vec<Option<BitVec>>,
    bytes: Vec<Byte>,
    /// Evaluations that are left.
    left: usize,
    refused: u32,
    random: Rng,
}

/// A byte of the input.
struct Byte {
    var: Var,
    /// The steps that are this byte, or one that equals it.
    places: Vec<usize>,
    /// The values that the path leaves of it.
    allowed: Vec<u64>,
}

/// One term of the goal; operands are steps before it.
struct Step {
    node: Node,
    operands: [usize; 3],
}

impl Sampling {
    /// Gets ready for a goal, if it is about a hash of few enough bytes. `allowed` are the values that the path leaves of a byte.
    pub(crate) fn new(
        store: &Store,
        base: &Model,
        goal: Term,
        allowed: impl Fn(Var) -> ByteSet,
        twins: &Twins,
    ) -> Option<Sampling> {
        let mut looked_at = 0;
        let terms = postorder(store, &[goal], |_| {
            looked_at += 1;
            looked_at > MOST_TERMS
        });
        if looked_at > MOST_TERMS || terms.iter().filter(|term| is_mixing(store, **term)).count() < LEAST_MIXING {
            return None;
        }
        let mut places: HashMap<Term, usize, FxBuildHasher> = HashMap::default();
        let (mut steps, mut own) = (Vec::new(), Vec::new());
        let mut bytes: Vec<Byte> = Vec::new();
        for term in terms {
            let node = store.node(term);
            let Sort::BitVec(width) = node.sort else { return None };
            let mut operands = [0; 3];
            for (place, operand) in operands.iter_mut().zip(node.operands()) {
                *place = *places.get(operand)?;
            }
            let value = match (node.kind, store.var_of(term)) {
                (Kind::Const, _) => store.value(term)?.clone(),
                (_, Some(var)) if width <= 8 => {
                    match bytes.iter_mut().find(|byte| twins.of(var).contains(&byte.var)) {
                        Some(twin) => twin.places.push(steps.len()),
                        None => {
                            let allowed = allowed(var).values().collect();
                            bytes.push(Byte { var, places: vec![steps.len()], allowed });
                        }
                    }
                    base.value(store, var)
                }
                (_, Some(_)) => return None,
                _ => evaluate(store, &node, operands.map(|place| &own[place]))?,
            };
            places.insert(term, steps.len());
            steps.push(Step { node, operands });
            own.push(value);
        }
        bytes.retain(|byte| byte.allowed.len() > 1);
        // The same samples each time: nothing depends on luck that cannot be repeated.
        let random = Rng::with_seed(u64::from(looked_at as u32));
        Some(Sampling { changed: vec![None; own.len()], steps, own, bytes, left: EVALUATIONS, refused: 0, random })
    }

    /// Other values of bytes under which the goal holds, if chance gives some.
    pub(crate) fn next(&mut self, store: &Store) -> Option<Proposal> {
        if self.bytes.is_empty() || self.refused >= MOST_REFUSED {
            return None;
        }
        self.refused += 1;
        loop {
            self.change_bytes();
            // A sample that changes nothing costs something too.
            let evaluated = self.evaluate(store)? + 1;
            if self.changed.last()?.as_ref().is_some_and(BitVec::is_true) {
                let value = |byte: &Byte| Some((byte.var, self.changed[byte.places[0]].clone()?));
                return Some(self.bytes.iter().filter_map(value).collect());
            }
            self.left = self.left.checked_sub(evaluated)?;
        }
    }

    /// Some neighbouring bytes get other values. A hash does not care which; what the path says of sums and differences of the
    /// same bytes goes on to hold where these are near to what they were.
    fn change_bytes(&mut self) {
        self.changed.fill(None);
        let first = self.random.usize(..self.bytes.len());
        let count = if self.random.bool() { 1 } else { self.random.usize(1..=MOST_CHANGED) };
        let near = self.random.bool();
        for Byte { places, allowed, .. } in self.bytes.iter().skip(first).take(count) {
            let range = if near { around(allowed, self.own[places[0]].low64()) } else { 0..allowed.len() };
            let value = allowed[self.random.usize(range)];
            for place in places {
                let own = &self.own[*place];
                self.changed[*place] = Some(BitVec::new(own.width(), value)).filter(|value| value != own);
            }
        }
    }

    /// Evaluates what the changed bytes change; how many steps that took.
    fn evaluate(&mut self, store: &Store) -> Option<usize> {
        let mut evaluated = 0;
        for (place, step) in self.steps.iter().enumerate() {
            let operands = &step.operands[..step.node.operands().len()];
            if operands.iter().any(|operand| self.changed[*operand].is_some()) {
                let value = |operand: usize| self.changed[operand].as_ref().unwrap_or(&self.own[operand]);
                let value = evaluate(store, &step.node, step.operands.map(value))?;
                self.changed[place] = Some(value).filter(|value| *value != self.own[place]);
                evaluated += 1;
            }
        }
        Some(evaluated)
    }
}

/// The places of the values around one, of values in their order.
fn around(allowed: &[u64], value: u64) -> Range<usize> {
    let place = allowed.partition_point(|allowed| *allowed < value);
    place.saturating_sub(NEAR)..(place + NEAR + 1).min(allowed.len())
}

/// Whether a term makes each of its bits of many bits of two others, or of a product.
fn is_mixing(store: &Store, term: Term) -> bool {
    let node = store.node(term);
    let [a, b, _] = node.operands;
    match node.kind {
        Kind::Mul | Kind::URem | Kind::SRem => true,
        Kind::Add | Kind::Sub | Kind::Xor => store.value(a).is_none() && store.value(b).is_none(),
        _ => false,
    }
}

fn evaluate(store: &Store, node: &Node, operands: [&BitVec; 3]) -> Option<BitVec> {
    match node.kind {
        Kind::Lookup => store.element(node, operands[0]),
        kind => eval_kind(kind, node.sort.width(), node.imm, &operands[..node.operands().len()]),
    }
}

#[cfg(test)]
mod tests {
    use expr::{Evaluator, parse_term};

    use super::*;

    /// Eight bytes by FNV, and what is left of that by so many bits.
    fn hashed(store: &mut Store, bits: u16) -> Term {
        let mut hash = store.small(32, 0x811c_9dc5);
        let prime = store.small(32, 0x0100_0193);
        for place in 0..8 {
            let byte = store.input(0, place);
            let byte = store.zext(byte, 32);
            hash = store.xor(hash, byte);
            hash = store.binary(Kind::Mul, hash, prime);
        }
        store.extract(hash, 0, bits)
    }

    #[test]
    fn places_in_a_table_are_hit() {
        let mut store = Store::new();
        let letters = |_| {
            let mut set = ByteSet::EMPTY;
            (b'a'..=b'z').for_each(|letter| set.insert(letter.into()));
            set
        };
        let hash = hashed(&mut store, 6);
        for wanted in 0..64 {
            let wanted = store.small(6, wanted);
            let goal = store.binary(Kind::Eq, hash, wanted);
            // Nobody asks for what holds.
            if Evaluator::new(&store, &Model::new()).eval(goal).is_true() {
                continue;
            }
            let mut sampling = Sampling::new(&store, &Model::new(), goal, letters, &Twins::default()).unwrap();
            let proposal = sampling.next(&store).expect("one name in 64 is there");
            assert!(proposal.iter().all(|(_, value)| (value.low64() as u8).is_ascii_lowercase()));
            let mut model = Model::new();
            proposal.iter().for_each(|(var, value)| model.set(*var, value.clone()));
            assert!(Evaluator::new(&store, &model).eval(goal).is_true());
        }
    }

    #[test]
    fn what_is_too_rare_or_no_hash_is_left_alone() {
        let mut store = Store::new();
        let any = |_| ByteSet::all(8);
        let hash = hashed(&mut store, 32);
        let wanted = store.small(32, 0x1234_5678);
        let rare = store.binary(Kind::Eq, hash, wanted);
        assert!(Sampling::new(&store, &Model::new(), rare, any, &Twins::default()).unwrap().next(&store).is_none());
        let plain = parse_term(&mut store, "(ult (add part0[0] part0[1]) 7)").unwrap();
        assert!(Sampling::new(&store, &Model::new(), plain, any, &Twins::default()).is_none());
    }
}
