//! Where a program begins to treat longer inputs otherwise.
//!
//! A program that turns away what is too long for it has its mistakes right at the limit: a buffer with room for all characters
//! and none for what ends them. Of the lengths that are tried one goes in, and the next one is turned away; the limit lies between
//! them and is found by halving.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use replay::{Error, Input, Outcome};
use rustc_hash::FxHasher;

use super::Cause;
use super::findings::{Findings, Hope, Trial};
use crate::growth::{self, Series};

/// Runs that all limits of a path may take.
const MOST_NARROWED: u32 = 160;
/// And of those where lengths change, too: they come last, and nothing of the others' may be left.
const MOST_MEASURED: u32 = 64;

/// Where a run takes longer, limits are not looked for: all of them together shall take no more than a minute or so.
const LONGEST_NARROWED: Duration = Duration::from_millis(500);

/// Which of its code a run went through: a hash of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way(u64);

impl Way {
    /// That of a run that has ended.
    pub fn of(outcome: &Outcome) -> Way {
        let mut hasher = FxHasher::default();
        outcome.coverage.edges().for_each(|edge| edge.hash(&mut hasher));
        Way(hasher.finish())
    }
}

impl Findings<'_> {
    /// Runs longer and longer inputs, and those at the limits between them; in the end those in which all is as long as it may be: each of two
    /// names fits, and both together do not.
    pub fn grow(&mut self, all: &[Series], input: &Input) -> Result<(), Error> {
        let mut longest = Vec::new();
        let first_measured = all.iter().position(Series::is_measured);
        for (number, series) in all.iter().enumerate() {
            if self.is_over() {
                return Ok(());
            }
            if first_measured == Some(number) {
                self.narrowed = self.narrowed.min(MOST_NARROWED - MOST_MEASURED);
            }
            self.measured = if series.is_measured() { number + 1 } else { 0 };
            longest.push((series, self.grow_one(series, input)?));
        }
        for input in growth::together(input, &longest) {
            if self.is_over() {
                break;
            }
            self.run(Trial { cause: Cause::Growth, input, hope: Hope::Tried })?;
        }
        Ok(())
    }

    /// How many there are at most where the program does what it does on the run's own input, as far as that was tried.
    fn grow_one(&mut self, series: &Series, input: &Input) -> Result<usize, Error> {
        let mut before = (series.first(), self.own_way);
        let mut longest = series.first();
        for count in series.counts.iter().copied() {
            if self.is_over() {
                break;
            }
            let way = self.way_of(series, input, count)?;
            if way == self.own_way {
                longest = count;
            }
            if let ((shorter, Some(short_way)), Some(long_way)) = (before, way)
                && short_way != long_way
            {
                let limit = self.narrow(series, input, (shorter, count), short_way)?;
                if before.1 == self.own_way {
                    longest = limit;
                }
            }
            before = (count, way);
        }
        Ok(longest)
    }

    fn way_of(&mut self, series: &Series, input: &Input, count: usize) -> Result<Option<Way>, Error> {
        let Some(input) = series.with(input, count) else { return Ok(self.own_way) };
        self.latest = None;
        self.run(Trial { cause: Cause::Growth, input, hope: Hope::Tried })?;
        Ok(self.latest)
    }

    /// Halves what lies between two numbers, of which the smaller one goes a certain way and the larger one does not. The largest number
    /// that is known to go that way.
    fn narrow(
        &mut self,
        series: &Series,
        input: &Input,
        (mut shorter, mut longer): (usize, usize),
        way: Way,
    ) -> Result<usize, Error> {
        while longer.saturating_sub(shorter) > 1 && self.narrowed < MOST_NARROWED && !self.is_over() {
            if self.took > LONGEST_NARROWED {
                break;
            }
            let middle = shorter.midpoint(longer);
            self.narrowed += 1;
            match self.way_of(series, input, middle)? {
                Some(found) if found == way => shorter = middle,
                Some(_) => longer = middle,
                None => break,
            }
        }
        Ok(shorter)
    }
}
