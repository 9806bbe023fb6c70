//! How much may be asked about the loops of one path: what they save must be more. Questions are counted and not timed, so that
//! what is found out is the same on every machine.

use std::sync::atomic::{AtomicBool, Ordering};

use expr::{Claim, Model, Store};
use solver::{Answer, Session};

/// Questions about one path.
const MOST_QUESTIONS: usize = 256;

/// Of those, questions without an answer. Each takes all that a question may take, and the next one is seldom easier.
const MOST_UNANSWERED: usize = 1;

/// What is left to be spent.
pub struct Effort<'a> {
    questions: usize,
    unanswered: usize,
    /// Ends everything when it becomes true.
    stop: &'a AtomicBool,
}

impl Effort<'_> {
    /// All of it.
    pub fn new(stop: &AtomicBool) -> Effort<'_> {
        Effort { questions: MOST_QUESTIONS, unanswered: MOST_UNANSWERED, stop }
    }

    /// Whether another question may be asked.
    pub fn allows(&self) -> bool {
        self.questions > 0 && self.unanswered > 0 && !self.stop.load(Ordering::Relaxed)
    }

    /// Notes that a question was asked.
    pub fn spend(&mut self, answer: &Answer) {
        self.questions = self.questions.saturating_sub(1);
        if matches!(answer, Answer::Unknown(_)) {
            self.unanswered = self.unanswered.saturating_sub(1);
        }
    }

    /// Asks a question, if one may be asked.
    pub fn ask(&mut self, session: &mut Session, store: &mut Store, claims: &[Claim], base: &Model) -> Option<Answer> {
        if !self.allows() {
            return None;
        }
        let answer = session.solve(store, claims, base);
        self.spend(&answer);
        Some(answer)
    }
}
