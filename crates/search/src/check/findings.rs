//! What comes of candidates.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use replay::{
    Attempts, Bucket, End, Error, Input, Outcome, Prediction, Replayer, Verdict, Violation, bucket, changes,
    is_predicted, minimise_seen, verdict,
};
use run::Status;
use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::Way;
use super::rows::Rows;
use super::{Cause, Found, Neighbour, Settings, Shown, Slow, Verdicts};
use crate::decisions::Decision;
use crate::reached::Reached;
use crate::violations::{merge, wanted};

/// After so many longer inputs whose runs took too long, no more of them are run: the program may need ever more time for them.
const MOST_STOPPED: u32 = 3;

/// How long an input may run that was made for many iterations, or is longer than the run's own.
pub(crate) const LONGEST_ATTEMPT: Duration = Duration::from_secs(2);

/// So many predictions may take all the time that there is for a run, to no avail.
const MOST_REPEATED: u32 = 3;

/// What the run's own input has in the replay view if the run itself did not end.
const HANGING: Duration = Duration::from_secs(10);

/// Where the run's own input fails, so many inputs of branches in a row may come to nothing new. The others are not run: what they were
/// made for mostly lies behind the failure.
const MOST_FUTILE: u32 = 200;

/// Longer inputs, with and without other lengths in them, that do not come to all that the run's own comes to, and how much longer these
/// may be to be kept.
const MOST_TURNED_AWAY: [usize; 2] = [10, 2];
const MOST_MORE: usize = 160;

/// What a run has in any case, when the time is over: the run's own input is always run.
const SHORTEST_RUN: Duration = Duration::from_secs(1);

/// An input that is to be run.
pub struct Trial {
    /// What led to it.
    pub cause: Cause,
    /// The input.
    pub input: Input,
    /// What is expected of it.
    pub hope: Hope,
}

/// What is expected of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hope {
    /// It is only tried.
    Tried,
    /// It must do what it was made for, as far as the path is known.
    Sure,
    /// The same; and the check that it was made for cannot fail unless one of an index before does.
    Follows,
}

/// Runs candidates and keeps what fails.
pub struct Findings<'a> {
    replayer: &'a Replayer,
    settings: &'a Settings<'a>,
    original: &'a Input,
    predictions: &'a [Prediction],
    found: Vec<Found>,
    known: FxHashMap<Bucket, usize>,
    /// How long inputs may run that are tried instead of one that was found.
    patience: FxHashMap<Bucket, Duration>,
    verdicts: Verdicts,
    confirmed: Vec<usize>,
    /// The predictions that each input has been seen to come true with.
    came_true: FxHashMap<blake3::Hash, Vec<usize>>,
    shown: Vec<Shown>,
    missed: Vec<Missed>,
    late: Vec<usize>,
    /// The [digests](digest) of inputs of branches that were run already: another branch may lead to the same one.
    ran: FxHashSet<blake3::Hash>,
    /// What the run and its neighbours have reached, and others before them.
    pub(super) reached: Reached,
    pub(super) neighbours: Vec<Neighbour>,
    /// What the run itself has reached.
    own: Reached,
    /// For each edge that it has not, the last input of a branch that did, and how many had been run by then.
    beside: FxHashMap<u64, (u64, Arc<Neighbour>)>,
    /// Inputs of branches that do again what the run and others before have done once.
    second_rounds: Vec<Input>,
    /// The other ways of branches, by the constraint, and the last inputs that take them and come to nothing new.
    pub others: FxHashMap<usize, Decision>,
    rows: Rows,
    /// Longer inputs that do not come to all that the run's own comes to.
    turned_away: Vec<(Way, usize, Input)>,
    /// Which inputs are run in which lengths change, too; 0 for others.
    pub(super) measured: usize,
    candidates: u64,
    /// Longer inputs whose runs took too long.
    stopped: u32,
    /// How long the run's own input may run.
    longest_run: Duration,
    /// How long inputs beside that of the run may run.
    longest: Duration,
    /// Whether the run's own input fails.
    run_fails: bool,
    /// Inputs of branches in a row that came to nothing new.
    futile: u32,
    /// Those that were not run for that.
    left_out: u64,
    /// Predictions that took all the time that there is, to no avail.
    repeated: u32,
    slow: Option<Slow>,
    /// What the latest run did, if it was run and ended.
    pub(super) latest: Option<Way>,
    /// How long that took.
    pub(super) took: Duration,
    /// What the run's own input does.
    pub(super) own_way: Option<Way>,
    /// Runs that have gone into looking for limits.
    pub(super) narrowed: u32,
}

impl<'a> Findings<'a> {
    pub fn new(
        replayer: &'a Replayer,
        settings: &'a Settings<'a>,
        original: &'a Input,
        predictions: &'a [Prediction],
        run: Status,
    ) -> Findings<'a> {
        Findings {
            replayer,
            settings,
            original,
            predictions,
            found: Vec::new(),
            known: FxHashMap::default(),
            patience: FxHashMap::default(),
            verdicts: Verdicts::default(),
            confirmed: Vec::new(),
            came_true: FxHashMap::default(),
            shown: Vec::new(),
            missed: Vec::new(),
            late: Vec::new(),
            ran: FxHashSet::default(),
            reached: Reached::default(),
            neighbours: Vec::new(),
            own: Reached::default(),
            beside: FxHashMap::default(),
            second_rounds: Vec::new(),
            others: FxHashMap::default(),
            rows: Rows::default(),
            turned_away: Vec::new(),
            measured: 0,
            candidates: 0,
            stopped: 0,
            longest_run: if run == Status::TimedOut { HANGING } else { Duration::MAX },
            longest: LONGEST_ATTEMPT,
            run_fails: false,
            futile: 0,
            left_out: 0,
            repeated: 0,
            slow: None,
            latest: None,
            took: Duration::ZERO,
            own_way: None,
            narrowed: 0,
        }
    }

    /// Whether to come to an end.
    pub fn is_over(&self) -> bool {
        self.settings.is_over()
    }

    /// Inputs that were run.
    pub fn candidates(&self) -> u64 {
        self.candidates
    }

    /// Notes that there is no time to run a candidate.
    pub fn leave_out(&mut self, trial: &Trial) {
        if let Cause::Check(index) = trial.cause
            && trial.hope != Hope::Tried
        {
            self.late.push(index);
        }
    }

    /// Runs a candidate.
    pub fn run(&mut self, trial: Trial) -> Result<(), Error> {
        let Trial { cause, input, hope } = trial;
        self.latest = None;
        let is_sure = hope != Hope::Tried;
        let prediction = match cause {
            Cause::Check(index) => self.predictions.get(index),
            Cause::Run | Cause::Branch(_) | Cause::Iterations(_) | Cause::Growth | Cause::Unpinned(_) => None,
        };
        let digest = digest(&input);
        let is_new = self.ran.insert(digest);
        let takes_too_long = cause == Cause::Growth && self.stopped >= MOST_STOPPED;
        if prediction.is_none() && !is_new || takes_too_long {
            return Ok(());
        }
        if let (Cause::Check(index), Some(prediction), true) = (cause, prediction, is_sure)
            && self.is_repeated(digest, prediction)
        {
            self.verdicts.confirmed += 1;
            self.confirmed.push(index);
            return Ok(());
        }
        let is_branch = matches!(cause, Cause::Branch(_));
        if is_branch && self.run_fails && self.futile >= MOST_FUTILE {
            self.left_out += 1;
            return Ok(());
        }
        self.candidates += 1;
        let is_often_meant = |number: &u32| {
            self.replayer.sites().checks.get(*number as usize).is_some_and(trace::sites::Check::counts_if_asked_for)
        };
        let armed: Vec<u32> = prediction.and_then(|p| p.check).into_iter().filter(is_often_meant).collect();
        let outcome = match cause {
            // It was only a try.
            Cause::Iterations(_) | Cause::Growth | Cause::Unpinned(_) => {
                let longest = self.settings.left().max(SHORTEST_RUN).min(LONGEST_ATTEMPT);
                match self.replayer.replay_within(&input, longest) {
                    Ok(outcome) => outcome,
                    Err(_) => return Ok(()),
                }
            }
            Cause::Run => {
                let longest = self.settings.left().max(SHORTEST_RUN).min(self.longest_run);
                self.replayer.replay_armed_within(&input, &armed, longest)?
            }
            Cause::Check(_) | Cause::Branch(_) => self.candidate(&input, &armed, prediction.filter(|_| is_sure))?,
        };
        let was_stopped = is_stopped(&outcome);
        if self.candidates == 1 {
            self.run_fails = outcome.end == End::Violation;
            // That one does not end says nothing about others.
            if !was_stopped {
                self.longest = outcome.patience();
            }
        }
        let was_interrupted = matches!(outcome.end, End::Other(Status::Interrupted));
        let is_cut = (was_stopped || was_interrupted) && self.settings.is_over();
        self.stopped += u32::from(was_stopped && cause == Cause::Growth);
        if was_stopped && cause != Cause::Run && !self.settings.is_late() {
            Slow::count(&mut self.slow, &input, outcome.wall);
        }
        if let (Some(prediction), Cause::Check(index), true) = (prediction, cause, is_sure) {
            match verdict(prediction, &outcome) {
                Verdict::Confirmed { .. } => {
                    self.verdicts.confirmed += 1;
                    self.confirmed.push(index);
                    self.came_true.entry(digest).or_default().push(index);
                }
                // Nobody knows what it would have come to.
                _ if is_cut => self.late.push(index),
                Verdict::ConfirmedElsewhere { .. } => self.verdicts.confirmed_elsewhere += 1,
                Verdict::NotReproduced => {
                    self.missed.push(Missed { check: index, input: input.clone(), was_stopped });
                }
            }
        }
        let before = (self.found.len(), self.neighbours.len());
        if !was_stopped && !was_interrupted {
            self.note_reached(cause, &input, &outcome);
            self.latest = Some(Way::of(&outcome));
            self.took = outcome.wall;
            if let (Cause::Growth, Some(way)) = (cause, self.latest) {
                self.note_turned_away(way, &input, &outcome);
            }
            if cause == Cause::Run {
                self.own_way = self.latest;
            }
        }
        self.keep(Trial { cause, input, hope }, &armed, outcome, prediction);
        if is_branch {
            let is_new = before != (self.found.len(), self.neighbours.len());
            self.futile = if is_new { 0 } else { self.futile + 1 };
        }
        Ok(())
    }

    /// Whether an input has been seen to do what is predicted: a loop has the same check in each of its rounds, and one input may violate
    /// it in all of them.
    fn is_repeated(&self, digest: blake3::Hash, prediction: &Prediction) -> bool {
        let came_true = self.came_true.get(&digest).into_iter().flatten();
        came_true.filter_map(|index| self.predictions.get(*index)).any(|known| known == prediction)
    }

    /// Notes what a run has reached. What was made for a check goes on behind a violation, where everything may be otherwise: it takes
    /// nothing away from those that come to the same place without.
    fn note_reached(&mut self, cause: Cause, input: &Input, outcome: &Outcome) {
        if matches!(cause, Cause::Check(_) | Cause::Iterations(_) | Cause::Unpinned(_)) {
            return;
        }
        let hits = self.reached.new_hits(&outcome.coverage);
        if cause == Cause::Run {
            self.own.add(&self.own.new_hits(&outcome.coverage));
        }
        let (new_edges, repeats) = (self.reached.unknown_edges(&hits), self.reached.repeats(&hits));
        self.reached.add(&hits);
        if cause != Cause::Run && new_edges > 0 {
            self.neighbours.push(Neighbour { input: input.clone(), cause, new_edges });
        } else if matches!(cause, Cause::Branch(_)) && repeats {
            self.second_rounds.push(input.clone());
        }
        if new_edges == 0 && matches!(cause, Cause::Branch(_)) {
            self.note_beside(cause, input, outcome);
        }
        if let Cause::Branch(constraint) = cause
            && new_edges == 0
            && let Some(decision) = self.others.get(&constraint)
        {
            self.rows.insert(*decision, input.clone());
        }
    }

    /// Notes an input that came to what the run itself has not come to, though others had before. The last one is that which left the
    /// path closest to it, and what the first one excludes by what it is, the last one may not.
    fn note_beside(&mut self, cause: Cause, input: &Input, outcome: &Outcome) {
        let mut edges =
            outcome.coverage.edges().map(|edge| edge as u64).filter(|edge| !self.own.knows(*edge)).peekable();
        if edges.peek().is_none() {
            return;
        }
        let neighbour = Arc::new(Neighbour { input: input.clone(), cause, new_edges: 0 });
        edges.for_each(|edge| _ = self.beside.insert(edge, (self.candidates, Arc::clone(&neighbour))));
    }

    /// Notes a longer input that does not come to all that the run's own comes to. Of those that go the same way the last one stays:
    /// most is in that. Where lengths in it change, too, it depends on which.
    fn note_turned_away(&mut self, way: Way, input: &Input, outcome: &Outcome) {
        let length = |input: &Input| input.parts.iter().map(|part| part.bytes.len()).sum::<usize>();
        let misses = (0..).zip(&outcome.coverage.counters).any(|(edge, count)| *count == 0 && self.own.knows(edge));
        if !misses || length(input) > length(self.original) + MOST_MORE || outcome.end == End::Violation {
            return;
        }
        let series = self.measured;
        self.turned_away.retain(|(known, number, _)| (*known, *number) != (way, series));
        let others = self.turned_away.iter().filter(|(_, number, _)| (*number == 0) == (series == 0)).count();
        if others < MOST_TURNED_AWAY[usize::from(series == 0)] {
            self.turned_away.push((way, series, input.clone()));
        }
    }

    /// Runs an input beside that of the run. One that hangs is stopped soon; what must violate a check is given all the time that there
    /// is, unless others have needed it for nothing.
    fn candidate(&mut self, input: &Input, armed: &[u32], sure: Option<&Prediction>) -> Result<Outcome, Error> {
        let most = self.settings.left().max(SHORTEST_RUN).min(self.replayer.longest());
        let outcome = self.replayer.replay_armed_within(input, armed, self.longest.min(most))?;
        let is_open = sure.is_some_and(|prediction| verdict(prediction, &outcome) == Verdict::NotReproduced);
        if !is_stopped(&outcome) || !is_open || self.longest >= most || self.repeated >= MOST_REPEATED {
            return Ok(outcome);
        }
        let outcome = self.replayer.replay_armed_within(input, armed, most)?;
        self.repeated += u32::from(is_stopped(&outcome));
        Ok(outcome)
    }

    fn keep(&mut self, trial: Trial, armed: &[u32], outcome: Outcome, prediction: Option<&Prediction>) {
        let Trial { cause, input, hope } = trial;
        let is_expected =
            |violation: &Violation| prediction.is_some_and(|prediction| is_predicted(prediction, violation));
        let patience = outcome.patience();
        let stands_alone = |violation: &Violation| hope != Hope::Follows && is_expected(violation);
        let is_confirmed = outcome.violations.iter().any(is_expected);
        for violation in wanted(outcome.violations, self.settings.selection, stands_alone) {
            let bucket = bucket(&violation);
            let as_predicted = is_expected(&violation);
            if let Cause::Check(index) = cause {
                self.shown.push(Shown { check: index, bucket, as_predicted });
            }
            let found = Found {
                violation,
                bucket,
                cause,
                as_predicted,
                is_confirmed,
                input: input.clone(),
                changes: Vec::new(),
                armed: armed.to_vec(),
            };
            match self.known.get(&bucket).and_then(|known| self.found.get_mut(*known)) {
                // What was predicted says more than what happened on the way to something else.
                Some(known) if as_predicted && !known.as_predicted && known.cause != Cause::Run => {
                    self.patience.insert(bucket, patience);
                    *known = found;
                }
                Some(_) => {}
                None => {
                    self.patience.insert(bucket, patience);
                    self.known.insert(bucket, self.found.len());
                    self.found.push(found);
                }
            }
        }
    }

    /// Brings what was found close to the original input.
    pub fn minimise(&mut self) -> Result<(), Error> {
        let mut merged = FxHashMap::default();
        merge(
            &mut self.found,
            |found| &found.violation,
            |found| found.cause == Cause::Run,
            |dropped, kept| {
                merged.insert(dropped.bucket, kept.bucket);
            },
        );
        for Shown { bucket, .. } in &mut self.shown {
            *bucket = merged.get(bucket).copied().unwrap_or(*bucket);
        }
        let settings = self.settings;
        let is_wanted = |found: &&mut Found| found.cause != Cause::Run && !settings.known.contains(&found.bucket);
        for found in self.found.iter_mut().filter(is_wanted) {
            found.changes = changes(self.original, &found.input);
            let budget = Attempts { most: settings.minimise, until: settings.until };
            let longest = self.patience.get(&found.bucket).copied().unwrap_or(LONGEST_ATTEMPT);
            let seen = (&found.input, found.bucket, longest);
            let small = minimise_seen(self.replayer, &found.armed, self.original, seen, budget)?;
            found.changes = small.changed;
            if small.input == found.input {
                continue;
            }
            found.input = small.input;
            // The values in the message are those of this input; and what was predicted need not fail on it.
            let outcome = self.replayer.replay_armed(&found.input, &found.armed)?;
            if let Cause::Check(index) = found.cause
                && let Some(prediction) = self.predictions.get(index)
            {
                found.is_confirmed = outcome.violations.iter().any(|violation| is_predicted(prediction, violation));
            }
            let again = outcome.violations.into_iter().find(|violation| bucket(violation) == found.bucket);
            if let Some(violation) = again {
                found.violation = violation;
            }
        }
        Ok(())
    }

    /// Everything that came of them.
    pub fn finish(self) -> Results {
        // Those that left the path last first.
        let beside: BTreeMap<u64, Arc<Neighbour>> = self.beside.into_values().collect();
        let beside = beside.into_values().rev().collect();
        let mut turned_away = self.turned_away;
        turned_away.sort_by_key(|(_, series, _)| *series == 0);
        Results {
            found: self.found,
            verdicts: self.verdicts,
            confirmed: self.confirmed,
            shown: self.shown,
            missed: self.missed,
            late: self.late,
            candidates: self.candidates,
            left_out: self.left_out,
            neighbours: self.neighbours,
            reached: self.reached,
            beside,
            second_rounds: self.second_rounds,
            rows: self.rows,
            turned_away: turned_away.into_iter().map(|(.., input)| input).collect(),
            slow: self.slow,
        }
    }
}

fn is_stopped(outcome: &Outcome) -> bool {
    outcome.end == End::Other(Status::TimedOut)
}

/// A prediction that did not come true.
pub struct Missed {
    /// The check.
    pub check: usize,
    /// The input that should have violated it.
    pub input: Input,
    /// Whether its run took too long.
    pub was_stopped: bool,
}

/// What came of all candidates.
pub struct Results {
    /// What was found.
    pub found: Vec<Found>,
    /// How predictions turned out.
    pub verdicts: Verdicts,
    /// Checks whose violation was seen where it was predicted.
    pub confirmed: Vec<usize>,
    /// What was seen to fail on the inputs that were made for checks.
    pub shown: Vec<Shown>,
    /// Checks whose violation was not seen.
    pub missed: Vec<Missed>,
    /// Checks whose inputs there was no time for.
    pub late: Vec<usize>,
    /// Inputs that were run.
    pub candidates: u64,
    /// Inputs that were not, since the run's own fails and so did many of them.
    pub left_out: u64,
    /// Those that reached what nothing before them had reached.
    pub neighbours: Vec<Neighbour>,
    /// What all of them have reached.
    pub reached: Reached,
    /// For what the run did not reach, the last ones that did.
    pub beside: Vec<Arc<Neighbour>>,
    /// Those that do again what was done once before.
    pub second_rounds: Vec<Input>,
    /// Those that decide otherwise, and come to nothing new.
    pub rows: Rows,
    /// Longer ones that do not come to all that the run's own comes to.
    pub turned_away: Vec<Input>,
    /// Those whose runs took too long.
    pub slow: Option<Slow>,
}

/// What tells the inputs of one program apart without keeping them: they may be large.
fn digest(input: &Input) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for part in &input.parts {
        hasher.update(&(part.bytes.len() as u64).to_le_bytes());
        hasher.update(&part.bytes);
    }
    hasher.finalize()
}
