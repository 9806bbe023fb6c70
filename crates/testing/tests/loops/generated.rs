//! Programs with loops, made by chance: bounds come from the input, and so may what the loops do.

use std::fmt::Write;

use testing::random::Random;

const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
    static unsigned char in[4], copy[8], table[8] = {1, 2, 3, 4, 5, 6, 7, 9};\n\
    static unsigned total, flag;\n\
    int main(void) {\n    if (read(0, in, sizeof in) != sizeof in) return 1;\n\
    unsigned n = in[0] % 6, m = in[1] % 5, x = in[2], y = in[3], a = 0, last = 0;\n";

/// A statement of a loop's body; `i` is the counter of the innermost loop.
const BODY: &[&str] = &[
    "putchar('.');",
    "a += 1;",
    "a += i;",
    "a = i;",
    "last = table[i];",
    "copy[i] = table[i];",
    "copy[i] = in[i & 3];",
    "copy[i & 7] = (unsigned char)a;",
    "total += 2;",
    "if (x == i + 3) flag = 1;",
    "if (in[i & 3] == 'x') a++;",
    "if (in[i & 3] == 'y') flag++;",
    "if (y > 200) putchar('!');",
    "{ unsigned char t = copy[i]; copy[i] = copy[i + 1]; copy[i + 1] = t; }",
    "printf(\"%u\\n\", 100 / (y - i));",
    "if (i == 4) putchar('4');",
];

/// A statement behind loops: something that fails for some inputs.
const BEHIND: &[&str] = &[
    "if (a == 5) abort();",
    "if (flag && a > 2) abort();",
    "printf(\"%u\\n\", 100 / (a - 3));",
    "putchar(table[n + 3]);",
    "putchar(table[last & 15]);",
    "if (total == 8) abort();",
    "if (copy[3] == 4 && m == 2) abort();",
    "if (flag == 2) abort();",
    "printf(\"%u\\n\", 100 / (x - m));",
    "putchar(copy[a]);",
];

/// The program with this number.
pub fn program(number: u64) -> String {
    let mut random = Random(number);
    let mut text = HEAD.to_owned();
    for _ in 0..=random.below(2) {
        let bound = random.one_of(&["n", "m", "n + 1", "x % 4"]);
        writeln!(text, "    for (unsigned i = 0; i < {bound}; i++) {{").unwrap();
        body(&mut random, &mut text);
        if random.below(3) == 0 {
            let bound = random.one_of(&["m", "i", "y % 3"]);
            writeln!(text, "        for (unsigned j = 0; j < {bound}; j++) {{\n            unsigned i = j;").unwrap();
            body(&mut random, &mut text);
            text.push_str("        }\n");
        }
        text.push_str("    }\n");
        let behind = random.one_of(BEHIND);
        writeln!(text, "    {behind}").unwrap();
    }
    text.push_str("    return (int)(a + last + total + flag) & 1;\n}\n");
    text
}

fn body(random: &mut Random, text: &mut String) {
    for _ in 0..=random.below(3) {
        let statement = random.one_of(BODY);
        writeln!(text, "        {statement}").unwrap();
    }
}
