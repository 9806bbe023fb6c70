//! The programs in `tests/mixlang`, with the verdicts that they ask for.
//!
//! A verdict stands in a comment, `(*~ OPTIONS: VERDICT *)`. The options are the outermost mode, `typed` or `symbolic`, and
//! then any of `blocks ignored`, `deferred` and `good enough NUMBER`. The verdict is `accepted TYPE`, `good enough TYPE` or
//! `rejected RULE at LINE: MESSAGE`, where the message may be the beginning of one.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::fs;
use std::path::PathBuf;

use mixlang::syntax::Mode;
use mixlang::{Cause, Options, Verdict, analyse, parse};
use solver::{Config, Session};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mixlang")
}

fn session() -> Session {
    Session::new(Config { in_process: true, ..Config::default() }).unwrap()
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    for word in text.split(", ") {
        match word.strip_prefix("good enough ") {
            Some(number) => options.good_enough = Some(number.parse().unwrap()),
            None => match word {
                "typed" => options.outermost = Mode::Typed,
                "symbolic" => options.outermost = Mode::Symbolic,
                "blocks ignored" => options.ignore_blocks = true,
                "deferred" => options.defer = true,
                _ => panic!("`{word}` is no option"),
            },
        }
    }
    options
}

/// The verdict on a program in the words of an expectation.
fn verdict(source: &str, options: &Options) -> Vec<String> {
    let report = analyse(&parse(source).unwrap(), &mut session(), options);
    match &report.verdict {
        Verdict::Accepted { ty, exhaustive: true } => vec![format!("accepted {ty}")],
        Verdict::Accepted { ty, exhaustive: false } => vec![format!("good enough {ty}")],
        Verdict::Rejected { rejections } => rejections
            .iter()
            .map(|rejection| {
                let line = source[..rejection.span.start].matches('\n').count() + 1;
                format!("rejected {} at {line}: {}", rejection.rule, rejection.message)
            })
            .collect(),
    }
}

#[test]
fn programs_get_the_verdicts_that_they_ask_for() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "mix") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let mut expectations = 0;
        for line in source.lines().filter_map(|line| line.strip_prefix("(*~ ")?.strip_suffix(" *)")) {
            let (how, wanted) = line.split_once(": ").unwrap();
            let found = verdict(&source, &options(how));
            if !found.iter().any(|found| found.starts_with(wanted)) {
                wrong.push(format!("{}: {how}\n  wanted: {wanted}\n  found:  {found:?}", path.display()));
            }
            expectations += 1;
        }
        assert!(expectations > 0, "{} asks for nothing", path.display());
        checked += expectations;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 40, "{checked}");
}

fn rejections(source: &str, outermost: Mode) -> Vec<mixlang::Rejection> {
    let options = Options { outermost, ..Options::default() };
    analyse(&parse(source).unwrap(), &mut session(), &options).rejections().to_vec()
}

#[test]
fn a_rejection_names_block_path_and_witness() {
    let source = r#"extern x : int in
        {t 1 + {s if x > 10 then (if x < 12 then {t "oops" + 1 t} else 2) else 3 s} t}"#;
    let found = rejections(source, Mode::Typed);
    let [rejection] = &found[..] else { panic!("{found:?}") };
    assert_eq!((rejection.rule, rejection.cause), ("TPLUS", Cause::Type));
    let modes: Vec<Mode> = rejection.blocks.iter().map(|block| block.mode).collect();
    // The outermost one is the program; `{t` inside it is passed through.
    assert_eq!(modes, [Mode::Typed, Mode::Symbolic, Mode::Typed]);
    let block = rejection.blocks.last().unwrap().span;
    assert_eq!(&source[block.start..block.end], r#"{t "oops" + 1 t}"#);
    let path: Vec<(&str, bool)> =
        rejection.path.iter().map(|step| (&source[step.span.start..step.span.end], step.taken)).collect();
    assert_eq!(path, [("x > 10", true), ("x < 12", true)]);
    let witness = rejection.witness.as_ref().unwrap();
    assert_eq!(witness.values, [("x".to_owned(), "11".to_owned())]);
    assert!(rejection.is_confirmed());
}

#[test]
fn a_witness_has_cells_and_aliases() {
    let source = "extern p : int ref in extern q : int ref in
        p := 1; q := 2; if !p = 2 then not 5 else true";
    let found = rejections(source, Mode::Symbolic);
    let [rejection] = &found[..] else { panic!("{found:?}") };
    let witness = rejection.witness.as_ref().unwrap();
    let value = |name: &str| witness.values.iter().find(|(found, _)| found == name).unwrap().1.clone();
    assert_eq!(value("p"), value("q"), "{witness:?}");
    assert!(rejection.is_confirmed());
}

#[test]
fn cells_of_different_types_are_different_cells() {
    let source = "extern p : int ref in extern q : bool ref in p := 1; q := true; if !p = 1 then 1 else not 5";
    assert!(rejections(source, Mode::Symbolic).is_empty());
}

#[test]
fn good_enough_explores_no_more_than_it_is_told() {
    let source = "extern a : bool in extern b : bool in extern c : bool in
        (if a then 1 else 2) + (if b then 1 else 2) + (if c then 1 else 2)";
    let run = |good_enough, paths| {
        let options = Options { outermost: Mode::Symbolic, good_enough, paths, ..Options::default() };
        analyse(&parse(source).unwrap(), &mut session(), &options)
    };
    assert_eq!(run(None, 1000).stats.paths, 8);
    let some = run(Some(3), 1000);
    assert_eq!(some.stats.paths, 3);
    assert!(matches!(some.verdict, Verdict::Accepted { exhaustive: false, .. }), "{some:?}");
    let all = run(Some(8), 1000);
    assert!(matches!(all.verdict, Verdict::Accepted { exhaustive: true, .. }), "{all:?}");
    let too_few = run(None, 3);
    assert_eq!(too_few.rejections()[0].cause, Cause::NotExhaustive);
}

#[test]
fn deferring_makes_one_path_of_many() {
    let source = "extern a : bool in extern b : bool in extern p : int ref in
        (if a then p := 1 else p := 2); (if b then 1 else 2) + !p";
    let run = |defer| {
        let options = Options { outermost: Mode::Symbolic, defer, ..Options::default() };
        analyse(&parse(source).unwrap(), &mut session(), &options)
    };
    assert_eq!(run(false).stats.paths, 4);
    assert_eq!(run(true).stats.paths, 1);
    assert!(run(true).is_accepted() && run(false).is_accepted());
}
