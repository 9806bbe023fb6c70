//! How much may be asked about the loops of one path: what they save must be more. Questions are counted and not timed, so that
//! what is found out is the same on every machine.

use std::sync::atomic::{AtomicBool, Ordering};

use expr::{Claim, Model, Store, Term};
use solver::{Answer, Budget, Session};

/// Questions about one path.
const MOST_QUESTIONS: usize = 256;

/// Of those, questions without an answer. Each takes all that a question may take, and the next one is seldom easier.
const MOST_UNANSWERED: usize = 1;

/// Terms in all questions together. What a question takes grows with its terms, and a path on which what is read depends on what
/// was read before has thousands of them in each.
const MOST_TERMS: usize = 20_000;

/// The part of a query's time that one question may take.
const PART: u32 = 5;

/// What is left to be spent.
pub struct Effort<'a> {
    questions: usize,
    terms: usize,
    unanswered: usize,
    /// Ends everything when it becomes true.
    stop: &'a AtomicBool,
}

impl Effort<'_> {
    /// All of it.
    pub fn new(stop: &AtomicBool) -> Effort<'_> {
        Effort { questions: MOST_QUESTIONS, terms: MOST_TERMS, unanswered: MOST_UNANSWERED, stop }
    }

    /// Whether another question may be asked.
    pub fn allows(&self) -> bool {
        self.questions > 0 && self.terms > 0 && self.unanswered > 0 && !self.stop.load(Ordering::Relaxed)
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
        let asked: Vec<Term> = claims.iter().map(|claim| claim.term).collect();
        self.terms = self.terms.saturating_sub(expr::postorder(store, &asked, |_| false).len());
        let whole = session.budget();
        session.set_budget(Budget { time: whole.time / PART, ..whole });
        let answer = session.solve(store, claims, base);
        session.set_budget(whole);
        self.spend(&answer);
        Some(answer)
    }
}
