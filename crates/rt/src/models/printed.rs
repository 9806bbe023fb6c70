//! Strings that are written out: what a program prints nobody follows, but all of it has to be there.

use core::ffi::c_char;

use trace::directives::{Argument, Precision, each_argument, each_string};
use trace::layout::Reason;

use super::string_ends::read_to_the_end;
use super::term::Term;
use crate::arguments::Arguments;
use crate::build::Operand;
use crate::pointers::Address;
use crate::runtime::{Runtime, with};
use crate::shadow;
use crate::variadic::VaList;

/// Bytes of a format that are looked at, and arguments whose places are known, for those that say how much is written.
const LONGEST_FORMAT: usize = 4096;
const MOST_ARGUMENTS: usize = 64;

/// Looks at a string of which at most `most` bytes are written out: that it ends within its memory is checked, for every place where it
/// may end, and nothing is decided about that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_printed(string: *const c_char, most: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_printed));
    let (address, site) = (string as u64, arguments.site);
    let label = arguments.label(0);
    let most = Term { label: arguments.label(1), value: most as u64, width: 64 };
    if label == 0 {
        // SAFETY: memory of a region is there.
        return unsafe { read_to_the_end(address, most, site) };
    }
    // Where nothing is written out, nothing has to be there.
    if !string.is_null() && most.value | u64::from(most.label) != 0 {
        with((), |runtime: &mut Runtime| runtime.follow_printed(Address { label, value: address }, site));
    }
}

/// The same for the strings in a list of arguments, of which the format says what they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_printed_list(format: *const c_char, list: *const VaList) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_printed_list));
    let site = arguments.site;
    if format.is_null() || list.is_null() {
        return;
    }
    // SAFETY: the program hands both to a function that reads them.
    let (format, mut list) = unsafe {
        let length = libc::strnlen(format, LONGEST_FORMAT);
        (core::slice::from_raw_parts(format.cast::<u8>(), length), *list)
    };
    let mut places = [0; MOST_ARGUMENTS];
    let mut count = 0;
    let lose = || with((), |runtime: &mut Runtime| runtime.loss(site, Reason::Length, 1));
    let is_whole = each_argument(format, |argument| {
        let place = list.take(argument);
        if let Some(kept) = places.get_mut(count) {
            *kept = place;
        }
        count += 1;
        let Argument::Text(precision) = argument else { return };
        let most = match precision {
            Precision::All => Term::concrete(64, u64::MAX),
            Precision::Bytes(bytes) => Term::concrete(64, bytes),
            Precision::Argument(before) => {
                let Some(place) = places.get(before) else { return lose() };
                // SAFETY: the arguments that the format takes are there.
                unsafe { argument_at(*place, 4) }
            }
        };
        // SAFETY: as above; memory of a region is there.
        unsafe {
            let string = argument_at(place, 8);
            if string.label == 0 {
                read_to_the_end(string.value, most, site);
            } else {
                lose();
            }
        }
    });
    // Which arguments a string is among is nothing that a list tells, and what is too long is not read.
    let mut has_strings = false;
    each_string(format, |_, _| has_strings = true);
    if !is_whole && has_strings || format.len() == LONGEST_FORMAT {
        lose();
    }
}

/// An argument of so many bytes as 64 bits.
///
/// # Safety
/// It can be read.
unsafe fn argument_at(place: u64, bytes: usize) -> Term {
    // SAFETY: by the contract of this function.
    let value = unsafe {
        match bytes {
            4 => u64::from((place as *const u32).read_unaligned()),
            _ => (place as *const u64).read_unaligned(),
        }
    };
    let concrete = Term::concrete(64, value);
    if shadow::is_clean(place, bytes as u64) {
        return concrete;
    }
    with(concrete, |runtime: &mut Runtime| {
        let label = runtime.recorder.load(place, bytes, value);
        runtime.recorder.widened(Term { label, value, width: 8 * bytes as u32 }, 64)
    })
}

impl Runtime {
    /// A string at an address with a label: one of several, which end where they end.
    fn follow_printed(&mut self, address: Address, site: u32) {
        let ends = |_: &mut Runtime, place: u64, length: u64| {
            shadow::is_clean(place, length).then_some(Operand::concrete(length))
        };
        if self.choice_of_strings(address, site, 64, ends).is_none() {
            self.loss(site, Reason::Length, 1);
        }
    }
}
