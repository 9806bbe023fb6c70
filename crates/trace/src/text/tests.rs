use proptest::prelude::*;

use super::*;
use crate::arbitrary::traces;

proptest! {
    #[test]
    fn text_round_trips(trace in traces()) {
        prop_assert_eq!(trace.notes(), &[]);
        let text = print(&trace).to_string();
        let parsed = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&parsed, &trace, "{}", text);
        prop_assert_eq!(print(&parsed).to_string(), text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "(%?[a-z0-9 =#%\\->x\n]|add|part|branch|site=|0x){0,60}") {
        let _ = parse(&text);
    }
}

/// Parses `text` and expects the error.
fn check_error(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), expected);
}

#[test]
fn errors_name_the_line_and_the_word() {
    check_error("trace running\n\n%1 = frob i8 %2", "line 3: `frob` is not known here");
    check_error("%2 = const i8 0x1", "line 1: %1 comes next, not %2");
    check_error("%1 = const i8 zero", "line 1: `zero` is not a number");
    check_error("%1 = const i99999 0x1", "line 1: 99999 is too large");
    check_error("loss 0x1 site=1 0x2", "line 1: `0x2` does not belong here");
    check_error("%1 = const i8 0x1 -> 0x1 %3", "line 1: `%3` is too much");
    check_error("part file 0x1 name=a%zz", "line 1: `%zz` is not an escape");
}

#[test]
fn every_operator_and_every_event_has_a_name() {
    assert!(Op::ALL[1..].iter().all(|op| op_name(*op) != "unknown"));
    assert_eq!(OPERATORS.len(), Op::ALL.len() - 1);
}

#[test]
fn what_does_not_hold_together_is_noted() {
    let trace =
        parse("part stdin 0x1 name=stdin\n%1 = input i8 part0 0x0\n%2 = add i16 %1 0x1\nbranch %2 taken").unwrap();
    assert_eq!(trace.nodes().len(), 2);
    assert_eq!(trace.events().len(), 0);
    assert_eq!(trace.notes().len(), 2);
}
