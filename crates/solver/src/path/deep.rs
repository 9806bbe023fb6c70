//! Goals that a backend answers soon or never: about hashes, and about long floating-point computations.
//!
//! Sums carry from bit to bit, and logic of two numbers ties bits of the one to those of the other. Backends are good at either. Each
//! time when one is made of the other, what they know of the bits behind gets less, and behind some rounds of a hash it is
//! nothing. A floating-point number is shifted by its exponent and rounded at each step, which is both.

use expr::{Kind, Store, Term};

/// How often, at least, arithmetic and logic take turns in what is deep: eight rounds of a simple hash, or eight operations on
/// floating-point numbers.
const ROUNDS: u16 = 16;

/// For each term, how often arithmetic and logic take turns in it.
#[derive(Default)]
pub(super) struct Deep {
    turns: Vec<Turns>,
}

/// The longest chains of turns that end in arithmetic, and in logic.
#[derive(Clone, Copy, Default)]
struct Turns {
    arithmetic: u16,
    logic: u16,
}

impl Turns {
    /// The turns of both.
    fn with(self, other: Turns) -> Turns {
        Turns { arithmetic: self.arithmetic.max(other.arithmetic), logic: self.logic.max(other.logic) }
    }

    fn then_arithmetic(self) -> Turns {
        Turns { arithmetic: self.arithmetic.max(self.logic.saturating_add(1)), ..self }
    }

    fn then_logic(self) -> Turns {
        Turns { logic: self.logic.max(self.arithmetic.saturating_add(1)), ..self }
    }
}

impl Deep {
    /// Whether a term is deep.
    pub(super) fn contains(&mut self, store: &Store, term: Term) -> bool {
        for known in expr::terms_from(store, self.turns.len()) {
            let turns = self.turns_of(store, known);
            self.turns.push(turns);
        }
        let Turns { arithmetic, logic } = self.turns[term.index()];
        arithmetic.max(logic) >= ROUNDS
    }

    fn turns_of(&self, store: &Store, term: Term) -> Turns {
        let node = store.node(term);
        let operands = node.operands();
        let turns = operands.iter().fold(Turns::default(), |turns, operand| turns.with(self.turns[operand.index()]));
        let is_of_two = operands.iter().filter(|operand| store.value(**operand).is_none()).count() > 1;
        match node.kind {
            kind if kind.gives_float() => turns.then_logic().then_arithmetic(),
            Kind::Add | Kind::Sub if is_of_two => turns.then_arithmetic(),
            // A number times a constant is a sum of the number's own shifts.
            Kind::Mul => turns.then_arithmetic(),
            Kind::Xor | Kind::And | Kind::Or if is_of_two && node.sort.width() > 1 => turns.then_logic(),
            _ => turns,
        }
    }
}

#[cfg(test)]
mod tests {
    use expr::parse_term;

    use super::*;

    /// So many rounds of a hash over bytes of the input.
    fn hash(store: &mut Store, rounds: u32) -> Term {
        let mut hash = store.small(32, 0x811c_9dc5);
        let prime = store.small(32, 0x0100_0193);
        for place in 0..rounds {
            let byte = store.input(0, place.into());
            let byte = store.zext(byte, 32);
            hash = store.xor(hash, byte);
            hash = store.binary(Kind::Mul, hash, prime);
        }
        hash
    }

    #[test]
    fn rounds_of_a_hash_are_deep() {
        let mut store = Store::new();
        let (short, long) = (hash(&mut store, 4), hash(&mut store, 12));
        let mut deep = Deep::default();
        assert!(!deep.contains(&store, short));
        assert!(deep.contains(&store, long));
    }

    #[test]
    fn sums_and_masks_are_not() {
        let mut store = Store::new();
        let (mut sum, mut all) = (store.small(32, 0), store.small(32, 0));
        let low = store.small(32, 0xffff);
        for place in 0..40u32 {
            let byte = store.input(0, place.into());
            let byte = store.zext(byte, 32);
            sum = store.add(sum, byte);
            sum = store.and(sum, low);
            all = store.xor(all, byte);
        }
        let mut deep = Deep::default();
        assert!(!deep.contains(&store, sum));
        assert!(!deep.contains(&store, all));
    }

    #[test]
    fn floating_point_numbers_are_deep_behind_some_steps() {
        let mut store = Store::new();
        let mut number = parse_term(&mut store, "(ffroms 32 (concat part0[0] part0[1]))").unwrap();
        let other = parse_term(&mut store, "(ffroms 32 (concat part0[2] part0[3]))").unwrap();
        let mut deep = Deep::default();
        // That they are made of integers is the first step.
        for step in 1..12 {
            assert_eq!(deep.contains(&store, number), step >= 8, "{step}");
            number = store.binary(Kind::FDiv, number, other);
        }
    }
}
