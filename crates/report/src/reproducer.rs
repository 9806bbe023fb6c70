//! A shell script that makes a finding happen again without Provoke: it recreates the input and runs the program in the
//! debugger, stopped at the place.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::escape::visible;
use crate::model::{CommandLine, Finding, Part, PartKind};

/// What stands for the input file among the arguments of a program.
const PLACEHOLDER: &[u8] = b"@@";

/// Bytes of input in a line of the script.
const WIDTH: usize = 24;

/// What the script does once the input is there. GDB hands the arguments of `run` to a shell of its own, which finds the
/// name of the file in its environment, whatever that name contains.
const RUN: &str = r#"if [ "${1:-}" = run ]; then
    "$program" "${arguments[@]}" < "$stdin"
    exit
fi
gdb -q -ex 'set breakpoint pending on' "${stop[@]}" -ex 'run < "$stdin"' --args "$program" "${arguments[@]}"
"#;

/// What the script runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program<'a> {
    /// A program that is there.
    Built(&'a Path),
    /// A source file that the script has to compile.
    Source {
        /// The file.
        file: &'a Path,
        /// The command of Provoke that compiles it: `cc` or `c++`.
        compiler: &'a str,
    },
}

/// What the program found around it that is no input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Surroundings<'a> {
    /// Environment variables.
    pub variables: &'a [(OsString, OsString)],
    /// The folder that it was started in a copy of.
    pub folder: Option<&'a Path>,
}

/// Writes the script for a finding in `program`, which was run with `arguments`; `@@` in them stands for the path of the
/// input file.
pub fn script(
    finding: &Finding,
    program: Program<'_>,
    arguments: &[OsString],
    surroundings: Surroundings<'_>,
) -> String {
    let parts = &finding.input.parts;
    let of_kind = |kind: PartKind| parts.iter().filter(move |part| part.kind == kind);
    let mut lines = head(finding);
    lines.push("folder=$(mktemp -d)".to_owned());
    lines.push("trap 'rm -rf \"$folder\"' EXIT".to_owned());
    lines.extend(choose(program));
    lines.push("export stdin=/dev/null".to_owned());
    if let Some(part) = of_kind(PartKind::Stdin).next() {
        lines.push("stdin=$folder/stdin".to_owned());
        lines.extend(recreate(part, "\"$stdin\""));
    }
    let several = of_kind(PartKind::File).nth(1).is_some();
    for (part, number) in of_kind(PartKind::File).zip(1..) {
        let variable = file_variable(number, several);
        lines.push(format!("mkdir \"$folder/file-{number}\""));
        lines.push(format!("{variable}=$folder/file-{number}/{}", quoted(file_name(part))));
        lines.extend(recreate(part, &format!("\"${variable}\"")));
    }
    for part in of_kind(PartKind::Environment) {
        let value = OsString::from_vec(part.contents.0.clone());
        lines.push(format!("export {}={}", quoted(OsStr::new(&part.name)), quoted(&value)));
    }
    for part in of_kind(PartKind::Buffer) {
        let (name, value) = (visible(&part.name), hex::encode(&part.contents.0));
        lines.push(format!("# Only Provoke sets the buffer {name}; in gdb, set it where it is made symbolic: {value}"));
    }
    for (name, value) in surroundings.variables {
        lines.push(format!("export {}={}", quoted(name), quoted(value)));
    }
    if let Some(folder) = surroundings.folder {
        lines.push("program=$(realpath -- \"$program\")".to_owned());
        lines.push(format!("cp -r -- {} \"$folder/work\"", quoted(folder.as_os_str())));
        lines.push("cd -- \"$folder/work\"".to_owned());
    }
    let arguments: Vec<String> = arguments.iter().map(|argument| argument_word(argument, several)).collect();
    lines.push(format!("arguments=({})", arguments.join(" ")));
    lines.push(format!("stop=({})", stop(finding)));
    lines.push(RUN.to_owned());
    lines.join("\n")
}

fn head(finding: &Finding) -> Vec<String> {
    let position = finding.position.to_string();
    vec![
        "#!/usr/bin/env bash".to_owned(),
        format!("# {}: {}", finding.rule, visible(&finding.message)),
        format!("# at {} {}", visible(&position), visible(&finding.function)),
        "#".to_owned(),
        "# Without arguments: runs the program in gdb, stopped where it happens. With the argument run: just runs it."
            .to_owned(),
        "# Set PROGRAM to try another build of the program.".to_owned(),
        "set -eu".to_owned(),
    ]
}

/// Commands that set the program.
fn choose(program: Program<'_>) -> Vec<String> {
    match program {
        Program::Built(file) => {
            // Without a folder, the shell would look for it elsewhere.
            let here = file.components().count() == 1 && file.is_relative();
            let file = if here { Path::new(".").join(file) } else { file.to_owned() };
            vec![format!("program=${{PROGRAM:-{}}}", quoted(file.as_os_str()))]
        }
        Program::Source { file, compiler } => vec![
            "program=${PROGRAM:-$folder/program}".to_owned(),
            format!(
                "[ -n \"${{PROGRAM:-}}\" ] || provoke {compiler} -g -O0 -o \"$program\" -- {}",
                quoted(file.as_os_str())
            ),
        ],
    }
}

/// Commands that write a part to a file.
fn recreate(part: &Part, to: &str) -> Vec<String> {
    if part.is_cut() {
        // All of it is in that file only.
        let saved = part.saved.as_deref().unwrap_or(&part.name);
        return vec![format!("cp -- {} {to}", quoted(OsStr::new(saved)))];
    }
    let mut lines = vec!["{".to_owned()];
    lines.extend(part.contents.0.chunks(WIDTH).map(|bytes| {
        let digits: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
        format!("    printf '{digits}'")
    }));
    lines.push("    :".to_owned());
    lines.push(format!("}} > {to}"));
    lines
}

/// The program may look at the name of its input file, at its ending most of all.
fn file_name(part: &Part) -> &OsStr {
    Path::new(&part.name).file_name().unwrap_or(OsStr::new("input"))
}

/// The variable with the path of a file.
fn file_variable(number: usize, several: bool) -> String {
    if several { format!("file{number}") } else { "file".to_owned() }
}

/// An argument as a word of the script; of several files, each has its number behind the mark.
fn argument_word(argument: &OsStr, several: bool) -> String {
    let mut word = String::new();
    let mut rest = argument.as_bytes();
    while let Some(at) = rest.windows(PLACEHOLDER.len()).position(|window| window == PLACEHOLDER) {
        let (before, after) = rest.split_at(at);
        if !before.is_empty() {
            word.push_str(&quoted(OsStr::from_bytes(before)));
        }
        rest = after.get(PLACEHOLDER.len()..).unwrap_or_default();
        let digits = if several { rest.iter().take_while(|byte| byte.is_ascii_digit()).count() } else { 0 };
        let (number, behind) = rest.split_at(digits);
        let number = String::from_utf8_lossy(number).parse().unwrap_or(1);
        word.push_str(&format!("\"${}\"", file_variable(number, several)));
        rest = behind;
    }
    if word.is_empty() || !rest.is_empty() {
        word.push_str(&quoted(OsStr::from_bytes(rest)));
    }
    word
}

/// Arguments of GDB that make it stop at the place.
fn stop(finding: &Finding) -> String {
    if !finding.position.is_known() {
        return String::new();
    }
    let file = &finding.position.file;
    // GDB reads double quotes and backslashes in names of files, and knows no other way to write them.
    let place = format!("break -source \"{}\" -line {}", file.replace(['"', '\\', '\n'], "?"), finding.position.line);
    format!("-ex {}", quoted(OsStr::new(&place)))
}

fn quoted(word: &OsStr) -> String {
    CommandLine::new([word]).to_string()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;
    use crate::model::{Input, KEPT};
    use crate::testing;

    /// Runs the script of a finding with these parts; gives what the program printed.
    fn run(parts: Vec<Part>, program: &str, arguments: &[&str]) -> Vec<u8> {
        run_in(parts, program, arguments, Surroundings::default())
    }

    fn run_in(parts: Vec<Part>, program: &str, arguments: &[&str], around: Surroundings<'_>) -> Vec<u8> {
        let finding = Finding { input: Input { parts }, ..testing::example().findings.remove(0) };
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        std::fs::write(&file, script(&finding, Program::Built(Path::new(program)), &arguments, around)).unwrap();
        let temporary = folder.path().join("it's a \"folder\"");
        std::fs::create_dir(&temporary).unwrap();
        let output = Command::new("bash").arg(file).arg("run").env("TMPDIR", &temporary).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(temporary.read_dir().unwrap().count(), 0, "nothing is left behind");
        output.stdout
    }

    #[test]
    fn a_script() {
        let finding = testing::example().findings.remove(0);
        let arguments = ["-d".into(), "--in=@@".into()];
        insta::assert_snapshot!(script(
            &finding,
            Program::Built(Path::new("unpack")),
            &arguments,
            Surroundings::default()
        ));
    }

    #[test]
    fn source_files_are_compiled() {
        let finding = testing::example().findings.remove(0);
        let program = Program::Source { file: Path::new("a b.c"), compiler: "cc" };
        let text = script(&finding, program, &[], Surroundings::default());
        assert!(text.contains("provoke cc -g -O0 -o \"$program\" -- 'a b.c'"), "{text}");
    }

    #[test]
    fn files_keep_their_names() {
        let file = Part::new("folder/it's.pack", PartKind::File, b"PACK\0\xff");
        let name = run(vec![file.clone()], "/usr/bin/printf", &["%s", "-x=@@!"]);
        assert!(name.ends_with(b"/it's.pack!") && name.starts_with(b"-x=/"));
        assert_eq!(run(vec![file], "/bin/cat", &["--", "@@"]), b"PACK\0\xff");
    }

    #[test]
    fn the_program_finds_around_it_what_it_found() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config"), "level").unwrap();
        let variables = [("NAME".into(), "it's".into())];
        let around = Surroundings { variables: &variables, folder: Some(folder.path()) };
        assert_eq!(
            run_in(Vec::new(), "/bin/sh", &["-c", "cat config && rm config && echo $NAME"], around),
            b"levelit's\n"
        );
        assert!(folder.path().join("config").is_file());
    }

    #[test]
    fn large_inputs_are_copied() {
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path().join("saved");
        let bytes = vec![7; KEPT + 1];
        std::fs::write(&saved, &bytes).unwrap();
        let part = Part::new("stdin", PartKind::Stdin, &bytes);
        let part = Part { saved: Some(saved.to_str().unwrap().to_owned()), ..part };
        assert_eq!(run(vec![part], "/bin/cat", &[]), bytes);
    }

    proptest! {
        // Each case starts a shell.
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_input_is_recreated(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(&run(vec![Part::new("stdin", PartKind::Stdin, &bytes)], "/bin/cat", &[]), &bytes);
        }

        #[test]
        fn every_script_is_one_for_bash(finding in testing::finding()) {
            let text = script(&finding, Program::Built(Path::new("it's")), &[], Surroundings::default());
            let check = Command::new("bash").arg("-n").arg("-c").arg(&text).output().unwrap();
            prop_assert!(check.status.success(), "{check:?}\n{text}");
        }
    }
}
