use proptest::prelude::*;

use super::parse;
use crate::analysis::{Options, Verdict, analyse};
use crate::module::Module;
use crate::print::{Detail, lines};
use crate::program::Variable;
use crate::source::Diagnostic;
use crate::subtyping::Strength;
use crate::types::Type;

/// What is wrong with a text, which must be inside it.
fn error(text: &str) -> Diagnostic {
    let error = Module::parse(text).unwrap_err();
    assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
    error
}

#[test]
fn errors_say_what_and_where() {
    let check = |text: &str, at: &str, message: &str| {
        let error = error(text);
        assert_eq!(error.message, message);
        assert_eq!(&text[error.span.start..error.span.end], at, "{message}");
    };
    check("var x : int; x := y;", "y", "there is no variable `y`");
    check("var x : int; x := div(1);", "div", "`div` takes 2 operands, not 1");
    check("var x : int; x := true;", "true", "expected Int, found Bool");
    check("var x : int; if x then stop else stop", "x", "expected Bool, found Int");
    check("var x : int; x := 1 + 2 + 3;", "+", "expressions are not nested");
    check("var x : int; x := (1);", "(", "expressions are not nested");
    check("var x : int; x := 1", "", "expected `;`, found the end of the file");
    check("var x : int; if true then stop else stop x := 1;", "x", "expected the end, found `x`");
    check("type t = {x : Int | x};", "x", "expected Bool, found Int");
    check("type t = {x : Int | y > 0};", "y", "there is no `y` here");
    check("type int = {x : Int | true};", "int", "there is a type `int` already");
    check("var x : int; var x : int;", "x", "there is a variable `x` already");
    check("type t = {x : Int | x < 2^99999};", "99999", "this power is too large to compute with");
    check("var if : int;", "if", "expected a name for the variable, found the reserved word `if`");
    check("var x : int; x := 12monkeys;", "12monkeys", "`12monkeys` is not a number");
    check("var x : int; x := ∅;", "∅", "`∅` means nothing here");
    check(
        "type t = {x : Int | 1 < (if x < 1 then 1 else 2) < 3};",
        "if x < 1 then 1 else 2",
        "only arithmetic can stand between two comparisons",
    );
}

#[test]
fn nesting_is_bounded() {
    let deep = 100_000;
    let texts = [
        format!("type t = {{x : Int | {}x{} > 0}};", "(".repeat(deep), ")".repeat(deep)),
        format!("type t = {{x : Int | {}x > 0}};", "!".repeat(deep)),
        format!("type t = {{x : Int | {}x > 0}};", "- ".repeat(deep)),
        format!("type t = {{x : Int | {}x > 0}};", "if x > 0 then ".repeat(deep)),
        format!("type t = {{x : Int | x{} > 0}};", " + x".repeat(deep)),
        format!("type t = {{x : Int | x > 0{}}};", " && x > 0".repeat(deep)),
        format!("type t = {{x : Int | x > 0{}}};", " => x > 0".repeat(deep)),
        format!("type t = {{x : Int | x{}}};", " < x".repeat(deep)),
        format!("{}stop", "if true then stop else ".repeat(deep)),
        "if true then {".repeat(deep),
    ];
    for text in texts {
        assert!(error(&text).message.ends_with("levels deep"), "{}", error(&text).message);
    }
    assert!(!error(&format!("type t = {}", "{".repeat(deep))).message.is_empty());
}

/// As deep as is allowed, everything that recurses gets to the bottom.
#[test]
fn what_may_be_deep_is_analysed() {
    let terms = 60;
    let sum = " + x".repeat(terms);
    let choices = "if x > 0 then x else ".repeat(terms);
    let branches = "if x > 0 then { ".repeat(120);
    let text = format!(
        "type t = {{x : Int | x{sum} > 0}}; op choose(x : int) : int = {choices} x; input x : t = 1; {branches} x := choose(x);{}",
        "}".repeat(120)
    );
    let module = Module::parse(&text).unwrap();
    let options = Options { subtyping: Strength::Prove, ..Options::default() };
    let analysis = analyse(&module, &options).unwrap();
    assert_eq!(analysis.verdict, Verdict::Verified);
    assert!(lines(&module, &module.program, Detail::Full).iter().any(|line| line.text.contains("choose(x)")));
    assert!(module.declared.declared(Variable(0)).intersect(&Type::INT).to_string().starts_with("t"));
}

#[test]
fn long_files_are_no_problem() {
    let count = 20_000;
    let module = Module::parse(&format!("var x : int; {}", "x := x + 1; ".repeat(count))).unwrap();
    assert_eq!(lines(&module, &module.program, Detail::Brief).len(), count + 1);
    let types: String =
        (0..2_000).map(|index| format!("type t{} = t{index} & {{x : Int | x > {index}}};", index + 1)).collect();
    assert!(Module::parse(&format!("type t0 = int; {types}")).is_ok());
}

#[test]
fn a_comparison_of_three_is_two_comparisons() {
    let chained = Module::parse("input x : {n : Int | 0 <= n < 2^8};").unwrap();
    let spelt_out = Module::parse("input x : {n : Int | 0 <= n && n < 256};").unwrap();
    assert_eq!(chained.declared, spelt_out.declared);
}

/// Programs of words and signs that mean something get further than arbitrary bytes do.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "type", "op", "input", "var", "env", "if", "then", "else", "stop", "true", "false", "Int", "Bool", "int",
        "uint8_t", "div", "x", "y", "n", "0", "1", "2^64", "-", "+", "*", "/", "%", "^", "<", "<=", ">", "==", "!=",
        "&&", "||", "!", "=>", "(", ")", "{", "}", ":", ":=", ";", ",", "=", "|", "&", "//", "\n", "é",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

fn survives(text: &str) {
    if let Err(error) = Module::parse(text) {
        assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
        assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_read_or_refused(text in words()) {
        survives(&text);
    }

    /// A piece of a valid file with a piece of it cut out.
    #[test]
    fn files_with_pieces_missing_are_read_or_refused(from in 0..1_500usize, length in 0..40usize) {
        let library = crate::resolve::LIBRARY.replace("type ", "type my_").replace("op ", "op my_");
        let mut text = format!("{library} input x : int = 2; if x > -5 then {{ (x : notzero) x := <int> div(1, x); }} else stop");
        let from = from.min(text.len());
        let to = (from + length).min(text.len());
        if text.is_char_boundary(from) && text.is_char_boundary(to) {
            text.replace_range(from..to, "");
        }
        survives(&text);
        let _ = parse(&text);
    }
}
