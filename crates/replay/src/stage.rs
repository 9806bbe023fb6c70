//! Where a view runs: copies of its input, and the file that it reports to.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::input::Input;
use crate::layout::Report;

/// Room for buffers beyond what the first input needs, so that larger ones need no new stage.
const SPARE: u32 = 1 << 16;

/// What inputs must have in common to be run on the same stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    has_stdin: bool,
    /// Last component of the input file's path.
    file: Option<PathBuf>,
}

impl Shape {
    pub(crate) fn of(input: &Input) -> Shape {
        let name = |(name, _): (&str, _)| PathBuf::from(Path::new(name).file_name().unwrap_or("input".as_ref()));
        Shape { has_stdin: input.standard_input().is_some(), file: input.file().map(name) }
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
        if !shape.has_stdin && shape.file.is_none() {
            return Ok(Stage { shape, folder: None, stdin: None, report });
        }
        let folder = TempDir::with_prefix("provoke-")?;
        let mut stdin = None;
        if shape.has_stdin {
            // In a folder of its own, so that no name is taken.
            let own = folder.path().join(STDIN_FOLDER);
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

    /// The input file.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.path().join(self.shape.file.as_ref()?))
    }

    /// Puts an input here in place of the last one, and takes away what its run left.
    pub(crate) fn set(&mut self, input: &Input, silent: &[u8]) -> io::Result<()> {
        self.tidy()?;
        if let (Some((_, file)), Some(bytes)) = (&self.stdin, input.standard_input()) {
            file.set_len(bytes.len() as u64)?;
            file.write_all_at(bytes, 0)?;
        }
        if let (Some(path), Some((_, bytes))) = (self.file(), input.file()) {
            fs::write(path, bytes)?;
        }
        self.report.prepare(silent, input)
    }

    fn tidy(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        for entry in fs::read_dir(folder.path())? {
            let entry = entry?;
            let is_ours =
                entry.file_name() == STDIN_FOLDER || Some(Path::new(&entry.file_name())) == self.shape.file.as_deref();
            match entry.file_type()? {
                kind if kind.is_dir() && is_ours && self.stdin.is_some() => {}
                kind if kind.is_dir() => fs::remove_dir_all(entry.path())?,
                kind if kind.is_file() && is_ours => {}
                _ => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }
}

/// Folder of the copy that is the standard input.
const STDIN_FOLDER: &str = "standard-input";
