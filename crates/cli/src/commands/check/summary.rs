//! What came of it, as a report.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use checkers::catalogue;
use expr::{Term, Var, VarName};
use path::Cause;
use replay::{Divergence, Source};
use report::{
    BranchCounts, CheckCounts, CommandLine, Finding, LoopCost, Neighbours, Position, Report, RunSummary, Seconds, Slow,
    Summary, Variants, VerdictCounts, Verified,
};
use search::check::{self, Cost, Found, Looped, Miss, Verdicts};
use search::{CheckVerdict, Checked};
use solver::Stats;
use trace::processes::starts_process;
use trace::rule::Rule;
use trace::sites::SiteTable;

use super::{Arguments, next};
use crate::loops::{sorted, why};
use crate::modelled::has_model;
use crate::{c_library, describe, finding, modelled, solving};

/// The report of a check, with what more looks at other inputs found.
pub fn report(arguments: &Arguments, sites: &SiteTable, checked: &Checked, more: &[Checked], stats: &Stats) -> Report {
    let mut report = Report::new(arguments.target.program.display().to_string(), CommandLine::new(std::env::args_os()));
    report.losses = describe::losses(&checked.path.record, &checked.outcome);
    report.summary = summary(arguments, checked, stats);
    report.summary.loops = loops(sites, checked);
    let expansion = &checked.expansion;
    let decided = expansion.unknown == 0 && expansion.behind == 0 && !expansion.stopped;
    // What can be violated and was not seen to be is not known to be safe, and nobody is told about it either.
    let is_settled = |(index, verdict): (usize, &CheckVerdict)| match verdict {
        CheckVerdict::Holds => true,
        CheckVerdict::Violable | CheckVerdict::Behind => checked.confirmed.contains(&index),
        CheckVerdict::Unknown => false,
    };
    report.summary.complete =
        report.losses.is_empty() && decided && expansion.checks.iter().enumerate().all(is_settled);
    if report.losses.is_empty() && !expansion.stopped {
        report.verified = verified(&report.summary.checks);
    }
    let from = arguments.target.input_name();
    let looks = std::iter::once(checked).chain(more);
    let mut found: Vec<(&Checked, &Found)> =
        looks.flat_map(|checked| checked.found.iter().map(move |found| (checked, found))).collect();
    let mut known = HashSet::new();
    found.retain(|(_, found)| known.insert(found.bucket));
    search::merge(&mut found, |(_, found)| &found.violation, |(_, found)| found.cause == check::Cause::Run, |_, _| {});
    report.findings =
        found.into_iter().map(|(checked, found)| finding::of_checked(sites, checked, found, &from)).collect();
    report.summary.missed = missed(sites, std::iter::once(checked).chain(more));
    report.summary.slow = slow(std::iter::once(checked).chain(more));
    for more in more {
        report.summary.candidates += more.candidates;
        report.summary.left_out += more.left_out;
        report.summary.verdicts += verdicts(more);
        report.summary.divergences += more.verdicts.diverged;
    }
    report
}

/// Adds what looks beside that of the run took. Of neighbours most are not kept, but all are counted.
pub fn add_time(seconds: &mut Seconds, neighbours: check::Spent, variants: &[Checked]) {
    let variants = variants.iter().map(|look| (look.outcome.wall, look.building, look.replaying));
    let neighbours = (neighbours.run, neighbours.building, neighbours.replaying);
    for (run, building, replaying) in variants.chain([neighbours]) {
        seconds.run += run.as_secs_f64();
        seconds.paths += building.as_secs_f64();
        seconds.replay += replaying.as_secs_f64();
    }
}

/// What was found that a finding of the report is about.
pub fn found_of<'a>(checked: &'a Checked, finding: &Finding) -> Option<&'a Found> {
    checked.found.iter().find(|found| fingerprint(found) == finding.fingerprint)
}

fn fingerprint(found: &Found) -> String {
    report::fingerprint(found.bucket.rule, &found.bucket.to_string())
}

fn summary(arguments: &Arguments, checked: &Checked, stats: &Stats) -> Summary {
    let expansion = &checked.expansion;
    let sizes = &checked.path.sizes;
    let end = describe::status(checked.outcome.status);
    let outcome = &checked.outcome;
    // Neither lengths nor what strings could go on with are bytes of the input.
    let seen = path::input(&outcome.trace, &outcome.contents);
    let input = run::Input::of_trace(outcome.trace.parts(), &seen.parts);
    let input_bytes = input.parts.iter().map(|part| part.bytes.len() as u64).sum();
    let bytes_that_matter = bytes_that_matter(checked, &input);
    Summary {
        run: RunSummary {
            input: arguments.target.input_name(),
            input_bytes,
            bytes_that_matter,
            end: end.strip_prefix("program ").unwrap_or(&end).to_owned(),
        },
        branches: BranchCounts {
            total: (sizes.branches + sizes.switches) as u64,
            flipped: expansion.possible as u64,
            impossible: expansion.impossible as u64,
            unknown: (expansion.unknown + expansion.behind) as u64,
        },
        checks: counts(checked),
        queries: solving::queries(stats),
        candidates: checked.candidates,
        left_out: checked.left_out,
        verdicts: verdicts(checked),
        seconds: Seconds {
            run: checked.outcome.wall.as_secs_f64(),
            solve: solving::seconds(stats),
            replay: checked.replaying.as_secs_f64(),
            paths: checked.building.as_secs_f64(),
            ..Seconds::default()
        },
        protected_checks: checked.loops.protected as u64,
        paths: 1,
        divergences: checked.verdicts.diverged,
        ..Summary::default()
    }
}

/// How the predictions of one look turned out.
fn verdicts(checked: &Checked) -> VerdictCounts {
    let Verdicts { confirmed, confirmed_elsewhere, diverged, not_reproduced } = checked.verdicts;
    VerdictCounts { confirmed, confirmed_elsewhere, diverged, not_reproduced }
}

/// What came of the neighbours; nothing if there are none.
pub fn neighbours(checked: &Checked, looked: &check::Neighbours) -> Option<Neighbours> {
    let check::Neighbours { looked_at, safe, violated, unknown, left_out, .. } = looked;
    let counts = Neighbours {
        inputs: (checked.neighbours.len() + looked.further.len()) as u64,
        looked_at: *looked_at as u64,
        safe: *safe as u64,
        violated: *violated as u64,
        unknown: *unknown as u64,
        left_out: *left_out as u64,
    };
    Some(counts).filter(|counts| counts.inputs > 0)
}

/// What came of other inputs like the run's; nothing if there are none.
pub fn variants(looks: &[Checked]) -> Option<Variants> {
    let mut variants = Variants { inputs: looks.len() as u64, ..Variants::default() };
    for counts in looks.iter().flat_map(counts) {
        variants.safe += counts.safe;
        variants.violated += counts.violated;
        variants.unknown += counts.unknown;
    }
    Some(variants).filter(|variants| variants.safe + variants.violated + variants.unknown > 0)
}

/// How many bytes of the input constraints and checks depend on. Lengths are no bytes, nor is what strings could go on with.
fn bytes_that_matter(checked: &Checked, input: &run::Input) -> u64 {
    let store = &checked.path.store;
    // What has no place in the program is nothing that it decided: strings have no zeros in them.
    let decided = checked.path.constraints.iter().filter(|constraint| constraint.site != 0);
    let conditions = decided.map(|constraint| constraint.holds);
    let conditions: Vec<Term> = conditions.chain(checked.checks.iter().map(|check| check.holds.term)).collect();
    let parts = (0..).zip(checked.outcome.trace.parts()).filter(|(_, part)| Source::of(part).is_some());
    let lengths: BTreeMap<u32, u64> =
        parts.zip(&input.parts).map(|((index, _), part)| (index, part.bytes.len() as u64)).collect();
    let is_there = |variable: &Var| match store.var_name(*variable) {
        VarName::Input { part, offset } => lengths.get(part).is_some_and(|length| offset < length),
        VarName::Named(_) => false,
    };
    expr::variables(store, &conditions).iter().filter(|variable| is_there(variable)).count() as u64
}

/// The loops on the path, the most expensive first.
fn loops(sites: &SiteTable, checked: &Checked) -> Vec<LoopCost> {
    let Looped { findings, costs, .. } = &checked.loops;
    let numbers: BTreeSet<u32> = findings.keys().chain(costs.keys()).copied().collect();
    let costs = numbers.into_iter().filter_map(|number| {
        let position = path::position(sites, sites.loops.get(number as usize)?.site)?;
        let cost = costs.get(&number).copied().unwrap_or_default();
        let why = findings.get(&number).map_or_else(String::new, |finding| why(sites, finding));
        let Cost { inputs, left_out, attempts } = cost;
        Some(LoopCost { position: position.into(), inputs, left_out, attempts, why })
    });
    sorted(costs.collect())
}

/// Where predictions did not come true, those that did so most often first.
fn missed<'a>(sites: &SiteTable, looks: impl Iterator<Item = &'a Checked>) -> Vec<String> {
    let mut by_place: BTreeMap<String, usize> = BTreeMap::new();
    let missed = looks.flat_map(|checked| checked.missed.iter().map(move |missed| (checked, missed)));
    for (checked, (index, miss)) in missed {
        let Some(check) = checked.checks.get(*index) else { continue };
        let place = path::position(sites, check.site).map(Position::from).unwrap_or_default();
        let how = match miss {
            Miss::Left(Divergence { position: Some(position), .. }) => {
                format!("left the path at {}", Position::from(position))
            }
            Miss::Left(Divergence { position: None, .. }) => "left the path".to_owned(),
            Miss::TookTooLong => "took too long".to_owned(),
            Miss::NothingFailed => "nothing failed".to_owned(),
        };
        *by_place.entry(format!("{} predicted at {place}: {how}", check.rule)).or_default() += 1;
    }
    let mut lines: Vec<(String, usize)> = by_place.into_iter().collect();
    lines.sort_by_key(|(_, count)| Reverse(*count));
    lines.into_iter().map(|(line, count)| if count > 1 { format!("{line} ×{count}") } else { line }).collect()
}

/// How many inputs took too long in all looks together.
fn slow<'a>(looks: impl Iterator<Item = &'a Checked>) -> Option<Slow> {
    looks.filter_map(|checked| checked.slow.as_ref()).fold(None, |all: Option<Slow>, slow| {
        let all = all.unwrap_or(Slow { seconds: f64::INFINITY, ..Slow::default() });
        let (inputs, seconds) = (all.inputs + slow.inputs, all.seconds.min(slow.least.as_secs_f64()));
        Some(Slow { inputs, seconds, ..all })
    })
}

fn counts(checked: &Checked) -> Vec<CheckCounts> {
    let mut by_rule: BTreeMap<Rule, CheckCounts> = BTreeMap::new();
    for (index, (check, verdict)) in checked.checks.iter().zip(&checked.expansion.checks).enumerate() {
        let none = CheckCounts { rule: check.rule, safe: 0, violated: 0, confirmed: 0, unknown: 0 };
        let counts = by_rule.entry(check.rule).or_insert(none);
        let is_confirmed = checked.confirmed.contains(&index);
        match verdict {
            CheckVerdict::Holds => counts.safe += 1,
            CheckVerdict::Behind | CheckVerdict::Unknown if !is_confirmed => counts.unknown += 1,
            CheckVerdict::Violable | CheckVerdict::Behind | CheckVerdict::Unknown => {
                counts.violated += 1;
                counts.confirmed += u64::from(is_confirmed);
            }
        }
    }
    by_rule.into_values().collect()
}

fn verified(checks: &[CheckCounts]) -> Vec<Verified> {
    let safe = checks.iter().filter(|counts| counts.violated == 0 && counts.unknown == 0);
    safe.map(|counts| Verified { rule: counts.rule, checks: counts.safe }).collect()
}

/// What to do next.
pub fn advice(arguments: &Arguments, checked: &Checked, report: &Report) -> Vec<String> {
    let mut advice = Vec::new();
    let mut is_other_input_needed = true;
    if checked.outcome.trace.parts().is_empty() {
        advice.push(
            "The run had no input that can be changed: give one with --stdin FILE, with --file FILE and @@ among the \
             arguments, or call provoke_make_symbolic in the program."
                .to_owned(),
        );
    } else if checked.outcome.status == run::Status::TimedOut {
        advice.push(
            "The program does not end on this input in the time that it has: give it more with --limit time=SECONDS, or \
             another input."
                .to_owned(),
        );
    } else if checked.path.constraints.is_empty() && checked.checks.is_empty() && !checked.expansion.stopped {
        advice
            .push("Nothing on the path depends on the input: try an input that the program does more with.".to_owned());
    } else {
        is_other_input_needed = false;
    }
    let unmodelled = checked.path.record.causes.keys().filter_map(|cause| match cause {
        Cause::UnmodelledCall(name) => Some(name.as_str()),
        _ => None,
    });
    let (starting, unmodelled): (Vec<&str>, Vec<&str>) = unmodelled.partition(|name| starts_process(name));
    let (partly, unmodelled): (Vec<&str>, Vec<&str>) = unmodelled.into_iter().partition(|name| has_model(name));
    let (own, others): (Vec<&str>, Vec<&str>) = unmodelled.into_iter().partition(|name| c_library::has(name));
    if !starting.is_empty() {
        advice.push(
            "Processes that the program starts are not followed: if it can work without, with an option for the foreground \
             for example, run it so."
                .to_owned(),
        );
    }
    if !own.is_empty() {
        advice.push(format!(
            "The C library's {} without a model (`provoke libc` lists those with one): write one if its result matters, for \
             --models FILE.",
            match own.as_slice() {
                [one] => format!("{one} is"),
                _ => format!("{} are", own.join(", ")),
            }
        ));
    }
    advice.extend(modelled::advice(&partly));
    if !others.is_empty() {
        advice.push(
            "Calls into libraries without bitcode lose precision: build those libraries with `provoke cc` too."
                .to_owned(),
        );
    }
    if checked.expansion.unknown > 0 || checked.expansion.checks.contains(&CheckVerdict::Unknown) {
        advice.push("Some queries were not answered: allow more with --limit query-time=SECONDS.".to_owned());
    }
    let is_behind = |(index, verdict): (usize, &CheckVerdict)| {
        *verdict == CheckVerdict::Behind && !checked.confirmed.contains(&index)
    };
    if checked.expansion.behind > 0 || checked.expansion.checks.iter().enumerate().any(is_behind) {
        advice.push(
            "Behind a division that can fail, some branches and checks are decided only for inputs on which it does not: mend \
             the division first."
                .to_owned(),
        );
    }
    if let Some(finding) = report.findings.first() {
        let help = catalogue::entry(finding.rule).title;
        advice.push(format!("Start with the first finding ({help}) and run its reproduce line under a debugger."));
    } else if !is_other_input_needed {
        advice.push(format!(
            "What lies further away from this input is found by exploring: {}",
            next::explore(arguments)
        ));
    }
    advice
}
