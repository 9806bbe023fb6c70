//! Numbers in binary input that say how much follows.
//!
//! Where there is more of something, the program finds it only if the lengths in front of it say so: that of the record in which it is, and
//! those of all records in which that one lies. What is a length shows in no branch; but a number of bytes, right in front of them or
//! such that they end within it, is a good guess, and the input is just run.

use std::ops::Range;

/// How far in front of what it is about a length is looked for, and how many bytes may lie between the nearest and that, a name for
/// example; so many may come behind what it is about, too, as a checksum does.
const FARTHEST: usize = 64;
const BETWEEN: usize = 8;

/// How many lengths something lies within at most.
const MOST: usize = 4;

/// Where a length is, and how it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    start: usize,
    width: usize,
    is_big_endian: bool,
}

/// The ways in which numbers are written: the widest ones first, because the others are parts of them.
const FORMS: [(usize, bool); 5] = [(4, true), (4, false), (2, true), (2, false), (1, true)];

impl Field {
    fn end(self) -> usize {
        self.start + self.width
    }

    /// What it says.
    fn read(self, bytes: &[u8]) -> Option<usize> {
        let bytes = bytes.get(self.start..self.end())?;
        let append = |number: usize, byte: &u8| number << 8 | usize::from(*byte);
        Some(if self.is_big_endian { bytes.iter().fold(0, append) } else { bytes.iter().rev().fold(0, append) })
    }

    /// Where what it is about ends.
    pub fn reaches(self, bytes: &[u8]) -> Option<usize> {
        self.end().checked_add(self.read(bytes)?)
    }

    /// Makes it say more; nothing if there is no room for that.
    pub fn raise(self, bytes: &mut [u8], by: usize) -> Option<()> {
        let number = self.read(bytes)?.checked_add(by)?;
        let written = (number as u64).to_le_bytes();
        let (low, high) = written.split_at_checked(self.width)?;
        if high.iter().any(|byte| *byte != 0) {
            return None;
        }
        let place = bytes.get_mut(self.start..self.end())?;
        place.copy_from_slice(low);
        if self.is_big_endian {
            place.reverse();
        }
        Some(())
    }
}

/// Lengths that change with a run of bytes: the nearest alone, then all that it may lie within, with something between each two
/// of them (what kind of record it is) or not.
pub fn around(bytes: &[u8], run: &Range<usize>) -> Vec<Vec<Field>> {
    let is_near = |field: &Field, says: usize| run.start - field.end() <= BETWEEN && says <= run.len() + BETWEEN;
    let nearest = fields(bytes, run).find(|(field, says)| is_near(field, *says)).map(|(field, _)| field);
    let mut found = vec![Vec::from_iter(nearest), enclosing(bytes, run, 1), enclosing(bytes, run, 0)];
    found.retain(|fields| !fields.is_empty());
    found.dedup();
    found
}

/// Numbers in front of a run of bytes, with what they say: the last ones first.
fn fields(bytes: &[u8], run: &Range<usize>) -> impl Iterator<Item = (Field, usize)> {
    let ends = (run.start.saturating_sub(FARTHEST)..=run.start).rev();
    let fields = ends.flat_map(|end| {
        FORMS.into_iter().filter_map(move |(width, is_big_endian)| {
            Some(Field { start: end.checked_sub(width)?, width, is_big_endian })
        })
    });
    fields.filter_map(|field| Some((field, field.read(bytes).filter(|says| *says > 0)?)))
}

/// Lengths of what a run of bytes may lie within, so far apart from each other.
fn enclosing(bytes: &[u8], run: &Range<usize>, apart: usize) -> Vec<Field> {
    let mut found: Vec<Field> = Vec::new();
    for (field, _) in fields(bytes, run) {
        let reaches = field.reaches(bytes).unwrap_or_default();
        let is_apart = found.last().is_none_or(|inner| field.end() + apart <= inner.start);
        if run.end <= reaches && reaches <= bytes.len() && is_apart && found.len() < MOST {
            found.push(field);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raised(bytes: &[u8], fields: &[Field], by: usize) -> Option<Vec<u8>> {
        let mut bytes = bytes.to_vec();
        fields.iter().try_for_each(|field| field.raise(&mut bytes, by))?;
        Some(bytes)
    }

    #[test]
    fn lengths_of_records_in_records() {
        let bytes = b"\x30\x07\x04\x03abc\x05\x00";
        let found = around(bytes, &(4..7));
        let all: Vec<_> = found.iter().filter_map(|fields| raised(bytes, fields, 16)).collect();
        assert_eq!(all[0], b"\x30\x07\x04\x13abc\x05\x00");
        assert_eq!(all[1], b"\x30\x17\x04\x13abc\x05\x00");
    }

    #[test]
    fn a_name_and_a_checksum_may_come_between() {
        let bytes = b"\x89\0\0\0\x06PLTEabcdef\xf3\xf1\xf2\xf4";
        let found = around(bytes, &(9..19));
        assert_eq!(raised(bytes, &found[0], 250).unwrap()[1..5], [0, 0, 1, 0]);
    }

    #[test]
    fn little_ends_come_first_where_they_do() {
        let bytes = b"\x02\x00ab";
        let found = around(bytes, &(2..4));
        assert_eq!(raised(bytes, &found[0], 300).unwrap()[..2], [0x2e, 1]);
        assert_eq!(raised(b"\x02ab", &around(b"\x02ab", &(1..3))[0], 300), None);
    }

    #[test]
    fn most_bytes_are_no_lengths() {
        assert!(around(b"\xff\xff\xff\xffab", &(4..6)).is_empty());
        assert!(around(b"ab", &(0..2)).is_empty());
    }
}
