//! memcpy, memmove, memset.

use core::ffi::{c_int, c_void};

use trace::layout::SizeUse;

use crate::arguments::Arguments;
use crate::build::Operand;
use crate::pointers::Address;
use crate::runtime::with;
use crate::shadow;

/// memcpy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
    move_labels(&Arguments::take(address_of!(__provoke_x_memcpy)), to as u64, from as u64, size as u64);
    libc::memcpy(to, from, size)
}

/// memmove.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
    move_labels(&Arguments::take(address_of!(__provoke_x_memmove)), to as u64, from as u64, size as u64);
    libc::memmove(to, from, size)
}

/// Moves the labels of a block that is about to be moved.
fn move_labels(arguments: &Arguments, to: u64, from: u64, size: u64) {
    let length = Operand { label: arguments.label(2), value: size };
    let [to_label, from_label] = [0, 1].map(|index| arguments.label(index));
    let is_followed = to_label | from_label | length.label != 0
        && with(false, |runtime| {
            if to_label | from_label == 0 {
                return runtime.copy_some(to, from, length, arguments.site);
            }
            let (to, from) = (Address { label: to_label, value: to }, Address { label: from_label, value: from });
            runtime.transfer(to, from, length, arguments.site)
        });
    if !is_followed {
        arguments.blocks(&[(SizeUse::BlockWrite, (0, to)), (SizeUse::BlockRead, (1, from))], (2, size));
        shadow::copy(to, from, size);
    }
}

/// memset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_memset));
    let label = match arguments.label(1) {
        0 => 0,
        label => with(0, |runtime| runtime.recorder.low_byte(label, byte as u64).label),
    };
    fill_labels(&arguments, to as u64, Operand { label, value: byte as u64 & 0xff }, size as u64);
    libc::memset(to, byte, size)
}

/// Labels a block that is about to be filled.
fn fill_labels(arguments: &Arguments, to: u64, byte: Operand, size: u64) {
    let length = Operand { label: arguments.label(2), value: size };
    let label = arguments.label(0);
    let is_followed = label | length.label != 0
        && with(false, |runtime| match label {
            0 => runtime.fill_some(to, byte, length, arguments.site),
            label => runtime.fill_at(Address { label, value: to }, byte, length, arguments.site),
        });
    if is_followed {
        return;
    }
    arguments.block(SizeUse::BlockWrite, (0, to), (2, size));
    if byte.label == 0 {
        shadow::clear(to, size);
    } else {
        shadow::fill(to, byte.label, size);
    }
}
