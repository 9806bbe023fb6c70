//! Random programs in which addresses depend on the input, all of them within bounds.

use std::fmt::Write;

use testing::random::Random;

/// Statements in the body of a program.
const STATEMENTS: usize = 10;
/// Branches of a program; it has at most two to this power of paths.
const MOST_BRANCHES: usize = 5;

/// What every program starts with: memory of all kinds, tables of pointers and of functions, and a way to tell which path
/// was taken. With an argument the program goes through all inputs.
const START: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char taken[64];
static unsigned count;
__attribute__((noinline)) static void take(int way) { taken[count++] = (unsigned char)('0' + way); }
__attribute__((noinline)) static unsigned char twice(unsigned char v) { take(3); return (unsigned char)(2 * v); }
__attribute__((noinline)) static unsigned char next(unsigned char v) { take(4); return (unsigned char)(v + 1); }
__attribute__((noinline)) static unsigned char other(unsigned char v) { take(5); return (unsigned char)(v ^ 5); }
static unsigned char (*const functions[4])(unsigned char) = {twice, next, other, next};
static const unsigned char constants[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static unsigned short global[4];

struct pair {
    unsigned char first;
    unsigned int second;
};
struct link {
    struct link *next;
    unsigned char value;
};
struct __attribute__((packed)) unaligned {
    unsigned short value;
};
union mixed {
    unsigned int word;
    unsigned short halves[2];
    unsigned char bytes[4];
};

static void body(unsigned char x, unsigned char y) {
    unsigned char a[4] = {1, 2, 3, 0};
    int wide[4] = {7, 0, 2, 5};
    struct pair pairs[4] = {{0, 1}, {2, 3}, {1, 0}, {3, 2}};
    unsigned char *heap = malloc(4);
    memcpy(heap, "\x02\x00\x01\x03", 4);
    unsigned char *pointers[4] = {a, heap, a, heap};
    for (int i = 0; i < 4; i++)
        global[i] = (unsigned short)(3 - i);
    unsigned char raw[6] = {4, 0, 1, 0, 2, 1};
    union mixed mixed = {0x01000203};
    struct link links[4] = {{&links[1], 2}, {&links[3], 0}, {&links[0], 1}, {&links[2], 3}};
    unsigned char v = 0, w = 1;
    x &= 3;
    unsigned char *sized = calloc(x + 1u, 1);
    if (y >= 4) {
        take(2);
        goto done;
    }
"#;

const END: &str = r#"
done:
    free(heap);
    free(sized);
}

int main(int argc, char **argv) {
    unsigned char input[2];
    (void)argv;
    if (argc > 1) {
        for (int all = 0; all < 65536; all++) {
            count = 0;
            body((unsigned char)all, (unsigned char)(all >> 8));
            printf("%.*s\n", (int)count, (const char *)taken);
        }
        return 0;
    }
    if (read(0, input, sizeof input) != sizeof input)
        return 1;
    body(input[0], input[1]);
    printf("%.*s\n", (int)count, (const char *)taken);
    return 0;
}
"#;

/// The program with this number.
pub fn program(number: u64) -> String {
    let mut numbers = Random(number);
    let mut text = String::from(START);
    let mut branches = 0;
    for _ in 0..STATEMENTS {
        let is_branch = branches < MOST_BRANCHES && numbers.below(5) < 2;
        branches += usize::from(is_branch);
        let line = if is_branch { branch(&mut numbers) } else { assignment(&mut numbers) };
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "    {}", branch(&mut numbers));
    text + END
}

/// A number below 4.
fn index(numbers: &mut Random) -> &'static str {
    numbers.one_of(&["x", "y", "v & 3", "w & 3", "2", "(x ^ y) & 3", "3 - x"])
}

/// Something that can be read and written.
fn place(numbers: &mut Random) -> String {
    let (first, second) = (index(numbers), index(numbers));
    match numbers.below(14) {
        0 => format!("a[{first}]"),
        1 => format!("wide[{first}]"),
        2 => format!("pairs[{first}].second"),
        3 => format!("heap[{first}]"),
        4 => format!("global[{first}]"),
        5 => format!("pairs[{first}].first"),
        6 | 7 => format!("sized[x & ({first})]"),
        8 => format!("mixed.bytes[{first}]"),
        9 => format!("mixed.halves[({first}) & 1]"),
        10 => format!("((struct unaligned *)(raw + ({first})))->value"),
        11 => format!("links[{first}].next->value"),
        12 => format!("raw[{first}]"),
        _ => format!("pointers[{first}][{second}]"),
    }
}

fn assignment(numbers: &mut Random) -> String {
    let variable = numbers.one_of(&["v", "w"]);
    let place = place(numbers);
    match numbers.below(12) {
        0 => format!("{variable} = constants[({} << 1) | (v & 1)];", index(numbers)),
        1 => format!("{variable} = functions[{}](w);", index(numbers)),
        2 => format!("pointers[{}] = {};", index(numbers), numbers.one_of(&["a", "heap"])),
        8 => format!("links[{}].next = &links[{}];", index(numbers), index(numbers)),
        9 => format!("memmove(raw + {}, raw + {}, {});", numbers.below(2), numbers.below(2), index(numbers)),
        10 => format!("memcpy(a, heap, {}); mixed.word ^= a[1];", index(numbers)),
        11 => {
            format!("memset({}, {variable}, {});", numbers.one_of(&["heap", "sized"]), numbers.one_of(&["x", "x & y"]))
        }
        3 | 4 => format!("{variable} = (unsigned char){place};"),
        5 => format!("{place} = {};", numbers.below(8)),
        _ => format!("{place} = {variable};"),
    }
}

fn branch(numbers: &mut Random) -> String {
    let subject = if numbers.below(3) == 0 { numbers.one_of(&["v", "w"]).to_owned() } else { place(numbers) };
    let (operator, constant) = (numbers.one_of(&["==", "<", ">"]), numbers.below(4) + 1);
    let then = assignment(numbers);
    format!("if ({subject} {operator} {constant}) {{ take(1); {then} }} else take(0);")
}
