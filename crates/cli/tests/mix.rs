//! `provoke mix` on the programs in `tests/mix`. Their first lines say what it is run with and on which lines it warns:
//!
//! ```text
//! //~ MUTANT --auto => 28 30
//! ```
//!
//! Words in capitals are macros that are defined.
#![allow(clippy::unwrap_used)] // the helpers of tests are tests too

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mix");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    programs.sort();
    programs
}

/// The lines that `provoke mix` warns of, and what it wrote.
fn warned(source: &str, arguments: &[&str]) -> (Vec<u64>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["mix", "program.c", "--time", "600", "--report", "json=report.json"]).args(arguments);
    let output = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let mut lines: Vec<u64> = findings.iter().map(|finding| finding["position"]["line"].as_u64().unwrap()).collect();
    lines.sort_unstable();
    assert_eq!(output.status.code(), Some(i32::from(!lines.is_empty())));
    (lines, text)
}

#[test]
fn programs_are_warned_about_where_they_say() {
    let mut wrong = Vec::new();
    for program in programs() {
        let source = fs::read_to_string(&program).unwrap();
        let expectations: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("//~")).collect();
        assert!(!expectations.is_empty(), "{} expects nothing", program.display());
        for expectation in expectations {
            let (words, lines) = expectation.split_once("=>").unwrap();
            let expected: Vec<u64> = lines.split_whitespace().filter_map(|line| line.parse().ok()).collect();
            let is_macro = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
            let (macros, arguments): (Vec<&str>, Vec<&str>) = words.split_whitespace().partition(is_macro);
            let defined: String = macros.iter().map(|name| format!("#define {name}\n")).collect();
            let (seen, text) = warned(&format!("{defined}#line 1\n{source}"), &arguments);
            if seen != expected {
                wrong.push(format!("{} {words}: expected {expected:?}, seen {seen:?}\n{text}", program.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_warning_shows_how_null_gets_there() {
    let source = "\
#include <stdlib.h>
#include <string.h>
static char *id(char *p) { return p; }
int main(void)
{
    char *x = NULL;
    char *y = id(x);
    return (int)strlen(y);
}
";
    let (lines, text) = warned(source, &[]);
    assert_eq!(lines, [8]);
    for part in ["`y` may be null", "it is passed to `id` as `p`", "it is the result of `id`", "[nonnull-arg]"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// A structure is passed in registers that have no names.
#[test]
fn parameters_without_a_name_have_a_number() {
    let source = "\
struct two { int *first; long second; };
static int look(struct two two) { return *two.first; }
int main(int argc, char **argv)
{
    struct two two = {argc > 1 && argv[1] ? &argc : 0, 1};
    return look(two);
}
";
    let (_, text) = warned(source, &["--symbolic", "look", "--sinks", "all"]);
    assert!(text.contains("argument 1 can be null when `look` is called"), "{text}");
}

/// Of two functions that may return null, the one is named whose result is.
#[test]
fn a_path_shows_which_function_returns_null() {
    let source = "\
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char *unused = getenv(\"HOME\");
    if (!unused)
        return 1;
    char *copy = malloc(10);
    if (argc > 1)
        copy[0] = argv[1][0];
    return (int)strlen(unused);
}
";
    let (lines, text) = warned(source, &["--auto", "--sinks", "all"]);
    assert_eq!(lines, [10]);
    assert!(text.contains("program.c:8") && text.contains("`malloc` returns null"), "{text}");
    assert!(!text.contains("`getenv` returns null"), "{text}");
}

/// The compiler swaps the ways of a branch for `!`.
#[test]
fn a_path_says_of_branches_what_is_so_on_it() {
    let source = "\
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char *home = getenv(\"HOME\");
    char *other = getenv(\"OTHER\");
    if (!home)
        exit(2);
    if (!(argc == 3))
        return 1;
    if (!(argv[1][0] == 'a') || !strcmp(home, \"/\"))
        return 1;
    if (!!(argc & 4))
        return 1;
    return (int)strlen(other);
}
";
    let (lines, text) = warned(source, &["--auto"]);
    assert_eq!(lines, [15]);
    let said = [
        "program.c:6:19: `getenv` returns null",
        "program.c:7:9: `home` is not null",
        "program.c:9:9: `argc` is 3",
        "program.c:11:30: `argv[…][…]` is 97",
        "program.c:11:9: `strcmp(…)` is not 0",
    ];
    for part in said {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("condition"), "{text}");
}

#[test]
fn no_result_is_not_taken_for_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), "int main(int argc, char **argv) { return argv[argc - 1][0]; }\n")
        .unwrap();
    for more in [&["--auto"][..], &[]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.args(["mix", "program.c", "--time", "0"]).args(more);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("not finished") && said.contains("--time"), "{said}");
    }
}

#[test]
fn a_path_is_confirmed_or_refuted() {
    let source = |condition: &str| {
        format!(
            "#include <stdlib.h>\n\
             int main(int argc, char **argv)\n{{\n    (void)argv;\n    int value = 0, *p = argc > 3 ? &value : NULL;\n    \
             if ({condition})\n        return *p;\n    return 0;\n}}\n"
        )
    };
    let arguments = ["--sinks", "all", "--auto"];
    assert_eq!(warned(&source("argc > 3"), &["--sinks", "all"]).0, [7]);
    assert!(warned(&source("argc > 3"), &arguments).0.is_empty());
    let (lines, text) = warned(&source("argc > 2"), &arguments);
    assert_eq!(lines, [7]);
    assert!(text.contains("error: `p` can be null") && text.contains("symbolic execution of `main`"), "{text}");
}

#[test]
fn whoever_calls_a_library_may_pass_null() {
    let source = "\
struct node { int value; struct node *next; };
int first(struct node *list)
{
    return list->value;
}
int third(struct node *list)
{
    return list ? list->next->next->value : 0;
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("list.c"), source).unwrap();
    let provoke = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.args(words).current_dir(folder.path()).output().unwrap()
    };
    assert!(provoke(&["cc", "-g", "-shared", "-fPIC", "list.c", "-o", "liblist.so"]).status.success());
    for more in [&[][..], &["--auto"]] {
        let words = ["mix", "liblist.so", "--sinks", "all", "--report", "json=report.json"];
        assert_eq!(provoke(&[&words, more].concat()).status.code(), Some(1));
        let report: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let lines: Vec<u64> = findings.iter().map(|finding| finding["position"]["line"].as_u64().unwrap()).collect();
        for line in [4, 8] {
            assert!(lines.contains(&line), "{more:?}: {lines:?}");
        }
        // Inference alone takes the condition for nothing; the list itself is not null behind it.
        let at_8 = lines.iter().filter(|line| **line == 8).count();
        assert_eq!(at_8, if more.is_empty() { 3 } else { 2 }, "{more:?}: {lines:?}");
    }
}

#[test]
fn files_without_main_are_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let first = "int inner(const int *p);\nint outer(const int *p)\n{\n    return p ? inner(p) : 0;\n}\n";
    let second = "extern int elsewhere(int);\nint inner(const int *p)\n{\n    return elsewhere(*p);\n}\n";
    fs::write(folder.path().join("first.c"), first).unwrap();
    fs::write(folder.path().join("second.c"), second).unwrap();
    for (files, findings) in [(&["first.c"][..], 0), (&["second.c"], 1), (&["first.c", "second.c"], 1)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.arg("mix").args(files).args(["--auto", "--sinks", "all", "--report", "json=report.json"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(findings), "{files:?}: {said}");
        assert!(said.contains("taken as a library") && !said.contains("--unit"), "{files:?}: {said}");
        let report: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
        let lines: Vec<_> = report["findings"].as_array().unwrap().iter().map(|one| &one["position"]["line"]).collect();
        assert!(lines.iter().all(|line| line.as_u64() == Some(4)), "{files:?}: {lines:?}");
    }
}

/// The only finding in a program, which a run has confirmed.
fn confirmed(source: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["mix", "program.c", "--auto", "--sinks", "all", "--report", "json=report.json"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0]["verdict"], "confirmed", "{}", findings[0]);
    // What is counted fits what is found.
    let summary = &report["summary"];
    assert_eq!((summary["candidates"].as_u64(), summary["verdicts"]["confirmed"].as_u64()), (Some(1), Some(1)));
    assert!(summary["queries"]["asked"].as_u64() > Some(0), "{summary}");
    assert!(summary["seconds"]["replay"].as_f64() > Some(0.0), "{summary}");
    findings[0].clone()
}

#[test]
fn arguments_that_lead_to_an_error_are_tried() {
    let source = "\
#include <stdlib.h>
int main(int argc, char **argv)
{
    int value = 1, *volatile p = &value;
    if (argc == 3 && argv[2][0] == '-' && argv[2][1] == 'n' && argv[1][0] == 'z')
        p = NULL;
    return *p;
}
";
    assert_eq!(confirmed(source)["input"]["parts"].as_array().map(Vec::len), Some(2));
}

/// Nothing decides about the arguments that are there too, so there are none.
#[test]
fn no_more_arguments_are_tried_than_are_needed() {
    let source = |condition: &str| {
        format!(
            "#include <stdlib.h>\nint main(int argc, char **argv)\n{{\n    int value = 1, *volatile p = &value;\n    \
             if ({condition})\n        p = NULL;\n    return *p;\n}}\n"
        )
    };
    let arguments = |condition: &str| confirmed(&source(condition))["input"]["parts"].as_array().map_or(0, Vec::len);
    assert_eq!(arguments("argc < 100 && argv[0]"), 0);
    assert_eq!(arguments("argc > 5 && argc % 3 == 1"), 6);
    assert_eq!(arguments("argc > 14 && argv[2][0] == 'n'"), 14);
}

#[test]
fn standard_input_that_leads_to_an_error_is_tried() {
    let source = "\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[32];
    int value = 1, *volatile p = &value;
    if (getchar() == 'k' && fgets(line, sizeof line, stdin) && line[0] == 'e' && line[1] == 'y' && line[3] == 0)
        p = NULL;
    return *p;
}
";
    confirmed(source);
}

#[test]
fn a_driver_shows_how_a_function_fails() {
    let source = "\
#include <stdlib.h>
struct node { int value; struct node *next; };
static int limit;
static int next_of(struct node *list, int count)
{
    if (count < 3 || limit != 7 || !list || list->value != count)
        return 0;
    return list->next->value;
}
int main(int argc, char **argv)
{
    struct node last = {0, NULL};
    if (argc < 3)
        return 0;
    last.value = atoi(argv[1]);
    limit = atoi(argv[2]);
    return next_of(&last, argc);
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("list.c"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["mix", "list.c", "--auto", "--sinks", "all", "--drivers", "drivers"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("a driver has called `next_of` so"), "{text}");
    let driver = fs::read_to_string(folder.path().join("drivers/driver-1.c")).unwrap();
    assert!(driver.contains(" next_of("), "{driver}");
}

/// Inputs of the program do not have that many arguments.
#[test]
fn the_main_of_the_program_is_called_by_a_driver() {
    let folder = tempfile::tempdir().unwrap();
    let source = "\
int main(int argc, char **argv)
{
    int *p = &argc;
    if (argc == 5000) {
        p = (void *)0;
        return *p;
    }
    return 0;
}
";
    fs::write(folder.path().join("program.c"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["mix", "program.c", "--auto", "--sinks", "all", "--drivers", "drivers"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("a driver has called `main` so"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let driver = fs::read_to_string(folder.path().join("drivers/driver-1.c")).unwrap();
    assert!(driver.contains(" provoke_program_main("), "{driver}");
}

/// The solver interrupts Provoke, and never answers.
#[test]
fn an_interrupt_ends_the_analysis() {
    let source = "\
#include <stdlib.h>
int main(int argc, char **argv)
{
    int value = 0, *p = &value;
    long a = argc, b = argv[0] ? atol(argv[0]) : 0;
    if (a * b * (a + b) == 1234567891)
        p = NULL;
    return *p;
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), source).unwrap();
    fs::write(folder.path().join("never"), "kill -INT $(cat pid)\nexec sleep 3600\n").unwrap();
    let words = "mix program.c --auto --sinks all --time 3600 --no-query-cache --solver 'cmd:sh never'";
    let script = format!("echo $$ > pid; exec '{}' {words}", env!("CARGO_BIN_EXE_provoke"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let said = [&output.stdout[..], &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).join("");
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("stopped before everything was tried"), "{said}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), "int main(void) { return 0; }\n").unwrap();
    let refused = [
        (&["--drivers", "drivers"][..], "add --auto"),
        (&["--auto", "--no-run", "--drivers", "drivers"], "cannot be used with"),
        (&["--symbolic", "main", "--typed", "main"], "`main` is named by --symbolic and by --typed"),
    ];
    for (words, said) in refused {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        let output = command.args(["mix", "program.c"]).args(words).current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(said), "{words:?}: {text}");
        assert!(!folder.path().join("drivers").exists(), "{words:?}");
    }
}

#[test]
fn a_function_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.args(["mix", "program.c", "--symbolic", "f"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the program has no function `f`"));
}
