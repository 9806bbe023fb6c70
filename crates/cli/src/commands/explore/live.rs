//! How far an exploration is, while it runs.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use replay::Violation;
use search::check::Error;
use search::explore::{findings, statistics};
use serde_json::{Value, json};
use solver::Tier;
use store::{Campaign, Counts, Sample};
use terminal_size::{Height, Width, terminal_size_of};

use crate::output::{counted, grouped};

/// How often the screen of a terminal changes.
const SCREEN: Duration = Duration::from_millis(500);
/// How often there is a new line where nobody looks.
const LOG: Duration = Duration::from_secs(10);
/// How often there is an event.
const EVENT: Duration = Duration::from_secs(1);
/// How often the campaign keeps how far it is.
const SAMPLE: Duration = Duration::from_secs(1);

/// Columns of the curve on the screen, and what they are drawn with.
const CURVE: usize = 40;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// In which way it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// Not at all.
    Silent,
    /// For people: on a terminal a screen, elsewhere a new line now and then.
    Words,
    /// For programs: an event on each line.
    Events,
}

/// Says how far it is.
pub struct Live {
    voice: Voice,
    is_terminal: bool,
    started: Instant,
    shown: Instant,
    sampled: Instant,
    /// Findings that have been told.
    told: HashSet<String>,
    /// When something new was reached last, and how many edges there were then.
    last_new: (Instant, u64),
    /// Lines of the screen that are there now.
    lines: usize,
}

impl Live {
    /// Begins; curves over time begin here too.
    pub fn start(voice: Voice, campaign: &mut Campaign) -> Result<Live, Error> {
        let counts = campaign.counts()?;
        campaign.sample(&counts)?;
        let now = Instant::now();
        let is_terminal = std::io::stderr().is_terminal();
        let (told, last_new) = (HashSet::new(), (now, counts.edges));
        Ok(Live { voice, is_terminal, started: now, shown: now, sampled: now, told, last_new, lines: 0 })
    }

    /// Says how far it is, if it is time to.
    pub fn look(&mut self, campaign: &mut Campaign) -> Result<(), Error> {
        // The longer it takes, the less a moment matters.
        if self.sampled.elapsed() >= SAMPLE.max(self.started.elapsed() / 500) {
            self.sampled = Instant::now();
            let counts = campaign.counts()?;
            campaign.sample(&counts)?;
        }
        let pause = match (self.voice, self.is_terminal) {
            (Voice::Silent, _) => return Ok(()),
            (Voice::Events, _) => EVENT,
            (Voice::Words, true) => SCREEN,
            (Voice::Words, false) => LOG,
        };
        if self.shown.elapsed() >= pause { self.say(campaign) } else { Ok(()) }
    }

    /// Says how far it came.
    pub fn finish(mut self, campaign: &mut Campaign) -> Result<(), Error> {
        let counts = campaign.counts()?;
        campaign.sample(&counts)?;
        match self.voice {
            Voice::Events => self.say(campaign),
            Voice::Silent | Voice::Words => {
                self.clear();
                Ok(())
            }
        }
    }

    fn say(&mut self, campaign: &mut Campaign) -> Result<(), Error> {
        self.shown = Instant::now();
        let (counts, found) = seen(campaign)?;
        if counts.edges != self.last_new.1 {
            self.last_new = (Instant::now(), counts.edges);
        }
        let seconds = self.started.elapsed().as_secs_f64();
        if self.voice == Voice::Events {
            for Found { bucket, what } in found {
                if self.told.insert(bucket.clone()) {
                    let _ = event("finding", json!({ "seconds": seconds, "bucket": bucket, "what": what }));
                }
            }
            let _ = event("progress", progress(seconds, &counts));
        } else if self.is_terminal {
            let losses: u64 = campaign.losses()?.iter().map(|loss| loss.count.max(1)).sum();
            let samples = campaign.samples()?;
            let text = screen(seconds, self.last_new.0.elapsed(), &counts, &samples, &found, losses);
            let text = fitted(&text, terminal_size_of(std::io::stderr()));
            self.clear();
            self.lines = text.lines().count();
            write(&text);
        } else {
            write(&format!("provoke: {seconds:>5.0} s: {}\n", line(&counts)));
        }
        Ok(())
    }

    /// Takes the screen away.
    fn clear(&mut self) {
        if self.lines > 0 {
            write(&format!("\x1b[{}A\r\x1b[J", self.lines));
            self.lines = 0;
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.clear();
    }
}

/// As much of a text as a terminal has room for: what wraps around could not be taken away again.
fn fitted(text: &str, size: Option<(Width, Height)>) -> String {
    let Some((Width(width), Height(height))) = size else { return text.to_owned() };
    let (width, height) = (usize::from(width).saturating_sub(1), usize::from(height).saturating_sub(1));
    let line = |line: &str| -> String { line.chars().take(width).chain(['\n']).collect() };
    text.lines().take(height).map(line).collect()
}

fn write(text: &str) {
    let mut terminal = std::io::stderr().lock();
    // Whoever closed the terminal does not want to see it.
    let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
}

/// Writes an event to standard output.
pub fn event(kind: &str, mut value: Value) -> std::io::Result<()> {
    if let Some(object) = value.as_object_mut() {
        object.insert("event".to_owned(), kind.into());
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}")?;
    out.flush()
}

fn progress(seconds: f64, counts: &Counts) -> Value {
    json!({
        "seconds": seconds,
        "paths": counts.paths,
        "complete": counts.complete,
        "inputs": counts.inputs,
        "waiting": counts.new + counts.queued,
        "edges": counts.edges,
        "findings": counts.findings,
        "divergences": counts.divergences.values().sum::<u64>(),
        "replays": counts.statistic(statistics::REPLAYS),
        "mutants": counts.statistic(statistics::MUTANTS),
        "queries": counts.statistic(statistics::ASKED),
    })
}

/// A finding of a campaign.
pub struct Found {
    bucket: String,
    /// What and where, in a line.
    pub what: String,
}

/// How far a campaign is, and what it has found: as many as its report will have.
pub fn seen(campaign: &mut Campaign) -> Result<(Counts, Vec<Found>), Error> {
    let mut counts = campaign.counts()?;
    let found = findings(campaign, &[])?.into_iter();
    let found: Vec<Found> =
        found.map(|(finding, record)| Found { bucket: finding.bucket, what: what(&record.violation) }).collect();
    counts.findings = found.len() as u64;
    Ok((counts, found))
}

fn what(violation: &Violation) -> String {
    let place = violation.position().map_or_else(String::new, |position| {
        let file = position.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}:{}: ", position.line, position.column)
    });
    format!("{place}{} [{}]", violation.message, violation.rule)
}

/// A campaign in one line.
pub fn line(counts: &Counts) -> String {
    format!(
        "{}, {} waiting, {}, {}, {}",
        counted(counts.paths, "path"),
        grouped(counts.new + counts.queued),
        counted(counts.edges, "edge"),
        counted(counts.divergences.values().sum::<u64>(), "divergence"),
        counted(counts.findings, "finding")
    )
}

/// A campaign on a screen.
fn screen(
    seconds: f64,
    since_new: Duration,
    counts: &Counts,
    samples: &[Sample],
    found: &[Found],
    losses: u64,
) -> String {
    let (replays, mutants) = (counts.statistic(statistics::REPLAYS), counts.statistic(statistics::MUTANTS));
    let asked = counts.statistic(statistics::ASKED);
    let share = |tier: Tier| 100.0 * counts.statistic(&statistics::answered(tier)) as f64 / asked.max(1) as f64;
    // Statistics are those of all processes that ever worked on it.
    let worked = samples.last().map_or(seconds, |last| last.seconds).max(1.0);
    let mut text = String::new();
    let _ = writeln!(text, "provoke: {seconds:.0} s, {}", line(counts));
    let _ = writeln!(
        text,
        "  runs     {} replayed, {} by chance; {} too long",
        grouped(replays),
        grouped(mutants),
        grouped(counts.statistic(statistics::HANGS))
    );
    let _ = writeln!(
        text,
        "  solver   {}, {:.0} a second; {:.0} % from the cache, {:.0} % by the backend, {} without an answer",
        counted(asked, "query"),
        asked as f64 / worked,
        share(Tier::QueryCache),
        share(Tier::Backend),
        grouped(counts.statistic(statistics::UNANSWERED))
    );
    let _ = writeln!(text, "  edges    {} {}", curve(samples), grouped(counts.edges));
    let _ = writeln!(text, "  last new {:.0} s ago; generation {}", since_new.as_secs_f64(), counts.generation);
    let _ =
        writeln!(text, "  lost     {}, {} paths covered completely", counted(losses, "loss"), grouped(counts.complete));
    for found in found.iter().rev().take(5) {
        let _ = writeln!(text, "  found    {}", report::escape::visible(&found.what));
    }
    text
}

/// Edges over time, in one line.
fn curve(samples: &[Sample]) -> String {
    let (Some(last), most) = (samples.last(), samples.iter().map(|sample| sample.edges).max().unwrap_or(0)) else {
        return String::new();
    };
    let bar = |column: usize| {
        let until = last.seconds * (column + 1) as f64 / CURVE as f64;
        let before = samples.partition_point(|sample| sample.seconds <= until);
        let edges = before.checked_sub(1).and_then(|at| samples.get(at)).map_or(0, |sample| sample.edges);
        let height = edges.saturating_mul(BARS.len() as u64 - 1) / most.max(1);
        usize::try_from(height).ok().and_then(|height| BARS.get(height)).copied().unwrap_or(' ')
    };
    (0..CURVE).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_fits_its_terminal() {
        assert_eq!(fitted("abcdef\ng\nh\n", Some((Width(4), Height(3)))), "abc\ng\n");
        assert_eq!(fitted("abcdef\n", None), "abcdef\n");
    }

    #[test]
    fn a_curve_rises_with_the_edges() {
        let sample = |seconds: f64, edges: u64| Sample { seconds, edges, ..Sample::default() };
        assert_eq!(curve(&[]), "");
        let curve: Vec<char> = curve(&[sample(1.0, 0), sample(5.0, 40), sample(10.0, 80)]).chars().collect();
        assert_eq!((curve.len(), curve.first(), curve.last()), (CURVE, BARS.first(), BARS.last()));
        assert!(curve.is_sorted());
    }

    #[test]
    fn a_screen_says_what_matters() {
        let mut counts = Counts { paths: 3, edges: 12, findings: 1, ..Counts::default() };
        counts.statistics.insert("replays".to_owned(), 1234);
        let found = [Found { bucket: "1".to_owned(), what: "shift at a.c".to_owned() }];
        let text = screen(9.0, Duration::from_secs(4), &counts, &[], &found, 2);
        for part in ["3 paths", "12 edges", "1,234 replayed", "4 s ago", "2 losses", "found    shift at a.c"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn events_are_objects() {
        let value = progress(1.5, &Counts { edges: 7, ..Counts::default() });
        assert_eq!((value["edges"].as_u64(), value["seconds"].as_f64()), (Some(7), Some(1.5)));
    }
}
