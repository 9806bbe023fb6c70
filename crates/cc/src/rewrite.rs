//! From the command that makes an object to the command that makes the raw bitcode of the same translation unit.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::jobs::Job;

/// Options of `clang -cc1` that are dropped together with the value that follows them: each names a file that the
/// native compilation writes.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-dependency-file",
    "-MT",
    "-header-include-file",
    "-dependency-dot",
    "-module-dependency-dir",
    "-serialize-diagnostic-file",
    "-diagnostic-log-file",
    "-split-dwarf-file",
    "-split-dwarf-output",
    "-opt-record-file",
    "-opt-record-passes",
    "-opt-record-format",
    "-dwarf-debug-flags",
];

/// Options that are dropped, for the same reasons as below.
const DROPPED: &[&str] = &["-emit-obj", "-H", "-MG", "-MP", "-MV", "-pg"];

/// Options that are dropped when they start so: what other instrumentation adds, what writes files of its own, and what
/// is set anew below.
const DROPPED_PREFIXES: &[&str] = &[
    "-O",
    "-debug-info-kind=",
    "-dwarf-version=",
    "-fsanitize",
    "-fno-sanitize",
    "-fexperimental-sanitize",
    "-fprofile",
    "-fcoverage-mapping",
    "-coverage-",
    "-ftest-coverage",
    "-fmcdc",
    "-fdump-coverage-mapping",
    "-fmemory-profile",
    "-fxray",
    "-finstrument-functions",
    "-mfentry",
    "-mnop-mcount",
    "-ftime-trace",
    "-ftime-report",
    "-stats-file",
    "-print-stats",
    "-fpass-plugin",
    "-sys-header-deps",
    "-module-file-deps",
    "-fembed-bitcode",
    "-fembed-offload",
    "-ggnu-pubnames",
    "-gpubnames",
    "-flto",
    "-vectorize-",
    "-verify",
    "-save-temps",
    "-fopt-record",
    "-mrelax-all",
];

/// The compiler's own checks, which every view takes from the bitcode: they know the types of the source and the order of its
/// operations. Shifts are checked by their amount alone.
const CHECKS: &[&str] = &[
    "-fsanitize=signed-integer-overflow,unsigned-integer-overflow,shift-exponent,integer-divide-by-zero,array-bounds",
    "-fsanitize=implicit-unsigned-integer-truncation,implicit-signed-integer-truncation,implicit-integer-sign-change",
    "-fsanitize=nonnull-attribute,returns-nonnull-attribute,nullability-arg,nullability-return",
    "-fsanitize=pointer-overflow,vla-bound,unreachable,float-cast-overflow",
    "-fsanitize-recover=signed-integer-overflow,unsigned-integer-overflow,shift-exponent,integer-divide-by-zero",
    "-fsanitize-recover=array-bounds,implicit-unsigned-integer-truncation,implicit-signed-integer-truncation",
    "-fsanitize-recover=implicit-integer-sign-change,nonnull-attribute,returns-nonnull-attribute,nullability-arg",
    "-fsanitize-recover=nullability-return,pointer-overflow,vla-bound,float-cast-overflow",
];

/// The arguments of `clang -cc1` that make the bitcode of what `job` compiles and write it to standard output.
///
/// The front end behaves as at `-O1`, so that it marks lifetimes and does not forbid optimisation, but no pass runs. What
/// the program could see of its own optimisation level stays as it was: the predefined macros, and that accesses
/// through other types are harmless at `-O0`.
pub fn to_bitcode(job: &Job) -> Vec<OsString> {
    let level = Level::of(job);
    let mut rewritten = Vec::with_capacity(job.arguments.len() + 16);
    let mut arguments = job.arguments.iter();
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_bytes();
        if DROPPED_WITH_VALUE.iter().any(|dropped| bytes == dropped.as_bytes()) {
            arguments.next();
        } else if argument == "-include-pch" {
            include_header(arguments.next(), &mut rewritten);
        } else if !DROPPED.iter().any(|dropped| bytes == dropped.as_bytes())
            && !DROPPED_PREFIXES.iter().any(|prefix| bytes.starts_with(prefix.as_bytes()))
        {
            rewritten.push(argument.clone());
        }
    }
    // Before the input, which stays last with its language in front of it.
    let tail = rewritten.len().saturating_sub(3).max(1).min(rewritten.len());
    let added = ["-emit-llvm-bc", "-disable-llvm-passes", "-O1", "-debug-info-kind=constructor", "-dwarf-version=5"];
    let quiet = ["-w", "-o", "-"];
    let added = added.iter().chain(CHECKS).chain(level.compensation()).chain(&quiet).map(OsString::from);
    rewritten.splice(tail..tail, added);
    rewritten
}

/// A precompiled header fits only the optimisation level that it was made with, so the header itself is read instead.
fn include_header(precompiled: Option<&OsString>, rewritten: &mut Vec<OsString>) {
    let Some(precompiled) = precompiled else { return };
    let header = Path::new(precompiled).with_extension("");
    if header.is_file() {
        rewritten.extend(["-include".into(), header.into()]);
    } else {
        rewritten.extend(["-fno-validate-pch".into(), "-include-pch".into(), precompiled.clone()]);
    }
}

/// What the optimisation level changes in the meaning of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    None,
    Speed,
    Size,
}

impl Level {
    fn of(job: &Job) -> Self {
        let level = job.arguments.iter().rev().find_map(|argument| argument.as_bytes().strip_prefix(b"-O"));
        match level {
            None | Some(b"0") => Self::None,
            Some(b"s" | b"z") => Self::Size,
            Some(_) => Self::Speed,
        }
    }

    fn compensation(self) -> &'static [&'static str] {
        match self {
            Self::None => &["-relaxed-aliasing", "-U", "__OPTIMIZE__", "-D", "__NO_INLINE__=1"],
            Self::Speed => &[],
            Self::Size => &["-D", "__OPTIMIZE_SIZE__=1"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(arguments: &str) -> String {
        let arguments = arguments.split(' ').map(OsString::from).collect();
        let rewritten = to_bitcode(&Job { program: "clang".into(), arguments });
        rewritten.join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn the_level_is_replaced_and_files_are_not_written_twice() {
        let rewritten = rewrite(
            "-cc1 -emit-obj -O2 -DA=1 -dependency-file a.d -MT a.o -fsanitize=address -fwrapv -relaxed-aliasing -o a.o -x c a.c",
        );
        let (before, after) = rewritten.split_once(&CHECKS.join(" ")).unwrap();
        assert_eq!(
            before,
            "-cc1 -DA=1 -fwrapv -relaxed-aliasing -emit-llvm-bc -disable-llvm-passes -O1 -debug-info-kind=constructor \
             -dwarf-version=5 "
        );
        assert_eq!(after, " -w -o - -x c a.c");
    }

    #[test]
    fn the_program_sees_the_level_that_it_was_compiled_with() {
        assert!(rewrite("-cc1 -emit-obj -O0 -o a.o -x c a.c").contains("-relaxed-aliasing -U __OPTIMIZE__"));
        assert!(rewrite("-cc1 -emit-obj -Os -o a.o -x c a.c").contains("-D __OPTIMIZE_SIZE__=1"));
        assert!(!rewrite("-cc1 -emit-obj -O3 -o a.o -x c a.c").contains("__OPTIMIZE"));
    }

    #[test]
    fn headers_take_the_place_of_precompiled_headers() {
        let folder = tempfile::tempdir().unwrap();
        let header = folder.path().join("h.h");
        std::fs::write(&header, "").unwrap();
        let there = rewrite(&format!("-cc1 -emit-obj -include-pch {}.pch -o a.o -x c a.c", header.display()));
        assert!(there.contains(&format!("-include {} ", header.display())), "{there}");
        let gone = rewrite("-cc1 -emit-obj -include-pch /gone.h.pch -o a.o -x c a.c");
        assert!(gone.contains("-fno-validate-pch -include-pch /gone.h.pch"), "{gone}");
    }
}
