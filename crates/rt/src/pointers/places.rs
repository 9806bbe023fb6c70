//! The places that an access can go to.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use super::values::{Ranges, Unions};
use crate::build::Operand;
use crate::recorder::Recorder;
use crate::regions::Regions;

/// Places that one access is followed to.
pub const MOST_PLACES: usize = 1024;
/// Regions that one access is followed to.
const MOST_REGIONS: usize = 64;

/// A pointer below is none: nothing is ever there.
const NULL_PAGE: u64 = 4096;

/// A region and how far an access can go in it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Within {
    /// First and last address of an access.
    first: u64,
    last: u64,
    /// The region's size, label 0 if that does not depend on input.
    size: Operand,
}

const NOWHERE: Within = Within { first: 0, last: 0, size: Operand { label: 0, value: 0 } };

impl Within {
    /// Label and value of the condition that an address lies here.
    fn condition(&self, recorder: &mut Recorder, address: Address, bytes: u64) -> (Label, bool) {
        let offset = address.value.wrapping_sub(self.first);
        let is_inside = offset <= self.last - self.first;
        let here = Operand { label: address.label, value: address.value };
        let index = recorder.binary(Op::Sub, 64, here, Operand::concrete(self.first), offset);
        let (index, room) = (Operand { label: index, value: offset }, Operand::concrete(self.last - self.first));
        let inside = recorder.binary(Op::Ule, 64, index, room, u64::from(is_inside));
        if self.size.label == 0 {
            return (inside, is_inside);
        }
        // Where the address is within the memory that is there, the sum does not overflow.
        let end = offset.wrapping_add(bytes);
        let end = Operand { label: recorder.binary(Op::Add, 64, index, Operand::concrete(bytes), end), value: end };
        let fits = end.value <= self.size.value;
        let fits_label = recorder.binary(Op::Ule, 64, end, self.size, u64::from(fits));
        let holds = is_inside && fits;
        if inside == 0 {
            return if is_inside { (fits_label, fits) } else { (0, false) };
        }
        if fits_label == 0 {
            return if fits { (inside, is_inside) } else { (0, false) };
        }
        let (inside, fits) = (recorder.operand(inside), recorder.operand(fits_label));
        (recorder.binary(Op::And, 1, inside, fits, u64::from(holds)), holds)
    }
}

/// Where the places lie: in which regions, and whether the address can be elsewhere.
pub struct Bounds {
    regions: [Within; MOST_REGIONS],
    count: usize,
    /// Bytes that are accessed.
    bytes: u64,
    /// Whether the address lies in one of them whatever the input is.
    always: bool,
    /// Whether it may lie in memory that is not known.
    pub has_unknown: bool,
}

impl Bounds {
    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn items(&self) -> &[Within] {
        self.regions.get(..self.count).unwrap_or_default()
    }

    fn add(&mut self, region: Within) -> bool {
        if self.items().contains(&region) {
            return true;
        }
        let place = self.regions.get_mut(self.count);
        let has_room = place.is_some();
        if let Some(place) = place {
            *place = region;
            self.count += 1;
        }
        has_room
    }

    /// The label of the condition that the address lies in one of the regions; 0 if it always does.
    pub fn condition(&self, recorder: &mut Recorder, address: Address) -> Label {
        if self.always {
            return 0;
        }
        let mut whole = 0;
        let mut held = false;
        for region in self.items() {
            let (inside, is_inside) = region.condition(recorder, address, self.bytes);
            if inside == 0 {
                // Always so, or never.
                if is_inside {
                    return 0;
                }
                continue;
            }
            let either = held || is_inside;
            whole = match whole {
                0 => inside,
                before => {
                    let (before, inside) = (recorder.operand(before), recorder.operand(inside));
                    recorder.binary(Op::Or, 1, before, inside, u64::from(either))
                }
            };
            held = either;
        }
        if held { whole } else { 0 }
    }
}

/// An access through an address that depends on input.
#[derive(Clone, Copy)]
pub struct Access {
    /// The address.
    pub label: Label,
    /// What it was.
    pub address: u64,
    /// How many bytes are read or written.
    pub bytes: u64,
}

/// Fills in the places of an access, in ascending order. `None` if there are too many, or not all is known.
pub fn find(
    recorder: &Recorder,
    unions: &mut Unions,
    regions: &mut Regions,
    access: Access,
    places: &mut [u64],
) -> Option<(usize, Bounds)> {
    let Access { label, address, bytes } = access;
    let ranges = Ranges::of(recorder, unions, label)?;
    let own = ranges.items().first()?.range.first;
    let mut bounds = Bounds { regions: [NOWHERE; MOST_REGIONS], count: 0, bytes, always: true, has_unknown: false };
    let mut count = 0;
    for (reach, index) in ranges.items().iter().zip(0..) {
        let range = &reach.range;
        let region = if index == 0 {
            regions.find(address)
        } else {
            // Another object, that a pointer to it was chosen for. Else the one at the same distance as in the run.
            let same_distance = address.wrapping_add(range.first.wrapping_sub(own));
            regions.find(reach.pointer).or_else(|| regions.find(same_distance))
        };
        bounds.has_unknown |= region.is_none() && reach.pointer >= NULL_PAGE;
        let extent = region.and_then(|region| region.extent);
        let inside = region.and_then(|region| {
            let last = region.base.checked_add(region.followed().checked_sub(bytes)?)?;
            let size =
                extent.map_or(Operand::concrete(0), |extent| Operand { label: extent.label, value: extent.size });
            Some((range.within(region.base, last)?, Within { first: region.base, last, size }))
        });
        // In the block that was accessed this is a decision.
        let is_cut = index > 0 && inside.is_none_or(|(inside, _)| inside != *range);
        bounds.has_unknown |= is_cut && extent.is_some_and(|extent| extent.is_open);
        let Some((inside, within)) = inside else {
            bounds.always = false;
            continue;
        };
        bounds.always &= inside == *range && extent.is_none();
        let end = usize::try_from(inside.steps).ok()?.checked_add(count)?.checked_add(1)?;
        let free = places.get_mut(count..end)?;
        for (place, step) in free.iter_mut().zip(0..) {
            *place = inside.first.wrapping_add(inside.step.wrapping_mul(step));
        }
        count = end;
        if !bounds.add(within) {
            return None;
        }
    }
    if ranges.items().len() > 1 {
        let found = places.get_mut(..count)?;
        found.sort_unstable();
        count = without_repetitions(found);
    }
    // What the nodes say of the address must be true of what it was.
    places.get(..count)?.binary_search(&address).ok()?;
    Some((count, bounds))
}

/// Moves what is there once to the front of a sorted list; how many there are.
fn without_repetitions(items: &mut [u64]) -> usize {
    let mut kept = 0;
    let mut last = None;
    for index in 0..items.len() {
        let item = items.get(index).copied();
        if item != last {
            if let (Some(place), Some(item)) = (items.get_mut(kept), item) {
                *place = item;
            }
            kept += 1;
            last = item;
        }
    }
    kept
}
