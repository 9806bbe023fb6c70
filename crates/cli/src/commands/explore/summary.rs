//! What came of a campaign, as a report.

use std::path::Path;

use checkers::catalogue;
use replay::{Input, Replayer, Violation, bucket, changes};
use report::{
    BranchCounts, CheckCounts, CommandLine, Exploration, ExploredPath, Finding, LossPlace, Moment, Position,
    Prediction, Queries, Report, Seconds, Step, Summary, TierCounts, Verdict, VerdictCounts, Verified,
};
use run::Inputs;
use search::explore::{Missing, Origin, Record, Turn, findings, from_store, missing, statistics};
use solver::Tier;
use store::{Branch, Campaign, Counts, Divergence, Id, Sample};
use trace::layout::FILE_GROWTH;
use trace::rule::Rule;
use trace::sites::SiteTable;

use super::{coverage, loops};
use crate::describe;
use crate::exit::Failure;
use crate::output::{bytes, counted};

/// Paths that a report shows as a tree; more would make it too large to look at.
const MOST_PATHS: usize = 2000;

/// A report, and what its findings were made from, in the same order.
pub struct Reported {
    /// The report.
    pub report: Report,
    /// What was found.
    pub found: Vec<Found>,
}

/// What a finding was made from.
pub struct Found {
    /// What happened.
    pub violation: Violation,
    /// The input.
    pub input: Input,
    /// Checks for what is often meant that were reported.
    pub armed: Vec<u32>,
    /// The seed.
    pub root: Id,
}

/// Who says how long inputs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lengths {
    /// The seeds.
    Seeds,
    /// Nobody: they are input themselves.
    Input,
    /// The program, which makes input of its own memory.
    Program,
}

impl Lengths {
    /// Of inputs that come from these places.
    pub fn of(places: &Inputs) -> Lengths {
        match places {
            places if *places == (Inputs { lengths: places.lengths, ..Inputs::default() }) => Lengths::Program,
            Inputs { lengths: true, .. } => Lengths::Input,
            _ => Lengths::Seeds,
        }
    }
}

/// The report of a campaign, with findings that could not be written to its file.
pub fn report(
    program: &Path,
    sites: &SiteTable,
    replayer: &Replayer,
    campaign: &mut Campaign,
    (unsaved, said_by): (&[store::Finding], Lengths),
) -> Result<Reported, Failure> {
    let counts = campaign.counts().map_err(Failure::input)?;
    let mut report = Report::new(program.display().to_string(), CommandLine::new(std::env::args_os()));
    report.summary = summary(&counts, sites, replayer);
    report.losses = losses(campaign)?;
    let missing = missing(&counts);
    report.summary.complete = missing.is_empty();
    if missing.is_empty() {
        let safe = report.summary.checks.iter().filter(|counts| counts.violated == 0 && counts.unknown == 0);
        report.verified = safe.map(|counts| Verified { rule: counts.rule, checks: counts.safe }).collect();
    }
    if let Some(exploration) = &mut report.summary.exploration {
        exploration.moments = campaign.samples().map_err(Failure::input)?.iter().map(moment).collect();
        exploration.files = coverage::files(campaign, replayer.sites())?;
        let tree = campaign.tree(MOST_PATHS).map_err(Failure::input)?;
        exploration.tree = tree.iter().map(|branch| path_of(branch, sites)).collect();
        exploration.missing = missing.iter().map(words).collect();
        match said_by {
            Lengths::Seeds => {}
            Lengths::Input => {
                // Where an input ends may change by no more than this.
                let longest = counts.seed_lengths.iter().max().copied().unwrap_or_default();
                exploration.lengths = lengths_up_to(longest.saturating_add(FILE_GROWTH));
            }
            Lengths::Program => "the lengths that the program asks for".clone_into(&mut exploration.lengths),
        }
    }
    let mut all = found(sites, campaign, unsaved)?;
    all.sort_by_key(|(finding, _)| finding.order());
    let found;
    (report.findings, found) = all.into_iter().unzip();
    report.advice = advice(&missing, &report);
    Ok(Reported { report, found })
}

/// The findings of a campaign, and those that could not be written to its file.
pub fn found(
    sites: &SiteTable,
    campaign: &Campaign,
    unsaved: &[store::Finding],
) -> Result<Vec<(Finding, Found)>, Failure> {
    let mut all = Vec::new();
    for (kept, record) in findings(campaign, unsaved).map_err(Failure::input)? {
        let input = from_store(&kept.input);
        let seed = from_store(&campaign.item(kept.root).map_err(Failure::input)?.input);
        let finding = finding(sites, &record, &input, &seed);
        all.push((finding, Found { violation: record.violation, input, armed: record.armed, root: kept.root }));
    }
    Ok(all)
}

fn finding(sites: &SiteTable, record: &Record, input: &Input, seed: &Input) -> Finding {
    let bucket = bucket(&record.violation);
    let mut finding = crate::finding::of(&record.violation, &bucket, input, &changes(seed, input));
    let at = |site: u32| path::position(sites, site).map(Position::from).unwrap_or_default();
    finding.predicted_by = match record.origin {
        Origin::Seed => Prediction::Run,
        Origin::Mutation => Prediction::Changed { how: "changing an input by chance".to_owned() },
        Origin::Check { rule, site } => Prediction::Checker { rule, position: at(site) },
        Origin::Branch { site } => Prediction::Branch { position: at(site) },
    };
    finding.severity = crate::finding::severity(finding.severity, record.as_predicted, &record.armed);
    finding.verdict = match record.origin {
        Origin::Check { .. } if !record.as_predicted && !record.is_confirmed => Verdict::ConfirmedElsewhere,
        _ => Verdict::Confirmed,
    };
    let step = |step: &search::explore::Step| {
        let text = match step.turn {
            Turn::Branch(true) => "branch taken".to_owned(),
            Turn::Branch(false) => "branch not taken".to_owned(),
            Turn::Switch(value) => format!("switch on {value:#x}"),
            Turn::Other => "goes another way here".to_owned(),
        };
        Some(Step { position: path::position(sites, step.site)?.into(), text })
    };
    finding.path = record.steps.iter().filter_map(step).collect();
    finding
}

fn summary(counts: &Counts, sites: &SiteTable, replayer: &Replayer) -> Summary {
    let count = |name: &str| counts.statistic(name);
    let seconds = |name: &str| count(name) as f64 / 1e6;
    let (possible, impossible, unknown) = (
        count(statistics::POSSIBLE),
        count(statistics::IMPOSSIBLE),
        count(statistics::UNKNOWN) + count(statistics::BEHIND),
    );
    let verdicts = VerdictCounts {
        confirmed: count(statistics::CONFIRMED),
        confirmed_elsewhere: count(statistics::CONFIRMED_ELSEWHERE),
        diverged: count(statistics::DIVERGED),
        not_reproduced: count(statistics::NOT_REPRODUCED),
    };
    let predictions = verdicts.confirmed + verdicts.confirmed_elsewhere + verdicts.diverged + verdicts.not_reproduced;
    let queries = queries(counts);
    Summary {
        branches: BranchCounts { total: possible + impossible + unknown, flipped: possible, impossible, unknown },
        checks: Rule::ALL.iter().filter_map(|rule| checks(counts, *rule)).collect(),
        candidates: count(statistics::REPLAYS) + predictions,
        verdicts,
        seconds: Seconds {
            run: seconds(statistics::RUN_TIME),
            paths: seconds(statistics::EXPAND_TIME),
            replay: seconds(statistics::REPLAY_TIME),
            mutation: seconds(statistics::MUTATION_TIME),
            solve: queries.tiers.iter().map(|tier| tier.seconds).sum(),
            ..Seconds::default()
        },
        queries,
        loops: loops::costs(counts, sites),
        protected_checks: count(statistics::PROTECTED),
        paths: counts.paths,
        divergences: counts.divergences.values().sum(),
        exploration: Some(Exploration {
            paths: counts.paths,
            complete: counts.complete,
            inputs: counts.inputs,
            waiting: counts.new + counts.queued,
            generations: counts.generation,
            edges: counts.edges,
            all_edges: replayer.sites().sites.len().saturating_sub(1) as u64,
            divergences: counts.divergences.values().sum(),
            diverged: diverged(counts, sites),
            lengths: lengths(&counts.seed_lengths),
            repeated_checks: count(statistics::REPEATED_CHECKS),
            missing: Vec::new(),
            moments: Vec::new(),
            files: Vec::new(),
            tree: Vec::new(),
        }),
        ..Summary::default()
    }
}

fn path_of(branch: &Branch, sites: &SiteTable) -> ExploredPath {
    ExploredPath {
        input: branch.input as u64,
        parent: branch.parent,
        left_at: branch.site.map(|site| describe::site(sites, site)),
        decisions: branch.decisions,
        complete: branch.complete,
    }
}

fn moment(sample: &Sample) -> Moment {
    Moment {
        milliseconds: (sample.seconds * 1e3) as u64,
        paths: sample.paths,
        waiting: sample.waiting,
        edges: sample.edges,
        findings: sample.findings,
    }
}

fn diverged(counts: &Counts, sites: &SiteTable) -> Vec<String> {
    let mut sorted: Vec<_> = counts.divergences.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let line = |(divergence, count): (&Divergence, &u64)| {
        let Divergence { site, cause } = divergence;
        format!("{} at {} ({cause})", counted(*count, "divergence"), describe::site(sites, *site))
    };
    sorted.into_iter().map(line).collect()
}

fn checks(counts: &Counts, rule: Rule) -> Option<CheckCounts> {
    let [safe, violated, confirmed, behind, unknown] =
        statistics::CHECK_OUTCOMES.map(|outcome| counts.statistic(&statistics::check(rule, outcome)));
    let counts = CheckCounts { rule, safe, violated, confirmed, unknown: unknown + behind };
    (counts.total() > 0).then_some(counts)
}

fn queries(counts: &Counts) -> Queries {
    let tier = |tier: &Tier| TierCounts {
        tier: tier.name().to_owned(),
        answered: counts.statistic(&statistics::answered(*tier)),
        seconds: counts.statistic(&statistics::took(*tier)) as f64 / 1e6,
    };
    Queries {
        asked: counts.statistic(statistics::ASKED),
        sat: counts.statistic(statistics::SAT),
        unsat: counts.statistic(statistics::UNSAT),
        unknown: counts.statistic(statistics::UNANSWERED),
        tiers: Tier::ALL.iter().map(tier).collect(),
        ..Queries::default()
    }
}

fn losses(campaign: &Campaign) -> Result<Vec<report::Loss>, Failure> {
    let mut losses: Vec<report::Loss> = Vec::new();
    for loss in campaign.losses().map_err(Failure::input)? {
        let place = (loss.line > 0).then_some(LossPlace { file: loss.file, line: loss.line, count: loss.count });
        match losses.last_mut() {
            Some(last) if last.cause == loss.cause && last.text == loss.text => {
                last.count = last.count.saturating_add(loss.count);
                last.places.extend(place);
            }
            _ => losses.push(report::Loss {
                cause: loss.cause,
                text: loss.text,
                count: loss.count,
                places: place.into_iter().collect(),
            }),
        }
    }
    for loss in losses.iter_mut().filter(|loss| loss.count == 1) {
        loss.text = describe::of_one(&loss.text);
    }
    Ok(losses)
}

/// What lengths inputs have, in words. The length of an input is nothing that a search changes.
pub fn lengths(lengths: &[u64]) -> String {
    match lengths {
        [] => "no bytes".to_owned(),
        [length] => bytes(*length),
        [0, .., last] if *last == lengths.len() as u64 - 1 => lengths_up_to(*last),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u64::to_string).collect();
            format!("{} and {}", rest.join(", "), bytes(*last))
        }
    }
}

/// The same of all that are no longer than this one.
fn lengths_up_to(longest: u64) -> String {
    format!("up to {}", bytes(longest))
}

/// What is missing, in words.
pub fn words(missing: &Missing) -> String {
    match *missing {
        Missing::Queue(number) => format!("{} waiting: run the same command again to go on", counted(number, "input")),
        Missing::Incomplete(number) => format!("{} with something that is not covered", counted(number, "path")),
        Missing::Branches(number) => format!("{} undecided", counted(number, "branch")),
        Missing::Checks(number) => format!("{} undecided", counted(number, "check")),
        Missing::Behind(number) => {
            format!(
                "{} about branches and checks answered only for inputs on which no division fails",
                counted(number, "question")
            )
        }
        Missing::Unconfirmed(number) => {
            format!("{} that can be violated according to the solver, which no run has shown", counted(number, "check"))
        }
        Missing::Divergences(number) => format!("{} from the expected path", counted(number, "divergence")),
        Missing::Broken(number) => format!("{} without a usable trace", counted(number, "run")),
        Missing::Iterations(number) => {
            format!(
                "{} in further iterations of loops, left out because no check depends on them",
                counted(number, "decision")
            )
        }
    }
}

fn advice(missing: &[Missing], report: &Report) -> Vec<String> {
    let mut advice = Vec::new();
    let Summary { branches, checks, .. } = &report.summary;
    if missing.is_empty() && branches.total == 0 && checks.is_empty() {
        advice.push(
            "Nothing that the program does depends on the bytes of the input: see whether it gets as far as reading them, with these \
             arguments, and whether there are enough of them."
                .to_owned(),
        );
    }
    if missing.iter().any(|missing| matches!(missing, Missing::Branches(_) | Missing::Checks(_))) {
        advice.push("Some queries were not answered: allow more with --limit query-time=SECONDS.".to_owned());
    }
    if let Some(finding) = report.findings.first() {
        let help = catalogue::entry(finding.rule).title;
        advice.push(format!("Start with the first finding ({help}) and run its reproduce line under a debugger."));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_named() {
        assert_eq!(lengths(&[4]), "4 bytes");
        assert_eq!(lengths(&[0, 1, 2]), "up to 2 bytes");
        assert_eq!(lengths(&[0, 2]), "0 and 2 bytes");
        assert_eq!(lengths(&[1, 2, 3]), "1, 2 and 3 bytes");
        assert_eq!(lengths(&[0]), "0 bytes");
    }

    /// A program that made input of eight bytes of its own was verified "for inputs of 0 bytes", which the seed had.
    #[test]
    fn a_program_that_makes_its_input_says_how_long_it_is() {
        let stdin = Inputs { stdin: Some("/dev/null".into()), ..Inputs::default() };
        assert_eq!(Lengths::of(&Inputs::default()), Lengths::Program);
        assert_eq!(Lengths::of(&stdin), Lengths::Seeds);
        assert_eq!(Lengths::of(&Inputs { lengths: true, ..stdin }), Lengths::Input);
    }
}
