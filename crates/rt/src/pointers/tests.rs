//! Memory that is accessed at indices from the input, against a plain one under the run's input and under another.

use proptest::prelude::*;
use trace::layout::{EventKind, Label, Node, RegionKind};
use trace::op::Op;

use crate::build::tests::evaluate;
use crate::build::{Operand, mask};
use crate::recorder::Recorder;
use crate::runtime::{Runtime, with};
use crate::{shadow, testing};

const INPUTS: usize = 4;
/// Two objects of this size, and a table of pointers to both.
const SIZE: usize = 32;

#[repr(C, align(16))]
struct Memory {
    objects: [[u8; SIZE]; 2],
    table: [u64; 2],
}

/// An address: `objects[which][(input & bits) * scale + plus]`. With an input for `which` the object is chosen by a pointer
/// that is loaded at an index.
#[derive(Clone, Debug)]
struct Place {
    which: Result<usize, usize>,
    input: usize,
    bits: u8,
    scale: u64,
    plus: u64,
}

#[derive(Clone, Debug)]
enum Step {
    Read(Place, usize),
    Write(Place, usize, Option<usize>, u64),
}

fn place() -> impl Strategy<Value = Place> {
    let which = prop_oneof![(0..2usize).prop_map(Ok), (0..INPUTS).prop_map(Err)];
    let bits = prop_oneof![Just(3u8), Just(7), Just(0xff), Just(5), any::<u8>()];
    (which, 0..INPUTS, bits, 1..9u64, 0..6u64).prop_map(|(which, input, bits, scale, plus)| Place {
        which,
        input,
        bits,
        scale,
        plus,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = prop_oneof![Just(1usize), Just(2), Just(4), Just(8), Just(3)];
    prop_oneof![
        (place(), bytes.clone()).prop_map(|(place, bytes)| Step::Read(place, bytes)),
        (place(), bytes, prop::option::of(0..INPUTS), any::<u64>())
            .prop_map(|(place, bytes, input, value)| Step::Write(place, bytes, input, value)),
    ]
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

struct World {
    memory: Box<Memory>,
    /// The objects under the other input.
    there: [[u8; SIZE]; 2],
    input: [u8; INPUTS],
    other: [u8; INPUTS],
    labels: Vec<Label>,
}

impl World {
    fn new(runtime: &mut Runtime, input: [u8; INPUTS], other: [u8; INPUTS]) -> World {
        let objects = [0, 100].map(|start| std::array::from_fn(|index| start + index as u8));
        let mut memory = Box::new(Memory { objects, table: [0; 2] });
        for which in 0..2 {
            memory.table[which] = memory.objects[which].as_ptr() as u64;
            runtime.regions.heap.insert(memory.table[which], SIZE as u64);
        }
        runtime.regions.heap.insert(memory.table.as_ptr() as u64, 16);
        let labels = input.iter().zip(0..).map(|(byte, imm)| {
            let value = u64::from(*byte);
            runtime.recorder.append(Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value })
        });
        let labels = labels.collect();
        runtime.pointers.spent = 0;
        runtime.pointers.updates.clear();
        World { there: objects, memory, input, other, labels }
    }

    /// Forgets the memory, which is going to be somebody else's.
    fn end(&self, runtime: &mut Runtime) {
        let starts = self.memory.table.iter().copied().chain([self.memory.table.as_ptr() as u64]);
        starts.for_each(|start| assert!(runtime.regions.heap.remove(start).is_some()));
        shadow::clear(&raw const *self.memory as u64, size_of::<Memory>() as u64);
    }

    /// Object and offset under an input.
    fn resolve(place: &Place, input: &[u8; INPUTS]) -> (usize, u64) {
        let which = match place.which {
            Ok(which) => which,
            Err(by) => usize::from(input[by] & 1),
        };
        (which, u64::from(input[place.input] & place.bits) * place.scale + place.plus)
    }

    /// Label and value of an address, made as a program makes it.
    fn address(&self, runtime: &mut Runtime, place: &Place) -> (Label, u64) {
        let (which, offset) = World::resolve(place, &self.input);
        let base = match place.which {
            Ok(which) => Operand::concrete(self.memory.table[which]),
            Err(by) => {
                let bit = u64::from(self.input[by] & 1);
                let table = self.memory.table.as_ptr() as u64;
                let index = masked(&mut runtime.recorder, self.labels[by], self.input[by], 1);
                let index = scaled(&mut runtime.recorder, index, bit, 8, table);
                let label = runtime.read(index, 0, table + 8 * bit, 8, self.memory.table[which]);
                Operand { label, value: self.memory.table[which] }
            }
        };
        let recorder = &mut runtime.recorder;
        let index = masked(recorder, self.labels[place.input], self.input[place.input], place.bits);
        let byte = u64::from(self.input[place.input] & place.bits);
        let index = scaled(recorder, index, byte, place.scale, place.plus);
        let address = base.value + offset;
        (recorder.binary(Op::Add, 64, Operand { label: index, value: offset }, base, address), address)
    }

    fn object(&mut self, which: usize, there: bool) -> &mut [u8; SIZE] {
        if there { &mut self.there[which] } else { &mut self.memory.objects[which] }
    }

    fn run(&mut self, runtime: &mut Runtime, step: &Step) -> Result<(), TestCaseError> {
        let (place, bytes) = match step {
            Step::Read(place, bytes) | Step::Write(place, bytes, ..) => (place, *bytes),
        };
        let range = |offset: u64| offset as usize..offset as usize + bytes;
        let ((which, offset), (other, far)) = (World::resolve(place, &self.input), World::resolve(place, &self.other));
        let (here, there) = (range(offset), range(far));
        if here.end > SIZE || there.end > SIZE {
            // Out of bounds: nothing is said about such inputs.
            return Ok(());
        }
        let (label, address) = self.address(runtime, place);
        let before = runtime.recorder.event_count();
        match step {
            Step::Read(..) => {
                let value = little_endian(&self.object(which, false)[here]);
                let expected = little_endian(&self.object(other, true)[there]);
                let read = runtime.read(label, 0, address, bytes, value);
                let node = runtime.recorder.node(read);
                prop_assert!(read == 0 || (u32::from(node.width()), node.value()) == (8 * bytes as u32, value));
                prop_assert_eq!(self.under_other(&runtime.recorder, read, value), expected);
            }
            Step::Write(_, _, input, constant) => {
                let (written, far_value) = match input {
                    Some(input) => {
                        let label = runtime.recorder.zero_extend(self.labels[*input], 8 * bytes as u32);
                        (Operand { label, value: self.input[*input].into() }, self.other[*input].into())
                    }
                    None => (Operand::concrete(*constant), *constant),
                };
                runtime.write(label, 0, address, bytes, written);
                self.object(which, false)[here].copy_from_slice(&written.value.to_le_bytes()[..bytes]);
                self.object(other, true)[there].copy_from_slice(&far_value.to_le_bytes()[..bytes]);
            }
        }
        self.check_bounds(runtime, before)?;
        self.check_memory(runtime)
    }

    /// What a value is under the other input.
    fn under_other(&self, recorder: &Recorder, label: Label, concrete: u64) -> u64 {
        if label == 0 { concrete } else { evaluate(recorder, label, &self.other) as u64 }
    }

    /// Bounds hold for both inputs, and nothing was pinned.
    fn check_bounds(&self, runtime: &mut Runtime, before: u64) -> Result<(), TestCaseError> {
        for event in runtime.recorder.events_from(before) {
            prop_assert_eq!(event.reason, 0);
            if event.kind == EventKind::Bounds as u8 {
                prop_assert_eq!(runtime.recorder.node(event.label).value(), 1);
                prop_assert_eq!(evaluate(&runtime.recorder, event.label, &self.other), 1);
            }
        }
        Ok(())
    }

    fn check_memory(&self, runtime: &mut Runtime) -> Result<(), TestCaseError> {
        for (which, object) in self.memory.objects.iter().enumerate() {
            for (offset, byte) in object.iter().enumerate() {
                let label = runtime.recorder.load(object.as_ptr() as u64 + offset as u64, 1, u64::from(*byte));
                let found = self.under_other(&runtime.recorder, label, u64::from(*byte));
                prop_assert_eq!(found, u64::from(self.there[which][offset]), "{} {}", which, offset);
            }
        }
        Ok(())
    }
}

/// `zext(label & bits)` to 64 bits.
fn masked(recorder: &mut Recorder, label: Label, value: u8, bits: u8) -> Label {
    let operand = Operand { label, value: value.into() };
    let masked = recorder.binary(Op::And, 8, operand, Operand::concrete(bits.into()), u64::from(value & bits));
    recorder.zero_extend(masked, 64)
}

/// `label * scale + plus`.
fn scaled(recorder: &mut Recorder, label: Label, value: u64, scale: u64, plus: u64) -> Label {
    let product = value * scale;
    let label = recorder.binary(Op::Mul, 64, Operand { label, value }, Operand::concrete(scale), product);
    recorder.binary(Op::Add, 64, Operand { label, value: product }, Operand::concrete(plus), product + plus)
}

proptest! {
    #[test]
    fn memory_is_right_under_every_input_within_bounds(
        input in any::<[u8; INPUTS]>(),
        other in any::<[u8; INPUTS]>(),
        steps in prop::collection::vec(step(), 1..8),
    ) {
        testing::process_runtime();
        let result = with(None, |runtime| {
            let mut world = World::new(runtime, input, other);
            let result = steps.iter().try_for_each(|step| world.run(runtime, step));
            world.end(runtime);
            Some(result)
        });
        if let Some(result) = result {
            result?;
        }
    }
}

#[test]
fn what_is_too_much_is_pinned() {
    testing::process_runtime();
    let memory = vec![0u8; 2 * super::MOST_PLACES];
    let base = (memory.as_ptr() as u64).next_multiple_of(16);
    let pinned = with(None, |runtime| {
        runtime.regions.heap.insert(base, super::MOST_PLACES as u64 + 8);
        assert_eq!(runtime.regions.find(base).map(|area| area.kind), Some(RegionKind::Heap));
        let inputs = [0, 1].map(|imm| {
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value: 0 };
            runtime.recorder.append(node)
        });
        let index = runtime.recorder.byte_run(inputs[0], 2, 0);
        let index = runtime.recorder.zero_extend(index, 64);
        let label =
            runtime.recorder.binary(Op::Add, 64, Operand { label: index, value: 0 }, Operand::concrete(base), base);
        let next = runtime.recorder.event_count();
        assert_eq!(runtime.read(label, 0, base, 1, 0), 0);
        runtime.regions.heap.remove(base);
        runtime.recorder.events_from(next).first().copied()
    });
    let event = pinned.expect("the runtime is free");
    assert_eq!((event.kind, event.reason), (EventKind::Read as u8, trace::layout::Reason::Address as u16));
    assert_eq!(event.value, base & mask(64));
}

#[test]
fn constants_are_a_table_and_other_arrays_when_they_are_read_again() {
    testing::process_runtime();
    for has_label in [false, true] {
        read_squares(has_label);
    }
}

fn read_squares(has_label: bool) {
    let squares: Vec<u8> = (0..16u8).map(|number| number.wrapping_mul(number)).collect();
    let base = squares.as_ptr() as u64;
    let checked = with(None, |runtime| {
        runtime.pointers.spent = 0;
        runtime.regions.heap.insert(base, squares.len() as u64);
        if has_label {
            let zero = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: 3, value: 0 };
            let label = runtime.recorder.append(zero);
            runtime.recorder.store(base, 1, label);
        }
        let recorder = &mut runtime.recorder;
        let labels = [0, 1, 2].map(|imm| {
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value: 3 };
            let (input, address) = (recorder.append(node), base + 3);
            let low = recorder.extract(input, 0, 4, 3);
            let index = Operand { label: recorder.zero_extend(low, 64), value: 3 };
            let label = recorder.binary(Op::Add, 64, index, Operand::concrete(base), address);
            (label, address)
        });
        let read = labels.map(|(label, address)| runtime.read(label, 0, address, 1, 9));
        let [first, second, third] = read.map(|label| runtime.recorder.node(label));
        let expected = if has_label { Op::Ite } else { Op::Lookup };
        assert_eq!((first.op, second.op, third.op), (expected as u8, Op::Lookup as u8, Op::Lookup as u8));
        assert_eq!((second.b(), second.imm()), (third.b(), 16));
        for (label, which) in read.iter().zip(0..) {
            for index in 0..16u8 {
                let mut input = [3, 3, 3, 0];
                input[which] = index;
                assert_eq!(evaluate(&runtime.recorder, *label, &input), u128::from(squares[usize::from(index)]));
            }
        }
        runtime.regions.heap.remove(base);
        shadow::clear(base, squares.len() as u64);
        Some(())
    });
    checked.expect("the runtime is free");
}

#[test]
fn arrays_that_change_between_reads_are_read_as_they_are() {
    testing::process_runtime();
    let squares = |number: u8| number.wrapping_mul(number);
    let sums = |number: u8| number ^ 0x51;
    let equal = |_: u8| 9;
    let contents: [&dyn Fn(u8) -> u8; 9] =
        [&squares, &squares, &sums, &sums, &squares, &equal, &equal, &squares, &sums];
    let mut memory = Box::new([0u8; 16]);
    let base = memory.as_ptr() as u64;
    for (element, imm) in contents.into_iter().zip(0..) {
        (0..16u8).for_each(|number| memory[usize::from(number)] = element(number));
        let checked = with(None, |runtime| {
            runtime.pointers.spent = 0;
            runtime.regions.heap.insert(base, 16);
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value: 3 };
            let (input, address) = (runtime.recorder.append(node), base + 3);
            let low = runtime.recorder.extract(input, 0, 4, 3);
            let index = Operand { label: runtime.recorder.zero_extend(low, 64), value: 3 };
            let label = runtime.recorder.binary(Op::Add, 64, index, Operand::concrete(base), address);
            let read = runtime.read(label, 0, address, 1, element(3).into());
            for number in 0..16u8 {
                let mut input = [3; 9];
                input[imm as usize] = number;
                let found = if read == 0 { element(3).into() } else { evaluate(&runtime.recorder, read, &input) };
                assert_eq!(found, u128::from(element(number)), "read {imm}");
            }
            runtime.regions.heap.remove(base);
            Some(())
        });
        checked.expect("the runtime is free");
    }
}

#[test]
fn what_is_chosen_by_what_is_chosen_is_pinned_in_the_end() {
    testing::process_runtime();
    // A table whose elements are numbers of others, as codes that say where the next one starts.
    let next: Vec<u8> = (0..=255u8).map(|number| number.wrapping_mul(number).wrapping_add(7)).collect();
    let base = next.as_ptr() as u64;
    let followed = with(None, |runtime| {
        runtime.pointers.spent = 0;
        runtime.regions.heap.insert(base, 256);
        let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm: 0, value: 5 };
        let mut current = Operand { label: runtime.recorder.append(node), value: 5 };
        let mut followed = 0;
        while current.label != 0 {
            let index = Operand { label: runtime.recorder.zero_extend(current.label, 64), ..current };
            let address = base + current.value;
            let label = runtime.recorder.binary(Op::Add, 64, index, Operand::concrete(base), address);
            let value = u64::from(next[current.value as usize]);
            current = Operand { label: runtime.read(label, 0, address, 1, value), value };
            followed += u32::from(current.label != 0);
        }
        runtime.regions.heap.remove(base);
        Some(followed)
    });
    // Eight bits each.
    assert_eq!(followed, Some(super::DEEPEST / 8 + 1));
}

/// A write of what is there anyway leaves no labels, and what is written later at a known place is read as it is, again and again.
#[test]
fn memory_without_labels_is_read_as_it_is() {
    testing::process_runtime();
    let mut memory = Box::new([0u32; 256]);
    let base = memory.as_ptr() as u64;
    let checked = with(None, |runtime| {
        runtime.pointers.spent = 0;
        runtime.pointers.updates.clear();
        runtime.regions.heap.insert(base, 1024);
        let (label, address) = number_at(runtime, base, 0, 3);
        runtime.write(label, 0, address, 4, Operand::concrete(0));
        memory[5] = 7;
        for imm in 1..4 {
            let (label, address) = number_at(runtime, base, imm, 9);
            let read = runtime.read(label, 0, address, 4, 0);
            for number in [5, 6, 9] {
                let mut input = [3, 9, 9, 9];
                input[imm as usize] = number;
                let found = if read == 0 { 0 } else { evaluate(&runtime.recorder, read, &input) };
                assert_eq!(found, u128::from(memory[usize::from(number)]), "read {imm} of {number}");
            }
        }
        runtime.regions.heap.remove(base);
        shadow::clear(base, 1024);
        Some(())
    });
    checked.expect("the runtime is free");
}

/// The address of the number `number`, of 4 bytes, in an array of 256, by an input that was it.
fn number_at(runtime: &mut Runtime, base: u64, imm: u64, number: u8) -> (Label, u64) {
    let value = u64::from(number);
    let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value };
    let input = runtime.recorder.append(node);
    let index = runtime.recorder.zero_extend(input, 64);
    (scaled(&mut runtime.recorder, index, value, 4, base), base + 4 * value)
}

#[test]
fn a_read_behind_writes_is_a_choice_for_each_of_them() {
    testing::process_runtime();
    let mut memory: Box<[u32; 256]> = Box::new(std::array::from_fn(|number| (number * number) as u32));
    let base = memory.as_ptr() as u64;
    let writes = [(3u8, 1000u32), (7, 2000), (3, 3000)];
    let checked = with(None, |runtime| {
        runtime.pointers.spent = 0;
        runtime.pointers.updates.clear();
        runtime.regions.heap.insert(base, 1024);
        for ((number, written), imm) in writes.into_iter().zip(0..) {
            let (label, address) = number_at(runtime, base, imm, number);
            runtime.write(label, 0, address, 4, Operand::concrete(written.into()));
            memory[usize::from(number)] = written;
        }
        // One number at a place that the program knows.
        runtime.write(0, 0, base + 4 * 9, 4, Operand::concrete(4000));
        memory[9] = 4000;
        let (label, address) = number_at(runtime, base, 3, 7);
        let before = runtime.recorder.node_count();
        let read = runtime.read(label, 0, address, 4, memory[7].into());
        let made = runtime.recorder.node_count() - before;
        // The table of what was there first, three comparisons, the exception, and little else.
        assert!(made < 256 + 24, "{made} nodes");
        let (label, address) = number_at(runtime, base, 3, 7);
        let before = runtime.recorder.node_count();
        assert_ne!(runtime.read(label, 0, address, 4, memory[7].into()), 0);
        let made = runtime.recorder.node_count() - before;
        assert!(made < 24, "{made} nodes for the second one");
        for input in
            [[3, 7, 3, 7], [3, 7, 3, 9], [9, 9, 9, 9], [1, 2, 3, 1], [1, 2, 3, 2], [1, 1, 1, 1], [4, 5, 6, 200]]
        {
            let mut there: Vec<u32> = (0..256).map(|number| number * number).collect();
            writes.iter().zip(input).for_each(|((_, written), number)| there[usize::from(number)] = *written);
            there[9] = 4000;
            let expected = there[usize::from(input[3])];
            assert_eq!(evaluate(&runtime.recorder, read, &input), u128::from(expected), "{input:?}");
        }
        runtime.regions.heap.remove(base);
        shadow::clear(base, 1024);
        Some(())
    });
    checked.expect("the runtime is free");
}
