//! Searching and comparing memory and strings.
//!
//! A search leaves the constraint that a plain loop would leave: one branch for every labelled byte that it looks at.
//! A comparison gives its result a label that is the whole comparison, so that flipping one branch on the result
//! solves for the whole string.

use core::ffi::{c_char, c_int, c_void};

use trace::layout::{Label, Reason, STRING_ROOM, SizeUse};

use super::access::looked_at;
use super::lengths::End;
use super::string_ends::read_to_the_end;
use super::term::Term;
use crate::arguments::{Arguments, give};
use crate::build::Operand;
use crate::pointers::Address;
use crate::recorder::Recorder;
use crate::runtime::{Runtime, with};
use crate::shadow;

/// Longer comparisons leave one branch per byte instead of one term: terms of this size are where solvers get slow.
const LONGEST_CHAIN: usize = 256;

pub(super) const PAGE: u64 = 4096;

/// Logs for every byte of the range that may have a label which of `wanted` it is equal to, in order.
pub(super) unsafe fn examine(address: u64, len: u64, wanted: &[Term], site: u32) {
    let any_labelled = wanted.iter().any(|term| term.label != 0);
    let end = address + len;
    with((), |runtime| {
        let mut at = address;
        while at < end {
            if !any_labelled {
                match shadow::first_dirty(at, end) {
                    Some(dirty) => at = dirty,
                    None => break,
                }
            }
            // SAFETY: the modelled function has read the range.
            let byte = unsafe { runtime.recorder.byte_at(at) };
            if byte.label != 0 && runtime.end_at(at).is_some() {
                // What a longer string would have here is not looked at.
                runtime.loss(site, Reason::Length, 1);
                at += 1;
                continue;
            }
            for wanted in wanted {
                if byte.label | wanted.label == 0 {
                    continue;
                }
                let equal = runtime.recorder.equal(byte, *wanted);
                if runtime.recorder.decide(equal, site) {
                    break;
                }
            }
            at += 1;
        }
    });
}

/// The byte to look for, given as an `int`.
pub(super) fn wanted_byte(arguments: &Arguments, index: usize, value: c_int) -> Term {
    let concrete = Term::concrete(8, value as u64);
    match arguments.label(index) {
        0 => concrete,
        label => with(concrete, |runtime| runtime.recorder.low_byte(label, value as u64)),
    }
}

/// What ends a string.
pub(super) const NUL: Term = Term { label: 0, value: 0, width: 8 };

/// strlen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strlen(string: *const c_char) -> usize {
    let arguments = Arguments::take(address_of!(__provoke_x_strlen));
    let len = libc::strlen(string);
    let length = chosen_length(arguments.label(0), string as u64, arguments.site).unwrap_or_else(|| {
        arguments.string((0, string as u64), u64::MAX);
        measure(string as u64, len as u64, u64::MAX, arguments.site).label
    });
    give(address_of!(__provoke_x_strlen), length);
    len
}

/// The label of the length of the string at an address with a label, if nothing else in any of the strings there has one.
fn chosen_length(label: Label, string: u64, site: u32) -> Option<Label> {
    if label == 0 {
        return None;
    }
    with(None, |runtime| {
        let address = Address { label, value: string };
        let found = runtime.choice_of_strings(address, site, 64, |_, place, length| {
            shadow::is_clean(place, length).then_some(Operand::concrete(length))
        });
        found.map(|length| length.label)
    })
}

/// The length of a string that has `len` bytes in this run, of which `limit` are looked at at most. Which bytes do not end it
/// is decided here; where it ends too, unless its length is a term.
pub(super) unsafe fn measure(string: u64, len: u64, limit: u64, site: u32) -> Term {
    let concrete = Term::concrete(64, len);
    let bytes = limit.min(len.saturating_add(1));
    looked_at(string, bytes, site);
    if shadow::is_clean(string, bytes) {
        return concrete;
    }
    // Where the input has no say in its end, it ends there at the latest.
    if len >= limit || !shadow::is_clean(string + len, 1) {
        read_to_the_end(string, Term::concrete(64, limit), site);
    }
    let end = if len < limit { with(None, |runtime| runtime.end_at(string + len)) } else { None };
    let Some(end) = end else {
        examine(string, bytes, &[NUL], site);
        return concrete;
    };
    examine(string, len, &[NUL], site);
    with(concrete, |runtime| {
        let length = runtime.length_to(end, len);
        let limit = Term::concrete(64, limit);
        let is_within = runtime.recorder.at_most(length, limit);
        runtime.recorder.choice(is_within, length, limit)
    })
}

/// strnlen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strnlen(string: *const c_char, limit: usize) -> usize {
    let arguments = Arguments::take(address_of!(__provoke_x_strnlen));
    arguments.pin(&[(0, string as u64, Reason::ModelArgument), (1, limit as u64, Reason::Size)]);
    let len = libc::strnlen(string, limit);
    let length = measure(string as u64, len as u64, limit as u64, arguments.site);
    give(address_of!(__provoke_x_strnlen), length.label);
    len
}

/// What is compared.
#[derive(Clone, Copy)]
struct Comparison {
    a: u64,
    b: u64,
    /// Positions that can matter at most.
    limit: u64,
    /// Whether a zero byte ends it.
    is_string: bool,
    site: u32,
}

impl Comparison {
    /// The position that decides in this run, or the limit.
    unsafe fn deciding_position(&self) -> u64 {
        let mut at = 0;
        while at < self.limit {
            let (x, y) = (*((self.a + at) as *const u8), *((self.b + at) as *const u8));
            if x != y || (self.is_string && x == 0) {
                break;
            }
            at += 1;
        }
        at
    }

    unsafe fn is_clean_to(&self, position: u64) -> bool {
        let len = self.limit.min(position.saturating_add(1));
        shadow::is_clean(self.a, len) && shadow::is_clean(self.b, len)
    }

    /// How many positions can be told about: of strings, up to the first terminator. `None` if that would read memory
    /// which the real function may not read: strncmp stops at the first difference, and the memory may end there too.
    unsafe fn length(&self, deciding: u64) -> Option<u64> {
        if !self.is_string {
            return Some(self.limit);
        }
        if self.limit == u64::MAX {
            let first = libc::strlen(self.a as *const c_char);
            let shorter = libc::strnlen(self.b as *const c_char, first);
            return Some(shorter as u64 + 1);
        }
        let in_page = |base: u64| PAGE - (base + deciding) % PAGE + deciding;
        let readable = self.limit.min(in_page(self.a)).min(in_page(self.b));
        let first = libc::strnlen(self.a as *const c_char, readable as usize);
        let shorter = libc::strnlen(self.b as *const c_char, first) as u64;
        if shorter == readable && readable < self.limit { None } else { Some((shorter + 1).min(self.limit)) }
    }

    /// More positions, up to the end of the longer string, where the shorter one ends with a byte that depends on the input, and
    /// what lies behind it is known: with another byte there it goes on.
    unsafe fn beyond_end(&self, runtime: &mut Runtime, length: u64) -> u64 {
        if !self.is_string || length == 0 || length >= self.limit {
            return length;
        }
        let last = length - 1;
        let (x, y) = self.bytes(&mut runtime.recorder, last);
        let (end, shorter, longer) = if x.value == 0 { (x, self.a, self.b) } else { (y, self.b, self.a) };
        if end.label == 0 || x.value == y.value || runtime.end_at(shorter + last).is_some() {
            return length;
        }
        let mut known_behind = |base: u64| {
            let area = runtime.regions.find(base + last)?;
            Some((area.base + area.followed()).saturating_sub(base).min(self.limit))
        };
        let (Some(room), Some(others_room)) = (known_behind(shorter), known_behind(longer)) else { return length };
        let others_length = libc::strnlen(longer as *const c_char, others_room as usize) as u64;
        let wanted = (others_length + 1).min(self.limit);
        if wanted <= room.min(others_room) { wanted } else { length }
    }

    unsafe fn bytes(&self, recorder: &mut Recorder, at: u64) -> (Term, Term) {
        (recorder.byte_at(self.a + at), recorder.byte_at(self.b + at))
    }

    /// Where one of two strings ends that may be longer, and how many bytes of the other one lie behind that at most.
    unsafe fn growth(&self, runtime: &mut Runtime, length: u64) -> Growth {
        let none = Growth { after: length, a: None, b: None, more: 0 };
        if !self.is_string || length == 0 || length >= self.limit {
            return none;
        }
        let last = length - 1;
        let (a, b) = (runtime.end_at(self.a + last), runtime.end_at(self.b + last));
        let rest = |end: Option<End>, base: u64| match end {
            Some(_) => STRING_ROOM,
            None if *((base + last) as *const u8) == 0 => 0,
            None => libc::strnlen((base + length) as *const c_char, STRING_ROOM as usize) as u64 + 1,
        };
        let more = rest(a, self.a).min(rest(b, self.b)).min(STRING_ROOM - 1).min(self.limit - length);
        if a.is_none() && b.is_none() { none } else { Growth { after: length, a, b, more } }
    }

    /// The two bytes at a position, also of strings that would have to be longer for that.
    unsafe fn grown_bytes(&self, runtime: &mut Runtime, growth: &Growth, at: u64) -> (Term, Term) {
        if at < growth.after {
            let (x, y) = self.bytes(&mut runtime.recorder, at);
            return if self.is_string {
                (runtime.byte_of_any_length(x), runtime.byte_of_any_length(y))
            } else {
                (x, y)
            };
        }
        let distance = at - (growth.after - 1);
        let mut byte = |end: Option<End>, base: u64| match end.and_then(|end| runtime.byte_behind(end, distance)) {
            Some(byte) => byte,
            // SAFETY: the other string goes on to here.
            None => unsafe { runtime.recorder.byte_at(base + at) },
        };
        (byte(growth.a, self.a), byte(growth.b, self.b))
    }

    /// The result with its label; `concrete` where nothing is labelled or tracing is off.
    unsafe fn result(&self, concrete: c_int) -> Term {
        let concrete = Term::concrete(32, concrete as u64);
        let deciding = self.deciding_position();
        for string in [self.a, self.b] {
            looked_at(string, self.limit.min(deciding.saturating_add(1)), self.site);
        }
        if self.is_clean_to(deciding) {
            return concrete;
        }
        with(concrete, |runtime| {
            let whole = self.whole(runtime, deciding, true);
            whole.unwrap_or_else(|| {
                self.branch_by_byte(&mut runtime.recorder, self.limit.min(deciding.saturating_add(1)))
            })
        })
    }

    /// The result as one term; `None` where that would be too long, or where something has to be decided for it and may not be.
    unsafe fn whole(&self, runtime: &mut Runtime, deciding: u64, may_decide: bool) -> Option<Term> {
        let length = self.length(deciding)?;
        let length = self.beyond_end(runtime, length);
        if self.is_long(length) {
            return None;
        }
        let growth = self.growth(runtime, length);
        let length = length + growth.more;
        if let Some(terminator) = self.open_terminator(runtime, length, &growth) {
            if !may_decide {
                return None;
            }
            let ends = runtime.recorder.equal(terminator, NUL);
            runtime.recorder.decide(ends, self.site);
        }
        Some(self.chain(runtime, length, &growth))
    }

    /// The result where the first string is at an address with a label, or `None` if that has to be pinned; if it is turned, that of
    /// the second string compared with the first.
    unsafe fn result_at(&self, label: Label, is_turned: bool) -> Option<Term> {
        let deciding = self.deciding_position();
        let found = with(None, |runtime| {
            if !self.ends_in_known_memory(runtime, deciding) {
                return None;
            }
            let address = Address { label, value: self.a };
            let found = runtime.choice_of_strings(address, self.site, 32, |runtime, place, _| {
                let here = Comparison { a: place, ..*self };
                let deciding = here.deciding_position();
                if here.is_clean_to(deciding) {
                    return Some(Operand::concrete(here.clean_result(deciding).value));
                }
                here.whole(runtime, deciding, place == self.a).map(Term::operand)
            });
            let found = found.map(|Operand { label, value }| Term { label, value, width: 32 });
            let nothing = Term::concrete(32, 0);
            found.map(|found| if is_turned { runtime.recorder.difference(nothing, found) } else { found })
        });
        if found.is_some() {
            looked_at(self.b, self.limit.min(deciding.saturating_add(1)), self.site);
        }
        found
    }

    /// Whether all of the second string that may be compared can be read: the run itself has read no more than up to the position
    /// that decided.
    unsafe fn ends_in_known_memory(&self, runtime: &mut Runtime, deciding: u64) -> bool {
        let area = runtime.regions.find(self.b);
        let in_page = PAGE - (self.b + deciding) % PAGE + deciding;
        let room = area.map_or(in_page, |area| area.room_at(self.b));
        self.limit <= room || (libc::strnlen(self.b as *const c_char, room as usize) as u64) < room
    }

    /// The result where nothing has a label.
    unsafe fn clean_result(&self, deciding: u64) -> Term {
        if deciding >= self.limit {
            return Term::concrete(32, 0);
        }
        let [x, y] = [self.a, self.b].map(|string| u64::from(*((string + deciding) as *const u8)));
        Term::concrete(32, x.wrapping_sub(y))
    }

    fn is_long(&self, length: u64) -> bool {
        let labelled = |at: &u64| shadow::label(self.a + at) | shadow::label(self.b + at) != 0;
        (0..length).filter(labelled).nth(LONGEST_CHAIN).is_some()
    }

    /// One choice per position, built from the last position to the first.
    unsafe fn chain(&self, runtime: &mut Runtime, length: u64, growth: &Growth) -> Term {
        let equal_result = Term::concrete(32, 0);
        let mut result = equal_result;
        for at in (0..length).rev() {
            let (x, y) = self.grown_bytes(runtime, growth, at);
            let recorder = &mut runtime.recorder;
            let (wide_x, wide_y) = (recorder.widened(x, 32), recorder.widened(y, 32));
            let difference = recorder.difference(wide_x, wide_y);
            if self.is_string && [x, y].contains(&NUL) {
                result = equal_result;
            }
            if x.label | y.label == 0 {
                if x.value != y.value {
                    result = difference;
                }
                continue;
            }
            if self.is_string && x.label != 0 && y.label != 0 && at + 1 < length {
                let ends = recorder.equal(x, NUL);
                result = recorder.choice(ends, equal_result, result);
            }
            let equal = recorder.equal(x, y);
            result = recorder.choice(equal, result, difference);
        }
        result
    }

    /// The byte that ends the comparison, where others are possible in its place: nothing is known of what lies behind, so the
    /// path depends on its being one.
    unsafe fn open_terminator(&self, runtime: &mut Runtime, length: u64, growth: &Growth) -> Option<Term> {
        if !self.is_string || length == 0 || length == self.limit {
            return None;
        }
        let (x, y) = self.grown_bytes(runtime, growth, length - 1);
        let terminator = if x.value == 0 { x } else { y };
        (![x, y].contains(&NUL)).then_some(terminator)
    }

    unsafe fn branch_by_byte(&self, recorder: &mut Recorder, length: u64) -> Term {
        for at in 0..length {
            let (x, y) = self.bytes(recorder, at);
            let equal = recorder.equal(x, y);
            if !recorder.decide(equal, self.site) {
                return Term::concrete(32, x.value.wrapping_sub(y.value));
            }
            if self.is_string {
                let ends = recorder.equal(x, NUL);
                if recorder.decide(ends, self.site) {
                    break;
                }
            }
        }
        Term::concrete(32, 0)
    }
}

/// Where strings end that may be longer.
struct Growth {
    /// So many positions are in memory.
    after: u64,
    a: Option<End>,
    b: Option<End>,
    /// So many more positions have terms.
    more: u64,
}

unsafe fn compare_memory(model: usize, a: *const c_void, b: *const c_void, size: usize) -> c_int {
    let arguments = Arguments::take(model);
    arguments.blocks(&[(SizeUse::BlockRead, (0, a as u64)), (SizeUse::BlockRead, (1, b as u64))], (2, size as u64));
    let concrete = libc::memcmp(a, b, size);
    if shadow::is_clean(a as u64, size as u64) && shadow::is_clean(b as u64, size as u64) {
        return concrete;
    }
    let comparison =
        Comparison { a: a as u64, b: b as u64, limit: size as u64, is_string: false, site: arguments.site };
    let result = comparison.result(concrete);
    give(model, result.label);
    result.value as c_int
}

/// memcmp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_memcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int {
    compare_memory(address_of!(__provoke_x_memcmp), a, b, size)
}

/// bcmp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_bcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int {
    compare_memory(address_of!(__provoke_x_bcmp), a, b, size)
}

/// Strings, of which `limit` bytes are compared at most.
unsafe fn compare_strings(
    model: usize,
    arguments: &Arguments,
    a: *const c_char,
    b: *const c_char,
    limit: u64,
) -> c_int {
    let comparison = Comparison { a: a as u64, b: b as u64, limit, is_string: true, site: arguments.site };
    // Memory that cannot be read is nothing that the runtime should be the first to find out.
    let concrete = libc::strncmp(a, b, limit as usize);
    let result = match (arguments.label(0), arguments.label(1)) {
        (0, 0) => None,
        (0, second) => {
            let turned = Comparison { a: comparison.b, b: comparison.a, ..comparison };
            turned.result_at(second, true)
        }
        (first, _) => {
            arguments.string((1, b as u64), limit);
            comparison.result_at(first, false)
        }
    };
    let result = result.unwrap_or_else(|| {
        arguments.string((0, a as u64), limit);
        arguments.string((1, b as u64), limit);
        comparison.result(concrete)
    });
    give(model, result.label);
    result.value as c_int
}

/// strcmp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strcmp(a: *const c_char, b: *const c_char) -> c_int {
    let model = address_of!(__provoke_x_strcmp);
    let arguments = Arguments::take(model);
    compare_strings(model, &arguments, a, b, u64::MAX)
}

/// strncmp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_strncmp(a: *const c_char, b: *const c_char, size: usize) -> c_int {
    let model = address_of!(__provoke_x_strncmp);
    let arguments = Arguments::take(model);
    arguments.pin(&[(2, size as u64, Reason::Size)]);
    compare_strings(model, &arguments, a, b, size as u64)
}

#[cfg(test)]
mod tests;
