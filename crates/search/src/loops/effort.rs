//! How much may be spent on the loops of one path: what they save must be more.

use std::time::{Duration, Instant};

use solver::{Budget, Session};

/// Questions about one path.
const MOST_QUESTIONS: usize = 256;
/// How long they may take together.
const LONGEST: Duration = Duration::from_secs(5);
/// And one of them.
const LONGEST_QUESTION: Duration = Duration::from_millis(500);

/// What is left to be spent.
pub struct Effort {
    questions: usize,
    until: Instant,
    usual: Budget,
}

impl Effort {
    /// All of it; questions of the session become short until it is over.
    pub fn start(session: &mut Session) -> Effort {
        let usual = session.budget();
        session.set_budget(Budget { time: usual.time.min(LONGEST_QUESTION), ..usual });
        Effort { questions: MOST_QUESTIONS, until: Instant::now() + LONGEST, usual }
    }

    /// Whether another question may be asked.
    pub fn allows(&mut self) -> bool {
        self.questions = self.questions.saturating_sub(1);
        self.questions > 0 && Instant::now() < self.until
    }

    /// Lets questions of the session be as they were.
    pub fn end(self, session: &mut Session) {
        session.set_budget(self.usual);
    }
}
