//! The places that an access can go to.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use super::range::Range;
use super::values::{MOST_RANGES, Ranges, Reach, Unions};
use crate::build::Operand;
use crate::recorder::Recorder;
use crate::regions::Regions;
use crate::system::List;

/// Places that one access is followed to.
pub const MOST_PLACES: usize = 1024;
/// Regions that one access is followed to.
pub const MOST_REGIONS: usize = 64;

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

/// A pointer that the address is computed from.
#[derive(Clone, Copy)]
struct Arm {
    pointer: u64,
    /// Where the region that it points into begins, 0 if it is none that is known.
    base: u64,
}

/// Where the places lie: in which regions, and whether the address can be elsewhere.
pub struct Bounds {
    regions: List<Within>,
    /// The distance between neighbours, where the places are those of one array.
    pub step: Option<u64>,
    /// Bytes that are accessed.
    bytes: u64,
    /// Whether the address lies in one of them whatever the input is.
    always: bool,
    /// Whether it may lie in memory that is not known, or is not known to be meant.
    pub has_unknown: bool,
    /// Whether it may leave the region that it is meant to lie in, and come to another one of these.
    strays: bool,
    /// The pointers that it is computed from, one for each of its ranges.
    arms: List<Arm>,
}

impl Bounds {
    /// None yet.
    pub fn new() -> Bounds {
        let (regions, arms) = (List::new(MOST_REGIONS), List::new(MOST_RANGES));
        Bounds { regions, step: None, bytes: 0, always: true, has_unknown: false, strays: false, arms }
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.regions.items().len()
    }

    /// Whether the address is meant to lie in one region only, as far as is known.
    pub fn is_one(&self) -> bool {
        self.count() == 1 && !self.strays
    }

    fn start(&mut self, bytes: u64) {
        self.regions.clear();
        self.arms.clear();
        (self.step, self.bytes, self.always, self.has_unknown, self.strays) = (None, bytes, true, false, false);
    }

    /// The number of the region that a pointer points into, none if there is no place in that; nothing at all if it is not known.
    pub fn owner(&self, pointer: u64) -> Option<Option<usize>> {
        let mut bases = self.arms.items().iter().filter(|arm| arm.pointer == pointer).map(|arm| arm.base);
        let base = bases.next()?;
        bases.all(|other| other == base).then(|| self.regions.items().iter().position(|region| region.first == base))
    }

    /// The condition that an address lies in the region with a number, one bit wide.
    pub fn is_in(&self, recorder: &mut Recorder, number: usize, address: Address) -> Option<Operand> {
        let (label, is_inside) = self.regions.items().get(number)?.condition(recorder, address, self.bytes);
        Some(Operand { label, value: u64::from(is_inside) })
    }

    /// Notes which of the ranges go from their own regions to others, where no bound excludes them; what they come to is added to the
    /// places, as long as there is room, if it may be what is meant. How many places there are then.
    fn note_strays(&mut self, ranges: &[Reach], places: &mut [u64], mut count: usize) -> usize {
        for (reach, arm) in ranges.iter().zip(self.arms.items()) {
            for other in self.regions.items().iter().filter(|region| region.first != arm.base) {
                let Some(there) = reach.range.within(other.first, other.last) else { continue };
                self.strays = true;
                // Right behind the end of an array another one may begin.
                let end = other.last.wrapping_add(self.bytes);
                if reach.pointer == arm.base && end == arm.base {
                    self.has_unknown = true;
                    count = add_places(&there, places, count).unwrap_or(count);
                }
            }
        }
        count
    }

    fn add(&mut self, region: Within) -> bool {
        self.regions.items().contains(&region) || self.regions.push(region)
    }

    /// The label of the condition that the address lies where it is meant to, in one of the regions; 0 if it always does. `scratch` is
    /// used up.
    pub fn condition(&mut self, recorder: &mut Recorder, address: Address, scratch: &mut [Operand]) -> Label {
        if self.always {
            return 0;
        }
        if self.strays && !self.has_unknown {
            match recorder.is_with_owner(self, address, scratch) {
                Some(inside) if inside.value == 1 => return inside.label,
                _ => self.has_unknown = true,
            }
        }
        let mut whole = 0;
        let mut held = false;
        for region in self.regions.items() {
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

/// What places are found with.
pub struct Finder<'a> {
    /// The nodes.
    pub recorder: &'a Recorder,
    /// Where addresses can be.
    pub ranges: &'a mut Ranges,
    /// What is known of tables.
    pub unions: &'a mut Unions,
    /// Memory.
    pub regions: &'a mut Regions,
}

/// Fills in the places of an access, in ascending order, and where they lie; how many they are. `None` if there are too many, or
/// not all is known.
pub fn find(finder: Finder<'_>, access: Access, places: &mut [u64], bounds: &mut Bounds) -> Option<usize> {
    let Finder { recorder, ranges, unions, regions } = finder;
    let Access { label, address, bytes } = access;
    let ranges = ranges.of(recorder, unions, label)?;
    let own = ranges.first()?.range.first;
    bounds.start(bytes);
    let mut count = 0;
    for (reach, index) in ranges.iter().zip(0..) {
        let range = &reach.range;
        let region = if index == 0 {
            regions.find(address)
        } else {
            // Another object, that a pointer to it was chosen for. Else the one at the same distance as in the run.
            let same_distance = address.wrapping_add(range.first.wrapping_sub(own));
            regions.find(reach.pointer).or_else(|| regions.find(same_distance))
        };
        bounds.has_unknown |= region.is_none() && reach.pointer >= NULL_PAGE;
        bounds.arms.push(Arm { pointer: reach.pointer, base: region.map_or(0, |region| region.base) });
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
        count = add_places(&inside, places, count)?;
        if !bounds.add(within) {
            return None;
        }
    }
    count = bounds.note_strays(ranges, places, count);
    if ranges.len() == 1 {
        bounds.step = places.get(1).filter(|_| count > 1).zip(places.first()).map(|(second, first)| second - first);
    } else {
        let found = places.get_mut(..count)?;
        found.sort_unstable();
        count = without_repetitions(found);
    }
    // What the nodes say of the address must be true of what it was.
    places.get(..count)?.binary_search(&address).ok()?;
    Some(count)
}

/// Adds a range to the places, of which there are `count`; how many there are then, `None` if they are too many.
fn add_places(range: &Range, places: &mut [u64], count: usize) -> Option<usize> {
    let end = usize::try_from(range.steps).ok()?.checked_add(count)?.checked_add(1)?;
    for (place, step) in places.get_mut(count..end)?.iter_mut().zip(0..) {
        *place = range.first.wrapping_add(range.step.wrapping_mul(step));
    }
    Some(end)
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
