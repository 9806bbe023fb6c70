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

/// A recording that no test can be made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What people call it.
    pub name: String,
    /// Why.
    pub why: String,
}

/// Why nobody knows what a recording was of.
const DAMAGED: &str = "its file meta is damaged; record it again with `provoke wrap`, or remove it";

/// Reads the recordings in a folder that can be read, in the order in which they began.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<Recording>> {
    Ok(examined(folder)?.into_iter().filter_map(Result::ok).collect())
}

/// The recordings in a folder, and what is wrong with those that cannot be read.
fn examined(folder: &Path) -> io::Result<Vec<Result<Recording, Unreadable>>> {
    let mut places: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    places.retain(|place| place.join(META).is_file());
    places.sort();
    let recording = |place: PathBuf| {
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let unreadable = |why: String| Unreadable { name, why };
        match fs::read(place.join(META)) {
            Ok(meta) => parse(&meta, place).ok_or_else(|| unreadable(DAMAGED.to_owned())),
            Err(error) => Err(unreadable(format!("its file {META} cannot be read: {error}"))),
        }
    };
    Ok(places.into_iter().map(recording).collect())
}

/// Whether there are recordings in a folder.
pub fn is_folder(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().join(META).is_file()))
}

/// What the recorder wrote down, if it is all there: half of it would be another execution.
fn parse(meta: &[u8], place: PathBuf) -> Option<Recording> {
    let mut recording = Recording::default();
    let mut words = meta.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    let mut number: Option<String> = None;
    while let Some(key) = words.next() {
        let value = words.next()?;
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
            _ => return None,
        }
    }
    if recording.program.as_os_str().is_empty() {
        return None;
    }
    if !recording.args.is_empty() {
        recording.args.remove(0);
    }
    // Shells keep their own books there, in any order.
    recording.variables.retain(|(name, _)| !BOOKS.iter().any(|own| name == own));
    recording.variables.sort();
    recording.place = place;
    Some(recording)
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Executions that talked with somebody over a pipe.
    pub conversations: usize,
    /// Files outside of the working folder: a test finds there what there is when it runs.
    pub files: usize,
    /// Recordings that cannot be read.
    pub unreadable: Vec<Unreadable>,
}

/// Tests of all recordings of a program in a folder. The same execution is one test, however often it was recorded; those
/// that cannot be repeated or read are left out and counted. Nobody knows which program a damaged one was of.
///
/// # Errors
/// If the folder cannot be read.
pub fn read(folder: &Path, program: &Path, inputs: &dyn Fn(&[OsString]) -> Inputs) -> io::Result<(Vec<Test>, LeftOut)> {
    let is_program = |recorded: &Path| match (fs::canonicalize(program), fs::canonicalize(recorded)) {
        (Ok(program), Ok(recorded)) => program == recorded,
        // Suites build and remove programs; the name is what is left.
        _ => program.file_name() == recorded.file_name(),
    };
    let mut left_out = LeftOut::default();
    let mut seen = BTreeSet::new();
    let mut tests = Vec::new();
    for recording in examined(folder)? {
        let recording = match recording {
            Ok(recording) if !is_program(&recording.program) => continue,
            Ok(recording) if recording.is_conversation => {
                left_out.conversations += 1;
                continue;
            }
            Ok(recording) => recording,
            Err(unreadable) => {
                left_out.unreadable.push(unreadable);
                continue;
            }
        };
        let read = recording.test(inputs).and_then(|(test, elsewhere)| {
            let input = test.inputs.read(&test.args).map_err(io::Error::other)?;
            Ok((test, elsewhere, input))
        });
        let (mut test, elsewhere, input) = match read {
            Ok(read) => read,
            Err(error) => {
                left_out.unreadable.push(Unreadable { name: recording.words(), why: error.to_string() });
                continue;
            }
        };
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
        let words = [
            ("program", "/p/tool"),
            ("argument", "tool"),
            ("number", "0"),
            ("file", "../../escaped"),
            ("number", "../../x"),
            ("file", "y"),
        ];
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
        let words = [("program", "/p/tool"), ("variable", "HOME=/h"), ("variable", "LEVEL=3"), ("argument", "tool")];
        recorded(folder.path(), &words, &[]);
        forget_variables(folder.path(), &[("HOME".into(), "/h".into()), ("LEVEL".into(), "2".into())]).unwrap();
        let [recording] = list(folder.path()).unwrap().try_into().unwrap();
        assert_eq!(recording.variables, [("LEVEL".into(), "3".into())]);
    }

    #[test]
    fn damaged_recordings_are_none() {
        let whole = b"program\0/p/tool\0exit\0x\0file\0a\0";
        assert_eq!(parse(whole, "p".into()).unwrap().files, []);
        for meta in [&b""[..], b"argument", b"\0\0\0", b"argument\0tool\0", b"\xa5\0\x17\0"] {
            assert_eq!(parse(meta, "p".into()), None);
        }
        assert_eq!(parse(&whole[..whole.len() - 1], "p".into()), None);
    }

    #[test]
    fn what_cannot_be_read_keeps_nothing_else_from_being_read() {
        let folder = tempfile::tempdir().unwrap();
        let words = [("program", "/p/tool"), ("folder", "/w"), ("argument", "tool"), ("stdin", "file")];
        for number in ["damaged", "good", "missing"] {
            let place = recorded(folder.path(), &words, &[]);
            fs::write(place.join("stdin"), number).unwrap();
            fs::rename(place, folder.path().join(number)).unwrap();
        }
        fs::write(folder.path().join("damaged").join(META), "").unwrap();
        fs::remove_file(folder.path().join("missing").join("stdin")).unwrap();
        let (tests, left_out) = read(folder.path(), Path::new("tool"), &|_| Inputs::default()).unwrap();
        assert_eq!(tests.len(), 1);
        let names: Vec<&str> = left_out.unreadable.iter().map(|unreadable| unreadable.name.as_str()).collect();
        assert_eq!(names, ["damaged", "tool < …"]);
        assert!(left_out.unreadable[1].why.contains("missing/stdin"), "{left_out:?}");
    }
}
