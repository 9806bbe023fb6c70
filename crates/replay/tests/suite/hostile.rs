//! Programs that misbehave: the outcome says what happened, and what was violated before is known.

use std::time::Duration;

use replay::{End, Settings};
use run::{Limits, Status};
use trace::rule::Rule;

use crate::bench::{Bench, patient};

/// Each letter of the input is something that the program does to itself, after it has violated a rule.
const HOSTILE: &str = r#"
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void handler(int number) { _exit(number); }
int main(void) {
    int c = getchar();
    volatile int n = INT_MAX;
    n += 1; // add
    switch (c) {
    case 'h': for (;;) {}
    case 'f': for (;;) fork();
    case 'm': for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    case 'k': kill(getpid(), SIGKILL);
    case 'c': for (int i = 0; i < 1000; i++) close(i); return 6;
    case 'p': kill(getppid(), SIGKILL); for (;;) pause();
    case 'x': execl("/bin/true", "true", NULL); return 1;
    case 's': // the program catches its own crashes
        signal(SIGSEGV, handler);
        *(volatile int *)(long)(c - 's') = 1; // null
        return 0;
    case 'd': // a child crashes, the parent goes on
        if (fork() == 0) abort(); // child
        wait(NULL);
        return 8;
    case 't': { // takes the file away from under the runtime
        char path[4096] = "";
        if (getenv("PROVOKE_REPORT")) strncpy(path, getenv("PROVOKE_REPORT"), sizeof path - 1);
        int fd = open(path, O_RDWR);
        if (fd >= 0 && ftruncate(fd, 0) < 0) return 2;
        return 0;
    }
    case 'w': { // writes all over it
        char path[4096] = "";
        if (getenv("PROVOKE_REPORT")) strncpy(path, getenv("PROVOKE_REPORT"), sizeof path - 1);
        int fd = open(path, O_RDWR);
        char junk[4096];
        memset(junk, 0xff, sizeof junk);
        for (int i = 0; i < 100; i++) if (write(fd, junk, sizeof junk) < 0) return 2;
        return 0;
    }
    }
    return 0;
}
"#;

fn bench(limits: Limits) -> Bench {
    Bench::with(HOSTILE, &[], Settings { limits, ..Settings::default() })
}

#[test]
fn what_happened_before_the_end_is_known() {
    let bench = bench(patient());
    let expected =
        [("k", Status::Signalled(9)), ("c", Status::Exited(6)), ("p", Status::Lost), ("x", Status::Exited(0))];
    for (input, status) in expected {
        bench.only(input, Rule::IntegerOverflow, "add");
        assert_eq!(bench.run(input).end, End::Other(status), "{input}");
    }
}

#[test]
fn limits_end_runs() {
    let small = bench(Limits { memory: 300 << 20, processes: 20, ..patient() });
    for (input, status) in [("f", Status::TooManyProcesses), ("m", Status::MemoryExceeded)] {
        let outcome = small.run(input);
        assert_eq!(outcome.end, End::Other(status));
        assert_eq!(outcome.violations[0].rule, Rule::IntegerOverflow);
    }
    let short = Limits { time: Duration::from_millis(100), ..Limits::default() };
    assert_eq!(bench(short).run("h").end, End::Other(Status::TimedOut));
}

#[test]
fn handlers_hide_nothing() {
    let outcome = bench(patient()).run("s");
    let rules: Vec<Rule> = outcome.violations.iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, [Rule::IntegerOverflow, Rule::NullDeref]);
    assert_eq!(outcome.end, End::Violation);
}

#[test]
fn violations_in_children_count() {
    let outcome = bench(patient()).run("d");
    let rules: Vec<Rule> = outcome.violations.iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, [Rule::IntegerOverflow, Rule::Assertion]);
    assert_eq!(outcome.end, End::Other(Status::Exited(8)));
}

#[test]
fn a_damaged_report_is_no_error() {
    let bench = bench(patient());
    // It cannot be made shorter.
    bench.only("t", Rule::IntegerOverflow, "add");
    bench.run("w");
    bench.only("x", Rule::IntegerOverflow, "add");
}

/// The view stands in front of what looks functions up, for the time in which the sanitizer gets ready.
const LOOKS_UP: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static int is_told(void) {
    dlerror();
    if (dlsym(RTLD_NEXT, "no_function_has_this_name")) return 0;
    const char *why = dlerror();
    return why && strstr(why, "no_function_has_this_name");
}
static int early;
__attribute__((constructor)) static void at_start(void) { early = is_told(); }
int main(void) {
    size_t (*length)(const char *) = dlsym(RTLD_NEXT, "strlen");
    int (*print)(const char *) = dlvsym(RTLD_DEFAULT, "puts", "GLIBC_2.2.5");
    if (!early || !is_told() || !length || length("four") != 4) return 1;
    if (!print || dlvsym(RTLD_NEXT, "puts", "NO_VERSION_1")) return 2;
    char text[4], line[8] = "";
    if (!fgets(line, sizeof line, stdin)) return 3;
    strcpy(text, line); // copy
    return text[0] == 'x' ? 0 : 4;
}
"#;

#[test]
fn functions_are_looked_up_as_ever() {
    let bench = Bench::new(LOOKS_UP);
    assert_eq!(bench.run("x").end, End::Other(Status::Exited(0)));
    bench.only("xxxxx", Rule::StringOverflow, "copy");
}
