use proptest::prelude::*;

use super::*;
use crate::render::{self, Text};
use crate::syntax::{Binary, ExprKind};

/// What is said about a text, and where.
fn complaint(source: &str) -> (String, String) {
    let error = parse(source).unwrap_err();
    (error.message, source.get(error.span.start..error.span.end).unwrap().to_owned())
}

#[test]
fn operators_bind_as_usual() {
    for (source, same) in [
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("2 ** 3 ** 4", "2 ** (3 ** 4)"),
        ("1 < 2 && not true || false", "((1 < 2) && (not true)) || false"),
        ("let f = fun x -> x in f 1 + f 2", "let f x = x in (f 1) + (f 2)"),
        ("let p = ref 1 in !p + !p", "let p = ref 1 in (!p) + (!p)"),
        ("let p = ref ref 1 in !p := !(!p) + 1; 2", "let p = ref (ref 1) in ((!p) := ((!(!p)) + 1)); 2"),
        ("if true then 1; 2", "(if true then 1 else ()); 2"),
        ("1; 2;", "1; 2"),
        (
            "let f x (y : int) () = y in f 1 2 ()",
            "let f = fun x -> fun (y : int) -> fun (_ : unit) -> y in ((f 1) 2) ()",
        ),
    ] {
        assert_eq!(
            parse(source).map_err(|error| error.message),
            parse(same).map_err(|error| error.message),
            "{source}"
        );
    }
    let negative = parse("-5").unwrap();
    assert!(matches!(negative.body.kind, ExprKind::Literal(_)));
    assert!(matches!(parse("3 -5").unwrap().body.kind, ExprKind::Binary(Binary::Sub, ..)));
    assert!(parse("-9223372036854775808").is_ok());
}

#[test]
fn errors_say_what_and_where() {
    for (source, message, place) in [
        ("1 +", "expected an expression, found the end of the program", ""),
        ("x", "there is no variable `x` here", "x"),
        ("let x = 1 in x <- 2", "`x` cannot be assigned to", "x <- 2"),
        ("var x = 1 in fun y -> x + y", "a function cannot use the assignable variable `x` of its surroundings", "x"),
        ("extern a : int in extern a : bool in 1", "`a` is declared twice", "a"),
        ("{t 1 s}", "expected `t}`, found `s}`", "s}"),
        ("1 2 )", "`)` after the end of the program", ")"),
        ("\"abc", "this string has no end", "\""),
        ("(* (* *)", "this comment has no end", "(*"),
        ("\"\\q\"", "unknown escape", "\\q"),
        ("9223372036854775808", "this number is too large", "9223372036854775808"),
        ("1 + # 2", "`#` means nothing here", "#"),
        ("let f x : int = x in 1", "the result of a function has no type annotation", "x"),
    ] {
        assert_eq!(complaint(source), (message.to_owned(), place.to_owned()), "{source}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 50_000;
    for source in [
        "(".repeat(deep),
        "{t ".repeat(deep),
        "{s{t ".repeat(deep),
        "!".repeat(deep),
        "- ".repeat(deep),
        "not ".repeat(deep),
        "ref ".repeat(deep),
        "if ".repeat(deep),
        "while ".repeat(deep),
        "let x = ".repeat(deep),
        "let x = 1 in ".repeat(deep),
        "fun x -> ".repeat(deep),
        format!("fun {} -> 1", "x ".repeat(deep)),
        format!("1{}", " + 1".repeat(deep)),
        format!("1{}", " ** 1".repeat(deep)),
        format!("1{}", " 1".repeat(deep)),
        format!("ref 1{}", " := 1".repeat(deep)),
        format!("extern x : {}", "(".repeat(deep)),
        format!("extern x : int{} in 1", " ref".repeat(deep)),
        format!("extern x : int{} in 1", " -> int".repeat(deep)),
        format!("extern x : {}int{} in 1", "(".repeat(400), format!("{})", " ref".repeat(400)).repeat(400)),
    ] {
        let error = parse(&source).unwrap_err();
        assert!(error.message.starts_with("nested more than"), "{}: {}", &source[..20], error.message);
    }
}

#[test]
fn long_programs_need_not_be_deep() {
    assert!(parse(&"1; ".repeat(100_000)).is_ok());
    let many: String = (0..20_000).map(|index| format!("extern e{index} : int in ")).collect();
    assert!(parse(&format!("{many} 1")).is_ok());
    assert!(parse(&" ".repeat(MAX_LENGTH + 1)).is_err());
}

/// Whatever the text: a program, or an error at a place that can be shown.
fn survives(source: &str) {
    match parse(source) {
        Ok(program) => {
            let printed = program.to_string();
            assert_eq!(parse(&printed).as_ref(), Ok(&program), "{printed}");
        }
        Err(error) => {
            assert!(source.get(error.span.start..error.span.end).is_some(), "{:?}", error.span);
            render::parse_error(Text { name: "fuzz", source, colours: false }, &error);
        }
    }
}

const WORDS: [&str; 52] = [
    "let", "var", "in", "if", "then", "else", "while", "do", "fun", "ref", "not", "true", "false", "extern", "int",
    "bool", "string", "float", "unit", "pos", "zero", "unknown", "t}", "s}", "{t", "{s", "(", ")", "[", "]", ":", ";",
    ":=", "<-", "->", "=", "<", "&&", "+", "-", "*", "**", "!", "x", "y", "0", "7", "1.5", "\"s\"", "()", "(*", "*)",
];

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_survived(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
        survives(&words.join(" "));
        survives(&words.concat());
    }

    #[test]
    fn cut_programs_are_survived(cut in 0usize..400, put in prop::sample::select(&WORDS[..])) {
        let program = "extern a : pos int in let f (x : int ref) y = if !x > 0 then {s x := y; !x s} else {t 2 ** y t} in \
                       var i = 0 in while i < 10 do (i <- i + 1; f (ref [int] i) a); (\"a\" ^ \"\\n\" : string) = \"b\"";
        survives(program);
        let cut = (0..=cut.min(program.len())).rev().find(|at| program.is_char_boundary(*at)).unwrap_or(0);
        let (before, after) = program.split_at(cut);
        survives(before);
        survives(&format!("{before} {put} {after}"));
    }
}
