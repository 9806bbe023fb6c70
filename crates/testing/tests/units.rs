//! Units from the command line: preconditions of functions with the same name, as patches, from tests that are made for them; and
//! suites that are recorded.

#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use testing::toolchain::Toolchain;

/// A folder with sources in it, and the program that they make.
struct Project {
    toolchain: Toolchain,
    folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::Builder::new().prefix("provoke-units-").tempdir().unwrap();
        let project = Project { toolchain: Toolchain::find().unwrap(), folder };
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, program: &Path, words: &[&str]) -> Output {
        let mut command = Command::new(program);
        let output = command.args(words).current_dir(self.folder.path()).env_remove("LD_PRELOAD").output().unwrap();
        println!("{words:?}: {}\n{}{}", output.status, text(&output.stdout), text(&output.stderr));
        output
    }

    fn provoke(&self, words: &[&str]) -> Output {
        self.run(&self.toolchain.provoke, words)
    }

    fn compile(&self, program: &str, sources: &[&str]) {
        let words: Vec<&str> = ["cc", "-g"].iter().chain(sources).chain(&["-o", program]).copied().collect();
        assert!(self.provoke(&words).status.success());
    }

    /// What `provoke predict` reports.
    fn predict(&self, words: &[&str]) -> Value {
        let all: Vec<&str> =
            ["predict"].iter().chain(words).chain(&["--report", "json=report.json"]).copied().collect();
        assert!(matches!(self.provoke(&all).status.code(), Some(0 | 1)));
        self.reported()
    }

    /// The last report.
    fn reported(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path("report.json")).unwrap()).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn verdicts(report: &Value) -> Vec<&str> {
    let tests = report["summary"]["suite"]["tests"].as_array().unwrap();
    tests.iter().map(|test| test["verdict"].as_str().unwrap()).collect()
}

fn lines(report: &Value) -> Vec<u64> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().filter_map(|finding| finding["position"]["line"].as_u64()).collect()
}

/// A function `set` in its own file, for an array of so many elements.
fn setter(name: &str, size: u32) -> String {
    format!(
        "static int array[{size}];\nstatic void set(unsigned i, int x)\n{{\n    if (x == 3)\n        array[i] = x;\n}}\n\
         void {name}(unsigned i, int x)\n{{\n    set(i, x);\n}}\n"
    )
}

const TWO_SETTERS: &str = "#include <unistd.h>\nvoid small(unsigned, int);\nvoid large(unsigned, int);\nint main(int count, char **v)\n{\n    \
    unsigned char in[2];\n    if (read(0, in, 2) != 2)\n        return 2;\n    if (count > 1)\n        (v[1][0] == 's' ? small : \
    large)(in[0], in[1]);\n    else\n        large(in[0] % 64, in[1]);\n    return 0;\n}\n";

#[test]
fn functions_with_one_name_have_their_own_preconditions() {
    let (small, large) = (setter("small", 10), setter("large", 100));
    let project = Project::new(&[("a/set.c", &small), ("b/set.c", &large), ("main.c", TWO_SETTERS)]);
    project.compile("program", &["a/set.c", "b/set.c", "main.c"]);
    project.write("unit-tests/1", b"\x01\x03");
    for (unit, which) in [("a/set.c:set", "s"), ("b/set.c:set", "l")] {
        let words = ["hoist", "program", "--unit", unit, "--tests", "unit-tests", "--", which];
        assert!(project.provoke(&words).status.success());
    }
    let shown = text(&project.provoke(&["hoist", "program", "--show"]).stdout);
    assert_eq!(shown, "a/set.c:set: x != 3 || i <= 9\nb/set.c:set: x != 3 || i <= 99\n");
    // What the large one allows is not measured by the small one.
    project.write("tests/1", b"\x30\x00");
    let report = project.predict(&["program", "--tests", "tests"]);
    assert_eq!(verdicts(&report), ["verified"]);
    // Another program that has the small one, with a test that does not come to the access.
    let other = "#include <unistd.h>\nvoid small(unsigned, int);\nint main(void)\n{\n    unsigned char in[2];\n    if (read(0, in, 2) != 2)\n        \
        return 2;\n    small(in[0] % 16, in[1]);\n    return 0;\n}\n";
    project.write("other.c", other);
    project.compile("other", &["other.c", "a/set.c"]);
    let report = project.predict(&["other", "--tests", "tests", "--out", "others"]);
    assert_eq!((verdicts(&report), lines(&report)), (vec!["predicted"], vec![5]));
    let report = project.predict(&["other", "--tests", "tests", "--out", "without", "--no-preconditions"]);
    assert_eq!(verdicts(&report), ["verified"]);
}

#[test]
fn preconditions_of_functions_that_are_gone_are_skipped() {
    let project =
        Project::new(&[("program.c", "#include <stdio.h>\nint main(void) { return 7 / (getchar() | 1); }\n")]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", "a");
    project.write(".provoke/preconditions.spec", "gone@entry in old.c: x > 0\nmain@entry: nothing->here > 0\n");
    let output = project.provoke(&["predict", "program", "--tests", "tests"]);
    assert!(output.status.success());
    let said = text(&output.stderr);
    assert!(said.contains("2 preconditions skipped") && said.contains("main, old.c:gone"), "{said}");
}

const PATCHED: &str = "#define _GNU_SOURCE\n#include <string.h>\n#include <unistd.h>\n\nstruct item { int size; char name[4]; };\nstatic int \
    table[10];\nstatic volatile int sink;\n\nstatic int get(unsigned i) { return table[i]; }\nstatic int twice(unsigned i) { return \
    100 / (int)(i - 50); }\n/* { */\nstatic void copy(const struct item *from)\n{\n    sink = table[from->size];\n}\nint main(void)\n{\n    \
    unsigned char in[3];\n    if (read(0, in, 3) != 3)\n        return 2;\n    struct item item = {in[2], \"a\"};\n    sink = \
    get(in[0]);\n    sink = twice(in[1]);\n    copy(&item);\n    return 0;\n}\n";

#[test]
fn assertions_are_a_patch_that_applies() {
    let project = Project::new(&[("src/program.c", PATCHED)]);
    project.compile("program", &["src/program.c"]);
    project.write("tests/1", b"\x01\x02\x03");
    let units = ["--unit", "get", "--unit", "twice", "--unit", "copy"];
    let words: Vec<&str> =
        ["hoist", "program"].iter().chain(&units).chain(&["--tests", "tests", "--emit", "p.diff"]).copied().collect();
    assert!(project.provoke(&words).status.success());
    let patched = project.run(Path::new("patch"), &["-p1", "-i", "p.diff"]);
    assert!(patched.status.success(), "{}", fs::read_to_string(project.path("p.diff")).unwrap());
    let source = fs::read_to_string(project.path("src/program.c")).unwrap();
    for expected in ["#include <assert.h>", "assert(i <= 9);", "assert(i != 50", "assert(from == 0 || "] {
        assert!(source.contains(expected), "{expected} is not in\n{source}");
    }
    project.compile("asserting", &["-Wall", "-Werror", "src/program.c"]);
    let mut child = Command::new(project.path("asserting"));
    let status = child.stdin(fs::File::open(project.path("tests/1")).unwrap()).status().unwrap();
    assert!(status.success());
}

const WITHOUT_TESTS: &str = "#include <stdio.h>\nstruct box { unsigned width; char name[4]; };\nstatic int table[10];\nint area(struct box *box, \
    int deep)\n{\n    if (deep == 77 && box->name[0] == 'x')\n        return table[box->width];\n    return 0;\n}\nint main(void)\n{\n    \
    struct box box = {3, \"a\"};\n    return area(&box, getchar());\n}\n";

#[test]
fn a_unit_without_tests_gets_them() {
    let project = Project::new(&[("program.c", WITHOUT_TESTS)]);
    project.compile("program", &["program.c"]);
    let explored = project.provoke(&["explore", "program", "--unit", "area", "--out", "campaign", "--quiet"]);
    assert_eq!(explored.status.code(), Some(1), "the index is found to be wrong");
    assert!(text(&explored.stdout).contains("provoke replay --unit area"));
    let hoisted = project.provoke(&["hoist", "program", "--unit", "area", "--tests", "campaign/queue"]);
    assert!(hoisted.status.success());
    let said = text(&hoisted.stdout);
    assert!(said.contains("box->width <= 9") && said.contains("deep != 77"), "{said}");
}

const TOOL: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int count, char **v)\n{\n    FILE *config = fopen(\"config\", \"r\");\n    \
    const char *mode = getenv(\"TOOL_MODE\");\n    if (!config || !mode || fgetc(config) != 'k')\n        return 3;\n    int c = count > 1 && \
    v[1][0] == '-' ? 1 : getchar();\n    return 100 / (c - 50) == 1000;\n}\n";

const CHECK: &str = "set -e\nexport TOOL_MODE=a\ncd \"$(dirname \"$0\")\"\nprintf 'a' | ./tool\nprintf 'b' > input\n./tool < input\n(./tool -) & \
    wait\n";

#[test]
fn a_suite_is_recorded_as_it_is() {
    let project = Project::new(&[("tool.c", TOOL), ("check", CHECK), ("config", "k")]);
    project.compile("tool", &["tool.c"]);
    let wrapped = project.provoke(&["wrap", "--", "sh", "check"]);
    assert!(wrapped.status.success());
    assert!(text(&wrapped.stderr).contains("3 executions recorded"), "{}", text(&wrapped.stderr));
    let leftovers = fs::read_dir(project.path(".provoke/recordings")).unwrap();
    assert!(leftovers.flatten().all(|entry| !entry.path().join("meta.new").exists()));
    let report = project.predict(&["tool", "--tests", ".provoke/recordings"]);
    let mut verdicts = verdicts(&report);
    verdicts.sort_unstable();
    assert_eq!(verdicts, ["predicted", "predicted", "verified"]);
    assert_eq!(lines(&report), [10]);
    // What it found around it is found again, wherever the suite has gone.
    fs::remove_file(project.path("config")).unwrap();
    let reproduce = report["findings"][0]["reproduce"].clone();
    let words: Vec<String> = match &reproduce {
        Value::Array(words) => words.iter().map(|word| word.as_str().unwrap().to_owned()).collect(),
        Value::String(line) => shell_words::split(line).unwrap(),
        other => panic!("{other}"),
    };
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    assert!(words.contains(&"--start-in") && words.contains(&"TOOL_MODE=a"), "{words:?}");
    assert_eq!(project.provoke(&words).status.code(), Some(1));
}

#[test]
fn a_forked_child_is_no_execution_of_its_own() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint main(void)\n{\n    if (fork() == 0) {\n        \
        fopen(\"of-the-child\", \"r\");\n        exit(9);\n    }\n    wait(NULL);\n    fopen(\"of-the-parent\", \"r\");\n    return 0;\n}\n";
    let project = Project::new(&[("forks.c", source), ("of-the-child", "c"), ("of-the-parent", "p")]);
    project.compile("forks", &["forks.c"]);
    let wrapped = project.provoke(&["wrap", "--", "./forks"]);
    assert!(text(&wrapped.stderr).contains("1 execution recorded"), "{}", text(&wrapped.stderr));
    let recordings = predict::recording::list(&project.path(".provoke/recordings")).unwrap();
    let files: Vec<&Path> = recordings.iter().flat_map(|one| &one.files).map(|(name, _)| name.as_path()).collect();
    assert_eq!(files, [Path::new("of-the-parent")]);
    assert_eq!(recordings.first().and_then(|one| one.exit), Some(0));
}

#[test]
fn files_in_folders_that_were_opened_are_recorded() {
    // As gzip does it.
    let source = "#include <fcntl.h>\n#include <unistd.h>\nint main(int count, char **v)\n{\n    char c;\n    int here = open(\".\", O_RDONLY), sub = \
        open(\"sub\", O_RDONLY);\n    int a = openat(here, v[1], O_RDONLY), b = openat(sub, \"other\", O_RDONLY);\n    return count != 2 || \
        read(a, &c, 1) != 1 || read(b, &c, 1) != 1;\n}\n";
    let project = Project::new(&[("opens.c", source), ("input", "i"), ("sub/other", "o")]);
    project.compile("opens", &["opens.c"]);
    assert!(project.provoke(&["wrap", "--", "./opens", "input"]).status.success());
    let recordings = predict::recording::list(&project.path(".provoke/recordings")).unwrap();
    let files: Vec<&Path> = recordings.iter().flat_map(|one| &one.files).map(|(name, _)| name.as_path()).collect();
    assert_eq!(files, [Path::new("input"), Path::new("sub/other")]);
}

#[test]
fn stand_ins_and_models_are_there_for_tests_too() {
    let source = "#include <stdlib.h>\nint outside(int);\nint main(void)\n{\n    int x = rand() & 255;\n    return 10 / (outside(x) - 7);\n}\n";
    let project = Project::new(&[("program.c", source), ("other.c", "int outside(int x) { return x; }\n")]);
    project.write("model.c", "int outside(int x) { return x; }\n");
    // The library is not built with provoke: only the model says what it does.
    assert!(project.run(Path::new("cc"), &["-shared", "-fPIC", "other.c", "-o", "libother.so"]).status.success());
    project.compile("program", &["program.c", "./libother.so"]);
    let report = project.predict(&["program", "--random", "--models", "model.c"]);
    assert_eq!(verdicts(&report), ["predicted"]);
    let report = project.predict(&["program", "--out", "other"]);
    assert_eq!(verdicts(&report), ["verified"]);
}

#[test]
fn what_was_not_decided_is_asked_again_with_more_time() {
    // The factors of a number of 64 bits: nobody finds them in a moment.
    let source = "#include <unistd.h>\nint main(void)\n{\n    unsigned x, y;\n    if (read(0, &x, 4) != 4 || read(0, &y, 4) != 4)\n        \
        return 2;\n    return 5 / ((unsigned long)x * y != 18446743979220271189ul);\n}\n";
    let project = Project::new(&[("program.c", source)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", b"abcdefgh");
    let little = project.predict(&["program", "--tests", "tests", "--limit", "query-time=0.000001"]);
    let known = |report: &Value| report["summary"]["suite"]["known_tests"].as_u64();
    assert_eq!(verdicts(&little), ["open"]);
    let same = project.predict(&["program", "--tests", "tests", "--limit", "query-time=0.000001"]);
    assert_eq!(known(&same), Some(1));
    let more = project.predict(&["program", "--tests", "tests", "--limit", "query-time=0.1"]);
    assert_eq!(known(&more), Some(0));
}

/// Ticks of the clock that the solvers of a process have computed for.
fn solved_for(process: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let children: Vec<String> =
        children.flat_map(|list| list.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    let ticks = |child: &String| {
        let words = fs::read_to_string(format!("/proc/{child}/cmdline")).ok()?;
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).ok().filter(|_| words.contains("solver"))?;
        stat.rsplit(')').next()?.split_whitespace().nth(11)?.parse::<u64>().ok()
    };
    children.iter().filter_map(ticks).sum()
}

/// The program has a query that takes hours; sends it a signal then, or when it is ready for that, if that is later.
fn stopped_in_query(project: &Project, words: &[&str], signal: &str, is_ready: impl Fn() -> bool) -> Option<i32> {
    let limits = ["--test-time", "10h", "--limit", "query-time=36000", "--report", "json=report.json"];
    let words = [&["predict", "program", "--tests", "tests", "--jobs", "1"][..], words, &limits].concat();
    let mut command = Command::new(&project.toolchain.provoke);
    let mut child = command.args(&words).current_dir(project.folder.path()).spawn().unwrap();
    // No other query of the program takes that long.
    while (solved_for(child.id()) < 50 || !is_ready()) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap().code()
}

#[test]
fn an_interrupt_ends_a_query_and_what_is_done_stays() {
    // Factors without any pattern: their query takes hours.
    let source = "#include <unistd.h>\nint main(void)\n{\n    unsigned x, y;\n    if (read(0, &x, 4) != 4 || read(0, &y, 4) != 4)\n        \
        return 2;\n    return 5 / ((unsigned long)x * y != 9633832748884915969ul);\n}\n";
    let project = Project::new(&[("program.c", source)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", b"");
    project.write("tests/2", b"abcdefgh");
    project.write("tests/3", b"");
    assert_eq!(stopped_in_query(&project, &[], "-INT", || true), Some(130));
    let report = project.reported();
    assert_eq!((verdicts(&report), &report["summary"]["complete"]), (vec!["verified"], &Value::Bool(false)));
    assert_eq!(report["summary"]["suite"]["waiting_tests"].as_u64(), Some(2));
    let rest = project.predict(&["program", "--tests", "tests", "--limit", "query-time=0.1"]);
    assert_eq!(verdicts(&rest), ["verified", "open", "verified"]);
    assert_eq!(rest["summary"]["suite"]["known_tests"].as_u64(), Some(1));
}

/// Overflows with the test's own input, divides by zero with another one, and has a query that takes hours. Every run adds a byte to a file.
const FAILS_EARLY: &str = r#"#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    unsigned x, y;
    unsigned char z;
    if (read(0, &x, 4) != 4 || read(0, &y, 4) != 4 || read(0, &z, 1) != 1)
        return 2;
    int sum = 2147483600 + z;
    int quotient = 100 / (z - 5);
    int runs = open("runs", O_CREAT | O_APPEND | O_WRONLY, 0600);
    if (runs < 0 || write(runs, "r", 1) != 1)
        return 3;
    return (sum & 1) + (quotient & 1) + 5 / ((unsigned long)x * y != 9633832748884915969ul);
}
"#;

#[test]
fn what_a_test_has_shown_is_not_lost_when_more_of_it_is_interrupted() {
    let project = Project::new(&[("program.c", FAILS_EARLY)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", b"abcdefghz");
    let little = ["program", "--tests", "tests", "--limit", "query-time=0.1"];
    let before = project.predict(&little);
    assert_eq!((verdicts(&before), lines(&before)), (vec!["failing"], vec![10, 9]));
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None)] {
        assert_eq!(stopped_in_query(&project, &[], signal, || true), code);
        if code.is_some() {
            let report = project.reported();
            assert_eq!((verdicts(&report), lines(&report)), (vec!["failing"], vec![10, 9]));
            assert_eq!(report["summary"]["suite"]["waiting_tests"].as_u64(), Some(0));
        }
        let after = project.predict(&little);
        assert_eq!(after["summary"]["suite"]["known_tests"].as_u64(), Some(1), "{signal}");
        assert_eq!(after["findings"], before["findings"], "{signal}");
    }
    // Less time than there was takes nothing back, although more may be asked.
    let hurried = [&little[..4], &["query-time=0.2", "--test-time", "0"]].concat();
    let hurried = project.predict(&hurried);
    assert_eq!((verdicts(&hurried), lines(&hurried)), (vec!["failing"], vec![10, 9]));
}

#[test]
fn what_a_test_has_shown_is_reported_when_it_is_interrupted() {
    let project = Project::new(&[("program.c", FAILS_EARLY)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", b"abcdefghz");
    // One run was traced, and one replayed.
    let is_replayed = || fs::read(project.path("runs")).is_ok_and(|runs| runs.len() >= 2);
    assert_eq!(stopped_in_query(&project, &[], "-INT", is_replayed), Some(130));
    let report = project.reported();
    assert!(lines(&report).contains(&9), "{report:#}");
    assert_eq!(report["summary"]["suite"]["waiting_tests"].as_u64(), Some(1));
    let whole = project.predict(&["program", "--tests", "tests", "--limit", "query-time=0.1"]);
    assert_eq!((verdicts(&whole), lines(&whole)), (vec!["failing"], vec![10, 9]));
}

/// The same on a disk that is full: nothing can be written to the suite's file.
#[test]
fn what_is_interrupted_is_not_done_where_nothing_can_be_kept() {
    let project = Project::new(&[("program.c", FAILS_EARLY)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", b"abcdefghz");
    let is_replayed = || fs::read(project.path("runs")).is_ok_and(|runs| runs.len() >= 2);
    let is_full = || {
        let Ok(suite) = rusqlite::Connection::open(project.path(".provoke/predictions/suite.sqlite")) else {
            return false;
        };
        let refuse =
            "CREATE TRIGGER IF NOT EXISTS full BEFORE INSERT ON findings BEGIN SELECT RAISE(ABORT, 'full'); END";
        suite.execute(refuse, []).is_ok()
    };
    assert_eq!(stopped_in_query(&project, &[], "-INT", || is_replayed() && is_full()), Some(2));
    let report = project.reported();
    assert!(lines(&report).contains(&9), "{report:#}");
    assert_eq!((verdicts(&report).len(), report["summary"]["suite"]["waiting_tests"].as_u64()), (0, Some(1)));
}

#[test]
fn what_took_too_long_is_done_again_with_more_time() {
    let source = "#include <stdio.h>\nint main(void) { return 7 / (getchar() | 1); }\n";
    let project = Project::new(&[("program.c", source)]);
    project.compile("program", &["program.c"]);
    project.write("tests/1", "a");
    project.write("tests/2", "b");
    let predict = |time: &str| project.predict(&["program", "--tests", "tests", "--test-time", time]);
    let numbers = |report: &Value| {
        let suite = &report["summary"]["suite"];
        (suite["known_tests"].as_u64().unwrap(), suite["late_tests"].as_u64().unwrap())
    };
    let no_time = predict("0");
    assert_eq!((verdicts(&no_time), numbers(&no_time)), (vec!["open", "open"], (0, 2)));
    assert_eq!(numbers(&predict("0")), (2, 2));
    let enough = predict("100");
    assert_eq!((verdicts(&enough), numbers(&enough)), (vec!["verified", "verified"], (0, 0)));
    assert_eq!(numbers(&predict("200")), (2, 0));
}

#[test]
fn the_last_part_of_a_name_may_be_of_any_length() {
    let source = "#include <string.h>\nint main(int count, char **v)\n{\n    char name[31];\n    if (count < 2)\n        return 2;\n    \
        const char *last = strrchr(v[1], '/');\n    strcpy(name, last ? last + 1 : v[1]);\n    return name[0] == '-';\n}\n";
    let project = Project::new(&[("program.c", source), ("list", "tool\n/usr/bin/tool\n")]);
    project.compile("program", &["program.c"]);
    let report = project.predict(&["program", "--tests", "list", "--all-args"]);
    assert_eq!((verdicts(&report), lines(&report)), (vec!["predicted", "predicted"], vec![8]));
    assert_eq!(report["summary"]["verdicts"]["diverged"].as_u64(), Some(0), "{report:#}");
}

#[test]
fn what_earlier_clauses_rule_out_is_not_said_again() {
    let source = "#include <unistd.h>\nstruct prices { int of[4]; };\nstatic int total(const struct prices *p, unsigned count)\n{\n    int sum = 0;\n    \
        for (unsigned i = 0; i < count; i++)\n        sum += p->of[i];\n    return sum;\n}\nint main(void)\n{\n    struct prices p;\n    \
        if (read(0, &p, sizeof p) != sizeof p)\n        return 2;\n    return total(&p, (unsigned)p.of[3]);\n}\n";
    let project = Project::new(&[("program.c", source)]);
    project.compile("program", &["program.c"]);
    project.write("tests/three", b"\x01\0\0\0\x02\0\0\0\x03\0\0\0\x03\0\0\0");
    // Reads what nobody gave it; what comes of that is nobody's condition.
    project.write("tests/too-many", b"\x01\0\0\0\x02\0\0\0\x03\0\0\0\x10\0\0\0");
    let hoisted = project.provoke(&["hoist", "program", "--unit", "total", "--tests", "tests"]);
    let (said, noted) = (text(&hoisted.stdout), text(&hoisted.stderr));
    assert!(said.contains("2147483647 >= (p->of[0] + p->of[1] + p->of[2])"), "{said}");
    assert!(!said.contains('%') && said.contains("entered 1 time in 2 tests"), "{said}");
    assert!(noted.contains("1 test left out"), "{noted}");
    // A test that does not come there.
    project.write("others/short", b"x");
    let again = project.provoke(&["hoist", "program", "--unit", "total", "--tests", "others"]);
    assert!(text(&again.stdout).starts_with("total: nothing new is known\n"));
    let clause = "2147483647 >= (p->of[0] + p->of[1] + p->of[2])";
    let shown = || text(&project.provoke(&["hoist", "program", "--show"]).stdout);
    assert!(shown().contains(clause));
    // One that does, and asks for nothing there.
    project.write("none/none", [0; 16]);
    let again = ["hoist", "program", "--unit", "total", "--tests", "none"];
    let said = text(&project.provoke(&again).stdout);
    assert!(said.contains("from before: ") && said.contains(clause), "{said}");
    assert!(shown().contains(clause));
    project.provoke(&[&again[..], &["--forget"]].concat());
    assert!(!shown().contains(clause));
}
