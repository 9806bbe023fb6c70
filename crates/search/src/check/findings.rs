//! What comes of candidates.

use replay::{Bucket, Error, Input, Outcome, Prediction, Replayer, Verdict, bucket, is_predicted, minimise, verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use trace::rule::Rule;

use super::{Cause, Found, Settings, Verdicts};

/// Runs candidates and keeps what fails.
pub struct Findings<'a> {
    replayer: &'a Replayer,
    settings: &'a Settings<'a>,
    original: &'a Input,
    predictions: &'a [Prediction],
    found: Vec<Found>,
    known: FxHashMap<Bucket, usize>,
    verdicts: Verdicts,
    confirmed: Vec<usize>,
    missed: Vec<(usize, Input)>,
    /// Inputs of branches that were run already: another branch may lead to the same one.
    ran: FxHashSet<Input>,
    candidates: u64,
}

impl<'a> Findings<'a> {
    pub fn new(
        replayer: &'a Replayer,
        settings: &'a Settings<'a>,
        original: &'a Input,
        predictions: &'a [Prediction],
    ) -> Findings<'a> {
        Findings {
            replayer,
            settings,
            original,
            predictions,
            found: Vec::new(),
            known: FxHashMap::default(),
            verdicts: Verdicts::default(),
            confirmed: Vec::new(),
            missed: Vec::new(),
            ran: FxHashSet::default(),
            candidates: 0,
        }
    }

    /// Runs a candidate.
    pub fn run(&mut self, cause: Cause, input: Input) -> Result<(), Error> {
        let prediction = match cause {
            Cause::Check(index) => self.predictions.get(index),
            Cause::Run | Cause::Branch(_) => None,
        };
        let is_new = self.ran.insert(input.clone());
        if prediction.is_none() && !is_new {
            return Ok(());
        }
        self.candidates += 1;
        let is_often_meant =
            |number: &u32| self.replayer.sites().checks.get(*number as usize).is_some_and(|check| check.often_meant);
        let armed: Vec<u32> = prediction.and_then(|p| p.check).into_iter().filter(is_often_meant).collect();
        let outcome = self.replayer.replay_armed(&input, &armed)?;
        if let (Some(prediction), Cause::Check(index)) = (prediction, cause) {
            match verdict(prediction, &outcome) {
                Verdict::Confirmed { .. } => {
                    self.verdicts.confirmed += 1;
                    self.confirmed.push(index);
                }
                Verdict::ConfirmedElsewhere { .. } => self.verdicts.confirmed_elsewhere += 1,
                Verdict::Diverged(_) | Verdict::NotReproduced => self.missed.push((index, input.clone())),
            }
        }
        self.keep(cause, &input, &armed, outcome, prediction);
        Ok(())
    }

    fn keep(&mut self, cause: Cause, input: &Input, armed: &[u32], outcome: Outcome, prediction: Option<&Prediction>) {
        let mut lines = FxHashMap::default();
        for violation in outcome.violations {
            let line = violation.position().map(|position| (position.file.clone(), position.line));
            // A wild access right where something else failed is what came of that, and so is all that a format does.
            let before = lines.insert(line, violation.rule);
            let is_consequence = before.is_some() && (violation.wild || before == Some(Rule::FormatString));
            if is_consequence || !self.is_wanted(violation.rule) {
                continue;
            }
            let bucket = bucket(&violation);
            let as_predicted = prediction.is_some_and(|prediction| is_predicted(prediction, &violation));
            let found = Found {
                violation,
                bucket,
                cause,
                as_predicted,
                input: input.clone(),
                changes: Vec::new(),
                armed: armed.to_vec(),
            };
            match self.known.get(&bucket).and_then(|known| self.found.get_mut(*known)) {
                // What was predicted says more than what happened on the way to something else.
                Some(known) if as_predicted && !known.as_predicted && known.cause != Cause::Run => *known = found,
                Some(_) => {}
                None => {
                    self.known.insert(bucket, self.found.len());
                    self.found.push(found);
                }
            }
        }
    }

    /// Whether a rule is on. What the replay view cannot tell apart is wanted with either.
    fn is_wanted(&self, rule: Rule) -> bool {
        self.settings.selection.rules().any(|wanted| wanted == rule)
    }

    /// Brings what was found close to the original input.
    pub fn minimise(&mut self) -> Result<(), Error> {
        self.merge();
        for found in self.found.iter_mut().filter(|found| found.cause != Cause::Run) {
            let budget = self.settings.minimise;
            let small = minimise(self.replayer, &found.armed, self.original, &found.input, found.bucket, budget)?;
            let Some(small) = small else { continue };
            found.input = small.input;
            found.changes = small.changed;
            // The values in the message are those of this input.
            let outcome = self.replayer.replay_armed(&found.input, &found.armed)?;
            let again = outcome.violations.into_iter().find(|violation| bucket(violation) == found.bucket);
            if let Some(violation) = again {
                found.violation = violation;
            }
        }
        Ok(())
    }

    /// One access outside of its bounds can violate several rules at the same place: that is one finding. What the memory
    /// itself says counts more than the declared bounds.
    fn merge(&mut self) {
        let place = |found: &Found| found.violation.position().map(|position| (position.file.clone(), position.line));
        let mut taken = FxHashMap::default();
        for (index, found) in self.found.iter().enumerate() {
            let Some(place) = place(found).filter(|_| BOUNDS.contains(&found.bucket.rule)) else { continue };
            let best = taken.entry(place).or_insert(index);
            let is_declared = |index: usize| self.found.get(index).is_some_and(|f| f.bucket.rule == Rule::ArrayIndex);
            if is_declared(*best) && !is_declared(index) {
                *best = index;
            }
        }
        let mut index = 0;
        self.found.retain(|found| {
            let is_bounds = BOUNDS.contains(&found.bucket.rule);
            let best = place(found).filter(|_| is_bounds).and_then(|place| taken.get(&place).copied());
            index += 1;
            best.is_none_or(|best| best == index - 1)
        });
    }

    /// Everything that came of them.
    pub fn finish(self) -> Results {
        Results {
            found: self.found,
            verdicts: self.verdicts,
            confirmed: self.confirmed,
            missed: self.missed,
            candidates: self.candidates,
        }
    }
}

/// What came of all candidates.
pub struct Results {
    /// What was found.
    pub found: Vec<Found>,
    /// How predictions turned out.
    pub verdicts: Verdicts,
    /// Checks whose violation was seen where it was predicted.
    pub confirmed: Vec<usize>,
    /// Checks whose violation was not seen, with the inputs that should have done it.
    pub missed: Vec<(usize, Input)>,
    /// Inputs that were run.
    pub candidates: u64,
}

/// Rules about accesses outside of bounds.
const BOUNDS: [Rule; 7] = [
    Rule::ArrayIndex,
    Rule::HeapBufferOverflow,
    Rule::StackBufferOverflow,
    Rule::GlobalBufferOverflow,
    Rule::BufferUnderflow,
    Rule::StringOverflow,
    Rule::StackSmash,
];
