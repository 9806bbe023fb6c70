//! Where excerpts of the source come from.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::rc::Rc;

/// Gives the contents of source files. A file that is not there is no error: the excerpt is left out.
pub trait Sources {
    /// The file that the compiler called by this name.
    fn read(&self, file: &str) -> Option<Vec<u8>>;
}

impl<F: Fn(&str) -> Option<Vec<u8>>> Sources for F {
    fn read(&self, file: &str) -> Option<Vec<u8>> {
        self(file)
    }
}

/// Largest source file that is read. Names of files come from debug information, so from anybody; SQLite in one file has
/// 9 MB.
const LARGEST: u64 = 64 << 20;

/// Source files on disk: by their own name if that is absolute, else in one of the folders.
#[derive(Clone, Debug)]
pub struct Disk {
    folders: Vec<PathBuf>,
}

impl Disk {
    /// Looks into these folders, the first one first.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Disk {
        Disk { folders: folders.into_iter().collect() }
    }
}

/// Looks into the current folder.
impl Default for Disk {
    fn default() -> Disk {
        Disk::new([PathBuf::new()])
    }
}

impl Sources for Disk {
    fn read(&self, file: &str) -> Option<Vec<u8>> {
        self.folders.iter().find_map(|folder| {
            let path = folder.join(file);
            // Opening a pipe would wait for whoever writes to it, so this is asked of the name.
            if !path.metadata().ok()?.is_file() {
                return None;
            }
            let mut contents = Vec::new();
            File::open(path).ok()?.take(LARGEST).read_to_end(&mut contents).ok()?;
            Some(contents)
        })
    }
}

/// Lines of source files, each of which is read once.
pub(crate) struct Lines<'a> {
    sources: &'a dyn Sources,
    files: RefCell<HashMap<String, Option<Rc<[String]>>>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(sources: &'a dyn Sources) -> Lines<'a> {
        Lines { sources, files: RefCell::default() }
    }

    /// All lines of a file, without their ends.
    pub(crate) fn of(&self, file: &str) -> Option<Rc<[String]>> {
        if let Some(known) = self.files.borrow().get(file) {
            return known.clone();
        }
        let lines = self.sources.read(file).map(|contents| {
            let text = String::from_utf8_lossy(&contents);
            text.lines().map(str::to_owned).collect()
        });
        self.files.borrow_mut().insert(file.to_owned(), lines.clone());
        lines
    }

    /// One line, numbered from 1.
    pub(crate) fn line(&self, file: &str, number: u32) -> Option<String> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.of(file)?.get(index).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_in_turn() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(second.path().join("a.c"), "int a;\nint b;\n").unwrap();
        let disk = Disk::new([first.path().to_owned(), second.path().to_owned()]);
        assert_eq!(disk.read("a.c").unwrap(), b"int a;\nint b;\n");
        assert_eq!(disk.read("b.c"), None);
        assert_eq!(disk.read("."), None);
        assert_eq!(disk.read("/dev/zero"), None);
        let lines = Lines::new(&disk);
        assert_eq!(lines.line("a.c", 2).as_deref(), Some("int b;"));
        assert_eq!((lines.line("a.c", 0), lines.line("a.c", 3), lines.line("b.c", 1)), (None, None, None));
    }
}
