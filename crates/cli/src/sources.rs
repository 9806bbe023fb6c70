//! Where the program's source is.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::PathBuf;

use cc::bundle::Program;
use report::{Disk, Sources};

/// The source of a program: from the current folder, else from where it was compiled, as debug information says.
pub struct Built {
    /// What has debug information: a view, or the program if there is none.
    file: PathBuf,
    /// By name, the folder that it was compiled in; read when something is not found in the current one.
    folders: OnceCell<HashMap<String, PathBuf>>,
    /// Where the program was linked, which mostly is where it was compiled too.
    linked_in: Disk,
}

impl Built {
    /// The source of a program that has this view.
    pub fn new(program: &Program, view: Option<PathBuf>) -> Built {
        let own = || program.images.first().map(|image| image.path.clone()).unwrap_or_default();
        let linked_in = program.images.iter().map(|image| PathBuf::from(&image.link.directory));
        Built { file: view.unwrap_or_else(own), folders: OnceCell::new(), linked_in: Disk::new(linked_in) }
    }
}

impl Sources for Built {
    fn read(&self, file: &str) -> Option<Vec<u8>> {
        let compiled = || {
            let folders = self.folders.get_or_init(|| replay::compilation_folders(&self.file));
            Disk::new(folders.get(file).cloned()).read(file)
        };
        Disk::default().read(file).or_else(compiled).or_else(|| self.linked_in.read(file))
    }
}
