//! The tests of a suite, and the lines that are verified.

use maud::{Markup, html};

use crate::escape::visible;
use crate::model::{Suite, TestChecks, TestVerdict};
use crate::words::{counted, grouped};

pub(super) fn suite(suite: &Suite) -> Markup {
    let (verified, all) = suite.verified_lines();
    html! {
        section {
            h2 { "Tests" }
            p {
                (counted(suite.tests.len(), "test"))
                @for (verdict, count) in suite.by_verdict() { "; " (grouped(count)) " " (verdict.words(count)) }
            }
            table.numbers {
                (head("Test"))
                tbody {
                    @for test in &suite.tests {
                        tr {
                            td { code { (visible(&test.name)) } " " (said(test.verdict)) }
                            (columns(&test.checks))
                        }
                    }
                }
            }
        }
        @if all > 0 {
            section {
                h2 { "Verified coverage" }
                p {
                    "On " (grouped(verified)) " of " (counted(all, "line"))
                    " with checks, every check is verified for all inputs that take the paths of the tests."
                }
                details {
                    summary { (counted(all, "line")) }
                    table.numbers {
                        (head("Line"))
                        tbody {
                            @for line in &suite.lines {
                                tr {
                                    td { code { (visible(&line.file)) ":" (line.line) } }
                                    (columns(&line.checks))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn said(verdict: TestVerdict) -> &'static str {
    match verdict {
        TestVerdict::Failing => "fails itself",
        TestVerdict::Predicted => "comes close to a failure",
        TestVerdict::Verified => "is verified",
        TestVerdict::Open => "is not decided",
    }
}

fn head(what: &str) -> Markup {
    html! {
        thead {
            tr {
                th { (what) }
                th { "checks verified" }
                th { "violated by the test" }
                th { "violated beside it" }
                th { "withheld" }
                th { "undecided" }
            }
        }
    }
}

fn columns(checks: &TestChecks) -> Markup {
    html! {
        td { (grouped(checks.verified)) }
        td { (grouped(checks.found)) }
        td { (grouped(checks.predicted)) }
        td { (grouped(checks.withheld)) }
        td { (grouped(checks.unknown)) }
    }
}
