//! `provoke mixlang` as a user sees it: output and exit codes.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::process::{Command, Output};

struct Seen {
    code: Option<i32>,
    out: String,
    err: String,
}

fn mixlang(source: &[u8], arguments: &[&str]) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.mix"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let Output { status, stdout, stderr } =
        command.arg("mixlang").arg("program.mix").args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Seen { code: status.code(), out: text(stdout), err: text(stderr) }
}

#[test]
fn an_accepted_program_has_a_type() {
    let seen = mixlang(b"{t 1 + {s if true then 5 else \"foo\" + 3 s} t}", &[]);
    assert_eq!((seen.code, seen.out.as_str(), seen.err.as_str()), (Some(0), "accepted: int\n", ""));
}

#[test]
fn a_rejected_program_gets_path_and_witness() {
    let program = b"extern x : int in\n{s if x > 41 then (if x < 43 then not x else true) else false s}\n";
    let seen = mixlang(program, &[]);
    assert_eq!(seen.code, Some(1), "{}", seen.err);
    for part in [
        "[SENOT] Error: `not` takes bool, not int",
        "program.mix:2:39",
        "rejected by the symbolic block at 2:1",
        "on the path where `x > 41` at 2:7 is true, `x < 43` at 2:23 is true",
        "witness: x = 42",
        "run from there, it ends in an error at 2:39: `not` applied to an integer",
    ] {
        assert!(seen.out.contains(part), "{part} is not in\n{}", seen.out);
    }
}

#[test]
fn verdicts_are_for_programs_too() {
    let program = b"extern x : int in if x = 3 then not x else true";
    let seen = mixlang(program, &["--json", "--outermost", "symbolic"]);
    assert_eq!(seen.code, Some(1));
    let document: serde_json::Value = serde_json::from_str(&seen.out).unwrap();
    assert_eq!(document["verdict"], "rejected");
    let rejection = &document["rejections"][0];
    assert_eq!(rejection["rule"], "SENOT");
    assert_eq!(rejection["path"][0]["taken"], true);
    assert_eq!(rejection["witness"]["values"][0], serde_json::json!(["x", "3"]));
    assert_eq!(rejection["witness"]["run"]["outcome"], "error");
    let accepted = mixlang(b"1", &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&accepted.out).unwrap();
    assert_eq!((accepted.code, &document["type"]), (Some(0), &"pos int".into()));
}

#[test]
fn options_change_the_verdict() {
    let loop_program = b"extern n : int in var i = 0 in while i < n do i <- i + 1; i";
    assert_eq!(mixlang(loop_program, &["--outermost", "symbolic", "--iterations", "3"]).code, Some(1));
    let good = mixlang(loop_program, &["--outermost", "symbolic", "--iterations", "3", "--good-enough", "3"]);
    assert_eq!(good.code, Some(0));
    assert!(good.out.contains("good enough: not all paths were explored"), "{}", good.out);
    let arms = b"extern c : bool in {s if c then (if c then 1 else \"no\") else 2 s}";
    assert_eq!(mixlang(arms, &[]).code, Some(0));
    assert_eq!(mixlang(arms, &["--ignore-blocks"]).code, Some(1));
    assert_eq!(mixlang(arms, &["--defer"]).code, Some(0));
}

/// Each name has twice as much text as the one before.
#[test]
fn strings_that_become_too_long_are_given_up() {
    let doubled: String = (1..=40).map(|n| format!("let s{n} = s{0} ^ s{0} in ", n - 1)).collect();
    let program = format!("let s0 = \"aaaaaaaaaa\" in {doubled}s40");
    let seen = mixlang(program.as_bytes(), &["--outermost", "symbolic"]);
    assert_eq!(seen.code, Some(1), "{}", seen.err);
    assert!(seen.out.contains("strings become too long"), "{}", seen.out);
    assert!(seen.out.contains("this is a limit of the analysis, not an error of the program"), "{}", seen.out);
    // Many that are not too long by themselves are too much together.
    let many = "var s = \"a\" in var i = 0 in while i < 19 do (s <- s ^ s; i <- i + 1); \
                while true do s <- (if i < 30 then \"b\" else \"c\") ^ s";
    let seen = mixlang(many.as_bytes(), &["--outermost", "symbolic", "--iterations", "100000"]);
    assert!(seen.out.contains("strings become too long"), "{}", seen.out);
}

#[test]
fn bad_input_is_no_verdict() {
    let seen = mixlang(b"let x = (1 + in x", &[]);
    assert_eq!(seen.code, Some(2));
    assert!(seen.err.contains("expected an expression, found `in`"), "{}", seen.err);
    assert!(seen.err.contains("program.mix:1:14"), "{}", seen.err);
    assert_eq!(mixlang(b"\xff\xfe", &[]).code, Some(2));
    assert_eq!(mixlang("(".repeat(100_000).as_bytes(), &[]).code, Some(2));
    assert_eq!(mixlang(b"", &[]).code, Some(2));
    assert_eq!(mixlang(b"1", &["--outermost", "other"]).code, Some(2));
    assert_eq!(mixlang(b"1", &["--no-such-option"]).code, Some(2));
    let json = mixlang(b"let", &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (json.code, &document["error"]),
        (Some(2), &"expected a name to bind, found the end of the program".into())
    );
}

#[test]
fn programs_can_be_run() {
    let program = b"extern x : int in extern p : string ref in if x > 5 then {t !p ^ \"!\" t} else x + !p";
    let seen = mixlang(program, &["--run", "--set", "x=6", "--set", "p=hello"]);
    assert_eq!((seen.code, seen.out.as_str()), (Some(0), "value: \"hello!\"\n"), "{}", seen.err);
    let error = mixlang(program, &["--run"]);
    assert_eq!(error.code, Some(1));
    assert!(error.out.contains("`+` applied to an integer and a string"), "{}", error.out);
    assert_eq!(mixlang(program, &["--run", "--set", "y=6"]).code, Some(2));
    assert_eq!(mixlang(program, &["--set", "x=6"]).code, Some(2));
    let endless = mixlang(b"while true do ()", &["--run", "--json"]);
    assert_eq!(endless.code, Some(1));
    assert!(endless.out.contains("stopped"), "{}", endless.out);
}
