//! What people run into who use the command for the first time.

use std::process::Command;

use serde_json::Value;

use crate::sandbox::{Sandbox, expect};

#[test]
fn two_mistakes_on_one_line_are_two_findings() {
    let program = "#include <stdio.h>\nint main(void) {\n    int a = getchar(), b = getchar();\n    \
                   printf(\"%d %d\\n\", 100 / (a - 'k'), 100 / (b - 'm'));\n    return 0;\n}\n";
    let sandbox = Sandbox::with(&[("two.c", program), ("input", "ab")]);
    let report = sandbox.report("check two.c --stdin input", 1);
    let findings = report["findings"].as_array().unwrap();
    let rules: Vec<&str> = findings.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["div-by-zero", "div-by-zero"]);
    assert_ne!(findings[0]["position"]["column"], findings[1]["position"]["column"]);
    assert_ne!(findings[0]["fingerprint"], findings[1]["fingerprint"]);
}

/// What is read and what is written are two accesses with bounds of their own.
#[test]
fn two_accesses_on_one_line_are_two_findings() {
    let declared = "    int from[4] = {1, 2, 3, 4}, to[4] = {0};\n";
    let allocated = "    int *from = calloc(4, 4), *to = calloc(4, 4);\n    if (!from || !to)\n        return 1;\n";
    for arrays in [declared, allocated] {
        let program = format!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{\n{arrays}    unsigned char at[2];\n    \
             if (fread(at, 1, 2, stdin) != 2)\n        return 1;\n    to[at[0]] = from[at[1]];\n    return to[1] > 9;\n}}\n"
        );
        let sandbox = Sandbox::with(&[("copy.c", &program), ("input", "\x01\x02")]);
        let report = sandbox.report("check copy.c --stdin input", 1);
        assert_eq!(report["findings"].as_array().unwrap().len(), 2, "{report:#}");
    }
}

/// The opposite of a number needs another way than the run's, and then the one number that has none.
#[test]
fn checks_behind_another_way_are_decided_unless_nobody_wants_that() {
    let program = "#include <unistd.h>\nint main(void) {\n    int number;\n    if (read(0, &number, 4) != 4)\n        return 1;\n    \
                   return (number < 0 ? -number : number) & 1;\n}\n";
    let sandbox = Sandbox::with(&[("absolute.c", program), ("input", "1234")]);
    let report = sandbox.report("check absolute.c --stdin input", 1);
    assert_eq!(report["findings"][0]["rule"], "integer-overflow", "{report:#}");
    let neighbours = &report["summary"]["neighbours"];
    assert_eq!((&neighbours["looked_at"], &neighbours["violated"]), (&Value::from(1), &Value::from(1)), "{report:#}");
    for option in ["--no-neighbours", "--no-branches"] {
        let report = sandbox.report(&format!("check absolute.c --stdin input {option}"), 0);
        assert!(report["summary"]["neighbours"].is_null(), "{report:#}");
    }
}

/// The declared bounds say so at one column, and the sanitizer at another.
#[test]
fn one_mistake_that_is_seen_twice_is_one_finding() {
    let program = "#include <stdio.h>\nint main(void) {\n    char text[8] = \"\";\n    int at = getchar() - 'a';\n    \
                   text[at] = 'x';\n    return text[0] == 'x';\n}\n";
    let sandbox = Sandbox::with(&[("index.c", program), ("input", "a")]);
    let report = sandbox.report("check index.c --stdin input", 1);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report:#}");
}

#[test]
fn a_report_that_cannot_be_written_loses_nothing() {
    let program = "#include <stdio.h>\nint main(void) {\n    return 100 / (getchar() - 'k');\n}\n";
    let sandbox = Sandbox::with(&[("divide.c", program), ("input", "a"), ("file", "")]);
    let reports = "--report html=file/report.html --report json=report.json";
    let (text, said) = sandbox.run(&format!("check divide.c --stdin input {reports}"), 2);
    assert!(text.contains("[div-by-zero]") && text.contains("1 finding"), "{text}");
    assert!(said.contains("report.html"), "{said}");
    assert!(sandbox.read("report.json").contains("div-by-zero"));
}

#[test]
fn an_input_that_cannot_be_saved_loses_nothing() {
    let program = "#include <stdio.h>\nint main(void) {\n    return 100 / (getchar() - 'k');\n}\n";
    let sandbox = Sandbox::with(&[("divide.c", program), ("input", "a")]);
    sandbox.run("check divide.c --stdin input --same-length", 1);
    let saved = || sandbox.path(".provoke/findings").read_dir().unwrap().flatten().map(|file| file.path());
    let names: Vec<_> = saved().collect();
    // There are folders where the files should be.
    for name in &names {
        std::fs::remove_file(name).unwrap();
        std::fs::create_dir(name).unwrap();
    }
    let line = "check divide.c --stdin input --same-length --report json=report.json";
    let (text, said) = sandbox.run(line, 1);
    let has = |part: &str| assert!(text.contains(part), "{part} is not in\n{text}");
    has("[div-by-zero]");
    has("= not saved: cannot write .provoke/findings/div-by-zero-");
    has("= input: change byte 0 of stdin from 0x61 'a' to 0x6b 'k'");
    assert!(said.contains("cannot write .provoke/findings/div-by-zero-"), "{said}");
    assert!(sandbox.read("report.json").contains("\"not_saved\""));
    assert_eq!(saved().count(), names.len(), "nothing is left of what was not saved");
}

#[test]
fn a_folder_that_cannot_be_is_noticed_before_the_work() {
    let sandbox = Sandbox::with(&[("nothing.c", "int main(void) { return 0; }\n"), ("file", ""), ("input", "a")]);
    for command in ["check", "explore", "predict"] {
        for folder in ["file", "file/below"] {
            let (_, said) = sandbox.run(&format!("{command} nothing.c --stdin input --out {folder}"), 2);
            assert!(said.contains(folder), "{said}");
        }
    }
    assert!(!sandbox.path(".provoke").exists(), "no view was made");
}

/// A file has the name that the folder should have: so nothing can be written there, whoever the user is.
#[test]
fn where_nothing_can_be_written_the_cache_of_the_user_takes_its_place() {
    let program = "#include <stdio.h>\nint main(void) {\n    return 100 / (getchar() - 'k');\n}\n";
    let sandbox = Sandbox::with(&[("divide.c", program), ("input", "a"), (".provoke", "")]);
    let check = |line: &str| {
        let mut command = sandbox.command(&format!("check divide.c --stdin input --same-length {line}"));
        expect(&command.env("XDG_CACHE_HOME", sandbox.path("cache")).output().unwrap(), 1)
    };
    let (text, said) = check("");
    assert_eq!(said.matches("cache/provoke/projects/").count(), 1, "{said}");
    assert!(text.contains("cache/provoke/projects/"), "{text}");
    let (text, _) = check("--out elsewhere");
    assert!(text.contains("in elsewhere/div-by-zero-"), "{text}");
    let cached: Vec<_> = sandbox.path("cache/provoke/projects").read_dir().unwrap().flatten().collect();
    assert_eq!(cached.len(), 1);
    assert!(cached[0].path().join("views").is_dir() && cached[0].path().join("findings").is_dir());
}

/// Whatever the bytes are, the program fails before it comes to most of them. It takes as long as a few hundred runs, not thousands.
#[test]
fn an_input_that_fails_has_few_neighbours_run() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    char seen[600];\n    \
                   size_t n = fread(seen, 1, sizeof seen, stdin), capitals = 0;\n    for (size_t i = 0; i < n; i++)\n        \
                   if (seen[i] >= 'A' && seen[i] <= 'Z')\n            capitals++;\n    if (capitals <= n)\n        abort();\n    return 0;\n}\n";
    let sandbox = Sandbox::with(&[("capitals.c", program), ("input", &"x".repeat(500))]);
    let report = sandbox.report("check capitals.c --stdin input --same-length", 1);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report:#}");
    assert!(report["summary"]["left_out"].as_u64() > Some(200), "{report:#}");
}

/// A negative offset becomes a large number, and the sum wraps around to what was meant.
#[test]
fn an_address_that_is_right_in_the_end_is_no_finding() {
    let program = "#include <stdio.h>\nint main(void) {\n    static char buffer[80];\n    size_t middle = 40;\n    \
                   int distance = getchar() % 64 - 32;\n    buffer[middle + distance] = 1;\n    return buffer[39];\n}\n";
    let sandbox = Sandbox::with(&[("offset.c", program), ("input", "a")]);
    let report = sandbox.report("check offset.c --stdin input --same-length", 0);
    assert_eq!(report["summary"]["complete"], true, "{report:#}");
}

/// How deep in parentheses a division is, and whether an operand comes before it, makes no other mistake of it.
#[test]
fn one_mistake_in_a_recursion_is_one_finding() {
    let program = r#"#include <stdio.h>
static int c;
static int sum(void);
static int atom(void) {
    int value = 0;
    if (c == '(') {
        c = getchar();
        value = sum();
        c = getchar();
    } else if (c >= '0' && c <= '9') {
        value = c - '0';
        c = getchar();
    }
    return value;
}
static int quotient(void) {
    int value = atom();
    while (c == '/') {
        c = getchar();
        value = value / atom();
    }
    return value;
}
static int sum(void) {
    int value = quotient();
    while (c == '+') {
        c = getchar();
        value = (value + quotient()) & 0xff;
    }
    return value;
}
int main(void) {
    c = getchar();
    return printf("%d\n", sum()) < 0;
}
"#;
    let sandbox = Sandbox::with(&[("sum.c", program), ("input", "6/3+8/2+(4/1+9/3)")]);
    let report = sandbox.report("check sum.c --stdin input", 1);
    let mut rules: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    rules.sort_unstable();
    // Nobody counts the brackets either, but that is another mistake.
    assert_eq!(rules, ["div-by-zero", "stack-overflow"], "{report:#}");
}

/// The count of tokens lies behind them, so that one too many makes the loop over all of them go wrong.
#[test]
fn what_comes_of_damaged_memory_is_no_finding_of_its_own() {
    let program = r#"#include <stdio.h>
struct tokens { char text[4][4]; int count; };
int main(void) {
    struct tokens tokens = {{""}, 0};
    for (int c = getchar(); c != EOF && c != '\n'; c = getchar()) {
        tokens.text[tokens.count][0] = (char)c;
        tokens.count++;
    }
    for (int i = 0; i < tokens.count; i++)
        printf("%s\n", tokens.text[i]);
    return 0;
}
"#;
    let sandbox = Sandbox::with(&[("tokens.c", program), ("input", "ab\n")]);
    let report = sandbox.report("check tokens.c --stdin input", 1);
    let findings = report["findings"].as_array().unwrap();
    let lines: Vec<&Value> = findings.iter().map(|finding| &finding["position"]["line"]).collect();
    assert_eq!(lines, [6], "{report:#}");
}

/// A program that ends itself by `exit` has not failed, and nobody says that it would.
#[test]
fn an_end_is_no_failure() {
    let program = "#include <stdlib.h>\n#include <unistd.h>\nint main(void) {\n    char in[2];\n    \
                   if (read(0, in, 2) != 2)\n        exit(1);\n    return in[0] == in[1];\n}\n";
    let sandbox = Sandbox::with(&[("exits.c", program), ("input", "ab")]);
    let report = sandbox.report("check exits.c --stdin input", 0);
    assert_eq!(report["summary"]["verdicts"]["not_reproduced"], 0, "{report:#}");
}

/// The number has to be longer than in the input: that is the second look.
#[test]
fn predictions_of_all_looks_are_counted() {
    let program = "#include <stdio.h>\nint main(void) {\n    int c, number = 0;\n    \
                   while ((c = getchar()) >= '0' && c <= '9')\n        number = number * 10 + (c - '0');\n    \
                   return number == 7;\n}\n";
    let sandbox = Sandbox::with(&[("number.c", program), ("input", "12\n")]);
    let report = sandbox.report("check number.c --stdin input", 1);
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["predicted_by"]["kind"] == "checker"), "{report:#}");
    assert_ne!(report["summary"]["verdicts"]["confirmed"], 0, "{report:#}");
}

/// The reproduce line of a finding leads to it, whatever was found in other programs since.
#[test]
fn programs_that_share_a_folder_have_files_of_their_own() {
    let program =
        |byte: char| format!("#include <stdio.h>\nint main(void) {{\n    return 100 / (getchar() - '{byte}');\n}}\n");
    let sandbox = Sandbox::with(&[("one.c", &program('k')), ("two.c", &program('m')), ("input", "a")]);
    let reproduce = |name: &str| {
        let report = sandbox.report(&format!("check {name} --stdin input"), 1);
        report["findings"][0]["reproduce"].as_str().unwrap().strip_prefix("provoke ").unwrap().to_owned()
    };
    let lines = ["one.c", "two.c"].map(reproduce);
    for line in lines {
        let (out, _) = sandbox.run(&line, 1);
        assert!(out.contains("div-by-zero"), "{line}\n{out}");
    }
}

#[test]
fn inputs_that_hang_are_stopped_soon_counted_and_saved() {
    let program = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    if (getchar() == 'h')\n        \
                   for (;;)\n            pause();\n    return 0;\n}\n";
    let sandbox = Sandbox::with(&[("hang.c", program), ("input", "a")]);
    let report = sandbox.report("check hang.c --stdin input --report html=report.html", 0);
    let slow = &report["summary"]["slow"];
    assert_eq!(slow["inputs"], 1, "{report:#}");
    let line = slow["reproduce"].as_str().unwrap().strip_prefix("provoke ").unwrap();
    let (out, _) = sandbox.run(&format!("{line} --limit time=1"), 0);
    assert!(out.contains("time"), "{out}");
    assert!(std::fs::read_to_string(sandbox.path("report.html")).unwrap().contains("1 input took longer than"));
    let (out, _) = sandbox.run("explore hang.c --stdin input --limit time=1 --quiet", 0);
    assert!(out.contains("1 input took longer than 1 s; the first: provoke replay hang.c"), "{out}");
}

/// A byte goes through a pipe, so that nobody sees that it makes the program slow.
#[test]
fn sure_predictions_have_all_the_time_that_there_is() {
    let program = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    unsigned char c = getchar(), d = 0;\n    \
                   int ends[2];\n    \
                   if (pipe(ends) != 0 || write(ends[1], &c, 1) != 1 || read(ends[0], &d, 1) != 1)\n        return 1;\n    \
                   sleep(d == 'd' ? 3 : 0);\n    return 100 / (c - 'd');\n}\n";
    let sandbox = Sandbox::with(&[("slow.c", program), ("input", "a")]);
    let check = "check slow.c --stdin input --same-length --minimise 0";
    let report = sandbox.report(check, 1);
    assert_eq!(report["findings"][0]["rule"], "div-by-zero", "{report:#}");
    let report = sandbox.report(&format!("{check} --limit time=1"), 0);
    let missed = report["summary"]["missed"][0].as_str().unwrap();
    assert!(missed.contains("took too long"), "{missed}");
}

#[test]
fn without_anything_to_start_from_it_is_an_empty_standard_input() {
    let program = "#include <stdio.h>\nint main(void) {\n    if (getchar() == 'x' && getchar() == 'y')\n        \
                   return 100 / (getchar() - 'z');\n    return 0;\n}\n";
    let own = "#include <provoke.h>\nint main(void) {\n    char c;\n    provoke_make_symbolic(&c, 1, \"c\");\n    \
               return 100 / (c - 'z');\n}\n";
    let sandbox = Sandbox::with(&[("program.c", program), ("own.c", own)]);
    let (out, _) = sandbox.run("explore program.c --quiet --out program", 1);
    assert!(out.contains("1 finding (1 error); all 6 paths explored for inputs of up to 1.0 MB"), "{out}");
    assert!(out.contains("It started from an empty standard input that may go on"), "{out}");
    // What makes its input itself needs none.
    let report = sandbox.report("explore own.c --quiet --out own", 1);
    let parts = report["findings"][0]["input"]["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 1, "{parts:#?}");
}

/// What a program does before it draws numbers is nothing that is lost.
#[test]
fn random_numbers_may_have_a_beginning() {
    let program = "#include <stdlib.h>\n#include <time.h>\nint main(void) {\n    srand(time(NULL));\n    srandom(time(NULL));\n    \
                   return rand() == 77;\n}\n";
    let sandbox = Sandbox::with(&[("random.c", program)]);
    let report = sandbox.report("check random.c --random", 0);
    assert_eq!(report["losses"].as_array().unwrap().len(), 0, "{report:#}");
    let (out, _) = sandbox.run("libc rand srand time memcpy", 0);
    assert!(out.contains("rand: modelled with --random\nsrand: modelled with --random\n"), "{out}");
    let (out, _) = sandbox.run("libc memcpy sleep", 1);
    assert!(out.contains("sleep: no model"), "{out}");
}

/// GDB knows nothing of what Provoke puts in the place of the system.
#[test]
fn there_is_no_script_that_could_not_do_it() {
    let program = "#include <stdlib.h>\nint main(void) {\n    return 100 / (rand() % 16 - 7);\n}\n";
    let sandbox = Sandbox::with(&[("random.c", program)]);
    let (out, _) = sandbox.run("check random.c --random", 1);
    assert!(out.contains("= debug: there is no script for gdb: only `provoke replay` gives random numbers"), "{out}");
    assert!(!out.contains("debug.sh"), "{out}");
}

#[test]
fn whoever_has_the_main_of_a_library_is_told_what_to_do() {
    let harness = "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {\n    \
                   return size > 0 && data[0] == 7;\n}\n";
    let sandbox = Sandbox::with(&[("harness.c", harness), ("input", "a")]);
    sandbox.run("cc -fsanitize=fuzzer harness.c -o harness", 0);
    let (_, err) = sandbox.run("check harness --stdin input", 2);
    assert!(err.contains("give the source file in place of the program"), "{err}");
}

/// Nobody builds the C library with Provoke.
#[test]
fn what_to_do_about_calls_without_models_depends_on_whose_they_are() {
    let program = "#include <stdio.h>\n#include <unistd.h>\nint ours(int);\nint main(void) {\n    int c = getchar();\n    \
                   sleep(c - 97);\n    return ours(getchar());\n}\n";
    let sandbox =
        Sandbox::with(&[("calls.c", program), ("ours.c", "int ours(int x) { return x + 1; }\n"), ("input", "ab")]);
    let built = Command::new("clang-19").args(["-c", "ours.c"]).current_dir(sandbox.path("")).status().unwrap();
    assert!(built.success());
    sandbox.run("cc calls.c ours.o -o calls", 0);
    let (out, _) = sandbox.run("check calls --stdin input", 0);
    assert!(out.contains("The C library's sleep is without a model"), "{out}");
    assert!(out.contains("build those libraries"), "{out}");
}

/// No model could follow another process.
#[test]
fn nobody_is_told_to_write_a_model_of_fork() {
    let program = "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\nint main(void) {\n    \
                   char c = getchar();\n    if (fork() == 0) {\n        return c == 'b';\n    }\n    wait(NULL);\n    \
                   return c == 'c';\n}\n";
    let sandbox = Sandbox::with(&[("forks.c", program), ("input", "a")]);
    let (out, _) = sandbox.run("check forks.c --stdin input", 0);
    assert!(out.contains("Processes that the program starts are not followed"), "{out}");
    assert!(!out.contains("fork is without a model"), "{out}");
}

/// A division looks at a byte without a branch; where the argument ends is no byte of it.
#[test]
fn the_bytes_that_matter_are_counted() {
    let division = "#include <stdio.h>\nint main(void) {\n    int a = getchar();\n    getchar();\n    return 100 / (a - 'k');\n}\n";
    let argument = "#include <string.h>\nint main(int count, char **arguments) {\n    \
                    return count > 1 && strlen(arguments[1]) > 5 && arguments[1][0] == 'x';\n}\n";
    let sandbox = Sandbox::with(&[("division.c", division), ("argument.c", argument), ("input", "abc")]);
    let bytes = |line: &str, code| {
        let report = sandbox.report(line, code);
        let run = &report["summary"]["run"];
        (run["input_bytes"].as_u64().unwrap(), run["bytes_that_matter"].as_u64().unwrap())
    };
    assert_eq!(bytes("check division.c --stdin input", 1), (3, 1));
    assert_eq!(bytes("check argument.c --all-args -- hel", 0), (3, 0));
}

#[test]
fn one_file_may_have_its_number() {
    let program = "#include <stdio.h>\nint main(int count, char **arguments) {\n    \
                   FILE *file = count > 1 ? fopen(arguments[1], \"r\") : 0;\n    \
                   return file ? 100 / (getc(file) - 'k') : 1;\n}\n";
    let sandbox = Sandbox::with(&[("opens.c", program), ("input", "a")]);
    let (out, _) = sandbox.run("check opens.c --file input -- @@1", 1);
    assert!(out.contains("div-by-zero"), "{out}");
    let (_, err) = sandbox.run("check opens.c --file input -- @@2", 2);
    assert!(err.contains("no input file is given for it"), "{err}");
}

#[test]
fn on_a_long_path_checks_come_before_branches() {
    let program = "#include <stdio.h>\nint *volatile nowhere;\nint main(void) {\n    int c, last = 1;\n    \
                   while ((c = getchar()) != EOF) {\n        if (c == 'x')\n            *nowhere = 1;\n        \
                   last = c;\n    }\n    return 100 / (last - 'k');\n}\n";
    let rules = |length: usize| {
        let sandbox = Sandbox::with(&[("reads.c", program), ("input", &"a".repeat(length))]);
        let report = sandbox.report("check reads.c --stdin input --same-length", 1);
        let rules = report["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].to_string());
        rules.collect::<Vec<_>>()
    };
    assert_eq!(rules(10), ["\"null-deref\"", "\"div-by-zero\""]);
    assert_eq!(rules(5_100), ["\"div-by-zero\"", "\"null-deref\""]);
}

#[test]
fn predictions_go_on_where_their_time_was_over() {
    let program = "#include <stdio.h>\nint main(void) { return 100 / (getchar() - 'k'); }\n";
    let sandbox = Sandbox::with(&[("divides.c", program), ("input", "a")]);
    // The time may be over before the test or behind it; that is no interruption in either case.
    let first = sandbox.command("predict divides.c --stdin input --time 0").output().unwrap();
    assert!(matches!(first.status.code(), Some(0 | 1)), "{first:?}");
    let (out, _) = sandbox.run("predict divides.c --stdin input", 1);
    assert!(out.contains("div-by-zero"), "{out}");
}

#[test]
fn an_input_that_is_not_there_is_missed_before_views_are_made() {
    let sandbox = Sandbox::with(&[("plain.c", "int main(void) { return 0; }\n")]);
    for command in ["check", "replay", "trace"] {
        for input in ["-- @@", "--stdin missing", "--file ."] {
            sandbox.run(&format!("{command} plain.c {input}"), 2);
            assert!(!sandbox.path(".provoke").exists(), "{command} {input}");
        }
    }
}

#[test]
fn errors_say_what_was_tried_and_what_to_do() {
    let sandbox = Sandbox::with(&[
        ("plain.c", "int main(void) { return 0; }\n"),
        ("functions.c", "int add(int a, int b) { return a + b; }\n"),
        ("broken.c", "int main(void) {\n"),
        ("report", "<html>"),
        (".provoke", "no folder"),
    ]);
    let says = |line: &str, parts: &[&str]| {
        // Nor is there a folder that would take the place of the project's.
        let mut command = sandbox.command(&format!("{line} --out elsewhere"));
        let (_, err) = expect(&command.env("XDG_CACHE_HOME", sandbox.path("report")).output().unwrap(), 2);
        for part in parts {
            assert_eq!(err.matches(part).count(), 1, "{part} is not there once in\n{err}");
        }
    };
    says("check plain.c", &["cannot make views of the program in", "run provoke in a folder that you can write to"]);
    says("check functions.c", &["functions.c does not link", "it has no main function", "--unit FUNCTION"]);
    says("check broken.c", &["broken.c does not compile"]);
    says("check plain.c --baseline report", &["report: the baseline is not JSON", "expected value at line 1"]);
    says("check plain.c --env =x", &["a variable has a name: NAME, or NAME=VALUE"]);
    let output = sandbox.command("check plain.c").args(["--env", ""]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// A program of one function has one, whatever it is linked with.
#[test]
fn a_source_file_is_described_under_its_own_name() {
    let sandbox = Sandbox::with(&[("plain.c", "int main(void) { return 0; }\n")]);
    let (out, _) = sandbox.run("info plain.c", 0);
    assert!(out.starts_with("plain.c: C program\n") && out.contains("  functions: 1\n"), "{out}");
}

#[test]
fn options_stand_under_headings_that_fit() {
    let sandbox = Sandbox::with(&[]);
    for command in ["check", "explore"] {
        let (out, _) = sandbox.run(&format!("{command} --help"), 0);
        let (_, loops) = out.split_once("\nLoops:\n").unwrap();
        let (loops, others) = loops.split_once("\nFunctions and their conditions:\n").unwrap();
        assert!(loops.contains("--contradiction") && others.contains("--spec"), "{out}");
    }
}

/// Names of files are relative to where the compiler was started, which need not be where somebody looks for bugs.
#[test]
fn the_source_is_shown_wherever_one_is() {
    let program = "#include <stdio.h>\nint main(void) {\n    return 100 / (getchar() - 'k');\n}\n";
    let (built, sandbox) = (Sandbox::with(&[]), Sandbox::with(&[("input", "a")]));
    std::fs::create_dir(built.path("src")).unwrap();
    built.put("src/divide.c", program);
    built.run("cc -c src/divide.c -o divide.o", 0);
    built.run("cc divide.o -o divide", 0);
    // Where it was linked is not what counts.
    std::fs::rename(built.path("divide"), sandbox.path("divide")).unwrap();
    let line = "check divide --stdin input --same-length --report json=report.json";
    let (text, _) = sandbox.run(line, 1);
    assert!(text.contains("src/divide.c:3:16") && text.contains("3 |     return 100 / (getchar() - 'k');"), "{text}");
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["findings"][0]["position"]["file"], "src/divide.c");
}

/// `provoke libc` says that there is a model; that a call is left to the library is something else than to have none.
#[test]
fn what_a_model_leaves_to_the_library_is_not_called_unmodelled() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    char line[16] = \"\", text[64];\n    \
                   if (!fgets(line, sizeof line, stdin))\n        return 1;\n    \
                   sprintf(text, \"%.20g\", atoi(line) / 3.0);\n    return text[0] == '7';\n}\n";
    let sandbox = Sandbox::with(&[("digits.c", program), ("input", "5\n")]);
    let (text, _) = sandbox.run("check digits.c --stdin input --no-branches", 0);
    assert!(text.contains("that the model of sprintf left to the library (digits.c:7)"), "{text}");
    assert!(text.contains("The model of sprintf leaves some calls to the library (digits of"), "{text}");
    assert!(!text.contains("without a model"), "{text}");
}

/// The run goes on behind what it violates itself, and so does its path.
#[test]
fn the_path_of_what_fails_on_the_input_as_it_is_ends_there() {
    let program = "#include <stdio.h>\nint table[4], at = 4;\nstatic void early(int c) {\n    if (c == 'a')\n        \
                   table[at & 7] = 1;\n}\nstatic int late(int c) {\n    if (c == 'q')\n        return 1;\n    \
                   return c == 'r' ? 2 : 3;\n}\nint main(void) {\n    int c = getchar();\n    early(c);\n    \
                   return late(c) == 2;\n}\n";
    let sandbox = Sandbox::with(&[("early.c", program), ("input", "a")]);
    let report = sandbox.report("check early.c --stdin input --no-branches --same-length", 1);
    let finding = &report["findings"][0];
    assert_eq!(finding["predicted_by"]["kind"], "run", "{report:#}");
    let lines: Vec<u64> =
        finding["path"].as_array().unwrap().iter().flat_map(|s| s["position"]["line"].as_u64()).collect();
    assert_eq!(lines, [4], "{report:#}");
}

/// One number is too large for both.
#[test]
fn what_fails_behind_what_was_predicted_fails_too() {
    let program = "#include <unistd.h>\nint main(void) {\n    int number;\n    if (read(0, &number, 4) != 4 || number < 0)\n        \
                   return 1;\n    int twice = number * 2;\n    volatile int more = 2147483647;\n    \
                   if (number >= 0x40000000)\n        more += 1;\n    return (twice ^ more) & 1;\n}\n";
    let sandbox = Sandbox::with(&[("both.c", program), ("input", "\x01\x02\x03\x04")]);
    let (text, _) = sandbox.run("check both.c --stdin input --no-branches --same-length", 1);
    assert!(text.contains("; confirmed by running it"), "{text}");
    assert!(text.contains("; when run, it failed there, and here too"), "{text}");
}

/// The same, where all paths are explored.
#[test]
fn what_fails_behind_what_was_predicted_fails_too_when_it_is_explored() {
    let program = "#include <unistd.h>\nint main(void) {\n    unsigned short a, b;\n    volatile int more = 2147483647;\n    \
                   if (read(0, &a, 2) != 2 || read(0, &b, 2) != 2)\n        return 1;\n    int product = a * b;\n    \
                   if (product < 0)\n        more += 1;\n    return (product ^ more) & 1;\n}\n";
    let sandbox = Sandbox::with(&[("both.c", program), ("input", "\x01\x00\x01\x00")]);
    let (text, _) = sandbox.run("explore both.c --seeds input --jobs 1", 1);
    assert!(text.contains("; when run, it failed there, and here too"), "{text}");
}

/// The command is there to be copied: with the same input and arguments, and the checkers that were chosen.
#[test]
fn where_nothing_is_found_the_next_step_is_a_command() {
    let program = "#include <stdio.h>\nint main(int count, char **words) {\n    int c = getchar();\n    \
                   return count > 1 && words[1][0] == 'q' && c == 'x' ? 3 : 0;\n}\n";
    let sandbox = Sandbox::with(&[("clean.c", program), ("input", "a")]);
    let report = sandbox.report("check clean.c --stdin input --arg 1 --checks=-shift --no-neighbours -- one", 0);
    let next = "provoke explore --time 10m --checks=-shift clean.c --stdin input --arg 1 -- one";
    let said = report["advice"].as_array().and_then(|advice| advice.last()).and_then(|last| last.as_str());
    assert!(said.is_some_and(|said| said.ends_with(next)), "{report:#}");
    let words = next.strip_prefix("provoke ").unwrap().replace("10m", "1");
    sandbox.run(&words, 0);
}

/// A copy whose size is input too is checked by the runtime, and not once more by the code.
#[test]
fn a_copy_is_asked_about_once() {
    let program = "#include <string.h>\n#include <unistd.h>\nint main(void) {\n    unsigned char at[3];\n    char text[64] = \"text\";\n    \
                   if (read(0, at, 3) != 3 || at[0] > 20 || at[1] > 20 || at[2] > 20)\n        return 1;\n    \
                   memcpy(text + at[0], text + at[1], at[2]);\n    return text[9];\n}\n";
    let sandbox = Sandbox::with(&[("copy.c", program), ("input", "\x00\x10\x08")]);
    let report = sandbox.report("check copy.c --stdin input --no-branches --same-length", 1);
    let checks = report["summary"]["checks"].as_array().unwrap();
    let overlap = checks.iter().find(|counts| counts["rule"] == "overlap");
    assert!(overlap.is_some_and(|counts| counts["violated"] == 1 && counts["safe"] == 0), "{report:#}");
}

/// A product needs both numbers to be too large, and what fails behind it only one: what is shown is the smaller change.
#[test]
fn what_a_smaller_change_no_longer_violates_is_not_said_to_fail() {
    let program = "#include <unistd.h>\nint main(void) {\n    unsigned short a, b;\n    volatile int more = 2147483647;\n    \
                   if (read(0, &a, 2) != 2 || read(0, &b, 2) != 2)\n        return 1;\n    int product = a * b;\n    \
                   if (b != 1)\n        more += 1;\n    return (product ^ more) & 1;\n}\n";
    let sandbox = Sandbox::with(&[("small.c", program), ("input", "\x01\x00\x01\x00")]);
    let (text, _) = sandbox.run("check small.c --stdin input --no-branches --same-length", 1);
    assert!(text.contains("; confirmed by running it"), "{text}");
    assert!(text.contains("; when run, it failed here instead"), "{text}");
}

/// What the replay view makes slow ends natively. Its environment tells the one from the other here.
#[test]
fn what_is_slow_under_the_sanitizers_is_no_hang() {
    let program = |condition: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) {{\n    \
             if (getchar() == 'k')\n        while ({condition})\n            usleep(1000);\n    return 0;\n}}\n"
        )
    };
    let (slow, hanging) = (program("getenv(\"ASAN_OPTIONS\")"), program("1"));
    let sandbox = Sandbox::with(&[("slow.c", &slow), ("hanging.c", &hanging), ("input", "a"), ("k", "k")]);
    let report = sandbox.report("check slow.c --stdin input --same-length --no-neighbours", 0);
    let told = &report["summary"]["slow"];
    assert!(told["natively"].is_number() && told["reproduce"] == "", "{told}");
    let report = sandbox.report("check hanging.c --stdin input --same-length --no-neighbours", 0);
    let told = &report["summary"]["slow"];
    assert!(told["natively"].is_null() && told["reproduce"] != "", "{told}");
    let (text, _) = sandbox.run("replay slow.c --stdin input", 0);
    assert!(text.contains("the run took 0."), "{text}");
}
