//! Units: functions whose inputs are looked at where they are entered. `trace::unit` says what each of these means.

use core::ffi::{c_char, c_int, c_void};

use trace::layout::{Given, LENGTH_BYTES, PARTS_CAPACITY, Part, PartKind, Reason, STRING_ROOM};
use trace::unit::{MOST_OBJECTS, Shape, Way};

use super::term::Term;
use crate::arguments::{Arguments, give};
use crate::runtime::{Runtime, with};
use crate::thread;

/// Parts that are left for others.
const OTHER_PARTS: u32 = 256;
/// Longer strings are bytes.
const LONGEST_STRING: u64 = 256;

/// What of an object without names becomes input, in bytes: enough to know that something depends on it.
const LARGEST_OBJECT: u64 = 4096;

/// The objects of the unit that is entered next.
pub struct Units {
    /// The only thread whose units are followed: two threads would tell of their objects at the same time.
    thread: u64,
    entry: u32,
    /// Where each object is, and how many bytes of it became input.
    objects: [(u64, u64); MOST_OBJECTS],
}

impl Units {
    /// None yet. Those of the thread that this is called in will be followed.
    pub fn new() -> Units {
        Units { thread: thread::identity(), entry: 0, objects: [(0, 0); MOST_OBJECTS] }
    }

    /// Whether the units of the calling thread are followed.
    fn is_here(&self) -> bool {
        self.thread == thread::identity()
    }
}

impl Default for Units {
    fn default() -> Units {
        Units::new()
    }
}

/// Names a part `unit.NUMBER.NUMBER`.
fn name_part(part: &mut Part, numbers: [u32; 2]) {
    let mut length = 0;
    let mut push = |byte: u8| {
        if let Some(place) = part.name.get_mut(length) {
            *place = byte;
            length += 1;
        }
    };
    b"unit".iter().for_each(|byte| push(*byte));
    for number in numbers {
        push(b'.');
        let mut divisor = 1;
        while number / divisor >= 10 {
            divisor *= 10;
        }
        while divisor > 0 {
            push(b'0' + (number / divisor % 10) as u8);
            divisor /= 10;
        }
    }
    part.name_len = length as u32;
}

impl Runtime {
    /// How many bytes can be read from an address on, as far as memory is known.
    fn known_room(&mut self, address: u64) -> u64 {
        match self.regions.find(address) {
            Some(area) => area.extent.map_or(area.room, |extent| extent.size).saturating_sub(address - area.base),
            None => 0,
        }
    }

    /// Where an object is; nothing if what it is in is not there. 0 where the pointer to it is null.
    ///
    /// # Safety
    /// `base` is a variable of the unit, or null.
    unsafe fn locate(&mut self, base: u64, way: Way) -> Option<u64> {
        let start = match way.holder {
            Some(holder) => self.units.objects.get(usize::from(holder))?.0,
            None => base,
        };
        if start == 0 {
            return None;
        }
        let slot = start + u64::from(way.offset);
        match way.follows {
            false => Some(slot),
            true if way.holder.is_some() && self.known_room(slot) < size_of::<u64>() as u64 => None,
            // SAFETY: a variable of the unit, or memory that is known.
            true => Some(unsafe { (slot as *const u64).read_unaligned() }),
        }
    }

    /// Looks at an object, and makes input of it.
    ///
    /// # Safety
    /// `shape` is that of [`trace::unit::OBJECT`], and `address` where the object should be.
    unsafe fn unit_object(&mut self, index: u32, address: u64, follows: bool, shape: *const Shape) -> Given {
        if address == 0 {
            return Given::Null;
        }
        // SAFETY: by contract.
        let (element, most, is_string) = unsafe { ((*shape).element, (*shape).most, (*shape).is_string != 0) };
        // The unit's own variables need not be in any region.
        let room = if follows { self.known_room(address) } else { element.saturating_mul(most) };
        let there = room / element.max(1);
        // What has no name is input too: what depends on it is then known to.
        let elements = if follows { there.min(most.max(LARGEST_OBJECT / element.max(1))) } else { there.min(most) };
        if self.recorder.part_count() + OTHER_PARTS > PARTS_CAPACITY {
            return Given::NoRoom;
        }
        if elements == 0 {
            return Given::Unknown;
        }
        let bytes = elements * element;
        if self.units.objects.iter().any(|(other, len)| address < other + len && *other < address + bytes) {
            return Given::Shared;
        }
        if let Some(object) = self.units.objects.get_mut(index as usize) {
            *object = (address, bytes);
        }
        match self.string_length(address, room).filter(|_| is_string) {
            Some(length) => {
                self.label_unit_string(index, address, length);
                Given::Input
            }
            None => {
                // SAFETY: by contract, and so many bytes are there.
                unsafe { self.label_integers(index, address, elements, shape) };
                if elements < there { Given::Beginning } else { Given::Input }
            }
        }
    }

    /// # Safety
    /// So many elements of the shape are at the address.
    unsafe fn label_integers(&mut self, index: u32, address: u64, elements: u64, shape: *const Shape) -> Option<()> {
        // SAFETY: by contract.
        let (element, count) = unsafe { ((*shape).element, (*shape).count) };
        if count == 0 {
            return None;
        }
        let part = self.unit_part(PartKind::Buffer, index, address, elements * element)?;
        // SAFETY: by contract.
        let only = unsafe { *shape.add(1).cast::<[u64; 2]>() };
        if count == 1 && only == [0, element] {
            // SAFETY: by contract.
            let values = unsafe { core::slice::from_raw_parts(address as *const u8, (elements * element) as usize) };
            self.label_run(address, values.len() as u64, part, 0, values);
            return Some(());
        }
        for number in 0..elements {
            for integer in 0..count as usize {
                // SAFETY: the pairs stand behind the shape, and what they describe is at the address.
                let (offset, values) = unsafe {
                    let pair = shape.add(1).cast::<u64>().add(2 * integer);
                    let offset = number * element + *pair;
                    (offset, core::slice::from_raw_parts((address + offset) as *const u8, *pair.add(1) as usize))
                };
                self.label_run(address + offset, values.len() as u64, part, offset, values);
            }
        }
        Some(())
    }

    /// The length of the string at an address, if it ends within so much room and is not too long.
    fn string_length(&self, address: u64, room: u64) -> Option<u64> {
        if address == 0 {
            return None;
        }
        // SAFETY: so many bytes are known to be there.
        let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, room.min(LONGEST_STRING) as usize) };
        bytes.iter().position(|byte| *byte == 0).map(|length| length as u64)
    }

    /// The length of a string, for every value of its bytes; as many bytes as can be read if none of them is 0.
    ///
    /// # Safety
    /// The memory that is known there can be read.
    unsafe fn length_of_string(&mut self, address: u64) -> Term {
        let room = self.known_room(address).min(LONGEST_STRING);
        if let Some(length) = self.string_length(address, room)
            && let Some(end) = self.end_at(address + length)
        {
            return self.length_to(end, length);
        }
        let mut length = Term::concrete(64, room);
        for index in (0..room).rev() {
            // SAFETY: by contract.
            let byte = unsafe { self.recorder.byte_at(address + index) };
            let is_end = self.recorder.equal(byte, Term::concrete(8, 0));
            length = self.recorder.choice(is_end, Term::concrete(64, index), length);
        }
        length
    }

    fn label_unit_string(&mut self, index: u32, address: u64, length: u64) -> Option<()> {
        let part = self.unit_part(PartKind::String, index, address, length + STRING_ROOM)?;
        let about = self.recorder.add_part(|new| {
            new.kind = PartKind::Length as u32;
            new.inode = u64::from(part);
            new.len = LENGTH_BYTES;
        })?;
        self.inputs.add_buffer(LENGTH_BYTES);
        self.add_length(about, part);
        // SAFETY: the string is there.
        let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, length as usize) };
        self.label_string(part, address, bytes);
        Some(())
    }

    fn unit_part(&mut self, kind: PartKind, index: u32, address: u64, len: u64) -> Option<u32> {
        let entry = self.units.entry;
        let part = self.recorder.add_part(|part| {
            part.kind = kind as u32;
            name_part(part, [entry, index]);
            part.device = u64::from(index) << 32 | u64::from(entry);
            part.inode = address;
            part.len = len;
        })?;
        self.inputs.add_buffer(len);
        self.inputs.mark_used(part);
        Some(part)
    }
}

/// `trace::unit::BEGIN`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_begin(_place: *mut u64) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_unit_begin));
    with((), |runtime| match runtime.units.is_here() {
        true => runtime.units = Units { entry: runtime.recorder.next_unit(), ..Units::new() },
        false => runtime.loss(arguments.site, Reason::Unit, 1),
    });
}

/// `trace::unit::OBJECT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_object(
    _place: *mut u64,
    index: u32,
    base: *const c_void,
    way: u64,
    shape: *const Shape,
) {
    Arguments::take(address_of!(__provoke_x_provoke_unit_object));
    let way = Way::decode(way);
    with((), |runtime| {
        if runtime.units.is_here()
            && let Some(address) = runtime.locate(base as u64, way)
        {
            let given = runtime.unit_object(index, address, way.follows, shape);
            runtime.recorder.unit_object(index, given, address);
        }
    });
}

/// `trace::unit::ENTER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_enter(place: *mut u64, unit: u32, frame: *const c_void) {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_unit_enter));
    with((), |runtime| {
        if !runtime.units.is_here() {
            return;
        }
        if !runtime.recorder.enter_unit(place, unit, frame as u64) {
            runtime.loss(arguments.site, Reason::Unit, 1);
        }
        runtime.regions.heap.enter(runtime.units.entry);
    });
}

/// `trace::unit::EXIT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_exit(place: *mut u64) {
    Arguments::take(address_of!(__provoke_x_provoke_unit_exit));
    with((), |runtime| match place.is_null() {
        _ if !runtime.units.is_here() => {}
        true => runtime.recorder.leave_units(),
        false => runtime.recorder.leave_loop(place),
    });
}

/// `trace::unit::COMPARES`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_compares() {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_unit_compares));
    with((), |runtime| {
        if runtime.units.is_here() && runtime.recorder.is_in_unit() {
            runtime.loss(arguments.site, Reason::Identity, 0);
        }
    });
}

/// `trace::unit::REACHES`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_reaches(pointer: *const c_void, bytes: u64) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_unit_reaches));
    arguments.pin(&[(0, pointer as u64, Reason::ModelArgument)]);
    with(0, |runtime| c_int::from(!pointer.is_null() && runtime.known_room(pointer as u64) >= bytes))
}

/// `trace::unit::LENGTH`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_provoke_unit_length(string: *const c_char) -> u64 {
    let arguments = Arguments::take(address_of!(__provoke_x_provoke_unit_length));
    arguments.pin(&[(0, string as u64, Reason::ModelArgument)]);
    let length = with(Term::concrete(64, 0), |runtime| runtime.length_of_string(string as u64));
    give(address_of!(__provoke_x_provoke_unit_length), length.label);
    length.value
}
