//! Memory of traces that were read, kept for the next ones.
//!
//! To get fresh pages from the system costs a run more than to write nodes and events into them.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::{Mutex, PoisonError};

use rustix::fs::{FallocateFlags, fallocate};

use crate::layout::{DATA_CAPACITY, DATA_OFFSET, REGIONS_OFFSET};

/// Files that are kept: as many as there are runs at the same time, as a rule.
const MOST: usize = 4;
/// Bytes of the largest trace whose memory is kept.
const LARGEST: u64 = 64 << 20;

static FILES: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// A file of the right size. What counts say nothing of is anything.
pub(super) fn take() -> Option<File> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// Keeps a file whose trace had `size` bytes, if nobody else has it and there is room for it.
pub(super) fn keep(file: File, size: u64) {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if files.len() < MOST && size <= LARGEST && is_ours_alone(&file) && clear(&file) {
        files.push(file);
    }
}

/// Whether nobody else has the file open for writing, or mapped after that. A process that escaped would write into the next trace.
fn is_ours_alone(file: &File) -> bool {
    let descriptor = file.as_raw_fd();
    // SAFETY: asks for a lease and gives it back; the descriptor is open. The system grants a lease for reading only while
    // nobody has opened the file for writing; who made a memory file has not opened it.
    unsafe {
        libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_RDLCK) == 0
            && libc::fcntl(descriptor, libc::F_SETLEASE, libc::F_UNLCK) == 0
    }
}

/// Takes away what is expected to be 0: header, parts and data.
fn clear(file: &File) -> bool {
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    [(0, REGIONS_OFFSET), (DATA_OFFSET, DATA_CAPACITY)]
        .into_iter()
        .all(|(offset, len)| fallocate(file, flags, offset, len).is_ok())
}
