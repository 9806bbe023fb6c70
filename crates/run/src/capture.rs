//! What a program writes to its standard output and error.

use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What was written, up to a cap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captured {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// How many more there were.
    pub dropped: u64,
}

/// A stream that is being captured.
pub(crate) struct Capture {
    captured: Arc<Mutex<Captured>>,
    /// Closed when the stream is at its end.
    end: Receiver<()>,
}

impl Capture {
    /// Reads a pipe to its end in the background, so that the program never waits for us, and keeps the first `cap`
    /// bytes.
    pub(crate) fn start(mut pipe: impl Read + Send + 'static, cap: usize) -> Capture {
        let captured = Arc::new(Mutex::new(Captured::default()));
        let (at_end, end) = channel();
        let shared = Arc::clone(&captured);
        std::thread::spawn(move || {
            let _at_end = at_end;
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let mut captured = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = count.min(cap - captured.bytes.len());
                captured.bytes.extend_from_slice(buffer.get(..kept).unwrap_or_default());
                captured.dropped += (count - kept) as u64;
            }
        });
        Capture { captured, end }
    }

    /// What was written. The stream should be at its end; a process that cannot be killed may still hold it open, and is
    /// waited for no longer than this.
    pub(crate) fn finish(self, patience: Duration) -> Captured {
        let _ = self.end.recv_timeout(patience);
        std::mem::take(&mut *self.captured.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
