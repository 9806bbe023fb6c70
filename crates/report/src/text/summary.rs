//! The summary as text.

use checkers::catalogue::{self, Severity};

use super::{Palette, styled};
use crate::escape::visible;
use crate::model::{LoopCost, Loss, LossPlace, Neighbours, Report, Seconds, Summary, Variants};
use crate::places;
use crate::words::{bytes, counted, grouped};

/// Width of the words at the left.
const MARGIN: usize = 12;

/// Places that are named for each cause of a loss.
const PLACES: usize = 4;

pub(super) fn write(text: &mut String, report: &Report, palette: &Palette) {
    let mut row = |word: &str, lines: Vec<String>| {
        for (index, line) in lines.iter().enumerate() {
            let word = if index == 0 { word } else { "" };
            let padding = MARGIN.saturating_sub(word.len());
            text.push_str(&format!("{}{:padding$}{line}\n", styled(palette.strong, word), ""));
        }
    };
    let summary = &report.summary;
    row("ran", ran(report));
    row("tests", tests(summary));
    row("paths", paths(summary));
    row("loops", loops(summary));
    row("branches", branches(summary));
    row("checks", checks(report));
    row("neighbours", summary.neighbours.iter().map(Neighbours::sentence).collect());
    row("variants", summary.variants.iter().map(Variants::sentence).collect());
    row("solver", solver(summary));
    row("replayed", replayed(summary));
    row("time", time(summary));
    row("proved", proved(report));
    row("missing", summary.exploration.iter().flat_map(|e| &e.missing).map(|m| visible(m).into_owned()).collect());
    row("not covered", report.losses.iter().map(loss).collect());
    row("next", report.advice.iter().map(|advice| visible(advice).into_owned()).collect());
    text.push_str(&conclusion(report, palette));
    text.push('\n');
}

fn ran(report: &Report) -> Vec<String> {
    let run = &report.summary.run;
    if run.end.is_empty() {
        return Vec::new();
    }
    let program = visible(&report.program);
    let input = match run.input.as_str() {
        "" => String::new(),
        name => format!(
            " on {} ({}, {} of them matter)",
            visible(name),
            bytes(run.input_bytes),
            grouped(run.bytes_that_matter)
        ),
    };
    vec![format!("{program}{input}; the program {}", visible(&run.end))]
}

/// Reasons that are given for what is undecided.
const REASONS: usize = 4;

fn tests(summary: &Summary) -> Vec<String> {
    let Some(suite) = &summary.suite else { return Vec::new() };
    let verdicts: Vec<String> =
        suite.by_verdict().map(|(verdict, count)| format!("{} {}", grouped(count), verdict.words(count))).collect();
    let done = suite.tests.len() as u64;
    let tests = match suite.waiting_tests {
        0 => grouped(done),
        waiting => format!("{} of {} done", grouped(done), grouped(done.saturating_add(waiting))),
    };
    let mut lines = vec![if verdicts.is_empty() { tests } else { format!("{tests}: {}", verdicts.join(", ")) }];
    if suite.known_tests > 0 || suite.known_checks > 0 {
        lines.push(format!(
            "{} and {} were known from before",
            counted(suite.known_tests, "test"),
            counted(suite.known_checks, "check")
        ));
    }
    if suite.late_tests > 0 {
        lines.push(format!("time was over before the end of {}", counted(suite.late_tests, "test")));
    }
    let (verified, all) = suite.verified_lines();
    if all > 0 {
        lines.push(format!("every check is verified on {} of {} with checks", grouped(verified), counted(all, "line")));
    }
    let reason = |(reason, count): &(String, u64)| format!("  {}: {}", counted(*count, "check"), visible(reason));
    lines.extend(suite.reasons.iter().take(REASONS).map(reason));
    lines
}

fn paths(summary: &Summary) -> Vec<String> {
    let Some(explored) = &summary.exploration else { return Vec::new() };
    let mut lines = vec![format!(
        "{}, {} of them completely covered; {} in {}, {} waiting",
        grouped(explored.paths),
        grouped(explored.complete),
        counted(explored.inputs, "input"),
        counted(explored.generations, "generation"),
        grouped(explored.waiting),
    )];
    lines.push(format!(
        "{} of {} edges taken; {}",
        grouped(explored.edges),
        grouped(explored.all_edges),
        counted(explored.divergences, "divergence")
    ));
    lines.extend(explored.diverged.iter().take(PLACES).map(|line| format!("  {}", visible(line))));
    lines
}

fn loops(summary: &Summary) -> Vec<String> {
    let line = |cost: &LoopCost| {
        let left_out = match cost.left_out {
            0 => String::new(),
            number => format!(", {} left out", counted(number, "decision")),
        };
        let why = if cost.why.is_empty() { String::new() } else { format!(": {}", visible(&cost.why)) };
        let position = format!("{}:{}", visible(&cost.position.file), cost.position.line);
        let attempts = match cost.attempts {
            0 => String::new(),
            number => format!(", many iterations tried {}", counted(number, "time")),
        };
        format!("{position} led to {}{left_out}{attempts}{why}", counted(cost.inputs, "input"))
    };
    let cost = |cost: &&LoopCost| cost.inputs > 0 || cost.left_out > 0 || cost.attempts > 0;
    summary.loops.iter().filter(cost).take(PLACES).map(line).collect()
}

/// Where branches and checks are.
fn place(summary: &Summary) -> &'static str {
    match (&summary.exploration, &summary.suite) {
        (Some(_), _) => "on all paths",
        (None, Some(_)) => "on the paths of the tests",
        (None, None) => "on the path",
    }
}

fn branches(summary: &Summary) -> Vec<String> {
    let counts = &summary.branches;
    if counts.total == 0 {
        return Vec::new();
    }
    vec![counts.sentence(place(summary))]
}

fn checks(report: &Report) -> Vec<String> {
    let summary = &report.summary;
    let sum = |count: fn(&crate::CheckCounts) -> u64| summary.checks.iter().map(count).fold(0, u64::saturating_add);
    let total = sum(|counts| counts.total());
    if total == 0 {
        return Vec::new();
    }
    let mut lines = vec![format!(
        "{} {}: {} hold {}, {} can be violated, {} undecided",
        grouped(total),
        place(summary),
        grouped(sum(|counts| counts.safe)),
        report.how_far(),
        grouped(sum(|counts| counts.violated)),
        grouped(sum(|counts| counts.unknown))
    )];
    // The rules of which all checks hold are listed as proved or not at all.
    let open = summary.checks.iter().filter(|counts| counts.violated > 0 || counts.unknown > 0);
    lines.extend(open.map(|counts| {
        format!(
            "  {:<22} {:>5} hold, {:>3} violated, {:>3} undecided",
            counts.rule.id(),
            grouped(counts.safe),
            grouped(counts.violated),
            grouped(counts.unknown)
        )
    }));
    lines
}

fn solver(summary: &Summary) -> Vec<String> {
    let queries = &summary.queries;
    if queries.asked == 0 {
        return Vec::new();
    }
    let answered = queries.tiers.iter().filter(|tier| tier.answered > 0);
    let tiers: Vec<String> =
        answered.map(|tier| format!("{} {}", visible(&tier.tier), grouped(tier.answered))).collect();
    let by = if tiers.is_empty() { String::new() } else { format!("; answered by {}", tiers.join(", ")) };
    vec![format!(
        "{}: {} sat, {} unsat, {} without an answer{by}",
        counted(queries.asked, "query"),
        grouped(queries.sat),
        grouped(queries.unsat),
        grouped(queries.unknown)
    )]
}

fn replayed(summary: &Summary) -> Vec<String> {
    if summary.candidates == 0 {
        return Vec::new();
    }
    let verdicts = &summary.verdicts;
    let mut lines = vec![format!(
        "{}: {} confirmed, {} confirmed elsewhere, {} diverged, {} not reproduced",
        counted(summary.candidates, "input"),
        grouped(verdicts.confirmed),
        grouped(verdicts.confirmed_elsewhere),
        grouped(verdicts.diverged),
        grouped(verdicts.not_reproduced)
    )];
    if summary.left_out > 0 {
        let more = grouped(summary.left_out);
        lines.push(format!("{more} more not run: the input itself fails, and those beside it came to nothing else"));
    }
    lines.extend(summary.missed.iter().take(PLACES).map(|line| format!("  {}", visible(line))));
    if let Some(slow) = &summary.slow {
        lines.push(match slow.reproduce.is_empty() {
            true => slow.sentence(),
            false => format!("{}; the first: {}", slow.sentence(), visible(slow.reproduce.as_str())),
        });
    }
    lines
}

fn time(summary: &Summary) -> Vec<String> {
    let seconds = &summary.seconds;
    if seconds.total <= 0.0 {
        return Vec::new();
    }
    if summary.exploration.is_some() {
        return vec![format!("{:.2} s: views {:.2}; {}", seconds.total, seconds.views, of_workers(seconds))];
    }
    let Seconds { views, run, paths, solve, replay, .. } = *seconds;
    let parts = [("views", views), ("run", run), ("paths", paths), ("solver", solve), ("replay", replay)];
    // Where replays go on beside the rest, nobody has counted them; an analysis without a run has none.
    let parts = parts.iter().filter(|(name, time)| matches!(*name, "views" | "solver") || *time > 0.0);
    let parts: Vec<String> = parts.map(|(name, time)| format!("{name} {time:.2}")).collect();
    vec![format!("{:.2} s: {}", seconds.total, parts.join(", "))]
}

/// What all workers of a campaign did with their time.
fn of_workers(seconds: &Seconds) -> String {
    let Seconds { run, solve, replay, paths, mutation, .. } = seconds;
    let chance = if *mutation > 0.0 { format!(", by chance {mutation:.2}") } else { String::new() };
    format!("all workers: paths {paths:.2} (run {run:.2}, solver {solve:.2}), new inputs {replay:.2}{chance}")
}

fn proved(report: &Report) -> Vec<String> {
    let rules = report.verified.iter().map(|verified| {
        format!("  {} ({})", catalogue::entry(verified.rule).absence, counted(verified.checks, "check"))
    });
    let mut lines: Vec<String> = rules.collect();
    if !lines.is_empty() {
        let inputs = match &report.summary.exploration {
            Some(explored) => format!("for every input of {}:", visible(&explored.lengths)),
            None if report.summary.suite.is_some() => "for every input that takes the path of a test:".to_owned(),
            None => "for every input that takes this path:".to_owned(),
        };
        lines.insert(0, inputs);
    }
    lines
}

fn loss(loss: &Loss) -> String {
    let mut line = match loss.count {
        0 => visible(&loss.text).into_owned(),
        count => format!("{} {}", grouped(count), visible(&loss.text)),
    };
    let place = |place: &LossPlace| {
        let at = match (place.file.as_str(), place.line) {
            ("", _) => "unknown place".to_owned(),
            (file, 0) => visible(file).into_owned(),
            (file, line) => format!("{}:{line}", visible(file)),
        };
        if place.count > 1 { format!("{at} ×{}", grouped(place.count)) } else { at }
    };
    let mut places: Vec<String> = loss.places.iter().take(PLACES).map(place).collect();
    if loss.places.len() > PLACES {
        places.push(counted(loss.places.len() - PLACES, "more place"));
    }
    if !places.is_empty() {
        line.push_str(&format!(" ({})", places.join(", ")));
    }
    line
}

fn conclusion(report: &Report, palette: &Palette) -> String {
    let summary = &report.summary;
    let known = match summary.known {
        0 => String::new(),
        known => format!("; {} in the baseline", counted(known, "known finding")),
    };
    let stopped = if summary.interrupted { "; stopped before everything was tried" } else { "" };
    let found = if report.findings.is_empty() {
        let found = match (summary.known, summary.complete) {
            (0, true) if summary.suite.is_some() => "no findings: the paths of all tests are verified",
            (0, true) if summary.exploration.is_none() => "no findings: this path is verified",
            (0, _) => "no findings",
            _ => "no new findings",
        };
        styled(palette.good, found)
    } else {
        let by_severity = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
            let number = report.findings.iter().filter(|finding| finding.severity == severity).count();
            (number, severity)
        });
        let by_severity = by_severity.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = by_severity.map(|(number, severity)| counted(*number, severity.name())).collect();
        styled(palette.error, &format!("{} ({})", places::number(report), parts.join(", ")))
    };
    let explored = match &summary.exploration {
        Some(explored) => format!(
            "; {}",
            visible(&explored.sentence(summary.complete && report.findings.is_empty() && summary.known == 0))
        ),
        None => String::new(),
    };
    format!("{found}{known}{stopped}{explored}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Exploration;

    #[test]
    fn a_check_says_what_its_time_went_into() {
        let seconds = Seconds { total: 9.0, views: 1.5, run: 0.5, solve: 0.25, replay: 2.5, paths: 3.0, mutation: 0.0 };
        let mut summary = Summary { seconds, ..Summary::default() };
        assert_eq!(time(&summary), ["9.00 s: views 1.50, run 0.50, paths 3.00, solver 0.25, replay 2.50"]);
        summary.seconds = Seconds { total: 1.0, ..Seconds::default() };
        assert_eq!(time(&summary), ["1.00 s: views 0.00, solver 0.00"]);
    }

    #[test]
    fn a_campaign_says_what_its_time_went_into() {
        let seconds =
            Seconds { total: 90.0, views: 15.0, run: 0.5, solve: 0.25, replay: 31.5, paths: 3.0, mutation: 37.5 };
        let mut summary = Summary { seconds, exploration: Some(Exploration::default()), ..Summary::default() };
        let line =
            "90.00 s: views 15.00; all workers: paths 3.00 (run 0.50, solver 0.25), new inputs 31.50, by chance 37.50";
        assert_eq!(time(&summary), [line]);
        summary.seconds.mutation = 0.0;
        assert_eq!(time(&summary), [line.trim_end_matches(", by chance 37.50")]);
    }
}
