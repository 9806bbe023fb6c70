//! Divisions on the way.
//!
//! A run that divides by 0 ends there as a rule, so what comes later is asked about inputs that get past the divisions. But a
//! division whose result nobody needs is none after optimisation, and the run goes on. So nothing holds because of one.

use checkers::inject::Injected;
use expr::{Claim, Store};

/// A division that a run got past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// That it can be done.
    holds: Claim,
    place: Place,
}

/// Where something is on a path: how many constraints come before it, and which event it comes from.
type Place = (usize, usize);

/// The divisions among the checks of a path, in its order.
pub fn divisions(checks: &[Injected]) -> Vec<Division> {
    let survived = checks.iter().filter(|check| check.fatal && check.held);
    let mut divisions: Vec<Division> =
        survived.map(|check| Division { holds: check.holds, place: (check.before, check.event) }).collect();
    divisions.sort_by_key(|division| division.place);
    divisions
}

impl Division {
    /// That it can be done, as a condition on the input.
    pub fn holds(&self) -> Claim {
        self.holds
    }

    /// Those that come before a check.
    pub fn before<'a>(all: &'a [Division], check: &Injected) -> &'a [Division] {
        let place = (check.before, check.event);
        all.get(..all.partition_point(|division| division.place < place)).unwrap_or_default()
    }

    /// Those that come before the constraint with this index.
    pub(crate) fn before_constraint(all: &[Division], index: usize) -> &[Division] {
        all.get(..all.partition_point(|division| division.place.0 <= index)).unwrap_or_default()
    }
}

/// That a claim holds for all inputs that get past these divisions.
pub(crate) fn for_survivors(store: &mut Store, divisions: &[Claim], claim: Claim) -> Claim {
    divisions.iter().fold(claim, |claim, division| {
        Claim::build(store, [*division, claim], |store, [division, claim]| {
            let fails = store.not(division);
            store.or(fails, claim)
        })
    })
}
