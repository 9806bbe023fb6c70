//! Searching memory and strings for a byte, from either end.
//!
//! What is decided says where the byte is found, or that it is not there, for strings of any length too: of a longer one, that it is
//! not in what follows; of a shorter one, that it goes as far as the place where the byte is.

use core::ffi::{c_char, c_int, c_void};
use core::slice;

use trace::layout::{Label, Reason, STRING_ROOM, SizeUse};

use super::access::looked_at;
use super::lengths::End;
use super::looking_up::Direction;
use super::strings::{NUL, PAGE, examine, wanted_byte};
use super::term::Term;
use crate::arguments::{Arguments, give};
use crate::runtime::{Runtime, with};
use crate::shadow;

/// memchr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memchr(memory: *const c_void, byte: c_int, size: usize) -> *mut c_void {
    let arguments = Arguments::take(address_of!(__provoke_x_memchr));
    arguments.block(SizeUse::BlockRead, (0, memory as u64), (2, size as u64));
    let found = libc::memchr(memory, byte, size);
    let start = memory as u64;
    let examined = if found.is_null() { size as u64 } else { found as u64 - start + 1 };
    let wanted = wanted_byte(&arguments, 1, byte);
    if wanted.label == 0 && shadow::is_clean(start, examined) {
        return found;
    }
    // The memory may end behind what is found, whatever size was given.
    let readable = examined + (PAGE - (start + examined) % PAGE) % PAGE;
    let table = slice::from_raw_parts(memory.cast::<u8>(), size.min(readable as usize));
    let is_table = table.len() == size && arguments.label(2) == 0;
    let look_up =
        |runtime: &mut Runtime| runtime.recorder.look_up_byte(table, wanted, Direction::Forwards, arguments.site);
    match if is_table { with(None, look_up) } else { None } {
        Some(label) => give(address_of!(__provoke_x_memchr), label),
        None => examine(start, examined, &[wanted], arguments.site),
    }
    found
}

/// strchr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strchr(string: *const c_char, byte: c_int) -> *mut c_char {
    let arguments = Arguments::take(address_of!(__provoke_x_strchr));
    arguments.string((0, string as u64), u64::MAX);
    let found = libc::strchr(string, byte);
    let wanted = wanted_byte(&arguments, 1, byte);
    let label = search(string, found, wanted, Direction::Forwards, arguments.site);
    give(address_of!(__provoke_x_strchr), label);
    found
}

/// strrchr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strrchr(string: *const c_char, byte: c_int) -> *mut c_char {
    let arguments = Arguments::take(address_of!(__provoke_x_strrchr));
    arguments.string((0, string as u64), u64::MAX);
    let found = libc::strrchr(string, byte);
    let wanted = wanted_byte(&arguments, 1, byte);
    let label = search(string, found, wanted, Direction::Backwards, arguments.site);
    give(address_of!(__provoke_x_strrchr), label);
    found
}

/// Decides what a search finds; the label of where that is, if it is not the same place for all that is decided alike.
unsafe fn search(string: *const c_char, found: *const c_char, wanted: Term, direction: Direction, site: u32) -> Label {
    let place = (!found.is_null()).then(|| found as u64 - string as u64);
    let (string, len) = (string as u64, libc::strlen(string) as u64);
    // Those that are compared with what is wanted.
    let (from, to) = match (direction, place) {
        (Direction::Forwards, Some(place)) => (0, place + 1),
        (Direction::Backwards, Some(place)) => (place, len + 1),
        (_, None) => (0, len + 1),
    };
    looked_at(string, to, site);
    if wanted.label == 0 && shadow::is_clean(string, len + 1) {
        return 0;
    }
    let table = slice::from_raw_parts(string as *const u8, len as usize + 1);
    if let Some(label) = with(None, |runtime| runtime.recorder.look_up_byte(table, wanted, direction, site)) {
        return label;
    }
    let end = with(None, |runtime| runtime.end_at(string + len));
    // The byte that ends a string of any length is nothing to be compared.
    let compared = if end.is_none() { to } else { to.min(len) };
    match direction {
        Direction::Forwards => examine(string, compared, &[wanted, NUL], site),
        // In the same order wherever the byte is: where the string ends, and then what is wanted from there.
        Direction::Backwards => {
            examine(string, compared, &[NUL], site);
            (from..compared).rev().for_each(|at| examine(string + at, 1, &[wanted], site));
        }
    }
    if let Some(end) = end {
        with((), |runtime| runtime.search_of_any_length((end, len), place, wanted, to > len, site));
    }
    0
}

impl Runtime {
    /// What has to be decided beyond the bytes of the run's own string, which has `len` bytes: all of them were compared if
    /// `to_the_end`.
    fn search_of_any_length(
        &mut self,
        (end, len): (End, u64),
        place: Option<u64>,
        wanted: Term,
        to_the_end: bool,
        site: u32,
    ) {
        if wanted.label != 0 || wanted.value == 0 {
            return self.loss(site, Reason::Length, 1);
        }
        if let Some(place) = place {
            let length = self.length_to(end, len);
            let is_too_short = self.recorder.at_most(length, Term::concrete(64, place));
            self.recorder.decide(is_too_short, site);
        }
        if to_the_end {
            let mut is_there = Term::concrete(1, 0);
            for distance in 0..STRING_ROOM {
                let Some(byte) = self.byte_behind(end, distance) else { break };
                let is_here = self.recorder.equal(byte, wanted);
                is_there = self.recorder.choice(is_here, Term::concrete(1, 1), is_there);
            }
            self.recorder.decide(is_there, site);
        }
    }
}
