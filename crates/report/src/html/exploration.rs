//! Curves over time, and which lines were reached.

use maud::{Markup, html};

use crate::escape::visible;
use crate::model::{Exploration, FileCoverage, Moment};
use crate::sources::Lines;
use crate::words::{counted, grouped};

const WIDTH: u64 = 560;
const HEIGHT: u64 = 120;

/// What an exploration reached, over time and in the source.
pub(super) fn exploration(explored: &Exploration, lines: &Lines) -> Markup {
    let moments = explored.moments.as_slice();
    html! {
        @if moments.len() > 1 {
            section {
                h2 { "Over time" }
                div.plots {
                    (plot("edges taken", moments, |moment| moment.edges))
                    (plot("paths", moments, |moment| moment.paths))
                    (plot("inputs waiting", moments, |moment| moment.waiting))
                    (plot("findings", moments, |moment| moment.findings))
                }
            }
        }
        @if !explored.files.is_empty() {
            section {
                h2 { "Lines reached" }
                @for file in &explored.files { (coverage(file, lines)) }
            }
        }
    }
}

/// A curve, from 0 to its highest value.
fn plot(name: &str, moments: &[Moment], value: impl Fn(&Moment) -> u64) -> Markup {
    let highest = moments.iter().map(&value).max().unwrap_or(0);
    let last = moments.last().map_or(0, |moment| moment.milliseconds);
    let scaled =
        |number: u64, most: u64, size: u64| (u128::from(number) * u128::from(size) / u128::from(most.max(1))) as u64;
    let point = |moment: &Moment| {
        let x = scaled(moment.milliseconds, last, WIDTH);
        let y = HEIGHT.saturating_sub(scaled(value(moment), highest, HEIGHT));
        format!("{x},{y}")
    };
    let points: Vec<String> = moments.iter().map(point).collect();
    html! {
        div.plot {
            h3 { (name) ": " (grouped(moments.last().map_or(0, &value))) " after " (grouped(last / 1000)) " s" }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" {
                polyline points=(points.join(" ")) fill="none" stroke="currentColor" stroke-width="2" {}
            }
        }
    }
}

/// A file, line by line, as far as its source is there.
fn coverage(file: &FileCoverage, lines: &Lines) -> Markup {
    let reached = file.lines.iter().filter(|(_, is_reached)| *is_reached).count();
    html! {
        details {
            summary {
                code { (visible(&file.file)) } ": " (grouped(reached)) " of " (counted(file.lines.len(), "line"))
            }
            table.coverage {
                tbody {
                    @for (number, is_reached) in &file.lines {
                        tr class=(if *is_reached { "good" } else { "bad" }) {
                            td { (number) }
                            td { (if *is_reached { "reached" } else { "not reached" }) }
                            td { code { (visible(&lines.line(&file.file, *number).unwrap_or_default())) } }
                        }
                    }
                }
            }
        }
    }
}
