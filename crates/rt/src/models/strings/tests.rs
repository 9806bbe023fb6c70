//! Models of string functions against libc: the same result, and under another input what libc would return there,
//! wherever the branches that were logged go the same way.

use std::ffi::CStr;

use proptest::prelude::*;
use trace::layout::{Event, EventKind, Label, Node};
use trace::op::Op;

use super::*;
use crate::build::tests::evaluate;
use crate::models::searching::{__provoke_x_memchr, __provoke_x_strchr, __provoke_x_strrchr};
use crate::testing::{alone, process_runtime};

const SIZE: usize = 12;

/// Two strings, some bytes of which are input: what they are in this run and in another.
#[derive(Clone, Debug)]
struct Case {
    here: [u8; 2 * SIZE],
    there: [u8; 2 * SIZE],
    labelled: [bool; 2 * SIZE],
    /// Whether the runtime knows where the memory ends.
    is_known: bool,
}

fn case() -> impl Strategy<Value = Case> {
    let byte = || prop_oneof![4 => Just(b'a'), 2 => Just(b'b'), 2 => Just(0u8), 1 => Just(0xf0u8)];
    let bytes = prop::collection::vec((byte(), byte(), prop::bool::weighted(0.4)), 2 * SIZE);
    (bytes, any::<bool>()).prop_map(|(bytes, is_known)| {
        let mut case = Case { here: [0; 2 * SIZE], there: [0; 2 * SIZE], labelled: [false; 2 * SIZE], is_known };
        for (index, (here, there, labelled)) in bytes.into_iter().enumerate() {
            // Both strings end, whatever the input.
            let is_last = index % SIZE == SIZE - 1;
            case.here[index] = if is_last { 0 } else { here };
            case.labelled[index] = labelled && !is_last;
            case.there[index] = if case.labelled[index] { there } else { case.here[index] };
        }
        case
    })
}

/// What a model returned, and what it left in the trace.
struct Outcome {
    result: u64,
    label: Label,
    branches: Vec<(Label, bool)>,
    pins: usize,
}

impl Outcome {
    /// Whether the other input takes the same branches.
    fn is_path_of(&self, input: &[u8]) -> bool {
        let holds = |(label, taken): &(Label, bool)| {
            with(false, |runtime| (evaluate(&runtime.recorder, *label, input) == 1) == *taken)
        };
        self.branches.iter().all(holds)
    }

    fn result_under(&self, input: &[u8]) -> u64 {
        if self.label == 0 {
            return self.result;
        }
        with(0, |runtime| evaluate(&runtime.recorder, self.label, input) as u64)
    }
}

/// Labels the bytes in memory, runs the model on them, and collects what it did.
fn observe(case: &Case, model: usize, run: impl FnOnce(*const u8, *const u8) -> u64) -> Outcome {
    process_runtime();
    let _alone = alone();
    let memory = Box::new(case.here);
    let address = memory.as_ptr() as u64;
    let before = with(0, |runtime| {
        shadow::clear(address, 2 * SIZE as u64);
        if case.is_known {
            runtime.regions.heap.insert(address, 2 * SIZE as u64);
        }
        for (index, byte) in case.here.iter().enumerate().filter(|(index, _)| case.labelled[*index]) {
            let (imm, value) = (index as u64, u64::from(*byte));
            // Of no part that a trace can have.
            let a = trace::layout::PARTS_CAPACITY;
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a, b: 0, imm, value };
            let label = runtime.recorder.append(node);
            shadow::set_run(address + imm, label, 1, 1);
        }
        runtime.recorder.event_count()
    });
    let result = run(memory.as_ptr(), memory[SIZE..].as_ptr());
    // SAFETY: the slots belong to this thread.
    let slots = unsafe { &mut *crate::thread::slots() };
    let label = if slots.result_tag == model as u64 { slots.results[0] } else { 0 };
    slots.result_tag = 0;
    let events = with(Vec::new(), |runtime| runtime.recorder.events_from(before));
    let of_kind = |kind: EventKind| events.iter().filter(move |event| event.kind == kind as u8);
    let branches = of_kind(EventKind::Branch).map(|event| (event.label, event.taken == 1)).collect();
    let is_pinned = |event: &&Event| event.reason == Reason::Address as u16;
    let pins = of_kind(EventKind::Pin).chain(of_kind(EventKind::Read).filter(is_pinned)).count();
    shadow::clear(address, 2 * SIZE as u64);
    with(None, |runtime| runtime.regions.heap.remove(address));
    Outcome { result, label, branches, pins }
}

/// The difference of the first bytes that differ, as glibc returns it.
fn difference(a: &[u8], b: &[u8], is_string: bool) -> u64 {
    for (x, y) in a.iter().zip(b) {
        if x != y {
            return u64::from((i32::from(*x) - i32::from(*y)) as u32);
        }
        if is_string && *x == 0 {
            break;
        }
    }
    0
}

fn check_comparison(case: &Case, limit: usize, is_string: bool, outcome: &Outcome) -> Result<(), TestCaseError> {
    let expected = |bytes: &[u8]| difference(&bytes[..limit], &bytes[SIZE..SIZE + limit], is_string);
    // Without labels it is what the library returns, of which only the sign is known.
    let seen = |result: u64| if outcome.label == 0 { (result as i32).signum() } else { result as i32 };
    prop_assert_eq!(seen(outcome.result), seen(expected(&case.here)));
    prop_assert_eq!(seen(outcome.result_under(&case.here)), seen(expected(&case.here)));
    if outcome.is_path_of(&case.there) {
        prop_assert_eq!(seen(outcome.result_under(&case.there)), seen(expected(&case.there)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn comparisons(case in case(), limit in 0..=SIZE) {
        // SAFETY: both strings end within their memory, which has `SIZE` bytes.
        unsafe {
            let outcome = observe(&case, address_of!(__provoke_x_strcmp), |a, b| {
                u64::from(__provoke_x_strcmp(a.cast(), b.cast()) as u32)
            });
            check_comparison(&case, SIZE, true, &outcome)?;
            let outcome = observe(&case, address_of!(__provoke_x_strncmp), |a, b| {
                u64::from(__provoke_x_strncmp(a.cast(), b.cast(), limit) as u32)
            });
            check_comparison(&case, limit, true, &outcome)?;
            let outcome = observe(&case, address_of!(__provoke_x_memcmp), |a, b| {
                u64::from(__provoke_x_memcmp(a.cast(), b.cast(), limit) as u32)
            });
            check_comparison(&case, limit, false, &outcome)?;
        }
    }

    /// The first string is the one of the two that an input chooses.
    #[test]
    fn comparisons_at_an_address(case in case(), limit in 0..=SIZE, other in prop_oneof![Just(c"a"), Just(c"ab"), Just(c"")],
                                 chosen in any::<[bool; 2]>(), is_second in any::<bool>()) {
        let case = Case { is_known: true, ..case };
        let expected = |bytes: &[u8], chosen: bool| {
            let start = if chosen { SIZE } else { 0 };
            let (string, other) = (&bytes[start..start + SIZE], other.to_bytes_with_nul());
            let limit = limit.min(other.len());
            if is_second { difference(&other[..limit], &string[..limit], true) } else { difference(&string[..limit], &other[..limit], true) }
        };
        let inputs = [(&case.here, chosen[0]), (&case.there, chosen[1])].map(|(bytes, chosen)| {
            let mut input = bytes.to_vec();
            input.push(u8::from(chosen));
            input
        });
        let model = address_of!(__provoke_x_strncmp);
        let outcome = observe(&case, model, |first, _| {
            let value = u64::from(chosen[0]);
            let address = first as u64 + SIZE as u64 * value;
            let label = with(0, |runtime| {
                let a = trace::layout::PARTS_CAPACITY;
                let node = Node { op: Op::Input as u8, flags: 0, width: 8, a, b: 0, imm: 2 * SIZE as u64, value };
                let bit = runtime.recorder.append(node);
                let bit = runtime.recorder.extract(bit, 0, 1, value);
                let index = Operand { label: runtime.recorder.zero_extend(bit, 64), value };
                let offset = SIZE as u64 * value;
                let offset = Operand { label: runtime.recorder.binary(Op::Mul, 64, index, Operand::concrete(SIZE as u64), offset), value: offset };
                runtime.recorder.binary(Op::Add, 64, offset, Operand::concrete(first as u64), address)
            });
            // SAFETY: the slots belong to this thread.
            let slots = unsafe { &mut *crate::thread::slots() };
            slots.argument_tag = model as u64;
            slots.arguments[..3].copy_from_slice(&if is_second { [0, label, 0] } else { [label, 0, 0] });
            let (string, other) = (address as *const c_char, other.as_ptr());
            // SAFETY: both strings end.
            u64::from(unsafe { if is_second { __provoke_x_strncmp(other, string, limit) } else { __provoke_x_strncmp(string, other, limit) } } as u32)
        });
        let sign = |result: u64| (result as i32).signum();
        prop_assert_eq!(sign(outcome.result), sign(expected(&case.here, chosen[0])));
        prop_assert_eq!(sign(outcome.result_under(&inputs[0])), sign(expected(&case.here, chosen[0])));
        prop_assert!(outcome.is_path_of(&inputs[0]));
        if outcome.is_path_of(&inputs[1]) && (chosen[0] == chosen[1] || outcome.pins == 0) {
            prop_assert_eq!(sign(outcome.result_under(&inputs[1])), sign(expected(&case.there, chosen[1])));
        }
        // The end of one of them may be elsewhere, and then there is nothing to be said of the other.
        let ends = |start: usize| case.here[start..].iter().position(|byte| *byte == 0).map(|end| start + end);
        let is_certain = [0, SIZE].iter().all(|start| ends(*start).is_some_and(|end| !case.labelled[end]));
        prop_assert_eq!(outcome.pins > 0, !is_certain);
    }

    #[test]
    fn searches(case in case(), limit in 0..=SIZE, wanted in prop_oneof![Just(b'a'), Just(b'b'), Just(0u8)]) {
        let length = |bytes: &[u8]| CStr::from_bytes_until_nul(&bytes[..SIZE]).expect("it ends").count_bytes() as u64;
        let place = |bytes: &[u8], limit: usize| bytes[..limit].iter().position(|byte| *byte == wanted);
        let in_string = |bytes: &[u8]| place(bytes, (length(bytes) as usize + 1).min(SIZE));
        let last_in_string = |bytes: &[u8]| bytes[..=length(bytes) as usize].iter().rposition(|byte| *byte == wanted);
        let offset = |found: *const u8, start: *const u8| {
            if found.is_null() { u64::MAX } else { found as u64 - start as u64 }
        };
        let or_none = |found: Option<usize>| found.map_or(u64::MAX, |at| at as u64);
        // SAFETY: the string ends within its memory, which has `SIZE` bytes.
        let outcomes = unsafe {
            [
                (observe(&case, 1, |a, _| __provoke_x_strlen(a.cast()) as u64), length(&case.here), length(&case.there)),
                (
                    observe(&case, 1, |a, _| __provoke_x_strnlen(a.cast(), limit) as u64),
                    length(&case.here).min(limit as u64),
                    length(&case.there).min(limit as u64),
                ),
                (
                    observe(&case, 1, |a, _| offset(__provoke_x_memchr(a.cast(), wanted.into(), limit).cast(), a)),
                    or_none(place(&case.here, limit)),
                    or_none(place(&case.there, limit)),
                ),
                (
                    observe(&case, 1, |a, _| offset(__provoke_x_strchr(a.cast(), wanted.into()).cast(), a)),
                    or_none(in_string(&case.here)),
                    or_none(in_string(&case.there)),
                ),
                (
                    observe(&case, 1, |a, _| offset(__provoke_x_strrchr(a.cast(), wanted.into()).cast(), a)),
                    or_none(last_in_string(&case.here)),
                    or_none(last_in_string(&case.there)),
                ),
            ]
        };
        for (outcome, here, there) in outcomes {
            prop_assert_eq!(outcome.result, here);
            // The branches say all there is to say: the same path means the same result.
            if outcome.is_path_of(&case.there) {
                prop_assert_eq!(outcome.result, there);
            }
        }
    }

    /// Of a table, with runs and with bytes that are there more than once.
    #[test]
    fn searches_for_a_byte_of_the_input(
        table in prop::collection::vec(prop_oneof![8 => b'a'..=b'e', 1 => Just(0xff), 1 => Just(1)], SIZE), end in 0..SIZE,
        wanted in [prop_oneof![b'a'..=b'f', Just(0u8), Just(0xffu8)], prop_oneof![b'a'..=b'f', Just(0u8), Just(1u8)]], function in 0..3usize,
    ) {
        let mut case = Case { here: [0; 2 * SIZE], there: [0; 2 * SIZE], labelled: [false; 2 * SIZE], is_known: true };
        case.here[..end].copy_from_slice(&table[..end]);
        let model = [address_of!(__provoke_x_strchr), address_of!(__provoke_x_strrchr), address_of!(__provoke_x_memchr)][function];
        let mut start = 0;
        let outcome = observe(&case, model, |string, _| {
            start = string as u64;
            let (a, imm) = (trace::layout::PARTS_CAPACITY, 2 * SIZE as u64);
            let node = Node { op: Op::Input as u8, flags: 0, width: 8, a, b: 0, imm, value: wanted[0].into() };
            let label = with(0, |runtime| {
                let byte = runtime.recorder.append(node);
                runtime.recorder.zero_extend(byte, 32)
            });
            // SAFETY: the slots belong to this thread.
            let slots = unsafe { &mut *crate::thread::slots() };
            slots.argument_tag = model as u64;
            slots.arguments[..3].copy_from_slice(&[0, label, 0]);
            // SAFETY: the string ends within its memory.
            unsafe {
                match function {
                    0 => __provoke_x_strchr(string.cast(), wanted[0].into()) as u64,
                    1 => __provoke_x_strrchr(string.cast(), wanted[0].into()) as u64,
                    _ => __provoke_x_memchr(string.cast(), wanted[0].into(), end) as u64,
                }
            }
        });
        let expected = |wanted: u8| {
            let is_wanted = |byte: &u8| *byte == wanted;
            let found = match function {
                0 => case.here[..=end].iter().position(is_wanted),
                1 => case.here[..=end].iter().rposition(is_wanted),
                _ => case.here[..end].iter().position(is_wanted),
            };
            found.map_or(0, |at| start + at as u64)
        };
        prop_assert_eq!(outcome.result, expected(wanted[0]));
        // One branch, which says whether it is there.
        prop_assert!(outcome.branches.len() <= 1);
        let is_alike = (expected(wanted[0]) == 0) == (expected(wanted[1]) == 0);
        for byte in wanted {
            let input = [&case.here[..], &[byte]].concat();
            prop_assert_eq!(outcome.is_path_of(&input), byte == wanted[0] || is_alike);
            if outcome.is_path_of(&input) {
                prop_assert_eq!(outcome.result_under(&input), expected(byte));
            }
        }
    }
}
