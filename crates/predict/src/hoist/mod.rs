//! Assertion hoisting: the precondition of a unit, from tests of it.
//!
//! In a view that is made for it, what a unit gets becomes input each time when it is entered: its parameters, the globals that it
//! reads, and what pointers among them point to. For every check on the way through the unit that some input can violate,
//! (path ⇒ condition) joins the precondition. What it says is compared, by the solver, with the terms that it was made from: what
//! cannot be said exactly is left out and counted.

mod clause;
mod entry;
mod express;
mod linear;
mod meaning;
mod parts;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use checkers::inject::Injected;
use expr::{Input as Values, Model, Store, Term};
use path::Path;
use refine::Condition;
use rustc_hash::FxHashMap;
use solver::{Answer, Session};
use trace::layout::{Event, EventKind, Reason};
use trace::reader::{Trace, event_kind, reason};
use trace::rule::Rule;
use trace::sites::SiteTable;

use crate::decided::TIME_OVER;
use clause::Clauses;
pub use express::Input;
pub use meaning::meaning;
use parts::PartsOf;

/// The precondition of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precondition {
    /// What is named in it: the unit's inputs, and pointers.
    pub inputs: Vec<Input>,
    /// What has to hold: each of these.
    pub clauses: Vec<String>,
    /// How often the unit was entered.
    pub entries: usize,
    /// How often it was entered by another thread than the first, or too deep in others: nothing of that was looked at.
    pub not_followed: u64,
    /// What was left out, and how often, by the reason.
    pub dropped: BTreeMap<&'static str, u64>,
    /// How often each check was looked at, by its site and rule.
    met: FxHashMap<(u32, Rule), u32>,
}

/// Why entries and checks are left out.
const LOST: &str = "something before it in the unit is not covered by the path";
const NO_ROOM: &str = "the unit was entered too often";
const OFTEN: &str = "the check was met too often";

/// How often a unit's entries in one run, and a check in all runs, are looked at: later ones seldom say anything new.
const MOST_ENTRIES: usize = 64;
const MOST_MEETINGS: u32 = 32;

/// Adds what a run says about the preconditions of its units, by their indices in the site table. Behind the first loss in a unit
/// nothing is sure about what its inputs do. What is not found out by `until` is left out.
pub fn add(
    preconditions: &mut BTreeMap<usize, Precondition>,
    (trace, path, checks): (&Trace, &mut Path, &[Injected]),
    sites: &SiteTable,
    values: &Values,
    session: &mut Session,
    until: Option<Instant>,
) {
    session.set_deadline(until);
    let checks = stated(checks);
    let base = Model::of_input(values.clone().into());
    let is_lost_everywhere = path.record.has_loss_without_place();
    let claims = path.constraints.iter().map(|constraint| constraint.claim());
    let parts = PartsOf::claims(&path.store, claims.chain(checks.iter().map(|check| check.holds)));
    let mut entered: FxHashMap<usize, usize> = FxHashMap::default();
    for (unit, count) in not_followed(trace, sites) {
        preconditions.entry(unit).or_default().not_followed += count;
    }
    for entry in entry::entries(trace, sites) {
        let precondition = preconditions.entry(entry.unit).or_default();
        precondition.entries += 1;
        precondition.learn(&entry);
        let own = checks.iter().filter(|check| entry.events.contains(&check.event));
        let number = entered.entry(entry.unit).or_default();
        *number += 1;
        if entry.is_incomplete || *number > MOST_ENTRIES {
            precondition.leave_out(NO_ROOM, own.count() as u64);
            continue;
        }
        let first_loss = match is_lost_everywhere {
            true => Some(0),
            false => path::first_loss_in(trace, sites, entry.events.clone()),
        };
        let mut clauses = Clauses::new((trace, &mut *path), &entry, &parts, &base, &mut *session);
        for check in own {
            let met = precondition.met.entry((check.site, check.rule)).or_default();
            *met += 1;
            if *met > MOST_MEETINGS {
                precondition.leave_out(OFTEN, 1);
                continue;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                precondition.leave_out(TIME_OVER, 1);
                continue;
            }
            let is_lost = first_loss.is_some_and(|loss| check.event >= loss);
            match clauses.clause(check) {
                Ok(None) => {}
                Ok(Some(_)) if is_lost => precondition.leave_out(LOST, 1),
                Ok(Some(text)) if precondition.clauses.contains(&text) => {}
                Ok(Some(text)) => precondition.clauses.push(text),
                Err(reason) => precondition.leave_out(reason, 1),
            }
        }
    }
    session.set_deadline(None);
}

/// What the program has to keep to, each once: both ends of a result are one condition to whoever calls the unit.
fn stated(checks: &[Injected]) -> Vec<Injected> {
    let whole = |check: &Injected| Injected { holds: check.stated, ..check.clone() };
    let mut conditions: Vec<Injected> = checks.iter().map(whole).collect();
    conditions.dedup_by_key(|check| (check.event, check.holds));
    conditions
}

/// Units that were entered and not followed, and how often.
fn not_followed(trace: &Trace, sites: &SiteTable) -> Vec<(usize, u64)> {
    let is_unit =
        |event: &&Event| event_kind(event.kind) == Some(EventKind::Loss) && reason(event.reason) == Some(Reason::Unit);
    let unit = |event: &Event| {
        let function = &path::position(sites, event.site)?.function;
        Some((sites.units.iter().position(|unit| unit.function == *function)?, event.value))
    };
    trace.events().iter().filter(is_unit).filter_map(unit).collect()
}

impl Precondition {
    fn leave_out(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.dropped.entry(reason).or_default() += count;
        }
    }

    /// Keeps the names of what a unit got.
    fn learn(&mut self, entry: &entry::Entry) {
        let pointers = entry.pointers.iter().map(|pointer| Input::pointer(&pointer.name));
        let all: Vec<Input> = entry.inputs.values().flatten().cloned().chain(pointers).collect();
        let known: BTreeSet<String> = self.inputs.iter().map(|input| input.name.clone()).collect();
        self.inputs.extend(all.into_iter().filter(|input| !known.contains(&input.name)));
    }

    /// Leaves out what the rest implies, the longest clauses first.
    pub fn simplify(&mut self, session: &mut Session) {
        let mut store = Store::new();
        // Each is a part of its own, wherever it lay in a run.
        let inputs: Vec<Input> = self.inputs.iter().map(|input| Input { offset: 0, ..input.clone() }).collect();
        let values = Values { parts: inputs.iter().map(|input| vec![0; input.size as usize]).collect() };
        let base = Model::of_input(values.into());
        let value_of = &mut |store: &mut Store, name: &str| {
            let (part, input) = (0..).zip(&inputs).find(|(_, input)| input.name == name)?;
            Some(input.value(store, part))
        };
        let mut said = |text: &String| meaning(&mut store, &Condition::parse(text).ok()?, value_of);
        let mut clauses: Vec<(String, Term)> =
            self.clauses.iter().filter_map(|text| Some((text.clone(), said(text)?))).collect();
        let meaningless = self.clauses.len() - clauses.len();
        self.leave_out(clause::UNSAYABLE, meaningless as u64);
        clauses.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        let mut index = 0;
        while let Some((_, clause)) = clauses.get(index).cloned() {
            let otherwise = store.not(clause);
            let others = clauses.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, (_, term))| *term);
            let query: Vec<Term> = others.chain([otherwise]).collect();
            if matches!(session.solve(&mut store, &query, &base), Answer::Unsat) {
                clauses.remove(index);
            } else {
                index += 1;
            }
        }
        self.clauses.retain(|text| clauses.iter().any(|(kept, _)| kept == text));
    }

    /// All of it as one condition; nothing if everything is allowed.
    pub fn text(&self) -> Option<String> {
        match self.clauses.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            several => Some(several.iter().map(|clause| format!("({clause})")).collect::<Vec<_>>().join(" && ")),
        }
    }
}

#[cfg(test)]
mod tests;
