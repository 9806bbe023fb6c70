//! `provoke.h`, made available to every compilation.
//!
//! The command is one file, so the header is inside it, and is written to the user's cache folder when it is needed. It
//! reaches clang by its environment variables for system headers: the command line stays the user's own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::user_cache::{self, is_own};

/// The header.
pub const TEXT: &str = include_str!("../include/provoke.h");

/// All files that are made available.
const FILES: [(&str, &str); 8] = [
    (NAME, TEXT),
    (NONDET, include_str!("../include/provoke/nondet.c")),
    (FUZZER, include_str!("../include/provoke/fuzzer.c")),
    ("klee/klee.h", include_str!("../include/klee/klee.h")),
    (SOCKETS, include_str!("../include/provoke/sockets.c")),
    (FOLDERS, include_str!("../include/provoke/folders.c")),
    (RANDOM, include_str!("../include/provoke/random.c")),
    (ENTROPY, include_str!("../include/provoke/entropy.c")),
];

/// Definitions of what KLEE and verifiers call.
const NONDET: &str = "provoke/nondet.c";
/// A main function for a fuzzer's.
const FUZZER: &str = "provoke/fuzzer.c";

const SOCKETS: &str = "provoke/sockets.c";
const FOLDERS: &str = "provoke/folders.c";
const RANDOM: &str = "provoke/random.c";
const ENTROPY: &str = "provoke/entropy.c";

/// What takes the place of parts of the system, in all views.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandIn {
    /// Sockets whose other side is a file.
    Sockets,
    /// Folders whose names are in a file.
    Folders,
    /// Random numbers and the time as input.
    Random,
    /// The same random numbers in each run.
    Entropy,
}

impl StandIn {
    /// All of them.
    pub const ALL: [StandIn; 4] = [StandIn::Sockets, StandIn::Folders, StandIn::Random, StandIn::Entropy];

    /// The functions of the system that it takes the place of.
    pub fn functions(self) -> impl Iterator<Item = &'static str> {
        let text = FILES.iter().find(|(name, _)| *name == self.name()).map_or("", |(_, text)| text);
        let after = text.split("MODEL(").skip(1);
        after.filter_map(|rest| rest.split_once(')')).map(|(function, _)| function)
    }

    fn name(self) -> &'static str {
        match self {
            StandIn::Sockets => SOCKETS,
            StandIn::Folders => FOLDERS,
            StandIn::Random => RANDOM,
            StandIn::Entropy => ENTROPY,
        }
    }

    /// Its source file.
    pub(crate) fn file(self) -> Option<PathBuf> {
        folder().map(|folder| folder.join(self.name()))
    }
}

/// The files that a source file needs beside itself, as far as its text tells.
pub(crate) fn beside(source: &str) -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files = Vec::new();
    if ["__VERIFIER_", "klee_", "reach_error"].iter().any(|name| source.contains(name)) {
        files.push(folder.join(NONDET));
    }
    if source.contains("LLVMFuzzerTestOneInput") && !source.contains(" main(") {
        files.push(folder.join(FUZZER));
    }
    files
}

/// What `PROVOKE_MODEL` puts in front of a name.
pub(crate) const MODEL_PREFIX: &str = "__provoke_x_";

/// What the header refers to weakly, and the runtime of a view defines.
pub(crate) const WEAK_SYMBOLS: [&str; 1] = ["__provoke_x_provoke_make_symbolic"];

const NAME: &str = "provoke.h";
const INCLUDE_VARIABLES: [&str; 2] = ["C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// Lets the clang that `command` starts find the header. Where no folder can be written that is impossible, and only
/// programs that include the header notice.
pub(crate) fn make_available(command: &mut Command) {
    let Some(folder) = folder() else { return };
    for variable in INCLUDE_VARIABLES {
        // Behind the user's own, which come first in the search too.
        let mut value = std::env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or_default();
        if !value.is_empty() {
            value.push(":");
        }
        value.push(&folder);
        command.env(variable, value);
    }
}

/// A folder with the header in it.
pub fn folder() -> Option<PathBuf> {
    // A name for each version of the text: two versions of Provoke don't overwrite each other's.
    let mut hasher = blake3::Hasher::new();
    for (_, text) in FILES {
        hasher.update(text.as_bytes());
    }
    let version = hasher.finalize().to_hex();
    let name = format!("include-{}", version.get(..16)?);
    let cached = user_cache::folder().map(|cache| cache.join(&name)).filter(|folder| place(folder).is_ok());
    cached.or_else(|| {
        let user = rustix::process::geteuid().as_raw();
        let folder = std::env::temp_dir().join(format!("provoke-{user}")).join(&name);
        place(&folder).ok().map(|()| folder)
    })
}

/// Puts the header into the folder unless it is there; processes that do so at the same time don't see half a file.
fn place(folder: &Path) -> std::io::Result<()> {
    user_cache::make(folder)?;
    // In a folder of somebody else the header could be exchanged for another one.
    if !is_own(folder) {
        return Err(std::io::ErrorKind::PermissionDenied.into());
    }
    for (name, text) in FILES {
        let path = folder.join(name);
        if std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        let own = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(own)?;
        let mut file = tempfile::NamedTempFile::new_in(own)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_symbols_are_in_the_header() {
        assert_eq!(TEXT.matches("extern void ").count(), WEAK_SYMBOLS.len());
        assert!(TEXT.contains(&format!("#define PROVOKE_MODEL(name) {MODEL_PREFIX}##name")));
        assert!(WEAK_SYMBOLS.iter().all(|symbol| TEXT.contains(&format!("extern void {symbol}("))));
    }

    #[test]
    fn a_damaged_header_is_replaced() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("a/b");
        place(&folder).unwrap();
        std::fs::write(folder.join(NAME), "half").unwrap();
        place(&folder).unwrap();
        assert_eq!(std::fs::read_to_string(folder.join(NAME)).unwrap(), TEXT);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    }
}
