//! Sizes and lengths from the input.

use proptest::prelude::*;
use trace::layout::{EventKind, LEAST_ROOM, Label, Node, Reason};
use trace::op::Op;

use crate::build::Operand;
use crate::build::tests::evaluate;
use crate::pointers::Address;
use crate::runtime::{Runtime, with};
use crate::{shadow, testing};

/// Memory as an allocator gives it.
#[repr(C, align(16))]
struct Aligned([u8; 24]);

fn input(runtime: &mut Runtime, imm: u64, value: u8) -> Label {
    let value = u64::from(value);
    let node = Node { op: Op::Input as u8, flags: 0, width: 8, a: 0, b: 0, imm, value };
    runtime.recorder.append(node)
}

/// A size of 64 bits that is a byte of the input.
fn size(runtime: &mut Runtime, value: u8) -> Operand {
    let byte = input(runtime, 0, value);
    Operand { label: runtime.recorder.zero_extend(byte, 64), value: value.into() }
}

/// What accesses have said about sizes since an event.
fn bounds_since(runtime: &mut Runtime, first: u64) -> Vec<u64> {
    let events = runtime.recorder.events_from(first).into_iter();
    events.filter(|event| event.kind == EventKind::Bounds as u8).map(|event| event.value).collect()
}

#[test]
fn accesses_say_how_large_a_block_is() {
    testing::process_runtime();
    let memory = [0u128; 32];
    let base = memory.as_ptr() as u64;
    let said = with(None, |runtime| {
        let size = size(runtime, 100);
        let allotment = runtime.allot(size, 0).expect("a size that can be followed");
        assert_eq!(allotment.room, 255, "as large as the size can be");
        runtime.regions.heap.insert(base, allotment.room);
        runtime.begin_extent(base, allotment, 0);
        let first = runtime.recorder.event_count();
        for (offset, bytes) in [(4, 2), (0, 4), (5, 1), (40, 8), (41, 4), (92, 8), (98, 1), (100, 1), (99, 0)] {
            runtime.touch(0, base + offset, bytes);
        }
        assert!(!shadow::is_sized(base, 100), "all has been accessed");
        let said = bounds_since(runtime, first);
        runtime.end_extent(base);
        runtime.regions.heap.remove(base);
        Some(said)
    });
    assert_eq!(said, Some(vec![6, 48, 100]));
}

#[test]
fn old_marks_are_forgotten() {
    testing::process_runtime();
    let memory = [0u128; 8];
    let base = memory.as_ptr() as u64;
    shadow::set_sized(base, 64);
    with((), |runtime| runtime.touch(0, base + 8, 8));
    assert!(!shadow::is_sized(base + 8, 8) && shadow::is_sized(base, 1));
    shadow::clear_sized(base, 64);
}

#[test]
fn products_are_followed_where_they_fit() {
    testing::process_runtime();
    with((), |runtime| {
        let count = size(runtime, 3);
        let product = runtime.block_product(count, Operand::concrete(8), 0).expect("it fits");
        assert_eq!((product.value, runtime.allot(product, 0).map(|allotment| allotment.room)), (24, Some(LEAST_ROOM)));
        let large = runtime.block_product(count, Operand::concrete(1 << 63), 0);
        assert_eq!(large.map(|product| product.value), None);
        let product = runtime.block_product(count, Operand::concrete(1 << 40), 0).expect("it fits");
        assert_eq!(runtime.allot(product, 0), None, "no allocator has so much");
    });
}

proptest! {
    #[test]
    fn blocks_of_any_length_are_moved(
        bytes in any::<[u8; 24]>(),
        labelled in any::<[bool; 24]>(),
        (to, from) in (0..16u64, 0..16u64),
        lengths in any::<[u8; 2]>(),
        filled in any::<bool>(),
    ) {
        testing::process_runtime();
        let memory = Box::new(Aligned(bytes));
        let base = memory.0.as_ptr() as u64;
        let [length, other] = lengths.map(|length| u64::from(length & 7));
        let result = with(None, |runtime| {
            runtime.pointers.spent = 0;
            runtime.regions.heap.insert(base, 24);
            let byte = input(runtime, 0, lengths[0]);
            let narrow = Operand { label: byte, value: lengths[0].into() };
            let masked = runtime.recorder.binary(Op::And, 8, narrow, Operand::concrete(7), length);
            let length = Operand { label: runtime.recorder.zero_extend(masked, 64), value: length };
            for (offset, byte) in (0..24).zip(bytes).filter(|(offset, _)| labelled[*offset as usize]) {
                let label = input(runtime, offset + 1, byte);
                runtime.recorder.store(base + offset, 1, label);
            }
            let followed = if filled {
                runtime.fill_some(base + to, Operand::concrete(9), length, 0)
            } else {
                runtime.copy_some(base + to, base + from, length, 0)
            };
            let labels: Vec<Label> = (0..24).map(|offset| shadow::label(base + offset)).collect();
            runtime.regions.heap.remove(base);
            shadow::clear(base, 24);
            // The other input has the other length, and the same bytes.
            let mut there = vec![lengths[1]];
            there.extend(bytes);
            let values: Vec<Option<u64>> =
                labels.iter().map(|label| (*label != 0).then(|| evaluate(&runtime.recorder, *label, &there) as u64)).collect();
            Some((followed, values))
        });
        let Some((followed, values)) = result else { return Ok(()) };
        prop_assert!(followed);
        let mut expected = bytes;
        for index in 0..other {
            expected[(to + index) as usize] = if filled { 9 } else { bytes[(from + index) as usize] };
        }
        let mut here = bytes;
        for index in 0..length {
            here[(to + index) as usize] = if filled { 9 } else { bytes[(from + index) as usize] };
        }
        for (offset, value) in values.into_iter().enumerate() {
            // A byte without a label is what the program has there.
            prop_assert_eq!(value.unwrap_or(here[offset].into()), u64::from(expected[offset]), "at {}", offset);
        }
    }

    /// Both addresses and the length depend on input, or some of them do.
    #[test]
    fn blocks_are_moved_between_any_places(
        bytes in any::<[u8; 24]>(),
        labelled in any::<[bool; 24]>(),
        here in any::<[u8; 3]>(),
        there in any::<[u8; 3]>(),
        depends in any::<[bool; 3]>(),
        filled in any::<bool>(),
    ) {
        testing::process_runtime();
        let memory = Box::new(Aligned(bytes));
        let base = memory.0.as_ptr() as u64;
        let there: [u8; 3] = std::array::from_fn(|index| if depends[index] { there[index] } else { here[index] });
        let result = with(None, |runtime| {
            runtime.pointers.spent = 0;
            runtime.regions.heap.insert(base, 24);
            let first = runtime.recorder.event_count();
            let mut number = |index: usize, plus: u64| {
                let byte = Operand { label: input(runtime, index as u64, here[index]), value: here[index].into() };
                let value = byte.value & 7;
                let masked = runtime.recorder.binary(Op::And, 8, byte, Operand::concrete(7), value);
                let label = runtime.recorder.zero_extend(masked, 64);
                let (wide, sum) = (Operand { label, value }, value + plus);
                let label = runtime.recorder.binary(Op::Add, 64, wide, Operand::concrete(plus), sum);
                Operand { label: if depends[index] { label } else { 0 }, value: sum }
            };
            let (to, from, length) = (number(0, base), number(1, base + 8), number(2, 0));
            let [to, from] = [to, from].map(|address| Address { label: address.label, value: address.value });
            for (offset, byte) in (0..24).zip(bytes).filter(|(offset, _)| labelled[*offset as usize]) {
                let label = input(runtime, offset + 3, byte);
                runtime.recorder.store(base + offset, 1, label);
            }
            let followed = if filled {
                runtime.fill_at(to, Operand::concrete(9), length, 0)
            } else {
                runtime.transfer(to, from, length, 0)
            };
            let labels: Vec<Label> = (0..24).map(|offset| shadow::label(base + offset)).collect();
            runtime.regions.heap.remove(base);
            shadow::clear(base, 24);
            let other: Vec<u8> = there.into_iter().chain(bytes).collect();
            let values: Vec<Option<u64>> =
                labels.iter().map(|label| (*label != 0).then(|| evaluate(&runtime.recorder, *label, &other) as u64)).collect();
            let bounds: Vec<Label> = runtime.recorder.events_from(first).into_iter()
                .filter(|event| event.kind == EventKind::Bounds as u8)
                .map(|event| event.label)
                .collect();
            let holds: Vec<u128> = bounds.iter().map(|label| evaluate(&runtime.recorder, *label, &other)).collect();
            Some((followed, values, holds))
        });
        let Some((followed, values, bounds)) = result else { return Ok(()) };
        // Nothing is moved in this run, nor can it be in another.
        prop_assert!(followed || !depends[2] && here[2] & 7 == 0);
        prop_assert!(bounds.iter().all(|holds| *holds == 1));
        let moved = |input: [u8; 3]| {
            let [to, from, length] = input.map(|byte| usize::from(byte & 7));
            let mut after = bytes;
            for index in 0..length {
                after[to + index] = if filled { 9 } else { bytes[8 + from + index] };
            }
            after
        };
        let (run, other) = (moved(here), moved(there));
        for (offset, value) in values.into_iter().enumerate().filter(|_| followed) {
            prop_assert_eq!(value.unwrap_or(run[offset].into()), u64::from(other[offset]), "at {}", offset);
        }
    }
}

/// A block of the heap whose size is a byte of the input.
fn sized_block(base: u64, value: u8) {
    with((), |runtime| {
        let size = size(runtime, value);
        let allotment = runtime.allot(size, 0).expect("a size that can be followed");
        runtime.regions.heap.insert(base, allotment.room);
        runtime.begin_extent(base, allotment, 0);
    });
}

#[test]
fn the_size_of_a_block_that_others_may_free_is_pinned() {
    testing::process_runtime();
    let _alone = testing::alone();
    let memory = [0u128; 16];
    let base = memory.as_ptr() as u64;
    sized_block(base, 40);
    let (kept, pinned, is_known) = with((false, vec![], true), |runtime| {
        let first = runtime.recorder.event_count();
        runtime.expose(0, Reason::UnmodelledCall, base + 8, 0);
        let kept = runtime.regions.extents.of(base).is_some();
        runtime.expose(0, Reason::UnmodelledCall, base, 0);
        let events = runtime.recorder.events_from(first).into_iter();
        let pins = events.filter(|event| event.kind == EventKind::Pin as u8).map(|event| event.value).collect();
        (kept, pins, runtime.regions.extents.of(base).is_some())
    });
    assert!(kept, "only who has its start can free it");
    assert_eq!((pinned, is_known), (vec![40], false));
    with(None, |runtime| runtime.regions.heap.remove(base));
}

#[test]
fn a_copy_of_a_string_has_the_size_of_its_own() {
    testing::process_runtime();
    // SAFETY: blocks of the heap, used and freed once.
    unsafe {
        let block = libc::malloc(16);
        sized_block(block as u64, 200);
        // By code that has no model; the allocator gives the block to whoever asks next for one like it.
        libc::free(block);
        let copy = crate::models::copying::__provoke_x_strdup(c"0123456789".as_ptr());
        assert_eq!(copy as u64, block as u64);
        let is_known = with(true, |runtime| runtime.regions.extents.of(block as u64).is_some());
        assert!(!is_known && !shadow::is_sized(block as u64, 11));
        crate::models::allocation::__provoke_x_free(copy.cast());
    }
}
