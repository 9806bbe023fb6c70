//! Probes: the small programs by which `configure`, CMake and Meson find out what a compiler can do.
//!
//! Nobody looks for bugs in them, there are hundreds in a build, and their results are judged by what is printed. So
//! they get clang and nothing else.

use std::ffi::OsString;
use std::path::{Component, Path};

/// Autoconf's probes have this name.
const AUTOCONF: &str = "conftest";
/// CMake's and Meson's are made in folders of these names.
const FOLDERS: [&str; 3] = ["CMakeScratch", "CMakeTmp", "meson-private"];

/// True if what is compiled or linked is a probe.
pub fn is_probe(arguments: &[OsString]) -> bool {
    let here = std::env::current_dir().unwrap_or_default();
    is_in_folder(&here) || arguments.iter().map(Path::new).any(|path| is_autoconf(path) || is_in_folder(path))
}

fn is_autoconf(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == AUTOCONF)
}

fn is_in_folder(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part, Component::Normal(name) if FOLDERS.iter().any(|folder| name == *folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_known_by_name_and_place() {
        let is = |arguments: &[&str]| is_probe(&arguments.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(is(&["-o", "conftest", "-O2", "conftest.c", "-lm"]));
        assert!(is(&["-c", "../CMakeFiles/CMakeScratch/TryCompile-x/src.c"]));
        assert!(is(&["/b/meson-private/tmpq/testfile.c"]));
        assert!(!is(&["-c", "conftests.c", "-DCMakeTmp"]));
    }
}
