//! A few lines of the source, with the place that matters marked.

use std::ops::Range;

use crate::escape;
use crate::model::Position;
use crate::sources::Lines;

/// Characters of a line that are shown: what a wide terminal has room for.
pub const WIDEST: usize = 140;

/// Spaces for a tab.
const TAB: &str = "    ";

/// A few lines of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excerpt {
    pub(crate) lines: Vec<Line>,
}

/// One line of an excerpt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) number: u32,
    /// Fit to be shown: tabs are spaces, and what is invisible is spelt out.
    pub(crate) text: String,
    /// Which bytes of the text are marked; always on boundaries of characters.
    pub(crate) mark: Option<Range<usize>>,
}

impl Line {
    /// The text before the mark, in it and behind it.
    pub(crate) fn pieces(&self) -> [&str; 3] {
        let Range { start, end } = self.mark.clone().unwrap_or(self.text.len()..self.text.len());
        let piece = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        [piece(0..start), piece(start..end), piece(end..self.text.len())]
    }
}

/// The line at the position, with up to `context` lines before it.
pub(crate) fn excerpt(lines: &Lines<'_>, position: &Position, context: u32) -> Option<Excerpt> {
    if !position.is_known() {
        return None;
    }
    let marked = lines.line(&position.file, position.line)?;
    let before = (position.line.saturating_sub(context).max(1)..position.line).filter_map(|number| {
        let text = lines.line(&position.file, number)?;
        Some(show(number, &text, None))
    });
    let mut shown: Vec<Line> = before.collect();
    // Lines that say nothing only take room at the start.
    let empty = shown.iter().take_while(|line| line.text.trim().is_empty()).count();
    shown.drain(..empty);
    shown.push(show(position.line, &marked, marked_bytes(&marked, position)));
    Some(Excerpt { lines: shown })
}

/// The bytes of the line that the position is about.
pub(crate) fn marked_bytes(line: &str, position: &Position) -> Option<Range<usize>> {
    let start = floor_boundary(line, usize::try_from(position.column).ok()?.checked_sub(1)?);
    if start >= line.len() {
        return None;
    }
    let end = match (position.end_line, position.end_column) {
        (Some(end_line), _) if end_line > position.line => line.trim_end().len(),
        (_, Some(column)) => floor_boundary(line, (column as usize).saturating_sub(1)),
        _ => token_end(line, start),
    };
    let one_more = start + line.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Some(start..end.max(one_more))
}

fn floor_boundary(line: &str, index: usize) -> usize {
    let index = index.min(line.len());
    (0..=index).rev().find(|index| line.is_char_boundary(*index)).unwrap_or(0)
}

/// Operators and brackets of more than one character, the longest first.
const LONG_TOKENS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=",
];

/// Where the token of C ends that begins at the byte.
fn token_end(line: &str, start: usize) -> usize {
    let rest = line.get(start..).unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if word > 0 {
        return start + word;
    }
    let long = LONG_TOKENS.iter().find(|token| rest.starts_with(**token)).map(|token| token.len());
    start + long.or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(0)
}

/// Makes a line fit to be shown; `mark` counts bytes of the line as it is in the file.
fn show(number: u32, line: &str, mark: Option<Range<usize>>) -> Line {
    let mut text = String::new();
    let line = line.trim_end();
    let before = mark.as_ref().and_then(|mark| line.get(..mark.start)).map_or(0, |text| text.chars().count());
    let skipped = first_shown(before);
    if skipped > 0 {
        text.push('…');
    }
    let (mut start, mut end) = (None, None);
    for (count, (index, c)) in line.char_indices().skip(skipped).enumerate() {
        if let Some(mark) = &mark {
            if index >= mark.start && start.is_none() {
                start = Some(text.len());
            }
            if index >= mark.end && end.is_none() {
                end = Some(text.len());
            }
        }
        if count >= WIDEST {
            text.push('…');
            break;
        }
        match c {
            '\t' => text.push_str(TAB),
            c => escape::push_visible(c, &mut text),
        }
    }
    let mark = start.map(|start| start..end.unwrap_or(text.len()));
    Line { number, text, mark }
}

/// Characters that are left out at the start of a long line so that a mark behind `before` of them is seen.
pub fn first_shown(before: usize) -> usize {
    if before + WIDEST / 4 <= WIDEST { 0 } else { before - WIDEST / 2 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked(line: &str, column: u32) -> String {
        let position = Position::new("a.c", 1, column);
        let source = |_: &str| Some(line.as_bytes().to_vec());
        let excerpt = excerpt(&Lines::new(&source), &position, 2).unwrap();
        let [before, mark, after] = excerpt.lines.last().unwrap().pieces();
        format!("{before}[{mark}]{after}")
    }

    #[test]
    fn tokens_are_marked() {
        assert_eq!(marked("  total += size;", 9), "  total [+=] size;");
        assert_eq!(marked("\treturn table[index];", 14), "    return table[[]index];");
        assert_eq!(marked("\treturn table[index];", 15), "    return table[[index]];");
        assert_eq!(marked("größe = größe * 2;", 11), "größe = [größe] * 2;");
        assert_eq!(marked("a\x1b[2Jb;", 6), "a\\x1b[2J[b];");
        assert_eq!(marked("short", 99), "short[]");
        assert_eq!(marked("short", 0), "short[]");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = format!("{}here{}", "a + ".repeat(200), " + b".repeat(200));
        let shown = marked(&line, 801);
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("[here]"), "{shown}");
        assert!(shown.chars().count() < WIDEST + 8);
    }

    #[test]
    fn lines_before_are_shown() {
        let source = |_: &str| Some(b"one\n\nthree\nfour\n".to_vec());
        let excerpt = excerpt(&Lines::new(&source), &Position::new("a.c", 4, 1), 2).unwrap();
        let shown: Vec<_> = excerpt.lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!(shown, [(3, "three"), (4, "four")]);
    }

    #[test]
    fn ends_that_are_known_are_used() {
        let position = Position { end_line: Some(1), end_column: Some(9), ..Position::new("a.c", 1, 5) };
        assert_eq!(marked_bytes("abc defg hi", &position), Some(4..8));
        let position = Position { end_line: Some(3), end_column: Some(2), ..Position::new("a.c", 1, 5) };
        assert_eq!(marked_bytes("abc defg hi", &position), Some(4..11));
    }

    proptest! {
        #[test]
        fn any_position_in_any_line(line in "\\PC{0,20}|.{0,300}", column in 0..400u32, end in prop::option::of(0..400u32)) {
            let position = Position { end_column: end, ..Position::new("a.c", 1, column) };
            let source = |_: &str| Some(line.as_bytes().to_vec());
            if let Some(excerpt) = excerpt(&Lines::new(&source), &position, 2) {
                for line in excerpt.lines {
                    prop_assert_eq!(line.pieces().concat(), line.text);
                }
            }
        }
    }
}
