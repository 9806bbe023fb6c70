//! Reads of numbers that were written in pieces.

use crate::Executor;
use crate::memory::Slot;
use crate::state::State;
use crate::value::{RegionId, Value};
use expr::Term;
use ir::Type;

impl Executor<'_> {
    /// Reads more than a word: the pointers in it were written one by one.
    pub fn read_words(&mut self, state: &mut State, region: RegionId, at: u64, bytes: u64) -> Value {
        let mut whole: Option<Term> = None;
        for place in (at..at.saturating_add(bytes)).step_by(8) {
            let slot = state.memory.get(&region).and_then(|contents| contents.slots.get(&place));
            let is_pointer = slot.is_some_and(|slot| matches!(slot.value, Value::Pointer(_)));
            let offset = self.store.small(64, place);
            let word = self.read(state, region, offset, Type { bits: 64, is_pointer });
            let word = self.bits(word, 64);
            whole = Some(match whole {
                Some(below) => self.store.concat(word, below),
                None => word,
            });
        }
        Value::Bits(whole.unwrap_or_else(|| self.store.small(64, 0)))
    }

    /// Reads a number of which parts lie in several places: a structure in registers is read with the gaps in it.
    pub fn read_pieces(
        &mut self,
        state: &mut State,
        region: RegionId,
        at: u64,
        ty: Type,
        slots: &[(u64, Slot)],
    ) -> Value {
        let end = at.saturating_add(ty.bytes());
        let mut pieces = Vec::new();
        let mut place = at;
        for (start, slot) in slots {
            if *start > place {
                pieces.push((place, *start, None));
            }
            let (from, to) = ((*start).max(at), start.saturating_add(slot.bytes).min(end));
            pieces.push((from, to, Some((*start, *slot))));
            place = to;
        }
        if place < end {
            pieces.push((place, end, None));
        }
        let mut whole: Option<Term> = None;
        for (from, to, known) in pieces {
            let bits = ((to - from) * 8) as u32;
            let value = match known {
                Some((start, slot)) if start == from && slot.bytes == to - from => slot.value,
                Some((start, slot)) => self.slice(slot, from - start, to - from).value,
                None => {
                    let offset = self.store.small(64, from);
                    self.read(state, region, offset, Type::bits(bits))
                }
            };
            let piece = self.bits(value, bits);
            whole = Some(match whole {
                Some(below) => self.store.concat(piece, below),
                None => piece,
            });
        }
        let whole = whole.unwrap_or_else(|| self.store.small(64, 0));
        Value::Bits(self.resized(whole, ty.bits))
    }
}

/// Whether a value is made of several words.
pub fn is_wide(ty: Type) -> bool {
    !ty.is_pointer && ty.bits > 64 && ty.bits.is_multiple_of(64) && ty.bits <= u32::from(expr::MAX_WIDTH)
}

/// Whether a value can be put together from what lies in several places.
pub fn can_be_pieced(ty: Type) -> bool {
    !ty.is_pointer && ty.bytes() * 8 <= u64::from(expr::MAX_WIDTH)
}
