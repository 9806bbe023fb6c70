//! Messages with the lines that they are about.

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind};
use csimpl::{Diagnostic, Lines, Span};

use crate::narrow::narrow;

/// A file.
pub struct Source<'a> {
    /// Its name.
    pub name: &'a str,
    text: &'a str,
    lines: Lines<'a>,
    color: bool,
}

impl<'a> Source<'a> {
    /// A file, shown with colours or without.
    pub fn new(name: &'a str, text: &'a str, color: bool) -> Source<'a> {
        Source { name, text, lines: Lines::new(text), color }
    }

    /// Line and column of the start of a stretch.
    pub fn position(&self, span: Span) -> (usize, usize) {
        self.lines.position(span.start)
    }

    /// Something that is wrong with the file.
    pub fn error(&self, diagnostic: &Diagnostic) -> String {
        let kind = ReportKind::Custom("error", Color::Red);
        self.report(kind, &diagnostic.message, diagnostic.span, &diagnostic.label, diagnostic.help.as_deref(), None)
    }

    /// Something that was found.
    pub fn finding(&self, message: &str, span: Span, label: &str, note: Option<&str>) -> String {
        self.report(ReportKind::Custom("finding", Color::Red), message, span, label, None, note)
    }

    /// A subtyping that was refuted.
    pub fn rejection(&self, message: &str, span: Span, label: &str, help: &str) -> String {
        self.report(ReportKind::Custom("ill-typed", Color::Red), message, span, label, Some(help), None)
    }

    fn report(
        &self,
        kind: ReportKind<'_>,
        message: &str,
        span: Span,
        label: &str,
        help: Option<&str>,
        note: Option<&str>,
    ) -> String {
        let config =
            Config::default().with_color(self.color).with_index_type(IndexType::Byte).with_char_set(CharSet::Unicode);
        let place = (self.name, span.start..span.end);
        let mut report = Report::build(kind, place.clone())
            .with_config(config)
            .with_message(message)
            .with_label(Label::new(place).with_message(label).with_color(Color::Red));
        if let Some(help) = help {
            report = report.with_help(help);
        }
        if let Some(note) = note {
            report = report.with_note(note);
        }
        let mut bytes = Vec::new();
        let cache = (self.name, ariadne::Source::from(self.text));
        match report.finish().write(cache, &mut bytes) {
            // The first word is coloured whatever the configuration says.
            Ok(()) if !self.color => {
                narrow(&String::from_utf8_lossy(&bytes).replace("\u{1b}[31m", "").replace("\u{1b}[0m", ""))
            }
            Ok(()) => narrow(&String::from_utf8_lossy(&bytes)),
            Err(_) => format!("{message}: {label}\n"),
        }
    }
}
