//! Paths and texts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The path, made absolute by a folder, without looking at the file system.
pub fn absolute(folder: &Path, path: &OsStr) -> PathBuf {
    folder.join(path)
}

/// A path as the text that records hold.
pub fn text(path: impl AsRef<OsStr>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}
