//! Tracing, compiling, solving, and what all commands have in common.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::{PROVOKE, Sandbox, expect};

const BRANCHES: &str = r#"
#include <stdio.h>
int main(void) {
    int first = getchar();
    int second = getchar();
    if (first == 'G')
        puts("starts with G");
    switch (second) {
    case 'I': puts("then I"); break;
    case 'J': puts("then J"); break;
    }
    return first == 'G' ? 7 : 0;
}
"#;

const ENDLESS: &str = r#"
#include <stdio.h>
int main(void) {
    if (getchar() == 'G') {
        fputs("looping", stderr);
        for (;;)
            ;
    }
    return 0;
}
"#;

#[test]
fn a_source_file_is_traced() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    let (out, _) = sandbox.run("trace branches.c --stdin input", 0);
    let has = |part: &str| assert!(out.contains(part), "{part} is not in\n{out}");
    has("branches.c:6:");
    has("in main");
    has("(eq stdin[0] 0x47)");
    has("switch  ");
    has("= 0x49");
    has("program exited with 7");
    has("not covered: nothing, the constraint is exact");
    assert!(!out.contains("starts with G"), "{out}");
}

#[test]
fn a_program_is_compiled_described_and_traced() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GJ")]);
    sandbox.run("cc -O2 -g branches.c -o branches", 0);
    let (info, _) = sandbox.run("info branches", 0);
    assert!(info.contains("branches.c"), "{info}");
    let (info, _) = sandbox.run("info --json branches", 0);
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    assert_eq!(info["modules"].as_array().unwrap().len(), 1);
    sandbox.run("view concolic branches -o view", 0);
    let (from_view, _) = sandbox.run("trace view --stdin input", 0);
    assert!(from_view.contains("(eq stdin[0] 0x47)"), "{from_view}");
}

#[test]
fn the_input_can_be_a_file_that_an_argument_names() {
    let sandbox = Sandbox::with(&[]);
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            FILE *file = fopen(argv[argc - 1], "r");
            if (!file || fgetc(file) != 'G')
                return puts("no G") < 0;
            return 3;
        }"#;
    sandbox.put("opens.c", program);
    sandbox.put("input.gif", "G");
    let (out, _) = sandbox.run("trace opens.c --file input.gif -- -v @@", 0);
    assert!(out.contains("(eq input.gif[0] 0x47)"), "{out}");
    assert!(out.contains("program exited with 3"), "{out}");
}

#[test]
fn json_is_json() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GX")]);
    let (out, _) = sandbox.run("trace --json branches.c --stdin input", 0);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["status"]["code"], 7);
    assert_eq!(value["not_covered"]["exact"], true);
    let constraints = value["constraints"].as_array().unwrap();
    let branch = constraints.iter().find(|c| c["kind"] == "branch" && c["holds"] == "(eq stdin[0] 0x47)").unwrap();
    assert_eq!(branch["places"][0]["file"].as_str().map(Path::new).unwrap().file_name().unwrap(), "branches.c");
    let switch = constraints.iter().find(|c| c["kind"] == "switch").unwrap();
    assert_eq!((&switch["value"], &switch["cases"]), (&0x58.into(), &vec![0x49, 0x4a].into()));
}

#[test]
fn the_raw_trace_can_be_read_again() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    let (out, _) = sandbox.run("trace --raw branches.c --stdin input", 0);
    let trace = trace::text::parse(&out).unwrap();
    assert_eq!(trace.notes(), []);
    assert!(trace.events().len() >= 2);
}

#[test]
fn an_endless_loop_is_cut_and_what_was_traced_is_shown() {
    let sandbox = Sandbox::with(&[("endless.c", ENDLESS), ("input", "G")]);
    let (out, _) = sandbox.run("trace endless.c --stdin input --limit time=0.5", 0);
    assert!(out.contains("(eq stdin[0] 0x47)") && out.contains("took too long"), "{out}");
    assert!(out.contains("not covered: what would have come after the program was killed"), "{out}");
}

#[test]
fn a_program_that_becomes_another_one_is_not_covered() {
    let sandbox = Sandbox::with(&[]);
    let program = r#"
        #include <stdio.h>
        #include <unistd.h>
        int main(void) {
            if (getchar() == 'G')
                execl("/bin/true", "true", (char *)0);
            return 1;
        }"#;
    sandbox.put("becomes.c", program);
    sandbox.put("input", "G");
    let (out, _) = sandbox.run("trace becomes.c --stdin input", 0);
    assert!(out.contains("not covered: the other program that the program became"), "{out}");
    assert!(out.contains("program exited with 0"), "{out}");
}

#[test]
fn an_interrupt_ends_the_run_and_what_was_traced_is_shown() {
    let sandbox = Sandbox::with(&[("endless.c", ENDLESS), ("input", "G")]);
    let mut command = sandbox.command("trace --show-output endless.c --stdin input");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut looping = [0; 7];
    child.stderr.as_mut().unwrap().read_exact(&mut looping).unwrap();
    assert_eq!(looping, *b"looping");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (out, _) = expect(&child.wait_with_output().unwrap(), 130);
    assert!(out.contains("(eq stdin[0] 0x47)") && out.contains("program was interrupted"), "{out}");
}

#[test]
fn an_interrupt_ends_a_replay() {
    let sandbox = Sandbox::with(&[("endless.c", ENDLESS), ("input", "G")]);
    let mut command = sandbox.command("replay --show-output endless.c --stdin input");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stderr.as_mut().unwrap().read_exact(&mut [0; 7]).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (out, _) = expect(&child.wait_with_output().unwrap(), 130);
    assert!(out.contains("program was interrupted"), "{out}");
}

#[test]
fn a_suite_is_told_to_end() {
    let sandbox = Sandbox::with(&[("suite", "trap 'exit 7' TERM\necho ready\nwhile :; do sleep 0.01; done\n")]);
    let mut command = sandbox.command("wrap -- sh suite");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let (_, err) = expect(&child.wait_with_output().unwrap(), 7);
    assert!(err.contains("0 executions recorded"), "{err}");
}

/// What includes a file that the test writes later is compiled for as long as the test likes: until the command has ended, which has nothing
/// to show and need not wait for views (those of BusyBox took minutes).
#[test]
fn an_interrupt_before_the_run_ends_it_at_once() {
    for words in ["trace", "trace --flip flips", "trace --json", "check", "explore", "replay"] {
        let sandbox = Sandbox::with(&[("input", "GI")]);
        sandbox.put("waits.c", &format!("#include \"later.h\"\n{BRANCHES}"));
        assert!(Command::new("mkfifo").arg(sandbox.path("later.h")).status().unwrap().success());
        let mut command = sandbox.command(&format!("{words} waits.c --stdin input"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Opening it waits for the compiler.
        let later = std::fs::OpenOptions::new().write(true).open(sandbox.path("later.h")).unwrap();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let patience = Instant::now() + Duration::from_secs(60);
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < patience, "{words} waits for the compiler");
            std::thread::sleep(Duration::from_millis(10));
        }
        drop(later);
        let (out, err) = expect(&child.wait_with_output().unwrap(), 130);
        assert_eq!(out, "");
        assert!(err.contains("interrupted: the program was not run"), "{err}");
    }
}

/// A command for each kind of example.
#[test]
fn the_examples_of_the_documentation_are_understood() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let text = std::fs::read_to_string(file).unwrap();
    let sandbox = Sandbox::with(&[]);
    for (kind, command, expected) in [
        ("csimpl", "csimpl --subtyping prove", "safe on all paths: verified"),
        ("mix", "mixlang", "accepted"),
        ("query", "solve", "sat\n"),
        ("smt2", "solve", "unsat\nsat\nx = 0xab:8\n"),
    ] {
        let (_, rest) = text.split_once(&format!("```{kind}\n")).unwrap();
        sandbox.put("example", rest.split_once("```").unwrap().0);
        let (out, _) = sandbox.run(&format!("{command} example"), 0);
        assert!(out.contains(expected), "{kind}: {out}");
    }
}

#[test]
fn models_that_do_not_go_with_the_program_are_bad_input() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    let (_, err) = sandbox.run("check branches.c --stdin input --models branches.c", 2);
    assert!(err.contains("the models in branches.c do not go with the program") && err.contains("'main'"), "{err}");
}

#[test]
fn models_that_are_of_no_use_are_named() {
    let models = "#include <provoke.h>\nint PROVOKE_MODEL(getchra)(void) { return 1; }\nint PROVOKE_MODEL(getchar)(void) { return 2; }\n";
    let program = "#include <stdio.h>\nint main(void) { return getchar() == 3; }\n";
    let files = [("program.c", program), ("models.c", models), ("none.c", "int getchar(void) { return 1; }\n")];
    let sandbox = Sandbox::with(&files);
    let (_, said) = sandbox.run("check program.c --models models.c", 0);
    assert!(said.contains("models.c has models of functions that the program does not call: getchra\n"), "{said}");
    let (_, said) = sandbox.run("check program.c --models none.c", 0);
    assert!(said.contains("none.c has no models") && said.contains("PROVOKE_MODEL"), "{said}");
}

#[test]
fn limits_that_nothing_could_keep_are_refused() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    for (line, part) in [
        ("check branches.c --stdin input --limit time=0", "no time"),
        ("check branches.c --stdin input --limit memory=1K", "16M"),
        ("explore branches.c --stdin input --jobs 0", "--jobs"),
        ("predict branches.c --jobs 0", "--jobs"),
    ] {
        let (_, err) = sandbox.run(line, 2);
        assert!(err.contains(part), "{line}: {err}");
    }
}

#[test]
fn help_is_a_command_too() {
    let sandbox = Sandbox::with(&[]);
    assert_eq!(sandbox.run("help", 0), sandbox.run("--help", 0));
    for command in ["check", "mixlang", "solve"] {
        assert_eq!(sandbox.run(&format!("help {command}"), 0), sandbox.run(&format!("{command} --help"), 0));
    }
    assert!(sandbox.run("help frob", 2).1.contains("frob"));
    sandbox.run("man --output pages", 0);
    let pages = std::fs::read_dir(sandbox.path("pages")).unwrap();
    assert!(pages.flatten().all(|page| !page.file_name().to_string_lossy().starts_with("provoke-help")));
}

/// Each would go on for minutes.
#[test]
fn an_interrupt_ends_what_only_solves() {
    let hard = "
        input x : int = 1; input y : int = 1; input z : int = 1; var a : int; var b : int; var c : int;
        a := x * x; a := a * x; b := y * y; b := b * y; c := z * z; c := c * z;
        a := a + b; a := a + c; a := a - 114; b := div(1, a); c := a + 1; b := div(1, c);";
    let product = "(set-logic QF_BV)(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
        (assert (= (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y)) (_ bv276028547407528500944244193511643060947 128)))
        (assert (bvugt x #x0000000000000001))(assert (bvugt y #x0000000000000001))(check-sat)(check-sat)";
    let counts = "extern n : int in var i = 0 in while i < n do i <- i + 1; i";
    let endless = "let f = fun x -> (while true do x; 0) in f 1";
    let cases = [
        (hard, "csimpl program --subtyping prove --limit query-time=600,query-steps=4000000000"),
        (product, "solve program --limit query-time=600"),
        (counts, "mixlang program --outermost symbolic --iterations 10000000 --paths 10000000"),
        (endless, "mixlang program --run"),
    ];
    for (text, line) in cases {
        let sandbox = Sandbox::with(&[]);
        // Opening it waits for the command, which takes notice of Ctrl-C by then.
        assert!(Command::new("mkfifo").arg(sandbox.path("program")).status().unwrap().success());
        let child = sandbox.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        sandbox.put("program", text);
        std::thread::sleep(Duration::from_millis(200));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let (_, err) = expect(&child.wait_with_output().unwrap(), 130);
        assert!(err.contains("provoke: interrupted: "), "{line}: {err}");
    }
}

#[test]
fn whoever_has_seen_enough_still_gets_the_exit_code() {
    let divides = "input x : int = 1; var y : int; y := div(1, x);";
    let sandbox = Sandbox::with(&[("divides.csimpl", divides), ("no.mix", "not 1"), ("sums.c", SUMS), ("input", "aa")]);
    sandbox.run("cc -g sums.c -o sums", 0);
    for line in [
        "csimpl divides.csimpl --subtyping prove",
        "csimpl divides.csimpl --subtyping prove --json",
        "mixlang no.mix",
        "mixlang no.mix --json",
        "mixlang no.mix --run",
        "check sums --stdin input",
        "explore sums --stdin input --out text --time 20",
        "explore sums --stdin input --out json --time 20 --json",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = sandbox.command(line).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        expect(&output.wait_with_output().unwrap(), 1);
    }
}

/// Divides by what is left of two bytes.
const SUMS: &str = r#"
#include <stdio.h>
int main(void) {
    int first = getchar(), second = getchar();
    return 100 / (first - second + 1);
}
"#;

/// Removes the file that it is traced with when its numbers have many digits.
const CLEANS_UP: &str = r#"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char text[64] = "", view[PATH_MAX] = "";
    ssize_t length = read(0, text, sizeof text - 1);
    char *second = strchr(text, ' ');
    if (length < 3 || !second)
        return 2;
    if (length > 10 && readlink("/proc/self/exe", view, sizeof view - 1) > 0 && strstr(view, "concolic"))
        unlink(view);
    int product = atoi(text) * 1000;
    return product == atoi(second);
}
"#;

#[test]
fn static_programs_are_checked() {
    let source =
        "#include <stdio.h>\nint main(void) { char b[8] = {0}; int n = getchar(); b[n & 15] = 1; return b[0]; }\n";
    let sandbox = Sandbox::with(&[("a.c", source), ("input", "a")]);
    for (flag, name) in [("-static", "fixed"), ("-static-pie", "moved")] {
        sandbox.run(&format!("cc {flag} -g a.c -o {name}"), 0);
        let (out, _) = sandbox.run(&format!("check {name} --stdin input"), 1);
        assert!(out.contains("[stack-buffer-overflow]"), "{out}");
    }
}

#[test]
fn what_was_found_stays_when_a_later_look_fails() {
    let sandbox = Sandbox::with(&[("program.c", CLEANS_UP), ("input", "12 7")]);
    let (out, err) = sandbox.run("check program.c --stdin input --no-branches", 1);
    // The first look at numbers with more digits finds this; the next ones cannot be made.
    assert!(out.contains("program.c:14:"), "{out}");
    assert!(err.contains("not all longer and shorter inputs were looked at: cannot start"), "{err}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::with(&[]);
    let program = r#"
        #include <stdio.h>
        int main(void) {
            int byte;
            while ((byte = getchar()) != EOF)
                if (byte == 'x')
                    puts("x");
            return 0;
        }"#;
    sandbox.put("many.c", program);
    sandbox.put("input", &"y".repeat(20_000));
    let mut command = sandbox.command("trace many.c --stdin input");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("stdin[0]"), "{line}");
    let (_, errors) = expect(&child.wait_with_output().unwrap(), 0);
    assert_eq!(errors, "");
}

/// Everything that the program prints on the inputs in a folder.
fn outputs(sandbox: &Sandbox, program: &str, folder: &str) -> Vec<String> {
    let mut inputs: Vec<PathBuf> =
        std::fs::read_dir(sandbox.path(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    let run = |input: PathBuf| {
        let stdin = std::fs::File::open(input).unwrap();
        String::from_utf8(Command::new(sandbox.path(program)).stdin(stdin).output().unwrap().stdout).unwrap()
    };
    inputs.into_iter().map(run).collect()
}

#[test]
fn branches_and_switches_are_flipped() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    sandbox.run("cc -O1 -g branches.c -o branches", 0);
    let (out, _) = sandbox.run("trace branches --stdin input --flip flips --stats", 0);
    assert!(out.contains("flipped: 3 inputs in flips; 0 impossible, 0 not solved"), "{out}");
    assert!(out.contains("3 queries: 3 sat"), "{out}");
    let mut printed = outputs(&sandbox, "branches", "flips");
    printed.sort();
    assert_eq!(printed, ["starts with G\n", "starts with G\nthen J\n", "then I\n"]);
}

fn trace_json(sandbox: &Sandbox, arguments: &str) -> serde_json::Value {
    let (out, _) = sandbox.run(&format!("trace --json --full {arguments}"), 0);
    serde_json::from_str(&out).unwrap()
}

/// What a run decided at each constraint.
fn decisions(trace: &serde_json::Value) -> Vec<[String; 4]> {
    let constraints = trace["constraints"].as_array().unwrap().iter();
    constraints.map(|c| ["kind", "term", "taken", "value"].map(|field| c[field].to_string())).collect()
}

#[test]
fn flipped_inputs_follow_the_path_and_leave_it_where_they_should() {
    let sandbox = Sandbox::with(&[]);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pack");
    for file in ["unpack.c", "three-records.pack"] {
        std::fs::copy(example.join(file), sandbox.path(file)).unwrap();
    }
    sandbox.run("cc -O2 -g unpack.c -o unpack", 0);
    let original = trace_json(&sandbox, "unpack --stdin three-records.pack --flip flips");
    let flips = original["flips"]["inputs"].as_array().unwrap();
    assert!(flips.len() > 20, "{flips:?}");
    let original = decisions(&original);
    for flip in flips {
        let arguments = format!("unpack --stdin flips/{}", flip["name"].as_str().unwrap());
        let flipped = decisions(&trace_json(&sandbox, &arguments));
        let place = usize::try_from(flip["constraint"].as_u64().unwrap()).unwrap();
        assert_eq!(flipped[..place], original[..place], "{flip}");
        assert_eq!(flipped[place][..2], original[place][..2], "{flip}");
        assert_ne!(flipped[place], original[place], "{flip}");
    }
}

/// Both SymCC and SymSan lose this branch: at -O2 the rotation is a funnel shift.
#[test]
fn a_branch_on_a_hash_with_rotations_is_flipped() {
    let sandbox = Sandbox::with(&[]);
    let program = r#"
        #include <stdint.h>
        #include <stdio.h>
        static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }
        int main(void) {
            uint32_t hash = 0x811c9dc5;
            for (int i = 0; i < 8; i++)
                hash = rotate(hash, 5) + ((uint32_t)getchar() ^ 0x9e3779b1u);
            hash = __builtin_bswap32(hash);
            if (hash == 0x12345678)
                fputs("secret\n", stdout);
            return 0;
        }"#;
    sandbox.put("hash.c", program);
    sandbox.put("input", "abcdefgh");
    sandbox.run("cc -O2 -g hash.c -o hash", 0);
    let (out, _) = sandbox.run("trace hash --stdin input --flip flips", 0);
    let printed = outputs(&sandbox, "hash", "flips");
    assert!(printed.iter().any(|text| text.contains("secret")), "{printed:?}\n{out}");
}

#[test]
fn queries_are_answered() {
    let sandbox = Sandbox::with(&[
        ("sat", "(assert (eq (add x:8 0x1) 0x0))"),
        ("unsat", "(assert (ult x:8 0x3))(assert (ult 0x7 x:8))"),
    ]);
    let smtlib = "(set-logic QF_BV)(declare-const y (_ BitVec 4))(assert (= (bvmul y #x3) #x9))(check-sat)";
    sandbox.put("smt", smtlib);
    let (out, _) = sandbox.run("solve sat", 0);
    assert!(out.starts_with("sat\n") && out.contains("0xff"), "{out}");
    let (out, _) = sandbox.run("solve sat unsat smt --solver z3 --stats", 0);
    assert!(out.contains("unsat: unsat") && out.contains("smt: sat") && out.contains("3 queries"), "{out}");
    let (out, _) = sandbox.run("solve --json unsat", 0);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["queries"][0]["answer"], "unsat");
    sandbox.put("broken", "(assert");
    let (_, errors) = sandbox.run("solve broken", 2);
    assert!(errors.contains("broken") && errors.contains("line 1"), "{errors}");
}

/// What a tier answered, from the table that `--stats` prints: sat and unsat.
fn answered(table: &str, tier: &str) -> u64 {
    let row = table.lines().find(|line| line.starts_with(tier)).unwrap_or_else(|| panic!("no {tier} in {table}"));
    row.split_whitespace().skip(2).take(2).map(|number| number.parse::<u64>().unwrap()).sum()
}

#[test]
fn answers_are_kept_for_later_runs() {
    let sandbox =
        Sandbox::with(&[("query", "(assert (eq (mul x:16 y:16) 0x4f1b)) (assert (ult 1 x:16)) (assert (ult 1 y:16))")]);
    let solve = |more: &str| {
        let (out, _) = sandbox.run(&format!("solve query --stats {more}"), 0);
        assert!(out.starts_with("sat\n"), "{out}");
        // Every tier has its row.
        for tier in solver::Tier::ALL {
            answered(&out, tier.name());
        }
        (answered(&out, "query-cache"), answered(&out, "backend"))
    };
    // Without a project there is no file, and none is made.
    assert_eq!((solve(""), solve("")), ((0, 1), (0, 1)));
    assert!(!sandbox.path(".provoke").exists());
    let named = "--query-cache answers";
    assert_eq!((solve(named), solve(named)), ((0, 1), (1, 0)));
    assert!(sandbox.path("answers").exists());
    std::fs::create_dir(sandbox.path(".provoke")).unwrap();
    assert_eq!((solve(""), solve(""), solve("--no-query-cache")), ((0, 1), (1, 0), (0, 1)));
}

#[test]
fn bad_input_is_exit_code_two() {
    let sandbox = Sandbox::with(&[
        ("broken.c", "int main(void) { return }"),
        ("notes.txt", "not a program"),
        ("sat", "(assert (eq x:8 0x1))"),
    ]);
    for (line, expected) in [
        ("trace missing", "missing"),
        ("trace broken.c", "broken.c"),
        ("trace notes.txt", "notes.txt"),
        (&format!("info {PROVOKE}"), "provoke cc"),
        ("trace x.c --limit frobs=1", "frobs"),
        ("trace x.c --solver magic", "magic"),
        ("solve sat --limit query-conflicts=9", "choose z3"),
        ("solve sat --query-cache missing/cache", "missing/cache"),
        ("solve sat --query-cache cache --no-query-cache", "--no-query-cache"),
        ("frobnicate", "frobnicate"),
        ("", "Usage"),
    ] {
        let (_, errors) = sandbox.run(line, 2);
        assert!(errors.contains(expected), "{line}: {errors}");
    }
}

#[test]
fn an_argument_that_names_no_input_is_explained() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES)]);
    let (_, errors) = sandbox.run("trace branches.c -- @@", 2);
    assert!(errors.contains("--file FILE"), "{errors}");
}

#[test]
fn the_compiler_is_clang_under_every_name() {
    let sandbox = Sandbox::with(&[("hello.cpp", "#include <cstdio>\nint main() { puts(\"hello\"); }")]);
    let link = sandbox.path("provoke-c++");
    std::os::unix::fs::symlink(PROVOKE, &link).unwrap();
    let output = Command::new(&link).args(["hello.cpp", "-o", "hello"]).current_dir(sandbox.path("")).output().unwrap();
    expect(&output, 0);
    let hello = Command::new(sandbox.path("hello")).output().unwrap();
    assert_eq!(hello.stdout, b"hello\n");
    let (version, _) = sandbox.run("cc --version", 0);
    assert!(version.contains("clang"), "{version}");
    sandbox.run("cc missing.c", 1);
}

#[test]
fn help_version_man_pages_and_completions_are_there() {
    let sandbox = Sandbox::with(&[]);
    let (help, _) = sandbox.run("--help", 0);
    assert!(help.contains("Exit codes:") && help.contains("c++"), "{help}");
    let (version, _) = sandbox.run("--version", 0);
    assert!(version.starts_with("provoke ") && version.contains("LLVM 19"), "{version}");
    assert!(version.contains("bitwuzla") && version.contains("z3"), "{version}");
    for shell in ["bash", "zsh", "fish"] {
        let (script, _) = sandbox.run(&format!("completions {shell}"), 0);
        assert!(script.contains("provoke") && script.contains("trace"), "{script}");
    }
    let (page, _) = sandbox.run("man", 0);
    assert!(page.contains(".TH provoke 1"), "{page}");
    sandbox.run("man --output pages", 0);
    for page in ["provoke.1", "provoke-trace.1", "provoke-view.1"] {
        assert!(sandbox.path("pages").join(page).is_file(), "{page}");
    }
}

#[test]
fn a_check_that_had_no_time_says_nothing_of_the_path() {
    let sandbox = Sandbox::with(&[]);
    let source = "#include <assert.h>\n#include <unistd.h>\nint main(void) {\n    unsigned char b[2];\n    \
                  if (read(0, b, 2) != 2) return 1;\n    assert(b[0] * b[1] != 289);\n    return 0;\n}\n";
    sandbox.put("product.c", source);
    sandbox.put("in", "ab");
    let (report, _) = sandbox.run("check product.c --stdin in --time 0", 0);
    assert!(report.contains("stopped before everything was tried"), "{report}");
    for claim in ["verified", "proved", "Nothing on the path"] {
        assert!(!report.contains(claim), "{report}");
    }
}

/// Files may not be longer than a few thousand bytes, as where the disk is full.
#[test]
fn no_room_for_temporary_files_is_no_finding() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    sandbox.run("cc -g branches.c -o branches", 0);
    for command in ["check", "explore", "replay", "trace"] {
        let line = format!("trap '' XFSZ; ulimit -f 8; exec {PROVOKE} {command} branches --stdin input");
        let output = Command::new("bash").args(["-c", &line]).current_dir(sandbox.path("")).output().unwrap();
        let (_, said) = expect(&output, 2);
        assert!(said.contains("TMPDIR says where temporary files go") && !said.contains("LLVM"), "{said}");
    }
}

#[test]
fn a_folder_for_temporary_files_that_is_missing_is_named() {
    let sandbox = Sandbox::with(&[("branches.c", BRANCHES), ("input", "GI")]);
    sandbox.run("trace branches.c --stdin input", 0);
    sandbox.run("cc -g branches.c -o branches", 0);
    sandbox.run("trace branches --stdin input", 0);
    for program in ["branches", "branches.c"] {
        let line = format!("trace {program} --stdin input");
        for folder in ["/nowhere", "/dev/null"] {
            let (_, said) = expect(&sandbox.command(&line).env("TMPDIR", folder).output().unwrap(), 2);
            assert!(said.contains(folder) && said.contains("TMPDIR says where temporary files go"), "{said}");
        }
    }
}

/// Nothing but the models is compiled for the first time when a view is made.
#[test]
fn models_that_cannot_become_code_are_no_finding() {
    let program = "#include <math.h>\n#include <stdio.h>\nint main(void) { return (int)lgamma(getchar()); }\n";
    let model = "#include <provoke.h>\ndouble PROVOKE_MODEL(lgamma)(double x) {\n    __asm__ volatile(\"bogus\");\n    \
                 return x;\n}\n";
    let sandbox = Sandbox::with(&[("gamma.c", program), ("models.c", model), ("input", "a")]);
    let (_, said) = sandbox.run("check gamma.c --stdin input --models models.c", 2);
    assert!(said.contains("models.c do not go with the program") && said.contains("bogus"), "{said}");
}
