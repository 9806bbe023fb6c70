//! Functions of the C library that read and write memory: one byte too much is seen, and nothing that fits is.

use trace::rule::Rule;

use crate::bench::Bench;

/// What writes `n` bytes to `bytes`, or `n` characters to `wide`, both of which have room for eight.
const WRITING: [&str; 25] = [
    "stpcpy(bytes, text_of(n - 1))",
    "stpncpy(bytes, \"x\", n)",
    "memccpy(bytes, \"abcdefghi\", \"abcdefghi\"[n - 1], 9)",
    "memccpy(bytes, \"abcdefghi\", 'z', n)",
    "swab(\"abcdefghij\", bytes, n == 8 ? 9 : 10)",
    "explicit_bzero(bytes, n)",
    "memfrob(bytes, n)",
    "wcscpy(wide, wide_of(n - 1))",
    "wcpcpy(wide, wide_of(n - 1))",
    "wcsncpy(wide, L\"x\", n)",
    "wcpncpy(wide, L\"x\", n)",
    "wmemcpy(wide, wide_of(9), n)",
    "wmempcpy(wide, wide_of(9), n)",
    "wmemmove(wide, wide_of(9), n)",
    "wmemset(wide, L'x', n)",
    "fread_unlocked(bytes, 1, n, stdin)",
    "fgets_unlocked(bytes, n, stdin)",
    "fgetws(wide, n, file_of(12))",
    "chdir(n == 8 ? \"/usr\" : \"/usr/lib\") || getcwd(bytes, 100)",
    "strftime(bytes, 100, text_of(n - 1), &(struct tm){0})",
    "wcsftime(wide, 100, wide_of(n - 1), &(struct tm){0})",
    "strerror_r(n == 8 ? 0 : 12345, bytes, 100)",
    "__xpg_strerror_r(n == 8 ? 0 : 12345, bytes, 100)",
    "swprintf(wide, 100, L\"%ls\", wide_of(n - 1))",
    "fgetws_unlocked(wide, n, file_of(12))",
];

/// What reads `n` bytes of `bytes`, or `n` characters of `wide`. Both are full, without an end, if `n` is 9.
const READING: [&str; 32] = [
    "memcmp(bytes, \"aaaaaaa\", n == 8 ? 8 : 9)",
    "memcmp(bytes + n - 8, \"aaaaaaa\", 8)",
    "sscanf(digits, \"%*d\")",
    "strsep(&rest, \"z\")",
    "rawmemchr(bytes, 0)",
    "strcoll(bytes, \"aaaaaaaaa\")",
    "strtoul(digits, NULL, 10)",
    "strtoull(digits, NULL, 10)",
    "strtoumax(digits, NULL, 10)",
    "strtof(digits, NULL)",
    "strtod(digits, NULL)",
    "strtold(digits, NULL)",
    "atof(digits)",
    "wcschr(wide, L'z')",
    "wcsrchr(wide, L'z')",
    "wcscmp(wide, L\"aaaaaaaaa\")",
    "wcsncmp(wide, L\"aaaaaaaaa\", n)",
    "wmemchr(wide, L'z', n)",
    "wmemcmp(wide, L\"aaaaaaa\\0\", n)",
    "getenv(bytes)",
    "setenv(bytes, \"\", 0)",
    "setenv(\"a\", bytes, 0)",
    "unlink(bytes)",
    "access(bytes, 0)",
    "remove(bytes)",
    "rmdir(bytes)",
    "chdir(bytes)",
    "rename(bytes, \"\")",
    "rename(\"\", bytes)",
    "open(bytes, O_RDONLY)",
    "execv(bytes, (char *[]){bytes, NULL})",
    "chmod(bytes, 0)",
];

/// A program that makes the call whose number comes first in its input, with what comes behind as `n`.
fn program(calls: &[&str]) -> String {
    let cases: String = (0..)
        .zip(calls)
        .map(|(number, call)| format!("    case {number}: kept = (long){call}; break; // {number}.\n"))
        .collect();
    let cases = ["swab", "explicit_bzero"]
        .iter()
        .fold(cases, |cases, void| cases.replace(&format!("kept = (long){void}"), void));
    format!(
        r#"#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
extern int __xpg_strerror_r(int, char *, size_t);
volatile long kept;
static char *text_of(size_t length) {{
    char *text = calloc(length + 1, 1);
    return memset(text, 'x', length);
}}
static wchar_t *wide_of(size_t length) {{
    wchar_t *text = calloc(length + 1, sizeof *text);
    while (length > 0) text[--length] = L'x';
    return text;
}}
static FILE *file_of(size_t length) {{
    int file = memfd_create("", 0);
    if (write(file, text_of(length), length) < 0 || lseek(file, 0, SEEK_SET) < 0) return NULL;
    return fdopen(file, "r");
}}
int main(void) {{
    char *bytes = malloc(8), *digits = malloc(8), *rest = bytes;
    wchar_t *wide = malloc(8 * sizeof *wide);
    int number, n;
    if (scanf("%d %d ", &number, &n) != 2) return 1;
    for (int i = 0; i < 8; i++) {{
        bytes[i] = wide[i] = i < n - 1 ? 'a' : 0;
        digits[i] = i < n - 1 ? '1' : 0;
    }}
    switch (number) {{
{cases}    }}
    return 0;
}}
"#
    )
}

/// Makes each call twice: with eight, which fit, and with nine.
fn check(calls: &[&str], is_write: bool) {
    let bench = Bench::new(&program(calls));
    for (number, call) in calls.iter().enumerate() {
        let fits = bench.run(&format!("{number} 8 abcdefghijkl"));
        assert_eq!(fits.violations, [], "{call}");
        let outcome = bench.run(&format!("{number} 9 abcdefghijkl"));
        let [violation] = outcome.violations.as_slice() else { panic!("{call}: {outcome:#?}") };
        assert!(matches!(violation.rule, Rule::HeapBufferOverflow | Rule::StringOverflow), "{call}: {violation:#?}");
        assert_eq!(violation.access.map(|access| access.is_write), Some(is_write), "{call}");
        assert_eq!(violation.position().map(|at| at.line), Some(bench.line(&format!("{number}."))), "{call}");
    }
}

#[test]
fn one_byte_too_much_is_seen_to_be_written() {
    check(&WRITING, true);
}

#[test]
fn one_byte_too_much_is_seen_to_be_read() {
    check(&READING, false);
}

/// The system refuses them, and nothing of the program fails, unless the function is declared to take none.
#[test]
fn names_may_be_null() {
    let bench = Bench::new(
        "int unlink(const char *);
int access(const char *, int);
int open(const char *, int, ...);
int system(const char *);
int main(void) {
    char *volatile none = 0;
    return unlink(none) + access(none, 0) + open(none, 0) == -3 && system(none) ? 5 : 6;
}
",
    );
    let outcome = bench.run("");
    assert_eq!((outcome.violations.len(), outcome.end), (0, replay::End::Other(run::Status::Exited(5))));
}
