//! Where a view runs: copies of its input, and the file that it reports to.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::input::{Channel, Input, Part, Source};
use crate::layout::{Argument, Report};

/// Room for buffers beyond what the first input needs, so that larger ones need no new stage.
const SPARE: u32 = 1 << 16;

/// What the processes on a stage are started with, whatever they are given later.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    has_stdin: bool,
    channels: Vec<Channel>,
}

impl Shape {
    fn of(input: &Input) -> Shape {
        Shape {
            has_stdin: input.standard_input().is_some(),
            channels: input.channels().map(|(channel, _)| channel).collect(),
        }
    }
}

/// Last components of the paths of input files.
fn names(input: &Input) -> Vec<PathBuf> {
    let name = |(name, _): (&str, _)| PathBuf::from(Path::new(name).file_name().unwrap_or("input".as_ref()));
    input.files().map(name).collect()
}

/// Copies of an input that the program can read, and do with what it likes, and the file that it reports to.
pub(crate) struct Stage {
    shape: Shape,
    /// Names of the input files.
    files: Vec<PathBuf>,
    folder: Option<TempDir>,
    stdin: Option<(PathBuf, File)>,
    pub(crate) report: Report,
}

impl Stage {
    /// Makes room for an input, which is not put there yet.
    pub(crate) fn new(checks: u32, input: &Input) -> io::Result<Stage> {
        let (shape, files) = (Shape::of(input), names(input));
        let argument = |part: &Part| matches!(part.source, Source::Argument(_)).then_some(part.bytes.len() as u32);
        let arguments = input.parts.iter().filter_map(argument).fold(SPARE, u32::saturating_add);
        let report = Report::create(checks, Report::needed(input, &[])?.saturating_add(arguments))?;
        if !shape.has_stdin && shape.channels.is_empty() && files.is_empty() {
            return Ok(Stage { shape, files, folder: None, stdin: None, report });
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
        Ok(Stage { shape, files, folder: Some(folder), stdin, report })
    }

    /// Whether an input can be put here, for a process that was started for another one.
    pub(crate) fn fits(&self, input: &Input) -> bool {
        let has_files = input.files().next().is_some();
        self.shape == Shape::of(input) && (self.folder.is_some() || !has_files)
    }

    /// Gives the input files the names of those of another input.
    pub(crate) fn rename(&mut self, input: &Input) -> io::Result<()> {
        let files = names(input);
        for left in self.files().iter().skip(files.len()) {
            left.parent().map_or(Ok(()), remove)?;
        }
        self.files = files;
        Ok(())
    }

    /// The file that is the program's standard input.
    pub(crate) fn stdin(&self) -> Option<PathBuf> {
        self.stdin.as_ref().map(|(path, _)| path.clone())
    }

    /// The input files.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let path = |(name, number): (&PathBuf, u32)| folder.path().join(format!("file-{number}")).join(name);
        self.files.iter().zip(1..).map(path).collect()
    }

    /// The files that stand in for parts of the system.
    pub(crate) fn channels(&self) -> Vec<(Channel, PathBuf)> {
        let Some(folder) = &self.folder else { return Vec::new() };
        self.shape.channels.iter().map(|channel| (*channel, folder.path().join(channel.name()))).collect()
    }

    /// Puts an input here in place of the last one, and takes away what its run left. The run has these arguments instead of those that its
    /// process was started with.
    pub(crate) fn set(&mut self, input: &Input, silent: &[u8], args: &[Argument]) -> io::Result<()> {
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
        self.report.prepare(silent, input, args)
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
        stage.set(&input(b"first"), &[], &[]).unwrap();
        let places = [stage.files()[0].clone(), stage.channels()[0].1.clone()];
        for kind in ["symbolic link", "hard link", "folder", "pipe"] {
            places.iter().for_each(|place| plant(kind, place, &victim));
            stage.set(&input(kind.as_bytes()), &[], &[]).unwrap();
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
        stage.set(&input(b"first"), &[], &[]).unwrap();
        let folder = stage.files()[0].parent().unwrap().to_owned();
        fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
        assert!(stage.set(&input(b"second"), &[], &[]).is_err());
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
    }
}
