//! Reading through descriptors.

use core::ffi::{c_char, c_int, c_uint, c_void};

use trace::layout::{Label, Reason, SizeUse};

use crate::arguments::{Arguments, give};
use crate::runtime::{Runtime, with};
use crate::shadow;
use crate::system::KeepErrno;

/// A descriptor is another file from now on, or none.
fn redirected(descriptor: c_int) {
    with((), |runtime| runtime.redirected(descriptor));
}

unsafe fn opened(descriptor: c_int) -> c_int {
    if descriptor >= 0 {
        let _errno = KeepErrno::new();
        with((), |runtime| {
            runtime.redirected(descriptor);
            runtime.inputs.opened(descriptor);
        });
    }
    descriptor
}

/// A path is taken as it is; that it depends on input is a loss.
pub(super) unsafe fn lose_path(path: *const c_char, site: u32) {
    if path.is_null() {
        return;
    }
    let len = libc::strlen(path) as u64 + 1;
    if !shadow::is_clean(path as u64, len) {
        with((), |runtime| {
            let labelled = (0..len).filter(|index| shadow::label(path as u64 + index) != 0).count();
            runtime.loss(site, Reason::ModelArgument, labelled as u64);
        });
    }
}

/// open. The mode is read only where the flags say that there is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(address_of!(__provoke_x_open), path, flags, mode)
}

/// open64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    open(address_of!(__provoke_x_open64), path, flags | libc::O_LARGEFILE, mode)
}

unsafe fn open(model: usize, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let arguments = Arguments::take(model);
    arguments.string((0, path as u64), u64::MAX);
    arguments.pin(&[(1, flags as u64, Reason::ModelArgument)]);
    lose_path(path, arguments.site);
    opened(libc::open(path, flags, mode))
}

/// openat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_openat(at: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    openat(address_of!(__provoke_x_openat), at, path, flags, mode)
}

/// openat64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_openat64(at: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    openat(address_of!(__provoke_x_openat64), at, path, flags | libc::O_LARGEFILE, mode)
}

unsafe fn openat(model: usize, at: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let arguments = Arguments::take(model);
    arguments.pin(&[
        (0, at as u64, Reason::ModelArgument),
        (1, path as u64, Reason::ModelArgument),
        (2, flags as u64, Reason::ModelArgument),
    ]);
    lose_path(path, arguments.site);
    opened(libc::openat(at, path, flags, mode))
}

/// creat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_creat(path: *const c_char, mode: c_uint) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_creat));
    arguments.pin(&[(0, path as u64, Reason::ModelArgument), (1, mode.into(), Reason::ModelArgument)]);
    lose_path(path, arguments.site);
    opened(libc::creat(path, mode))
}

/// mkstemp. What it makes of the name is nothing that the input says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_mkstemp(template: *mut c_char) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_mkstemp));
    arguments.pin(&[(0, template as u64, Reason::ModelArgument)]);
    lose_path(template, arguments.site);
    let descriptor = opened(libc::mkstemp(template));
    const MADE: usize = 6;
    let len = libc::strlen(template);
    shadow::clear(template as u64 + len.saturating_sub(MADE) as u64, len.min(MADE) as u64);
    descriptor
}

/// A place in a part of the input.
type Source = Option<(u32, u64)>;

/// The place in the input that a descriptor reads next, or at an offset; `errno` stays.
unsafe fn source_of(descriptor: c_int, offset: Option<libc::off_t>, site: u32) -> Source {
    let _errno = KeepErrno::new();
    let part = with(None, |runtime| runtime.inputs.part_of(descriptor))?;
    let offset = offset.unwrap_or_else(|| {
        let position = libc::lseek(descriptor, 0, libc::SEEK_CUR);
        with((), |runtime| {
            runtime.settle_place(part, site);
            runtime.look_for_unseen(part, u64::try_from(position).unwrap_or(0));
        });
        position
    });
    if offset < 0 {
        // It is no file of the input any more.
        redirected(descriptor);
    }
    u64::try_from(offset).ok().map(|offset| (part, offset))
}

/// Memory was filled from a descriptor.
unsafe fn deliver(memory: *mut c_void, got: isize, source: Source, site: u32) {
    let Ok(len) = u64::try_from(got) else { return };
    if len == 0 {
        return;
    }
    let _errno = KeepErrno::new();
    let labelled = source.is_some_and(|(part, offset)| {
        with(false, |runtime| {
            runtime.label_input(memory as u64, len, part, offset, site);
            true
        })
    });
    if !labelled {
        shadow::clear(memory as u64, len);
    }
}

/// What was read from no known place in the input, but may depend on it.
unsafe fn lose_other(descriptor: c_int, got: isize, source: Source, site: u32) {
    if source.is_none()
        && let Ok(bytes @ 1..) = u64::try_from(got)
    {
        let _errno = KeepErrno::new();
        with((), |runtime| {
            let is_input = runtime.inputs.part_of(descriptor).is_some();
            if is_input || (runtime.recorder.node_count() > 1 && runtime.inputs.is_own(descriptor)) {
                runtime.loss(site, Reason::InputLost, bytes);
            }
        });
    }
}

/// The label of how much was read.
unsafe fn label_got(source: Source, size: usize, got: isize, site: u32) -> Label {
    let _errno = KeepErrno::new();
    match (source, u64::try_from(got)) {
        (Some(place), Ok(got)) => with(0, |runtime| runtime.label_got(place, size as u64, got, 1, site)),
        _ => 0,
    }
}

fn pin_transfer(arguments: &Arguments, descriptor: c_int, memory: *mut c_void, size: usize) {
    arguments.pin(&[(0, descriptor as u64, Reason::ModelArgument)]);
    arguments.block(SizeUse::BlockWrite, (1, memory as u64), (2, size as u64));
}

/// read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_read(descriptor: c_int, memory: *mut c_void, size: usize) -> isize {
    let arguments = Arguments::take(address_of!(__provoke_x_read));
    let source = source_of(descriptor, None, arguments.site);
    // Programs ask until there is nothing more, and where they would put it depends on how much there was.
    let is_over =
        source.is_some_and(|(part, offset)| with(false, |runtime| runtime.inputs.contents(part, offset, 1).is_empty()));
    if is_over {
        arguments.pin(&[(0, descriptor as u64, Reason::ModelArgument)]);
        arguments.untouched(SizeUse::BlockWrite, (1, memory as u64), [(2, size as u64)]);
    } else {
        pin_transfer(&arguments, descriptor, memory, size);
    }
    let got = libc::read(descriptor, memory, size);
    if is_over && got > 0 {
        pin_transfer(&arguments, descriptor, memory, size);
    }
    lose_other(descriptor, got, source, arguments.site);
    deliver(memory, got, source, arguments.site);
    give(address_of!(__provoke_x_read), label_got(source, size, got, arguments.site));
    got
}

unsafe fn positioned_read(
    model: usize,
    descriptor: c_int,
    memory: *mut c_void,
    size: usize,
    offset: libc::off_t,
) -> isize {
    let arguments = Arguments::take(model);
    pin_transfer(&arguments, descriptor, memory, size);
    arguments.pin(&[(3, offset as u64, Reason::ModelArgument)]);
    let source = source_of(descriptor, Some(offset), arguments.site);
    let got = libc::pread(descriptor, memory, size, offset);
    lose_other(descriptor, got, source, arguments.site);
    deliver(memory, got, source, arguments.site);
    give(model, label_got(source, size, got, arguments.site));
    got
}

/// pread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_pread(
    descriptor: c_int,
    memory: *mut c_void,
    size: usize,
    offset: libc::off_t,
) -> isize {
    positioned_read(address_of!(__provoke_x_pread), descriptor, memory, size, offset)
}

/// pread64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_pread64(
    descriptor: c_int,
    memory: *mut c_void,
    size: usize,
    offset: libc::off_t,
) -> isize {
    positioned_read(address_of!(__provoke_x_pread64), descriptor, memory, size, offset)
}

impl Runtime {
    /// A descriptor is another file from now on, or none. Streams that read through it do so too.
    pub(super) fn redirected(&mut self, descriptor: c_int) {
        if descriptor >= 0 {
            self.inputs.forget(descriptor);
            self.streams.redirected(descriptor);
        }
    }

    /// A descriptor of a part was moved, or could not be.
    pub(super) fn note_seek(
        &mut self,
        part: u32,
        descriptor: c_int,
        (offset, whence): (libc::off_t, c_int),
        succeeded: bool,
        site: u32,
    ) {
        match whence {
            libc::SEEK_END => self.move_from_end(part, offset, site),
            // It starts from a place that the length may say.
            libc::SEEK_CUR => self.settle_place(part, site),
            _ => {}
        }
        if succeeded {
            self.moved_by_model(part, descriptor);
        }
        if succeeded && whence != libc::SEEK_CUR {
            self.inputs.moved(part, descriptor, whence == libc::SEEK_END);
        }
    }
}

unsafe fn seek(model: usize, descriptor: c_int, offset: libc::off_t, whence: c_int) -> libc::off_t {
    let arguments = Arguments::take(model);
    arguments.pin(&[
        (0, descriptor as u64, Reason::ModelArgument),
        (1, offset as u64, Reason::ModelArgument),
        (2, whence as u64, Reason::ModelArgument),
    ]);
    let position = libc::lseek(descriptor, offset, whence);
    let part = {
        let _errno = KeepErrno::new();
        with(None, |runtime| runtime.inputs.part_of(descriptor))
    };
    if let Some(part) = part {
        let label = with(0, |runtime| {
            runtime.note_seek(part, descriptor, (offset, whence), position >= 0, arguments.site);
            if whence != libc::SEEK_END {
                return 0;
            }
            let found = runtime.from_end(part, offset);
            found.filter(|found| found.value == position as u64).map_or(0, |found| found.label)
        });
        give(model, label);
    }
    position
}

/// lseek. Reading asks for the position each time, so there is nothing to keep.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_lseek(descriptor: c_int, offset: libc::off_t, whence: c_int) -> libc::off_t {
    seek(address_of!(__provoke_x_lseek), descriptor, offset, whence)
}

/// lseek64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_lseek64(descriptor: c_int, offset: libc::off_t, whence: c_int) -> libc::off_t {
    seek(address_of!(__provoke_x_lseek64), descriptor, offset, whence)
}

/// close.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_close(descriptor: c_int) -> c_int {
    Arguments::take(address_of!(__provoke_x_close)).pin(&[(0, descriptor as u64, Reason::ModelArgument)]);
    {
        let _errno = KeepErrno::new();
        with((), |runtime| runtime.look_for_unseen_at(descriptor));
    }
    redirected(descriptor);
    libc::close(descriptor)
}

/// dup.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_dup(descriptor: c_int) -> c_int {
    Arguments::take(address_of!(__provoke_x_dup)).pin(&[(0, descriptor as u64, Reason::ModelArgument)]);
    let copy = libc::dup(descriptor);
    redirected(copy);
    copy
}

/// dup2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_dup2(descriptor: c_int, copy: c_int) -> c_int {
    Arguments::take(address_of!(__provoke_x_dup2))
        .pin(&[(0, descriptor as u64, Reason::ModelArgument), (1, copy as u64, Reason::ModelArgument)]);
    let status = libc::dup2(descriptor, copy);
    if status >= 0 && descriptor != copy {
        redirected(copy);
    }
    status
}

/// dup3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_dup3(descriptor: c_int, copy: c_int, flags: c_int) -> c_int {
    Arguments::take(address_of!(__provoke_x_dup3)).pin(&[
        (0, descriptor as u64, Reason::ModelArgument),
        (1, copy as u64, Reason::ModelArgument),
        (2, flags as u64, Reason::ModelArgument),
    ]);
    let status = libc::dup3(descriptor, copy, flags);
    if status >= 0 {
        redirected(copy);
    }
    status
}

/// A function without a model of its own in here has made a descriptor another file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_redirected(descriptor: c_int) {
    redirected(descriptor);
}
