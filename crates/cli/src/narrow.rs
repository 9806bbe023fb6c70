//! Diagnostics with excerpts, cut to what a terminal has room for.
//!
//! The library that draws them prints lines whole, however long: what is pointed at would be somewhere among thousands of
//! characters. So columns are taken out of what it has drawn; line and column in the heading stay those of the file.

use report::{WIDEST, first_shown};

/// Between the number of a line and its text.
const GUTTER: char = '│';

/// Between a mark and its message.
const ARM: usize = 4;

/// Cuts lines of the source that are too long, and what is drawn below them, around what is marked.
pub fn narrow(drawn: &str) -> String {
    let lines: Vec<Line> = drawn.lines().map(Line::of).collect();
    let mut out = String::with_capacity(drawn.len().min(1 << 16));
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let below = lines.iter().skip(at + 1).take_while(|line| line.is_mark()).count();
        let marks = lines.get(at + 1..at + 1 + below).unwrap_or_default();
        if !line.is_source() || line.cells.len() <= line.text + WIDEST {
            line.show(&mut out, 0, usize::MAX);
            at += 1;
            continue;
        }
        let from = marks.first().map_or(0, |first| first_shown(first.anchor()));
        line.show_cut(&mut out, from);
        for (number, mark) in marks.iter().enumerate() {
            match number {
                0 => mark.show(&mut out, from, WIDEST),
                // Below the line that underlines stand words, which are not cut, behind an arm that reaches to the end of it.
                _ => mark.with_short_arms().show(&mut out, from.min(mark.indent()), usize::MAX),
            }
        }
        at += 1 + below;
    }
    out
}

/// A line as it is drawn: a character with the colours that begin in front of it.
struct Line {
    cells: Vec<(String, char)>,
    /// Colours that end behind the last character.
    rest: String,
    /// Where the text begins, behind the gutter.
    text: usize,
}

impl Line {
    fn of(drawn: &str) -> Line {
        let (mut cells, mut colours, mut in_colour) = (Vec::new(), String::new(), false);
        for c in drawn.chars() {
            if in_colour || c == '\u{1b}' {
                colours.push(c);
                in_colour = c != 'm';
            } else {
                cells.push((std::mem::take(&mut colours), c));
            }
        }
        let gutter = cells.iter().position(|(_, c)| *c == GUTTER);
        Line { text: gutter.map_or(0, |gutter| gutter + 2), cells, rest: colours }
    }

    fn before_gutter(&self) -> impl Iterator<Item = char> {
        self.cells.iter().take(self.text.saturating_sub(2)).map(|(_, c)| *c)
    }

    fn text(&self) -> impl Iterator<Item = char> {
        self.cells.iter().skip(self.text).map(|(_, c)| *c)
    }

    /// ` 12 │ text`
    fn is_source(&self) -> bool {
        let number: String = self.before_gutter().collect();
        self.text > 0 && !number.trim().is_empty() && number.trim().bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Something that points at the line above: `    │      ──┬──`
    fn is_mark(&self) -> bool {
        let is_drawn = |c: char| c == ' ' || ('\u{2500}'..'\u{2580}').contains(&c);
        self.text > 0
            && self.before_gutter().all(|c| c == ' ')
            && self.text().next().is_some_and(is_drawn)
            && self.text().any(|c| c != ' ')
    }

    fn indent(&self) -> usize {
        self.text().take_while(|c| *c == ' ').count()
    }

    fn with_short_arms(&self) -> Line {
        let mut length = 0;
        let is_kept = |(_, c): &&(String, char)| {
            length = if *c == '─' { length + 1 } else { 0 };
            length <= ARM
        };
        Line { cells: self.cells.iter().filter(is_kept).cloned().collect(), rest: self.rest.clone(), text: self.text }
    }

    /// What a message hangs on, or else where the mark begins.
    fn anchor(&self) -> usize {
        self.text().position(|c| c == '┬').unwrap_or_else(|| self.indent())
    }

    /// Writes the line without the first characters of its text, and at most so many of them.
    fn show(&self, out: &mut String, skipped: usize, room: usize) {
        let kept = self.text + skipped..(self.text + skipped).saturating_add(room);
        for (index, (colours, c)) in self.cells.iter().enumerate() {
            out.push_str(colours);
            if index < self.text || kept.contains(&index) {
                out.push(*c);
            }
        }
        out.push_str(&self.rest);
        out.push('\n');
    }

    /// The same with signs for what is left out.
    fn show_cut(&self, out: &mut String, from: usize) {
        let (first, last) = (self.text + from, self.text + from + WIDEST - 1);
        let cell = |(index, (colours, c)): (usize, &(String, char))| {
            let is_cut = index == first && from > 0 || index == last && last + 1 < self.cells.len();
            (colours.clone(), if is_cut { '…' } else { *c })
        };
        let cells = self.cells.iter().enumerate().map(cell).collect();
        Line { cells, rest: self.rest.clone(), text: self.text }.show(out, from, WIDEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(before: usize, after: usize) -> String {
        let (source, indent) = (format!("{}here{}", "+a".repeat(before), "+b".repeat(after)), " ".repeat(2 * before));
        format!(
            "error: wrong\n   ╭─[ f:1:{} ]\n   │\n 1 │ {source}\n   │ {indent}──┬─\n   │ {indent}  ╰─── this, and why\n   │ \n   │ Help: {}\n───╯\n",
            2 * before + 1,
            "what to do ".repeat(40)
        )
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        for text in [drawn(0, 0), drawn(20, 20), String::new(), "no excerpt\n".to_owned()] {
            assert_eq!(narrow(&text), text);
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        for (before, after) in [(5_000, 5_000), (5_000, 0), (0, 5_000), (60, 5_000)] {
            let text = narrow(&drawn(before, after));
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), drawn(before, after).lines().count());
            let column = |line: &str, of: &str| line.find(of).map(|at| line[..at].chars().count()).unwrap();
            assert!(lines[3].chars().count() <= WIDEST + 6 && lines[3].contains('…'), "{text}");
            assert_eq!(column(lines[3], "here") + 2, column(lines[4], "┬"), "{text}");
            assert_eq!(column(lines[4], "┬"), column(lines[5], "╰"), "{text}");
            assert!(lines[5].ends_with("╰─── this, and why"), "{text}");
            assert!(lines[1].contains(&format!("f:1:{}", 2 * before + 1)), "{text}");
            assert!(lines[7].chars().count() > 400, "advice is no excerpt\n{text}");
        }
    }

    #[test]
    fn long_marks_have_their_message_nearby() {
        let (line, half) = ("a".repeat(10_000), "─".repeat(5_000));
        let text = narrow(&format!(" 1 │ {line}\n   │ {half}┬{half}\n   │ {}╰─{half} all of it\n", " ".repeat(5_000)));
        assert!(text.lines().all(|line| line.chars().count() <= WIDEST + 6), "{text}");
        assert!(text.ends_with("╰──── all of it\n"), "{text}");
    }

    #[test]
    fn colours_are_kept() {
        let plain = drawn(900, 900);
        let coloured = plain.replace("here", "\u{1b}[31mhere\u{1b}[0m").replace("──┬─", "\u{1b}[31m──┬─\u{1b}[0m");
        let without = narrow(&coloured).replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
        assert_eq!(without, narrow(&plain));
    }
}
