//! Where a view runs: copies of its input, and the file that it reports to.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::input::{Channel, Input, Part, Source};
use crate::layout::Report;

/// Room for buffers beyond what the first input needs, so that larger ones need no new stage.
const SPARE: u32 = 1 << 16;

/// What inputs must have in common to be run on the same stage.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    has_stdin: bool,
    channels: Vec<Channel>,
    /// Last components of the paths of input files.
    files: Vec<PathBuf>,
    /// Numbers of the arguments that are input.
    arguments: Vec<usize>,
}

impl Shape {
    fn of(input: &Input) -> Shape {
        let name = |(name, _): (&str, _)| PathBuf::from(Path::new(name).file_name().unwrap_or("input".as_ref()));
        let argument = |part: &Part| match part.source {
            Source::Argument(number) => Some(number),
            _ => None,
        };
        Shape {
            arguments: input.parts.iter().filter_map(argument).collect(),
            has_stdin: input.standard_input().is_some(),
            channels: input.channels().map(|(channel, _)| channel).collect(),
            files: input.files().map(name).collect(),
        }
    }

    fn has_no_files(&self) -> bool {
        !self.has_stdin && self.channels.is_empty() && self.files.is_empty()
    }
}

/// Copies of an input that the program can read, and do with what it likes, and the file that it reports to.
pub(crate) struct Stage {
    shape: Shape,
    folder: Option<TempDir>,
    stdin: Option<(PathBuf, File)>,
    pub(crate) report: Report,
}

impl Stage {
    /// Makes room for an input, which is not put there yet.
    pub(crate) fn new(checks: u32, input: &Input) -> io::Result<Stage> {
        let shape = Shape::of(input);
        let report = Report::create(checks, Report::needed(input)?.saturating_add(SPARE))?;
        if shape.has_no_files() {
            return Ok(Stage { shape, folder: None, stdin: None, report });
        }
        let folder = TempDir::with_prefix("provoke-")?;
        let mut stdin = None;
        if shape.has_stdin {
            // In a folder of its own, so that no name is taken.
            let own = folder.path().join("standard-input");
            fs::create_dir(&own)?;
            let path = own.join("stdin");
            let file = File::create_new(&path)?;
            stdin = Some((path, file));
        }
        Ok(Stage { shape, folder: Some(folder), stdin, report })
    }

    /// Whether an input can be put here.
    pub(crate) fn fits(&self, input: &Input) -> bool {
        self.shape == Shape::of(input) && self.report.has_room(input)
    }

    /// The file that is the program's standard input.
    pub(crate) fn stdin(&self) -> Option<PathBuf> {
        self.stdin.as_ref().map(|(path, _)| path.clone())
    }

    /// The input files.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let path = |(name, number): (&PathBuf, u32)| folder.path().join(format!("file-{number}")).join(name);
        self.shape.files.iter().zip(1..).map(path).collect()
    }

    /// The files that stand in for parts of the system.
    pub(crate) fn channels(&self) -> Vec<(Channel, PathBuf)> {
        let Some(folder) = &self.folder else { return Vec::new() };
        self.shape.channels.iter().map(|channel| (*channel, folder.path().join(channel.name()))).collect()
    }

    /// Puts an input here in place of the last one, and takes away what its run left.
    pub(crate) fn set(&mut self, input: &Input, silent: &[u8]) -> io::Result<()> {
        if let (Some((_, file)), Some(bytes)) = (&self.stdin, input.standard_input()) {
            file.set_len(bytes.len() as u64)?;
            file.write_all_at(bytes, 0)?;
        }
        for (path, (_, bytes)) in self.files().iter().zip(input.files()) {
            tidy(path)?;
            put(path, bytes)?;
        }
        for ((_, path), (_, bytes)) in self.channels().iter().zip(input.channels()) {
            remove(path)?;
            put(path, bytes)?;
        }
        self.report.prepare(silent, input)
    }
}

/// Makes the folder of a file, or takes away what is in it. The program could do there what it liked: nothing that it put into a
/// file's place, a link above all, is followed.
fn tidy(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    match fs::symlink_metadata(folder) {
        Ok(known) if known.is_dir() => {}
        Ok(_) => return Err(io::Error::other("the program replaced the folder of an input file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::create_dir(folder),
        Err(error) => return Err(error),
    }
    for entry in fs::read_dir(folder)? {
        remove(&entry?.path())?;
    }
    Ok(())
}

/// Takes away whatever has a name, if there is something.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(known) if known.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes a file that was not there.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    File::create_new(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bytes: &[u8]) -> Input {
        let part = |source| Part { source, bytes: bytes.to_vec() };
        Input { parts: vec![part(Source::File("data".to_owned())), part(Source::Channel(Channel::Socket))] }
    }

    /// What a program can put in the place of a file that it finds, so that it leads to another one.
    fn plant(kind: &str, place: &Path, victim: &Path) {
        fs::remove_file(place).unwrap();
        match kind {
            "symbolic link" => std::os::unix::fs::symlink(victim, place).unwrap(),
            "hard link" => fs::hard_link(victim, place).unwrap(),
            "folder" => fs::create_dir_all(place.join("more")).unwrap(),
            _ => {
                let made = std::process::Command::new("mkfifo").arg(place).status().unwrap();
                assert!(made.success());
            }
        }
    }

    #[test]
    fn nothing_that_the_program_planted_is_followed() {
        let elsewhere = tempfile::tempdir().unwrap();
        let victim = elsewhere.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let mut stage = Stage::new(0, &input(b"first")).unwrap();
        stage.set(&input(b"first"), &[]).unwrap();
        let places = [stage.files()[0].clone(), stage.channels()[0].1.clone()];
        for kind in ["symbolic link", "hard link", "folder", "pipe"] {
            places.iter().for_each(|place| plant(kind, place, &victim));
            stage.set(&input(kind.as_bytes()), &[]).unwrap();
            for place in &places {
                assert_eq!(fs::read(place).unwrap(), kind.as_bytes(), "{kind}");
            }
            assert_eq!(fs::read(&victim).unwrap(), b"precious", "{kind}");
        }
    }

    #[test]
    fn a_folder_that_leads_elsewhere_makes_the_stage_useless() {
        let elsewhere = tempfile::tempdir().unwrap();
        let victim = elsewhere.path().join("data");
        fs::write(&victim, "precious").unwrap();
        let mut stage = Stage::new(0, &input(b"first")).unwrap();
        stage.set(&input(b"first"), &[]).unwrap();
        let folder = stage.files()[0].parent().unwrap().to_owned();
        fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
        assert!(stage.set(&input(b"second"), &[]).is_err());
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
    }
}
