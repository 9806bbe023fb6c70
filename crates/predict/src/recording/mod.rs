//! Executions that the recorder wrote down, as tests.
//!
//! The recorder is a library that is loaded into every program of a suite ([`RECORDER`] is its source). It writes down
//! those that carry bitcode; [`read`] makes tests of what it wrote.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use run::{Inputs, PLACEHOLDER, Surroundings};

use crate::test::Test;

/// The recorder, in C.
pub const RECORDER: &str = include_str!("recorder.c");

/// Names the folder that the recorder writes to.
pub const FOLDER_VARIABLE: &str = "PROVOKE_RECORD";

/// Variables that shells change all the time.
const BOOKS: [&str; 4] = ["_", "SHLVL", "PWD", "OLDPWD"];

/// What the recorder knows about an execution.
const META: &str = "meta";

/// One execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recording {
    /// Where it is kept.
    pub place: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// Its working folder.
    pub folder: PathBuf,
    /// Its arguments, without its name.
    pub args: Vec<OsString>,
    /// Its environment.
    pub variables: Vec<(OsString, OsString)>,
    /// The copy of what it read from standard input, if it did.
    pub stdin: Option<PathBuf>,
    /// Files that it read: their names as it opened them, and their copies.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// How it ended, if it ended by itself.
    pub exit: Option<i32>,
    /// Whether its standard input was a conversation, which cannot be given again.
    pub is_conversation: bool,
}

/// Reads the recordings in a folder, in the order in which they began.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<Recording>> {
    let mut places: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    places.retain(|place| place.join(META).is_file());
    places.sort();
    places.into_iter().map(|place| Ok(parse(&fs::read(place.join(META))?, place))).collect()
}

/// Whether there are recordings in a folder.
pub fn is_folder(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().join(META).is_file()))
}

fn parse(meta: &[u8], place: PathBuf) -> Recording {
    let mut recording = Recording::default();
    let mut words = meta.split(|byte| *byte == 0);
    let mut number: Option<String> = None;
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        let text = || OsStr::from_bytes(value).to_owned();
        match key {
            b"program" => recording.program = text().into(),
            b"folder" => recording.folder = text().into(),
            b"argument" => recording.args.push(text()),
            b"variable" => recording.variables.extend(variable(value)),
            b"stdin" if value == b"conversation" => recording.is_conversation = true,
            b"stdin" => recording.stdin = Some(place.join("stdin")),
            b"number" => number = String::from_utf8(value.to_vec()).ok().filter(|n| n.parse::<u32>().is_ok()),
            b"file" => {
                if let Some(number) = number.take() {
                    recording.files.push((text().into(), place.join("files").join(number)));
                }
            }
            b"exit" => recording.exit = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok()),
            _ => {}
        }
    }
    if !recording.args.is_empty() {
        recording.args.remove(0);
    }
    // Shells keep their own books there, in any order.
    recording.variables.retain(|(name, _)| !BOOKS.iter().any(|own| name == own));
    recording.variables.sort();
    recording.place = place;
    recording
}

fn variable(text: &[u8]) -> Option<(OsString, OsString)> {
    let at = text.iter().position(|byte| *byte == b'=')?;
    let (name, value) = text.split_at(at);
    Some((OsString::from_vec(name.to_vec()), OsString::from_vec(value.get(1..)?.to_vec())))
}

/// Removes from the recordings in a folder all variables that are the same in `ours`: what everybody has says nothing about a
/// test, and may be nobody else's business.
///
/// # Errors
/// If they cannot be read or written.
pub fn forget_variables(folder: &Path, ours: &[(OsString, OsString)]) -> io::Result<()> {
    for recording in list(folder)? {
        let file = recording.place.join(META);
        let meta = fs::read(&file)?;
        let mut kept = Vec::new();
        let mut words = meta.split(|byte| *byte == 0);
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            let is_ours = key == b"variable" && variable(value).is_some_and(|variable| ours.contains(&variable));
            if !is_ours {
                kept.extend_from_slice(key);
                kept.push(0);
                kept.extend_from_slice(value);
                kept.push(0);
            }
        }
        // A recording is never seen half written.
        let new = recording.place.join(format!("{META}.new"));
        fs::write(&new, kept)?;
        fs::rename(&new, &file)?;
    }
    Ok(())
}

impl Recording {
    /// Makes a test of it: files that arguments name, and standard input, are input. Other files that it read relative to
    /// its working folder are there again when it runs; how many it read elsewhere is counted.
    ///
    /// # Errors
    /// If the files cannot be laid out.
    pub fn test(&self, inputs: &dyn Fn(&[OsString]) -> Inputs) -> io::Result<(Test, usize)> {
        let mut args = self.args.clone();
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for (name, copy) in &self.files {
            let is_named = args.iter().any(|arg| replaced(arg, name, OsStr::new("")).is_some());
            if is_named { named.push((name, copy)) } else { others.push((name, copy)) }
        }
        let mut files = Vec::new();
        for (index, (name, copy)) in (1..).zip(&named) {
            let mark = if named.len() == 1 { PLACEHOLDER.to_owned() } else { format!("{PLACEHOLDER}{index}") };
            for arg in &mut args {
                if let Some(replaced) = replaced(arg, name, OsStr::new(&mark)) {
                    *arg = replaced;
                }
            }
            files.push(self.with_own_name(name, copy, index)?);
        }
        let (folder, elsewhere) = self.lay_out(&others)?;
        let inputs = Inputs { stdin: self.stdin.clone(), files, ..inputs(&args) };
        let surroundings = Surroundings { variables: self.variables.clone(), folder: Some(folder) };
        Ok((Test { name: self.words(), args, inputs, surroundings }, elsewhere))
    }

    /// A copy under the name that the file had: programs look at endings.
    fn with_own_name(&self, name: &Path, copy: &Path, index: usize) -> io::Result<PathBuf> {
        let folder = self.place.join(format!("input-{index}"));
        fs::create_dir_all(&folder)?;
        let own = folder.join(name.file_name().unwrap_or(OsStr::new("input")));
        if !own.exists() {
            fs::copy(copy, &own)?;
        }
        Ok(own)
    }

    /// A folder with the files that the program found relative to its own, and how many it found elsewhere.
    fn lay_out(&self, files: &[(&PathBuf, &PathBuf)]) -> io::Result<(PathBuf, usize)> {
        let mut elsewhere = 0;
        let work = self.place.join("work");
        fs::create_dir_all(&work)?;
        for (name, copy) in files {
            let relative = name.strip_prefix(&self.folder).unwrap_or(name);
            let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            elsewhere += usize::from(!is_inside);
            if is_inside && !work.join(relative).exists() {
                if let Some(folder) = work.join(relative).parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::copy(copy, work.join(relative))?;
            }
        }
        Ok((work, elsewhere))
    }

    /// The command line, for people.
    fn words(&self) -> String {
        let mut words = vec![self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()];
        words.extend(self.args.iter().map(|arg| arg.to_string_lossy().into_owned()));
        if self.stdin.is_some() {
            words.push("< …".to_owned());
        }
        words.join(" ")
    }
}

/// The argument with something in place of a file's name: all of it, or what follows a `=`.
fn replaced(arg: &OsStr, name: &Path, by: &OsStr) -> Option<OsString> {
    let (arg, name) = (arg.as_bytes(), name.as_os_str().as_bytes());
    let before = arg.strip_suffix(name)?;
    (before.is_empty() || before.ends_with(b"=")).then(|| {
        let mut replaced = OsString::from_vec(before.to_vec());
        replaced.push(by);
        replaced
    })
}

/// What recordings have that tests do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Executions that talked with somebody over a pipe.
    pub conversations: usize,
    /// Files outside of the working folder: a test finds there what there is when it runs.
    pub files: usize,
}

/// Tests of all recordings of a program in a folder. The same execution is one test, however often it was recorded; those
/// that cannot be repeated are left out and counted.
///
/// # Errors
/// If they cannot be read.
pub fn read(folder: &Path, program: &Path, inputs: &dyn Fn(&[OsString]) -> Inputs) -> io::Result<(Vec<Test>, LeftOut)> {
    let is_program = |recorded: &Path| match (fs::canonicalize(program), fs::canonicalize(recorded)) {
        (Ok(program), Ok(recorded)) => program == recorded,
        // Suites build and remove programs; the name is what is left.
        _ => program.file_name() == recorded.file_name(),
    };
    let mut recordings = list(folder)?;
    recordings.retain(|recording| is_program(&recording.program));
    let all = recordings.len();
    recordings.retain(|recording| !recording.is_conversation);
    let mut left_out = LeftOut { conversations: all - recordings.len(), files: 0 };
    let mut seen = BTreeSet::new();
    let mut tests = Vec::new();
    for recording in recordings {
        let (mut test, elsewhere) = recording.test(inputs)?;
        let input = test.inputs.read(&test.args).map_err(io::Error::other)?;
        // Names of copies differ from one recording to the next.
        let contents: Vec<&[u8]> = input.parts.iter().map(|part| part.bytes.as_slice()).collect();
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{:?} {:?} {contents:?}", test.args, test.surroundings.variables).as_bytes());
        test.surroundings.contents(&mut |name, bytes| {
            hasher.update(name).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        });
        if !seen.insert(hasher.finalize().as_bytes().to_vec()) {
            continue;
        }
        left_out.files += elsewhere;
        test.name = format!("{:04} {}", tests.len() + 1, test.name);
        tests.push(test);
    }
    Ok((tests, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(folder: &Path, words: &[(&str, &str)], files: &[&str]) -> PathBuf {
        let place = folder.join("1");
        fs::create_dir_all(place.join("files")).unwrap();
        let meta: Vec<u8> = words.iter().flat_map(|(key, value)| format!("{key}\0{value}\0").into_bytes()).collect();
        fs::write(place.join(META), meta).unwrap();
        for (index, contents) in files.iter().enumerate() {
            fs::write(place.join("files").join(index.to_string()), contents).unwrap();
        }
        place
    }

    #[test]
    fn files_that_arguments_name_are_input() {
        let folder = tempfile::tempdir().unwrap();
        let words = [
            ("program", "/p/tool"),
            ("folder", "/w"),
            ("argument", "tool"),
            ("argument", "--in=a/b.gz"),
            ("variable", "LEVEL=3"),
            ("number", "0"),
            ("file", "a/b.gz"),
            ("number", "1"),
            ("file", "/w/etc/config"),
            ("exit", "2"),
        ];
        recorded(folder.path(), &words, &["zipped", "set"]);
        assert!(is_folder(folder.path()));
        let [recording] = list(folder.path()).unwrap().try_into().unwrap();
        assert_eq!(recording.exit, Some(2));
        let (test, elsewhere) = recording.test(&|_| Inputs::default()).unwrap();
        assert_eq!(elsewhere, 0);
        assert_eq!(test.args, ["--in=@@"]);
        assert!(test.inputs.files[0].ends_with("b.gz"));
        assert_eq!(fs::read(&test.inputs.files[0]).unwrap(), b"zipped");
        let work = test.surroundings.folder.unwrap();
        assert_eq!(fs::read(work.join("etc/config")).unwrap(), b"set");
        assert_eq!(test.surroundings.variables, [("LEVEL".into(), "3".into())]);
    }

    #[test]
    fn executions_that_found_different_files_are_different_tests() {
        let folder = tempfile::tempdir().unwrap();
        let words = [("program", "/p/tool"), ("folder", "/w"), ("argument", "tool"), ("number", "0"), ("file", "/w/c")];
        for (number, contents) in [("a", "1"), ("b", "2"), ("c", "1")] {
            let place = recorded(folder.path(), &words, &[contents]);
            fs::rename(place, folder.path().join(number)).unwrap();
        }
        let (tests, left_out) = read(folder.path(), Path::new("tool"), &|_| Inputs::default()).unwrap();
        assert_eq!((tests.len(), left_out), (2, LeftOut::default()));
    }

    #[test]
    fn nothing_is_laid_out_outside_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let words =
            [("argument", "tool"), ("number", "0"), ("file", "../../escaped"), ("number", "../../x"), ("file", "y")];
        recorded(folder.path(), &words, &["text"]);
        let [recording] = list(folder.path()).unwrap().try_into().unwrap();
        assert_eq!(recording.files.len(), 1);
        let (test, elsewhere) = recording.test(&|_| Inputs::default()).unwrap();
        assert_eq!(elsewhere, 1);
        let work = test.surroundings.folder.unwrap();
        assert_eq!(fs::read_dir(work).unwrap().count(), 0);
    }

    #[test]
    fn what_everybody_has_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        recorded(folder.path(), &[("variable", "HOME=/h"), ("variable", "LEVEL=3"), ("argument", "tool")], &[]);
        forget_variables(folder.path(), &[("HOME".into(), "/h".into()), ("LEVEL".into(), "2".into())]).unwrap();
        let [recording] = list(folder.path()).unwrap().try_into().unwrap();
        assert_eq!(recording.variables, [("LEVEL".into(), "3".into())]);
    }

    #[test]
    fn damaged_recordings_are_read_as_far_as_they_go() {
        for meta in [&b""[..], b"argument", b"exit\0x\0file\0a\0", b"\0\0\0"] {
            assert_eq!(parse(meta, "p".into()).files, []);
        }
    }
}
