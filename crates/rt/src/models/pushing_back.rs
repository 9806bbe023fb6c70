//! Bytes that are pushed back into a stream.

use core::ffi::c_int;

use libc::FILE;
use trace::layout::Reason;

use super::stream_table::{Place, Stream};
use super::streams::{Origin, origin_of};
use super::term::Term;
use crate::arguments::Arguments;
use crate::runtime::{Runtime, with};

/// ungetc. The library steps back if the byte that it gave last has the value of the one that is pushed, whichever it is, and is
/// going to give that byte again; another value it keeps aside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_ungetc(byte: c_int, stream: *mut FILE) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_ungetc));
    arguments.pin(&[(1, stream as u64, Reason::ModelArgument)]);
    let state = stream.cast::<Stream>();
    let before = (*state).next_byte();
    let origin = (*state).can_step_back().then(|| origin_of(stream, arguments.site));
    let last = with(None, |runtime| runtime.given_last(origin?, *((before - 1) as *const u8)));
    let status = libc::ungetc(byte, stream);
    let has_stepped_back = (*state).next_byte().wrapping_add(1) == before;
    with((), |runtime| {
        if has_stepped_back {
            runtime.streams.stepped_back(stream as u64, &*state);
        } else {
            runtime.streams.moved(stream as u64);
        }
        if runtime.is_end(&arguments, byte) {
            return;
        }
        let pushed = runtime.recorder.low_byte(arguments.label(0), byte as u64);
        // If they are the same, one stands for the other from here on.
        if let Some(last) = last.filter(|last| last.label != pushed.label) {
            let are_same = runtime.recorder.equal(last, pushed);
            runtime.recorder.decide(are_same, arguments.site);
        }
        if last.is_none() || !has_stepped_back {
            runtime.recorder.pin(arguments.label(0), arguments.site, Reason::ModelArgument, byte as u64);
        }
    });
    status
}

impl Runtime {
    /// Whether what is pushed is no byte, which is decided unless it cannot be.
    fn is_end(&mut self, arguments: &Arguments, byte: c_int) -> bool {
        let label = arguments.label(0);
        let low = self.recorder.low_byte(label, byte as u64);
        if self.recorder.zero_extend(low.label, 32) == label {
            return byte == libc::EOF;
        }
        let number = Term { label, value: u64::from(byte as u32), width: 32 };
        let is_end = self.recorder.equal(number, Term::concrete(32, libc::EOF as u64));
        self.recorder.decide(is_end, arguments.site)
    }

    /// The byte that a stream gave last, where it stands behind that one; `None` if it is not what lies there.
    fn given_last(&mut self, next: Origin, value: u8) -> Option<Term> {
        let byte = match next {
            Origin::Input(Place { part, offset }) => {
                let offset = offset.checked_sub(1)?;
                let value = u64::from(*self.inputs.contents(part, offset, 1).first()?);
                Term { label: self.inputs.label(&mut self.recorder, part, offset), value, width: 8 }
            }
            // SAFETY: memory that the stream has read.
            Origin::Memory(address) => unsafe { self.recorder.byte_at(address - 1) },
            Origin::Other => Term::concrete(8, value.into()),
        };
        (byte.value == u64::from(value)).then_some(byte)
    }
}
