//! Verdicts and parse errors as text with source excerpts.

use core::fmt::Write as _;

use ariadne::{Color, Config, IndexType, Label, ReportKind, Source};

use crate::evaluate::Stuck;
use crate::parse::ParseError;
use crate::span::Span;
use crate::verdict::{BlockPlace, Cause, Rejection, Report, Run, Verdict, Witness};

/// Decisions of a path that are shown; the others are counted.
const MAX_STEPS: usize = 12;
/// Values of a witness that are shown.
const MAX_VALUES: usize = 16;

/// A program's text with the name of its file.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// For messages.
    pub name: &'a str,
    /// The program.
    pub source: &'a str,
    /// Whether to use colours.
    pub colours: bool,
}

impl Text<'_> {
    /// `line:column` of a byte.
    fn position(&self, at: usize) -> String {
        let before = self.source.get(..at.min(self.source.len())).unwrap_or(self.source);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("{line}:{column}")
    }

    /// The source of a span, shortened to a line.
    fn excerpt(&self, span: Span) -> String {
        let text = self.source.get(span.start..span.end).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let whole = words.join(" ");
        match whole.char_indices().nth(40) {
            Some((end, _)) => format!("{}…", &whole[..end]),
            None => whole,
        }
    }

    fn block(&self, block: &BlockPlace) -> String {
        let place = self.position(block.span.start);
        format!("{} block at {place}", block.mode.word())
    }

    fn diagnostic(
        &self,
        code: &str,
        message: &str,
        labels: &[(Span, &str, Color)],
        notes: &[String],
        help: Option<&str>,
    ) -> String {
        let Some((main, ..)) = labels.first() else { return format!("{message}\n") };
        let place = |span: Span| (self.name, span.start..span.end.max(span.start));
        let config = Config::new().with_color(self.colours).with_index_type(IndexType::Byte);
        let mut report =
            ariadne::Report::build(ReportKind::Error, place(*main)).with_config(config).with_message(message);
        if !code.is_empty() {
            report = report.with_code(code);
        }
        for (span, text, colour) in labels {
            report = report.with_label(Label::new(place(*span)).with_message(text).with_color(*colour));
        }
        for note in notes {
            report = report.with_note(note);
        }
        if let Some(help) = help {
            report = report.with_help(help);
        }
        let mut bytes = Vec::new();
        match report.finish().write((self.name, Source::from(self.source)), &mut bytes) {
            Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => format!("{message}\n"),
        }
    }
}

/// A text that is no program.
pub fn parse_error(text: Text<'_>, error: &ParseError) -> String {
    text.diagnostic("", &error.message, &[(error.span, "here", Color::Red)], &[], error.help.as_deref())
}

/// An evaluation that ended in an error or was stopped.
pub fn stuck(text: Text<'_>, stuck: &Stuck) -> String {
    match stuck {
        Stuck::Error { span, message } => {
            text.diagnostic("", message, &[(*span, "no rule applies", Color::Red)], &[], None)
        }
        Stuck::OutOfBudget => format!("{stuck}\n"),
    }
}

/// A verdict: a line for an accepted program, a diagnostic for each reason to reject one.
pub fn report(text: Text<'_>, report: &Report) -> String {
    let mut out = String::new();
    match &report.verdict {
        Verdict::Accepted { ty, exhaustive } => {
            let how = if *exhaustive { "" } else { " (good enough: not all paths were explored)" };
            let _ = writeln!(out, "accepted: {ty}{how}");
        }
        Verdict::Rejected { rejections } => {
            for rejection in rejections {
                out.push_str(&one(text, rejection));
                out.push('\n');
            }
            let _ = writeln!(out, "rejected");
        }
    }
    out
}

fn one(text: Text<'_>, rejection: &Rejection) -> String {
    let main = match rejection.cause {
        Cause::Type => "the wrong type",
        Cause::Memory => "relies on what cells hold",
        Cause::NotExhaustive => "left unexplored",
        Cause::Unsupported => "cannot be followed",
        Cause::Limit => "given up",
    };
    // One label says it where two would be at the same place.
    let same_place = rejection.related.iter().find(|(span, _)| *span == rejection.span);
    let mut labels = vec![(rejection.span, same_place.map_or(main, |(_, message)| message), Color::Red)];
    let others = rejection.related.iter().filter(|(span, _)| *span != rejection.span);
    labels.extend(others.map(|(span, message)| (*span, message.as_str(), Color::Blue)));
    let mut notes = vec![within(text, rejection)];
    notes.extend(path(text, rejection));
    notes.extend(rejection.witness.iter().map(|found| witness(text, found)));
    if let Cause::Unsupported | Cause::Limit | Cause::NotExhaustive = rejection.cause {
        notes.push("this is a limit of the analysis, not an error of the program".to_owned());
    }
    text.diagnostic(rejection.rule, &rejection.message, &labels, &notes, rejection.help.as_deref())
}

fn within(text: Text<'_>, rejection: &Rejection) -> String {
    let mut places: Vec<String> = rejection.blocks.iter().skip(1).rev().map(|block| text.block(block)).collect();
    // The outermost one is no block that anybody wrote.
    places.extend(rejection.blocks.first().map(|whole| format!("{} program", whole.mode.word())));
    format!("rejected by the {}", places.join(", in the "))
}

fn path(text: Text<'_>, rejection: &Rejection) -> Option<String> {
    if rejection.path.is_empty() {
        return None;
    }
    let steps = rejection.path.iter().take(MAX_STEPS).map(|step| {
        let side = if step.taken { "true" } else { "false" };
        format!("`{}` at {} is {side}", text.excerpt(step.span), text.position(step.span.start))
    });
    let mut shown: Vec<String> = steps.collect();
    if let Some(more) = rejection.path.len().checked_sub(MAX_STEPS).filter(|more| *more > 0) {
        shown.push(format!("{more} more decisions"));
    }
    Some(format!("on the path where {}", shown.join(", ")))
}

fn witness(text: Text<'_>, witness: &Witness) -> String {
    let mut values: Vec<String> =
        witness.values.iter().take(MAX_VALUES).map(|(name, value)| format!("{name} = {value}")).collect();
    if witness.values.len() > MAX_VALUES {
        values.push("…".to_owned());
    }
    let start = match values.is_empty() {
        true => "witness: any state".to_owned(),
        false => format!("witness: {}", values.join(", ")),
    };
    let end = match &witness.run {
        Run::Error { span, message } => {
            format!("; run from there, it ends in an error at {}: {message}", text.position(span.start))
        }
        Run::NoError => "; run from there, it ends in no error".to_owned(),
        Run::Unknown => String::new(),
    };
    format!("{start} at the start of the {}{end}", text.block(&witness.block))
}
