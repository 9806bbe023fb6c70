//! What the instrumenter calls where a unit is entered and left: models of the runtime like those of library functions.
//!
//! ```text
//! call void @provoke_unit_begin(ptr PLACE)
//! call void @provoke_unit_object(ptr PLACE, i32 INDEX, ptr BASE, i64 WAY, ptr SHAPE)     for each object
//! call void @provoke_unit_enter(ptr PLACE, i32 UNIT, ptr FRAME)
//! …
//! call void @provoke_unit_exit(ptr PLACE)                                                 before each return
//! ```
//!
//! `PLACE` is 8 bytes of the unit's frame, by which the runtime knows that it is still running, however it is left.

/// `(place)`. The inputs of a unit follow.
pub const BEGIN: &str = "provoke_unit_begin";
/// `(place, index, base, way, shape)`. An object that the unit gets. `base` is a variable of the unit, or null for something in
/// an object that was told of before; [`Way`] says how to get from there to the object, and a [`Shape`] what is in it.
pub const OBJECT: &str = "provoke_unit_object";
/// `(place, unit, frame)`. The unit with this index in the site table begins; `frame` lies above all its variables.
pub const ENTER: &str = "provoke_unit_enter";
/// `(place)`. It ends. With null for the place all units end that are running: the program is about to jump to an outer frame.
pub const EXIT: &str = "provoke_unit_exit";
/// `()`. Pointers are compared of which at least one may have been given to a unit.
pub const COMPARES: &str = "provoke_unit_compares";
/// `(pointer, bytes) -> i32`. Whether so many bytes can be read through a pointer, as far as memory is known.
pub const REACHES: &str = "provoke_unit_reaches";

/// `(string) -> i64`. The length of a string that can be read, or how much memory there is where it does not end; as a term, without
/// any decision of the program's.
pub const LENGTH: &str = "provoke_unit_length";

/// How many objects a unit can have.
pub const MOST_OBJECTS: usize = 32;

/// How to get to an object, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The index of the object to start from, if it is not the base.
    pub holder: Option<u8>,
    /// Bytes from the start.
    pub offset: u32,
    /// Whether the object is what the pointer there points to.
    pub follows: bool,
}

impl Way {
    /// As a word.
    pub const fn encode(self) -> u64 {
        let holder = match self.holder {
            Some(holder) => holder as u64 + 1,
            None => 0,
        };
        (self.follows as u64) << 63 | holder << 32 | self.offset as u64
    }

    /// The inverse.
    pub const fn decode(word: u64) -> Way {
        let holder = match (word >> 32) as u16 {
            0 => None,
            holder => Some((holder - 1) as u8),
        };
        Way { holder, offset: word as u32, follows: word >> 63 != 0 }
    }
}

/// What is in an object.
#[repr(C)]
pub struct Shape {
    /// Bytes from one element to the next.
    pub element: u64,
    /// How many elements are looked at; where there are fewer, only those.
    pub most: u64,
    /// 1 if it is a string where it ends with a zero byte.
    pub is_string: u64,
    /// How many integers there are in an element.
    pub count: u64,
    // Then for each of them its offset and its size in bytes, a u64 each.
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_words() {
        for holder in [None, Some(0), Some(31), Some(255)] {
            for follows in [false, true] {
                let way = Way { holder, offset: 0xfffe_0001, follows };
                assert_eq!(Way::decode(way.encode()), way);
            }
        }
    }
}
