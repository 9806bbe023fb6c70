//! Inputs that are longer than the run's own: names, numbers, lines and lists of which there is more.
//!
//! No way of a branch makes an input longer. But the path shows which neighbouring bytes the program treats alike: the same
//! branches look at them and go the same way. Such a run of bytes is repeated, up to lengths that buffers often have and a
//! little more (and where the program treats two lengths differently, up to those between them where it begins to:
//! `check/limits.rs`). So is what ends as something before it did: a word, a line, a record; in text also with another word in each copy
//! (`varied.rs`). Numbers are also given zeros in front (`numbers.rs`). And where a number says how much there is, more follows. In binary
//! input such numbers also change with what they may be about (`lengths.rs`).

mod lengths;
mod numbers;
mod varied;

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use expr::{Store, Term, VarName};
use path::{Constraint, Kind, Path};
use replay::{Input, Source};
use run::Channel;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use trace::reader::InputPart;

use lengths::Field;
pub use numbers::Numbers;
pub use varied::{next_word, words};

/// Lengths that runs of bytes get: as many digits as always fit an `int`, and right above those that are often chosen for
/// buffers.
pub const LENGTHS: [usize; 10] = [9, 17, 33, 65, 129, 257, 513, 1025, 4097, 20_001];
/// And one for recursion: where each byte is a call with a frame of 84 bytes or more, a stack of 8 MiB has no room for as many.
const DEEP: usize = 100_001;
/// How many runs of bytes are made longer.
const MOST_RUNS: usize = 24;
/// How many of those that the program treats alike: fields that one call reads, each with a limit of its own.
const MOST_ALIKE: usize = 4;
/// How many of a thing there are then: right above what arrays often have room for.
const COUNTS: [usize; 7] = [9, 17, 33, 65, 129, 257, 1025];
/// How many things are repeated.
const MOST_STRETCHES: usize = 16;
/// How many of them with other words in each.
const MOST_COUNTED: usize = 16;
/// How often runs of bytes are also repeated together with lengths that may be about them, and by how much they are longer then: where
/// there are elements of two, three or four bytes, a whole number of them is.
const MOST_MEASURED: usize = 16;
const MORE: [usize; 5] = [12, 24, 48, 96, 240];
/// How many bytes there are of them then at most, and behind a number that says how many there are.
const MOST_MORE: usize = 1 << 15;
/// Terms of a constraint that are looked at. A constraint with more is about more than what a byte is.
const MOST_TERMS: usize = 64;
/// Bytes that a constraint about each of them is about at most.
const MOST_BYTES: usize = 4;

/// Which part, and which bytes of it.
type Run = (usize, Range<usize>);

/// Something of which there is more in each input than in the one before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    run: Run,
    /// Bytes that count as one.
    unit: usize,
    /// How many there are, one after the other.
    pub counts: Vec<usize>,
    /// Lengths that say so, in front of it.
    lengths: Vec<Field>,
    /// The word that is another one in each of them.
    word: Option<Vec<u8>>,
}

impl Series {
    fn new(run: Run, unit: usize, counts: &[usize]) -> Series {
        let fits = |count: &usize| unit == 1 || count.saturating_mul(unit) <= MOST_MORE;
        Series { run, unit, counts: counts.iter().copied().filter(fits).collect(), lengths: Vec::new(), word: None }
    }

    /// How many there are in the run's own input.
    pub fn first(&self) -> usize {
        self.run.1.len() / self.unit.max(1)
    }

    /// The input with so many; nothing if there are as many already.
    pub fn with(&self, input: &Input, count: usize) -> Option<Input> {
        if let Some(word) = &self.word {
            return self.with_words(input, word, count);
        }
        let mut longer = grown(input, &self.run, count.saturating_mul(self.unit))?;
        let bytes = &mut longer.parts.get_mut(self.run.0)?.bytes;
        let more = bytes.len().checked_sub(input.parts.get(self.run.0)?.bytes.len())?;
        self.lengths.iter().try_for_each(|length| length.raise(bytes, more))?;
        Some(longer)
    }

    /// The input with so many, and a word that is another one in each.
    fn with_words(&self, input: &Input, word: &[u8], count: usize) -> Option<Input> {
        let mut longer = input.clone();
        let bytes = &mut longer.parts.get_mut(self.run.0)?.bytes;
        let copies = varied::copies(bytes.get(self.run.1.clone())?, word, count);
        bytes.splice(self.run.1.clone(), copies);
        (longer != *input).then_some(longer)
    }

    /// Whether lengths change with it.
    pub fn is_measured(&self) -> bool {
        !self.lengths.is_empty()
    }

    /// Whether it ends where the first of its lengths says.
    fn ends_as_said(&self, input: &Input) -> bool {
        let bytes = input.parts.get(self.run.0).map_or(&[][..], |part| &part.bytes);
        self.lengths.first().is_some_and(|length| length.reaches(bytes) == Some(self.run.1.end))
    }

    /// The same with lengths that change, too, where there may be some.
    fn measured(&self, input: &Input) -> Vec<Series> {
        let (part, run) = &self.run;
        let Some(bytes) = input.parts.get(*part).map(|part| &part.bytes).filter(|bytes| !is_text(bytes)) else {
            return Vec::new();
        };
        let with = |lengths| {
            let mut series = Series { lengths, ..self.clone() };
            // Not all fit.
            series.counts = self.counts.iter().copied().filter(|count| series.with(input, *count).is_some()).collect();
            series
        };
        lengths::around(bytes, run).into_iter().map(with).filter(|series| !series.counts.is_empty()).collect()
    }
}

/// What longer inputs have more of.
pub fn longer(path: &Path, parts: &[InputPart], input: &Input) -> Vec<Series> {
    let (mut runs, mut others, mut things, mut counted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut known: FxHashMap<(usize, Option<u64>), usize> = FxHashMap::default();
    for (index, marks) in marked(path, parts, input) {
        for run in alike(&marks) {
            let times = known.entry((index, marks.get(run.start).copied())).or_default();
            *times += 1;
            match *times {
                1 => runs.push((index, run)),
                ..=MOST_ALIKE => others.push((index, run)),
                _ => {}
            }
        }
        let bytes = input.parts.get(index).map_or(&[][..], |part| &part.bytes);
        things.extend(stretches(&marks, bytes).into_iter().map(|stretch| (index, stretch)));
        if is_text(bytes) {
            counted.extend(varied::varied(bytes).into_iter().map(|(stretch, word)| (index, stretch, word)));
        }
    }
    runs.truncate(MOST_RUNS);
    others.truncate(MOST_RUNS - runs.len());
    things.truncate(MOST_STRETCHES);
    let longer = |run: &Run| Series::new(run.clone(), 1, &LENGTHS);
    let things = things.into_iter().map(|thing| {
        let unit = thing.1.len();
        Series::new(thing, unit, &COUNTS)
    });
    counted.truncate(MOST_COUNTED);
    let counted = counted.into_iter().map(|(part, stretch, word)| {
        let unit = stretch.len();
        Series { word: Some(word), ..Series::new((part, stretch), unit, &varied::COUNTS) }
    });
    // The bytes of a record are often all that the program treats so, or only what is copied from elsewhere, too.
    let measured = runs.iter().chain(&others).flat_map(|run| {
        let counts = MORE.map(|more| run.1.len() + more);
        Series::new(run.clone(), 1, &counts).measured(input)
    });
    let mut measured: Vec<Series> = measured.collect();
    measured.sort_by_key(|series| Reverse(series.ends_as_said(input)));
    measured.truncate(MOST_MEASURED);
    let mut all: Vec<Series> = runs.iter().map(longer).chain(things).chain(others.iter().map(longer)).collect();
    all.extend(counted);
    all.extend(measured);
    // Last, because these may take long.
    all.extend(runs.iter().map(|run| Series::new(run.clone(), 1, &[DEEP])));
    all
}

/// Inputs in which runs of bytes are all as long as they may be, each by itself; then half as much longer, since they may have to fit
/// together; then two that follow each other.
pub fn together(input: &Input, longest: &[(&Series, usize)]) -> Vec<Input> {
    let is_longer =
        |(series, count): &&(&Series, usize)| series.unit == 1 && series.lengths.is_empty() && *count > series.first();
    let mut runs: Vec<(Run, usize)> =
        longest.iter().filter(is_longer).map(|(series, count)| (series.run.clone(), *count)).collect();
    // Of one that was tried with very many bytes, too, the usual number.
    runs.sort_by_key(|((part, run), count)| (*part, run.start, *count));
    runs.dedup_by_key(|(run, _)| run.clone());
    if runs.len() < 2 {
        return Vec::new();
    }
    let half: Vec<(Run, usize)> = runs.iter().map(|(run, count)| (run.clone(), run.1.len().midpoint(*count))).collect();
    let pairs = if runs.len() > 2 { runs.windows(2).collect() } else { Vec::new() };
    [&runs[..], &half[..]].into_iter().chain(pairs).map(|runs| with_all(input, runs)).collect()
}

/// The input with runs of bytes that have these lengths. They come in their order and do not overlap.
fn with_all(input: &Input, runs: &[(Run, usize)]) -> Input {
    let mut longer = input.clone();
    // From the last to the first, so that the places of the others stay what they are.
    for ((part, run), length) in runs.iter().rev() {
        if let Some(part) = longer.parts.get_mut(*part) {
            repeat(&mut part.bytes, run.clone(), *length);
        }
    }
    longer
}

/// The input with more behind its end: the last line of a text once more and once more, otherwise zeros.
pub fn followed(input: &Input) -> Input {
    let mut input = input.clone();
    for part in input.parts.iter_mut().filter(|part| goes_on(&part.source)) {
        let bytes = &mut part.bytes;
        let more = if is_text(bytes) && bytes.contains(&b'\n') {
            bytes.split_inclusive(|byte| *byte == b'\n').next_back().unwrap_or_default().to_vec()
        } else {
            vec![0]
        };
        bytes.extend(more.into_iter().cycle().take(MOST_MORE));
    }
    input
}

/// What there may be where there is nothing: zeros, and lines of numbers.
const INSTEAD: [&[u8]; 2] = [&[0; 64], b"1 1 1 1\n1 1 1 1\n"];

/// Inputs with something in all parts that can go on, if these are empty; none if there is something.
pub fn instead_of_nothing(input: &Input) -> Vec<Input> {
    let mut open = input.parts.iter().filter(|part| goes_on(&part.source)).peekable();
    if open.peek().is_none() || open.any(|part| !part.bytes.is_empty()) {
        return Vec::new();
    }
    let filled = INSTEAD.iter().map(|bytes| {
        let mut input = input.clone();
        input.parts.iter_mut().filter(|part| goes_on(&part.source)).for_each(|part| part.bytes = bytes.to_vec());
        input
    });
    filled.collect()
}

/// What has no end of its own: the program decides how long a buffer is, and arguments are what they are.
fn goes_on(source: &Source) -> bool {
    matches!(source, Source::Stdin | Source::File(_) | Source::Channel(Channel::Socket))
}

/// For the parts that can be longer, by their index: what the program makes of each of their bytes.
fn marked(path: &Path, parts: &[InputPart], input: &Input) -> Vec<(usize, Vec<u64>)> {
    let marks = marks(path);
    // Lengths are parts of the trace and none of the input.
    let numbers = parts.iter().enumerate().filter(|(_, part)| Source::of(part).is_some()).map(|(number, _)| number);
    let parts = input.parts.iter().zip(numbers).enumerate();
    // The program decides how long a buffer is.
    let parts = parts.filter(|(_, (part, _))| !matches!(part.source, Source::Buffer(_)));
    let marked = parts.map(|(index, (part, number))| {
        let of = |offset: usize| marks.get(&(number, offset)).copied().unwrap_or_default();
        (index, (0..part.bytes.len()).map(of).collect())
    });
    marked.collect()
}

/// Whether these are bytes that texts have.
pub fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || *byte >= 0x80)
}

/// For each byte of the trace's parts that constraints look at, which they are and which way they went.
fn marks(path: &Path) -> FxHashMap<(usize, usize), u64> {
    let mut marks: FxHashMap<(usize, usize), u64> = FxHashMap::default();
    for constraint in &path.constraints {
        let Some(bytes) = bytes_of(&path.store, constraint.holds) else { continue };
        let direction = direction(constraint);
        for byte in bytes {
            // A sum, because the order of the constraints on a byte says nothing about it.
            let mark = marks.entry(byte).or_default();
            *mark = mark.wrapping_add(direction);
        }
    }
    marks
}

fn direction(constraint: &Constraint) -> u64 {
    let mut hasher = FxHasher::default();
    constraint.site.hash(&mut hasher);
    match &constraint.kind {
        Kind::Branch { taken } => taken.hash(&mut hasher),
        Kind::Switch { value, cases } => cases.contains(value).then_some(value).hash(&mut hasher),
        Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. } => {}
    }
    hasher.finish()
}

/// The bytes of input in a term: part and offset. Nothing if there is too much of it.
pub fn bytes_of(store: &Store, term: Term) -> Option<Vec<(usize, usize)>> {
    let mut seen: FxHashSet<Term> = FxHashSet::from_iter([term]);
    let mut left = vec![term];
    let mut bytes = Vec::new();
    while let Some(term) = left.pop() {
        if let Some(VarName::Input { part, offset }) = store.var_of(term).map(|var| store.var_name(var)) {
            bytes.push((*part as usize, usize::try_from(*offset).ok()?));
        }
        for operand in store.node(term).operands() {
            if seen.insert(*operand) {
                left.push(*operand);
            }
        }
        if seen.len() > MOST_TERMS || bytes.len() > MOST_BYTES {
            return None;
        }
    }
    Some(bytes)
}

/// Ranges of neighbours with the same mark.
fn alike(marks: &[u64]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    marks.chunk_by(|a, b| a == b).map(move |run| {
        start += run.len();
        start - run.len()..start
    })
}

/// Stretches that end, or begin, as others before them did: the words of a line, the lines of a text, the records of a file. What there
/// is most of comes first, and of each the shortest. In text what lies between two of the same separators comes next, since the program may
/// treat the values of a list each in its own way. What is there once is taken from the start on.
fn stretches(marks: &[u64], bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut ends, mut starts) = (Places::default(), Places::default());
    for run in alike(marks) {
        // What nobody looks at ends nothing.
        if let Some(mark) = marks.get(run.start).filter(|mark| **mark != 0) {
            ends.entry(*mark).or_default().push(run.end);
            starts.entry(*mark).or_default().push(run.start);
        }
    }
    let shortest = |places: &Vec<usize>| {
        let between = places.iter().zip(places.iter().skip(1)).map(|(start, end)| *start..*end);
        let shortest = between.min_by_key(Range::len)?;
        Some((places.len(), Reverse(usize::MAX - shortest.len()), shortest))
    };
    let once = |places: &Vec<usize>| match places[..] {
        [end] => Some((1, Reverse(end), 0..end)),
        _ => None,
    };
    let sorted = |mut found: Vec<(usize, Reverse<usize>, Range<usize>)>| {
        found.sort_by_key(|(count, length, stretch)| (Reverse(*count), *length, stretch.start));
        found.into_iter().map(|(_, _, stretch)| stretch)
    };
    let repeated = sorted(ends.values().chain(starts.values()).filter_map(shortest).collect());
    let separated = separators(marks, bytes);
    let listed = sorted(separated.values().filter_map(shortest).collect());
    let single = sorted(ends.values().filter_map(once).collect());
    let mut known = FxHashSet::default();
    repeated.chain(listed).chain(single).filter(|stretch| known.insert(stretch.clone())).collect()
}

/// Where each byte is that separates words of a text, if somebody looks at it.
fn separators(marks: &[u64], bytes: &[u8]) -> FxHashMap<u8, Vec<usize>> {
    let mut places: FxHashMap<u8, Vec<usize>> = FxHashMap::default();
    if is_text(bytes) {
        let looked_at = bytes.iter().zip(marks).enumerate().filter(|(_, (_, mark))| **mark != 0);
        let separators = looked_at.filter(|(_, (byte, _))| byte.is_ascii() && !byte.is_ascii_alphanumeric());
        separators.for_each(|(place, (byte, _))| places.entry(*byte).or_default().push(place));
    }
    places
}

/// Where what has a mark is.
type Places = FxHashMap<u64, Vec<usize>>;

/// The input with a run of bytes that has a length; nothing if it has that many already.
fn grown(input: &Input, (part, run): &Run, length: usize) -> Option<Input> {
    let mut input = input.clone();
    let is_longer = repeat(&mut input.parts.get_mut(*part)?.bytes, run.clone(), length);
    is_longer.then_some(input)
}

/// Repeats a run of bytes up to a length; whether there were fewer.
pub fn repeat(bytes: &mut Vec<u8>, run: Range<usize>, length: usize) -> bool {
    let Some(pattern) = bytes.get(run.clone()).filter(|pattern| !pattern.is_empty()) else { return false };
    let more = length.saturating_sub(pattern.len());
    let repeated: Vec<u8> = pattern.iter().copied().cycle().take(more).collect();
    bytes.splice(run.end..run.end, repeated);
    more > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_with_the_same_mark_are_a_run() {
        assert_eq!(alike(&[7, 7, 7, 1, 7]).collect::<Vec<_>>(), [0..3, 3..4, 4..5]);
        assert_eq!(alike(&[]).count(), 0);
    }

    #[test]
    fn words_are_what_ends_like_others() {
        // As in "ab cd e": letters and what is between them.
        assert_eq!(stretches(&[1, 1, 2, 1, 1, 2, 1], b""), [5..7, 0..3, 2..5, 3..6]);
        // As in "1,5,2", where the first comma is found by another call than the second, and so is what comes before it.
        assert_eq!(stretches(&[1, 2, 3, 4, 3], b"")[0], 2..4);
        // The same, where each value goes its own way.
        assert_eq!(stretches(&[1, 2, 3, 4, 5, 6], b"1,5,2\n")[0], 1..3);
        assert_eq!(stretches(&[1, 2, 3, 4, 5, 6], b"1,5,2\0")[0], 0..6);
        // What there is one of: all of it first.
        assert_eq!(stretches(&[1, 2, 3], b"abc"), [0..3, 0..2, 0..1]);
        // Nobody looks at it.
        assert!(stretches(&[0, 0], b"--").is_empty());
    }

    #[test]
    fn more_follows_of_the_same_kind() {
        let more = |bytes: &[u8]| followed(&Input::stdin(bytes.to_vec())).parts.swap_remove(0).bytes;
        assert!(more(b"2\n10 x\n").starts_with(b"2\n10 x\n10 x\n10 x\n10"));
        assert!(more(b"\x02ab").starts_with(b"\x02ab\0\0\0"));
    }

    #[test]
    fn where_there_is_nothing_something_is_tried() {
        let tried = instead_of_nothing(&Input::stdin(Vec::new()));
        assert_eq!(tried.len(), INSTEAD.len());
        assert!(tried.iter().all(|input| !input.parts[0].bytes.is_empty()));
        assert!(instead_of_nothing(&Input::stdin(*b"x")).is_empty());
    }

    #[test]
    fn what_is_long_by_itself_is_long_together() {
        let input = Input::stdin(*b"ab:c;d");
        let series = [Series::new((0, 0..2), 1, &[]), Series::new((0, 3..4), 1, &[]), Series::new((0, 5..6), 1, &[])];
        let longest = |counts: [usize; 3]| series.iter().zip(counts).collect::<Vec<_>>();
        let stdin = |text: &[u8]| Input::stdin(text.to_vec());
        assert_eq!(together(&input, &longest([4, 3, 1])), [stdin(b"abab:ccc;d"), stdin(b"aba:cc;d")]);
        let all = together(&input, &longest([4, 3, 3]));
        assert_eq!(all[0], stdin(b"abab:ccc;ddd"));
        assert_eq!(all[2..], [stdin(b"abab:ccc;d"), stdin(b"ab:ccc;ddd")]);
        // One alone was tried.
        assert!(together(&input, &longest([4, 1, 1])).is_empty());
    }

    #[test]
    fn runs_are_repeated_where_they_are() {
        let input = Input::stdin(*b"name=ab;");
        assert_eq!(grown(&input, &(0, 5..7), 5), Some(Input::stdin(*b"name=ababa;")));
        assert_eq!(grown(&input, &(0, 5..7), 2), None);
        assert_eq!(grown(&input, &(0, 5..9), 20), None);
        assert_eq!(grown(&input, &(1, 0..1), 20), None);
    }
}
