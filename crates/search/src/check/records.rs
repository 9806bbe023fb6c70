//! Records in another order, and those of neighbours beside those of the run.
//!
//! What one command does to the state of a program shows in the next one: memory that was given back is used, or given back again. The
//! run's own input has its commands in the order in which they make sense, and a neighbour has a new one in place of another, with nothing behind it
//! that was made for it. So a neighbour's records are put in front of those that they took the place of, and behind them, and twice; and
//! the run's own are done once more behind later ones; and lines with other names are added (`lines.rs`). Nothing is solved for that, the inputs are just run.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use replay::{Error, Input};

use super::Cause;
use super::findings::{Findings, Hope, Trial};
use super::lines::with_lines;
use super::splice::Splice;
use crate::growth::is_text;

/// Neighbours whose records are tried.
const MOST_NEIGHBOURS: usize = 32;

/// What part of all inputs that were run these may be, and how many there may be in any case.
const SHARE: u64 = 4;
const LEAST: u64 = 16;
/// The same for those with more lines.
const LEAST_WITH_LINES: u64 = 64;

/// Texts of more lines, or larger ones, are left in their order, and larger records as they are: there would be too many others, or they
/// would take too much memory.
pub const MOST_LINES: usize = 16;
const LARGEST: usize = 1 << 16;

impl Findings<'_> {
    /// Runs the input with records of neighbours in it, those that reached most first.
    pub fn mix_records(&mut self, input: &Input) -> Result<(), Error> {
        let input = Arc::new(input.clone());
        let of_branches = self.neighbours.iter().filter(|neighbour| matches!(neighbour.cause, Cause::Branch(_)));
        let mut neighbours: Vec<_> = of_branches.collect();
        neighbours.sort_by_key(|neighbour| Reverse(neighbour.new_edges));
        let neighbours: Vec<&Input> = neighbours.into_iter().map(|neighbour| &neighbour.input).collect();
        let of_neighbours = neighbours.iter().take(MOST_NEIGHBOURS).flat_map(|neighbour| mixed(&input, neighbour));
        let most = LEAST.max(self.candidates() / SHARE);
        let mixed: Vec<Splice> = of_neighbours.chain(done_again(&input)).take(most as usize).collect();
        let most = LEAST_WITH_LINES.max(self.candidates() / SHARE);
        let with_lines = with_lines(&input, &neighbours).take(most as usize);
        self.try_all(mixed.into_iter().chain(with_lines).map(Splice::input))
    }

    /// Runs inputs of which nothing is expected.
    pub fn try_all(&mut self, inputs: impl IntoIterator<Item = Input>) -> Result<(), Error> {
        for input in inputs {
            if self.is_over() {
                break;
            }
            self.run(Trial { cause: Cause::Growth, input, hope: Hope::Tried })?;
        }
        Ok(())
    }
}

/// An input with one of its own lines once more, behind one that comes later.
fn done_again(input: &Arc<Input>) -> Vec<Splice> {
    let mut found = Vec::new();
    for (index, part) in input.parts.iter().enumerate() {
        let Some(lines) = text_lines(&part.bytes) else { continue };
        for (number, (line, _)) in lines.iter().enumerate() {
            for (_, end) in lines.iter().skip(number + 1).filter(|(later, _)| later != line) {
                found.push(Splice { of: Arc::clone(input), part: index, range: *end..*end, bytes: line.to_vec() });
            }
        }
    }
    found
}

/// The whole lines of a text that is not too large, and where each ends.
pub fn text_lines(bytes: &[u8]) -> Option<Vec<(&[u8], usize)>> {
    let mut end = 0;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        end += line.len();
        (line, end)
    });
    let lines: Vec<(&[u8], usize)> = lines.filter(|(line, _)| line.ends_with(b"\n")).collect();
    (lines.len() <= MOST_LINES && bytes.len() <= LARGEST && is_text(bytes)).then_some(lines)
}

/// An input with records of another one as well as its own, where they differ.
pub fn mixed(input: &Arc<Input>, other: &Input) -> Vec<Splice> {
    let Some((index, range)) = differing(input, other) else { return Vec::new() };
    let (Some(own), Some(others)) = (record(input, index, &range), record(other, index, &range)) else {
        return Vec::new();
    };
    let orders = [[others, own], [own, others], [others, others]];
    let mixed = orders.map(|order| {
        let (of, range) = (Arc::clone(input), range.clone());
        Splice { of, part: index, range, bytes: order.concat() }
    });
    mixed.into()
}

fn record<'a>(input: &'a Input, index: usize, range: &Range<usize>) -> Option<&'a [u8]> {
    input.parts.get(index)?.bytes.get(range.clone())
}

/// The part in which two inputs differ, if it is one and as long in both, and the records of it.
fn differing(input: &Input, other: &Input) -> Option<(usize, Range<usize>)> {
    let mut differing = input.parts.iter().zip(&other.parts).enumerate().filter(|(_, (part, other))| part != other);
    let (Some((index, (part, other))), None) = (differing.next(), differing.next()) else { return None };
    let is_alike = part.bytes.len() == other.bytes.len() && part.source == other.source;
    let range = records(&part.bytes, &other.bytes).filter(|_| is_alike)?;
    Some((index, range))
}

/// The whole records within which two texts of the same length differ; nothing if they have no more than one, or too large ones.
fn records(bytes: &[u8], other: &[u8]) -> Option<Range<usize>> {
    let differs = |(a, b): (&u8, &u8)| a != b;
    let first = bytes.iter().zip(other).position(differs)?;
    let last = bytes.iter().zip(other).rposition(differs)?;
    // Lines, or else what there is in the only one.
    let inner = |separator: u8| bytes.split_last().is_some_and(|(_, front)| front.contains(&separator));
    let separator = [b'\n', b';', b'&', b',', b' '].into_iter().find(|separator| inner(*separator))?;
    let ends = |place: &usize| bytes.get(*place) == Some(&separator);
    let start = (0..first).rev().find(ends).map_or(0, |place| place + 1);
    let end = (last..bytes.len()).find(ends)? + 1;
    ((start > 0 || end < bytes.len()) && end - start <= LARGEST).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stdin(text: &[u8]) -> Input {
        Input::stdin(text.to_vec())
    }

    fn inputs(found: Vec<Splice>) -> Vec<Input> {
        found.into_iter().map(Splice::input).collect()
    }

    fn mixed_texts(text: &[u8], other: &[u8]) -> Vec<Input> {
        inputs(mixed(&Arc::new(stdin(text)), &stdin(other)))
    }

    fn texts_done_again(text: &[u8]) -> Vec<Input> {
        inputs(done_again(&Arc::new(stdin(text))))
    }

    #[test]
    fn other_records_stand_beside_those_of_the_run() {
        let found = mixed_texts(b"put 0\nget 0\nquit\n", b"put 0\ndel 0\nquit\n");
        let wanted: [&[u8]; 3] =
            [b"put 0\ndel 0\nget 0\nquit\n", b"put 0\nget 0\ndel 0\nquit\n", b"put 0\ndel 0\ndel 0\nquit\n"];
        assert_eq!(found, wanted.map(stdin));
        // Words where there is one line.
        assert_eq!(mixed_texts(b"a;b;c;\n", b"a;x;c;\n")[0], stdin(b"a;x;b;c;\n"));
    }

    #[test]
    fn lines_are_done_again_behind_later_ones() {
        let wanted: [&[u8]; 3] = [b"a\nb\na\nc\n", b"a\nb\nc\na\n", b"a\nb\nc\nb\n"];
        assert_eq!(texts_done_again(b"a\nb\nc\n"), wanted.map(stdin));
        assert!(texts_done_again(b"a\na\nb").is_empty());
        assert!(texts_done_again(b"\x01\n\x02\n").is_empty());
    }

    #[test]
    fn what_has_no_records_stays_as_it_is() {
        assert!(mixed_texts(b"one\n", b"two\n").is_empty());
        assert!(mixed_texts(b"one\ntwo\n", b"one\ntwo\n").is_empty());
        assert!(mixed_texts(b"one\ntwo\n", b"one\n").is_empty());
        // What is last and has no end is no whole record.
        assert!(mixed_texts(b"one\ntwo", b"one\ntwx").is_empty());
    }

    #[test]
    fn large_records_stay_as_they_are() {
        let text = |first: u8, size: usize| [&[first][..], &vec![b'a'; size], b"\nlast\n"].concat();
        assert_eq!(mixed_texts(&text(b'x', 10), &text(b'y', 10)).len(), 3);
        assert!(mixed_texts(&text(b'x', LARGEST), &text(b'y', LARGEST)).is_empty());
    }
}
