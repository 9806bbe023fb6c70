//! The ways that a run did not go.

use expr::{Claim, Store, VarName};
use path::{Constraint, Kind};
use trace::layout::Reason;

/// Another way out of a branch or switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What must hold to take it.
    pub goal: Claim,
    /// What it is called.
    pub name: String,
    /// Its number among all ways out: 0 or 1 at a branch, the index of the case at a switch, behind the last for the default.
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

/// Other sizes than a run had: a size that is taken as it was and depends on how long the input is may be smaller or larger.
pub fn other_sizes(store: &mut Store, constraint: &Constraint, lengths: &[u32]) -> Vec<Way> {
    let Kind::Pin { value, reason: Reason::Size } = constraint.kind else { return Vec::new() };
    let is_length = |name: &VarName| matches!(name, VarName::Input { part, .. } if lengths.contains(part));
    let variables = expr::variables(store, &[constraint.subject]);
    if !variables.into_iter().any(|variable| is_length(store.var_name(variable))) {
        return Vec::new();
    }
    let subject = constraint.subject_claim();
    let mut ways = Vec::new();
    let mut add = |store: &mut Store, limit: u64, larger: bool| {
        let goal = Claim::build(store, [subject], |store, [subject]| {
            let limit = store.small(store.width(subject), limit);
            if larger { store.ult(limit, subject) } else { store.ult(subject, limit) }
        });
        let name = if larger { format!("> {limit}") } else { format!("< {limit}") };
        ways.push(Way { goal, name, number: ways.len() as u64 });
    };
    // A little and much: what is one byte short is often made up for by rounding.
    let mut smaller = value;
    while smaller > 0 {
        add(store, smaller, false);
        smaller /= 2;
    }
    add(store, value, true);
    add(store, value.saturating_mul(16), true);
    ways
}
