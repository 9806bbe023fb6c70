//! One folder for everything temporary of a process.
//!
//! Whoever is killed cannot tidy up. So each process has a folder of its own in the folder for temporary files, and a lock on it for as
//! long as it lives. A folder that nobody has a lock on belongs to the dead: the next process removes it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What the names of such folders begin with.
const PREFIX: &str = "provoke-run-";

/// How often another process may be faster.
const ATTEMPTS: usize = 8;

/// The folder. It goes when this does.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Held until the folder is gone.
    _lock: File,
}

impl Scratch {
    /// Removes what the dead left, and lets all temporary files and folders of this process lie in a folder of its own.
    ///
    /// # Errors
    /// If there can be no such folder. What is temporary lies where it always would then.
    pub fn claim() -> io::Result<Scratch> {
        let base = std::env::temp_dir();
        remove_what_the_dead_left(&base);
        let scratch = Scratch::new_in(&base)?;
        tempfile::env::override_temp_dir(&scratch.folder)
            .map_err(|_| io::Error::new(io::ErrorKind::AlreadyExists, "the process has such a folder already"))?;
        Ok(scratch)
    }

    fn new_in(base: &Path) -> io::Result<Scratch> {
        for _ in 0..ATTEMPTS {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?;
            let Ok(lock) = File::open(folder.path()) else { continue };
            // Before there is a lock, it looks like something that was left.
            if lock.try_lock().is_ok() && is_there(folder.path(), &lock) {
                return Ok(Scratch { folder: folder.keep(), _lock: lock });
            }
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, "temporary folders are removed as they are made"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is tried again by the next process.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether a name still stands for an open folder.
fn is_there(name: &Path, open: &File) -> bool {
    match (fs::symlink_metadata(name), open.metadata()) {
        (Ok(named), Ok(open)) => (named.dev(), named.ino()) == (open.dev(), open.ino()),
        _ => false,
    }
}

fn remove_what_the_dead_left(base: &Path) {
    // SAFETY: it only returns a number.
    let user = unsafe { libc::geteuid() };
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        let is_ours = |entry: &fs::DirEntry| {
            let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
            // Not what a link leads to.
            is_named && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user)
        };
        if !is_ours(&entry) {
            continue;
        }
        let Ok(lock) = File::open(entry.path()) else { continue };
        match lock.try_lock() {
            Ok(()) if is_there(&entry.path(), &lock) => {
                let _ = fs::remove_dir_all(entry.path());
            }
            Ok(()) | Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_dead_left_is_removed() {
        let base = tempfile::tempdir().unwrap();
        let alive = Scratch::new_in(base.path()).unwrap();
        let left = base.path().join("provoke-run-left");
        let others = base.path().join("provoke-else");
        for folder in [&left, &others] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("file"), "contents").unwrap();
        }
        std::os::unix::fs::symlink(&others, base.path().join("provoke-run-link")).unwrap();
        remove_what_the_dead_left(base.path());
        assert!(!left.exists(), "nobody has a lock on it");
        assert!(others.join("file").exists(), "it has another name");
        let folder = alive.folder.clone();
        assert!(folder.is_dir(), "its process lives");
        drop(alive);
        assert!(!folder.exists());
    }
}
