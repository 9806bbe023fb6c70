//! One finding.

use checkers::catalogue;
use maud::{Markup, html};

use super::place;
use crate::escape::visible;
use crate::excerpt::{self, Excerpt};
use crate::hexdump::{self, Piece};
use crate::model::input::Stretch;
use crate::model::{Change, Finding, Part};
use crate::places::Place;
use crate::sources::Lines;
use crate::words::{bytes, counted};

/// Lines of source before the one that matters.
const CONTEXT: u32 = 4;

/// Calls and steps that are shown; in endless recursion there are thousands.
const MOST: usize = 200;

pub(super) fn finding(number: u32, found: &Place<'_>, lines: &Lines<'_>) -> Markup {
    let finding = found.first;
    let entry = catalogue::entry(finding.rule);
    let severity = finding.severity.name();
    html! {
        article id={ "finding-" (number) } class=(severity) {
            h2 { span class={ "severity " (severity) } { (severity) } " " (visible(&finding.message)) }
            p { (place(&finding.position, &finding.function)) " · " code { (finding.rule.id()) } " · " (entry.title) }
            @if let Some(excerpt) = excerpt::excerpt(lines, &finding.position, CONTEXT) { (source(&excerpt)) }
            @if finding.stack.len() > 1 { (stack(finding)) }
            @if !found.others.is_empty() { (others(found)) }
            (input(finding))
            @if !finding.reproduce.is_empty() {
                h3 { "Reproduce" }
                pre {
                    code { (visible(finding.reproduce.as_str())) }
                    @if !finding.debug.is_empty() { "\n" code { (visible(finding.debug.as_str())) } }
                }
                @if !finding.no_debug.is_empty() { p { "Debugger: " (visible(&finding.no_debug)) } }
            }
            @if !finding.path.is_empty() { (path(finding)) }
            @if finding.tests.len() > 1 {
                details {
                    summary { (counted(finding.tests.len(), "test")) " show it or come close to it" }
                    ul { @for test in &finding.tests { li { code { (visible(test)) } } } }
                }
            }
            details {
                summary { "About " (entry.name) }
                p { (with_code(entry.help)) }
                p {
                    @for number in entry.cwe {
                        a href={ "https://cwe.mitre.org/data/definitions/" (number) ".html" } { "CWE-" (number) } " "
                    }
                }
            }
            p.faint { "Found by " (found_by(finding)) ". Fingerprint " code { (visible(&finding.fingerprint)) } }
        }
    }
}

/// Text with code between backticks.
fn with_code(text: &str) -> Markup {
    html! {
        @for (index, piece) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (piece) } } @else { (piece) }
        }
    }
}

fn source(excerpt: &Excerpt) -> Markup {
    html! {
        pre.source {
            @for line in &excerpt.lines {
                @let [before, marked, after] = line.pieces();
                span.number { (format!("{:>6}", line.number)) } "  " (before)
                @if !marked.is_empty() { mark { (marked) } }
                (after) "\n"
            }
        }
    }
}

fn stack(finding: &Finding) -> Markup {
    let left_out = finding.stack.len().saturating_sub(MOST);
    html! {
        details open[finding.stack.len() <= 8] {
            summary { (counted(finding.stack.len(), "call")) " on the stack" }
            ol {
                @for frame in finding.stack.iter().take(MOST) {
                    li { (place(&frame.position, &frame.function)) @if frame.inlined { " (inlined)" } }
                }
            }
            @if left_out > 0 { p { "and " (counted(left_out, "more call")) } }
        }
    }
}

/// The other ways to the same place.
fn others(found: &Place<'_>) -> Markup {
    html! {
        details {
            summary { "Also reached in " (counted(found.others.len(), "other way")) }
            ul {
                @for other in &found.others {
                    li {
                        (visible(&other.message))
                        @if let Some(frame) = found.differs(other) { ", by " (place(&frame.position, &frame.function)) }
                        @if !other.reproduce.is_empty() { ": " code { (visible(other.reproduce.as_str())) } }
                    }
                }
            }
        }
    }
}

fn path(finding: &Finding) -> Markup {
    let left_out = finding.path.len().saturating_sub(MOST);
    html! {
        details {
            summary { "Path: " (counted(finding.path.len(), "step")) }
            @if left_out > 0 { p { (counted(left_out, "step")) " not shown, then" } }
            ol {
                @for step in finding.path.iter().skip(left_out) {
                    li { (place(&step.position, "")) ": " (visible(&step.text)) }
                }
            }
        }
    }
}

fn input(finding: &Finding) -> Markup {
    let stretches: Vec<Stretch<'_>> = Stretch::of(&finding.changes).collect();
    html! {
        @if !stretches.is_empty() || !finding.input.parts.is_empty() { h3 { "Input" } }
        @if !stretches.is_empty() {
            ul {
                @for stretch in stretches.iter().take(MOST) { li { (stretch.sentence()) } }
                @if stretches.len() > MOST { li { "and " (counted(stretches.len() - MOST, "more change")) } }
            }
        }
        @for part in &finding.input.parts { (dump(part, &finding.changes)) }
        @if !finding.not_saved.is_empty() { p { "Not saved: " (visible(&finding.not_saved)) } }
    }
}

fn dump(part: &Part, changes: &[Change]) -> Markup {
    html! {
        p {
            (part.kind.name()) " " code { (visible(&part.name)) } ", " (bytes(part.length))
            @if let Some(saved) = &part.saved { ", saved in " code { (visible(saved)) } }
        }
        @if part.length > 0 {
            pre.dump {
                @for piece in hexdump::dump(part, changes) {
                    @match piece {
                        Piece::Gap(gap) => { span.number { "     …" } "  " (bytes(gap)) " not shown\n" }
                        Piece::Row { offset, cells } => (row(offset, &cells))
                    }
                }
            }
        }
    }
}

fn row(offset: usize, cells: &[(u8, bool)]) -> Markup {
    let missing = hexdump::WIDTH.saturating_sub(cells.len());
    html! {
        span.number { (format!("{offset:06x}")) } " "
        @for (byte, matters) in cells {
            " " @if *matters { mark { (format!("{byte:02x}")) } } @else { (format!("{byte:02x}")) }
        }
        ("   ".repeat(missing)) "  "
        @for (byte, matters) in cells {
            @let shown = if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '·' };
            @if *matters { mark { (shown) } } @else { (shown) }
        }
        "\n"
    }
}

fn found_by(finding: &Finding) -> Markup {
    let by = finding.predicted_by.describe();
    html! {
        (visible(&by))
        @if !finding.from_input.is_empty() { ", from " code { (visible(&finding.from_input)) } }
        "; " (finding.verdict.name())
    }
}
