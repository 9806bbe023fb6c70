//! Strings that end somewhere, whatever the input is.

use trace::layout::{Reason, SizeUse};

use super::access::accessed;
use super::term::Term;
use crate::runtime::{Runtime, with};
use crate::shadow;

/// Bytes of a string whose end depends on the input that are looked at.
const LONGEST: u64 = 1024;

/// Says that a string at an address without a label is read to its end, or up to `most` bytes of it: that it ends within its memory is checked,
/// for every place where it may end, and nothing is decided about that.
///
/// # Safety
/// The memory from the address on, up to the end of its region, can be read.
pub(super) unsafe fn read_to_the_end(address: u64, most: Term, site: u32) {
    // Of nothing, nothing has to be there.
    if address == 0 || most.value | u64::from(most.label) == 0 {
        return;
    }
    // SAFETY: by the contract of this function.
    let size = with(None, |runtime: &mut Runtime| unsafe { runtime.string_size(address, most, site) });
    if let Some(size) = size {
        accessed(SizeUse::BlockRead, address, size, site);
    }
}

impl Runtime {
    /// How many bytes of a string are read, if that is nothing that is known to fit.
    ///
    /// # Safety
    /// The memory from the address on, up to the end of its region, can be read.
    unsafe fn string_size(&mut self, address: u64, most: Term, site: u32) -> Option<Term> {
        let area = self.regions.find(address)?;
        let room = area.room_at(address);
        let is_fixed = area.extent.is_none();
        if is_fixed && most.label == 0 && (most.value <= room || shadow::is_clean(address, room)) {
            return None;
        }
        let looked_at = room.min(LONGEST);
        // Where it ends in any case.
        let mut end = None;
        for at in 0..looked_at {
            // SAFETY: by the contract of this function.
            let byte = unsafe { self.recorder.byte_at(address + at) };
            if byte.label != 0 && self.end_at(address + at).is_some() {
                // A string of any length: whoever copied it here has copied its end, and that it fits was checked there.
                return None;
            }
            if byte == Term::concrete(8, 0) {
                end = Some(at);
                break;
            }
        }
        if end.is_some() && is_fixed {
            return None;
        }
        if end.is_none() && looked_at < room {
            self.loss(site, Reason::Length, room - looked_at);
            return None;
        }
        // Without an end it goes on behind its memory.
        let mut size = Term::concrete(64, end.unwrap_or(room) + 1);
        for at in (0..end.unwrap_or(room)).rev() {
            // SAFETY: by the contract of this function.
            let byte = unsafe { self.recorder.byte_at(address + at) };
            let is_end = self.recorder.equal(byte, Term::concrete(8, 0));
            size = self.recorder.choice(is_end, Term::concrete(64, at + 1), size);
        }
        let is_less = self.recorder.at_most(most, size);
        Some(self.recorder.choice(is_less, most, size))
    }
}
