//! The tests that the user names.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use predict::recording::{self, Unreadable};
use predict::{Record, Test};
use run::{Inputs, PLACEHOLDER, Surroundings};

use crate::commands::explore::CAMPAIGN;
use crate::exit::Failure;
use crate::output::counted;
use crate::target::Target;

/// The folder of tests that a name stands for: of a campaign, that of its inputs.
pub fn folder(suite: &Path) -> PathBuf {
    let queue = suite.join("queue");
    if suite.join(CAMPAIGN).is_file() && queue.is_dir() { queue } else { suite.to_owned() }
}

/// A suite.
#[derive(Default)]
pub struct Tests {
    /// Its tests.
    pub tests: Vec<Test>,
    /// Those that cannot be read.
    unreadable: Vec<Unreadable>,
}

impl Tests {
    /// What is to be said of the tests that cannot be read, with their names.
    pub fn not_read(&self) -> impl Iterator<Item = (String, Record)> {
        self.unreadable.iter().map(|Unreadable { name, why }| (name.clone(), Record::not_run(why)))
    }
}

/// Reads a suite.
pub fn read(target: &Target, suite: Option<&Path>) -> Result<Tests, Failure> {
    let Some(suite) = &suite.map(folder) else {
        let name = target.program.display().to_string();
        let test = Test { name, args: target.args.clone(), inputs: target.inputs(), ..Test::default() };
        return Ok(Tests { tests: vec![test], ..Tests::default() });
    };
    let read = if recording::is_folder(suite) {
        recorded(target, suite)?
    } else if suite.is_dir() {
        Tests { tests: files(target, suite)?, ..Tests::default() }
    } else {
        Tests { tests: lines(target, suite)?, ..Tests::default() }
    };
    if read.tests.is_empty() {
        return Err(Failure::Input(anyhow!(
            "there are no tests of {} in {}",
            target.program.display(),
            suite.display()
        )));
    }
    Ok(read)
}

/// Each file is a test.
fn files(target: &Target, folder: &Path) -> Result<Vec<Test>, Failure> {
    let list = || -> std::io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
        Ok(entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
    };
    let mut files =
        list().with_context(|| format!("cannot read the tests in {}", folder.display())).map_err(Failure::Input)?;
    files.sort();
    let is_file = target.args.iter().any(|arg| arg.to_string_lossy().contains(PLACEHOLDER));
    let test = |file: PathBuf| {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        let inputs = match is_file {
            true => Inputs { files: vec![file], ..target.inputs() },
            false => Inputs { stdin: Some(file), ..target.inputs() },
        };
        Test { name, args: target.args.clone(), inputs, ..Test::default() }
    };
    Ok(files.into_iter().map(test).collect())
}

/// What `provoke wrap` recorded.
fn recorded(target: &Target, folder: &Path) -> Result<Tests, Failure> {
    let inputs = |args: &[OsString]| target.with_args(args.to_vec()).inputs();
    let (tests, left_out) = recording::read(folder, &target.program, &inputs)
        .with_context(|| format!("cannot read the recordings in {}", folder.display()))
        .map_err(Failure::Input)?;
    if left_out.conversations > 0 {
        let number = counted(left_out.conversations as u64, "execution");
        eprintln!("provoke: note: {number} left out that talked with somebody over a pipe");
    }
    if left_out.files > 0 {
        let number = counted(left_out.files as u64, "file");
        eprintln!("provoke: note: {number} outside of the working folder left out: tests find there what there is now");
    }
    for Unreadable { name, why } in &left_out.unreadable {
        eprintln!("provoke: test {name} cannot be read: {why}");
    }
    Ok(Tests { tests, unreadable: left_out.unreadable })
}

/// Each line of a file is a test: `NAME=VALUE ARGUMENTS < FILE`, quoted as for a shell, with `@@FILE` for an input file. Files are
/// relative to the folder that the list is in.
fn lines(target: &Target, list: &Path) -> Result<Vec<Test>, Failure> {
    let cannot = || format!("cannot read the tests in {}", list.display());
    let text = fs::read_to_string(list).with_context(cannot).map_err(Failure::Input)?;
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut tests = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !is_comment(line)) {
        let words = shell_words::split(line).with_context(|| format!("{}:{number}", list.display()));
        let mut test = parse(target, folder, words.map_err(Failure::Input)?)
            .with_context(|| format!("{}:{number}", list.display()))
            .map_err(Failure::Input)?;
        test.name = line.trim().to_owned();
        tests.push(test);
    }
    Ok(tests)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn parse(target: &Target, folder: &Path, words: Vec<String>) -> anyhow::Result<Test> {
    let (mut args, mut files, mut stdin) = (Vec::new(), Vec::new(), None);
    let mut variables = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "<" {
            stdin = Some(folder.join(words.next().context("the name of a file is missing behind <")?));
        } else if let Some(file) = word.strip_prefix('<') {
            stdin = Some(folder.join(file));
        } else if let Some(at) = word.find(PLACEHOLDER) {
            let (before, file) = word.split_at(at);
            files.push(folder.join(file.trim_start_matches(PLACEHOLDER)));
            args.push((before.to_owned(), Some(files.len())));
        } else if let Some((name, value)) = word.split_once('=').filter(|(name, _)| args.is_empty() && is_name(name)) {
            variables.push((name.into(), value.into()));
        } else {
            args.push((word, None));
        }
    }
    let is_one = files.len() == 1;
    let arg = |(text, file): (String, Option<usize>)| match file {
        None => OsString::from(text),
        Some(_) if is_one => OsString::from(format!("{text}{PLACEHOLDER}")),
        Some(number) => OsString::from(format!("{text}{PLACEHOLDER}{number}")),
    };
    let args: Vec<OsString> = args.into_iter().map(arg).collect();
    let inputs = Inputs { stdin, files, ..target.with_args(args.clone()).inputs() };
    Ok(Test { name: String::new(), args, inputs, surroundings: Surroundings { variables, folder: None } })
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        target: Target,
    }

    #[test]
    fn a_line_is_a_command() {
        let target = Only::parse_from(["provoke", "prog"]).target;
        let words = shell_words::split("LEVEL=3 -d 'a b' --in=@@x/1.gz @@2.gz X=1 < in").unwrap();
        let test = parse(&target, Path::new("dir"), words).unwrap();
        assert_eq!(test.args, ["-d", "a b", "--in=@@1", "@@2", "X=1"]);
        assert_eq!(test.inputs.files, [Path::new("dir/x/1.gz"), Path::new("dir/2.gz")]);
        assert_eq!(test.inputs.stdin.as_deref(), Some(Path::new("dir/in")));
        assert_eq!(test.surroundings.variables, [("LEVEL".into(), "3".into())]);
        assert!(parse(&target, Path::new(""), vec!["<".into()]).is_err());
    }
}
