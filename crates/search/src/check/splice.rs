//! Inputs that have other bytes in one place. Many of them are made at once, and the rest may be large: it is copied when one is run.

use std::ops::Range;
use std::sync::Arc;

use replay::Input;

/// An input with something else in place of a stretch of one of its parts.
pub struct Splice {
    /// The input as it was.
    pub of: Arc<Input>,
    /// The number of the part.
    pub part: usize,
    /// The stretch; nothing but a place if it is empty.
    pub range: Range<usize>,
    /// What takes its place.
    pub bytes: Vec<u8>,
}

impl Splice {
    /// The whole input.
    pub fn input(self) -> Input {
        let mut input = Input::clone(&self.of);
        if let Some(part) = input.parts.get_mut(self.part) {
            part.bytes.splice(self.range, self.bytes);
        }
        input
    }
}
