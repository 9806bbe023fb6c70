//! What is going on, for people who wait.

use std::io::{IsTerminal, Write};

/// One line on the terminal that says what is being done, and goes away when it is done. Nothing if nobody looks.
pub struct Progress {
    shown: bool,
}

impl Progress {
    /// Begins.
    pub fn start() -> Progress {
        Progress { shown: std::io::stderr().is_terminal() }
    }

    /// Says what is done now.
    pub fn step(&self, what: &str) {
        self.write(&format!("\r\x1b[Kprovoke: {what}…"));
    }

    fn write(&self, text: &str) {
        if self.shown {
            let mut terminal = std::io::stderr().lock();
            // Whoever closed the terminal does not want to see it.
            let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.write("\r\x1b[K");
    }
}
