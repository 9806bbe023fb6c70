//! Where a view runs: copies of its input, and the file that it reports to.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::input::{Input, Source};
use crate::layout::Report;

/// Room for buffers beyond what the first input needs, so that larger ones need no new stage.
const SPARE: u32 = 1 << 16;

/// What inputs must have in common to be run on the same stage.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    has_stdin: bool,
    has_socket: bool,
    /// Last components of the paths of input files.
    files: Vec<PathBuf>,
}

impl Shape {
    fn of(input: &Input) -> Shape {
        let name = |(name, _): (&str, _)| PathBuf::from(Path::new(name).file_name().unwrap_or("input".as_ref()));
        Shape {
            has_stdin: input.standard_input().is_some(),
            has_socket: input.bytes_of(&Source::Socket).is_some(),
            files: input.files().map(name).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        !self.has_stdin && !self.has_socket && self.files.is_empty()
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
        if shape.is_empty() {
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

    /// The file with what comes out of the program's sockets.
    pub(crate) fn socket(&self) -> Option<PathBuf> {
        self.folder.as_ref().filter(|_| self.shape.has_socket).map(|folder| folder.path().join("socket"))
    }

    /// Puts an input here in place of the last one, and takes away what its run left.
    pub(crate) fn set(&mut self, input: &Input, silent: &[u8]) -> io::Result<()> {
        if let (Some((_, file)), Some(bytes)) = (&self.stdin, input.standard_input()) {
            file.set_len(bytes.len() as u64)?;
            file.write_all_at(bytes, 0)?;
        }
        for (path, (_, bytes)) in self.files().iter().zip(input.files()) {
            tidy(path)?;
            fs::write(path, bytes)?;
        }
        if let (Some(path), Some(bytes)) = (self.socket(), input.bytes_of(&Source::Socket)) {
            fs::write(path, bytes)?;
        }
        self.report.prepare(silent, input)
    }
}

/// Makes the folder of a file, or takes away what else is in it.
fn tidy(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    if !folder.is_dir() {
        return fs::create_dir(folder);
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => fs::remove_dir_all(entry.path())?,
            kind if kind.is_file() && entry.path() == file => {}
            _ => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}
