//! Paths as text.

use std::ffi::OsStr;

/// A path as the text that records hold.
pub fn text(path: impl AsRef<OsStr>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}
