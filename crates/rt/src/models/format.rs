//! Formats that are no constants: whether the input can put a conversion into one.

use core::ffi::c_char;

use crate::arguments::Arguments;
use crate::models::term::Term;
use crate::runtime::{Runtime, with};
use crate::shadow;

/// Bytes of a format that are looked at.
const LONGEST: u64 = 1024;

/// Looks at a format before it is used: `%n`, which writes to memory, must not be in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_format(format: *const c_char, _given: u32) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_format));
    if format.is_null() {
        return;
    }
    let len = libc::strnlen(format, LONGEST as usize) as u64;
    if shadow::is_clean(format as u64, len) {
        return;
    }
    with((), |runtime: &mut Runtime| {
        let recorder = &mut runtime.recorder;
        let mut none = Term::concrete(1, 1);
        for at in (format as u64..format as u64 + len).take(len.saturating_sub(1) as usize) {
            let (first, second) = (recorder.byte_at(at), recorder.byte_at(at + 1));
            let starts = recorder.equal(first, Term::concrete(8, u64::from(b'%')));
            let writes = recorder.equal(second, Term::concrete(8, u64::from(b'n')));
            let both = recorder.choice(starts, writes, Term::concrete(1, 0));
            none = recorder.choice(both, Term::concrete(1, 0), none);
        }
        recorder.condition(none.label, arguments.site, none.value != 0, 0);
    });
}
