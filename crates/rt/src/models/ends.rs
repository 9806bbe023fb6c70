//! Where files end, if that is input: how much reading gives, and what asking for sizes and positions gives.

use core::ffi::{c_char, c_int, c_void};

use trace::layout::Reason;
use trace::op::Op;

use super::descriptors::lose_path;
use super::term::Term;
use crate::arguments::{Arguments, give};
use crate::build::Operand;
use crate::runtime::{Runtime, with};
use crate::shadow;
use crate::system::KeepErrno;

impl Runtime {
    /// How many of `wanted` bytes there are in a part from `offset` on, where its length is input.
    fn available(&mut self, part: u32, offset: u64, wanted: u64) -> Option<Term> {
        let length = self.inputs.length(part)?;
        let (start, wanted) = (Term::concrete(64, offset), Term::concrete(64, wanted));
        let recorder = &mut self.recorder;
        let is_over = recorder.at_most(length, start);
        let rest = recorder.difference(length, start);
        let is_short = recorder.at_most(rest, wanted);
        let some = recorder.choice(is_short, rest, wanted);
        Some(recorder.choice(is_over, Term::concrete(64, 0), some))
    }

    /// The label of how many elements of `size` bytes were read, `got` bytes in all, where as many as `wanted` bytes could have
    /// been; 0 if that does not depend on the input.
    pub fn label_got(&mut self, (part, offset): (u32, u64), wanted: u64, got: u64, size: u64, site: u32) -> u32 {
        let Some(available) = self.available(part, offset, wanted) else { return 0 };
        if available.value / size.max(1) * size.max(1) != got {
            // A pipe, a signal, a limit: nothing that the length of the file says.
            return 0;
        }
        if got < wanted {
            self.loss(site, Reason::Length, 1);
        }
        if size <= 1 {
            return available.label;
        }
        let operand = Operand { label: available.label, value: available.value };
        self.recorder.binary(Op::UDiv, 64, operand, Operand::concrete(size), got / size)
    }

    /// A byte was read at an offset, or was not, because the file ends before it. Which of the two is decided here.
    pub fn decide_end(&mut self, part: u32, offset: u64, site: u32) {
        let Some(length) = self.inputs.length(part) else { return };
        let is_over = self.recorder.at_most(length, Term::concrete(64, offset));
        self.recorder.decide(is_over, site);
    }

    /// The place where a descriptor of a part stands matters now. If it was counted from the end, other lengths mean other places,
    /// and only this one is followed.
    pub fn settle_place(&mut self, part: u32, site: u32) {
        if self.inputs.is_counted_from_end(part)
            && let Some(length) = self.inputs.length(part)
        {
            self.recorder.pin(length.label, site, Reason::Length, length.value);
        }
    }

    /// A descriptor was to be moved to so many bytes from the end of a part. Nobody stands before its start: whether that is so is
    /// decided here.
    pub fn move_from_end(&mut self, part: u32, offset: i64, site: u32) {
        if let Some(length) = self.inputs.length(part)
            && offset < 0
        {
            let is_possible = self.recorder.at_most(Term::concrete(64, offset.unsigned_abs()), length);
            self.recorder.decide(is_possible, site);
        }
    }

    /// What `position` bytes from the end are from the start, where the length is input.
    pub fn from_end(&mut self, part: u32, position: i64) -> Option<Term> {
        let length = self.inputs.length(part)?;
        Some(self.recorder.sum(length, Term::concrete(64, position as u64)))
    }

    /// Labels the size in what the system says about a file.
    fn label_status(&mut self, status: &libc::stat) {
        let address = status as *const libc::stat as u64;
        shadow::clear(address, size_of::<libc::stat>() as u64);
        let part = self.inputs.part_with(status.st_dev, status.st_ino);
        let Some(length) = part.and_then(|part| self.inputs.length(part)) else { return };
        if length.value == status.st_size as u64 {
            let field = core::mem::offset_of!(libc::stat, st_size) as u64;
            self.recorder.store(address + field, size_of::<libc::off_t>(), length.label);
        }
    }
}

unsafe fn learned(result: c_int, status: *mut libc::stat) -> c_int {
    if result == 0 {
        let _errno = KeepErrno::new();
        with((), |runtime| runtime.label_status(&*status));
    }
    result
}

unsafe fn by_path(
    model: usize,
    path: *const c_char,
    status: *mut libc::stat,
    real: unsafe extern "C" fn(*const c_char, *mut libc::stat) -> c_int,
) -> c_int {
    let arguments = Arguments::take(model);
    arguments.pin(&[(0, path as u64, Reason::ModelArgument), (1, status as u64, Reason::ModelArgument)]);
    lose_path(path, arguments.site);
    learned(real(path, status), status)
}

unsafe fn by_descriptor(model: usize, descriptor: c_int, status: *mut libc::stat) -> c_int {
    Arguments::take(model)
        .pin(&[(0, descriptor as u64, Reason::ModelArgument), (1, status as u64, Reason::ModelArgument)]);
    learned(libc::fstat(descriptor, status), status)
}

/// stat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_stat(path: *const c_char, status: *mut libc::stat) -> c_int {
    by_path(address_of!(__provoke_x_stat), path, status, libc::stat)
}

/// stat64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_stat64(path: *const c_char, status: *mut libc::stat) -> c_int {
    by_path(address_of!(__provoke_x_stat64), path, status, libc::stat)
}

/// lstat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_lstat(path: *const c_char, status: *mut libc::stat) -> c_int {
    by_path(address_of!(__provoke_x_lstat), path, status, libc::lstat)
}

/// lstat64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_lstat64(path: *const c_char, status: *mut libc::stat) -> c_int {
    by_path(address_of!(__provoke_x_lstat64), path, status, libc::lstat)
}

/// fstat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fstat(descriptor: c_int, status: *mut libc::stat) -> c_int {
    by_descriptor(address_of!(__provoke_x_fstat), descriptor, status)
}

/// fstat64.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fstat64(descriptor: c_int, status: *mut libc::stat) -> c_int {
    by_descriptor(address_of!(__provoke_x_fstat64), descriptor, status)
}

/// fstatat.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_fstatat(
    at: c_int,
    path: *const c_char,
    status: *mut libc::stat,
    flags: c_int,
) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_fstatat));
    arguments.pin(&[
        (0, at as u64, Reason::ModelArgument),
        (1, path as u64, Reason::ModelArgument),
        (2, status as u64, Reason::ModelArgument),
        (3, flags as u64, Reason::ModelArgument),
    ]);
    lose_path(path, arguments.site);
    learned(libc::fstatat(at, path, status, flags), status)
}

/// ftell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_ftell(stream: *mut libc::FILE) -> libc::c_long {
    tell(address_of!(__provoke_x_ftell), stream)
}

/// ftello.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_ftello(stream: *mut libc::FILE) -> libc::off_t {
    tell(address_of!(__provoke_x_ftello), stream)
}

unsafe fn tell(model: usize, stream: *mut libc::FILE) -> libc::off_t {
    let arguments = Arguments::take(model);
    arguments.pin(&[(0, stream as u64, Reason::ModelArgument)]);
    let position = libc::ftello(stream);
    let _errno = KeepErrno::new();
    let label = with(0, |runtime| {
        let stream = stream as *mut c_void as u64;
        let place = runtime.position_from_end(stream);
        let found = place.and_then(|(part, offset)| runtime.from_end(part, offset));
        if let Some(found) = found.filter(|found| found.value == position as u64) {
            return found.label;
        }
        if let Some(part) = runtime.part_of_stream(stream) {
            runtime.settle_place(part, arguments.site);
        }
        0
    });
    give(model, label);
    position
}
