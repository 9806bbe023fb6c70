//! How much a run may use.

use std::time::Duration;

/// How much a run may use. All limits are for the program together with every process it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes of memory in use. Address space is not limited: a concolic view reserves terabytes of it.
    pub memory: u64,
    /// Bytes of the largest file that is written.
    pub file_size: u64,
    /// Processes at one time.
    pub processes: usize,
    /// Bytes of trace, after which the program goes on without tracing.
    pub trace: u64,
}

impl Default for Limits {
    /// Enough for a run that somebody waits for: a minute, and sizes that an ordinary machine can spare.
    fn default() -> Limits {
        Limits { time: Duration::from_secs(60), memory: 4 << 30, file_size: 1 << 30, processes: 256, trace: 1 << 30 }
    }
}
