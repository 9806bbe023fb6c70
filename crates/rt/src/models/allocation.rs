//! The malloc family. Blocks are as large as the program asked for, or as large as they can be for any input where that is
//! followed; the runtime takes notes.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;

use trace::layout::Reason;

use super::term::Term;
use crate::arguments::Arguments;
use crate::build::Operand;
use crate::pointers::Allotment;
use crate::runtime::{is_tracing, with};
use crate::shadow;

unsafe extern "C" {
    fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void;
}

#[inline]
fn note(block: *mut c_void, allotment: Allotment, site: u32) {
    with((), |runtime| {
        if block.is_null() {
            // Whether there is memory is nothing that the size alone decides.
            return runtime.recorder.pin(allotment.label, site, Reason::Size, allotment.size);
        }
        runtime.end_extent(block as u64);
        runtime.regions.heap.insert(block as u64, allotment.room);
        runtime.begin_extent(block as u64, allotment, site);
    });
}

/// A block is about to go: its bytes are nobody's any more. Returns how many bytes it has.
unsafe fn forget(block: *mut c_void) -> u64 {
    if block.is_null() || !is_tracing() {
        return 0;
    }
    let size = libc::malloc_usable_size(block) as u64;
    forget_block(block);
    size
}

/// malloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_malloc(size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_malloc));
    let allotment = arguments.allotment([(0, size as u64)]);
    let block = libc::malloc(allotment.room as usize);
    note(block, allotment, arguments.site);
    block
}

/// calloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_calloc(count: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_calloc));
    let allotment = arguments.allotment([(0, count as u64), (1, size as u64)]);
    let block = match allotment.label {
        0 => libc::calloc(count, size),
        _ => libc::calloc(allotment.room as usize, 1),
    };
    if !block.is_null() {
        shadow::clear(block as u64, allotment.room);
    }
    note(block, allotment, arguments.site);
    block
}

unsafe fn resize(
    block: *mut c_void,
    allotment: Allotment,
    site: u32,
    real: impl FnOnce() -> *mut c_void,
) -> *mut c_void {
    if !is_tracing() {
        return real();
    }
    let old_size = if block.is_null() { 0 } else { libc::malloc_usable_size(block) as u64 };
    // What lies behind its new end is nobody's any more.
    if (1..old_size).contains(&allotment.room) {
        shadow::clear(block as u64 + allotment.room, old_size - allotment.room);
    }
    let new = real();
    let is_freed = new.is_null() && allotment.room == 0;
    if !new.is_null() || is_freed {
        forget_block(block);
    }
    if !is_freed {
        note(new, allotment, site);
    }
    if new.is_null() && !is_freed {
        return new;
    }
    if new != block {
        shadow::copy(new as u64, block as u64, old_size.min(allotment.room));
        shadow::clear(block as u64, old_size);
    }
    new
}

/// A block is gone; how much memory it had, if it was known.
fn forget_block(block: *mut c_void) -> Option<u64> {
    with(None, |runtime| {
        runtime.end_extent(block as u64);
        runtime.regions.heap.remove(block as u64)
    })
}

/// A block of no bytes is freed: whether it is one is a decision.
fn decide_if_empty(allotment: Allotment, site: u32) -> Allotment {
    with(allotment, |runtime| {
        let size = Term { label: allotment.label, value: allotment.size, width: 64 };
        let is_empty = runtime.recorder.equal(size, Term::concrete(64, 0));
        if runtime.recorder.decide(is_empty, site) { Allotment::exactly(0) } else { allotment }
    })
}

/// realloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_realloc));
    arguments.pin(&[(0, block as u64, Reason::ModelArgument)]);
    let allotment = decide_if_empty(arguments.allotment([(1, size as u64)]), arguments.site);
    resize(block, allotment, arguments.site, || libc::realloc(block, allotment.room as usize))
}

/// reallocarray.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_reallocarray));
    arguments.pin(&[(0, block as u64, Reason::ModelArgument)]);
    let allotment = decide_if_empty(arguments.allotment([(1, count as u64), (2, size as u64)]), arguments.site);
    if count.checked_mul(size).is_none() {
        return reallocarray(block, count, size);
    }
    resize(block, allotment, arguments.site, || libc::realloc(block, allotment.room as usize))
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

/// How much memory a block gets that an allocator without a model in here is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_room(size: usize) -> usize {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_room));
    arguments.allotment([(0, size as u64)]).room as usize
}

/// Such an allocator gave a block of that size, or none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_allocated(block: *mut c_void, size: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_allocated));
    let size = Operand { label: arguments.label(1), value: size as u64 };
    // What cannot be followed has been pinned when it was asked for.
    let allotment = with(None, |runtime| runtime.allot(size, arguments.site));
    note(block, allotment.unwrap_or(Allotment::exactly(size.value)), arguments.site);
}

/// A block is about to go back to such an allocator; its size, or 0 where the program does not say it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_released(block: *mut c_void, size: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_released));
    arguments.pin(&[(0, block as u64, Reason::ModelArgument)]);
    if !block.is_null() && is_tracing() {
        let known = forget_block(block);
        shadow::clear(block as u64, known.unwrap_or(size as u64));
    }
}

/// posix_memalign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_posix_memalign(place: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_posix_memalign));
    arguments.pin(&[(0, place as u64, Reason::ModelArgument), (1, alignment as u64, Reason::ModelArgument)]);
    let allotment = arguments.allotment([(2, size as u64)]);
    let status = libc::posix_memalign(place, alignment, allotment.room as usize);
    if status == 0 {
        shadow::clear(place as u64, size_of::<*mut c_void>() as u64);
    }
    note(if status == 0 { *place } else { null_mut() }, allotment, arguments.site);
    status
}

/// aligned_alloc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_aligned_alloc));
    arguments.pin(&[(0, alignment as u64, Reason::ModelArgument)]);
    let allotment = arguments.allotment([(1, size as u64)]);
    let block = libc::aligned_alloc(alignment, allotment.room as usize);
    note(block, allotment, arguments.site);
    block
}
