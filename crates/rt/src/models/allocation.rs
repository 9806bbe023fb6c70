//! The malloc family. Blocks are as large as the program asked for; the runtime only takes notes.

use core::ffi::{c_int, c_void};

use trace::layout::Reason;

use crate::arguments::Arguments;
use crate::runtime::{is_tracing, with};
use crate::shadow;

unsafe extern "C" {
    fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void;
}

#[inline]
fn note(block: *mut c_void, size: usize) {
    if !block.is_null() {
        with((), |runtime| runtime.regions.heap.insert(block as u64, size as u64));
    }
}

/// A block is about to go: its bytes are nobody's any more. Returns how many bytes it has.
unsafe fn forget(block: *mut c_void) -> u64 {
    if block.is_null() || !is_tracing() {
        return 0;
    }
    let size = libc::malloc_usable_size(block) as u64;
    with((), |runtime| {
        runtime.regions.heap.remove(block as u64);
    });
    size
}

/// malloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_malloc(size: usize) -> *mut c_void {
    Arguments::take(address_of!(__provoke_x_malloc)).allocation(&[(0, size as u64)]);
    let block = libc::malloc(size);
    note(block, size);
    block
}

/// calloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_calloc(count: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_calloc));
    arguments.allocation(&[(0, count as u64), (1, size as u64)]);
    let block = libc::calloc(count, size);
    let size = count.wrapping_mul(size);
    if !block.is_null() {
        shadow::clear(block as u64, size as u64);
        note(block, size);
    }
    block
}

unsafe fn resize(block: *mut c_void, size: usize, real: impl FnOnce() -> *mut c_void) -> *mut c_void {
    if !is_tracing() {
        return real();
    }
    let old_size = if block.is_null() { 0 } else { libc::malloc_usable_size(block) as u64 };
    let new = real();
    let freed = new.is_null() && size == 0;
    if new.is_null() && !freed {
        return new;
    }
    with((), |runtime| {
        runtime.regions.heap.remove(block as u64);
        if !new.is_null() {
            runtime.regions.heap.insert(new as u64, size as u64);
        }
    });
    if new != block {
        shadow::copy(new as u64, block as u64, old_size.min(size as u64));
        shadow::clear(block as u64, old_size);
    }
    new
}

/// realloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_realloc));
    arguments.pin(&[(0, block as u64, Reason::ModelArgument)]);
    arguments.allocation(&[(1, size as u64)]);
    resize(block, size, || libc::realloc(block, size))
}

/// reallocarray.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_reallocarray));
    arguments.pin(&[(0, block as u64, Reason::ModelArgument)]);
    arguments.allocation(&[(1, count as u64), (2, size as u64)]);
    match count.checked_mul(size) {
        Some(total) => resize(block, total, || reallocarray(block, count, size)),
        None => reallocarray(block, count, size),
    }
}

/// free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_free(block: *mut c_void) {
    Arguments::take(address_of!(__provoke_x_free)).pin(&[(0, block as u64, Reason::ModelArgument)]);
    let size = forget(block);
    // Memory that comes back from the system later is zero, and old labels of zeros would be taken for valid.
    shadow::clear(block as u64, size);
    libc::free(block);
}

/// posix_memalign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_posix_memalign(place: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_posix_memalign));
    arguments.pin(&[(0, place as u64, Reason::ModelArgument), (1, alignment as u64, Reason::ModelArgument)]);
    arguments.allocation(&[(2, size as u64)]);
    let status = libc::posix_memalign(place, alignment, size);
    if status == 0 {
        shadow::clear(place as u64, size_of::<*mut c_void>() as u64);
        note(*place, size);
    }
    status
}

/// aligned_alloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_aligned_alloc));
    arguments.pin(&[(0, alignment as u64, Reason::ModelArgument)]);
    arguments.allocation(&[(1, size as u64)]);
    let block = libc::aligned_alloc(alignment, size);
    note(block, size);
    block
}
