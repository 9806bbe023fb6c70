//! What is said of the report as a whole.

use checkers::catalogue;
use maud::{Markup, html};

use crate::escape::visible;
use crate::model::{LoopCost, Loss, Report};
use crate::places::places;
use crate::words::{bytes, counted, grouped};

/// What stands before the findings: the most important numbers and a list of what was found.
pub(super) fn overview(report: &Report) -> Markup {
    let summary = &report.summary;
    let checks = summary.checks.iter().map(|counts| counts.total()).fold(0, u64::saturating_add);
    html! {
        section {
            div.cards {
                (card(&grouped(report.findings.len()), if report.findings.len() == 1 { "finding" } else { "findings" }, if report.findings.is_empty() { "good" } else { "bad" }))
                @if summary.known > 0 { (card(&grouped(summary.known), "known from the baseline", "")) }
                @if checks > 0 { (card(&grouped(checks), if summary.exploration.is_some() || summary.suite.is_some() { "checks" } else { "checks on the path" }, "")) }
                @if summary.branches.total > 0 { (card(&grouped(summary.branches.total), if summary.exploration.is_some() { "branches" } else { "branches on the path" }, "")) }
                @if summary.candidates > 0 { (card(&grouped(summary.candidates), "inputs run", "")) }
                @if summary.seconds.total > 0.0 { (card(&format!("{:.1} s", summary.seconds.total), "in all", "")) }
            }
            @if let Some(explored) = &summary.exploration {
                @let holds = summary.complete && summary.known == 0 && report.findings.is_empty();
                p.verdict { (visible(&explored.sentence(holds))) "." }
                @for missing in &explored.missing { p { "Missing: " (visible(missing)) "." } }
            } @else if summary.suite.is_some() {
                @if summary.complete && summary.known == 0 && report.findings.is_empty() {
                    p.verdict.good { "The paths of all tests are verified: every check was decided and nothing was lost." }
                }
            } @else if summary.complete && summary.known == 0 && report.findings.is_empty() {
                p.verdict.good { "This path is verified: every check was decided and nothing was lost." }
            } @else if summary.complete {
                p { "Every check of this path was decided and nothing was lost." }
            }
            @if summary.interrupted {
                p.verdict.bad { "Stopped before everything was tried." }
            }
            @if !summary.run.end.is_empty() {
                p {
                    code { (visible(&report.program)) }
                    @if !summary.run.input.is_empty() {
                        " on " code { (visible(&summary.run.input)) }
                        " (" (bytes(summary.run.input_bytes)) ", " (grouped(summary.run.bytes_that_matter))
                        " of them matter)"
                    }
                    "; the program " (visible(&summary.run.end)) "."
                }
            }
            @if !report.findings.is_empty() { (list(report)) }
        }
    }
}

fn card(number: &str, text: &str, kind: &str) -> Markup {
    html! { div class={ "card " (kind) } { span.number { (number) } " " (text) } }
}

fn list(report: &Report) -> Markup {
    html! {
        table {
            thead { tr { th { "Severity" } th { "Rule" } th { "Finding" } th { "Place" } } }
            tbody {
                @for (number, place) in (1u32..).zip(places(&report.findings)) {
                    @let finding = place.first;
                    tr {
                        td { span class={ "severity " (finding.severity.name()) } { (finding.severity.name()) } }
                        td { code { (finding.rule.id()) } }
                        td { a href={ "#finding-" (number) } { (visible(&finding.message)) }
                            @if !place.others.is_empty() { ", and in " (counted(place.others.len(), "other way")) }
                        }
                        td { (super::place(&finding.position, &finding.function)) }
                    }
                }
            }
        }
    }
}

/// What stands behind the findings: what was proved, what was not covered, and the numbers.
pub(super) fn details(report: &Report) -> Markup {
    html! {
        @if !report.verified.is_empty() {
            section {
                h2 { "Proved for every input that takes " @if report.summary.suite.is_some() { "the path of a test" } @else { "this path" } }
                ul {
                    @for verified in &report.verified {
                        li { (catalogue::entry(verified.rule).absence) " (" (counted(verified.checks, "check")) ")" }
                    }
                }
            }
        }
        @if !report.losses.is_empty() {
            section {
                h2 { "Not covered" }
                ul { @for loss in &report.losses { li { (not_covered(loss)) } } }
            }
        }
        @if !report.advice.is_empty() {
            section {
                h2 { "What to do next" }
                ul { @for advice in &report.advice { li { (visible(advice)) } } }
            }
        }
        @if !report.summary.loops.is_empty() { (loops(&report.summary.loops)) }
        (numbers(report))
    }
}

/// Which loops lead to most inputs, and why.
fn loops(costs: &[LoopCost]) -> Markup {
    html! {
        section {
            h2 { "Loops on input" }
            table.numbers {
                thead { tr { th { "Loop" } th { "inputs" } th { "decisions left out" } th { "many iterations tried" } th { "Why" } } }
                tbody {
                    @for cost in costs {
                        tr {
                            td { code { (visible(&cost.position.file)) ":" (cost.position.line) } }
                            td { (grouped(cost.inputs)) }
                            td { (grouped(cost.left_out)) }
                            td { (grouped(cost.attempts)) }
                            td { (visible(&cost.why)) }
                        }
                    }
                }
            }
        }
    }
}

fn not_covered(loss: &Loss) -> Markup {
    html! {
        @if loss.count > 0 { (grouped(loss.count)) " " }
        (visible(&loss.text))
        @if !loss.places.is_empty() {
            details {
                summary { (counted(loss.places.len(), "place")) }
                ul {
                    @for place in &loss.places {
                        li {
                            @if place.file.is_empty() { "unknown place" }
                            @else { code { (visible(&place.file)) ":" (place.line) } }
                            @if place.count > 1 { " ×" (grouped(place.count)) }
                        }
                    }
                }
            }
        }
    }
}

fn numbers(report: &Report) -> Markup {
    let summary = &report.summary;
    let (branches, queries, verdicts) = (&summary.branches, &summary.queries, &summary.verdicts);
    html! {
        @if !summary.checks.is_empty() {
            section {
                h2 { "Checks" }
                table.numbers {
                    thead { tr { th { "Rule" } th { "hold " (report.how_far()) } th { "can be violated" } th { "undecided" } } }
                    tbody {
                        @for counts in &summary.checks {
                            tr {
                                td { code { (counts.rule.id()) } }
                                td { (grouped(counts.safe)) }
                                td { (grouped(counts.violated)) }
                                td { (grouped(counts.unknown)) }
                            }
                        }
                    }
                }
            }
        }
        @if branches.total > 0 || queries.asked > 0 || summary.candidates > 0 {
            section {
                h2 { "Numbers" }
                dl {
                    @if branches.total > 0 {
                        dt { "Branches" }
                        dd { (branches.sentence("on the path")) }
                    }
                    @if let Some(neighbours) = &summary.neighbours {
                        dt { "Neighbours" }
                        dd { (neighbours.sentence()) }
                    }
                    @if let Some(variants) = &summary.variants {
                        dt { "Variants" }
                        dd { (variants.sentence()) }
                    }
                    @if queries.asked > 0 {
                        dt { "Solver" }
                        dd {
                            (counted(queries.asked, "query")) ": " (grouped(queries.sat)) " sat, "
                            (grouped(queries.unsat)) " unsat, " (grouped(queries.unknown)) " without an answer"
                            @for tier in queries.tiers.iter().filter(|tier| tier.answered > 0) {
                                "; " (visible(&tier.tier)) " " (grouped(tier.answered))
                            }
                        }
                    }
                    @if summary.candidates > 0 {
                        dt { "Replayed" }
                        dd {
                            (counted(summary.candidates, "input")) ": " (grouped(verdicts.confirmed)) " confirmed, "
                            (grouped(verdicts.confirmed_elsewhere)) " confirmed elsewhere, "
                            (grouped(verdicts.diverged)) " diverged, " (grouped(verdicts.not_reproduced))
                            " not reproduced"
                        }
                        @if let Some(slow) = &summary.slow {
                            dt { "Too slow" }
                            dd {
                                (slow.sentence())
                                @if !slow.reproduce.is_empty() { "; the first: " code { (visible(slow.reproduce.as_str())) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
