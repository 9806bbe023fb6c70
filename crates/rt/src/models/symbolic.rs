//! `provoke_make_symbolic`: memory that the program declares to be input.

use core::ffi::{CStr, c_char, c_void};

use trace::layout::{Part, PartKind, Reason};

use crate::arguments::Arguments;
use crate::runtime::{Runtime, with};

/// Bytes of a part's name, with room for the zero that ends it.
const LONGEST_NAME: usize = size_of::<Part>() - core::mem::offset_of!(Part, name) - 1;

/// `name`, or `name#2`, `name#3`, … for further uses of it.
struct PartName {
    bytes: [u8; LONGEST_NAME],
    len: usize,
}

impl PartName {
    fn new(name: &[u8], use_number: u32) -> PartName {
        let mut result = PartName { bytes: [0; LONGEST_NAME], len: 0 };
        // Room for the number.
        name.iter().take(LONGEST_NAME - 12).for_each(|byte| result.push(*byte));
        if use_number > 1 {
            result.push(b'#');
            let mut divisor = 1;
            while use_number / divisor >= 10 {
                divisor *= 10;
            }
            while divisor > 0 {
                result.push(b'0' + (use_number / divisor % 10) as u8);
                divisor /= 10;
            }
        }
        result
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    fn is_of(&self, part: &Part) -> bool {
        part.kind == PartKind::Buffer as u32
            && part.name.get(..part.name_len as usize).is_some_and(|name| name == self.as_bytes())
    }
}

impl Runtime {
    /// The part for the next use of a name: one that the engine gave, or a new one.
    fn buffer_part(&mut self, name: &[u8], len: u64) -> Option<u32> {
        for use_number in 1.. {
            let name = PartName::new(name, use_number);
            let known = (0..self.recorder.part_count())
                .find(|index| self.recorder.part(*index).is_some_and(|part| name.is_of(part)));
            match known {
                Some(part) if self.inputs.is_used(part) => continue,
                Some(part) => {
                    self.inputs.resize_buffer(part, len);
                    if let Some(part) = self.recorder.part_mut(part) {
                        part.len = part.len.max(len);
                    }
                    return Some(part);
                }
                None => {
                    let part = self.recorder.add_part(|part| {
                        part.kind = PartKind::Buffer as u32;
                        part.name_len = name.len as u32;
                        part.len = len;
                        part.name[..LONGEST_NAME].copy_from_slice(&name.bytes);
                    })?;
                    self.inputs.add_buffer(len);
                    return Some(part);
                }
            }
        }
        None
    }
}

/// provoke_make_symbolic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_make_symbolic(memory: *mut c_void, len: usize, name: *const c_char) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_make_symbolic));
    arguments.pin(&[
        (0, memory as u64, Reason::ModelArgument),
        (1, len as u64, Reason::Size),
        (2, name as u64, Reason::ModelArgument),
    ]);
    let name = if name.is_null() { c"buffer" } else { CStr::from_ptr(name) };
    with((), |runtime| {
        let Some(part) = runtime.buffer_part(name.to_bytes(), len as u64) else {
            return runtime.loss(arguments.site, Reason::InputLost, len as u64);
        };
        runtime.inputs.mark_used(part);
        let given = runtime.recorder.part(part).filter(|part| part.data_offset != 0).map(|part| part.data_offset);
        if let Some(data) = given.and_then(|offset| runtime.recorder.data(offset, runtime.inputs.given_len(part))) {
            let count = data.len().min(len);
            // SAFETY: the caller gave `len` bytes to write to.
            unsafe { core::ptr::copy_nonoverlapping(data.as_ptr(), memory.cast::<u8>(), count) };
        }
        // SAFETY: as above.
        let values = unsafe { core::slice::from_raw_parts(memory.cast::<u8>(), len) };
        runtime.label_run(memory as u64, len as u64, part, 0, values);
    });
}

#[cfg(test)]
mod tests {
    use super::PartName;

    #[test]
    fn names_of_further_uses_are_numbered() {
        assert_eq!(PartName::new(b"key", 1).as_bytes(), b"key");
        assert_eq!(PartName::new(b"key", 2).as_bytes(), b"key#2");
        assert_eq!(PartName::new(b"key", 120).as_bytes(), b"key#120");
    }
}
