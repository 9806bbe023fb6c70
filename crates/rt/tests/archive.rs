//! The archive in a process: C programs that play the part of instrumented code are linked with it and traced.

mod common;

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use common::{Run, compile, run_with_cap};
use trace::layout::{Counter, State};

/// Runs one of the cases of `cases.c`.
fn case(name: &str, input: &[u8]) -> Run {
    let run = run_with_cap("cases", &[name], input, 1 << 30);
    assert_eq!(run.status.code(), Some(0), "{name}: {}", run.text);
    assert_eq!(run.trace.state(), State::Ended);
    run
}

/// Bytes that are all different from their neighbours.
fn long_input() -> Vec<u8> {
    (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect()
}

#[test]
fn bytes_of_standard_input_are_followed() {
    let run = run_with_cap("stdin_bytes", &[], b"GIF89a\x01\x02", 1 << 30);
    assert_eq!(run.status.code(), Some(0), "{}", run.text);
    assert_eq!(run.trace.state(), State::Ended);
    assert_eq!(run.trace.counter(Counter::Branches), 3);
    assert_eq!(run.branches(), ["branch %9 taken site=1", "branch %12 not-taken site=3"], "{}", run.text);
    assert_eq!(run.node("%9"), "eq i1 %1 0x47 -> 0x1");
    assert_eq!(run.node("%11"), "add i32 %10 0x1 -> 0x61393847");
}

#[test]
fn comparisons_are_one_condition() {
    let run = case("compare_strings", b"mango");
    // Every byte of the shorter string is in the term; nothing is decided on the way.
    assert_eq!(run.branches().len(), 1, "{}", run.text);
    assert_eq!(run.lines(&["%"]).iter().filter(|line| line.contains(" = eq i1")).count(), 6, "{}", run.text);
    let run = case("compare_memory", b"\x7fELF");
    assert!(run.condition_at(1).ends_with("-> 0x1"), "{}", run.text);
}

#[test]
fn a_labelled_terminator_is_decided() {
    let run = case("compare_strings", b"ma\0xyz");
    assert_eq!(run.branches().len(), 2, "{}", run.text);
    assert!(run.condition_at(7).starts_with("eq i1 %3 0x0"), "{}", run.text);
}

#[test]
fn searches_leave_the_branches_of_a_loop() {
    let run = case("string_length", b"abc\0def");
    let branches = run.branches();
    assert_eq!(branches.len(), 4, "{}", run.text);
    assert!(branches.iter().all(|line| line.ends_with("site=3")));
    assert_eq!(branches.iter().filter(|line| line.contains(" taken")).count(), 1);
}

#[test]
fn streams_are_followed() {
    let run = case("characters", &long_input());
    assert!(run.lines(&["loss"]).is_empty(), "{}", run.text);
    let run = case("pushed_back", &long_input());
    assert!(run.lines(&["loss"]).is_empty(), "{}", run.text);
    assert!(run.condition_at(1).starts_with("eq i1 %4 0x0"), "{}", run.condition_at(1));
    let run = case("inlined_characters", &long_input());
    assert!(run.lines(&["loss"]).is_empty(), "{}", run.text);
    assert_eq!(run.trace.counter(Counter::UnseenInput), 0);
    let run = case("unmodelled_reads", &long_input());
    assert_ne!(run.trace.counter(Counter::UnseenInput), 0);
    let label = run.condition_at(1).split(' ').nth(2).expect("an operand");
    assert!(run.node(label).starts_with("input i8 part0 0x36b1 "), "{}", run.node(label));
}

#[test]
fn lines_end_where_they_end() {
    let run = case("lines", b"key\nvalue\n");
    assert!(run.condition_at(1).starts_with("eq i1 %1 0x6b"), "{}", run.text);
    assert!(run.condition_at(2).starts_with("eq i1 %5 0x76"), "{}", run.text);
    assert_eq!(run.branches().iter().filter(|line| line.ends_with("site=5")).count(), 10, "{}", run.text);
}

#[test]
fn buffers_become_parts() {
    let run = case("symbolic", b"");
    let parts: Vec<&str> = run.trace.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(parts, ["stdin", "key", "key#2"]);
    assert!(run.text.contains("input i8 part1 0x3 -> 0x64"), "{}", run.text);
    assert!(run.text.contains("input i8 part2 0x0 -> 0x78"), "{}", run.text);
}

#[test]
fn mappings_of_the_input_are_labelled() {
    let run = case("mapped", &long_input());
    let label = run.condition_at(1).split(' ').nth(2).expect("an operand");
    assert!(run.node(label).starts_with("input i8 part0 0x4e1f "), "{}", run.node(label));
}

#[test]
fn accesses_name_their_regions() {
    let run = case("regions", b"A");
    let regions = run.lines(&["region"]);
    assert_eq!(regions.len(), 2, "{}", run.text);
    assert!(regions[0].starts_with("region heap") && regions[0].contains(" 0x12c "), "{}", regions[0]);
    assert!(regions[1].starts_with("region global") && regions[1].contains(" 0x40 "), "{}", regions[1]);
    assert_eq!(run.lines(&["read", "write"]).len(), 2, "{}", run.text);
}

#[test]
fn blocks_move_with_their_labels() {
    case("moved_blocks", b"0123456789abcdef");
}

#[test]
fn memory_changed_behind_our_back_loses_its_label() {
    let run = case("stale", b"abcd");
    assert_eq!(run.trace.counter(Counter::StaleLabels), 1);
}

#[test]
fn wide_values_are_stored_whole() {
    let run = case("wide", b"0123456789abcdef");
    assert!(run.condition_at(2).starts_with("eq i1"), "{}", run.text);
}

#[test]
fn variadic_arguments_keep_their_labels() {
    case("variadic", b"0123456789abcdef");
}

#[test]
fn the_memory_cap_ends_the_trace_and_not_the_program() {
    let cap = 8 << 20;
    let run = run_with_cap("cases", &["loop_to_cap"], b"a", cap);
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(run.trace.state(), State::CapReached);
    let used = run.trace.nodes().len() as u64 * 32 + run.trace.events().len() as u64 * 24;
    assert!(used <= cap && used > cap - 4096, "{used}");
}

#[test]
fn threads_share_one_trace() {
    let run = case("threads", b"a");
    assert_eq!(run.trace.counter(Counter::Branches), 80_000);
    assert_eq!(run.trace.counter(Counter::Reentered), 0);
    assert_eq!(run.branches().len(), 80_000);
}

#[test]
fn threads_that_nobody_announced_share_it_too() {
    let run = case("unexpected_threads", b"a");
    assert_eq!(run.trace.counter(Counter::Branches), 100_000);
    assert_eq!(run.trace.counter(Counter::Reentered), 0);
    assert_eq!(run.branches().len(), 100_000);
}

#[test]
fn what_a_thread_returns_is_pinned() {
    let run = case("thread_result", b"a");
    let pins = run.lines(&["pin"]);
    assert!(pins.len() == 1 && pins[0].contains("unmodelled-call") && pins[0].contains("site=4"), "{}", run.text);
}

#[test]
fn handlers_may_leave_by_longjmp() {
    case("interrupted", b"a");
}

#[test]
fn children_run_untraced() {
    let run = case("many_children", b"a");
    assert_eq!(run.branches().len(), 1, "{}", run.text);
}

#[test]
fn every_end_leaves_a_trace() {
    for name in ["leave_at_once", "closed_descriptors", "exit_in_handler"] {
        assert_eq!(case(name, b"a").branches().len(), 1, "{name}");
    }
    let run = run_with_cap("cases", &["abort_now"], b"a", 1 << 30);
    assert_eq!(run.status.signal(), Some(6));
    assert_eq!((run.trace.state(), run.branches().len()), (State::Running, 1));
    let run = run_with_cap("cases", &["replace"], b"a", 1 << 30);
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(run.branches().len(), 1);
}

#[test]
fn without_a_trace_the_program_runs() {
    let status = Command::new(compile("cases")).arg("none").status().expect("starts");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn without_address_space_the_program_says_so() {
    let limited = format!("ulimit -v 1000000; exec {} none", compile("cases").display());
    let output = Command::new("sh").args(["-c", &limited]).output().expect("sh runs");
    assert_eq!(output.status.code(), Some(125));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("ulimit -v"), "{message}");
}
