//! Views of small programs, made and run.

use cc::bundle::Program;
use refine::Specification;
use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use trace::rule::RuleSet;
use views::{BitcodeError, Cache, Error, Kind};

const CONCOLIC: Kind = Kind::Concolic(RuleSet::NONE);

/// A folder with one source file.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(source: &str) -> Bench {
        let bench = Bench { folder: TempDir::new().expect("a temporary folder") };
        fs::write(bench.path("program.c"), source).expect("a source file");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self) -> Program {
        Program::open(&self.path("program.c")).expect("it compiles")
    }

    fn view(&self, kind: Kind) -> PathBuf {
        let view = self.path("view");
        views::make(&self.program(), kind, &Specification::default(), &view, &|_| {}).expect("a view");
        view
    }
}

fn run(program: &Path, input: &str) -> Output {
    let mut command = Command::new(program);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

const COUNTER: &str = r#"
#include <stdio.h>
static int vowels;
static int is_vowel(int c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }
int main(void) {
    for (int c = getchar(); c != EOF; c = getchar()) vowels += is_vowel(c);
    printf("%d\n", vowels);
    return vowels % 3;
}
"#;

#[test]
fn without_a_trace_the_concolic_view_is_the_program() {
    let bench = Bench::new(COUNTER);
    let view = bench.view(CONCOLIC);
    for (input, vowels) in [("", 0), ("queue\n", 4), ("rhythm and blues", 3)] {
        let output = run(&view, input);
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{vowels}\n"));
        assert_eq!(output.status.code(), Some(vowels % 3));
    }
}

#[test]
fn the_replay_view_reports_bad_accesses_that_optimisation_would_remove() {
    let bench = Bench::new(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  char *p = malloc(getchar() - '0');\n  \
         p[5] = 1;\n  int last = p[5];\n  free(p);\n  return last;\n}\n",
    );
    let view = bench.view(Kind::Replay(RuleSet::NONE));
    assert_eq!(run(&view, "6").status.code(), Some(1));
    let output = run(&view, "5");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(report.contains("heap-buffer-overflow") && report.contains("program.c:5"), "{report}");
}

#[test]
fn a_view_is_made_once() {
    let bench = Bench::new(COUNTER);
    let cache = Cache::of_project(bench.folder.path());
    let nothing = Specification::default();
    let steps = RefCell::new(Vec::new());
    let progress = |step: &str| steps.borrow_mut().push(step.to_owned());
    let first = cache.view(&bench.program(), CONCOLIC, &nothing, &progress).expect("a view");
    assert!(steps.borrow().len() > 3, "{steps:?}");
    steps.borrow_mut().clear();
    assert_eq!(cache.view(&bench.program(), CONCOLIC, &nothing, &progress).expect("the view"), first);
    assert!(steps.borrow().is_empty(), "{steps:?}");

    fs::write(bench.path("program.c"), COUNTER.replace("'u'", "'y'")).expect("another source");
    assert_ne!(cache.view(&bench.program(), CONCOLIC, &nothing, &progress).expect("another view"), first);

    let stated = Specification::parse("s", "main(): result >= 0").expect("a specification");
    let plain = cache.view(&bench.program(), CONCOLIC, &nothing, &progress).expect("a view");
    assert_ne!(cache.view(&bench.program(), CONCOLIC, &stated, &progress).expect("another view"), plain);
}

#[test]
fn a_damaged_view_is_made_again() {
    let bench = Bench::new(COUNTER);
    let (cache, program) = (Cache::of_project(bench.folder.path()), bench.program());
    let view = || cache.view(&program, CONCOLIC, &Specification::default(), &|_| {}).expect("a view");
    let (path, whole) = (view(), fs::read(view()).expect("a view"));
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for damaged in [&[], &whole[..whole.len() / 2], &whole[..whole.len() - 1], &changed] {
        fs::write(&path, damaged).expect("a file");
        assert_eq!(run(&view(), "banana").stdout, b"3\n");
    }
}

#[test]
fn projects_share_views() {
    let bench = Bench::new(COUNTER);
    let program = bench.program();
    let shared = bench.path("shared");
    let steps = RefCell::new(0);
    let view = |project: &str, shared: &Path| {
        let cache = Cache::of_project(&bench.path(project)).sharing(Some(shared.to_owned()));
        *steps.borrow_mut() = 0;
        let view = cache.view(&program, CONCOLIC, &Specification::default(), &|_| *steps.borrow_mut() += 1);
        let view = view.expect("a view");
        assert!(view.starts_with(bench.path(project)), "each project has its own: {view:?}");
        assert_eq!(run(&view, "banana").stdout, b"3\n");
        (*steps.borrow() > 0, view)
    };
    let (is_made, first) = view("one", &shared);
    assert!(is_made);
    assert!(!view("two", &shared).0);
    // What is damaged in one place comes from another, and what is damaged in both is made again.
    fs::write(&first, "damaged").expect("a file");
    assert!(!view("one", &shared).0);
    let kept = shared.join(first.file_name().expect("a name"));
    fs::write(&kept, "damaged").expect("a file");
    assert!(view("three", &shared).0);
    assert!(!view("four", &shared).0);
    let unfinished = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
    assert_eq!((unfinished(&shared), unfinished(&bench.path("four/views"))), (1, 1));
    // Where nothing can be shared, each has to be made.
    fs::write(bench.path("file"), "").expect("a file");
    assert!(view("five", &bench.path("file")).0);
    assert!(view("six", &bench.path("file")).0);
}

#[test]
fn broken_bitcode_is_an_error_that_names_its_module() {
    let bench = Bench::new(COUNTER);
    let mut program = bench.program();
    for len in [0, 3, 100] {
        program.modules[0].bitcode.truncate(100 - len);
        let error = views::make(&program, CONCOLIC, &Specification::default(), &bench.path("view"), &|_| {})
            .expect_err("broken");
        assert!(matches!(&error, Error::Bitcode(BitcodeError::Read { .. })), "{error}");
        assert!(error.to_string().contains("program.c"), "{error}");
    }
}

#[test]
fn symbols_of_one_name_stay_apart() {
    // `error` is the program's own and static; the C library has one too, and uses it.
    let bench = Bench::new(
        "#include <stdio.h>\nstatic int error(int n) { return n == '!' ? 3 : 4; }\nint (*volatile f)(int) = error;\n\
         int main(void) { return f(getchar()); }\n",
    );
    let view = bench.view(CONCOLIC);
    assert_eq!(run(&view, "!").status.code(), Some(3));
    assert_eq!(run(&view, "?").status.code(), Some(4));
}

/// The C library here may be older than these names, so the models are run as they are.
#[test]
fn numbers_of_c23_may_be_binary() {
    let bench = Bench::new(
        r#"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
long __provoke_x___isoc23_strtol(const char *, char **, int);
unsigned long __provoke_x___isoc23_strtoul(const char *, char **, int);
long __provoke_x_strtol(const char *, char **, int);
int __provoke_x___isoc23_sscanf(const char *, const char *, ...);
int __provoke_x_sscanf(const char *, const char *, ...);
int __provoke_real___isoc99_vsscanf(const char *s, const char *f, va_list a) { return vsscanf(s, f, a); }
int __provoke_real___isoc99_vfscanf(FILE *s, const char *f, va_list a) { return vfscanf(s, f, a); }
double __provoke_real_strtod(const char *s, char **e) { return strtod(s, e); }
size_t __provoke_real_strlen(const char *s) { return strlen(s); }
size_t __provoke_x_provoke_concrete(size_t value) { return value; }
float __provoke_real_strtof(const char *s, char **e) { return strtof(s, e); }
long double __provoke_real_strtold(const char *s, char **e) { return strtold(s, e); }
static void show(const char *text, int base) {
  char *end, *old_end;
  long value = __provoke_x___isoc23_strtol(text, &end, base), old = __provoke_x_strtol(text, &old_end, base);
  printf("%ld+%d %ld+%d\n", value, (int)(end - text), old, (int)(old_end - text));
}
int main(void) {
  show("0b101x", 0);
  show("-0B11", 2);
  show("0b", 2);
  show("0b2", 0);
  show("0b1", 16);
  show("0x1f", 2);
  show("0b1", 10);
  int a = -1, b = -1, c = -1;
  __provoke_x___isoc23_sscanf("0b110 7", "%i%i", &a, &c);
  __provoke_x_sscanf("0b110", "%i", &b);
  printf("%d %d %d %lu\n", a, b, c, __provoke_x___isoc23_strtoul("0b1111", NULL, 0));
  return 0;
}
"#,
    );
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/models");
    let program = bench.path("program");
    let mut clang = Command::new(Path::new(env!("LLVM_SYS_191_PREFIX")).join("bin/clang"));
    clang.args(["-fno-builtin", "-w", "-o"]).arg(&program).arg(bench.path("program.c"));
    let status = clang.args([models.join("numbers.c"), models.join("scan.c")]).status().expect("clang runs");
    assert!(status.success());
    let output = Command::new(&program).output().expect("it runs");
    let expected = "5+5 0+1\n-3+5 0+2\n0+1 0+1\n0+1 0+1\n177+3 177+3\n0+1 0+1\n0+1 0+1\n6 0 7 15\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
