//! Records of which there are more, each with another name.
//!
//! A table has room for so many entries, and grows, or is full, where there are more of them. The same record over and over
//! makes one entry. So one word of it counts up from copy to copy: the number or the name by which the program tells entries apart is
//! one of its words. The text as a whole is repeated in the same way: its commands go on with what those before them have left.

use std::ops::Range;

use rustc_hash::FxHashSet;

/// How many there are then: more than small tables have room for, and more than most have.
pub const COUNTS: [usize; 2] = [17, 257];
/// Records that are repeated, and words of each of them, and of the text as a whole.
const MOST_RECORDS: usize = 4;
const MOST_WORDS: usize = 3;
/// Larger texts are not repeated as a whole, and neither are longer records.
const LARGEST: usize = 1 << 10;

/// A stretch of a text, and the word in it that counts up.
pub type Varied = (Range<usize>, Vec<u8>);

/// What can be repeated with other words: the text as a whole, its lines, or what its only line is made of.
pub fn varied(text: &[u8]) -> Vec<Varied> {
    let lines = pieces(text, 0..text.len(), b'\n');
    let mut found = Vec::new();
    if text.len() <= LARGEST && lines.len() > 1 && lines.last().is_some_and(|last| last.end == text.len()) {
        found.extend(with_words(text, 0..text.len(), repeated_words(text)));
    }
    let records = match &lines[..] {
        [only] => {
            let ends = |separator: &u8| pieces(text, only.clone(), *separator).len();
            [b' ', b',', b';', b'&'].into_iter().max_by_key(ends).map(|separator| pieces(text, only.clone(), separator))
        }
        _ => Some(lines),
    };
    let mut known = FxHashSet::default();
    let is_another = |record: &Range<usize>| {
        let bytes = text.get(record.clone()).unwrap_or_default();
        // Records that begin alike are of one kind.
        known.insert(words(bytes).next().map(|word| bytes.get(word).unwrap_or_default().to_vec()))
    };
    for record in records.into_iter().flatten().filter(is_another).take(MOST_RECORDS) {
        let bytes = text.get(record.clone()).unwrap_or_default();
        let mut words: Vec<Vec<u8>> = words(bytes).filter_map(|word| bytes.get(word)).map(<[u8]>::to_vec).collect();
        // The first one mostly says what kind of record this is.
        if !words.is_empty() {
            words.rotate_left(1);
        }
        found.extend(with_words(text, record, words));
    }
    found
}

fn with_words(text: &[u8], stretch: Range<usize>, words: Vec<Vec<u8>>) -> Vec<Varied> {
    let is_small = stretch.len() <= LARGEST && stretch.end <= text.len();
    let mut known = FxHashSet::default();
    let words = words.into_iter().filter(|word| is_small && known.insert(word.clone())).take(MOST_WORDS);
    words.map(|word| (stretch.clone(), word)).collect()
}

/// Copies of a record, in each of which a word is another one.
pub fn copies(record: &[u8], word: &[u8], count: usize) -> Vec<u8> {
    let (mut bytes, mut this) = (Vec::new(), word.to_vec());
    for _ in 0..count {
        let mut end = 0;
        for range in words(record).filter(|range| record.get(range.clone()) == Some(word)) {
            bytes.extend(record.get(end..range.start).unwrap_or_default());
            bytes.extend(&this);
            end = range.end;
        }
        bytes.extend(record.get(end..).unwrap_or_default());
        this = next_word(&this);
    }
    bytes
}

/// The words of a text that are there more than once, those that are there most often first: what it is about.
fn repeated_words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut counted: Vec<(&[u8], usize)> = Vec::new();
    for word in words(text).filter_map(|word| text.get(word)) {
        match counted.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counted.push((word, 1)),
        }
    }
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted.into_iter().filter(|(_, count)| *count > 1).map(|(word, _)| word.to_vec()).collect()
}

/// What lies between separators, each with the one that ends it; what has no end is left out.
fn pieces(text: &[u8], within: Range<usize>, separator: u8) -> Vec<Range<usize>> {
    let mut start = within.start;
    let ends = text.get(within).unwrap_or_default().split_inclusive(move |byte| *byte == separator).map(|piece| {
        start += piece.len();
        (start - piece.len()..start, piece.ends_with(&[separator]))
    });
    ends.filter(|(_, is_ended)| *is_ended).map(|(piece, _)| piece).collect()
}

/// Where words are: letters, or digits.
pub fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let kind = |byte: &u8| (byte.is_ascii_alphabetic(), byte.is_ascii_digit());
    let mut end = 0;
    let runs = text.chunk_by(move |a, b| kind(a) == kind(b)).map(move |run| {
        end += run.len();
        (end - run.len()..end, run.first().is_some_and(u8::is_ascii_alphanumeric))
    });
    runs.filter(|(_, is_word)| *is_word).map(|(run, _)| run)
}

/// The word that comes next where words are counted: 9 and 10, a and b, Az and Ba.
pub fn next_word(word: &[u8]) -> Vec<u8> {
    let mut next = word.to_vec();
    for byte in next.iter_mut().rev() {
        match *byte {
            b'9' => *byte = b'0',
            b'z' => *byte = b'a',
            b'Z' => *byte = b'A',
            _ => {
                *byte = byte.wrapping_add(1);
                return next;
            }
        }
    }
    let first = match next.first() {
        Some(b'0') => b'1',
        Some(first) => *first,
        None => return next,
    };
    next.insert(0, first);
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_up() {
        let next = |word: &[u8]| String::from_utf8(next_word(word)).unwrap();
        assert_eq!([next(b"9"), next(b"a"), next(b"Az"), next(b"zz")], ["10", "b", "Ba", "aaa"]);
        assert_eq!(next(b""), "");
    }

    #[test]
    fn copies_differ_in_one_word() {
        assert_eq!(copies(b"put a a1\n", b"a", 3), b"put a a1\nput b b1\nput c c1\n");
        assert_eq!(copies(b"x", b"y", 2), b"xx");
    }

    #[test]
    fn lines_and_the_whole_are_repeated() {
        let found = varied(b"put a 1\nput b 2\nget a\n");
        let has = |stretch: Range<usize>, word: &[u8]| found.contains(&(stretch, word.to_vec()));
        assert!(has(0..22, b"a") && has(0..22, b"put"));
        assert!(has(0..8, b"a") && has(0..8, b"1") && has(16..22, b"a"));
        // A second record of the same kind makes nothing else.
        assert!(!found.iter().any(|(stretch, _)| *stretch == (8..16)));
    }

    #[test]
    fn one_line_is_a_list() {
        let found = varied(b"i5 i3 f3\n");
        assert!(found.contains(&(0..3, b"5".to_vec())));
        assert!(varied(b"").is_empty());
        assert!(varied(b"no end").iter().all(|(stretch, _)| stretch.end <= 6));
    }
}
