//! The driver behaves like clang: the same files, messages and exit status.

mod support;

use support::{Workshop, same_from};

const MAIN: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

/// Runs both drivers on the same files; everything that can be seen has to be equal. Returns both folders, clang's first.
fn compare_with_input(files: &[(&str, &str)], arguments: &[&str], input: &[u8]) -> (Workshop, Workshop) {
    let (plain, ours) = (Workshop::new(files), Workshop::new(files));
    let expected = plain.clang(arguments, input);
    let found = ours.provoke(arguments, input);
    assert_eq!(found.status, expected.status, "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&expected.stdout), "{arguments:?}");
    let without_address = |text: &[u8]| {
        // Temporary objects have random names.
        let text = String::from_utf8_lossy(text).into_owned();
        let lines = text.lines().map(|line| line.split("/tmp/").next().unwrap_or_default().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(without_address(&found.stderr), without_address(&expected.stderr), "{arguments:?}");
    assert_eq!(ours.files(), plain.files(), "{arguments:?}");
    (plain, ours)
}

fn compare(files: &[(&str, &str)], arguments: &[&str]) -> (Workshop, Workshop) {
    compare_with_input(files, arguments, b"")
}

#[test]
fn questions_are_answered_by_clang() {
    for argument in
        ["--version", "-dumpmachine", "-print-search-dirs", "-print-file-name=libc.so", "-dumpversion", "--help"]
    {
        compare(&[], &[argument]);
    }
    compare(&[], &[]);
    compare(&[], &["-v"]);
}

#[test]
fn outputs_that_are_no_objects() {
    let files = [("a.c", MAIN)];
    for arguments in [
        ["-E", "a.c", "-P"].as_slice(),
        &["-S", "a.c"],
        &["-S", "-emit-llvm", "a.c", "-o", "x.ll"],
        &["-c", "-emit-llvm", "a.c"],
        &["-fsyntax-only", "a.c"],
        &["-c", "-Xclang", "-dump-tokens", "a.c"],
        &["-M", "a.c"],
        &["-MM", "-MG", "a.c"],
        &["-c", "a.c", "-o", "/dev/null"],
        &["a.c", "-o", "/dev/null"],
    ] {
        let (plain, ours) = compare(&files, arguments);
        for file in ours.files() {
            assert!(ours.read(&file) == plain.read(&file), "{arguments:?}: {file} differs");
        }
    }
}

#[test]
fn the_native_object_is_clangs_with_something_behind_it() {
    for level in ["-O0", "-O2", "-Os", "-O3"] {
        let (plain, ours) = compare(&[("a.c", MAIN)], &["-c", level, "a.c"]);
        // The ELF header, 64 bytes, says where the section headers are.
        same_from(64, &plain.read("a.o"), &ours.path("a.o"));
    }
}

#[test]
fn dependency_files() {
    let files = [("a.c", "#include \"a.h\"\n"), ("a.h", "int x;\n")];
    for arguments in [
        ["-MMD", "-c", "a.c", "-o", "out.o"].as_slice(),
        &["-MD", "-MP", "-MF", "x.d", "-MT", "target", "-c", "a.c"],
        &["-MMD", "-MQ", "x y", "-c", "a.c"],
    ] {
        let (plain, ours) = compare(&files, arguments);
        for file in ours.files().into_iter().filter(|file| file.ends_with(".d")) {
            assert_eq!(ours.read(&file), plain.read(&file));
        }
    }
}

#[test]
fn failures_are_clangs_own() {
    let files = [
        ("bad.c", "int main(void) { return nothing; }\n"),
        ("call.c", "int f(void); int main(void) { return f(); }\n"),
    ];
    compare(&files, &["-c", "bad.c"]);
    compare(&files, &["-c", "bad.c", "call.c"]);
    compare(&files, &["call.c", "-o", "prog"]);
    compare(&files, &["missing.c"]);
    compare(&files, &["-c", "call.c", "-o", "no/such/folder/x.o"]);
    compare(&files, &["-c", "-fno-such-flag", "call.c"]);
    compare(&files, &["@missing.rsp"]);
    compare(&[("a.s", "no instruction\n")], &["-c", "a.s"]);
}

#[test]
fn warnings_are_printed_once() {
    let files = [("w.c", "int f(void) { }\n")];
    compare(&files, &["-c", "-Wall", "w.c"]);
    compare(&files, &["-c", "-Wall", "-Werror", "w.c"]);
    compare(&files, &["-c", "-L/nowhere", "w.c"]);
}

#[test]
fn source_on_standard_input() {
    let (_, ours) = compare_with_input(&[], &["-x", "c", "-", "-o", "prog"], MAIN.as_bytes());
    assert_eq!(ours.run("./prog"), "hello\n");
    compare_with_input(&[], &["-x", "c", "-c", "-", "-o", "a.o"], MAIN.as_bytes());
    compare_with_input(&[], &["-x", "c", "-E", "-"], MAIN.as_bytes());
    compare_with_input(&[], &["-x", "c", "-c", "-", "-o", "a.o"], b"not C");
}

#[test]
fn temporary_files_that_are_wanted() {
    let (plain, ours) = compare(&[("a.c", MAIN)], &["-save-temps", "a.c", "-o", "prog"]);
    assert_eq!(ours.read("a.s"), plain.read("a.s"));
    assert_eq!(ours.open("prog").modules.len(), 1);
    compare(&[("a.c", MAIN)], &["-gsplit-dwarf", "-g", "-c", "a.c"]);
    compare(&[("a.c", MAIN)], &["-ftime-trace", "-c", "a.c"]);
    compare(&[("a.c", MAIN)], &["--coverage", "-c", "a.c"]);
}

#[test]
fn probes_of_configure_scripts() {
    let files = [("conftest.c", MAIN)];
    compare(&files, &["-o", "conftest", "-O2", "conftest.c"]);
    compare(&files, &["-flto", "-o", "conftest", "conftest.c"]).1.run("./conftest");
}

#[test]
fn precompiled_headers() {
    let files = [("h.h", "#define ANSWER 42\n"), ("a.c", "#include \"h.h\"\nint f(void) { return ANSWER; }\n")];
    let workshop = Workshop::new(&files);
    workshop.run("$CC -x c-header h.h -o h.h.pch; $CC -include-pch h.h.pch -c a.c; $CC -include h.h -c a.c -o b.o");
    workshop.run("$CC -shared a.o -o a.so && $CC -shared b.o -o b.so");
    assert_eq!(support::sources(&workshop.open("a.so")), ["a.c"]);
    assert_eq!(support::sources(&workshop.open("b.so")), ["a.c"]);
}

#[test]
fn death_by_a_signal_is_passed_on() {
    let workshop = Workshop::new(&[]);
    // A stand-in for clang that dies by SIGTERM when it is given a source file.
    workshop.write(
        "clang",
        "#!/bin/sh\ncase \"$*\" in --version) echo clang version 19.0.0;; *a.c*) kill -TERM $$;; esac\n",
    );
    workshop.run("chmod +x clang");
    let status = workshop.run("PROVOKE_CLANG=./clang $CC -c a.c || echo $?");
    assert_eq!(status, format!("{}\n", 128 + 15));
}

/// What GCC still takes, and clang 19 does not, unless it is told that warnings are errors.
#[test]
fn old_c_is_accepted() {
    const OLD: &str = "compare(a, b) char *a, *b; { if (!a) return; return other(a) - (a == b); }\n\
        int (*order)(const void *, const void *) = compare;\n\
        main() { int text = \"text\"; return !order + text; }\n";
    let status = |extra: &[&str]| {
        let arguments = [&["-w", "-c", "old.c"], extra].concat();
        Workshop::new(&[("old.c", OLD)]).provoke(&arguments, b"").status.code()
    };
    assert_eq!(status(&[]), Some(0));
    assert_eq!(status(&["-Werror"]), Some(1));
    assert_eq!(status(&["-Werror=implicit-int"]), Some(1));
}
