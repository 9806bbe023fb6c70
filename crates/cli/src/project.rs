//! The folder of a project: `.provoke` where the command is run. Where that cannot be written, one in the user's cache takes its place.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::Access;

const USUAL: &str = ".provoke";

/// The folder. Which one it is is said if it is not the usual one, once.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let usual = PathBuf::from(USUAL);
        let Err(error) = examine(&usual) else { return usual };
        // If there is no other, whoever writes to it says what is wrong.
        let Some(other) = in_cache().filter(|folder| examine(folder).is_ok()) else { return usual };
        eprintln!("provoke: note: {USUAL} cannot be written here ({error}): {} takes its place", other.display());
        other
    })
}

/// Where something goes: where the user says, or else into the folder under this name.
pub fn place(named: Option<&Path>, name: &str) -> PathBuf {
    named.map_or_else(|| folder().join(name), Path::to_owned)
}

/// Where something is that is read: in the usual place, whether or not that can be written, or else in the folder.
pub fn existing(name: &str) -> PathBuf {
    let usual = Path::new(USUAL).join(name);
    if usual.exists() { usual } else { folder().join(name) }
}

/// A folder for the project of the current folder alone.
fn in_cache() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let digits: String =
        sha1_smol::Sha1::from(here.as_os_str().as_bytes()).digest().to_string().chars().take(16).collect();
    Some(cc::user_cache::folder()?.join("projects").join(digits))
}

/// Whether there is, or can be, such a folder that can be written to. It is made when there is something to put into it.
pub fn examine(folder: &Path) -> io::Result<()> {
    let there = folder.ancestors().find(|folder| folder.symlink_metadata().is_ok()).unwrap_or(Path::new("."));
    if !there.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK)?)
}
