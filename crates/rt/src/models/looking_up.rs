//! Looking a byte up in a table that the input has no say in, as programs do that find the value of a digit with
//! `strchr("0123456789ABCDEF", c)`.
//!
//! One branch says whether the byte is there; where it is, is a term. A branch for each byte of the table would fix the digit, and so
//! the number that it belongs to.

use trace::layout::Label;

use super::term::Term;
use crate::recorder::Recorder;
use crate::shadow;

/// Tables with more runs than this are searched byte by byte.
const MOST_RUNS: usize = 64;

/// Which one is found of bytes that are in the table more than once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

/// Bytes of which each is the one before plus one: `0` to `9`, for instance.
#[derive(Clone, Copy, Default)]
struct Run {
    first: u8,
    /// One less than its length.
    steps: u8,
    /// Where it starts.
    address: u64,
}

/// The runs that a table is made of, in the order in which they are there.
struct Runs {
    runs: [Run; MOST_RUNS],
    count: usize,
}

impl Runs {
    fn of(table: &[u8]) -> Option<Runs> {
        let mut found = Runs { runs: [Run::default(); MOST_RUNS], count: 0 };
        let mut next = None;
        for byte in table {
            if next == Some(*byte) {
                found.runs[found.count - 1].steps += 1;
            } else {
                *found.runs.get_mut(found.count)? = Run { first: *byte, steps: 0, address: byte as *const u8 as u64 };
                found.count += 1;
            }
            next = byte.checked_add(1);
        }
        Some(found)
    }
}

impl Recorder {
    /// The label of the address at which `wanted` is found in `table`, or 0 where it is not; `None` if the table is nothing that
    /// this can do.
    pub(super) fn look_up_byte(
        &mut self,
        table: &[u8],
        wanted: Term,
        direction: Direction,
        site: u32,
    ) -> Option<Label> {
        let (start, len) = (table.as_ptr() as u64, table.len() as u64);
        // How much of a block with a size of its own is looked at depends on what is wanted.
        if wanted.label == 0 || !shadow::is_clean(start, len) || shadow::is_sized(start, len) {
            return None;
        }
        let mut found = Runs::of(table)?;
        let runs = &mut found.runs[..found.count];
        // From the one that counts least.
        if direction == Direction::Forwards {
            runs.reverse();
        }
        let mut is_there = Term::concrete(1, 0);
        let mut place: Option<Term> = None;
        for run in runs {
            let distance = self.difference(wanted, Term::concrete(8, run.first.into()));
            let is_in = self.at_most(distance, Term::concrete(8, run.steps.into()));
            is_there = self.choice(is_in, Term::concrete(1, 1), is_there);
            let start = Term::concrete(64, run.address);
            let here = match run.steps {
                0 => start,
                _ => {
                    let distance = self.widened(distance, 64);
                    self.sum(start, distance)
                }
            };
            place = Some(place.map_or(here, |other| self.choice(is_in, here, other)));
        }
        let is_found = self.decide(is_there, site);
        Some(place.filter(|_| is_found).map_or(0, |place| place.label))
    }
}
