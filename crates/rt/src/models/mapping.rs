//! Mappings of files.

use core::ffi::{c_int, c_void};

use trace::layout::Reason;

use crate::arguments::Arguments;
use crate::runtime::with;
use crate::shadow;
use crate::system::KeepErrno;

const PAGE: usize = 4096;

#[derive(Clone, Copy)]
struct Request {
    address: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    descriptor: c_int,
    offset: libc::off_t,
}

unsafe fn map(model: usize, request: Request) -> *mut c_void {
    let Request { address, size, protection, flags, descriptor, offset } = request;
    let arguments = Arguments::take(model);
    arguments.pin(&[
        (0, address as u64, Reason::ModelArgument),
        (1, size as u64, Reason::Size),
        (2, protection as u64, Reason::ModelArgument),
        (3, flags as u64, Reason::ModelArgument),
        (4, descriptor as u64, Reason::ModelArgument),
        (5, offset as u64, Reason::ModelArgument),
    ]);
    let mapped = libc::mmap(address, size, protection, flags, descriptor, offset);
    if mapped == libc::MAP_FAILED {
        return mapped;
    }
    let _errno = KeepErrno::new();
    shadow::clear(mapped as u64, size.next_multiple_of(PAGE) as u64);
    if flags & libc::MAP_ANONYMOUS == 0 && protection & libc::PROT_READ != 0 {
        with((), |runtime| {
            if let Some(part) = runtime.inputs.part_of(descriptor) {
                let len = runtime.inputs.contents(part, offset as u64, size as u64).len() as u64;
                runtime.label_input(mapped as u64, len, part, offset as u64, arguments.site);
            } else if runtime.recorder.node_count() > 1 && runtime.inputs.is_own(descriptor) {
                runtime.loss(arguments.site, Reason::InputLost, size as u64);
            }
        });
    }
    mapped
}

/// mmap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_mmap(
    address: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    descriptor: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    map(address_of!(__provoke_x_mmap), Request { address, size, protection, flags, descriptor, offset })
}

/// mmap64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_mmap64(
    address: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    descriptor: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    map(address_of!(__provoke_x_mmap64), Request { address, size, protection, flags, descriptor, offset })
}

/// munmap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_munmap(address: *mut c_void, size: usize) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_munmap));
    arguments.pin(&[(0, address as u64, Reason::ModelArgument), (1, size as u64, Reason::Size)]);
    let status = libc::munmap(address, size);
    if status == 0 {
        shadow::clear(address as u64, size.next_multiple_of(PAGE) as u64);
    }
    status
}
