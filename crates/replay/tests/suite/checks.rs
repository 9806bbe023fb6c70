//! Checks that stand in the code.

use replay::{End, Input, Part, Source};
use run::Status;
use trace::rule::Rule;

use crate::bench::Bench;

#[test]
fn arithmetic() {
    let bench = Bench::new(
        "#include <limits.h>
#include <stdio.h>
static int table[4];
int main(void) {
    int c = getchar(), big = INT_MAX, sum = 0;
    unsigned u = 0;
    if (c == '+') sum = big - '*' + c; // add
    if (c == '-') sum = -big + '+' - c; // sub
    u -= (unsigned)c; // wraps
    if (c == 'd') sum = big / (c - 'd'); // division
    if (c == 'm') sum = (-big - 1) / (c - 'm' - 1); // quotient
    if (c == 's') sum <<= c; // shift
    if (c == 'i') table[c] = 1; // index
    if (c == 'u') __builtin_unreachable(); // unreachable
    printf(\"%d %u\\n\", sum, u);
    return 5;
}
",
    );
    assert_eq!(bench.run("A").violations, []);
    assert_eq!(bench.run("A").end, End::Other(Status::Exited(5)));
    let above = bench.only("+", Rule::IntegerOverflow, "add");
    assert_eq!(above.message, "signed integer overflow: 2147483605 + 43 cannot be represented in type 'int'");
    bench.only("-", Rule::IntegerUnderflow, "sub");
    assert_eq!(bench.only("d", Rule::DivByZero, "division").message, "division by zero: 2147483647 / 0");
    let quotient = bench.only("m", Rule::IntegerOverflow, "quotient");
    assert_eq!(quotient.message, "signed integer overflow: -2147483648 / -1 cannot be represented in type 'int'");
    bench.only("s", Rule::Shift, "shift");
    // So far off that the access hits another variable: only the check sees it.
    let index = bench.only("i", Rule::ArrayIndex, "index");
    assert_eq!(index.message, "index 105 out of bounds for type 'int[4]', which is written to");
    assert!(index.access.is_some_and(|access| access.is_write));
    bench.only("u", Rule::Assertion, "unreachable");
    assert_eq!(bench.run("u").end, End::Violation);
}

/// The next member lies there, and the sanitizer sees nothing.
#[test]
fn an_index_is_known_to_lead_to_a_write() {
    let bench = Bench::new(
        "#include <stdio.h>
#include <string.h>
struct point { int x, y; };
static struct { char a[8]; struct point z[3]; int m[3][3]; char rest[99]; } g;
int main(void) {
    int c = getchar();
    unsigned char at = c & 15;
    if (c == 'i') return g.a[at]; // read
    if (c == 'j') return strlen(&g.a[at]); // handed on
    if (c == '9') g.a[at] += 1; // changed
    if (c == 'y') g.a[(size_t)at] = 1; // written
    if (c == 'e') g.z[at].y = 2; // member
    if (c == 'u') g.m[at][1] = 3; // row
    if (c == '5') g.z[at] = g.z[1]; // whole
    if (c == 'E') g.z[1] = g.z[at]; // copied
    return 0;
}
",
    );
    let writes = |input: &str, mark: &str| {
        bench.only(input, Rule::ArrayIndex, mark).access.is_some_and(|access| access.is_write)
    };
    for (input, mark) in [("9", "changed"), ("y", "written"), ("e", "member"), ("u", "row"), ("5", "whole")] {
        assert!(writes(input, mark), "{mark}");
    }
    for (input, mark) in [("i", "read"), ("j", "handed on"), ("E", "copied")] {
        assert!(!writes(input, mark), "{mark}");
    }
}

#[test]
fn what_is_often_meant_counts_only_where_somebody_asked_for_it() {
    let bench = Bench::new(
        "#include <stdio.h>\nint main(void) {\n    unsigned u = 1;\n    u -= (unsigned)getchar(); // wraps\n    \
         return u == 7;\n}\n",
    );
    let checks = &bench.replayer.sites().checks;
    let number = checks.iter().position(|check| check.rule == Rule::IntegerUnderflow).expect("it is there") as u32;
    assert!(checks[number as usize].often_meant);
    assert_eq!(bench.run("x").violations, []);
    let outcome = bench.replayer.replay_armed(&Input::stdin("x"), &[number]).expect("it runs");
    let [violation] = outcome.violations.as_slice() else { panic!("{outcome:#?}") };
    assert_eq!((violation.rule, violation.check), (Rule::IntegerUnderflow, Some(number)));
    assert_eq!(violation.message, "unsigned integer underflow: 1 - 120 cannot be represented in type 'unsigned int'");
}

#[test]
fn a_check_that_fails_in_a_loop_is_reported_once_and_the_program_goes_on() {
    let bench = Bench::new(
        "#include <limits.h>\n#include <stdio.h>\nint main(void) {\n    int c = getchar(), n = 0;\n    \
         for (int i = 0; i < 1000; i++) n ^= INT_MAX - i + c; // add\n    return n == 7 ? 1 : 4;\n}\n",
    );
    bench.only("}", Rule::IntegerOverflow, "add");
    assert_eq!(bench.run("}").end, End::Other(Status::Exited(4)));
}

#[test]
fn formats() {
    let bench = Bench::new(
        "#include <stdio.h>\nint main(void) {\n    char text[20] = \"\";\n    \
         if (fgets(text, sizeof text, stdin) == NULL) return 1;\n    fprintf(stderr, text); // format\n    \
         fprintf(stderr, text[0] == 'x' ? \"%s\" : \"%5s\", text);\n    return 0;\n}\n",
    );
    assert_eq!(bench.run("100 %% sure").violations, []);
    let violation = bench.only("%d", Rule::FormatString, "format");
    assert_eq!(violation.message, "the format \"%d\" takes 1 argument, 0 given");
    bench.only("%*x", Rule::FormatString, "format");
}

#[test]
fn strings_and_blocks_that_leave_their_member() {
    let bench = Bench::new(
        "#include <stdio.h>\n#include <string.h>\nstruct user { char name[8]; char role[64]; char last[4]; };\nint main(void) {\n    \
         struct user user = {\"\", \"guest\", \"\"};\n    char text[40] = \"\";\n    \
         if (fgets(text, sizeof text, stdin) == NULL) return 1;\n    size_t length = strlen(text) - 1;\n    \
         if (text[0] == 's') strcpy(user.name, text + 1); // copy\n    \
         if (text[0] == 'o') strcpy(user.name + 4, text + 1); // offset\n    \
         if (text[0] == 'n') snprintf(user.name, length, \"%s\", text + 1); // print\n    \
         if (text[0] == 'b') memcpy(user.name, text + 1, length); // block\n    \
         if (text[0] == 'r') strcpy(user.role, text + 1);\n    return user.name[0] == user.role[0];\n}\n",
    );
    let fits = ["s1234567", "o123", "n1234567", "b12345678", "r123456789012345"];
    fits.iter().for_each(|text| assert_eq!(bench.run(text).violations, [], "{text}"));
    let violation = bench.only("s12345678", Rule::StringOverflow, "copy");
    assert_eq!(violation.message, "9 bytes are written to an array of 8, and go on behind it in the same object");
    bench.only("o1234", Rule::StringOverflow, "offset");
    bench.only("n123456789", Rule::StringOverflow, "print");
    bench.only("b123456789", Rule::StringOverflow, "block");
}

#[test]
fn buffers_get_their_contents_by_name() {
    let bench = Bench::new(
        "#include <provoke.h>\nstatic int get(void) {\n    int value = 1;\n    \
         provoke_make_symbolic(&value, sizeof value, \"value\");\n    return value;\n}\nint main(void) {\n    \
         int a = get(), b = get(), c = get();\n    return a * 100 + b * 10 + c;\n}\n",
    );
    let part = |name: &str, value: u8| Part { source: Source::Buffer(name.into()), bytes: vec![value, 0, 0, 0] };
    let run = |parts| bench.replayer.replay(&Input { parts }).expect("it runs").end;
    assert_eq!(run(vec![]), End::Other(Status::Exited(111)));
    assert_eq!(run(vec![part("value#2", 3), part("other", 9), part("value", 2)]), End::Other(Status::Exited(231)));
}

#[test]
fn edges_are_counted_until_the_end() {
    let bench = Bench::new(
        "#include <stdio.h>
#include <signal.h>
int main(void) {
    int c = getchar();
    if (c == 'a')
        puts(\"a\"); // a
    for (int i = 0; i < c; i++)
        putchar('.'); // loop
    if (c == 'k')
        raise(SIGKILL); // kill
    return 0;
}
",
    );
    let taken = |input: &str| -> Vec<(u32, u8)> {
        let coverage = bench.run(input).coverage;
        let sites = bench.replayer.sites();
        let line = |edge: usize| sites.site(edge as u32 + 1).positions.first().map_or(0, |position| position.line);
        coverage.edges().map(|edge| (line(edge), coverage.counters[edge])).collect()
    };
    let count = |taken: &[(u32, u8)], mark: &str| -> Option<u8> {
        taken.iter().find(|(line, _)| *line == bench.line(mark)).map(|(_, count)| *count)
    };
    let a = taken("a");
    assert_eq!((count(&a, "a"), count(&a, "loop"), count(&a, "kill")), (Some(1), Some(b'a'), None), "{a:?}");
    let k = taken("k");
    assert_eq!((count(&k, "a"), count(&k, "loop"), count(&k, "kill")), (None, Some(b'k'), Some(1)), "{k:?}");
}
