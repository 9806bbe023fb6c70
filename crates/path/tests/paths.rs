//! Traces in their text form, and the paths they give.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::sync::atomic::AtomicBool;

use path::selfcheck::selfcheck;
use path::{Cause, Path, Place, build, build_first, input};
use proptest::prelude::*;
use trace::layout::Reason;
use trace::reader::{Note, Trace};
use trace::sites::{Position, Site, SiteKind, SiteTable};
use trace::text::parse;

/// Nobody interrupts.
static RUNS: AtomicBool = AtomicBool::new(false);

/// Site 1 is a branch at a.c:10, 2 a switch over 1, 2, 3 at a.c:20, 3 a call of `frob` at a.c:30, 4 an access at a.c:40.
fn sites() -> SiteTable {
    let site = |line, kind| {
        let position = Position { file: "a.c".into(), line, column: 5, function: "main".into() };
        Site { positions: vec![position], kind }
    };
    let sites = vec![
        Site::default(),
        site(10, SiteKind::Branch),
        site(20, SiteKind::Switch(vec![1, 2, 3])),
        site(30, SiteKind::Call("frob".into())),
        site(40, SiteKind::Access),
    ];
    SiteTable { sites, regions: vec![], ..SiteTable::default() }
}

/// Two bytes of standard input, `GI`, and events after them.
fn traced(rest: &str) -> Trace {
    let start = "part stdin 0x2 name=stdin\n%1 = input i8 part0 0x0 -> 0x47\n%2 = input i8 part0 0x1 -> 0x49\n";
    let trace = parse(&format!("{start}{rest}")).unwrap();
    assert_eq!(trace.notes(), []);
    trace
}

fn path_of(rest: &str) -> Path {
    build(&traced(rest), &sites(), &RUNS).unwrap()
}

/// Expects these constraints; how the simplifier writes them makes no difference.
fn check(rest: &str, expected: &[&str]) {
    let Path { mut store, constraints, .. } = path_of(rest);
    let holds: Vec<_> = constraints.iter().map(|constraint| constraint.holds).collect();
    let expected: Vec<_> = expected.iter().map(|text| expr::parse_term(&mut store, text).unwrap()).collect();
    assert_eq!(holds, expected);
}

#[test]
fn branches_hold_in_the_direction_taken() {
    check(
        "%3 = eq i1 %1 0x47 -> 0x1\n%4 = ult i1 %2 0x10 -> 0x0\nbranch %3 taken site=1\nbranch %4 not-taken site=1",
        &["(eq stdin[0] 0x47)", "(ule 0x10 stdin[1])"],
    );
}

#[test]
fn an_interrupted_path_ends_early() {
    let trace = traced("%3 = eq i1 %1 0x47 -> 0x1\nbranch %3 taken site=1");
    let path = build(&trace, &sites(), &AtomicBool::new(true)).unwrap();
    assert_eq!(path.constraints, []);
}

#[test]
fn a_path_of_which_little_is_wanted_ends_there() {
    let trace = traced(
        "%3 = eq i1 %1 0x47 -> 0x1\n%4 = ult i1 %2 0x10 -> 0x0\nbranch %3 taken site=1\nbranch %3 taken site=1\n\
         branch %4 not-taken site=1",
    );
    let first = |most: usize| build_first(&trace, &sites(), &RUNS, most).unwrap();
    assert_eq!(first(1).constraints.len(), 1);
    assert!(first(1).record.interrupted, "there is more");
    assert_eq!(first(2).constraints.len(), 2);
    assert!(!first(2).record.interrupted, "that is all");
}

#[test]
fn accesses_know_the_size_of_their_region() {
    let rest = "region heap 0x1000 0x47 extent=%3\n%3 = zext i64 %1 -> 0x47\n%4 = ult i1 0x9 %3 -> 0x1\n\
                bounds %4 hold end=0xa region=0x0 site=4\nread %3 0x47 bytes=1 region=0x0 site=4";
    check(rest, &["(ult 0x9 stdin[0])"]);
    let path = path_of(rest);
    let extents: Vec<_> = path.observations.iter().map(|seen| seen.extent.map(|extent| extent.original)).collect();
    let [Some(first), Some(second)] = extents[..] else { panic!("{extents:?}") };
    assert_eq!((first, expr::print_term(&path.store, first)), (second, "(zext 64 stdin[0])".to_owned()));
    let wrong = traced(&rest.replace("0x1000 0x47", "0x1000 0x48"));
    let input = input(&wrong, &[b"GI".to_vec()]);
    assert!(selfcheck(&wrong, &input).is_some_and(|mismatch| mismatch.message.contains("0x48")));
}

#[test]
fn a_switch_holds_by_case_or_by_no_case() {
    check("switch %1 0x2 site=2", &["(eq stdin[0] 0x2)"]);
    let path = path_of("switch %1 0x47 site=2");
    let mut store = path.store;
    let expected = "(and (ne stdin[0] 0x1) (and (ne stdin[0] 0x2) (ne stdin[0] 0x3)))";
    let expected = expr::parse_term(&mut store, expected).unwrap();
    let holds = path.constraints[0].holds;
    for byte in 0..=255 {
        let mut model = expr::Model::new();
        let var = expr::variables(&store, &[holds])[0];
        model.set(var, expr::BitVec::new(8, byte));
        assert_eq!(store.eval(holds, &model), store.eval(expected, &model), "{byte}");
    }
}

#[test]
fn pins_and_accesses_hold_for_one_value() {
    check(
        "region heap 0x5000 0x10 id=1\n%3 = zext i64 %1 -> 0x47\n%4 = add i64 %3 0x5000 -> 0x5047\n\
         pin %3 0x47 size site=3\nread %4 0x5047 address region=0x0 site=4",
        &["(eq stdin[0] 0x47)"],
    );
}

#[test]
fn what_is_said_twice_is_kept_once() {
    let path = path_of("%3 = eq i1 %1 0x47 -> 0x1\nbranch %3 taken site=1\npin %1 0x47 size site=3");
    assert_eq!(path.constraints.len(), 1);
    assert_eq!(path.sizes.repeated, 1);
    assert_eq!(path.sizes.input_bytes, 1);
}

/// What a constraint says of a term holds in all that comes later.
#[test]
fn what_is_known_is_a_constant_from_there_on() {
    check(
        "%3 = zext i64 %1 -> 0x47\npin %3 0x47 size site=3\n%4 = add i8 %1 %2 -> 0x90\n%5 = ult i1 %4 0x95 -> 0x1\n\
         branch %5 taken site=1\n%6 = ult i1 %1 0x50 -> 0x1\nbranch %6 taken site=1",
        &["(eq stdin[0] 0x47)", "(ult (add stdin[1] 0x47) 0x95)"],
    );
    // But not before.
    check(
        "%3 = ult i1 %1 0x50 -> 0x1\nbranch %3 taken site=1\npin %1 0x47 size site=3",
        &["(ult stdin[0] 0x50)", "(eq stdin[0] 0x47)"],
    );
}

#[test]
fn what_no_input_can_change_is_no_constraint() {
    check("%3 = and i8 %1 0x0 -> 0x0\npin %3 0x0 size site=3", &[]);
}

/// Models are checked against what the trace says, also where the simplifier made nothing of it.
#[test]
fn originals_are_not_simplified() {
    let path = path_of(
        "%3 = and i8 %1 0x0 -> 0x0\npin %3 0x0 size site=3\n%4 = or i8 %1 %1 -> 0x47\n%5 = eq i1 %4 0x47 -> 0x1\n\
         branch %5 taken site=1\npin %1 0x47 size site=3\npin %1 0x47 size site=3\nswitch %2 0x49 site=2",
    );
    let print = |term| expr::print_term(&path.store, term);
    let originals: Vec<String> = path.constraints.iter().map(|constraint| print(constraint.original_holds)).collect();
    assert_eq!(originals[0], "(eq (or stdin[0] stdin[0]) 0x47)");
    assert_eq!(print(path.constraints[0].original_subject), originals[0]);
    assert_eq!(originals.len(), 2);
    assert!(originals[1].contains("(eq stdin[1] 0x3)"), "{}", originals[1]);
    let implied: Vec<(String, usize)> = path.implied.iter().map(|said| (print(said.original), said.before)).collect();
    let expected = [("(eq (and stdin[0] 0x0) 0x0)", 0), ("(eq stdin[0] 0x47)", 1)];
    assert_eq!(implied, expected.map(|(text, before)| (text.to_owned(), before)));
}

#[test]
fn a_path_ends_where_something_cannot_happen() {
    let trace = traced(
        "%3 = eq i1 %1 0x47 -> 0x1\n%4 = and i8 %1 0x0 -> 0x0\n\
         branch %3 taken site=1\npin %4 0x1 size site=3\nswitch %2 0x49 site=2",
    );
    let path = build(&trace, &sites(), &RUNS).unwrap();
    assert_eq!(path.constraints.len(), 1);
    assert_eq!(path.record.damage, [Note::Contradiction(1)]);
    assert!(path.record.has_loss_without_place(), "nothing before it is certain");
}

#[test]
fn a_path_that_was_interrupted_is_not_exact() {
    let events = "%3 = eq i1 %1 0x47 -> 0x1\nbranch %3 taken site=1";
    let path = build(&traced(events), &sites(), &AtomicBool::new(true)).unwrap();
    assert!(path.constraints.is_empty());
    assert!(path.record.interrupted && !path.record.is_empty());
    assert!(!build(&traced(""), &sites(), &AtomicBool::new(true)).unwrap().record.interrupted, "all events were seen");
}

#[test]
fn the_record_counts_by_source_line() {
    let path = path_of(
        "pin %1 0x47 size site=1\npin %1 0x47 size site=1\npin %2 0x49 unmodelled-call site=3\nloss 0x8 float site=77",
    );
    let place = |line| Place { file: "a.c".into(), line };
    let count = |cause: Cause, place: &Place| path.record.causes.get(&cause).and_then(|c| c.get(place)).copied();
    assert_eq!(count(Cause::Other(Reason::Size), &place(10)), Some(2));
    assert_eq!(count(Cause::UnmodelledCall("frob".into()), &place(30)), Some(1));
    assert_eq!(count(Cause::Other(Reason::Float), &Place::default()), Some(1));
    assert!(!path.record.is_empty());
    assert!(path_of("").record.is_empty());
}

#[test]
fn what_was_inlined_from_a_header_of_the_system_counts_where_it_was_called() {
    let at = |file: &str, line| Position { file: file.into(), line, column: 1, function: "f".into() };
    let positions = vec![at("/usr/include/bits/string.h", 29), at("own.c", 7), at("own.c", 90)];
    let inlined = Site { positions, kind: SiteKind::Access };
    let only = Site { positions: vec![at("/usr/include/bits/string.h", 29)], kind: SiteKind::Access };
    let sites = SiteTable { sites: vec![Site::default(), inlined, only], regions: vec![], ..SiteTable::default() };
    assert_eq!(path::position(&sites, 1).map(|position| position.line), Some(7));
    assert_eq!(path::position(&sites, 2).map(|position| position.line), Some(29));
    assert_eq!(path::position(&sites, 0), None);
}

#[test]
fn parts_of_the_same_name_are_told_apart() {
    let trace = parse(
        "part buffer 0x1 name=x\npart buffer 0x1 name=x\n%1 = input i8 part0 0x0\n%2 = input i8 part1 0x0\n\
         pin %1 0x0 size\npin %2 0x0 size",
    )
    .unwrap();
    let path = build(&trace, &sites(), &RUNS).unwrap();
    let text: Vec<String> = path.constraints.iter().map(|c| expr::print_term(&path.store, c.subject)).collect();
    assert_eq!(text, ["x[0]", "x.1[0]"]);
}

#[test]
fn the_self_check_names_the_first_event_that_depends_on_a_wrong_node() {
    let rest = "%3 = add i8 %1 0x1 -> 0x99\n%4 = eq i1 %2 0x49 -> 0x1\n%5 = eq i1 %3 0x99 -> 0x1\n\
                branch %4 taken site=1\nbranch %5 taken site=2";
    let trace = traced(rest);
    let mismatch = selfcheck(&trace, &input(&trace, &[b"GI".to_vec()])).unwrap();
    assert_eq!(mismatch.site, Some(2));
    assert!(mismatch.message.contains("0x99") && mismatch.message.contains("0x48"), "{}", mismatch.message);
}

#[test]
fn the_self_check_sees_mismatches_that_the_runtime_saw() {
    let trace = traced("mismatch %1 0x48 site=4");
    let mismatch = selfcheck(&trace, &input(&trace, &[b"GI".to_vec()])).unwrap();
    assert_eq!(mismatch.site, Some(4));
}

#[test]
fn the_self_check_compares_events_with_their_nodes() {
    for (event, fine) in [
        ("pin %1 0x47 size site=3", true),
        ("pin %1 0x48 size site=3", false),
        ("switch %1 0x46 site=3", false),
        ("loss 0x8 float site=3", true),
        ("%3 = eq i1 %1 0x47 -> 0x1\nbranch %3 taken site=3", true),
        ("%3 = eq i1 %1 0x47 -> 0x1\nbranch %3 not-taken site=3", false),
    ] {
        let trace = traced(event);
        let mismatch = selfcheck(&trace, &input(&trace, &[b"GI".to_vec()]));
        assert_eq!(mismatch.map(|mismatch| mismatch.site), (!fine).then_some(Some(3)), "{event}");
    }
}

#[test]
fn the_self_check_compares_with_the_file() {
    let trace = traced("");
    assert_eq!(selfcheck(&trace, &input(&trace, &[b"GI".to_vec()])), None);
    assert!(selfcheck(&trace, &input(&trace, &[b"GX".to_vec()])).is_some());
    assert!(selfcheck(&trace, &input(&trace, &[b"G".to_vec()])).is_some());
}

#[test]
fn buffers_have_what_the_program_saw_in_them() {
    let trace = parse("part buffer 0x3 name=x\n%1 = input i8 part0 0x1 -> 0x7").unwrap();
    assert_eq!(input(&trace, &[]).parts, [vec![0, 7, 0]]);
    let damaged =
        parse("part buffer 0xffffffffffffffff name=x\n%1 = input i8 part0 0xffffffffffffffff -> 0x7").unwrap();
    assert!(input(&damaged, &[]).parts[0].len() <= 1 << 26);
}

proptest! {
    /// The program can write into its trace what it likes, as long as the reader takes it for one.
    #[test]
    fn no_valid_trace_makes_the_engine_panic(trace in trace::arbitrary::traces()) {
        if let Ok(path) = build(&trace, &sites(), &RUNS) {
            let model = expr::Model::of_input(std::sync::Arc::new(input(&trace, &[])));
            let mut evaluator = expr::Evaluator::new(&path.store, &model);
            for (index, constraint) in path.constraints.iter().enumerate() {
                prop_assert_eq!(path.store.width(constraint.holds), 1);
                // What a run said before counts as true from there on, so only up to what is false are both forms the same.
                let said = path.implied.iter().filter(|implied| implied.before <= index).map(|implied| implied.original);
                if !said.chain(path.constraints.iter().take(index).map(|earlier| earlier.original_holds)).all(|term| evaluator.eval(term).is_true()) {
                    break;
                }
                prop_assert_eq!(evaluator.eval(constraint.holds), evaluator.eval(constraint.original_holds));
                prop_assert_eq!(evaluator.eval(constraint.subject), evaluator.eval(constraint.original_subject));
            }
        }
        let _ = selfcheck(&trace, &input(&trace, &[]));
    }
}
