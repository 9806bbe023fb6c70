//! How far an exploration is, while it runs.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use store::{Campaign, Counts, Error};

use crate::output::{counted, grouped};

/// How often the line on a terminal changes.
const LINE: Duration = Duration::from_millis(500);
/// How often there is a new line where nobody looks.
const LOG: Duration = Duration::from_secs(10);

/// How often the campaign keeps how far it is.
const SAMPLE: Duration = Duration::from_secs(1);

/// Says how far it is: on a terminal in one line, elsewhere now and then in a new one.
pub struct Live {
    is_quiet: bool,
    is_terminal: bool,
    started: Instant,
    shown: Instant,
    sampled: Instant,
}

impl Live {
    /// Begins.
    pub fn start(is_quiet: bool) -> Live {
        let now = Instant::now();
        Live { is_quiet, is_terminal: std::io::stderr().is_terminal(), started: now, shown: now, sampled: now }
    }

    /// Says how far it is, if it is time to.
    pub fn look(&mut self, campaign: &mut Campaign) -> Result<(), Error> {
        // The longer it takes, the less a moment matters.
        if self.sampled.elapsed() >= SAMPLE.max(self.started.elapsed() / 500) {
            self.sampled = Instant::now();
            let counts = campaign.counts()?;
            campaign.sample(&counts)?;
        }
        let pause = if self.is_terminal { LINE } else { LOG };
        if self.is_quiet || self.shown.elapsed() < pause {
            return Ok(());
        }
        self.shown = Instant::now();
        let text = format!("{:>5.0} s: {}", self.started.elapsed().as_secs_f64(), line(&campaign.counts()?));
        self.write(&if self.is_terminal { format!("\r\x1b[Kprovoke: {text}") } else { format!("provoke: {text}\n") });
        Ok(())
    }

    fn write(&self, text: &str) {
        let mut terminal = std::io::stderr().lock();
        // Whoever closed the terminal does not want to see it.
        let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.is_terminal && !self.is_quiet {
            self.write("\r\x1b[K");
        }
    }
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
