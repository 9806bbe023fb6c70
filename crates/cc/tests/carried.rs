//! What programs carry, through everything that build systems do with objects.

mod support;

use support::{Workshop, sources};

const MAIN: &str = "#include <stdio.h>\nint f(void);\nint main(void) { printf(\"%d\\n\", f()); return 0; }\n";
const F: &str = "int f(void) { return 42; }\n";
const ASSEMBLER: &str = ".globl f\nf: movl $VALUE, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n";

fn c_files() -> Workshop {
    Workshop::new(&[("main.c", MAIN), ("f.c", F)])
}

#[test]
fn several_sources_in_one_call() {
    let workshop = c_files();
    workshop.run("$CC main.c f.c -o prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.c"]);
    assert!(program.modules.iter().all(|module| module.bitcode.starts_with(b"BC\xc0\xde")));
    assert!(program.has_main());
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn objects_linked_later() {
    let workshop = c_files();
    workshop.run("$CC -c main.c f.c && $CC main.o f.o -o prog && ./prog");
    assert_eq!(sources(&workshop.open("prog")), ["main.c", "f.c"]);
}

#[test]
fn bitcode_is_raw_and_can_be_optimised() {
    let workshop = c_files();
    workshop.run("$CC -O0 -c f.c main.c && $CC f.o main.o -o prog");
    let program = workshop.open("prog");
    std::fs::write(workshop.path("main.bc"), &program.modules[1].bitcode).unwrap();
    let text = workshop.run("llvm-dis-19 main.bc -o - || /usr/lib/llvm-19/bin/llvm-dis main.bc -o -");
    assert!(!text.contains("optnone"), "{text}");
    assert!(text.contains("!DILocation"), "{text}");
    // Nothing was promoted to registers.
    assert!(text.contains("alloca"), "{text}");
}

#[test]
fn the_program_sees_its_own_optimisation_level() {
    let text =
        "#ifdef __OPTIMIZE__\nint with;\n#else\nint without;\n#endif\n#ifdef __OPTIMIZE_SIZE__\nint size;\n#endif\n";
    let workshop = Workshop::new(&[("a.c", text)]);
    for (level, expected) in [("-O0", "@without"), ("-O2", "@with "), ("-Os", "@size")] {
        workshop.run(&format!("$CC {level} -shared -fPIC a.c -o a.so"));
        std::fs::write(workshop.path("a.bc"), &workshop.open("a.so").modules[0].bitcode).unwrap();
        let text = workshop.run("llvm-dis-19 a.bc -o -");
        assert!(text.contains(expected), "{level}: {text}");
    }
}

#[test]
fn static_libraries() {
    for archive in ["ar rc libf.a f.o g.o && ranlib libf.a", "ar rcT libf.a f.o g.o"] {
        let workshop = c_files();
        workshop.write("g.c", "int unused(void) { return 1; }\n");
        workshop.run(&format!("$CC -c f.c g.c && {archive} && $CC main.c -L. -lf -o prog && ./prog"));
        let program = workshop.open("prog");
        // Only members that the linker took.
        assert_eq!(sources(&program), ["f.c", "main.c"]);
        workshop.run("rm -f libf.a f.o g.o");
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    }
}

#[test]
fn a_static_library_with_a_member_of_another_compiler() {
    let workshop = Workshop::new(&[("main.c", MAIN), ("f.c", "int g(void); int f(void) { return g() + 1; }\n")]);
    workshop.write("g.c", "int g(void) { return 41; }\n");
    workshop.run("$CC -c f.c && clang-19 -c g.c && ar rc libf.a f.o g.o && $CC main.c libf.a -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["f.c", "main.c"]);
    workshop.run("rm libf.a *.o");
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    let info = cc::info::describe(&program);
    assert!(info.without_bitcode[0].ends_with("libf.a(g.o)"), "{info:?}");
}

#[test]
fn assembler_carries_itself() {
    for build in [
        "$CC -DVALUE=42 main.c f.S -o prog",
        "$CC -DVALUE=42 -c main.c f.S && $CC main.o f.o -o prog",
        "$CC -DVALUE=42 -c f.S && ar rc libf.a f.o && $CC main.c libf.a -o prog",
        "sed s/VALUE/42/ f.S > g.s && $CC main.c g.s -o prog",
        "sed s/VALUE/42/ f.S | $CC main.c -x assembler - -o prog",
    ] {
        let workshop = Workshop::new(&[("main.c", MAIN), ("f.S", ASSEMBLER)]);
        workshop.run(build);
        let program = workshop.open("prog");
        assert_eq!(sources(&program), ["main.c"], "{build}");
        assert_eq!(program.objects.len(), 1, "{build}");
        workshop.run("rm -f *.o *.a");
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n", "{build}");
    }
}

#[test]
fn objects_of_another_compiler_are_kept_with_the_program() {
    let workshop = c_files();
    workshop.run("clang-19 -c f.c && $CC -c main.c && $CC main.o f.o -o prog && rm f.o main.o");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c"]);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn objects_linked_into_one() {
    let workshop = c_files();
    workshop.write("g.c", "int g(void) { return 0; }\n");
    workshop.run("$CC -c main.c f.c && clang-19 -c g.c");
    workshop.run("$CC -r main.o f.o g.o -o all.o && ld -r all.o -o again.o && $CC again.o -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.c"]);
    assert_eq!(program.objects.len(), 1);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn shared_libraries_are_folded_in() {
    let workshop = Workshop::new(&[("main.c", MAIN), ("f.c", "int g(void); int f(void) { return g() + 1; }\n")]);
    workshop.write("g.c", "#include <math.h>\nint g(void) { volatile double x = 1681; return (int)sqrt(x); }\n");
    workshop.run("$CC -shared -fPIC g.c -lm -o libg.so && $CC -shared -fPIC f.c -L. -lg -Wl,-rpath,$PWD -o libf.so");
    workshop.run("$CC main.c ./libf.so -Wl,-rpath,$PWD -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.c", "g.c"]);
    assert_eq!(program.images.len(), 3);
    assert!(!workshop.open("libf.so").has_main());
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    workshop.run("mkdir moved && mv libg.so moved");
    let program = workshop.open("prog");
    assert!(program.notes.iter().any(|note| note.contains("libg.so")), "{:?}", program.notes);
    let hash = program.hash();
    workshop.run("mv moved/libg.so .");
    assert_ne!(workshop.open("prog").hash(), hash);
}

#[test]
fn what_a_program_shares_with_its_library_is_taken_once() {
    let workshop =
        Workshop::new(&[("main.c", MAIN), ("f.c", "int g(void); int h(void); int f(void) { return g() + h(); }\n")]);
    workshop.write("g.c", "int g(void) { return 41; }\n");
    workshop.write("h.S", ".globl h\nh: movl $1, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n");
    workshop.run("$CC -fPIC -c g.c h.S && $CC -shared -fPIC f.c g.o h.o -o libf.so");
    workshop.run("$CC main.c g.o h.o -L. -lf -Wl,-rpath,. -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["g.c", "main.c", "f.c"]);
    assert_eq!(program.notes.len(), 2);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn libtool_wrapper_scripts() {
    let workshop = c_files();
    workshop.run("mkdir .libs && $CC main.c f.c -o .libs/prog");
    workshop.write(
        "prog",
        "#! /bin/sh\n# prog - temporary wrapper script for .libs/prog\n# Generated by libtool\nprogram='prog'\n",
    );
    let program = workshop.open("prog");
    assert_eq!(program.path(), workshop.path(".libs/prog"));
    assert!(program.notes[0].contains("wrapper script"));
    workshop.run("rm .libs/prog");
    let error = cc::bundle::Program::open(&workshop.path("prog")).unwrap_err();
    assert!(error.to_string().contains("run make first"), "{error}");
}

#[test]
fn response_files_and_names_with_blanks() {
    let workshop =
        Workshop::new(&[("my main.c", MAIN), ("f f.c", F), ("args", "-O2 \"my main.c\" 'f f.c'\n-o \"my prog\"")]);
    workshop.run("$CC @args && './my prog'");
    let program = workshop.open("my prog");
    assert_eq!(sources(&program), ["my main.c", "f f.c"]);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn names_that_are_no_text() {
    let workshop = c_files();
    workshop.run("x=$(printf '\\377'); mv f.c $x.c; $CC -c $x.c -o $x.o; clang-19 -c main.c -o main$x.o");
    workshop.run("x=$(printf '\\377'); $CC main.c $x.c -o prog; $CC main$x.o $x.o -o bare; rm *.o");
    for (name, modules) in [("prog", 2), ("bare", 1)] {
        let program = workshop.open(name);
        assert_eq!(program.modules.len(), modules);
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    }
}

#[test]
fn command_lines_that_clang_passes_on_in_files() {
    let folders = |option: &str| {
        (0..2000).map(|number| format!("{option}/no/such/folder/with/a/long/name/{number}\n")).collect::<String>()
    };
    let workshop = c_files();
    workshop.write("compile", &(folders("-I") + "-c main.c f.c"));
    workshop.write("link", &(folders("-L") + "main.o f.o -o prog"));
    workshop.write("both", &(folders("-L") + "main.c f.c -o both.out"));
    workshop.run("$CC @compile && $CC @link && ./prog && $CC @both");
    for name in ["prog", "both.out"] {
        let program = workshop.open(name);
        assert_eq!(sources(&program), ["main.c", "f.c"]);
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    }
}

#[test]
fn exceptions_in_cxx() {
    let workshop = Workshop::new(&[
        (
            "main.cpp",
            "#include <iostream>\nvoid f();\nint main() { try { f(); } catch (int i) { std::cout << i << '\\n'; } }\n",
        ),
        ("f.cpp", "void f() { throw 42; }\n"),
    ]);
    workshop.run("$CXX -O1 main.cpp f.cpp -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(program.language(), cc::Language::Cxx);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn link_time_optimisation_is_off_with_a_note() {
    let workshop = c_files();
    let compiled = workshop.provoke(&["-flto", "-c", "main.c", "f.c"], b"");
    assert!(compiled.status.success() && compiled.stderr.is_empty(), "{compiled:?}");
    let linked = workshop.provoke(&["-flto=thin", "main.o", "f.o", "-o", "prog"], b"");
    let notes = String::from_utf8(linked.stderr).unwrap();
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert!(notes.starts_with("provoke: note: built without -flto"), "{notes}");
    assert_eq!(sources(&workshop.open("prog")), ["main.c", "f.c"]);
    assert_eq!(workshop.run("./prog"), "42\n");
}

#[test]
fn ways_to_link() {
    for flags in [
        "-static",
        "-static-pie",
        "-no-pie",
        "-pie -rdynamic -pthread",
        "-fuse-ld=lld",
        "-Wl,-s -Wl,-Map=m -Wl,--gc-sections",
    ] {
        let workshop = c_files();
        workshop.run(&format!("$CC main.c f.c {flags} -o prog && ./prog"));
        let program = workshop.open("prog");
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n", "{flags}");
    }
}

#[test]
fn linker_scripts_are_kept_with_the_program() {
    let workshop = c_files();
    workshop.write("v.map", "{ global: main; local: *; };\n");
    workshop.run("$CC main.c f.c -Wl,--version-script=v.map -o prog && rm v.map");
    assert_eq!(workshop.run_relinked(&workshop.open("prog"), &[]), "42\n");
}

#[test]
fn sanitizers_stay_out_of_bitcode_and_can_be_added_to_a_view() {
    let workshop = c_files();
    workshop.run("$CC -fsanitize=address,undefined --coverage main.c f.c -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    workshop.run("$CC main.c f.c -o plain");
    assert_eq!(workshop.run_relinked(&workshop.open("plain"), &["-fsanitize=address"]), "42\n");
}

#[test]
fn a_unit_without_bitcode_does_not_fail_the_build() {
    let workshop = Workshop::new(&[("main.c", MAIN)]);
    // Bitcode is made without sanitizers.
    workshop.write("f.c", "#if !__has_feature(address_sanitizer)\n#error no\n#endif\nint f(void) { return 42; }\n");
    let compiled = workshop.provoke(&["-fsanitize=address", "-c", "main.c", "f.c"], b"");
    assert!(compiled.status.success());
    assert_eq!(
        String::from_utf8(compiled.stderr).unwrap(),
        "provoke: note: no bitcode for f.c (PROVOKE_VERBOSE=1 tells why)\n"
    );
    for build in ["$CC -fsanitize=address main.o f.o -o prog", "$CC -fsanitize=address main.c f.c -o prog"] {
        workshop.run(build);
        let program = workshop.open("prog");
        assert_eq!(sources(&program), ["main.c"]);
        assert_eq!(cc::info::describe(&program).without_bitcode, ["f.c"]);
        assert_eq!(workshop.run_relinked(&program, &["-fsanitize=address"]), "42\n");
    }
}

#[test]
fn programs_linked_by_something_else() {
    let workshop = c_files();
    workshop.run("$CC -c main.c f.c && clang-19 main.o f.o -lm -o prog && strip prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.c"]);
    assert!(program.notes[0].contains("guess"), "{:?}", program.notes);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn libraries_are_folded_into_programs_linked_by_something_else() {
    let workshop = c_files();
    workshop
        .run("$CC -shared -fPIC -Wl,-soname,libf.so.1 f.c -o libf.so.1 && ln -s libf.so.1 libf.so && $CC -c main.c");
    workshop.run("clang-19 main.o -L. -lf -Wl,-rpath,'$ORIGIN' -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.c"]);
    assert_eq!(program.images[1].exports, ["f"]);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn programs_without_bitcode_are_refused_with_advice() {
    let workshop = c_files();
    workshop.run("clang-19 main.c f.c -o prog");
    let error = cc::bundle::Program::open(&workshop.path("prog")).unwrap_err().to_string();
    assert!(error.contains("CC=\"provoke cc\""), "{error}");
    let error = cc::bundle::Program::open(&workshop.path("nothing")).unwrap_err().to_string();
    assert!(error.contains("cannot read"), "{error}");
    workshop.write("script", "#!/bin/sh\n");
    assert!(matches!(cc::bundle::Program::open(&workshop.path("script")), Err(cc::Error::NeitherNor { .. })));
}

#[test]
fn files_on_the_way_to_a_program_are_refused() {
    let workshop = c_files();
    workshop.run("$CC -c f.c && ar rc libf.a f.o");
    for name in ["f.o", "libf.a"] {
        let error = cc::bundle::Program::open(&workshop.path(name)).unwrap_err();
        assert!(matches!(error, cc::Error::NotProgram { .. }), "{error}");
    }
}

#[test]
fn libraries_beside_the_program_are_found_by_its_views() {
    let workshop = c_files();
    workshop.run("mkdir lib bin && clang-19 -shared -fPIC f.c -o lib/libf.so");
    workshop.run("$CC main.c -Llib -lf -Wl,-rpath,'$ORIGIN/../lib' -o bin/prog && ./bin/prog");
    assert_eq!(workshop.run_relinked(&workshop.open("bin/prog"), &[]), "42\n");
}

/// A copy of the program whose libraries lie beside it.
#[test]
fn a_program_that_means_its_own_folder_is_another_one_elsewhere() {
    let workshop = Workshop::new(&[("main.c", "int main(void) { return 0; }\n")]);
    workshop.run("$CC main.c -Wl,-rpath,'$ORIGIN' -o prog && $CC main.c -Wl,-rpath,/lib -o plain");
    workshop.run("mkdir copy && cp prog plain copy");
    assert_ne!(workshop.open("prog").hash(), workshop.open("copy/prog").hash());
    assert_eq!(workshop.open("plain").hash(), workshop.open("copy/plain").hash());
}

#[test]
fn a_library_in_cxx_is_folded_into_a_program_in_c() {
    let workshop = Workshop::new(&[("main.c", MAIN)]);
    workshop.write("f.cpp", "#include <string>\nextern \"C\" int f() { try { throw std::string(42, 'x'); } catch (std::string &s) { return int(s.size()); } }\n");
    workshop.run("$CXX -shared -fPIC f.cpp -o libf.so && $CC main.c -L. -lf -Wl,-rpath,. -o prog && ./prog");
    let program = workshop.open("prog");
    assert_eq!(sources(&program), ["main.c", "f.cpp"]);
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
}

#[test]
fn sources_are_compiled_on_the_fly() {
    let workshop =
        Workshop::new(&[("a.c", "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", X); return 0; }\n")]);
    let error = cc::bundle::Program::open(&workshop.path("a.c")).unwrap_err().to_string();
    assert!(error.contains("undeclared identifier 'X'"), "{error}");
    let program = cc::bundle::Program::open_source(&workshop.path("a.c"), &["-DX=42".into()]).unwrap();
    let again = cc::bundle::Program::open_source(&workshop.path("a.c"), &["-DX=42".into()]).unwrap();
    let other = cc::bundle::Program::open_source(&workshop.path("a.c"), &["-DX=43".into()]).unwrap();
    assert_eq!(program.hash(), again.hash());
    assert_ne!(program.hash(), other.hash());
    assert!(program.path().is_file());
    assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
    assert_eq!(workshop.files(), ["a.c"]);
    let path = program.path().to_owned();
    drop(program);
    assert!(!path.exists());
}

#[test]
fn the_header_is_found_and_does_nothing_in_the_native_program() {
    let text = "#include <provoke.h>\n#include <stdio.h>\nint main(void) { int x = 42; provoke_make_symbolic(&x, sizeof x, \"x\"); \
                printf(\"%d\\n\", x); return 0; }\n";
    let workshop = Workshop::new(&[("a.c", text), ("a.cpp", text)]);
    let flags = "-Wall -Wextra -Wpedantic -Werror";
    workshop.run(&format!("$CC {flags} -std=c11 a.c -o c && ./c && $CXX {flags} a.cpp -o cxx && ./cxx"));
    workshop.run(&format!("$CC {flags} -static a.c -o static && ./static"));
    workshop.write(
        "runtime.c",
        "#include <stddef.h>\nvoid __provoke_x_provoke_make_symbolic(void *p, size_t n, const char *s) { ((char *)p)[0] = (char)(n + s[0] - 'x'); }\n",
    );
    workshop.run("clang-19 -c runtime.c && ar rc runtime.a runtime.o");
    for program in ["c", "cxx", "static"] {
        let program = workshop.open(program);
        assert_eq!(workshop.run_relinked(&program, &[]), "42\n");
        assert_eq!(workshop.run_relinked_with(&workshop.path("runtime.a"), &program, &[]), "4\n");
    }
}

#[test]
fn damaged_programs_are_errors() {
    let workshop = c_files();
    workshop.run("$CC main.c f.c -o prog");
    let whole = workshop.read("prog");
    for length in (0..whole.len()).step_by(997) {
        std::fs::write(workshop.path("cut"), &whole[..length]).unwrap();
        assert!(cc::bundle::Program::open(&workshop.path("cut")).is_err());
    }
    // Any byte may be wrong, if not all at once; the answer may be right or an error, but there is one.
    for step in [61, 89, 127] {
        let mut changed = whole.clone();
        for (index, byte) in changed.iter_mut().enumerate().skip(step).step_by(step) {
            *byte = byte.wrapping_mul(31).wrapping_add(index as u8);
        }
        std::fs::write(workshop.path("changed"), &changed).unwrap();
        let _ = cc::bundle::Program::open(&workshop.path("changed"));
    }
    // LLVM trusts bitcode, and ends the process for some of what is wrong with it: it must not see any.
    let modules = workshop.open("prog").modules;
    for at in (0..whole.len()).step_by(151) {
        let mut changed = whole.clone();
        changed[at] ^= 0xff;
        std::fs::write(workshop.path("changed"), &changed).unwrap();
        if let Ok(program) = cc::bundle::Program::open(&workshop.path("changed")) {
            assert_eq!(program.modules, modules, "byte {at}");
        }
    }
}

#[test]
fn linking_errors_tell_what_the_linker_said() {
    let workshop = c_files();
    workshop.run("$CC main.c f.c -o prog && $CC -c main.c && ar rc empty.a");
    let program = workshop.open("prog");
    let error = program.relink(&workshop.path("main.o"), &workshop.path("empty.a"), &workshop.path("view"), &[]);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("undefined reference to `f'"), "{error}");
}
