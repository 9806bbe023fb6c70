//! Decimal numbers with more digits than they have.
//!
//! With zeros in front they stay the same numbers, and other digits make them too large. Several may have to be large at once, as the
//! sides of a picture; but not every digit is a number. One in the name of a format, or in the word of a command, turns the whole
//! input away where it gets zeros. So which of them bear zeros is found out by running the program, and those that do get them together.

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

/// Inputs in which numbers have more digits and are the same numbers: first all of them that bear it, then one of each kind that the
/// program treats alike. `bears` says whether an input still comes to all that the run's own comes to.
pub fn longer_numbers(
    path: &Path,
    parts: &[InputPart],
    input: &Input,
    bears: &mut dyn FnMut(&Input) -> bool,
) -> Vec<Input> {
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
    let bearing = bearing(input, &all, bears);
    let of_each = kinds.iter().map(std::slice::from_ref);
    std::iter::once(&bearing[..]).chain(of_each).filter_map(|numbers| with_zeros(input, numbers)).collect()
}

/// The numbers that can have zeros in front without the program turning the input away. If there are no two of them, all: it may be that
/// the program does something else with what is longer, and that is worth a look, too.
fn bearing(input: &Input, all: &[Run], bears: &mut dyn FnMut(&Input) -> bool) -> Vec<Run> {
    if all.len() < 3 || with_zeros(input, all).is_none_or(|longer| bears(&longer)) {
        return all.to_vec();
    }
    let alone = |number: &&Run| with_zeros(input, std::slice::from_ref(*number)).is_none_or(|longer| bears(&longer));
    let bearing: Vec<Run> = all.iter().filter(alone).cloned().collect();
    if bearing.len() < 2 { all.to_vec() } else { bearing }
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

/// The input with zeros in front of numbers, which are given in their order; nothing if all have enough digits.
fn with_zeros(input: &Input, numbers: &[Run]) -> Option<Input> {
    let mut longer = input.clone();
    // From the last to the first, so that the places of the others stay what they are.
    for (part, number) in numbers.iter().rev() {
        let more = DIGITS.saturating_sub(number.len());
        let bytes = &mut longer.parts.get_mut(*part)?.bytes;
        bytes.get(number.clone())?;
        bytes.splice(number.start..number.start, std::iter::repeat_n(b'0', more));
    }
    (longer != *input).then_some(longer)
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
        assert_eq!(with_zeros(&input, &[(0, 2..4), (0, 5..6)]), Some(Input::stdin(*b"n=0000000042;0000000007")));
        assert_eq!(with_zeros(&input, &[(0, 5..7)]), None);
        assert_eq!(with_zeros(&input, &[]), None);
        assert_eq!(with_zeros(&Input::stdin(*b"1234567890"), &[(0, 0..10)]), None);
    }

    #[test]
    fn what_is_no_number_gets_no_zeros() {
        let input = Input::stdin(*b"P2 3 4");
        let all = [(0, 1..2), (0, 3..4), (0, 5..6)];
        let mut names_itself = |input: &Input| input.parts[0].bytes.starts_with(b"P2");
        assert_eq!(bearing(&input, &all, &mut names_itself), all[1..]);
        // Where all is well at once, and where nothing is.
        assert_eq!(bearing(&input, &all, &mut |_| true), all);
        assert_eq!(bearing(&input, &all, &mut |_| false), all);
    }
}
