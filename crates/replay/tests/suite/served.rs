//! Runs of a fork server are like those of processes of their own.

use std::time::Duration;

use replay::{End, Input, Part, Settings, Source};
use run::{Limits, Status};
use trace::rule::Rule;

use crate::bench::{Bench, patient};

const PROGRAM: &str = r#"
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int runs;
int main(int argc, char **argv) {
    char text[64] = "", line[64] = "";
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file || !fgets(text, sizeof text, file)) return 9;
    if (!fgets(line, sizeof line, stdin)) return 8;
    if (++runs != 1 || getenv("PROVOKE_SERVER")) return 7;
    unlink(argv[argc - 1]);
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    if (sigismember(&blocked, SIGCHLD)) return 6;
    switch (text[0]) {
    case 'o': return INT_MAX + (line[0] - 'a'); // overflow
    case 'h': return ((char *)malloc(2))[line[0] - 'a']; // heap
    case 'a': abort();
    case 't': for (;;) {}
    case 'c': if (fork() == 0) { setsid(); for (;;) pause(); }
    }
    return line[0] - 'a';
}
"#;

fn input(file: &str, stdin: &str) -> Input {
    let part = |source, bytes: &str| Part { source, bytes: bytes.as_bytes().to_vec() };
    Input { parts: vec![part(Source::File("input".to_owned()), file), part(Source::Stdin, stdin)] }
}

#[test]
fn a_server_gives_what_a_process_of_its_own_gives() {
    let bench = Bench::with(PROGRAM, &["@@"], Settings { limits: patient(), ..Settings::default() });
    let inputs = ["oa", "ob", "hb", "hc", "a-", "cd", "xe", "x", "longer than any before f", "xg"];
    let inputs = inputs.map(|text| input(&text[..1], &text[1..]));
    // The first one of a replayer has no server.
    bench.replayer.replay(&inputs[0]).unwrap();
    for input in &inputs {
        let (served, alone) = (bench.replayer.replay(input).unwrap(), bench.alone(input));
        assert_eq!(served.end, alone.end, "{input:?}");
        assert_eq!(served.violations, alone.violations, "{input:?}");
        // How far the child comes that is left behind depends on the moment.
        if input.parts[0].bytes != b"c" {
            assert_eq!(served.coverage, alone.coverage, "{input:?}");
        }
    }
    let last = bench.replayer.replay(&input("h", "z")).unwrap();
    assert_eq!((last.end, last.violations[0].rule), (End::Violation, Rule::HeapBufferOverflow));
}

#[test]
fn a_run_that_takes_too_long_leaves_the_server_alive() {
    let limits = Limits { time: Duration::from_secs(2), ..patient() };
    let bench = Bench::with(PROGRAM, &["@@"], Settings { limits, ..Settings::default() });
    let run = |text: &str| bench.replayer.replay(&input(&text[..1], &text[1..])).unwrap().end;
    let long = End::Other(Status::TimedOut);
    for (text, end) in [("ta", long), ("ta", long), ("xc", End::Other(Status::Exited(2)))] {
        assert_eq!(run(text), end, "{text}");
    }
}
