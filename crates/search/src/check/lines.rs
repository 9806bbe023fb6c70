//! More commands behind those of the run.
//!
//! What is wrong with a command often shows only in the next one, and in the run's own text no two commands stand so: the one that gives
//! something back is about another thing than the one that uses it. So lines are added to the text, one, then two: its own, those of neighbours, and both with
//! words of other lines in them, since these are the names of things. Nothing is solved for that, the inputs are just run.

use std::ops::Range;
use std::sync::Arc;

use replay::Input;
use rustc_hash::FxHashSet;

use super::records::{MOST_LINES, text_lines};
use super::splice::Splice;
use crate::growth::{is_text, next_word, words};

/// Lines of each kind.
const MOST_OWN: usize = 8;
const MOST_OTHERS: usize = 8;
const MOST_EXCHANGED: usize = 8;
/// Of those with other names, so many are also added alone.
const MOST_ALONE: usize = 8;
/// A line with more words is left as it is.
const MOST_WORDS: usize = 8;
/// A longer line of a neighbour is not put in.
const LONGEST_LINE: usize = 1 << 10;

/// The input with a line with another name behind its own, and with two more lines in it, behind its own and in front of its last one, which may
/// be the one that ends the program. The neighbours come in the order of what they promise.
pub fn with_lines(input: &Arc<Input>, neighbours: &[&Input]) -> impl Iterator<Item = Splice> + use<> {
    let text = input.parts.iter().enumerate().find_map(|(index, part)| {
        let lines = text_lines(&part.bytes).filter(|lines| !lines.is_empty())?;
        Some((index, lines))
    });
    let (index, lines) = text.unwrap_or_default();
    let ends = match &lines[..] {
        [.., (_, before), (_, end)] => vec![*end, *before],
        [(_, end)] => vec![*end],
        [] => Vec::new(),
    };
    let own = distinct(lines.iter().map(|(line, _)| line.to_vec()), MOST_OWN);
    let parts = neighbours.iter().filter_map(|neighbour| neighbour.parts.get(index));
    let of_neighbours = parts.flat_map(|part| {
        let lines = part.bytes.split_inclusive(|byte| *byte == b'\n').take(MOST_LINES);
        let whole =
            lines.filter(|line| (2..=LONGEST_LINE).contains(&line.len()) && line.ends_with(b"\n") && is_text(line));
        whole.map(<[u8]>::to_vec).filter(|line| !own.contains(line)).collect::<Vec<_>>()
    });
    let others = distinct(of_neighbours, MOST_OTHERS);
    let with_names = |lines: &mut dyn Iterator<Item = &Vec<u8>>| {
        let new =
            lines.flat_map(|line| exchanged(line, &own)).filter(|line| !own.contains(line) && !others.contains(line));
        distinct(new, MOST_EXCHANGED)
    };
    // What comes last in a text is what ends things as a rule.
    let (of_others, of_own) = (with_names(&mut others.iter()), with_names(&mut own.iter().rev()));
    // Both by turns: what a neighbour does may be what is missing, and so may what the run does, to another thing.
    let new = (0..MOST_EXCHANGED).flat_map(|turn| [of_others.get(turn), of_own.get(turn)]).flatten().cloned();
    let new = distinct(new, 2 * MOST_EXCHANGED);
    let firsts: Vec<Vec<u8>> = [&new[..], &others, &own].concat();
    let seconds: Vec<Vec<u8>> = [&others[..], &own, &new].concat();
    // The most promising ones of both first.
    let diagonals = (0..firsts.len() + seconds.len()).flat_map(|sum| (0..=sum).map(move |first| (first, sum - first)));
    let pairs = diagonals.filter_map(move |(first, second)| {
        let pair = [firsts.get(first)?.as_slice(), seconds.get(second)?.as_slice()];
        Some(pair.concat())
    });
    let end = ends.first().copied();
    let alone = new.into_iter().take(MOST_ALONE).filter_map(move |line| Some((end?, line)));
    let pairs = pairs.flat_map(move |pair| ends.clone().into_iter().map(move |end| (end, pair.clone())));
    let of = Arc::clone(input);
    alone.chain(pairs).map(move |(end, bytes)| Splice { of: Arc::clone(&of), part: index, range: end..end, bytes })
}

fn distinct(lines: impl Iterator<Item = Vec<u8>>, most: usize) -> Vec<Vec<u8>> {
    let mut known = FxHashSet::default();
    lines.filter(|line| known.insert(line.clone())).take(most).collect()
}

/// A line with one of its words, but for the first, exchanged for one of the same kind out of other lines, or for a new one.
fn exchanged(line: &[u8], lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let all = lines.iter().flat_map(|line| names(line).into_iter().filter_map(|word| line.get(word)));
    let all = distinct(all.map(<[u8]>::to_vec), MOST_LINES);
    let places = names(line);
    if places.len() > MOST_WORDS {
        return Vec::new();
    }
    let is_number = |word: &[u8]| word.first().is_some_and(u8::is_ascii_digit);
    let mut found = Vec::new();
    for place in places {
        let word = line.get(place.clone()).unwrap_or_default();
        let others = all.iter().filter(|name| *name != word && is_number(name) == is_number(word));
        // And one that there may not be yet.
        for name in others.cloned().chain([next_word(word)]) {
            let mut line = line.to_vec();
            line.splice(place.clone(), name);
            found.push(line);
        }
    }
    found
}

/// The words of a line but for the first, which says what to do. What is the only one may be a name behind a sign.
fn names(line: &[u8]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = words(line).collect();
    if words.len() > 1 {
        words.remove(0);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stdin(text: &[u8]) -> Input {
        Input::stdin(text.to_vec())
    }

    #[test]
    fn names_are_exchanged() {
        let lines = [b"put red 1\n".to_vec(), b"del blue\n".to_vec()];
        assert_eq!(exchanged(b"del blue\n", &lines), [&b"del red\n"[..], b"del bluf\n"]);
        let wanted: [&[u8]; 4] = [b"get red 2\n", b"get bluf 2\n", b"get blue 1\n", b"get blue 3\n"];
        assert_eq!(exchanged(b"get blue 2\n", &lines), wanted);
        assert_eq!(exchanged(b"- green\n", &[b"+ red\n".to_vec()])[0], b"- red\n");
    }

    fn texts_with_lines(text: &[u8], neighbours: &[&Input]) -> Vec<Input> {
        with_lines(&Arc::new(stdin(text)), neighbours).map(Splice::input).collect()
    }

    #[test]
    fn what_a_neighbour_does_comes_behind_what_is_done_to_another_name() {
        let neighbour = stdin(b"put red\nput blue\nlog blue\n");
        let found = texts_with_lines(b"put red\nput blue\ndel blue\n", &[&neighbour]);
        assert!(found.contains(&stdin(b"put red\nput blue\ndel blue\ndel red\nlog blue\n")));
        assert!(found.contains(&stdin(b"put red\nput blue\ndel red\nlog blue\ndel blue\n")));
    }

    #[test]
    fn where_there_are_no_lines_nothing_is_added() {
        assert!(texts_with_lines(b"no line", &[]).is_empty());
        assert!(texts_with_lines(b"\x01\n\x02\n", &[]).is_empty());
        assert!(texts_with_lines(b"one\n", &[]).contains(&stdin(b"one\none\none\n")));
        assert_eq!(with_lines(&Arc::default(), &[]).count(), 0);
    }
}
