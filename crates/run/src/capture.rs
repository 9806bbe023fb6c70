//! What a program writes to its standard output and error.

use std::io::Read;
use std::thread::JoinHandle;

/// What was written, up to a cap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captured {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// How many more there were.
    pub dropped: u64,
}

/// Reads a pipe to its end in the background, so that the program never waits for us, and keeps the first `cap` bytes.
pub(crate) fn start(mut pipe: impl Read + Send + 'static, cap: usize) -> JoinHandle<Captured> {
    std::thread::spawn(move || {
        let mut captured = Captured::default();
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let kept = count.min(cap - captured.bytes.len());
            captured.bytes.extend_from_slice(buffer.get(..kept).unwrap_or_default());
            captured.dropped += (count - kept) as u64;
        }
        captured
    })
}
