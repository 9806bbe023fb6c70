//! Functions that copy strings.
//!
//! Where the length of a string is a term, that the copy fits its place is checked for every length, and nothing is decided
//! about it: the end that is copied knows what it is an end of.

use core::ffi::c_char;

use trace::layout::{Reason, SizeUse};

use super::access::accessed;
use super::strings::measure;
use super::term::Term;
use crate::arguments::Arguments;
use crate::runtime::with;
use crate::shadow;

unsafe extern "C" {
    fn stpcpy(to: *mut c_char, from: *const c_char) -> *mut c_char;
}

/// Says that so many bytes are written to an address.
fn written(to: *mut c_char, size: Term, site: u32) {
    accessed(SizeUse::BlockWrite, to as u64, size, site);
    if size.label != 0 {
        with((), |runtime| runtime.loss(site, Reason::Length, 1));
    }
}

/// Says that so many bytes are written to the address that is the first argument, if that depends on the input: wherever it leads, unless their
/// number does so too.
fn begins(arguments: &Arguments, to: *mut c_char, size: Term) {
    arguments.memory((0, to as u64), if size.label == 0 { size.value } else { 1 }, true);
}

/// One more than a length, for what ends the string.
fn with_end(length: Term) -> Term {
    let one = Term::concrete(64, 1);
    with(Term::concrete(64, length.value + 1), |runtime| runtime.recorder.sum(length, one))
}

unsafe fn copy(arguments: &Arguments, to: *mut c_char, from: *const c_char) -> usize {
    arguments.string((1, from as u64), u64::MAX);
    let len = libc::strlen(from);
    let length = measure(from as u64, len as u64, u64::MAX, arguments.site);
    begins(arguments, to, with_end(length));
    written(to, with_end(length), arguments.site);
    shadow::copy(to as u64, from as u64, len as u64 + 1);
    len
}

/// strcpy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
    copy(&Arguments::take(address_of!(__provoke_x_strcpy)), to, from);
    libc::strcpy(to, from)
}

/// stpcpy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_stpcpy(to: *mut c_char, from: *const c_char) -> *mut c_char {
    copy(&Arguments::take(address_of!(__provoke_x_stpcpy)), to, from);
    stpcpy(to, from)
}

unsafe fn append(arguments: &Arguments, to: *mut c_char, from: *const c_char, limit: u64) {
    arguments.string((1, from as u64), limit);
    arguments.memory((0, to as u64), 1, true);
    let before = libc::strlen(to) as u64;
    let len = libc::strnlen(from, limit as usize) as u64;
    let there = measure(to as u64, before, u64::MAX, arguments.site);
    let more = measure(from as u64, len, limit, arguments.site);
    let whole = with(Term::concrete(64, before + len), |runtime| runtime.recorder.sum(there, more));
    written(to, with_end(whole), arguments.site);
    shadow::copy(to as u64 + before, from as u64, (len + 1).min(limit));
    if len == limit {
        shadow::clear(to as u64 + before + len, 1);
    }
}

/// strcat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strcat(to: *mut c_char, from: *const c_char) -> *mut c_char {
    append(&Arguments::take(address_of!(__provoke_x_strcat)), to, from, u64::MAX);
    libc::strcat(to, from)
}

/// strncat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strncat(to: *mut c_char, from: *const c_char, limit: usize) -> *mut c_char {
    let arguments = Arguments::take(address_of!(__provoke_x_strncat));
    arguments.pin(&[(2, limit as u64, Reason::Size)]);
    append(&arguments, to, from, limit as u64);
    libc::strncat(to, from, limit)
}

/// strncpy. All of the place is written, with zero bytes behind the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strncpy(to: *mut c_char, from: *const c_char, size: usize) -> *mut c_char {
    let arguments = Arguments::take(address_of!(__provoke_x_strncpy));
    arguments.string((1, from as u64), size as u64);
    arguments.block(SizeUse::BlockWrite, (0, to as u64), (2, size as u64));
    let len = libc::strnlen(from, size) as u64;
    let length = measure(from as u64, len, size as u64, arguments.site);
    if length.label != 0 {
        with((), |runtime| runtime.loss(arguments.site, Reason::Length, 1));
    }
    let copied = (len + 1).min(size as u64);
    shadow::copy(to as u64, from as u64, copied);
    shadow::clear(to as u64 + copied, size as u64 - copied);
    libc::strncpy(to, from, size)
}

unsafe fn duplicate(model: usize, from: *const c_char, limit: u64) -> (Arguments, u64) {
    let arguments = Arguments::take(model);
    arguments.string((0, from as u64), limit);
    let len = libc::strnlen(from, limit as usize) as u64;
    let length = measure(from as u64, len, limit, arguments.site);
    if length.label != 0 {
        with((), |runtime| runtime.loss(arguments.site, Reason::Length, 1));
    }
    (arguments, len)
}

unsafe fn duplicated(block: *mut c_char, from: *const c_char, len: u64, limit: u64) -> *mut c_char {
    if !block.is_null() {
        with((), |runtime| {
            runtime.end_extent(block as u64);
            runtime.regions.heap.insert(block as u64, len + 1);
        });
        shadow::copy(block as u64, from as u64, (len + 1).min(limit));
        if len == limit {
            shadow::clear(block as u64 + len, 1);
        }
    }
    block
}

/// strdup.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strdup(from: *const c_char) -> *mut c_char {
    let (_, len) = duplicate(address_of!(__provoke_x_strdup), from, u64::MAX);
    duplicated(libc::strdup(from), from, len, u64::MAX)
}

/// strndup.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strndup(from: *const c_char, limit: usize) -> *mut c_char {
    let (arguments, len) = duplicate(address_of!(__provoke_x_strndup), from, limit as u64);
    arguments.pin(&[(1, limit as u64, Reason::Size)]);
    duplicated(libc::strndup(from, limit), from, len, limit as u64)
}
