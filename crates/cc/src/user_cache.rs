//! The user's cache folder, where things are kept that any project may need.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
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
    make(&folder).ok()?;
    is_own(&folder).then_some(folder)
}

/// Makes a folder, and those that it is in, if they are not there. What is new is for nobody else, whatever the umask is.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether a folder, and the one that it is in, are the user's own, and not everybody's: nobody else can put anything there, or put
/// another folder in its place. A link to them must be the user's, too.
pub(crate) fn is_own(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let is_users = |known: &fs::Metadata| known.uid() == user;
    let is_closed = |known: &fs::Metadata| known.mode() & 0o002 == 0;
    let mut folders = [Some(folder), folder.parent()].into_iter().flatten();
    folders.all(|folder| {
        fs::symlink_metadata(folder).is_ok_and(|link| is_users(&link))
            && fs::metadata(folder).is_ok_and(|known| is_users(&known) && is_closed(&known))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folders_of_others_are_told_apart() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("cache").join("views");
        make(&folder).unwrap();
        assert!(is_own(&folder));
        let allow = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        allow(0o777);
        assert!(!is_own(&folder));
        allow(0o755);
        let link = outer.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(is_own(&link));
        // Who may give something away does; anybody else has the system's own. Whoever has made a link can have it lead elsewhere later.
        if std::os::unix::fs::lchown(&link, Some(1234), None).is_ok() {
            assert!(!is_own(&link));
        }
        let given = std::os::unix::fs::chown(&folder, Some(1234), None).is_ok();
        assert!(!is_own(if given { &folder } else { Path::new("/usr/lib") }));
        assert!(!is_own(&outer.path().join("missing")));
    }
}
