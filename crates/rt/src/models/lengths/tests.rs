//! Strings of any length: what models say of them holds for every string that takes the same path.

use std::ffi::CString;

use proptest::prelude::*;
use trace::layout::{Node, PARTS_CAPACITY, Part};

use super::*;
use crate::build::tests::evaluate_by;
use crate::models::copying::{__provoke_x_strcpy, __provoke_x_strdup};
use crate::models::searching::{__provoke_x_strchr, __provoke_x_strrchr};
use crate::models::strings::{__provoke_x_strcmp, __provoke_x_strlen, __provoke_x_strncmp, __provoke_x_strnlen};
use crate::runtime::with;
use crate::testing::{alone, process_runtime};

/// What a string is in another run.
struct Other<'a> {
    part: u32,
    length: u32,
    bytes: &'a [u8],
}

impl Other<'_> {
    fn byte(&self, node: &Node) -> u8 {
        let at = node.imm as usize;
        if node.a == self.length {
            return (self.bytes.len() as u32).to_le_bytes()[at];
        }
        assert_eq!(node.a, self.part);
        self.bytes.get(at).copied().unwrap_or(STRING_FILL)
    }

    fn value(&self, label: Label) -> u64 {
        with(0, |runtime| evaluate_by(&runtime.recorder, label, &|node| self.byte(node)) as u64)
    }

    /// Whether it takes the path that was logged from an event on.
    fn takes_path(&self, from: u64) -> bool {
        let events: Vec<Event> = with(Vec::new(), |runtime| {
            let recorder = &mut runtime.recorder;
            recorder.events_from(from)
        });
        let is_condition = |kind| kind == EventKind::Branch as u8 || kind == EventKind::Bounds as u8;
        let mut conditions = events.iter().filter(|event| is_condition(event.kind));
        conditions.all(|event| self.value(event.label) == u64::from(event.taken))
    }
}

/// Makes memory a string of any length; its part and the part of its length.
fn label(memory: &CString) -> (u32, u32) {
    let bytes = memory.as_bytes();
    with(None, |runtime| {
        let len = bytes.len() as u64 + STRING_ROOM;
        let mut add = |kind: PartKind, len, about| {
            let part = runtime.recorder.add_part(|part: &mut Part| {
                part.kind = kind as u32;
                part.len = len;
                part.inode = about;
            })?;
            runtime.inputs.add_buffer(len);
            Some(part)
        };
        let part = add(PartKind::Argument, len, 1)?;
        let length = add(PartKind::Length, LENGTH_BYTES, u64::from(part))?;
        runtime.add_length(length, part);
        runtime.label_string(part, memory.as_ptr() as u64, bytes);
        Some((part, length))
    })
    .expect("room for parts")
}

/// The label of what a model returned.
fn result_of(model: usize) -> Label {
    // SAFETY: the slots belong to this thread.
    let slots = unsafe { &mut *crate::thread::slots() };
    let label = if slots.result_tag == model as u64 { slots.results[0] } else { 0 };
    slots.result_tag = 0;
    label
}

/// What a model is to return for a string.
type Expected<'a> = &'a dyn Fn(&[u8]) -> i64;

fn text(longest: usize) -> impl Strategy<Value = CString> {
    let letter = prop_oneof![3 => Just(b'a'), 1 => Just(b'b')];
    prop::collection::vec(letter, 0..=longest).prop_map(|bytes| CString::new(bytes).expect("no zero bytes"))
}

fn order(a: &[u8], b: &[u8]) -> i64 {
    let at = |bytes: &[u8], index: usize| i64::from(bytes.get(index).copied().unwrap_or(0));
    let longest = a.len().max(b.len());
    (0..longest).map(|index| at(a, index) - at(b, index)).find(|difference| *difference != 0).unwrap_or(0)
}

proptest! {
    // Each case takes two of the parts that a trace can have.
    #![proptest_config(ProptestConfig { cases: PARTS_CAPACITY / 2 - 10, ..ProptestConfig::default() })]

    #[test]
    fn models_know_strings_of_any_length(
        here in text(6), there in text(12), fixed in text(8), limit in 0..10usize, model in 0..8,
    ) {
        process_runtime();
        let _alone = alone();
        let from = with(0, |runtime| runtime.recorder.event_count());
        let (part, length) = label(&here);
        let other = Other { part, length, bytes: there.as_bytes() };
        let (mut copy, string) = ([0u8; 64], here.as_ptr());
        let long = |bytes: &[u8]| bytes.len() as i64;
        let head = |bytes: &[u8]| bytes[..bytes.len().min(limit)].to_vec();
        let place = |found: *mut c_char, string: *const c_char| {
            if found.is_null() { -1 } else { found as i64 - string as i64 }
        };
        // SAFETY: strings that end, and room for copies.
        let (address, result, expected): (usize, i64, Expected) = unsafe {
            match model {
                0 => (address_of!(__provoke_x_strlen), __provoke_x_strlen(string) as i64, &long),
                1 => (address_of!(__provoke_x_strnlen), __provoke_x_strnlen(string, limit) as i64, &|bytes| {
                    bytes.len().min(limit) as i64
                }),
                2 => (
                    address_of!(__provoke_x_strcmp),
                    i64::from(__provoke_x_strcmp(string, fixed.as_ptr())),
                    &|bytes| order(bytes, fixed.as_bytes()),
                ),
                3 => (
                    address_of!(__provoke_x_strncmp),
                    i64::from(__provoke_x_strncmp(string, fixed.as_ptr(), limit)),
                    &|bytes| order(&head(bytes), &head(fixed.as_bytes())),
                ),
                4 => {
                    __provoke_x_strcpy(copy.as_mut_ptr().cast(), string);
                    let copied = __provoke_x_strlen(copy.as_ptr().cast());
                    (address_of!(__provoke_x_strlen), copied as i64, &long)
                }
                5 => (
                    address_of!(__provoke_x_strchr),
                    place(__provoke_x_strchr(string, b'b'.into()), string),
                    &|bytes| bytes.iter().position(|byte| *byte == b'b').map_or(-1, |at| at as i64),
                ),
                6 => (
                    address_of!(__provoke_x_strrchr),
                    place(__provoke_x_strrchr(string, b'b'.into()), string),
                    &|bytes| bytes.iter().rposition(|byte| *byte == b'b').map_or(-1, |at| at as i64),
                ),
                _ => {
                    let copied = __provoke_x_strdup(string);
                    let length = __provoke_x_strlen(copied);
                    crate::models::allocation::__provoke_x_free(copied.cast());
                    (address_of!(__provoke_x_strlen), length as i64, &long)
                }
            }
        };
        let label = result_of(address);
        shadow::clear(copy.as_ptr() as u64, copy.len() as u64);
        shadow::clear(string as u64, here.as_bytes_with_nul().len() as u64);
        prop_assert_eq!(result as i32, expected(here.as_bytes()) as i32);
        // A string that ends before what was looked at takes another path, where nobody came to its end.
        let ends_early = model == 1 && limit <= here.as_bytes().len() && there.as_bytes().len() < limit;
        if !ends_early && other.takes_path(from) {
            let found = if label == 0 { result } else { other.value(label) as i64 };
            prop_assert_eq!(found as i32, expected(there.as_bytes()) as i32);
        }
    }
}

/// What a program makes by `ready ? 0 : text[2]` looks like an end, and says nothing about lengths.
#[test]
fn a_choice_of_the_program_is_no_end() {
    process_runtime();
    let _alone = alone();
    let string = CString::new("abc").expect("no zero bytes");
    let (part, length) = label(&string);
    let end = string.as_ptr() as u64 + 3;
    assert!(with(None, |runtime| runtime.end_at(end)).is_some());
    let byte = [0u8];
    let place = byte.as_ptr() as u64;
    let choose = |condition: fn(&mut Runtime, u32, u32) -> Term, offset| {
        with(None, |runtime| {
            let (condition, next) = (condition(runtime, part, length), runtime.part_byte(part, offset));
            let chosen = runtime.recorder.choice(condition, Term::concrete(8, 0), next);
            shadow::set(place, &[chosen.label]);
            runtime.end_at(place)
        })
    };
    let first_is_a = |runtime: &mut Runtime, part, _| {
        let first = runtime.part_byte(part, 0);
        runtime.recorder.equal(first, Term::concrete(8, u64::from(b'a')))
    };
    assert!(choose(first_is_a, 3).is_none(), "another condition");
    let is_short = |runtime: &mut Runtime, part, _| {
        let length = runtime.inputs.length(part).expect("it is input");
        runtime.recorder.at_most(length, Term::concrete(64, 3))
    };
    assert!(choose(is_short, 2).is_none(), "another byte");
    assert!(choose(is_short, 3).is_some());
    shadow::clear(place, 1);
    shadow::clear(string.as_ptr() as u64, 4);
}
