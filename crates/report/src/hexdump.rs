//! The bytes of an input around those that matter.

use std::collections::BTreeSet;

use crate::model::{Change, Part};

/// Bytes in a row.
pub(crate) const WIDTH: usize = 16;

/// Rows that are shown around one with bytes that matter.
const AROUND: usize = 1;

/// Rows that are shown in all: about what people scroll through.
const MOST: usize = 64;

/// Rows that are shown of a part in which no byte matters more than the others.
const BEGINNING: usize = 8;

/// A piece of a hexdump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// Up to [`WIDTH`] bytes, each with whether it matters.
    Row {
        /// Of the first byte.
        offset: usize,
        /// Never empty.
        cells: Vec<(u8, bool)>,
    },
    /// So many bytes are not shown.
    Gap(u64),
}

/// The rows of a part, given all changes of the input.
pub(crate) fn dump(part: &Part, changes: &[Change]) -> Vec<Piece> {
    let bytes = &part.contents.0;
    let mine = changes.iter().filter(|change| change.part == part.name && change.to.is_some());
    let matter: BTreeSet<usize> = mine.filter_map(|change| usize::try_from(change.offset).ok()).collect();
    let rows = bytes.len().div_ceil(WIDTH);
    let near = |row: usize| row.saturating_sub(AROUND)..=row.saturating_add(AROUND);
    let shown: BTreeSet<usize> = if matter.is_empty() {
        (0..rows.min(BEGINNING)).collect()
    } else {
        matter.iter().flat_map(|offset| near(offset / WIDTH)).filter(|row| *row < rows).take(MOST * 3).collect()
    };
    let mut pieces = Vec::new();
    let mut next = 0;
    for row in shown.into_iter().take(MOST) {
        let offset = row * WIDTH;
        if offset > next {
            pieces.push(Piece::Gap((offset - next) as u64));
        }
        let cells = bytes.iter().enumerate().skip(offset).take(WIDTH);
        let cells: Vec<(u8, bool)> = cells.map(|(index, byte)| (*byte, matter.contains(&index))).collect();
        next = offset + cells.len();
        pieces.push(Piece::Row { offset, cells });
    }
    if part.length > next as u64 {
        pieces.push(Piece::Gap(part.length - next as u64));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::PartKind;

    fn change(offset: u64) -> Change {
        Change { part: "stdin".into(), offset, from: Some(0), to: Some(1) }
    }

    fn shape(length: usize, offsets: &[u64]) -> Vec<String> {
        let part = Part::new("stdin", PartKind::Stdin, &vec![0; length]);
        let changes: Vec<Change> = offsets.iter().copied().map(change).collect();
        let describe = |piece: &Piece| match piece {
            Piece::Gap(bytes) => format!("gap {bytes}"),
            Piece::Row { offset, cells } => {
                let marked: Vec<usize> = (0..cells.len()).filter(|index| cells[*index].1).collect();
                format!("{offset}+{} {marked:?}", cells.len())
            }
        };
        dump(&part, &changes).iter().map(describe).collect()
    }

    #[test]
    fn rows_that_matter_are_shown_with_their_neighbours() {
        assert_eq!(shape(100, &[50]), ["gap 32", "32+16 []", "48+16 [2]", "64+16 []", "gap 20"]);
        assert_eq!(shape(20, &[19]), ["0+16 []", "16+4 [3]"]);
        assert_eq!(shape(20, &[]), ["0+16 []", "16+4 []"]);
        assert!(shape(0, &[3]).is_empty());
    }

    #[test]
    fn what_is_not_kept_is_a_gap() {
        let length = crate::model::input::KEPT + 100;
        assert_eq!(shape(length, &[length as u64 - 1]), [format!("gap {length}")]);
    }

    proptest! {
        #[test]
        fn all_bytes_are_accounted_for(length in 0..4000usize, offsets in prop::collection::vec(0..5000u64, 0..300)) {
            let part = Part::new("stdin", PartKind::Stdin, &vec![7; length]);
            let changes: Vec<Change> = offsets.into_iter().map(change).collect();
            let pieces = dump(&part, &changes);
            let count = |piece: &Piece| match piece {
                Piece::Gap(bytes) => *bytes,
                Piece::Row { cells, .. } => cells.len() as u64,
            };
            prop_assert_eq!(pieces.iter().map(count).sum::<u64>(), length as u64);
            prop_assert!(pieces.len() <= 2 * MOST + 1);
        }
    }
}
