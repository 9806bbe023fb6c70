//! Finding clang 19.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Environment variable that names the clang to use.
pub const CLANG_VARIABLE: &str = "PROVOKE_CLANG";
const VERSION: &str = "19";
/// Where Debian's and LLVM's own packages put it, whether or not it is on `PATH`.
const PACKAGE_FOLDER: &str = "/usr/lib/llvm-19/bin";

/// Which of the two drivers is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Language {
    /// `provoke cc`, in the place of `clang`.
    C,
    /// `provoke c++`, in the place of `clang++`.
    Cxx,
}

/// A clang that was found.
#[derive(Clone, Debug)]
pub struct Clang {
    path: PathBuf,
    /// `path` is the C driver and has to be told that it is to behave as the C++ driver.
    forced_cxx: bool,
}

impl Clang {
    /// Finds clang 19: the one named in [`CLANG_VARIABLE`], or `clang-19`, or a `clang` of that version.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(language: Language) -> Result<Self, Error> {
        if let Some(named) = std::env::var_os(CLANG_VARIABLE).filter(|named| !named.is_empty()) {
            let path = search_path(&named).unwrap_or_else(|| PathBuf::from(&named));
            return match version_of(&path) {
                Ok(version) if is_wanted(&version) => Ok(Self::beside(path, language)),
                Ok(version) => Err(Error::WrongClang { path, reason: version }),
                Err(error) => Err(Error::WrongClang { path, reason: error.to_string() }),
            };
        }
        if let Some(path) = search_path(OsStr::new("clang-19")) {
            return Ok(Self::beside(path, language));
        }
        let packaged = Path::new(PACKAGE_FOLDER).join("clang");
        if packaged.is_file() {
            return Ok(Self::beside(packaged, language));
        }
        search_path(OsStr::new("clang"))
            .filter(|path| version_of(path).is_ok_and(|version| is_wanted(&version)))
            .map(|path| Self::beside(path, language))
            .ok_or(Error::NoClang)
    }

    /// The driver for the language that belongs to the C driver `path`.
    fn beside(path: PathBuf, language: Language) -> Self {
        if language == Language::C {
            return Self { path, forced_cxx: false };
        }
        let name = path.file_name().map(|name| name.to_string_lossy().replacen("clang", "clang++", 1));
        match name.map(|name| path.with_file_name(name)).filter(|cxx| cxx.is_file()) {
            Some(cxx) => Self { path: cxx, forced_cxx: false },
            None => Self { path, forced_cxx: true },
        }
    }

    /// A command that runs it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if self.forced_cxx {
            command.arg("--driver-mode=g++");
        }
        command
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn search_path(name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn version_of(clang: &Path) -> std::io::Result<String> {
    let output = Command::new(clang).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}

fn is_wanted(version: &str) -> bool {
    let number = version.split_once("clang version ").map(|(_, number)| number);
    number.and_then(|number| number.split('.').next()).is_some_and(|major| major == VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_version_19_of_clang_will_do() {
        assert!(is_wanted("Debian clang version 19.1.7 (3~deb12u1)"));
        assert!(is_wanted("clang version 19.1.0"));
        assert!(!is_wanted("clang version 14.0.6"));
        assert!(!is_wanted("clang version 191.0.6"));
        assert!(!is_wanted("gcc (Debian 12.2.0-14) 12.2.0"));
    }
}
