//! The ways that a run did not go.

use expr::{Store, Term};
use path::{Constraint, Kind};

/// Another way out of a branch or switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What must hold to take it.
    pub goal: Term,
    /// What it is called.
    pub name: String,
}

/// The other ways that there are at a constraint. A pin is no decision of the program.
pub fn other_ways(store: &mut Store, constraint: &Constraint) -> Vec<Way> {
    let not_this = store.not(constraint.holds);
    match &constraint.kind {
        Kind::Pin { .. } | Kind::Access { .. } => Vec::new(),
        Kind::Branch { taken } => {
            vec![Way { goal: not_this, name: if *taken { "not taken" } else { "taken" }.to_owned() }]
        }
        Kind::Switch { value, cases } => {
            let width = store.width(constraint.subject);
            let mut ways = Vec::new();
            let mut default = not_this;
            for case in cases.iter().filter(|case| *case != value) {
                let constant = store.small(width, *case);
                let goal = store.eq(constraint.subject, constant);
                let other = store.not(goal);
                default = store.and(default, other);
                ways.push(Way { goal, name: format!("= {case:#x}") });
            }
            if cases.contains(value) {
                ways.push(Way { goal: default, name: "default".to_owned() });
            }
            ways
        }
    }
}
