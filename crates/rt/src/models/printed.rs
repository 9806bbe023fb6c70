//! Strings that are written out: what a program prints nobody follows, but all of it has to be there.

use core::ffi::c_char;

use trace::layout::{Label, Reason, SizeUse};

use super::access::accessed;
use super::term::Term;
use crate::arguments::Arguments;
use crate::recorder::Recorder;
use crate::runtime::{Runtime, with};
use crate::shadow;

/// Bytes of a string whose end depends on the input that are looked at.
const LONGEST: u64 = 1024;

/// Looks at a string of which at most `most` bytes are written out: that it ends within its memory is checked, for every place where it
/// may end, and nothing is decided about that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_printed(string: *const c_char, most: usize) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_printed));
    let (address, site) = (string as u64, arguments.site);
    let label = arguments.label(0);
    let most = Term { label: arguments.label(1), value: most as u64, width: 64 };
    // Where nothing is written out, nothing has to be there.
    if string.is_null() || most.value == 0 && (label != 0 || most.label == 0) {
        return;
    }
    let size = with(None, |runtime: &mut Runtime| {
        if label != 0 {
            runtime.follow_printed(label, site, address);
            return None;
        }
        // SAFETY: the string is there, or the program fails in a moment.
        unsafe { runtime.printed_size(address, most, site) }
    });
    if let Some(size) = size {
        accessed(SizeUse::BlockRead, address, size, site);
    }
}

impl Runtime {
    /// The first byte of a string at an address with a label: whether there is one at all.
    fn follow_printed(&mut self, label: Label, site: u32, address: u64) {
        // SAFETY: as for the string as a whole.
        let first = unsafe { *(address as *const u8) };
        self.read(label, site, address, 1, first.into());
    }

    /// How many bytes of a string are read, if that is nothing that is known to fit.
    ///
    /// # Safety
    /// The memory from the address on, up to the end of its region, can be read.
    unsafe fn printed_size(&mut self, address: u64, most: Term, site: u32) -> Option<Term> {
        let room = self.regions.find(address)?.room_at(address);
        if most.label == 0 && (most.value <= room || shadow::is_clean(address, room)) {
            return None;
        }
        let looked_at = room.min(LONGEST);
        // SAFETY: by the contract of this function.
        let byte = |recorder: &mut Recorder, at: u64| unsafe { recorder.byte_at(address + at) };
        if (0..looked_at).any(|at| byte(&mut self.recorder, at) == Term::concrete(8, 0)) {
            return None;
        }
        if looked_at < room {
            self.loss(site, Reason::Length, room - looked_at);
            return None;
        }
        // Without an end it goes on behind its memory.
        let mut size = Term::concrete(64, room + 1);
        for at in (0..room).rev() {
            let byte = byte(&mut self.recorder, at);
            let is_end = self.recorder.equal(byte, Term::concrete(8, 0));
            size = self.recorder.choice(is_end, Term::concrete(64, at + 1), size);
        }
        let is_less = self.recorder.at_most(most, size);
        Some(self.recorder.choice(is_less, most, size))
    }
}
