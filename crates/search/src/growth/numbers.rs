//! Decimal numbers with more digits than they have.
//!
//! With zeros in front they stay the same numbers, and other digits make them too large. Several may have to be large at once, as the
//! sides of a picture; but not every digit is a number. One in the name of a format, or in the word of a command, turns the whole
//! input away where it gets zeros. So which of them bear zeros is found out by running the program, and those that do get them together.
//! The same is done with a sign in front: no digit of a number that has one becomes a sign, and the least number is a negative one.

use std::ops::Range;

use path::Path;
use replay::Input;
use rustc_hash::FxHashSet;
use trace::reader::InputPart;

use super::{Run, is_text, marked};

/// So many digits no `int` holds all numbers of.
const DIGITS: usize = 10;
/// How many numbers are given more digits at once, and one after the other.
const MOST: usize = 32;
const MOST_KINDS: usize = 4;
/// How many in another input: there are many of those.
const MOST_IN_OTHERS: usize = 8;

/// The decimal numbers of an input, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    all: Vec<Run>,
    /// One of each kind that the program treats alike, if there are several numbers.
    kinds: Vec<Run>,
}

/// Says of an input whether the program still comes to all that it comes to without what was changed in it.
type Bears<'a> = dyn FnMut(&Input) -> bool + 'a;

impl Numbers {
    /// Those that the program looks at.
    pub fn of(path: &Path, parts: &[InputPart], input: &Input) -> Numbers {
        let (mut all, mut kinds) = (Vec::new(), Vec::new());
        let mut known = FxHashSet::default();
        for (index, marks) in marked(path, parts, input) {
            let Some(bytes) = input.parts.get(index).map(|part| &part.bytes).filter(|bytes| is_text(bytes)) else {
                continue;
            };
            for run in numbers(bytes) {
                let mark = run.end.checked_sub(1).and_then(|last| marks.get(last)).copied().unwrap_or_default();
                // What nobody looks at is no number.
                if mark == 0 {
                    continue;
                }
                if known.insert((index, mark)) {
                    kinds.push((index, run.clone()));
                }
                all.push((index, run));
            }
        }
        all.truncate(MOST);
        kinds.truncate(if all.len() > 1 { MOST_KINDS } else { 0 });
        Numbers { all, kinds }
    }

    /// Inputs in which they have more digits and are the same numbers: first all of them that bear it, then one of each kind; then those
    /// in which they are negative.
    pub fn longer(&self, input: &Input, bears: &mut Bears) -> Vec<Input> {
        let bearing = bearing(input, &self.all, Front::Zeros, bears);
        // It may be that the program does something else with what is longer, and that is worth a look, too.
        let all = if bearing.len() < 2 { &self.all } else { &bearing };
        let longer = std::iter::once(&all[..]).chain(self.kinds.iter().map(std::slice::from_ref));
        let longer: Vec<Input> = longer.filter_map(|numbers| with(input, numbers, Front::Zeros)).collect();
        longer.into_iter().chain(self.negative(input, bears)).collect()
    }

    /// The same for the numbers of another input, in the parts that have some here, with negative ones if it bears them.
    pub fn longer_in(&self, input: &Input, bears: &mut Bears) -> Vec<Input> {
        let mut parts: Vec<usize> = self.all.iter().map(|(part, _)| *part).collect();
        parts.dedup();
        let all = parts.into_iter().flat_map(|index| {
            let bytes = input.parts.get(index).map_or(&[][..], |part| &part.bytes);
            numbers(bytes).map(move |number| (index, number))
        });
        let all: Vec<Run> = all.take(MOST_IN_OTHERS).collect();
        let these = Numbers { all, kinds: Vec::new() };
        let negative = these.negative(input, bears);
        if !negative.is_empty() {
            return negative;
        }
        with(input, &bearing(input, &these.all, Front::Zeros, bears), Front::Zeros).into_iter().collect()
    }

    /// Inputs in which they are negative: all that bear it, and all but the first of them, so that results may be negative, too.
    fn negative(&self, input: &Input, bears: &mut Bears) -> Vec<Input> {
        let bearing = bearing(input, &self.all, Front::Minus, bears);
        let others = bearing.get(1..).filter(|others| others.len() > 1).unwrap_or_default();
        [&bearing[..], others].into_iter().filter_map(|numbers| with(input, numbers, Front::Minus)).collect()
    }
}

/// What numbers get in front of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Front {
    Zeros,
    /// A sign, and zeros.
    Minus,
}

/// The numbers that can have this in front without the program turning the input away.
fn bearing(input: &Input, all: &[Run], front: Front, bears: &mut Bears) -> Vec<Run> {
    let mut bears = |numbers: &[Run]| with(input, numbers, front).is_some_and(|changed| bears(&changed));
    if bears(all) {
        return all.to_vec();
    }
    let alone = |number: &&Run| all.len() > 1 && bears(std::slice::from_ref(*number));
    all.iter().filter(alone).cloned().collect()
}

/// Where decimal numbers are.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    let runs = bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).map(move |run| {
        end += run.len();
        (end - run.len()..end, run.first().is_some_and(u8::is_ascii_digit))
    });
    runs.filter(|(_, is_number)| *is_number).map(|(run, _)| run)
}

/// The input with something in front of numbers, which are given in their order; nothing if that changes none of them.
fn with(input: &Input, numbers: &[Run], front: Front) -> Option<Input> {
    let mut changed = input.clone();
    // From the last to the first, so that the places of the others stay what they are.
    for (part, number) in numbers.iter().rev() {
        let more = DIGITS.saturating_sub(number.len());
        let bytes = &mut changed.parts.get_mut(*part)?.bytes;
        bytes.get(number.clone())?;
        let before = number.start.checked_sub(1).and_then(|place| bytes.get(place));
        let has_sign = before.is_some_and(|before| matches!(before, b'-' | b'+' | b'.'));
        let sign = (front == Front::Minus && !has_sign).then_some(b'-');
        bytes.splice(number.start..number.start, sign.into_iter().chain(std::iter::repeat_n(b'0', more)));
    }
    (changed != *input).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_what_they_are() {
        let found = |text: &[u8]| numbers(text).collect::<Vec<_>>();
        assert_eq!(found(b"a 12,3;"), [2..4, 5..6]);
        assert_eq!(found(b"7,8"), [0..1, 2..3]);
        assert!(found(b"").is_empty());
        let input = Input::stdin(*b"n=42;7");
        let with_zeros = |numbers: &[Run]| with(&input, numbers, Front::Zeros);
        assert_eq!(with_zeros(&[(0, 2..4), (0, 5..6)]), Some(Input::stdin(*b"n=0000000042;0000000007")));
        assert_eq!(with_zeros(&[(0, 5..7)]), None);
        assert_eq!(with_zeros(&[]), None);
        assert_eq!(with(&Input::stdin(*b"1234567890"), &[(0, 0..10)], Front::Zeros), None);
    }

    #[test]
    fn numbers_become_negative_once() {
        let input = Input::stdin(*b"4 -2 7");
        let numbers = Numbers { all: vec![(0, 0..1), (0, 3..4), (0, 5..6)], kinds: Vec::new() };
        let found = numbers.longer_in(&input, &mut |_| true);
        let wanted: [&[u8]; 2] = [b"-0000000004 -0000000002 -0000000007", b"4 -0000000002 -0000000007"];
        assert_eq!(found, wanted.map(|text| Input::stdin(text.to_vec())));
        // One that is none any more in the other input, and one that must have no sign.
        let found =
            numbers.longer_in(&Input::stdin(*b"x -2 7"), &mut |input| !input.parts[0].bytes.ends_with(b"-0000000007"));
        assert_eq!(found, [Input::stdin(*b"x -0000000002 7")]);
    }

    #[test]
    fn what_is_no_number_gets_no_zeros() {
        let input = Input::stdin(*b"P2 3 4");
        let all = [(0, 1..2), (0, 3..4), (0, 5..6)];
        let mut names_itself = |input: &Input| input.parts[0].bytes.starts_with(b"P2");
        assert_eq!(bearing(&input, &all, Front::Zeros, &mut names_itself), all[1..]);
        // Where all is well at once, and where nothing is.
        assert_eq!(bearing(&input, &all, Front::Zeros, &mut |_| true), all);
        assert!(bearing(&input, &all, Front::Zeros, &mut |_| false).is_empty());
    }
}
