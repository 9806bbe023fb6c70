//! What a program finds around it that is no input.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;

/// What a program finds around it that is no input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Environment variables in addition to ours.
    pub variables: Vec<(OsString, OsString)>,
    /// A folder: the program is started in a copy of it, which it can change as it likes. Without one, it is started where we are.
    pub folder: Option<PathBuf>,
}

impl Surroundings {
    /// Shows the names and contents of all files that the program finds in its folder, always in the same order.
    pub fn contents(&self, see: &mut dyn FnMut(&[u8], &[u8])) {
        let Some(folder) = &self.folder else { return };
        let mut waiting = vec![folder.clone()];
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
                inside.sort();
                waiting.extend(inside);
            } else {
                // A file that cannot be read keeps the copy from being made, which is told then.
                let name = path.strip_prefix(folder).unwrap_or(&path);
                see(name.as_os_str().as_bytes(), &fs::read(&path).unwrap_or_default());
            }
        }
    }

    /// Makes the copy of the folder, which goes away with the result.
    pub(crate) fn prepare(&self) -> Result<Option<TempDir>, Error> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let copied = || {
            let copy = TempDir::with_prefix("provoke-")?;
            copy_folder(folder, copy.path())?;
            Ok(copy)
        };
        copied().map(Some).map_err(|source| cannot(folder, source))
    }

    /// Takes away what is in a copy of the folder, and copies it once more.
    pub(crate) fn renew(&self, copy: &Path) -> Result<(), Error> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let renewed = || {
            for entry in fs::read_dir(copy)? {
                let entry = entry?;
                match entry.file_type()?.is_dir() {
                    true => fs::remove_dir_all(entry.path())?,
                    false => fs::remove_file(entry.path())?,
                }
            }
            copy_folder(folder, copy)
        };
        renewed().map_err(|source| cannot(folder, source))
    }
}

fn cannot(folder: &Path, source: io::Error) -> Error {
    Error::Input { path: folder.display().to_string(), source }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                fs::create_dir(&target)?;
                folders.push((entry.path(), target));
            } else {
                fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_gets_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), "text").unwrap();
        let surroundings =
            Surroundings { folder: Some(folder.path().to_owned()), variables: vec![("NAME".into(), "value".into())] };
        let command = crate::Command {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), "cat a/b/c && rm -r a && echo $NAME".into()],
            output: crate::Output::Capture(100),
            surroundings,
            ..crate::Command::default()
        };
        let never = std::sync::atomic::AtomicBool::new(false);
        let finished = crate::execute(&command, &crate::Limits::default(), &never).unwrap();
        assert_eq!(finished.stdout.bytes, b"textvalue\n");
        assert!(folder.path().join("a/b/c").is_file());
    }
}
