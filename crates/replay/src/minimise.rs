//! Brings a failing input close to the one that it was made from, as long as the bug stays the same.

mod shorter;

use std::ops::Range;
use std::time::{Duration, Instant};

use run::Status;

use crate::bucket::{Bucket, bucket};
use crate::input::Input;
use crate::{End, Error, Replayer};
use shorter::shorter;

/// A failing input that differs from the original no more than it has to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimised {
    /// The input.
    pub input: Input,
    /// How it differs from the original, in order.
    pub changed: Vec<Change>,
    /// Runs that were made.
    pub runs: usize,
    /// Whether every single difference that is left matters, or the budget ended the search.
    pub is_minimal: bool,
}

/// A byte that differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// Index of the part.
    pub part: usize,
    /// Offset in the part.
    pub offset: usize,
    /// The original's byte; nothing if it is shorter.
    pub old: Option<u8>,
    /// The failing input's byte; nothing if it is shorter.
    pub new: Option<u8>,
}

/// What may be spent on an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempts {
    /// Runs.
    pub most: usize,
    /// When it ends, whatever is left.
    pub until: Option<Instant>,
}

impl From<usize> for Attempts {
    fn from(most: usize) -> Attempts {
        Attempts { most, until: None }
    }
}

/// Brings the bytes of a failing input back to the original's where the bucket stays the same, in at most `budget`
/// runs. Nothing is returned if the failing input does not fall into the bucket.
///
/// # Errors
/// If the view cannot be started.
pub fn minimise(
    replayer: &Replayer,
    armed: &[u32],
    original: &Input,
    failing: &Input,
    wanted: Bucket,
    budget: impl Into<Attempts>,
) -> Result<Option<Minimised>, Error> {
    let Attempts { most, until } = budget.into();
    let mut runs = Runs { replayer, armed, wanted, left: most, until, longest: Duration::MAX };
    search(original, failing, most, |input| runs.fall(input))
}

/// The same for an input that has just been seen to fall into the bucket, so that it need not be run again. Others may run
/// `longest`.
///
/// # Errors
/// If the view cannot be started.
pub fn minimise_seen(
    replayer: &Replayer,
    armed: &[u32],
    original: &Input,
    (failing, wanted, longest): (&Input, Bucket, Duration),
    budget: impl Into<Attempts>,
) -> Result<Minimised, Error> {
    let Attempts { most, until } = budget.into();
    let mut runs = Runs { replayer, armed, wanted, left: most, until, longest };
    search_seen(original, failing, 0, most, |input| runs.fall(input))
}

/// What a run has in any case, however many did not end.
const SHORTEST: Duration = Duration::from_millis(250);

/// A number of runs.
struct Runs<'a> {
    replayer: &'a Replayer,
    armed: &'a [u32],
    wanted: Bucket,
    left: usize,
    until: Option<Instant>,
    /// How long a run may take.
    longest: Duration,
}

impl Runs<'_> {
    /// Whether an input falls into the bucket; without runs or time left, it is taken not to.
    fn fall(&mut self, input: &Input) -> Result<bool, Error> {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        let Some(left) = self.left.checked_sub(1).filter(|_| !is_late) else { return Ok(false) };
        self.left = left;
        let outcome = self.replayer.replay_armed_within(input, self.armed, self.longest)?;
        if self.longest == Duration::MAX {
            // The failing input itself comes first: one that takes much longer does something else.
            self.longest = outcome.patience();
        }
        // Where one does not end, more of them will not as a rule. What is stopped too early is only not made as small as it could be.
        if outcome.end == End::Other(Status::TimedOut) {
            self.longest = (self.longest / 2).max(SHORTEST);
        }
        Ok(outcome.violations.iter().any(|violation| bucket(violation) == self.wanted))
    }
}

/// [`minimise`] for any test.
fn search<E>(
    original: &Input,
    failing: &Input,
    budget: usize,
    mut fails: impl FnMut(&Input) -> Result<bool, E>,
) -> Result<Option<Minimised>, E> {
    if budget == 0 || !fails(failing)? {
        return Ok(None);
    }
    search_seen(original, failing, 1, budget, fails).map(Some)
}

/// The same for an input that is known to fail, after some of the budget has been spent on it.
fn search_seen<E>(
    original: &Input,
    failing: &Input,
    mut runs: usize,
    budget: usize,
    mut fails: impl FnMut(&Input) -> Result<bool, E>,
) -> Result<Minimised, E> {
    if let Some(insertion) = Insertion::between(original, failing) {
        let (shortest, more) = insertion.shortest(failing, budget - runs, &mut fails)?;
        let input = insertion.cut(failing, shortest);
        let changed = changes(original, &input);
        return Ok(Minimised { input, changed, runs: runs + more, is_minimal: runs + more < budget });
    }
    let (failing, more) = shorter(original, failing, (budget - runs) / 2, &mut fails)?;
    runs += more;
    let mut kept = units(original, &failing);
    let mut pieces = 2;
    // Delta debugging: leave out ever smaller pieces of the difference.
    let mut is_minimal = true;
    while !kept.is_empty() {
        let size = kept.len().div_ceil(pieces).max(1);
        let mut smaller = None;
        for start in (0..kept.len()).step_by(size) {
            if runs == budget {
                is_minimal = false;
                break;
            }
            let rest = without(&kept, start, size);
            runs += 1;
            if fails(&apply(original, &failing, &rest))? {
                smaller = Some(rest);
                break;
            }
        }
        match smaller {
            Some(rest) => {
                kept = rest;
                pieces = pieces.saturating_sub(1).max(2);
            }
            None if size == 1 || !is_minimal => break,
            None => pieces = pieces.saturating_mul(2).min(kept.len()),
        }
    }
    let input = apply(original, &failing, &kept);
    let changed = changes(original, &input);
    Ok(Minimised { input, changed, runs, is_minimal })
}

/// How an input differs from another one, in order.
pub fn changes(original: &Input, input: &Input) -> Vec<Change> {
    match Insertion::between(original, input) {
        Some(insertion) => insertion.changes(input),
        None => units(original, input).into_iter().flat_map(|unit| unit.changes(original, input)).collect(),
    }
}

/// Bytes that one of two inputs has in addition, all in one place.
struct Insertion {
    part: usize,
    range: Range<usize>,
}

impl Insertion {
    /// What `longer` has in addition, if that is the only difference.
    fn between(original: &Input, longer: &Input) -> Option<Insertion> {
        let mut differ = original.parts.iter().zip(&longer.parts).enumerate().filter(|(_, (old, new))| old != new);
        let (part, (old, new)) = differ.next().filter(|_| original.parts.len() == longer.parts.len())?;
        let more = new.bytes.len().checked_sub(old.bytes.len()).filter(|more| *more > 0)?;
        let same = old.bytes.iter().zip(&new.bytes).take_while(|(a, b)| a == b).count();
        let is_only = differ.next().is_none() && old.bytes.get(same..)? == new.bytes.get(same + more..)?;
        is_only.then(|| Insertion { part, range: same..same + more })
    }

    /// The longer input with only the first of the bytes.
    fn cut(&self, longer: &Input, count: usize) -> Input {
        let mut input = longer.clone();
        if let Some(part) = input.parts.get_mut(self.part) {
            part.bytes.drain((self.range.start + count).min(self.range.end)..self.range.end);
        }
        input
    }

    /// How few of the bytes are enough, and the number of runs it took to know. Where some are enough, more are taken to be.
    fn shortest<E>(
        &self,
        longer: &Input,
        budget: usize,
        fails: &mut impl FnMut(&Input) -> Result<bool, E>,
    ) -> Result<(usize, usize), E> {
        let (mut least, mut enough) = (0, self.range.len());
        let mut runs = 0;
        let mut is_asked = false;
        while least < enough && runs < budget {
            let is_tight = least > 0 && !core::mem::replace(&mut is_asked, least > 0);
            // What a solver makes is just long enough, as a rule: once half of it is too little, all but one byte is asked about.
            let count = if is_tight { enough - 1 } else { least + (enough - least) / 2 };
            runs += 1;
            if fails(&self.cut(longer, count))? {
                enough = count;
            } else {
                least = count + 1;
            }
        }
        Ok((enough, runs))
    }

    fn changes(&self, longer: &Input) -> Vec<Change> {
        let bytes = longer.parts.get(self.part).map(|part| part.bytes.as_slice()).unwrap_or_default();
        let change = |offset| Change { part: self.part, offset, old: None, new: bytes.get(offset).copied() };
        self.range.clone().map(change).collect()
    }
}

fn without(units: &[Unit], start: usize, count: usize) -> Vec<Unit> {
    let is_left_out = |index: usize| index >= start && index - start < count;
    units.iter().enumerate().filter(|(index, _)| !is_left_out(*index)).map(|(_, unit)| *unit).collect()
}

/// What is brought back or not: one byte that both inputs have, or all that only one of them has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Byte { part: usize, offset: usize },
    Tail { part: usize },
}

/// All differences between two inputs. Parts that only one of them has are none: they are not exchangeable.
fn units(original: &Input, failing: &Input) -> Vec<Unit> {
    let mut units = Vec::new();
    for (part, (old, new)) in original.parts.iter().zip(&failing.parts).enumerate() {
        let pairs = old.bytes.iter().zip(&new.bytes).enumerate();
        units.extend(pairs.filter(|(_, (a, b))| a != b).map(|(offset, _)| Unit::Byte { part, offset }));
        if old.bytes.len() != new.bytes.len() {
            units.push(Unit::Tail { part });
        }
    }
    units
}

/// The original with some of the differences.
fn apply(original: &Input, failing: &Input, kept: &[Unit]) -> Input {
    let mut input = failing.clone();
    for (old, new) in original.parts.iter().zip(&mut input.parts) {
        new.bytes.clone_from(&old.bytes);
    }
    for unit in kept {
        match *unit {
            Unit::Byte { part, offset } => {
                let new = failing.parts.get(part).and_then(|part| part.bytes.get(offset));
                let place = input.parts.get_mut(part).and_then(|part| part.bytes.get_mut(offset));
                if let (Some(place), Some(new)) = (place, new) {
                    *place = *new;
                }
            }
            Unit::Tail { part } => {
                if let (Some(part), Some(new)) = (input.parts.get_mut(part), failing.parts.get(part)) {
                    let common = part.bytes.len().min(new.bytes.len());
                    part.bytes.truncate(common);
                    part.bytes.extend_from_slice(new.bytes.get(common..).unwrap_or_default());
                }
            }
        }
    }
    input
}

impl Unit {
    fn changes(self, original: &Input, failing: &Input) -> Vec<Change> {
        let bytes =
            |input: &Input, part: usize| input.parts.get(part).map(|part| part.bytes.clone()).unwrap_or_default();
        let (part, range) = match self {
            Unit::Byte { part, offset } => (part, offset..offset + 1),
            Unit::Tail { part } => {
                let (old, new) = (bytes(original, part).len(), bytes(failing, part).len());
                (part, old.min(new)..old.max(new))
            }
        };
        let (old, new) = (bytes(original, part), bytes(failing, part));
        let change = |offset| Change { part, offset, old: old.get(offset).copied(), new: new.get(offset).copied() };
        range.map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many runs it takes until only what is needed is left of what was inserted.
    fn runs_for(needed: usize) -> usize {
        let found = minimised(b"", &[b'a'; 1000], 100, |input| input.len() >= needed).unwrap();
        assert_eq!(found.input, Input::stdin(vec![b'a'; needed]));
        found.runs
    }

    #[test]
    fn what_is_just_long_enough_is_soon_known_to_be() {
        assert_eq!(runs_for(1000), 3);
        assert!(runs_for(300) <= 13 && runs_for(999) <= 13 && runs_for(1) <= 13);
    }

    #[test]
    fn what_was_seen_is_not_run_again() {
        let mut ran = Vec::new();
        let (original, failing) = (Input::stdin(*b"aa"), Input::stdin(*b"az"));
        let test = |input: &Input| {
            ran.push(input.clone());
            Ok::<_, ()>(false)
        };
        let found = search_seen(&original, &failing, 0, 10, test).unwrap();
        assert_eq!((found.input, found.runs, found.is_minimal), (failing, 1, true));
        assert_eq!(ran, [original]);
    }

    fn minimised(original: &[u8], failing: &[u8], budget: usize, fails: impl Fn(&[u8]) -> bool) -> Option<Minimised> {
        let test = |input: &Input| Ok::<_, ()>(fails(&input.parts[0].bytes));
        search(&Input::stdin(original), &Input::stdin(failing), budget, test).unwrap()
    }

    #[test]
    fn only_what_matters_stays() {
        let found = minimised(b"aaaaaaaaaa", b"zzzzzzzzzz", 100, |input| input[3] == b'z' && input[8] == b'z').unwrap();
        assert_eq!(found.input, Input::stdin(*b"aaazaaaaza"));
        let change = |offset| Change { part: 0, offset, old: Some(b'a'), new: Some(b'z') };
        assert_eq!(found.changed, [change(3), change(8)]);
        assert!(found.is_minimal);
    }

    #[test]
    fn lengths_come_back_too() {
        let found = minimised(b"abc", b"abcdefg", 100, |input| input.len() < 100).unwrap();
        assert_eq!((found.input, found.changed), (Input::stdin(*b"abc"), Vec::new()));
        let found = minimised(b"abcdefg", b"xbc", 100, |input| input.len() == 3).unwrap();
        assert_eq!(found.input, Input::stdin(*b"abc"));
        assert_eq!(found.changed[0], Change { part: 0, offset: 3, old: Some(b'd'), new: None });
    }

    #[test]
    fn what_is_inserted_becomes_short() {
        let found = minimised(b"a=b;", b"a=bbbbbbbbbbbbbb;", 100, |input| input.len() > 8).unwrap();
        assert_eq!(found.input, Input::stdin(*b"a=bbbbbb;"));
        let change = |offset| Change { part: 0, offset, old: None, new: Some(b'b') };
        assert_eq!(found.changed, [3, 4, 5, 6, 7].map(change));
        let found = minimised(b"ab", b"ab0123456789", 3, |input| input.len() > 2).unwrap();
        assert_eq!((found.input, found.is_minimal), (Input::stdin(*b"ab01"), false));
    }

    #[test]
    fn what_does_not_fail_is_nothing() {
        assert_eq!(minimised(b"a", b"b", 10, |_| false), None);
        assert_eq!(minimised(b"a", b"b", 0, |_| true), None);
    }

    proptest! {
        /// The test depends on some of the differing bytes: exactly these are left.
        #[test]
        fn the_result_fails_and_is_minimal(needed in proptest::collection::btree_set(0usize..40, 0..6)) {
            let (original, failing) = ([0u8; 40], [1u8; 40]);
            let found = minimised(&original, &failing, 10_000, |input| needed.iter().all(|at| input[*at] == 1)).unwrap();
            let changed: Vec<usize> = found.changed.iter().map(|change| change.offset).collect();
            prop_assert_eq!(changed, needed.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn the_budget_is_kept(budget in 1usize..50) {
            let found = minimised(&[0; 64], &[1; 64], budget, |input| input.iter().filter(|b| **b == 1).count() > 20).unwrap();
            prop_assert!(found.runs <= budget);
            prop_assert!(found.input.parts[0].bytes.iter().filter(|b| **b == 1).count() > 20);
        }
    }
}
