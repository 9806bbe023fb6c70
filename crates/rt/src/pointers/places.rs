//! The places that an access can go to.

use trace::layout::Label;
use trace::op::Op;

use super::choice::Address;
use super::values::{Ranges, Reach, Unions};
use crate::build::Operand;
use crate::recorder::Recorder;
use crate::regions::Regions;
use crate::system::List;

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
    regions: List<Within>,
    /// The distance between neighbours, where the places are those of one array.
    pub step: Option<u64>,
    /// Bytes that are accessed.
    bytes: u64,
    /// Whether the address lies in one of them whatever the input is.
    always: bool,
    /// Whether it may lie in memory that is not known.
    pub has_unknown: bool,
}

impl Bounds {
    /// None yet.
    pub fn new() -> Bounds {
        Bounds { regions: List::new(MOST_REGIONS), step: None, bytes: 0, always: true, has_unknown: false }
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.regions.items().len()
    }

    fn start(&mut self, bytes: u64) {
        self.regions.clear();
        (self.step, self.bytes, self.always, self.has_unknown) = (None, bytes, true, false);
    }

    /// Whether an address that was to be in the region at `base` is in another one: no bound excludes it, and it is none of the places.
    fn has_beside(&self, base: u64, address: u64) -> bool {
        let mut others = self.regions.items().iter().filter(|region| region.first != base);
        others.any(|region| (region.first..=region.last).contains(&address))
    }

    fn add(&mut self, region: Within) -> bool {
        self.regions.items().contains(&region) || self.regions.push(region)
    }

    /// The label of the condition that the address lies in one of the regions; 0 if it always does.
    pub fn condition(&self, recorder: &mut Recorder, address: Address) -> Label {
        if self.always {
            return 0;
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
    let mut bases = [0; MOST_REGIONS];
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
        if let Some(base) = bases.get_mut(index) {
            *base = region.map_or(0, |region| region.base);
        }
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
    let strays = |(reach, base): (&Reach, &u64)| reach.range.steps == 0 && bounds.has_beside(*base, reach.range.first);
    bounds.has_unknown |= ranges.iter().zip(&bases).any(strays);
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
