//! memcpy, memmove, memset.

use core::ffi::{c_int, c_void};

use trace::layout::SizeUse;

use crate::arguments::Arguments;
use crate::runtime::with;
use crate::shadow;

/// memcpy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
    pin_block(&Arguments::take(address_of!(__provoke_x_memcpy)), to, from, size);
    shadow::copy(to as u64, from as u64, size as u64);
    libc::memcpy(to, from, size)
}

/// memmove.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
    pin_block(&Arguments::take(address_of!(__provoke_x_memmove)), to, from, size);
    shadow::copy(to as u64, from as u64, size as u64);
    libc::memmove(to, from, size)
}

fn pin_block(arguments: &Arguments, to: *mut c_void, from: *const c_void, size: usize) {
    arguments.block(SizeUse::BlockWrite, (0, to as u64), (2, size as u64));
    arguments.block(SizeUse::BlockRead, (1, from as u64), (2, size as u64));
}

/// memset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_memset));
    arguments.block(SizeUse::BlockWrite, (0, to as u64), (2, size as u64));
    let label = match arguments.label(1) {
        0 => 0,
        label => with(0, |runtime| runtime.recorder.low_byte(label, byte as u64).label),
    };
    if label == 0 {
        shadow::clear(to as u64, size as u64);
    } else {
        shadow::fill(to as u64, label, size as u64);
    }
    libc::memset(to, byte, size)
}
