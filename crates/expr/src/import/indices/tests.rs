use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{Evaluator, Input, Model, parse_term};

const WIDTH: u16 = 5;

/// A store, and an index of some bits of two bytes.
fn with_index() -> (Store, Term) {
    let mut store = Store::new();
    store.set_part_name(0, "in");
    let index = parse_term(&mut store, "(extract 5 6 (concat in[1] in[0]))").unwrap();
    (store, index)
}

/// The path's input for which the index is `value`.
fn model(value: u64) -> Model {
    let bytes = (value << 6).to_le_bytes();
    Model::of_input(Arc::new(Input { parts: vec![bytes[..2].to_vec()] }))
}

fn table(seed: u64, elements: u64, width: u16) -> Vec<BitVec> {
    (0..1u64 << WIDTH).map(|value| BitVec::new(width, (value + 1).wrapping_mul(seed | 1) >> 7 & elements)).collect()
}

/// A condition on the index, and how it was chosen.
fn condition(store: &mut Store, index: Term, form: u8, number: u64) -> Term {
    let number_of = |store: &mut Store, number: u64| store.small(WIDTH, number % 32);
    let (a, b) = (number_of(store, number), number_of(store, number / 32));
    match form % 7 {
        0 => store.eq(index, a),
        1 => store.ult(index, a),
        2 => store.ult(a, index),
        3 => {
            let distance = store.sub(index, a);
            store.ult(distance, b)
        }
        4 => store.lookup(index, table(number, 1, 1)).unwrap(),
        5 => {
            let chosen = store.lookup(index, table(number, 3, 32)).unwrap();
            let wanted = store.small(32, number % 4);
            store.eq(chosen, wanted)
        }
        _ => {
            let (below, same) = (store.ult(index, a), store.eq(index, b));
            store.or(below, same)
        }
    }
}

proptest! {
    /// Conditions and lookups in any order: what has one value has it wherever the conditions hold.
    #[test]
    fn what_is_settled_is_so_wherever_the_path_holds(
        steps in proptest::collection::vec((any::<bool>(), any::<u8>(), any::<u32>(), any::<bool>()), 1..8),
    ) {
        let (mut store, index) = with_index();
        let mut indices = Indices::default();
        let (mut said, mut settled): (Vec<Term>, Vec<(usize, Settled)>) = (Vec::new(), Vec::new());
        for (is_condition, form, number, positive) in steps {
            let number = u64::from(number);
            let found = if is_condition {
                let holds = condition(&mut store, index, form, number);
                let holds = if positive { holds } else { store.not(holds) };
                said.push(holds);
                indices.learn(&store, holds)
            } else {
                let chosen = store.lookup(index, table(number, 1, 16)).unwrap();
                indices.made(&store, chosen)
            };
            settled.extend(found.into_iter().map(|found| (said.len(), found)));
        }
        for value in 0..1 << WIDTH {
            let model = model(value);
            let mut evaluator = Evaluator::new(&store, &model);
            for (count, (term, only)) in &settled {
                if said[..*count].iter().all(|holds| evaluator.eval(*holds).is_true()) {
                    prop_assert_eq!(evaluator.eval(*term), only.clone());
                }
            }
        }
    }
}

#[test]
fn what_is_the_same_for_all_that_is_left_is_no_choice() {
    let (mut store, index) = with_index();
    let values = |numbers: [u64; 4]| (0..32).map(|i| BitVec::new(16, numbers[i % 4])).collect::<Vec<_>>();
    let length = store.lookup(index, values([2, 3, 2, 4])).unwrap();
    let meaning = store.lookup(index, values([7, 8, 7, 9])).unwrap();
    let two = store.small(16, 2);
    let pin = store.eq(length, two);
    let mut indices = Indices::default();
    assert_eq!(indices.made(&store, length), vec![]);
    // The pin is a condition on the index by now, and the lookup that it was made from is known too.
    assert_eq!(indices.learn(&store, pin), vec![(length, BitVec::new(16, 2))]);
    assert_eq!(indices.made(&store, meaning), vec![(meaning, BitVec::new(16, 7))]);
    let other = store.lookup(index, values([1, 1, 5, 5])).unwrap();
    assert_eq!(indices.made(&store, other), vec![]);
}
