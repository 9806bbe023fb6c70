//! The user's cache folder, where things are kept that any project may need.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folder of Provoke in the user's cache.
pub fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let absolute = |value: OsString| Some(PathBuf::from(value)).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME").and_then(absolute);
    base.or_else(|| set("HOME").and_then(absolute).map(|home| home.join(".cache"))).map(|base| base.join("provoke"))
}

/// The folder there for views, made if it is not there; nothing if what is in it could be somebody else's, since views are run.
pub fn views() -> Option<PathBuf> {
    let folder = folder()?.join("views");
    fs::create_dir_all(&folder).ok()?;
    is_own(&folder).then_some(folder)
}

/// Whether a folder, and the one that it is in, are the user's own.
pub(crate) fn is_own(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let mut owned = [Some(folder), folder.parent()].into_iter().flatten();
    owned.all(|owned| fs::metadata(owned).is_ok_and(|known| known.uid() == user))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_others_are_told_apart() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("views");
        fs::create_dir(&folder).unwrap();
        assert!(is_own(&folder));
        // Who may give it away does; anybody else has the system's own.
        let given = std::os::unix::fs::chown(&folder, Some(1234), None).is_ok();
        assert!(!is_own(if given { &folder } else { Path::new("/usr/lib") }));
        assert!(!is_own(&outer.path().join("missing")));
    }
}
