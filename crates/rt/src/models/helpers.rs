//! What models that are written in C ask of the runtime; `views/src/models/model.h` declares it.

use core::ffi::{c_char, c_int, c_void};

use trace::layout::{Reason, SizeUse};

use super::access::{accessed, looked_at};
use super::term::Term;
use crate::arguments::Arguments;
use crate::runtime::with;
use crate::shadow;

/// Whether no byte of the memory has a label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_is_concrete(memory: *const c_void, size: usize) -> c_int {
    c_int::from(!shadow::has_labels(memory as u64, size as u64))
}

/// The number without its label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_concrete(number: usize) -> usize {
    Arguments::take(address_of!(__provoke_x_provoke_concrete));
    number
}

/// Whether a string begins with another one in this run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_begins_with(string: *const c_char, start: *const c_char) -> c_int {
    c_int::from(libc::strncmp(string, start, libc::strlen(start)) == 0)
}

/// Copies bytes with their labels, and nothing is pinned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_copy(to: *mut c_void, from: *const c_void, size: usize) {
    let site = Arguments::take(address_of!(__provoke_x_provoke_copy)).site;
    looked_at(from as u64, size as u64, site);
    accessed(SizeUse::BlockWrite, to as u64, Term::concrete(64, size as u64), site);
    shadow::copy(to as u64, from as u64, size as u64);
    libc::memmove(to, from, size);
}

/// Clears the labels of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_forget(memory: *mut c_void, size: usize) {
    shadow::clear(memory as u64, size as u64);
}

/// So many bytes are written to a place, but no more than a limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_written(to: *mut c_void, size: usize, limit: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_written));
    arguments.pin(&[(2, limit as u64, Reason::Size)]);
    check_block(&arguments, SizeUse::BlockWrite, to as u64, size, limit);
    if arguments.label(1) != 0 {
        with((), |runtime| runtime.loss(arguments.site, Reason::Length, 1));
    }
}

/// So many bytes are read from a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_read(from: *const c_void, size: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_read));
    check_block(&arguments, SizeUse::BlockRead, from as u64, size, usize::MAX);
}

/// A block whose address is the first argument and whose size is the second, which is not pinned, but no larger than a limit.
fn check_block(arguments: &Arguments, size_use: SizeUse, address: u64, size: usize, limit: usize) {
    arguments.memory((0, address), u64::from(size > 0 && limit > 0), size_use == SizeUse::BlockWrite);
    let size = Term { label: arguments.label(1), value: size as u64, width: 64 };
    let limit = Term::concrete(64, limit as u64);
    let bytes = with(Term::concrete(64, size.value.min(limit.value)), |runtime| {
        let is_within = runtime.recorder.at_most(size, limit);
        runtime.recorder.choice(is_within, size, limit)
    });
    accessed(size_use, address, bytes, arguments.site);
}
