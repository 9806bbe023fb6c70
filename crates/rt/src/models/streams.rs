//! Reading through stdio.

use core::ffi::{c_char, c_int, c_long, c_void};

use libc::FILE;
use trace::layout::{Label, Reason, SizeUse};

use super::stream_table::{Place, Stream};
use super::term::Term;
use crate::arguments::{Arguments, give};
use crate::runtime::{is_tracing, with};
use crate::shadow;
use crate::system::KeepErrno;

unsafe extern "C" {
    static mut stdin: *mut FILE;
    fn getc(stream: *mut FILE) -> c_int;
    fn getc_unlocked(stream: *mut FILE) -> c_int;
    fn fread_unlocked(memory: *mut c_void, size: usize, count: usize, stream: *mut FILE) -> usize;
    fn fgets_unlocked(memory: *mut c_char, size: c_int, stream: *mut FILE) -> *mut c_char;
    fn __uflow(stream: *mut FILE) -> c_int;
}

/// Where what a stream gives next comes from.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// The input.
    Input(Place),
    /// Memory of the program's, at this address.
    Memory(u64),
    Other,
}

impl Origin {
    fn place(self) -> Option<Place> {
        match self {
            Origin::Input(place) => Some(place),
            _ => None,
        }
    }
}

/// Where the next byte comes from: it is about to be read.
#[inline]
pub(super) unsafe fn origin_of(stream: *mut FILE, site: u32) -> Origin {
    let _errno = KeepErrno::new();
    let origin = with(Origin::Other, |runtime| match runtime.place_of(stream as u64, &*stream.cast::<Stream>()) {
        Some(place) => {
            runtime.settle_place(place.part, site);
            Origin::Input(place)
        }
        None => runtime.streams.memory_of(stream as u64).map_or(Origin::Other, Origin::Memory),
    });
    match origin {
        Origin::Memory(base) => in_memory(stream, base),
        origin => origin,
    }
}

/// Where a stream stands that reads memory from an address on.
#[cold]
unsafe fn in_memory(stream: *mut FILE, base: u64) -> Origin {
    u64::try_from(libc::ftello(stream)).map_or(Origin::Other, |position| Origin::Memory(base + position))
}

/// Whether memory still has the bytes that a stream gave: it may have changed since the stream looked at it.
unsafe fn is_same(memory: u64, given: u64, len: u64) -> bool {
    libc::memcmp(memory as *const c_void, given as *const c_void, len as usize) == 0
}

/// Reads one byte by `real` and labels it.
#[inline]
unsafe fn get(model: usize, stream: *mut FILE, real: unsafe extern "C" fn(*mut FILE) -> c_int) -> c_int {
    let arguments = Arguments::take(model);
    arguments.pin(&[(0, stream as u64, Reason::ModelArgument)]);
    if !is_tracing() {
        return real(stream);
    }
    let origin = origin_of(stream, arguments.site);
    let is_pushed_back = (*stream.cast::<Stream>()).is_pushed_back();
    let byte = real(stream);
    if let Origin::Input(place) = origin
        && !is_pushed_back
    {
        with((), |runtime| runtime.decide_end(place.part, place.offset, arguments.site));
    }
    if byte < 0 || is_pushed_back {
        return byte;
    }
    let label = match origin {
        Origin::Input(place) => label_got(stream, place, byte, arguments.site),
        Origin::Memory(address) if is_same(address, (&raw const byte) as u64, 1) => with(0, |runtime| {
            // SAFETY: the stream has just read it.
            let byte = unsafe { runtime.recorder.byte_at(address) };
            runtime.recorder.zero_extend(byte.label, 32)
        }),
        Origin::Memory(_) | Origin::Other => {
            with((), |runtime| runtime.lose_input(stream as u64, 1, arguments.site));
            0
        }
    };
    give(model, label);
    byte
}

/// The label of the `int` that a byte was returned as.
#[inline]
unsafe fn label_got(stream: *mut FILE, place: Place, byte: c_int, site: u32) -> Label {
    let _errno = KeepErrno::new();
    with(0, |runtime| {
        // SAFETY: the stream is the caller's.
        let state = unsafe { &*stream.cast::<Stream>() };
        let consumed = runtime.after_read(stream as u64, state, place, 1, site);
        if consumed != Some(1) || runtime.inputs.contents(place.part, place.offset, 1) != [byte as u8] {
            runtime.streams.moved(stream as u64);
            runtime.lose_input(stream as u64, 1, site);
            return 0;
        }
        let label = runtime.inputs.label(&mut runtime.recorder, place.part, place.offset);
        runtime.recorder.zero_extend(label, 32)
    })
}

/// fgetc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fgetc(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x_fgetc), stream, libc::fgetc)
}

/// getc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_getc(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x_getc), stream, getc)
}

/// What old headers call getc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x__IO_getc(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x__IO_getc), stream, getc)
}

/// getchar.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_getchar() -> c_int {
    get(address_of!(__provoke_x_getchar), stdin, getc)
}

/// getc_unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_getc_unlocked(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x_getc_unlocked), stream, getc_unlocked)
}

/// fgetc_unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fgetc_unlocked(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x_fgetc_unlocked), stream, getc_unlocked)
}

/// getchar_unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_getchar_unlocked() -> c_int {
    get(address_of!(__provoke_x_getchar_unlocked), stdin, getc_unlocked)
}

/// What glibc's headers make of getc_unlocked where the buffer is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x___uflow(stream: *mut FILE) -> c_int {
    get(address_of!(__provoke_x___uflow), stream, __uflow)
}

/// `memory` got bytes from a stream, `delivered` if their number is known, else 0. Returns the number of labelled bytes.
unsafe fn deliver(memory: u64, limit: u64, delivered: u64, stream: *mut FILE, origin: Origin, site: u32) -> u64 {
    let _errno = KeepErrno::new();
    let labelled = match origin {
        Origin::Memory(address) => deliver_memory(memory, limit, stream, address),
        Origin::Input(place) => deliver_input(memory, limit, delivered, stream, place, site),
        Origin::Other => None,
    };
    let labelled = labelled.unwrap_or_else(|| {
        with((), |runtime| {
            runtime.streams.moved(stream as u64);
            runtime.lose_input(stream as u64, delivered, site);
        });
        0
    });
    // What was written and has no place in the input is concrete.
    let written = delivered.max(labelled);
    shadow::clear(memory + labelled, written - labelled);
    labelled
}

unsafe fn deliver_input(
    memory: u64,
    limit: u64,
    delivered: u64,
    stream: *mut FILE,
    place: Place,
    site: u32,
) -> Option<u64> {
    with(None, |runtime| {
        // SAFETY: the stream is the caller's.
        let state = unsafe { &*stream.cast::<Stream>() };
        let count = runtime.after_read(stream as u64, state, place, delivered, site).filter(|count| *count <= limit)?;
        runtime.label_input(memory, count, place.part, place.offset, site);
        Some(count)
    })
}

/// The same from other memory, which the stream read from an address on.
unsafe fn deliver_memory(memory: u64, limit: u64, stream: *mut FILE, address: u64) -> Option<u64> {
    let base = with(None, |runtime| runtime.streams.memory_of(stream as u64))?;
    let Origin::Memory(now) = in_memory(stream, base) else { return None };
    let count = now.checked_sub(address).filter(|count| *count <= limit && is_same(address, memory, *count))?;
    shadow::copy(memory, address, count);
    Some(count)
}

unsafe fn read_block(
    model: usize,
    (memory, size, count, stream): (*mut c_void, usize, usize, *mut FILE),
    real: unsafe extern "C" fn(*mut c_void, usize, usize, *mut FILE) -> usize,
) -> usize {
    let arguments = Arguments::take(model);
    arguments.pin(&[(3, stream as u64, Reason::ModelArgument)]);
    let (block, sizes) = ((0, memory as u64), [(1, size as u64), (2, count as u64)]);
    let total = size.wrapping_mul(count) as u64;
    if !is_tracing() || total == 0 {
        arguments.elements(SizeUse::BlockWrite, block, sizes);
        return real(memory, size, count, stream);
    }
    let origin = origin_of(stream, arguments.site);
    // Programs ask until there is nothing more, and where they would put it depends on how much there was.
    let is_over = match origin {
        Origin::Input(Place { part, offset }) => {
            with(false, |runtime| runtime.inputs.contents(part, offset, 1).is_empty())
        }
        Origin::Memory(_) | Origin::Other => false,
    };
    if is_over {
        arguments.untouched(SizeUse::BlockWrite, block, sizes);
    } else {
        arguments.elements(SizeUse::BlockWrite, block, sizes);
    }
    let got = real(memory, size, count, stream);
    if is_over && got > 0 {
        arguments.elements(SizeUse::BlockWrite, block, sizes);
    }
    deliver(memory as u64, total, (got * size) as u64, stream, origin, arguments.site);
    if let Origin::Input(Place { part, offset }) = origin {
        let (got, size) = ((got * size) as u64, size as u64);
        let label = with(0, |runtime| runtime.label_got((part, offset), total, got, size, arguments.site));
        give(model, label);
    }
    got
}

/// fread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fread(memory: *mut c_void, size: usize, count: usize, stream: *mut FILE) -> usize {
    read_block(address_of!(__provoke_x_fread), (memory, size, count, stream), libc::fread)
}

/// fread_unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fread_unlocked(
    memory: *mut c_void,
    size: usize,
    count: usize,
    stream: *mut FILE,
) -> usize {
    read_block(address_of!(__provoke_x_fread_unlocked), (memory, size, count, stream), fread_unlocked)
}

unsafe fn read_line(
    model: usize,
    (memory, size, stream): (*mut c_char, c_int, *mut FILE),
    real: unsafe extern "C" fn(*mut c_char, c_int, *mut FILE) -> *mut c_char,
) -> *mut c_char {
    let arguments = Arguments::take(model);
    arguments.block(SizeUse::BlockWrite, (0, memory as u64), (1, size as u64));
    arguments.pin(&[(2, stream as u64, Reason::ModelArgument)]);
    if !is_tracing() {
        return real(memory, size, stream);
    }
    let origin = origin_of(stream, arguments.site);
    let place = origin.place();
    let line = real(memory, size, stream);
    if line.is_null() {
        if let Some(place) = place {
            with((), |runtime| runtime.decide_end(place.part, place.offset, arguments.site));
        }
        return line;
    }
    // Without zero bytes in the line this is what was read; with some, the stream's position tells.
    let len = libc::strlen(line) as u64;
    let labelled = deliver(memory as u64, size as u64, len, stream, origin, arguments.site);
    shadow::clear(memory as u64 + labelled.max(len), 1);
    if let Some(place) = place
        && labelled > 0
    {
        // Either the line is complete, or the file ended it.
        let is_complete = *line.add(labelled as usize - 1) == b'\n' as c_char || labelled + 1 == size as u64;
        let offset = place.offset + labelled - u64::from(is_complete);
        with((), |runtime| runtime.decide_end(place.part, offset, arguments.site));
    }
    let newline = Term::concrete(8, u64::from(b'\n'));
    super::strings::examine(memory as u64, labelled, &[newline], arguments.site);
    line
}

/// fgets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fgets(memory: *mut c_char, size: c_int, stream: *mut FILE) -> *mut c_char {
    read_line(address_of!(__provoke_x_fgets), (memory, size, stream), libc::fgets)
}

/// fgets_unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fgets_unlocked(
    memory: *mut c_char,
    size: c_int,
    stream: *mut FILE,
) -> *mut c_char {
    read_line(address_of!(__provoke_x_fgets_unlocked), (memory, size, stream), fgets_unlocked)
}

/// How many bytes a stream's buffer has up to a delimiter and with it, in this run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_buffered(stream: *mut FILE, delimiter: c_int) -> usize {
    Arguments::take(address_of!(__provoke_x_provoke_buffered));
    let (next, count) = (*stream.cast::<Stream>()).next_bytes();
    let found = libc::memchr(next as *const c_void, delimiter, count as usize) as u64;
    if found == 0 { count as usize } else { (found - next + 1) as usize }
}

unsafe fn seek(model: usize, stream: *mut FILE, offset: libc::off_t, whence: c_int) -> c_int {
    let arguments = Arguments::take(model);
    arguments.pin(&[
        (0, stream as u64, Reason::ModelArgument),
        (1, offset as u64, Reason::ModelArgument),
        (2, whence as u64, Reason::ModelArgument),
    ]);
    // Attached now, or nobody would know of it later.
    let place = {
        let _errno = KeepErrno::new();
        with(None, |runtime| runtime.place_of(stream as u64, &*stream.cast::<Stream>()))
    };
    let status = libc::fseeko(stream, offset, whence);
    let _errno = KeepErrno::new();
    let descriptor = libc::fileno(stream);
    let from_end = (whence == libc::SEEK_END && status == 0).then_some(offset);
    with((), |runtime| {
        if let Some(place) = place {
            runtime.note_seek(place.part, descriptor, (offset, whence), status == 0, arguments.site);
        }
        runtime.streams.moved_to(stream as u64, from_end);
    });
    status
}

/// fseek.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fseek(stream: *mut FILE, offset: c_long, whence: c_int) -> c_int {
    seek(address_of!(__provoke_x_fseek), stream, offset, whence)
}

/// fseeko.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fseeko(stream: *mut FILE, offset: libc::off_t, whence: c_int) -> c_int {
    seek(address_of!(__provoke_x_fseeko), stream, offset, whence)
}

/// fseeko64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fseeko64(stream: *mut FILE, offset: libc::off_t, whence: c_int) -> c_int {
    seek(address_of!(__provoke_x_fseeko64), stream, offset, whence)
}

/// rewind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_rewind(stream: *mut FILE) {
    Arguments::take(address_of!(__provoke_x_rewind)).pin(&[(0, stream as u64, Reason::ModelArgument)]);
    libc::rewind(stream);
    let _errno = KeepErrno::new();
    let descriptor = libc::fileno(stream);
    with((), |runtime| {
        if let Some(part) = runtime.part_of_stream(stream as u64) {
            runtime.inputs.moved(part, descriptor, false);
        }
        runtime.streams.moved(stream as u64);
    });
}
