//! Memory with labels against a plain one: every byte is known under the run's input and under another.

use proptest::prelude::*;
use trace::layout::Label;
use trace::op::Op;

use crate::build::Operand;
use crate::build::tests::{evaluate, with_inputs};
use crate::recorder::Recorder;
use crate::shadow;

const SIZE: usize = 96;
const INPUTS: usize = 8;

#[derive(Clone, Debug)]
enum Step {
    /// Stores input bytes, joined and scrambled, as one value.
    Store {
        at: usize,
        first: usize,
        count: usize,
        scramble: u8,
    },
    StoreConcrete {
        at: usize,
        bytes: Vec<u8>,
    },
    StoreExtended {
        at: usize,
        input: usize,
        bytes: usize,
    },
    Move {
        to: usize,
        from: usize,
        bytes: usize,
    },
    Fill {
        at: usize,
        input: usize,
        bytes: usize,
    },
    /// Code without instrumentation changes a byte.
    Change {
        at: usize,
    },
    Load {
        at: usize,
        bytes: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let at = 0..SIZE - 32;
    let width = prop_oneof![Just(1usize), Just(2), Just(4), Just(8), 1..17usize, Just(32)];
    prop_oneof![
        3 => (at.clone(), 0..INPUTS, 1..9usize, any::<u8>())
            .prop_map(|(at, first, count, scramble)| Step::Store { at, first, count, scramble }),
        1 => (at.clone(), prop::collection::vec(prop_oneof![Just(0u8), any::<u8>()], 1..16))
            .prop_map(|(at, bytes)| Step::StoreConcrete { at, bytes }),
        2 => (at.clone(), 0..INPUTS, width.clone())
            .prop_map(|(at, input, bytes)| Step::StoreExtended { at, input, bytes }),
        2 => (at.clone(), at.clone(), 0..32usize).prop_map(|(to, from, bytes)| Step::Move { to, from, bytes }),
        1 => (at.clone(), 0..INPUTS, 0..32usize).prop_map(|(at, input, bytes)| Step::Fill { at, input, bytes }),
        1 => (0..SIZE).prop_map(|at| Step::Change { at }),
        5 => (at, width).prop_map(|(at, bytes)| Step::Load { at, bytes }),
    ]
}

/// The memory as it is, and as it would be under the other input.
struct Memory {
    here: Box<[u8; SIZE]>,
    there: [u8; SIZE],
}

impl Memory {
    fn address(&self, at: usize) -> u64 {
        self.here.as_ptr() as u64 + at as u64
    }

    fn write(&mut self, at: usize, here: u128, there: u128, bytes: usize) {
        for index in 0..bytes {
            let byte = |value: u128| if index < 16 { (value >> (8 * index)) as u8 } else { 0 };
            self.here[at + index] = byte(here);
            self.there[at + index] = byte(there);
        }
    }

    fn word(bytes: &[u8]) -> u64 {
        bytes.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}

/// A label for `count` input bytes from `first` on, most significant first, exclusive-or `scramble`; at most 64 bits.
fn joined(recorder: &mut Recorder, inputs: &[Label], first: usize, count: usize, scramble: u8) -> Label {
    let label_at = |index: usize| inputs[(first + index) % INPUTS];
    let mut joined = label_at(0);
    for index in 1..count {
        let low = recorder.operand(label_at(index));
        let high = recorder.operand(joined);
        joined = recorder.concat(high, index as u32 * 8, low, 8);
    }
    let value = recorder.node(joined).value();
    let operand = Operand::concrete(scramble.into());
    let old = recorder.operand(joined);
    recorder.binary(Op::Xor, count as u32 * 8, old, operand, value ^ u64::from(scramble))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]
    #[test]
    fn loads_see_what_was_stored(
        here in prop::array::uniform8(any::<u8>()),
        there in prop::array::uniform8(any::<u8>()),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let (mut recorder, inputs) = with_inputs(&here);
        let mut memory = Memory { here: Box::new([0; SIZE]), there: [0; SIZE] };
        shadow::clear(memory.address(0), SIZE as u64);
        for step in steps {
            match step {
                Step::Store { at, first, count, scramble } => {
                    let label = joined(&mut recorder, &inputs, first, count, scramble);
                    let (a, b) = (evaluate(&recorder, label, &here), evaluate(&recorder, label, &there));
                    recorder.store(memory.address(at), count, label);
                    memory.write(at, a, b, count);
                }
                Step::StoreConcrete { at, bytes } => {
                    shadow::clear(memory.address(at), bytes.len() as u64);
                    memory.here[at..at + bytes.len()].copy_from_slice(&bytes);
                    memory.there[at..at + bytes.len()].copy_from_slice(&bytes);
                }
                Step::StoreExtended { at, input, bytes } => {
                    let label = recorder.zero_extend(inputs[input], bytes as u32 * 8);
                    recorder.store(memory.address(at), bytes, label);
                    memory.write(at, here[input].into(), there[input].into(), bytes);
                }
                Step::Move { to, from, bytes } => {
                    shadow::copy(memory.address(to), memory.address(from), bytes as u64);
                    memory.here.copy_within(from..from + bytes, to);
                    memory.there.copy_within(from..from + bytes, to);
                }
                Step::Fill { at, input, bytes } => {
                    if bytes > 0 {
                        shadow::fill(memory.address(at), inputs[input], bytes as u64);
                    }
                    memory.here[at..at + bytes].fill(here[input]);
                    memory.there[at..at + bytes].fill(there[input]);
                }
                Step::Change { at } => {
                    memory.here[at] ^= 0x55;
                    memory.there[at] = memory.here[at];
                    // Changed back before anybody looks, it would be taken for what it was.
                    recorder.load(memory.address(at), 1, memory.here[at].into());
                }
                Step::Load { at, bytes } => {
                    let value = Memory::word(&memory.here[at..at + bytes]);
                    let label = recorder.load(memory.address(at), bytes, value);
                    if label == 0 {
                        prop_assert_eq!(&memory.here[at..at + bytes], &memory.there[at..at + bytes]);
                    } else {
                        prop_assert_eq!(recorder.width(label) as usize, bytes * 8);
                        // The evaluator goes up to 128 bits.
                        if bytes <= 16 {
                            let (a, b) = (evaluate(&recorder, label, &here), evaluate(&recorder, label, &there));
                            prop_assert_eq!(&a.to_le_bytes()[..bytes], &memory.here[at..at + bytes]);
                            prop_assert_eq!(&b.to_le_bytes()[..bytes], &memory.there[at..at + bytes]);
                        }
                        prop_assert_eq!(recorder.node(label).value(), value);
                        // What is stored and loaded again is the same.
                        recorder.store(memory.address(at), bytes, label);
                        prop_assert_eq!(recorder.load(memory.address(at), bytes, value), label);
                    }
                }
            }
        }
        for label in recorder.labels() {
            if recorder.width(label) <= 128 {
                prop_assert_eq!(evaluate(&recorder, label, &here) as u64, recorder.node(label).value());
            }
        }
        shadow::clear(memory.address(0), SIZE as u64);
    }
}

/// Eight bytes of memory without labels.
fn word_of_memory() -> (Box<[u8; 8]>, u64) {
    let memory = Box::new([0; 8]);
    let address = memory.as_ptr() as u64;
    shadow::clear(address, 8);
    (memory, address)
}

#[test]
fn a_word_that_is_stored_by_bytes_is_the_word() {
    let (mut recorder, inputs) = with_inputs(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let (_memory, address) = word_of_memory();
    let word = joined(&mut recorder, &inputs, 0, 4, 0x55);
    let value = recorder.node(word).value();
    for byte in 0..4 {
        let piece = recorder.extract(word, byte * 8, 8, value >> (byte * 8) & 0xff);
        recorder.store(address + u64::from(byte), 1, piece);
        assert_eq!(recorder.load(address + u64::from(byte), 1, value >> (byte * 8) & 0xff), piece);
    }
    assert_eq!(recorder.load(address, 4, value), word);
    shadow::clear(address, 8);
}

#[test]
fn words_that_are_stored_side_by_side_are_bytes_in_a_row() {
    let (mut recorder, inputs) = with_inputs(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let (_memory, address) = word_of_memory();
    let low = recorder.byte_run(inputs[0], 4, 0x0403_0201);
    let high = recorder.byte_run(inputs[4], 4, 0x0807_0605);
    recorder.store(address, 4, low);
    recorder.store(address + 4, 4, high);
    assert_eq!(recorder.load(address, 4, 0x0403_0201), low);
    assert_eq!(recorder.load(address + 5, 1, 6), inputs[5]);
    let across = recorder.load(address + 2, 4, 0x0605_0403);
    assert_eq!(across, recorder.byte_run(inputs[2], 4, 0x0605_0403));
    shadow::clear(address, 8);
}
