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
    sum = big - 200 + c; // add
    sum += -big + 'A' - c - 2; // sub
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
    let outcome = bench.run("\u{7f}");
    assert_eq!(outcome.violations.len(), 1, "{outcome:#?}");
    let below = bench.only("~", Rule::IntegerUnderflow, "sub");
    assert_eq!(below.message, "signed integer underflow: -2147483582 - 126 cannot be represented in type 'int'");
}
