//! `provoke explore` as a user sees it: events, files, reports, and going on.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Five paths, one of which divides by zero.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <unistd.h>
int main(void) {
    unsigned char in[3];
    if (read(0, in, sizeof in) != sizeof in)
        return 1;
    if (in[0] == 'G') {
        if (in[1] == 'I')
            return 100 / (in[2] - 70);
        puts("almost");
    }
    if (in[2] == 'x')
        puts("x");
    return 0;
}
"#;

/// The program and a seed.
fn sandbox() -> Sandbox {
    Sandbox::with(&[("program.c", PROGRAM), ("seed", "abc")])
}

impl Sandbox {
    fn names(&self, folder: &str) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Explores into a folder and gives standard output.
    fn explore(&self, out: &str, arguments: &str) -> String {
        self.run(&format!("explore program.c --out {out} --minimise 20 {arguments}"), 1).0
    }
}

#[test]
fn a_program_that_reads_nothing_is_noticed() {
    let sandbox = Sandbox::with(&[("program.c", "int main(void) { return 3; }"), ("seed", "abc")]);
    let text = sandbox.run("explore program.c --stdin seed --out out", 0).0;
    assert!(text.contains("see whether it gets as far as reading them"), "{text}");
}

const CONCLUSION: &str = "1 finding (1 error); all 5 paths explored for inputs of 3 bytes";

#[test]
fn events_and_the_summary_say_everything() {
    let sandbox = sandbox();
    let text = sandbox.explore("out", "--stdin seed --json --report json=report.json");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: BTreeSet<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["finding", "progress", "summary"]));
    let last = events.last().unwrap();
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    for summary in [last, &report["summary"]] {
        let number = |name: &str| summary[name].as_u64();
        assert_eq!((number("paths"), number("divergences"), number("losses")), (Some(5), Some(0), Some(0)));
        assert_eq!((number("findings"), summary["complete"].as_bool()), (Some(1), Some(true)));
        assert!(summary["branches"]["flipped"].as_u64() > Some(0), "{summary}");
        assert_eq!(summary["checks"][0]["rule"].as_str(), Some("div-by-zero"));
        assert!(summary["queries"]["tiers"].as_array().is_some_and(|tiers| tiers.len() > 5), "{summary}");
        assert!(summary["seconds"]["total"].as_f64() > Some(0.0), "{summary}");
    }
}

#[test]
fn inputs_come_out_and_go_in_again() {
    let sandbox = sandbox();
    let text = sandbox.explore("afl", "--stdin seed");
    assert!(text.ends_with(&format!("{CONCLUSION}\n")), "{text}");
    assert!(
        sandbox
            .names("afl")
            .is_superset(&["queue", "crashes", "hangs", "fuzzer_stats", "plot_data"].map(str::to_owned).into())
    );
    assert!(sandbox.names("afl/crashes").first().is_some_and(|name| name.ends_with("rule:div-by-zero")));
    assert!(sandbox.read("afl/fuzzer_stats").contains("saved_crashes     : 1\n"));
    let all = sandbox.names("afl/queue").len();
    // Going on with other wishes: fewer inputs, that reach the same.
    sandbox.explore("afl", "--stdin seed --corpus minimal");
    let minimal = sandbox.names("afl/queue").len();
    assert!(0 < minimal && minimal < all, "{minimal} of {all}");

    sandbox.explore("libfuzzer", "--seeds afl --layout libfuzzer");
    assert!(sandbox.names("libfuzzer").iter().any(|name| name.starts_with("crash-") && name.len() == 46));
    sandbox.explore("ktest", "--seeds libfuzzer --layout ktest");
    assert!(sandbox.names("ktest").iter().any(|name| name.ends_with(".div-by-zero.err")));
    let text = sandbox.explore("again", "--seeds ktest");
    assert!(text.ends_with(&format!("{CONCLUSION}\n")), "{text}");
}

/// Nobody reads what these functions write or return.
#[test]
fn accesses_of_a_unit_that_nobody_needs_are_checked() {
    let program = "struct stack { int top; long slots[10]; };\n\
                   void set(struct stack *stack, unsigned at, long value) { stack->slots[at] = value; }\n\
                   long get(struct stack *stack, unsigned at) { return stack->slots[at]; }\n\
                   int main(void) { return 0; }\n";
    let sandbox = Sandbox::with(&[("program.c", program)]);
    for unit in ["set", "get"] {
        let text = sandbox.explore(unit, &format!("--unit {unit}"));
        assert!(text.contains("1 finding (1 error)"), "{text}");
    }
}

#[test]
fn no_part_of_an_input_is_lost_on_the_way_out() {
    let program = r#"
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char in[1];
    const char *mode = getenv("MODE");
    if (read(0, in, 1) != 1 || !mode)
        return 1;
    return in[0] == 'a' && mode[0] == 'z' ? 100 / (mode[0] - in[0] - 25) : 0;
}
"#;
    let sandbox = Sandbox::with(&[("program.c", program), ("seed", "a")]);
    let text = sandbox.explore("out", "--stdin seed --env MODE=y");
    assert!(text.contains("1 finding"), "{text}");
    let names = sandbox.names("out");
    assert!(names.iter().any(|name| name.ends_with(".div-by-zero.err")), "{names:?}");
    let again = sandbox.explore("again", "--seeds out --env MODE=n --layout afl");
    assert!(again.contains("1 finding"), "{again}");
    assert!(sandbox.names("again").contains("queue"));
}

#[test]
fn a_seed_that_is_too_large_is_left_out() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("seeds")).unwrap();
    // Nothing but a hole: it needs no room.
    std::fs::File::create(sandbox.path("seeds/0")).unwrap().set_len((64 << 20) + 1).unwrap();
    let (_, message) = sandbox.run("explore program.c --seeds seeds --out none", 2);
    assert!(message.contains("seeds/0 is larger than 64 MiB"), "{message}");
    sandbox.put("seeds/1", &sandbox.read("seed"));
    let (text, message) = sandbox.run("explore program.c --seeds seeds --out out", 1);
    assert!(text.ends_with(&format!("{CONCLUSION}\n")), "{text}");
    assert_eq!(message.matches("seed left out: seeds/0 is larger than 64 MiB").count(), 1, "{message}");
}

#[test]
fn reports_show_the_source_and_the_paths() {
    let sandbox = sandbox();
    sandbox.explore("out", "--stdin seed --quiet --report html=report.html");
    let html = sandbox.read("report.html");
    for part in ["<polyline", "<h2>Paths</h2>", "input 1 given: ", "left at", "<h2>Lines reached</h2>", "almost"] {
        assert!(html.contains(part), "{part}");
    }
    let lcov = sandbox.read("out/coverage.info");
    assert!(lcov.contains("program.c\n") && lcov.contains("DA:10,1\n"), "{lcov}");
    let (status, _) = sandbox.run("status out", 0);
    assert!(status.starts_with("5 paths, 0 waiting, "), "{status}");
    assert!(status.contains(", 1 finding\nfound: program.c:"), "{status}");
}

#[test]
fn another_program_is_another_campaign() {
    let sandbox = sandbox();
    sandbox.explore("out", "--stdin seed");
    sandbox.put("program.c", &PROGRAM.replace("70", "71"));
    let (_, message) = sandbox.run("explore program.c --stdin seed --out out", 2);
    assert!(message.contains("made with another program; choose another folder with --out"), "{message}");
    let (_, message) = sandbox.run("explore program.c --stdin seed --out out --checks div-by-zero", 2);
    assert!(message.contains("made with another selection of checkers; choose another"), "{message}");
}
