//! One finding as text.

use unicode_width::UnicodeWidthStr;

use super::{Palette, styled};
use crate::escape::visible;
use crate::excerpt;
use crate::model::input::Stretch;
use crate::model::{Finding, Frame, Position, Prediction, Step, Verdict};
use crate::places::Place;
use crate::sources::Lines;
use crate::words::{bytes, counted};

/// Lines of source before the one that matters.
const CONTEXT: u32 = 2;

/// Calls that are shown; in endless recursion there are thousands.
const FRAMES: usize = 12;

/// Steps of the path that are shown, the last ones.
const STEPS: usize = 6;

/// Callers that are named of the ways that are not shown.
const CALLERS: usize = 4;

/// Tests that are named.
const TESTS: usize = 4;

/// Changes that are shown.
const CHANGES: usize = 8;

pub(super) fn write(text: &mut String, found: &Place<'_>, lines: &Lines<'_>, palette: &Palette) {
    let finding = found.first;
    let severity = styled(palette.severity(finding.severity), finding.severity.name());
    let message = styled(palette.strong, &visible(&finding.message));
    text.push_str(&format!("{severity}: {message} [{}]\n", finding.rule));
    let margin = write_excerpt(text, finding, lines, palette);
    for (word, note) in notes(finding, others(found)) {
        let word = styled(palette.strong, word);
        text.push_str(&format!("{:margin$} {} {word}: {note}\n", "", styled(palette.faint, "=")));
    }
}

/// Writes position and source; gives the width of the line numbers.
fn write_excerpt(text: &mut String, finding: &Finding, lines: &Lines<'_>, palette: &Palette) -> usize {
    let excerpt = excerpt::excerpt(lines, &finding.position, CONTEXT);
    let last = excerpt.as_ref().and_then(|excerpt| excerpt.lines.last());
    let margin = last.map_or(1, |line| line.number.to_string().len());
    let bar = styled(palette.faint, "|");
    let place = place(&finding.position, &finding.function);
    text.push_str(&format!("{:margin$}{} {place}\n", "", styled(palette.faint, "-->")));
    let Some(excerpt) = excerpt else { return margin };
    text.push_str(&format!("{:margin$} {bar}\n", ""));
    for line in &excerpt.lines {
        let number = styled(palette.faint, &format!("{:>margin$}", line.number));
        text.push_str(format!("{number} {bar} {}", line.text).trim_end());
        text.push('\n');
        let [before, marked, _] = line.pieces();
        if !marked.is_empty() {
            let carets = styled(palette.severity(finding.severity), &"^".repeat(marked.width().max(1)));
            text.push_str(&format!("{:margin$} {bar} {:before$}{carets}\n", "", "", before = before.width()));
        }
    }
    margin
}

/// What stands below the excerpt: a word and what it introduces.
fn notes(finding: &Finding, others: Option<String>) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    notes.extend(calls(&finding.stack));
    notes.extend(others.map(|others| ("also", others)));
    notes.extend(steps(&finding.path));
    notes.push(("found by", found_by(finding)));
    notes.extend(tests(&finding.tests));
    let stretches: Vec<Stretch<'_>> = Stretch::of(&finding.changes).collect();
    notes.extend(stretches.iter().take(CHANGES).map(|stretch| ("input", stretch.sentence())));
    if stretches.len() > CHANGES {
        notes.push(("input", format!("and {}", counted(stretches.len() - CHANGES, "more change"))));
    }
    for part in &finding.input.parts {
        if let Some(saved) = &part.saved {
            let (name, length) = (visible(&part.name), bytes(part.length));
            notes.push(("saved", format!("{name} ({length}) in {}", visible(saved))));
        }
    }
    if !finding.not_saved.is_empty() {
        notes.push(("not saved", visible(&finding.not_saved).into_owned()));
    }
    let commands = [("reproduce", &finding.reproduce), ("debug", &finding.debug)];
    let commands = commands.into_iter().filter(|(_, command)| !command.is_empty());
    notes.extend(commands.map(|(word, command)| (word, visible(command.as_str()).into_owned())));
    if !finding.no_debug.is_empty() {
        notes.push(("debug", visible(&finding.no_debug).into_owned()));
    }
    notes
}

fn calls(stack: &[Frame]) -> Vec<(&'static str, String)> {
    // The first frame is the place that was shown already.
    let callers = stack.get(1..).unwrap_or_default();
    let describe = |frame: &Frame| {
        let inlined = if frame.inlined { " (inlined)" } else { "" };
        format!("{}{inlined}", place(&frame.position, &frame.function))
    };
    let callers: Vec<String> = callers.iter().map(describe).collect();
    // A function that calls itself may have called itself thousands of times.
    let repeated: Vec<&[String]> = callers.chunk_by(|a, b| a == b).collect();
    let (shown, left_out) = repeated.split_at(repeated.len().min(FRAMES));
    let mut calls: Vec<_> = shown
        .iter()
        .filter_map(|same| Some(("called from", format!("{}{}", same.first()?, times(same.len())))))
        .collect();
    let left_out: usize = left_out.iter().map(|calls| calls.len()).sum();
    if left_out > 0 {
        calls.push(("called from", format!("{} not shown", counted(left_out, "more call"))));
    }
    calls
}

/// The other ways to the same place, by what they do not have in common with the one that is shown.
fn others(found: &Place<'_>) -> Option<String> {
    let mut callers: Vec<String> = Vec::new();
    for frame in found.others.iter().filter_map(|other| found.differs(other)) {
        let caller = place(&Position { column: 0, ..frame.position.clone() }, &frame.function);
        if !callers.contains(&caller) {
            callers.push(caller);
        }
    }
    let more = callers.len().saturating_sub(CALLERS);
    callers.truncate(CALLERS);
    if more > 0 {
        callers.push(format!("{more} more"));
    }
    let ways = match found.others.len() {
        0 => return None,
        1 => "reached in another way".to_owned(),
        number => format!("reached in {number} other ways"),
    };
    Some(if callers.is_empty() { ways } else { format!("{ways}: by {}", callers.join(", ")) })
}

fn steps(path: &[Step]) -> Vec<(&'static str, String)> {
    let repeated: Vec<&[Step]> = path.chunk_by(|a, b| a == b).collect();
    let (left_out, shown) = repeated.split_at(repeated.len().saturating_sub(STEPS));
    let mut steps = Vec::new();
    let left_out: usize = left_out.iter().map(|steps| steps.len()).sum();
    if left_out > 0 {
        steps.push(("path", format!("{} not shown, then", counted(left_out, "step"))));
    }
    for same in shown {
        let Some(step) = same.first() else { continue };
        let text = visible(&step.text);
        steps.push(("path", format!("{}: {text}{}", place(&step.position, ""), times(same.len()))));
    }
    steps
}

/// How often something happened that was said already.
fn times(count: usize) -> String {
    if count > 1 { format!(", {count} times") } else { String::new() }
}

fn tests(tests: &[String]) -> Option<(&'static str, String)> {
    // The one that it was found from has been named.
    let more = tests.len().checked_sub(TESTS).filter(|more| *more > 0);
    let mut names: Vec<String> = tests.iter().take(TESTS).map(|name| visible(name).into_owned()).collect();
    names.extend(more.map(|more| counted(more, "more test")));
    (tests.len() > 1).then(|| ("tests", names.join(", ")))
}

fn found_by(finding: &Finding) -> String {
    let by = visible(&finding.predicted_by.describe()).into_owned();
    let from = match finding.from_input.as_str() {
        "" => String::new(),
        name => format!(", from {}", visible(name)),
    };
    let verdict = match (&finding.predicted_by, finding.verdict) {
        (Prediction::Run, _) | (Prediction::Analysis { .. }, Verdict::NotRun) => String::new(),
        (Prediction::Branch { .. } | Prediction::Changed { .. }, Verdict::Confirmed | Verdict::ConfirmedElsewhere) => {
            "; seen when it was run".to_owned()
        }
        (Prediction::Checker { position, .. }, Verdict::Confirmed) if !is_same_line(position, &finding.position) => {
            "; when run, it failed there, and here too".to_owned()
        }
        (Prediction::Checker { .. }, Verdict::Confirmed)
        | (Prediction::Analysis { .. }, Verdict::Confirmed | Verdict::ConfirmedElsewhere) => {
            "; confirmed by running it".to_owned()
        }
        (Prediction::Checker { .. }, Verdict::ConfirmedElsewhere) => "; when run, it failed here instead".to_owned(),
        (_, verdict) => format!("; {}", verdict.name()),
    };
    format!("{by}{from}{verdict}")
}

fn is_same_line(a: &Position, b: &Position) -> bool {
    (&a.file, a.line) == (&b.file, b.line)
}

fn place(position: &Position, function: &str) -> String {
    let position = position.to_string();
    let position = visible(&position);
    match function {
        "" => position.into_owned(),
        name => format!("{position} in {}", visible(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_repeat_are_shown_once() {
        let frame =
            |line| Frame { function: "nest".to_owned(), position: Position::new("a.c", line, 1), inlined: false };
        let mut stack = vec![frame(1); 60];
        stack.push(frame(9));
        let shown: Vec<String> = calls(&stack).into_iter().map(|(_, text)| text).collect();
        assert_eq!(shown, ["a.c:1:1 in nest, 59 times", "a.c:9:1 in nest"]);
        let stack: Vec<Frame> = (0..40).map(|call| frame(call % 2)).collect();
        assert_eq!(calls(&stack).last().map(|(_, text)| text.as_str()), Some("27 more calls not shown"));
    }

    #[test]
    fn steps_that_repeat_are_shown_once() {
        let step = |line, text: &str| Step { position: Position::new("a.c", line, 1), text: text.to_owned() };
        let mut path = vec![step(1, "branch taken"); 9];
        path.push(step(2, "branch not taken"));
        let shown: Vec<String> = steps(&path).into_iter().map(|(_, text)| text).collect();
        assert_eq!(shown, ["a.c:1:1: branch taken, 9 times", "a.c:2:1: branch not taken"]);
        let path: Vec<Step> =
            (0..10).map(|line| step(line / 2 + 1, if line % 2 == 0 { "on" } else { "off" })).collect();
        assert_eq!(steps(&path).len(), STEPS + 1);
        assert_eq!(steps(&path).first().map(|(_, text)| text.as_str()), Some("4 steps not shown, then"));
    }
}
