//! `provoke explore` as a user sees it: events, files, reports, and going on.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const PROVOKE: &str = env!("CARGO_BIN_EXE_provoke");

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

struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        std::fs::write(sandbox.path("program.c"), PROGRAM).unwrap();
        std::fs::write(sandbox.path("seed"), "abc").unwrap();
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self, folder: &str) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(PROVOKE);
        command.args(args).current_dir(self.0.path()).env("PROVOKE_SELFCHECK", "1").output().unwrap()
    }

    /// Explores into a folder and gives standard output.
    fn explore(&self, out: &str, args: &[&str]) -> String {
        let all = [&["explore", "program.c", "--out", out, "--minimise", "20"], args].concat();
        let output = self.run(&all);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

const CONCLUSION: &str = "1 finding (1 error); all 5 paths explored for inputs of 3 bytes";

#[test]
fn events_and_the_summary_say_everything() {
    let sandbox = Sandbox::new();
    let text = sandbox.explore("out", &["--stdin", "seed", "--json", "--report", "json=report.json"]);
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: BTreeSet<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["finding", "progress", "summary"]));
    let last = events.last().unwrap();
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    for summary in [last, &report["summary"]] {
        let number = |name: &str| summary[name].as_u64();
        assert_eq!((number("paths"), number("divergences"), number("losses")), (Some(5), Some(0), Some(0)));
        assert_eq!((number("findings"), summary["verified"].as_bool()), (Some(1), Some(true)));
        assert!(summary["branches"]["flipped"].as_u64() > Some(0), "{summary}");
        assert_eq!(summary["checks"][0]["rule"].as_str(), Some("div-by-zero"));
        assert!(summary["queries"]["tiers"].as_array().is_some_and(|tiers| tiers.len() > 5), "{summary}");
        assert!(summary["seconds"]["total"].as_f64() > Some(0.0), "{summary}");
    }
}

#[test]
fn inputs_come_out_and_go_in_again() {
    let sandbox = Sandbox::new();
    let text = sandbox.explore("afl", &["--stdin", "seed"]);
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
    sandbox.explore("afl", &["--stdin", "seed", "--corpus", "minimal"]);
    let minimal = sandbox.names("afl/queue").len();
    assert!(0 < minimal && minimal < all, "{minimal} of {all}");

    sandbox.explore("libfuzzer", &["--seeds", "afl", "--layout", "libfuzzer"]);
    assert!(sandbox.names("libfuzzer").iter().any(|name| name.starts_with("crash-") && name.len() == 46));
    sandbox.explore("ktest", &["--seeds", "libfuzzer", "--layout", "ktest"]);
    assert!(sandbox.names("ktest").iter().any(|name| name.ends_with(".div-by-zero.err")));
    let text = sandbox.explore("again", &["--seeds", "ktest"]);
    assert!(text.ends_with(&format!("{CONCLUSION}\n")), "{text}");
}

#[test]
fn no_part_of_an_input_is_lost_on_the_way_out() {
    let sandbox = Sandbox::new();
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
    std::fs::write(sandbox.path("program.c"), program).unwrap();
    std::fs::write(sandbox.path("seed"), "a").unwrap();
    let given = ["--stdin", "seed", "--env", "MODE=y"];
    let text = sandbox.explore("out", &given);
    assert!(text.contains("1 finding"), "{text}");
    let names = sandbox.names("out");
    assert!(names.iter().any(|name| name.ends_with(".div-by-zero.err")), "{names:?}");
    let again = sandbox.explore("again", &["--seeds", "out", "--env", "MODE=n", "--layout", "afl"]);
    assert!(again.contains("1 finding"), "{again}");
    assert!(sandbox.names("again").contains("queue"));
}

#[test]
fn reports_show_the_source_and_the_paths() {
    let sandbox = Sandbox::new();
    sandbox.explore("out", &["--stdin", "seed", "--quiet", "--report", "html=report.html"]);
    let html = sandbox.read("report.html");
    for part in ["<polyline", "<h2>Paths</h2>", "input 1 given: ", "left at", "<h2>Lines reached</h2>", "almost"] {
        assert!(html.contains(part), "{part}");
    }
    let lcov = sandbox.read("out/coverage.info");
    assert!(lcov.contains("program.c\n") && lcov.contains("DA:10,1\n"), "{lcov}");
    let status = sandbox.run(&["status", "out"]);
    let status = String::from_utf8(status.stdout).unwrap();
    assert!(status.starts_with("5 paths, 0 waiting, "), "{status}");
}

#[test]
fn another_program_is_another_campaign() {
    let sandbox = Sandbox::new();
    sandbox.explore("out", &["--stdin", "seed"]);
    std::fs::write(sandbox.path("program.c"), PROGRAM.replace("70", "71")).unwrap();
    let output = sandbox.run(&["explore", "program.c", "--stdin", "seed", "--out", "out"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("made with another program; choose another folder with --out"), "{message}");
}
