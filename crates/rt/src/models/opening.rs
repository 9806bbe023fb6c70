//! Streams that come and go.

use core::ffi::{c_char, c_int, c_void};

use libc::FILE;
use trace::layout::{Reason, SizeUse};

use super::descriptors::lose_path;
use super::stream_table::Stream;
use crate::arguments::Arguments;
use crate::runtime::with;
use crate::shadow;
use crate::system::KeepErrno;

unsafe fn opened(stream: *mut FILE) -> *mut FILE {
    if !stream.is_null() {
        let _errno = KeepErrno::new();
        let descriptor = libc::fileno(stream);
        with((), |runtime| {
            runtime.inputs.opened(descriptor);
            runtime.streams.forget(stream as u64);
            // Known from now on, also if a function without a model is the first to read from it.
            // SAFETY: a stream that was just opened.
            runtime.place_of(stream as u64, unsafe { &*stream.cast::<Stream>() });
        });
    }
    stream
}

/// A stream is about to be closed.
unsafe fn forget(stream: *mut FILE) {
    let _errno = KeepErrno::new();
    let descriptor = libc::fileno(stream);
    with((), |runtime| {
        runtime.look_for_unseen_at(descriptor);
        runtime.redirected(descriptor);
        runtime.streams.forget(stream as u64);
    });
    let (buffer, len) = (*stream.cast::<Stream>()).buffer();
    shadow::clear(buffer, len);
}

unsafe fn open(model: usize, path: *const c_char, mode: *const c_char) -> *mut FILE {
    let arguments = Arguments::take(model);
    arguments.string((0, path as u64), u64::MAX);
    arguments.string((1, mode as u64), u64::MAX);
    lose_path(path, arguments.site);
    opened(libc::fopen(path, mode))
}

/// fopen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fopen(path: *const c_char, mode: *const c_char) -> *mut FILE {
    open(address_of!(__provoke_x_fopen), path, mode)
}

/// fopen64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE {
    open(address_of!(__provoke_x_fopen64), path, mode)
}

/// fdopen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fdopen(descriptor: c_int, mode: *const c_char) -> *mut FILE {
    Arguments::take(address_of!(__provoke_x_fdopen))
        .pin(&[(0, descriptor as u64, Reason::ModelArgument), (1, mode as u64, Reason::ModelArgument)]);
    opened(libc::fdopen(descriptor, mode))
}

unsafe fn reopen(model: usize, path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE {
    let arguments = Arguments::take(model);
    arguments.pin(&[
        (0, path as u64, Reason::ModelArgument),
        (1, mode as u64, Reason::ModelArgument),
        (2, stream as u64, Reason::ModelArgument),
    ]);
    lose_path(path, arguments.site);
    forget(stream);
    opened(libc::freopen(path, mode, stream))
}

/// freopen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_freopen(path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE {
    reopen(address_of!(__provoke_x_freopen), path, mode, stream)
}

/// freopen64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_freopen64(
    path: *const c_char,
    mode: *const c_char,
    stream: *mut FILE,
) -> *mut FILE {
    reopen(address_of!(__provoke_x_freopen64), path, mode, stream)
}

/// fmemopen. What is read comes with its labels; what is written has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fmemopen(memory: *mut c_void, size: usize, mode: *const c_char) -> *mut FILE {
    let arguments = Arguments::take(address_of!(__provoke_x_fmemopen));
    arguments.block(SizeUse::BlockRead, (0, memory as u64), (1, size as u64));
    arguments.pin(&[(2, mode as u64, Reason::ModelArgument)]);
    let stream = opened(libc::fmemopen(memory, size, mode));
    if !stream.is_null() {
        let only_reads = libc::strchr(mode, c_int::from(b'r')) == mode.cast_mut()
            && libc::strchr(mode, c_int::from(b'+')).is_null()
            && !memory.is_null();
        with((), |runtime| {
            if !only_reads || !runtime.streams.reads_memory(stream as u64, memory as u64) {
                runtime.loss(arguments.site, Reason::UnmodelledCall, 0);
            }
        });
    }
    stream
}

/// open_memstream. What is written there has no labels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_open_memstream(place: *mut *mut c_char, size: *mut usize) -> *mut FILE {
    let arguments = Arguments::take(address_of!(__provoke_x_open_memstream));
    arguments.pin(&[(0, place as u64, Reason::ModelArgument), (1, size as u64, Reason::ModelArgument)]);
    with((), |runtime| runtime.loss(arguments.site, Reason::UnmodelledCall, 0));
    libc::open_memstream(place, size)
}

/// fclose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fclose(stream: *mut FILE) -> c_int {
    Arguments::take(address_of!(__provoke_x_fclose)).pin(&[(0, stream as u64, Reason::ModelArgument)]);
    forget(stream);
    libc::fclose(stream)
}
