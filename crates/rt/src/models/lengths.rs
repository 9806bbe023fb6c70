//! Strings that may be longer or shorter than they are: arguments and environment variables.
//!
//! The length of such a part is a part of its own. The byte that ends the string is a choice: 0 if the string is no longer than
//! this, else the part's next byte. Wherever a function finds such an end, copies of it included, it knows the length of the
//! string as a term, and needs no decision about it.

use core::ffi::{CStr, c_char};

use trace::layout::{
    Event, EventKind, FILE_GROWTH, LENGTH_BYTES, LONGEST_STRING, Label, Part, PartKind, STRING_FILL, STRING_ROOM,
};
use trace::op::Op;

use super::input::is_file;
use super::term::Term;
use crate::recorder::Recorder;
use crate::runtime::Runtime;
use crate::shadow;

/// The end of a string of any length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The part that the string is of.
    pub part: u32,
    /// Where in the part it ends.
    offset: u64,
    /// The length of the part, 64 bits wide.
    length: Term,
}

/// What the program was started with.
pub struct Started {
    /// How many arguments there are, the program's name included.
    pub count: usize,
    /// The arguments.
    pub arguments: *mut *mut c_char,
    /// The environment, which ends with a null pointer.
    pub environment: *mut *mut c_char,
}

impl Started {
    /// # Safety
    /// The lists are those that `main` gets.
    unsafe fn argument(&self, number: u64) -> Option<*mut c_char> {
        let number = usize::try_from(number).ok().filter(|number| *number < self.count)?;
        // SAFETY: below the number of arguments.
        Some(unsafe { *self.arguments.add(number) })
    }

    /// # Safety
    /// As above.
    unsafe fn variable(&self, name: &[u8]) -> Option<*mut c_char> {
        let mut at = self.environment;
        // SAFETY: the list ends with a null pointer.
        unsafe {
            while !at.is_null() && !(*at).is_null() {
                let entry = CStr::from_ptr(*at).to_bytes();
                if entry.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&b'=')) {
                    return Some((*at).add(name.len() + 1));
                }
                at = at.add(1);
            }
        }
        None
    }
}

impl Runtime {
    /// Labels lengths, arguments and environment variables.
    ///
    /// # Safety
    /// As [`Started`] says.
    pub unsafe fn label_start(&mut self, started: &Started) {
        for index in 0..self.recorder.part_count() {
            let Some(part) = self.recorder.part(index) else { continue };
            let (kind, about) = (part.kind, part.inode);
            if kind == PartKind::Length as u32 {
                self.add_length(index, about as u32);
            }
        }
        for index in 0..self.recorder.part_count() {
            let Some(part) = self.recorder.part(index) else { continue };
            let name = part.name.get(..part.name_len as usize).unwrap_or_default();
            // SAFETY: by the contract of this function.
            let string = unsafe {
                match part.kind {
                    kind if kind == PartKind::Argument as u32 => started.argument(part.inode),
                    kind if kind == PartKind::Variable as u32 => started.variable(name),
                    _ => None,
                }
            };
            if let Some(string) = string {
                // SAFETY: a string that the system made.
                let bytes = unsafe { CStr::from_ptr(string) }.to_bytes();
                self.label_string(index, string as u64, bytes);
            }
        }
    }

    /// Makes the label of a part's length.
    pub(super) fn add_length(&mut self, index: u32, about: u32) {
        let Some(part) = self.recorder.part(about) else { return };
        let is_file = is_file(part.kind);
        let (actual, most) = match is_file {
            true => (part.len, part.len.saturating_add(FILE_GROWTH)),
            false => (part.len.saturating_sub(STRING_ROOM), LONGEST_STRING),
        };
        let bytes = (actual as u32).to_le_bytes();
        let (first, count) = self.inputs.run(&mut self.recorder, index, 0, LENGTH_BYTES, &bytes);
        if first == 0 || count != LENGTH_BYTES {
            return;
        }
        let label = self.recorder.byte_run(first, LENGTH_BYTES as u32, actual);
        let label = self.recorder.zero_extend(label, 64);
        let length = Term { label, value: actual, width: 64 };
        self.inputs.set_length(about, length);
        let bounded = self.recorder.at_most(length, Term::concrete(64, most));
        self.recorder.assume(bounded);
    }

    /// Labels a string that is a part of the input, its end included.
    pub(super) fn label_string(&mut self, part: u32, address: u64, bytes: &[u8]) {
        let len = bytes.len() as u64;
        self.label_run(address, len, part, 0, bytes);
        let room = [STRING_FILL; STRING_ROOM as usize];
        for offset in 0..STRING_ROOM {
            let fill = room.get(offset as usize..).unwrap_or_default();
            self.inputs.run(&mut self.recorder, part, len + offset, 1, fill);
        }
        for offset in 0..len + STRING_ROOM {
            let byte = self.part_byte(part, offset);
            let is_end = self.recorder.equal(byte, Term::concrete(8, 0));
            let other = self.recorder.negation(is_end);
            self.recorder.assume(other);
        }
        if let Some(end) = self.end_in(part, len) {
            let terminator = self.byte_behind(end, 0);
            shadow::set(address + len, &[terminator.map_or(0, |byte| byte.label)]);
        }
    }

    fn part_byte(&mut self, part: u32, offset: u64) -> Term {
        let label = self.inputs.label(&mut self.recorder, part, offset);
        let value = if label == 0 { 0 } else { self.recorder.node(label).value() };
        Term { label, value, width: 8 }
    }

    fn end_in(&self, part: u32, offset: u64) -> Option<End> {
        self.inputs.length(part).map(|length| End { part, offset, length })
    }

    /// The end of a string of any length at an address, if there is one.
    pub fn end_at(&mut self, address: u64) -> Option<End> {
        let label = self.recorder.source(shadow::label(address));
        if label == 0 || self.recorder.node(label).op != Op::Ite as u8 {
            return None;
        }
        // SAFETY: a labelled byte can be read.
        if unsafe { *(address as *const u8) } != 0 {
            return None;
        }
        let next = self.recorder.node(self.recorder.node(label).b());
        if next.op != Op::Input as u8 {
            return None;
        }
        let end = self.end_in(next.a(), next.imm())?;
        // The program makes choices between a byte of the input and 0 too: an end is the choice that is made for one. Nodes are
        // kept once, so it is the same node.
        let terminator = self.byte_behind(end, 0)?;
        (terminator.label == label).then_some(end)
    }

    /// The byte so many bytes behind the place where a string ended, if there are terms for it.
    pub fn byte_behind(&mut self, end: End, distance: u64) -> Option<Term> {
        let offset = end.offset + distance;
        let next = self.part_byte(end.part, offset);
        if next.label == 0 {
            return None;
        }
        let is_over = self.recorder.at_most(end.length, Term::concrete(64, offset));
        Some(self.recorder.choice(is_over, Term::concrete(8, 0), next))
    }

    /// A byte as it is for every length of the string that it is of, if it is of one: shorter strings end there, or before.
    pub fn byte_of_any_length(&mut self, byte: Term) -> Term {
        let node = self.recorder.node(byte.label);
        if byte.label == 0 || node.op != Op::Input as u8 {
            return byte;
        }
        const STRINGS: [u32; 3] = [PartKind::Argument as u32, PartKind::Variable as u32, PartKind::String as u32];
        let is_string = |part: &Part| STRINGS.contains(&part.kind);
        let end = self.end_in(node.a(), node.imm()).filter(|_| self.recorder.part(node.a()).is_some_and(is_string));
        end.and_then(|end| self.byte_behind(end, 0)).unwrap_or(byte)
    }

    /// The length of a string that has `len` bytes in this run and ends there.
    pub fn length_to(&mut self, end: End, len: u64) -> Term {
        self.recorder.sum(end.length, Term::concrete(64, len.wrapping_sub(end.offset)))
    }
}

impl Recorder {
    /// From here on the path holds only where the condition does, which is nothing that the program decided.
    fn assume(&mut self, condition: Term) {
        let label: Label = condition.label;
        if label != 0 {
            let kind = EventKind::Bounds as u8;
            self.log(Event { kind, taken: 1, reason: 0, site: 0, label, aux: 0, value: 0 });
        }
    }
}

#[cfg(test)]
mod tests;
