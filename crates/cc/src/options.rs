//! The options of linkers, as far as they matter for linking again.

/// A word, or words that belong together, of a linker's command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// An option without a value, or with the value in the same word.
    Flag(String),
    /// An option and its value.
    Option(Vec<String>),
    /// Not to be repeated.
    Dropped,
    /// An option whose value is a file that is read.
    File {
        /// The option, with `=` at its end if the value is in the same word.
        option: String,
        /// The file.
        name: String,
    },
    /// `-L`.
    SearchPath(String),
    /// `-l`.
    Library(String),
    /// A file to be linked.
    Input(String),
}

/// Options whose value may be the next word. Names without dashes; linkers accept one dash or two.
const WITH_VALUE: &[&str] = &[
    "a",
    "A",
    "b",
    "c",
    "e",
    "f",
    "F",
    "G",
    "h",
    "I",
    "m",
    "R",
    "u",
    "y",
    "Y",
    "z",
    "architecture",
    "auxiliary",
    "assert",
    "defsym",
    "dynamic-linker",
    "emulation",
    "entry",
    "exclude-libs",
    "export-dynamic-symbol",
    "filter",
    "fini",
    "format",
    "init",
    "just-symbols",
    "mri-script",
    "oformat",
    "require-defined",
    "rpath",
    "rpath-link",
    "section-start",
    "sort-section",
    "sysroot",
    "Tbss",
    "Tdata",
    "Tldata-segment",
    "Trodata-segment",
    "Ttext",
    "Ttext-segment",
    "trace-symbol",
    "undefined",
    "wrap",
];

/// Options whose value is a file that the linker reads.
const WITH_FILE: &[&str] = &[
    "T",
    "script",
    "dT",
    "default-script",
    "version-script",
    "dynamic-list",
    "export-dynamic-symbol-list",
    "retain-symbols-file",
];

/// Options that must not be repeated, with a value: they name outputs, or the plugin for optimisation at link time.
const DROPPED_WITH_VALUE: &[&str] =
    &["o", "output", "Map", "dependency-file", "out-implib", "plugin", "plugin-opt", "soname", "print-map"];

/// Options that must not be repeated: they would take from a view the symbols that reports need, make a warning about
/// it fatal, or print.
const DROPPED: &[&str] = &[
    "s",
    "strip-all",
    "S",
    "strip-debug",
    "x",
    "discard-all",
    "X",
    "discard-locals",
    "fatal-warnings",
    "M",
    "print-map",
    "t",
    "trace",
    "cref",
    "stats",
    "verbose",
    "print-gc-sections",
    "print-memory-usage",
];

/// Reads a command line.
pub fn read(arguments: impl Iterator<Item = String>) -> Vec<Word> {
    let mut arguments = arguments;
    let mut words = Vec::new();
    while let Some(argument) = arguments.next() {
        words.push(read_one(argument, &mut arguments));
    }
    words
}

fn read_one(argument: String, rest: &mut impl Iterator<Item = String>) -> Word {
    // A single dash is the standard input.
    let Some(option) = argument.strip_prefix('-').filter(|option| !option.is_empty()) else {
        return Word::Input(argument);
    };
    let name = option.strip_prefix('-').unwrap_or(option);
    let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value.to_owned())));
    let mut take = || value.clone().or_else(|| rest.next()).unwrap_or_default();
    match name {
        "L" | "library-path" => Word::SearchPath(take()),
        "l" | "library" => Word::Library(take()),
        _ if DROPPED_WITH_VALUE.contains(&name) => {
            take();
            Word::Dropped
        }
        _ if DROPPED.contains(&name) => Word::Dropped,
        _ if WITH_FILE.contains(&name) => match argument.split_once('=') {
            Some((option, name)) => Word::File { option: format!("{option}="), name: name.to_owned() },
            None => Word::File { option: argument.clone(), name: take() },
        },
        _ if WITH_VALUE.contains(&name) && value.is_none() => Word::Option(vec![argument.clone(), take()]),
        _ if option.starts_with('-') => Word::Flag(argument),
        _ => match option.split_at_checked(1) {
            Some(("L", folder)) => Word::SearchPath(folder.to_owned()),
            Some(("l", library)) => Word::Library(library.to_owned()),
            _ => Word::Flag(argument),
        },
    }
}

/// True for the option that links objects into one object.
pub fn is_relocatable(flag: &str) -> bool {
    matches!(flag, "-r" | "-i" | "-Ur" | "--relocatable" | "-relocatable")
}

/// For an option that switches between static and shared libraries: true if static ones are wanted.
pub fn is_static_switch(flag: &str) -> Option<bool> {
    match flag.strip_prefix("--").or(flag.strip_prefix('-'))? {
        "Bstatic" | "dn" | "non_shared" | "static" => Some(true),
        "Bdynamic" | "dy" | "call_shared" => Some(false),
        _ => None,
    }
}

/// True for the objects that stand first and last on every line. libtool names them itself when it links C++ libraries.
pub fn is_startup_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).trim_start_matches("clang_rt.");
    let Some(stem) = name.strip_suffix(".o") else { return false };
    matches!(stem, "crt1" | "Scrt1" | "rcrt1" | "gcrt1" | "grcrt1" | "Mcrt1" | "crti" | "crtn")
        || stem.starts_with("crtbegin")
        || stem.starts_with("crtend")
        || stem.starts_with("crtfast")
}

/// True for the runtime of a sanitizer, of coverage or of profiling: bitcode is without their instrumentation.
pub fn is_instrumentation_runtime(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("libclang_rt.") && !name.contains("builtins")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Word> {
        read(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn values_are_told_from_inputs() {
        let flag = |text: &str| Word::Flag(text.into());
        let option = |option: &str, value: &str| Word::Option(vec![option.into(), value.into()]);
        assert_eq!(
            words("-z relro --hash-style=gnu -m elf_x86_64 -pie -o prog -Map=x.map -rpath /r --wrap f a.o -s libx.a"),
            [
                option("-z", "relro"),
                flag("--hash-style=gnu"),
                option("-m", "elf_x86_64"),
                flag("-pie"),
                Word::Dropped,
                Word::Dropped,
                option("-rpath", "/r"),
                option("--wrap", "f"),
                Word::Input("a.o".into()),
                Word::Dropped,
                Word::Input("libx.a".into()),
            ]
        );
    }

    #[test]
    fn libraries_folders_and_scripts() {
        let file = |option: &str| Word::File { option: option.into(), name: "v.map".into() };
        assert_eq!(
            words("-L/a -L b -lm -l z --library=q --version-script=v.map --version-script v.map -T v.map"),
            [
                Word::SearchPath("/a".into()),
                Word::SearchPath("b".into()),
                Word::Library("m".into()),
                Word::Library("z".into()),
                Word::Library("q".into()),
                file("--version-script="),
                file("--version-script"),
                file("-T"),
            ]
        );
    }

    #[test]
    fn runtimes_of_other_instrumentation_are_known() {
        assert!(is_instrumentation_runtime("/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-x86_64.a"));
        assert!(is_instrumentation_runtime("/x/libclang_rt.asan-x86_64.a.syms"));
        assert!(!is_instrumentation_runtime("/x/libclang_rt.builtins-x86_64.a"));
        assert!(!is_instrumentation_runtime("/x/libasan.a"));
    }

    #[test]
    fn startup_files_are_known_by_name() {
        let known =
            ["/lib/x86_64-linux-gnu/crti.o", "/usr/lib/gcc/12/crtbeginS.o", "Scrt1.o", "/x/clang_rt.crtend-x86_64.o"];
        assert!(known.into_iter().all(is_startup_file));
        assert!(!["crt.o", "main.o", "crti", "mycrti.o"].into_iter().any(is_startup_file));
    }
}
