//! Small blocks that are moved between labelled addresses: structures, mostly.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use super::{contents, set_contents};
use crate::build::Operand;
use crate::runtime::Runtime;
use crate::shadow;

/// Pieces of the largest block that is followed: seven words and what is left of the eighth.
const MOST_PIECES: usize = 10;

/// Offsets and sizes of the pieces that a block is moved in.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    let mut offset = 0;
    core::iter::from_fn(move || {
        let left = bytes - offset;
        let size = [8, 4, 2, 1].into_iter().find(|size| *size <= left)?;
        offset += size;
        Some((offset - size, size as usize))
    })
}

impl Runtime {
    /// Moves the labels of `bytes` bytes that the program is about to move; at least one of the addresses has a label.
    pub fn move_block(&mut self, to: Address, from: Address, site: u32, bytes: u64) {
        let is_known = self.regions.find(from.value).is_some_and(|area| bytes <= area.room_at(from.value));
        if !is_known || !self.recorder.follows_pointers() || !self.is_in_pieces(to.value, from.value, bytes) {
            self.address(to.label, site, to.value, bytes, true);
            self.address(from.label, site, from.value, bytes, false);
            return shadow::copy(to.value, from.value, bytes);
        }
        let mut moved = [Operand::default(); MOST_PIECES];
        for ((offset, size), piece) in pieces(bytes).zip(&mut moved) {
            let place = from.value + offset;
            let value = contents(place, size);
            let pointer = self.label_at(from, offset);
            *piece = Operand { label: self.read(pointer, site, place, size, value), value };
        }
        for ((offset, size), piece) in pieces(bytes).zip(moved) {
            let (pointer, place) = (self.label_at(to, offset), to.value + offset);
            self.write(pointer, site, place, size, piece);
            if to.label != 0 {
                // The next piece may go to the same places, and what is there is looked at.
                set_contents(place, size, piece.value);
            }
        }
    }

    /// Whether a block can be moved piece by piece: there are few of them, and writing one changes none that comes later.
    fn is_in_pieces(&mut self, to: u64, from: u64, bytes: u64) -> bool {
        let has_room = self.regions.find(to).is_some_and(|area| bytes <= area.room_at(to));
        pieces(bytes).count() <= MOST_PIECES && has_room && to.abs_diff(from) >= bytes
    }

    /// The label of an address and an offset.
    fn label_at(&mut self, address: Address, offset: u64) -> Label {
        let Address { label, value } = address;
        self.recorder.binary(Op::Add, 64, Operand { label, value }, Operand::concrete(offset), value + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_block() {
        assert_eq!(pieces(15).collect::<Vec<_>>(), [(0, 8), (8, 4), (12, 2), (14, 1)]);
        assert_eq!(pieces(0).count(), 0);
        assert_eq!((0..=56).map(|bytes| pieces(bytes).count()).max(), Some(9));
    }
}
