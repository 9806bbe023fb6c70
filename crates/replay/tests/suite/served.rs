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
fn arguments_are_those_of_the_run() {
    let source = r#"
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char own[8];
    if (argc != 4 || strcmp(argv[1], "-n") || strcmp(argv[3], "last")) return 99;
    strcpy(own, argv[2]); // copied
    return (int)strlen(own);
}
"#;
    let bench = Bench::with(source, &["-n", "4", "last"], Settings { limits: patient(), ..Settings::default() });
    let input = |text: &str| {
        let part = Part { source: Source::Argument(2), bytes: text.as_bytes().to_vec() };
        Input { parts: vec![part] }
    };
    bench.replayer.replay(&input("first")).unwrap();
    for text in ["", "a", "seven b", "eight by", &"x".repeat(200_000), &"long".repeat(20_000), "b"] {
        // The system takes no argument of that length.
        if text.len() > 128 << 10 {
            assert!(bench.replayer.replay(&input(text)).is_err());
            continue;
        }
        let (served, alone) = (bench.replayer.replay(&input(text)).unwrap(), bench.alone(&input(text)));
        assert_eq!((served.end, &served.violations), (alone.end, &alone.violations), "{text}");
        let is_too_long = text.len() > 7;
        assert_eq!(served.violations.len(), usize::from(is_too_long), "{text}");
        if !is_too_long {
            assert_eq!(served.end, End::Other(Status::Exited(text.len() as i32)));
        }
    }
}

#[test]
fn every_run_finds_the_folder_as_it_was() {
    let source = r#"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    FILE *file = fopen("sub/known", "r");
    int known = file ? fgetc(file) : -1;
    if (access("new", F_OK) == 0) return 1;
    if (mkdir("new", 0700) || rename("sub", "new/sub")) return 2;
    FILE *replaced = fopen("new/sub/known", "w");
    if (!replaced || fputc('z', replaced) < 0) return 3;
    return known;
}
"#;
    let settings = Settings { limits: patient(), serve_at_once: true, ..Settings::default() };
    let bench = Bench::with(source, &[], settings);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/known"), "a").unwrap();
    let surroundings = run::Surroundings { folder: Some(folder.path().to_owned()), ..run::Surroundings::default() };
    let replayer = bench.replayer.with(Vec::new(), surroundings);
    for _ in 0..3 {
        let end = replayer.replay(&Input::default()).unwrap().end;
        assert_eq!(end, End::Other(Status::Exited(i32::from(b'a'))));
    }
    assert_eq!(std::fs::read(folder.path().join("sub/known")).unwrap(), b"a");
}

#[test]
fn runs_with_other_arguments_files_and_folders_are_like_processes_of_their_own() {
    let source = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    static char text[16];
    FILE *beside = fopen("beside", "r");
    int sum = argc * 64 + (beside ? fgetc(beside) - 'a' : 0);
    for (int i = 1; i < argc; i++) {
        const char *name = strrchr(argv[i], '/');
        FILE *file = fopen(argv[i], "r");
        if (name && strlen(name + 1) > 6) return 1;
        if (file) sum += fgetc(file) - 'a';
        if (!file) strcpy(text, argv[i]);
    }
    return sum;
}
"#;
    let settings = Settings { limits: patient(), serve_at_once: true, ..Settings::default() };
    let bench = Bench::with(source, &[], settings);
    let folder = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("beside"), text).unwrap();
        folder
    };
    let folders = [folder("b"), folder("c")];
    let file = |name: &str, text: &str| Part { source: Source::File(name.into()), bytes: text.into() };
    let runs: [(&[&str], Option<usize>, Vec<Part>); 7] = [
        (&["-a", "@@"], None, vec![file("one", "b")]),
        (&["@@", "-b"], None, vec![file("other", "c")]),
        (&["@@2", "@@1"], Some(0), vec![file("one", "b"), file("two", "d")]),
        (&["-a", "@@"], Some(1), vec![file("x/too-long", "b")]),
        (&["what overflows it", "-"], Some(1), vec![]),
        (&["-a", "-b", "@@"], Some(0), vec![file("one", "e")]),
        (&["-a", "@@"], Some(0), vec![file("one", "f")]),
    ];
    for (args, folder, parts) in runs.into_iter().cycle().take(14) {
        let folder = folder.map(|index| folders[index].path().to_owned());
        let surroundings = run::Surroundings { folder, ..run::Surroundings::default() };
        let args: Vec<_> = args.iter().map(Into::into).collect();
        let input = Input { parts };
        let served = bench.replayer.with(args.clone(), surroundings.clone()).replay(&input).unwrap();
        let alone = bench.alone_with(args, surroundings, &input);
        assert_eq!((served.end, served.violations), (alone.end, alone.violations), "{input:?}");
    }
}

#[test]
fn a_server_outlives_the_thread_that_started_it() {
    // The server is the parent of its runs.
    let source = "#include <unistd.h>\nint main(void) { return getppid() & 127; }";
    let bench = Bench::with(source, &[], Settings { limits: patient(), serve_at_once: true, ..Settings::default() });
    let run = || std::thread::scope(|scope| scope.spawn(|| bench.run("").end).join().unwrap());
    let first = run();
    assert_eq!([run(), run()], [first, first]);
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

#[test]
fn the_server_is_no_part_of_a_run() {
    // Runs that are long enough to be looked at, alone and served.
    let source = "#include <unistd.h>\nint main(void) { usleep(100000); return 3; }";
    let limits = Limits { processes: 1, ..patient() };
    let bench = Bench::with(source, &[], Settings { limits, ..Settings::default() });
    for _ in 0..3 {
        assert_eq!(bench.run("").end, End::Other(Status::Exited(3)));
    }
}

#[test]
fn a_program_that_ignores_the_ends_of_its_children_from_the_start_is_served() {
    let source = r#"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((constructor)) static void early(void) { signal(SIGCHLD, SIG_IGN); }
int main(void) {
    if (fork() == 0) _exit(0);
    return wait(NULL) < 0 ? 4 : 5;
}
"#;
    let bench = Bench::new(source);
    for _ in 0..3 {
        assert_eq!(bench.run("").end, End::Other(Status::Exited(4)));
    }
}

#[test]
fn what_a_run_left_behind_goes_with_its_supervisor() {
    // Each run leaves a process behind that writes its number, and kills the supervisor: the parent, or that of the server.
    let source = r#"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int parent_of(int process) {
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0) return 0;
    fclose(file);
    char *end = strrchr(text, ')');
    return end ? atoi(end + 4) : 0;
}
int main(void) {
    char path[512] = "";
    if (!fgets(path, sizeof path, stdin)) return 1;
    int to_say[2];
    if (pipe(to_say) != 0) return 2;
    if (fork() == 0) {
        FILE *file = fopen(path, "a");
        fprintf(file, "%d\n", getpid());
        fclose(file);
        if (write(to_say[1], "", 1) != 1) return 3;
        for (;;) pause();
    }
    char byte;
    if (read(to_say[0], &byte, 1) != 1) return 4;
    int server = getppid(), above = parent_of(server);
    char name[4096] = "", own[4096] = "", link[64];
    snprintf(link, sizeof link, "/proc/%d/exe", server);
    // The server is this program; the supervisor is the engine's.
    if (readlink(link, name, sizeof name - 1) > 0 && readlink("/proc/self/exe", own, sizeof own - 1) > 0)
        kill(strcmp(name, own) == 0 ? above : server, SIGKILL);
    for (;;) pause();
}
"#;
    let bench = Bench::new(source);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("left");
    for _ in 0..2 {
        assert_eq!(bench.run(file.to_str().unwrap()).end, End::Other(Status::Lost));
    }
    let left = std::fs::read_to_string(&file).unwrap();
    assert!(left.lines().count() > 3, "{left}");
    for process in left.lines() {
        // One that nobody waits for stays as a zombie where there is no init.
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "{process} is still there");
    }
}

/// A harness: its status is how often it was called in its process.
const HARNESS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
extern int __provoke_again(void) __attribute__((weak));
static int runs;
static void test(int byte) {
    runs++;
    if (byte == 'a') abort();
    if (byte == 't') for (;;) {}
    if (byte == 'e') exit(runs);
}
int main(void) {
    do {
        test(getc(fopen("/dev/stdin", "rb")));
    } while (__provoke_again && __provoke_again());
    return 50;
}
"#;

#[test]
fn a_process_may_do_many_runs() {
    let limits = Limits { time: Duration::from_secs(2), ..patient() };
    let statuses = |reuse: bool| {
        let bench = Bench::with(HARNESS, &[], Settings { limits: limits.clone(), reuse, ..Settings::default() });
        let ends = ["x", "e", "x", "x", "xyz", "e", "x", "a", "e", "x", "t", "e"].map(|text| bench.run(text).end);
        ends.map(|end| if let End::Other(Status::Exited(status)) = end { status } else { -1 })
    };
    // The first one has no server. Whoever waits for more has done its run well.
    assert_eq!(statuses(true), [50, 1, 0, 0, 0, 4, 0, -1, 1, 0, -1, 1]);
    assert_eq!(statuses(false), [50, 1, 50, 50, 50, 1, 50, -1, 1, 50, -1, 1]);
}

/// Counts its own runs in a file beside it.
const COUNTED: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[64] = "", name[4096];
    ssize_t length = readlink("/proc/self/exe", name, sizeof name - 8);
    if (argc > 1 || length < 0) return 9;
    sprintf(name + length, ".runs");
    int runs = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (runs < 0 || write(runs, "x", 1) != 1) return 8;
    if (!fgets(line, sizeof line, stdin)) return 7;
    return 100 / (line[0] - 'a'); // division
}
"#;

#[test]
fn a_run_that_has_begun_is_not_done_again() {
    let settings = Settings { limits: patient(), serve_at_once: true, ..Settings::default() };
    let bench = Bench::with(COUNTED, &[], settings);
    let runs = || std::fs::read(bench.view().with_extension("runs")).unwrap_or_default().len();
    let within = |text: &str, armed: &[u32]| {
        bench.replayer.replay_armed_within(&Input::stdin(text), armed, Duration::from_secs(100)).unwrap()
    };
    bench.replayer.begin(Input::stdin("a"));
    // Others are run, and do not take it away.
    assert_eq!(within("b", &[]).end, End::Other(Status::Exited(100)));
    assert!(!within("a", &[0]).violations.is_empty());
    let begun = within("a", &[]);
    assert_eq!(runs(), 3);
    assert_eq!(begun.violations, bench.alone(&Input::stdin("a")).violations);
    // It is given once.
    assert_eq!(within("a", &[]).violations, begun.violations);
    assert_eq!(runs(), 5);
    // One that nobody asks for has ended when its replayer is gone.
    let other = bench.replayer.with(Vec::new(), run::Surroundings::default());
    other.begin(Input::stdin("b"));
    drop(other);
    assert_eq!(runs(), 6);
}
