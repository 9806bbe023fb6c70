//! The ways that a run did not go.

use expr::{Claim, Store};
use path::{Constraint, Kind};

/// Another way out of a branch or switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What must hold to take it.
    pub goal: Claim,
    /// What it is called.
    pub name: String,
    /// Its number among all ways out, as in [`decision`](crate::decisions::decision).
    pub number: u64,
}

/// The other ways that there are at a constraint. A pin is no decision of the program.
pub fn other_ways(store: &mut Store, constraint: &Constraint) -> Vec<Way> {
    let not_this = constraint.claim().negated(store);
    match &constraint.kind {
        Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. } => Vec::new(),
        Kind::Branch { taken } => {
            let name = if *taken { "not taken" } else { "taken" };
            vec![Way { goal: not_this, name: name.to_owned(), number: u64::from(!taken) }]
        }
        Kind::Switch { value, cases } => {
            let subject = constraint.subject_claim();
            let mut ways = Vec::new();
            let mut default = not_this;
            for (number, case) in (0..).zip(cases).filter(|(_, case)| *case != value) {
                let goal = Claim::build(store, [subject], |store, [subject]| {
                    let constant = store.small(store.width(subject), *case);
                    store.eq(subject, constant)
                });
                let other = goal.negated(store);
                default = Claim::build(store, [default, other], |store, [a, b]| store.and(a, b));
                ways.push(Way { goal, name: format!("= {case:#x}"), number });
            }
            if cases.contains(value) {
                ways.push(Way { goal: default, name: "default".to_owned(), number: cases.len() as u64 });
            }
            ways
        }
    }
}
