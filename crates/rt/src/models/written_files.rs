//! Files that the program writes. What it reads from them again may depend on the input, and has no labels: output is not
//! followed, so that this is a loss.

use core::ffi::c_int;

use crate::system::List;

/// Files that are told apart; beyond them every file may have been written.
const CAPACITY: usize = 1024;

/// Files that were opened for writing, by device and inode.
pub(super) struct WrittenFiles {
    files: List<(u64, u64)>,
}

fn status_of(descriptor: c_int) -> Option<libc::stat> {
    // SAFETY: all zero bits are a valid `stat`, which fstat fills in.
    unsafe {
        let mut status: libc::stat = core::mem::zeroed();
        (libc::fstat(descriptor, &mut status) == 0).then_some(status)
    }
}

fn is_writable(descriptor: c_int) -> bool {
    // SAFETY: asks for flags.
    let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
    flags >= 0 && flags & libc::O_ACCMODE != libc::O_RDONLY
}

impl WrittenFiles {
    pub(super) fn new() -> WrittenFiles {
        WrittenFiles { files: List::new(CAPACITY) }
    }

    /// A descriptor was opened; whether something is known now that was not before.
    pub(super) fn add(&mut self, descriptor: c_int) -> bool {
        let Some(status) = status_of(descriptor).filter(|_| is_writable(descriptor)) else { return false };
        let file = (status.st_dev, status.st_ino);
        if status.st_mode & libc::S_IFMT != libc::S_IFREG || self.files.items().contains(&file) {
            return false;
        }
        self.files.push(file);
        true
    }

    /// Whether what a descriptor reads may have been written by the program.
    pub(super) fn may_be_read(&self, descriptor: c_int, status: &libc::stat) -> bool {
        match status.st_mode & libc::S_IFMT {
            // Whoever writes to the other end may be a child.
            libc::S_IFIFO | libc::S_IFSOCK => true,
            libc::S_IFREG => {
                let is_nameless = status.st_nlink == 0;
                let files = self.files.items();
                is_nameless
                    || is_writable(descriptor)
                    || files.len() == CAPACITY
                    || files.contains(&(status.st_dev, status.st_ino))
            }
            _ => false,
        }
    }
}
