//! Reports for people at a terminal.

mod finding;
mod summary;

use anstyle::{AnsiColor, Style};
use checkers::catalogue::Severity;

use crate::model::{Finding, Report};
use crate::places::{Place, places};
use crate::sources::{Lines, Sources};

/// The styles of what is printed. Whoever knows the terminal chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    error: Style,
    warning: Style,
    note: Style,
    strong: Style,
    faint: Style,
    good: Style,
}

impl Palette {
    /// No colours.
    pub const fn plain() -> Palette {
        let plain = Style::new();
        Palette { error: plain, warning: plain, note: plain, strong: plain, faint: plain, good: plain }
    }

    /// Colours that can be read on dark and on light ground.
    pub const fn coloured() -> Palette {
        const fn bold(colour: AnsiColor) -> Style {
            colour.on_default().bold()
        }
        Palette {
            error: bold(AnsiColor::Red),
            warning: bold(AnsiColor::Yellow),
            note: bold(AnsiColor::Cyan),
            strong: Style::new().bold(),
            faint: AnsiColor::Blue.on_default(),
            good: bold(AnsiColor::Green),
        }
    }

    fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        }
    }
}

/// Text in a style.
fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Everything: findings, then the summary.
pub fn render(report: &Report, sources: &dyn Sources, palette: &Palette) -> String {
    let lines = Lines::new(sources);
    let mut text = String::new();
    for place in places(&report.findings) {
        finding::write(&mut text, &place, &lines, palette);
        text.push('\n');
    }
    summary::write(&mut text, report, palette);
    text
}

/// One finding, for commands that show each as soon as they have it.
pub fn finding(finding: &Finding, sources: &dyn Sources, palette: &Palette) -> String {
    let mut text = String::new();
    let place = Place { first: finding, others: Vec::new() };
    finding::write(&mut text, &place, &Lines::new(sources), palette);
    text
}

/// The summary alone.
pub fn summary(report: &Report, palette: &Palette) -> String {
    let mut text = String::new();
    summary::write(&mut text, report, palette);
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::escape::is_invisible;
    use crate::testing;

    #[test]
    fn a_report() {
        insta::assert_snapshot!(render(&testing::example(), &testing::sources, &Palette::plain()));
    }

    #[test]
    fn a_report_in_colours() {
        let text = render(&testing::example(), &testing::sources, &Palette::coloured());
        insta::assert_snapshot!(text.replace('\x1b', "␛"));
    }

    #[test]
    fn a_report_without_findings() {
        insta::assert_snapshot!(render(&testing::clean(), &testing::sources, &Palette::plain()));
    }

    #[test]
    fn what_is_known_is_not_called_verified() {
        let mut report = testing::clean();
        report.summary.known = 1;
        let text = summary(&report, &Palette::plain());
        assert!(text.ends_with("\nno new findings; 1 known finding in the baseline\n"), "{text}");
    }

    #[test]
    fn a_report_about_nothing() {
        let report = Report::new("a.out", crate::CommandLine::default());
        insta::assert_snapshot!(render(&report, &|_: &str| None, &Palette::plain()), @"no findings");
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn nothing_reaches_the_terminal_as_it_is(report in testing::report(), source in ".*") {
            let source = |_: &str| Some(source.clone().into_bytes());
            let text = render(&report, &source, &Palette::plain());
            prop_assert!(!text.chars().any(|c| c != '\n' && is_invisible(c)), "{text:?}");
        }
    }
}
