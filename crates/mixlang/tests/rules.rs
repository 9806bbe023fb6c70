//! Every rule of both analyses, where it applies and where it does not.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use mixlang::syntax::Mode;
use mixlang::{Options, Verdict, analyse, parse};
use solver::{Config, Session};

/// The type that a program is accepted with, or the first reason to reject it: `RULE: message @ source`.
fn verdict(session: &mut Session, source: &str, outermost: Mode) -> String {
    let options = Options { outermost, iterations: 5, ..Options::default() };
    let report = analyse(&parse(source).unwrap(), session, &options);
    match &report.verdict {
        Verdict::Accepted { ty, .. } => ty.clone(),
        Verdict::Rejected { rejections } => {
            let first = &rejections[0];
            format!("{}: {} @ {}", first.rule, first.message, &source[first.span.start..first.span.end])
        }
    }
}

fn check_all(outermost: Mode, rows: &[(&str, &str)]) {
    let mut session = Session::new(Config { in_process: true, ..Config::default() }).unwrap();
    let rows = rows.iter().map(|(source, wanted)| (source, wanted, verdict(&mut session, source, outermost)));
    let wrong: Vec<String> = rows
        .filter(|(_, wanted, found)| found != *wanted)
        .map(|(source, wanted, found)| format!("{source}\n  wanted: {wanted}\n  found:  {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn typing_rules() {
    check_all(
        Mode::Typed,
        &[
            ("5", "pos int"),
            ("-5", "neg int"),
            ("0 * 7", "zero int"),
            ("1 + 1", "int"),
            ("\"a\" ^ \"b\"", "string"),
            ("2.5", "float"),
            ("()", "unit"),
            ("true && 1 < 2", "bool"),
            ("1 + true", "TPLUS: `+` takes int operands, not bool @ true"),
            ("\"a\" ^ 1", "TPLUS: `^` takes string operands, not pos int @ 1"),
            ("1 < \"a\"", "TEQ: `<` takes int operands, not string @ \"a\""),
            ("1 = \"a\"", "TEQ: `=` cannot compare pos int with string @ 1 = \"a\""),
            ("1 = -1", "bool"),
            ("ref 1 = ref -1", "bool"),
            ("ref 1 = ref true", "TEQ: `=` cannot compare int ref with bool ref @ ref 1 = ref true"),
            ("true && 1", "TAND: `&&` takes bool operands, not pos int @ 1"),
            ("not 1", "TNOT: `not` takes a boolean, not pos int @ 1"),
            ("-true", "TNEG: `-` takes an integer, not bool @ true"),
            ("if true then 1 else -1", "int"),
            ("if true then 1", "TIF: the arms have different types: pos int and unit @ if true then 1"),
            ("if 1 then 1 else 1", "TIF: a condition is a boolean, not pos int @ 1"),
            ("let x = 5 in x", "pos int"),
            ("let x : int = 5 in x", "int"),
            ("let x : neg int = 5 in x", "TLET: pos int where neg int is asked for @ 5"),
            ("var x = 5 in x <- -1; x", "int"),
            ("var x = 5 in x <- true", "TSET: bool where int is asked for @ true"),
            ("ref 5", "int ref"),
            ("ref [pos int] 5", "pos int ref"),
            ("ref [pos int] 0", "TREF: zero int where pos int is asked for @ 0"),
            ("let p = ref 5 in p := 0; !p", "int"),
            ("let p = ref 5 in p := \"a\"", "TASSIGN: string where int is asked for @ \"a\""),
            ("5 := 1", "TASSIGN: `:=` writes to a reference, not to pos int @ 5"),
            ("!5", "TDEREF: `!` takes a reference, not pos int @ 5"),
            ("while true do 1", "unit"),
            ("while 1 do 1", "TIF: a condition is a boolean, not pos int @ 1"),
            ("fun (x : int) -> x + 1", "int -> int"),
            ("fun x -> x", "function without a type"),
            ("let f (x : int) (y : bool) = y in f 1 true", "bool"),
            ("let f (x : pos int) = x in f 0", "TAPP: zero int where pos int is asked for @ 0"),
            ("5 5", "TAPP: pos int is no function @ 5"),
            ("let f : int -> int = fun x -> x + 1 in f 1", "int"),
            ("let f : pos int -> int = fun (x : int) -> 1 in f", "pos int -> int"),
            (
                "let f : int -> int = fun x -> not x in f",
                "TLET: function without a type where int -> int is asked for @ fun x -> not x",
            ),
            (
                "let f : int -> int = fun (x : pos int) -> 1 in f",
                "TLET: pos int -> pos int where int -> int is asked for @ fun (x : pos int) -> 1",
            ),
            ("extern p : int ref in let q : pos int ref = p in q", "TLET: int ref where pos int ref is asked for @ p"),
            ("(5 : int)", "int"),
            ("(5 : zero int)", "TASCRIBE: pos int where zero int is asked for @ 5"),
            ("{t {t 5 t} t}", "pos int"),
        ],
    );
}

#[test]
fn symbolic_rules() {
    check_all(
        Mode::Symbolic,
        &[
            ("1 + 1", "pos int"),
            ("9223372036854775807 + 1", "neg int"),
            ("7 / 0", "zero int"),
            ("2 ** 3", "pos int"),
            ("\"a\" ^ \"b\" = \"ab\"", "bool"),
            ("extern x : int in x * 0", "zero int"),
            ("extern x : pos int in if x > 0 then 1 else \"never\"", "pos int"),
            ("extern x : pos int in x + 1", "int"),
            ("extern x : pos int in if x < 10 then x + 1 else 1", "pos int"),
            ("extern s : string in if s = \"a\" then (if s = \"b\" then 1 else \"yes\") else \"no\"", "string"),
            (
                "extern s : string in s ^ s",
                "SEPLUS: the solver does not know `^`, and the operands are not constant @ s ^ s",
            ),
            ("1 + true", "SEPLUS: `+` takes int operands, not bool @ true"),
            ("1 = \"a\"", "SEEQ: `=` cannot compare int with string @ 1 = \"a\""),
            ("true || 1", "SEAND: `||` takes bool operands, not int @ 1"),
            ("not 1", "SENOT: `not` takes bool, not int @ 1"),
            ("-true", "SENEG: `-` takes int, not bool @ true"),
            ("if 1 then 1 else 1", "SEIF: a condition is a boolean, not int @ 1"),
            ("while 1 do ()", "SEWHILE: a condition is a boolean, not int @ 1"),
            ("let x : neg int = 5 in x", "SELET: 5 where neg int is asked for @ 5"),
            ("extern x : int in (x : pos int)", "SEASCRIBE: an integer of any sign where pos int is asked for @ x"),
            ("var x = 5 in x <- true; x", "bool"),
            ("ref [pos int] 0", "SEREF: 0 where pos int is asked for @ 0"),
            ("ref 1 = ref 1", "bool"),
            ("if ref 1 = ref 1 then not 5 else true", "bool"),
            ("let p = ref 1 in p := true; p := 2; !p", "pos int"),
            ("let p = ref 1 in p := true; !p", "SEDEREF: the cell may hold a value that is not of the cell's type @ p"),
            ("5 := 1", "SEASSIGN: `:=` writes to a reference, not to int @ 5"),
            ("!5", "SEDEREF: `!` takes a reference, not int @ 5"),
            ("let f x = x in f 1; f true", "bool"),
            ("let f (x : int) = x in f true", "SEAPP: bool where int is asked for @ true"),
            ("5 5", "SEAPP: int is no function @ 5"),
            ("let f = ref (fun x -> x + 1) in (!f) 1", "pos int"),
            ("let f = ref (fun (x : int) -> x + 1) in (!f) 1", "pos int"),
            ("extern f : int -> int in f 1", "SEAPP: the code of this function is not known here @ f"),
            ("let f x = x x in f f", "TSYMBLOCK: not all paths were explored: more than 200 nested calls @ x"),
            ("var i = 0 in while i < 4 do i <- i + 1; i", "pos int"),
            (
                "var i = 0 in while i < 9 do i <- i + 1; i",
                "TSYMBLOCK: not all paths were explored: the loop goes on after 5 iterations @ i < 9",
            ),
            ("{s {s 5 s} s}", "pos int"),
        ],
    );
}

#[test]
fn mix_rules() {
    check_all(
        Mode::Typed,
        &[
            ("extern c : bool in {s if c then 1 else -1 s}", "int"),
            ("extern x : int in {s if x > 0 then x else 1 s}", "pos int"),
            (
                "extern c : bool in {s if c then 1 else true s}",
                "TSYMBLOCK: the paths through the block have different types: this one bool, another one pos int @ {s if c then 1 else true s}",
            ),
            (
                "extern p : int ref in {s p := true s}",
                "TSYMBLOCK: the block leaves a value in a cell that is not of the cell's type @ p := true",
            ),
            (
                "extern p : int ref in {s p := true; {t 1 t}; p := 1 s}",
                "SETYPBLOCK: a typed block starts while a cell holds a value that is not of the cell's type @ {t 1 t}",
            ),
            (
                "var x = 1 in {s x <- true s}; x",
                "TSYMBLOCK: the block leaves bool in `x`, which is int outside @ {s x <- true s}",
            ),
            ("var x = 1 in {s x <- true; x <- 2 s}; x", "int"),
            ("{s var x = 1 in {t x <- 2 t}; if x = 1 then 1 else 2 s}", "pos int"),
            ("{s var x = 1 in {t x <- 2 t}; if x = 1 then 1 else not x s}", "SENOT: `not` takes bool, not int @ x"),
            ("{s var x = 1 in {t 2 t}; if x = 1 then 1 else not x s}", "pos int"),
            ("let x = 5 in {s {t x t} s}", "pos int"),
            ("{s let f x = x in {t {s f 1 s} + {s f 2 s} t} s}", "int"),
            ("{s let f (x : int) = x + 1 in {t f 1 t} s}", "int"),
            ("{s let f (x : int) = x ^ \"a\" in {t {s 1 s} t} s}", "pos int"),
            (
                "{s let f (x : int) = x ^ \"a\" in {t f 1 t} s}",
                "TAPP: this function has no type, because its body has none @ f",
            ),
            ("let f (x : int) = x in {s f 1 s}", "SEAPP: the code of this function is not known here @ f"),
            ("{s let y = 2 in let f x = x + y in {t {s f 1 s} t} s}", "int"),
            ("{s ref {t fun x -> x t} s}", "function without a type ref"),
        ],
    );
}
