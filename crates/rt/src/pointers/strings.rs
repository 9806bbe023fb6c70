//! Strings at addresses that depend on input: entries of hash tables, names that are looked up.

use trace::layout::EventKind;

use super::choice::Address;
use super::contents;
use crate::build::Operand;
use crate::runtime::Runtime;
use crate::shadow;

/// Strings that an address is followed to.
const MOST_STRINGS: usize = 64;
/// Bytes that these strings may have together.
const MOST_BYTES: u64 = 4096;

impl Runtime {
    /// What a function of the string at an address gives, in `width` bits: a choice between what `function` gives for each place that
    /// the address can refer to, and the length of the string there. `None` where the address has to be pinned: `function` has
    /// to say nothing of at least one of the strings, or one may end elsewhere.
    pub fn choice_of_strings(
        &mut self,
        address: Address,
        site: u32,
        width: u32,
        mut function: impl FnMut(&mut Runtime, u64, u64) -> Option<Operand>,
    ) -> Option<Operand> {
        let count = self.places_of(address.label, address.value, 1).filter(|count| *count <= MOST_STRINGS)?;
        if self.is_deep(address.value, 1) {
            return None;
        }
        let before = self.recorder.node_count();
        let is_complete = self.look_at_strings(count, &mut function).is_some();
        self.spend(before, 0);
        if !is_complete {
            return None;
        }
        let before = self.recorder.node_count();
        self.follow(address, site, 1, EventKind::Read);
        let places = self.pointers.places.items_mut().get_mut(..count)?;
        let elements = self.pointers.elements.items_mut().get_mut(..count)?;
        let chosen = self.recorder.element_at(
            (&mut self.pointers.arms, &mut self.pointers.tables),
            width,
            address,
            places,
            elements,
        );
        self.spend(before, 0);
        Some(chosen)
    }

    /// What a function gives for the strings at the places that were found becomes the elements.
    fn look_at_strings(
        &mut self,
        count: usize,
        function: &mut impl FnMut(&mut Runtime, u64, u64) -> Option<Operand>,
    ) -> Option<()> {
        let mut room = MOST_BYTES;
        for index in 0..count {
            let place = self.pointers.places.items().get(index).copied()?;
            room = room.checked_sub(self.certain_length(place)?)?;
        }
        for index in 0..count {
            let place = self.pointers.places.items().get(index).copied()?;
            let length = self.certain_length(place)?;
            let found = function(self, place, length)?;
            *self.pointers.elements.items_mut().get_mut(index)? = found;
        }
        Some(())
    }

    /// The length of the string at a place, if it is not longer for any input and all of it lies in a region of a certain size.
    fn certain_length(&mut self, place: u64) -> Option<u64> {
        let area = self.regions.find(place).filter(|area| area.extent.is_none())?;
        let end = place + area.room_at(place).min(MOST_BYTES);
        let end = (place..end).find(|at| contents(*at, 1) == 0)?;
        (shadow::label(end) == 0).then_some(end - place)
    }
}
