//! Views and libraries, as they lie on the disk.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The contents of a file of which little is looked at: the tables of a large library, a section of a view.
pub(crate) fn mapped(file: &Path) -> io::Result<Mmap> {
    let file = File::open(file)?;
    // SAFETY: views and libraries are replaced by others, and not written to.
    unsafe { Mmap::map(&file) }
}
