//! What the runtime asks of the operating system.

use core::ffi::c_int;
use core::ptr::{NonNull, null_mut};

/// Exit status of a view that cannot set itself up.
pub const EXIT_SETUP: c_int = 125;

const PAGE: usize = 4096;

/// Writes to standard error without going through stdio.
pub fn complain(message: &str) {
    // SAFETY: the pointer and the length are those of a string.
    unsafe { libc::write(2, message.as_ptr().cast(), message.len()) };
}

/// Memory that costs nothing until it is touched, all zero; `None` if there is no room for it.
pub fn reserve<T>(count: usize) -> Option<NonNull<T>> {
    reserve_near(0, count)
}

/// As [`reserve`], at `address` if there is room there, else anywhere.
pub fn reserve_near<T>(address: usize, count: usize) -> Option<NonNull<T>> {
    let bytes = count.checked_mul(size_of::<T>())?.max(1);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping without MAP_FIXED touches no existing memory.
    let memory = unsafe { libc::mmap(address as *mut _, bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if memory == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: advice on a mapping of our own.
    unsafe { libc::madvise(memory, bytes, libc::MADV_DONTDUMP) };
    NonNull::new(memory.cast())
}

/// Bytes of a huge page.
pub const HUGE_PAGE: usize = 2 << 20;

/// As [`reserve`], for as many items as a huge page holds: memory that is going to be used all over costs one page fault then, where
/// the system has such pages.
pub fn reserve_huge<T>() -> Option<NonNull<T>> {
    let memory = reserve::<u8>(2 * HUGE_PAGE)?;
    let skipped = (memory.as_ptr() as usize).next_multiple_of(HUGE_PAGE) - memory.as_ptr() as usize;
    // SAFETY: a huge page begins within the first half; the advice is on a part of the mapping just made.
    unsafe {
        let aligned = memory.add(skipped);
        libc::madvise(aligned.as_ptr().cast(), HUGE_PAGE, libc::MADV_HUGEPAGE);
        Some(aligned.cast())
    }
}

/// Gives back what [`reserve`] gave.
///
/// # Safety
/// `memory` and `count` are those of one call of [`reserve`], and nothing refers to the memory any more.
pub unsafe fn release<T>(memory: NonNull<T>, count: usize) {
    // SAFETY: by the contract of this function.
    unsafe { libc::munmap(memory.as_ptr().cast(), (count * size_of::<T>()).max(1)) };
}

/// Whether memory could be had for a range that is about to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Populated {
    /// It is there, or will be when it is touched.
    Yes,
    /// Touching it would raise SIGBUS.
    Never,
}

/// Makes the pages of a range present in one go, which is several times cheaper than one fault per page.
pub fn populate(start: usize, bytes: usize) -> Populated {
    populate_by(start, bytes, libc::MADV_POPULATE_WRITE)
}

/// The same for a file in memory that is shared. Its pages can be written to once they have been read, and of those that are
/// there already (the memory of a trace is used again) the kernel maps many at once for readers, which it does not for writers.
pub fn populate_shared(start: usize, bytes: usize) -> Populated {
    populate_by(start, bytes, libc::MADV_POPULATE_READ)
}

fn populate_by(start: usize, bytes: usize, advice: c_int) -> Populated {
    let first = start & !(PAGE - 1);
    // SAFETY: populating changes no contents; a bad range is an error, not a fault.
    let status = unsafe { libc::madvise(first as *mut _, start + bytes - first, advice) };
    // Kernels before 5.14 do not know the advice (EINVAL): pages then come one by one.
    if status != 0 && matches!(errno(), libc::EFAULT | libc::ENOMEM | libc::EHWPOISON) {
        Populated::Never
    } else {
        Populated::Yes
    }
}

/// Lets every other thread of the process come past a fence; whether that could be done. `errno` stays.
pub fn fence_all_threads() -> bool {
    let _errno = KeepErrno::new();
    const EXPEDITED: c_int = 1 << 3;
    const REGISTER_EXPEDITED: c_int = 1 << 4;
    // SAFETY: a system call without memory.
    [REGISTER_EXPEDITED, EXPEDITED]
        .iter()
        .all(|command| unsafe { libc::syscall(libc::SYS_membarrier, *command, 0, 0) } == 0)
}

/// The calling thread's `errno`.
pub fn errno() -> c_int {
    // SAFETY: libc gives every thread a valid location.
    unsafe { *libc::__errno_location() }
}

/// Keeps `errno` as it was while the runtime makes calls of its own.
pub struct KeepErrno(c_int);

impl KeepErrno {
    /// Remembers the present value until the guard is dropped.
    pub fn new() -> KeepErrno {
        KeepErrno(errno())
    }
}

impl Default for KeepErrno {
    fn default() -> KeepErrno {
        KeepErrno::new()
    }
}

impl Drop for KeepErrno {
    fn drop(&mut self) {
        // SAFETY: as in `errno`.
        unsafe { *libc::__errno_location() = self.0 };
    }
}

/// A list in reserved memory: it grows up to a fixed capacity without ever moving.
pub struct List<T: Copy> {
    items: *mut T,
    len: usize,
    capacity: usize,
}

impl<T: Copy> List<T> {
    /// An empty list; without room for it one that stays empty.
    pub fn new(capacity: usize) -> List<T> {
        match reserve::<T>(capacity) {
            Some(items) => List { items: items.as_ptr(), len: 0, capacity },
            None => List { items: null_mut(), len: 0, capacity: 0 },
        }
    }

    /// A full list of `capacity` items that are all zero bits; without room for it an empty one.
    ///
    /// # Safety
    /// All zero bits are a valid `T`.
    pub unsafe fn zeroed(capacity: usize) -> List<T> {
        let list = List::new(capacity);
        List { len: list.capacity, ..list }
    }

    /// The items.
    pub fn items(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the first `len` items have been written.
        unsafe { core::slice::from_raw_parts(self.items, self.len) }
    }

    /// The items.
    pub fn items_mut(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the first `len` items have been written, and `self` is borrowed exclusively.
        unsafe { core::slice::from_raw_parts_mut(self.items, self.len) }
    }

    /// Appends; `false` if the list is full.
    pub fn push(&mut self, item: T) -> bool {
        if self.len >= self.capacity {
            return false;
        }
        // SAFETY: `len` is below the capacity of the reserved memory.
        unsafe { self.items.add(self.len).write(item) };
        self.len += 1;
        true
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.items().last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Removes the item at `index`, in whose place the last one comes.
    pub fn swap_remove(&mut self, index: usize) {
        if let Some(last) = self.items().last().copied()
            && let Some(item) = self.items_mut().get_mut(index)
        {
            *item = last;
            self.len -= 1;
        }
    }
}
