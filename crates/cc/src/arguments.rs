//! What has to be known about the command line before clang explains it.
//!
//! As little as possible: clang itself tells what a command line means (see [`crate::work`]). Here are only the things
//! that have to be decided before it is asked.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::Language;

/// Response files may name response files; a cycle ends here.
const MAX_DEPTH: u32 = 16;

/// Options that are followed by a value of their own, as far as that value could be taken for an option.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-T",
    "-u",
    "-e",
    "-z",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xanalyzer",
    "-mllvm",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-MF",
    "-MT",
    "-MQ",
    "-target",
    "-arch",
    "-isysroot",
    "-rpath",
];

/// Arguments with which no object file and no program comes out, so that nothing has to be asked.
const WITHOUT_OUTPUT: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "--version",
    "--help",
    "-emit-ast",
    "--analyze",
    "-dumpmachine",
];

/// Arguments that split a compilation into several steps. They are left out when clang is asked what it would do.
const SPLITTING: &[&str] =
    &["-save-temps", "--save-temps", "-no-integrated-as", "-fno-integrated-as", "-fembed-bitcode"];

/// Arguments that ask for, or make no sense without, optimisation at link time.
const LINK_TIME: &[&str] = &[
    "-flto",
    "-ffat-lto-objects",
    "-fwhole-program-vtables",
    "-fsplit-lto-unit",
    "-fvirtual-function-elimination",
    "-fthinlto-index",
    "-fthin-link-bitcode",
    "-funified-lto",
    "-fsanitize=cfi",
];

/// What C was before 1999, or compilers made of it: errors for clang since its version 16, and still warnings for GCC 13. Programs that build
/// with `gcc` are to build with `provoke cc`.
const OLD_C: &[&str] = &[
    // Where nothing is compiled, clang has no word for these.
    "--start-no-unused-arguments",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "--end-no-unused-arguments",
];

/// Arguments to be put in front, so that what the user says comes later and counts. Nothing for those who want all warnings to be errors.
pub fn accepting_old_c(language: Language, arguments: &[OsString]) -> &'static [&'static str] {
    let is_strict = arguments.iter().any(|argument| argument == "-Werror" || argument == "-pedantic-errors");
    // What talks to the compiler proper has to come first.
    let is_direct = arguments.first().is_some_and(|first| first.as_bytes().starts_with(b"-cc1"));
    if language == Language::C && !is_strict && !is_direct { OLD_C } else { &[] }
}

/// The arguments with the contents of response files in their place.
pub fn expand(arguments: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for argument in arguments {
        expand_one(argument, MAX_DEPTH, &mut expanded);
    }
    expanded
}

fn expand_one(argument: &OsStr, depth: u32, expanded: &mut Vec<OsString>) {
    let name = argument.as_bytes().strip_prefix(b"@").map(OsStr::from_bytes);
    // As clang does: what can't be read is an argument that starts with @.
    match name.filter(|_| depth > 0).and_then(|name| std::fs::read(name).ok()) {
        Some(contents) => tokens(&contents).iter().for_each(|token| expand_one(token, depth - 1, expanded)),
        None => expanded.push(argument.to_owned()),
    }
}

/// Splits the contents of a response file by the rules of GNU tools.
fn tokens(contents: &[u8]) -> Vec<OsString> {
    let mut tokens = Vec::new();
    let mut current: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = contents.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => current.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                current.get_or_insert_default();
            }
            (None, _) if byte.is_ascii_whitespace() => tokens.extend(current.take()),
            _ => current.get_or_insert_default().push(byte),
        }
    }
    tokens.extend(current);
    tokens.into_iter().map(OsString::from_vec).collect()
}

/// The arguments that are no values of the argument before them, with their places.
fn options(arguments: &[OsString]) -> impl Iterator<Item = (usize, &OsString)> {
    let mut is_value = false;
    arguments.iter().enumerate().filter(move |(_, argument)| {
        let taken = std::mem::replace(&mut is_value, false);
        is_value = !taken && WITH_VALUE.iter().any(|option| argument.as_os_str() == *option);
        !taken
    })
}

/// True if clang is certain to make neither an object file nor a program.
pub fn make_no_output(arguments: &[OsString]) -> bool {
    let silent = |argument: &OsString| {
        WITHOUT_OUTPUT.iter().any(|option| argument.as_os_str() == *option)
            || [b"-print-".as_slice(), b"--print-"].iter().any(|prefix| argument.as_bytes().starts_with(prefix))
    };
    arguments.is_empty() || options(arguments).any(|(_, argument)| silent(argument))
}

/// True if one of the inputs may be the standard input.
pub fn may_read_stdin(arguments: &[OsString]) -> bool {
    options(arguments).any(|(_, argument)| argument == "-")
}

/// True if clang does what it does in one step for each unit, and does not print it: it prints to one place only.
pub fn can_be_watched(arguments: &[OsString]) -> bool {
    without(arguments, SPLITTING).is_none() && !options(arguments).any(|(_, argument)| argument == "-v")
}

/// The arguments without those that match a list, or nothing if none does.
fn without(arguments: &[OsString], unwanted: &[&str]) -> Option<Vec<OsString>> {
    let matches = |argument: &OsString| {
        unwanted.iter().any(|prefix| {
            let rest = argument.as_bytes().strip_prefix(prefix.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || matches!(rest.first(), Some(b'=' | b'-')))
        })
    };
    let dropped: Vec<usize> =
        options(arguments).filter(|(_, argument)| matches(argument)).map(|(index, _)| index).collect();
    let keep = |(index, _): &(usize, &OsString)| dropped.binary_search(index).is_err();
    (!dropped.is_empty()).then(|| arguments.iter().enumerate().filter(keep).map(|(_, kept)| kept.clone()).collect())
}

/// The arguments without optimisation at link time, or nothing if it was not asked for.
pub fn without_link_time_optimisation(arguments: &[OsString]) -> Option<Vec<OsString>> {
    without(arguments, LINK_TIME)
}

/// The arguments such that every translation unit is one step.
pub fn in_one_step(arguments: &[OsString]) -> Vec<OsString> {
    without(arguments, SPLITTING).unwrap_or_else(|| arguments.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(arguments: &[&str]) -> Vec<OsString> {
        arguments.iter().map(OsString::from).collect()
    }

    #[test]
    fn response_files_are_split_as_gnu_tools_do() {
        let tokens = tokens(b"-c  'a b.c' \"-DX=\\\"y\\\"\"\n-o\tout\\ put '' last");
        assert_eq!(tokens, list(&["-c", "a b.c", "-DX=\"y\"", "-o", "out put", "", "last"]));
    }

    #[test]
    fn response_files_nest_and_cycles_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("args");
        std::fs::write(&file, format!("-c @{}", file.display())).unwrap();
        let expanded = expand(&list(&[&format!("@{}", file.display()), "@nowhere"]));
        assert_eq!(expanded.len(), MAX_DEPTH as usize + 2);
        assert_eq!(expanded.last().unwrap(), "@nowhere");
    }

    #[test]
    fn values_of_options_are_not_options() {
        assert!(make_no_output(&list(&["-E", "a.c"])));
        assert!(make_no_output(&list(&["-print-search-dirs"])));
        assert!(!make_no_output(&list(&["a.c", "-Xlinker", "-E"])));
        assert!(!make_no_output(&list(&["a.c", "-Xlinker", "-Xlinker", "-c"])));
        assert!(may_read_stdin(&list(&["-x", "c", "-"])));
        assert!(!may_read_stdin(&list(&["a.c", "-o", "-"])));
    }

    #[test]
    fn link_time_optimisation_is_taken_out() {
        let arguments = list(&["-flto=thin", "-O2", "-fwhole-program-vtables", "a.c", "-o", "-flto"]);
        assert_eq!(without_link_time_optimisation(&arguments).unwrap(), list(&["-O2", "a.c", "-o", "-flto"]));
        assert_eq!(without_link_time_optimisation(&list(&["-fltoo", "a.c"])), None);
    }
}
