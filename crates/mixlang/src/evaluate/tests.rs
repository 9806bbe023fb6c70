use super::*;
use crate::parse;

fn run(source: &str) -> Result<String, Stuck> {
    let mut oracle = |_: &Type, _: &mut Vec<Value>| Value::Int(7);
    let mut machine = Machine::new(Vec::new(), 100_000, &mut oracle);
    let program = parse(source).unwrap();
    let externs = program.externs.iter().map(|external| match &external.ty {
        Type::Fun(from, to) => Value::Undefined(from.clone(), to.clone()),
        _ => Value::Int(3),
    });
    machine.run(&program, externs.collect()).map(|value| value.to_string())
}

#[test]
fn programs_have_values() {
    for (source, value) in [
        ("1 + 2 * 3", "7"),
        ("7 / 2 - 7 / 0", "3"),
        ("-7 / 2", "-3"),
        ("2 ** 10 + 2 ** -1", "1024"),
        ("9223372036854775807 + 1", "-9223372036854775808"),
        ("-9223372036854775808 / -1", "-9223372036854775808"),
        ("\"a\" ^ \"b\" = \"ab\"", "true"),
        ("if 1 = 1.0 = false then 1 else 2", "error"),
        ("let p = ref 1 in let q = p in q := !p + 1; !p", "2"),
        ("let p = ref 1 in p = ref 1", "false"),
        ("var i = 0 in while i < 10 do i <- i + 1; i", "10"),
        ("let x = 1 in let f y = x + y in let x = 10 in f x", "11"),
        ("let p = ref 1 in p := \"text\"; !p", "\"text\""),
        ("{t 1 + {s 2 s} t}", "3"),
        ("if true then 1", "1"),
        ("extern f : int -> int in f 1", "7"),
        ("(5 : pos int)", "5"),
    ] {
        match run(source) {
            Ok(found) => assert_eq!(found, value, "{source}"),
            Err(error) => assert_eq!(value, "error", "{source}: {error}"),
        }
    }
}

#[test]
fn errors_say_what_and_where() {
    for (source, message, place) in [
        ("\"foo\" + 3", "`+` applied to a string and an integer", "\"foo\" + 3"),
        ("not 1", "`not` applied to an integer", "1"),
        ("1 = true", "`=` applied to an integer and a boolean", "1 = true"),
        ("(fun x -> x) = (fun x -> x)", "`=` applied to a function and a function", "(fun x -> x) = (fun x -> x)"),
        ("1 2", "an integer is applied to an argument", "1"),
        ("!5", "`!` applied to an integer", "5"),
        ("5 := 1", "`:=` to an integer", "5"),
        ("while 1 do ()", "the condition is an integer", "1"),
        ("let x : pos int = 0 in x", "an integer where pos int is asked for", "0"),
        ("(fun (x : neg int) -> x) 1", "an integer where neg int is asked for", "1"),
        ("ref [zero int] 1", "an integer where zero int is asked for", "1"),
        ("extern f : pos int -> int in f 0", "an integer where pos int is asked for", "0"),
    ] {
        match run(source) {
            Err(Stuck::Error { span, message: found }) => {
                assert_eq!((found.as_str(), &source[span.start..span.end]), (message, place));
            }
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn programs_that_do_not_end_are_stopped() {
    for source in [
        "while true do ()",
        "let f = ref (fun x -> x) in f := (fun x -> (!f) (x + 1)); (!f) 0",
        "let f x = x x in f f",
        "var s = \"a\" in while true do s <- s ^ s",
        "var f = (fun x -> x) in while true do f <- (let g = f in fun x -> g x)",
    ] {
        assert_eq!(run(source), Err(Stuck::OutOfBudget), "{source}");
    }
}

#[test]
fn programs_start_with_given_values() {
    let source = "extern a : pos int in extern p : string ref in extern f : int -> bool in
                  if f a then \"\" else !p ^ !p";
    let program = parse(source).unwrap();
    let start = |given: &[(&str, &str)]| {
        let given: Vec<(String, String)> =
            given.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Start::new(&program, &given)
    };
    let result = super::run(&program, start(&[("p", "ab")]).unwrap(), 100, &AtomicBool::new(false)).unwrap();
    assert_eq!(result.to_string(), "\"abab\"");
    assert_eq!(start(&[("b", "1")]).unwrap_err().to_string(), "the program has no extern `b`");
    assert_eq!(start(&[("a", "0")]).unwrap_err().to_string(), "`0` is no value for `a`, which is pos int");
    assert!(start(&[("a", "x")]).is_err() && start(&[("f", "1")]).is_err());
}
