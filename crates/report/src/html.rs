//! One HTML page that needs nothing else: no scripts, no fonts, no pictures, and it works without a network.

mod exploration;
mod finding;
mod overview;
mod suite;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::visible;
use crate::model::{Position, Report};
use crate::places;
use crate::sources::{Lines, Sources};

/// How the page looks, on light and on dark ground and on paper.
const STYLE: &str = include_str!("html/style.css");

/// Even if something slipped through the escaping, browsers would not run or fetch it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Writes a report.
pub fn render(report: &Report, sources: &dyn Sources) -> String {
    let lines = Lines::new(sources);
    let title = format!("{} in {}", found(report), visible(&report.program));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ (visible(&report.tool.name)) " " (visible(&report.tool.version)) };
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    @if !report.command.is_empty() {
                        p { code { (visible(report.command.as_str())) } }
                    }
                }
                main {
                    (overview::overview(report))
                    @for (number, place) in (1u32..).zip(places::places(&report.findings)) {
                        (finding::finding(number, &place, &lines))
                    }
                    @if let Some(explored) = &report.summary.exploration { (exploration::exploration(explored, &lines)) }
                    @if let Some(tests) = &report.summary.suite { (suite::suite(tests)) }
                    (overview::details(report))
                }
                footer { (visible(&report.tool.name)) " " (visible(&report.tool.version)) }
            }
        }
    };
    page.into_string()
}

fn found(report: &Report) -> String {
    match report.findings.len() {
        0 => "No findings".to_owned(),
        _ => places::number(report),
    }
}

/// A place, in a function if that is known.
fn place(position: &Position, function: &str) -> Markup {
    let position = position.to_string();
    html! {
        code { (visible(&position)) }
        @if !function.is_empty() { " in " code { (visible(function)) } }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::escape::is_invisible;
    use crate::testing;

    /// The page with a line end before each tag, so that snapshots can be read.
    fn broken_up(page: &str) -> String {
        page.replace(STYLE, "…").replace('<', "\n<").replace("\n</", "</")
    }

    #[test]
    fn a_report() {
        insta::assert_snapshot!(broken_up(&render(&testing::example(), &testing::sources)));
    }

    #[test]
    fn a_report_without_findings() {
        insta::assert_snapshot!(broken_up(&render(&testing::clean(), &testing::sources)));
    }

    /// Every tag that the page uses.
    const TAGS: &str = "!DOCTYPE html head meta title style body header h1 h2 h3 p code main section article footer a span \
                        table thead tbody tr th td pre mark ol ul li details summary dl dt dd div svg polyline";

    /// The names of all tags, start and end, in order; attributes must be well-formed.
    fn tags(page: &str) -> Vec<&str> {
        page.split('<').skip(1).map(|rest| rest.split(['>', ' ']).next().unwrap()).collect()
    }

    fn unescaped(page: &str) -> String {
        page.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    }

    proptest! {
        #![proptest_config(testing::few())]

        #[test]
        fn nothing_in_a_report_is_markup(report in testing::report(), source in ".*") {
            let page = render(&report, &|_: &str| Some(source.clone().into_bytes()));
            let mut open = Vec::new();
            for tag in tags(&page) {
                let name = tag.trim_start_matches('/');
                prop_assert!(TAGS.split_whitespace().any(|known| known == name), "<{tag}");
                match tag.strip_prefix('/') {
                    Some(name) => prop_assert_eq!(open.pop(), Some(name)),
                    None if matches!(tag, "!DOCTYPE" | "meta") => {}
                    None => open.push(tag),
                }
            }
            prop_assert!(open.is_empty());
            let body = page.replace(STYLE, "");
            prop_assert!(!body.chars().any(|c| c != '\n' && is_invisible(c)));
            let body = unescaped(&body);
            for finding in &report.findings {
                prop_assert!(body.contains(visible(&finding.message).as_ref()), "{}", finding.message);
            }
        }
    }
}
