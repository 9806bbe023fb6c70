//! Assertion hoisting: the precondition of a unit, from tests of it.
//!
//! In a view that is made for it, a unit's parameters and the globals that it reads become input each time when it is entered, in parts named
//! `UNIT.NAME:u` or `:s`. For every check on the way through the unit that some input can violate, (path ⇒ condition) joins the
//! precondition. What it says is compared, by the solver, with the terms that it was made from: what cannot be said exactly is
//! left out and counted.

mod express;
mod linear;
mod meaning;

use std::collections::{BTreeMap, BTreeSet};

use checkers::inject::Injected;
use expr::{Claim, Input as Values, Model, Store, Term, VarName};
use path::Path;
use refine::Condition;
use rustc_hash::FxHashMap;
use solver::{Answer, Session};
use trace::reader::Trace;

pub use express::Input;
use express::{Express, any};
pub use meaning::meaning;

/// A clause that has more decisions before its check than this is not for people.
const MOST_DECISIONS: usize = 32;

/// The precondition of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precondition {
    /// The unit's inputs.
    pub inputs: Vec<Input>,
    /// What has to hold: each of these.
    pub clauses: Vec<String>,
    /// How often the unit was entered.
    pub entries: usize,
    /// What was left out, and how often, by the reason.
    pub dropped: BTreeMap<&'static str, u64>,
}

/// One time when a unit was entered: its inputs, by their parts.
type Entry = FxHashMap<u32, Input>;

/// The units of a run, and when they were entered.
fn entries(trace: &Trace) -> BTreeMap<(String, u32), Entry> {
    let mut entries: BTreeMap<(String, u32), Entry> = BTreeMap::new();
    for (index, part) in (0..).zip(trace.parts()) {
        if let Some((unit, number, input)) = named(&part.name, part.len) {
            entries.entry((unit, number)).or_default().insert(index, input);
        }
    }
    entries
}

/// Reads `UNIT.NAME:u#2`.
fn named(name: &str, size: u64) -> Option<(String, u32, Input)> {
    let (name, number) = match name.rsplit_once('#') {
        Some((name, number)) => (name, number.parse().ok()?),
        None => (name, 1),
    };
    let (name, sign) = name.rsplit_once(':')?;
    let signed = match sign {
        "s" => true,
        "u" => false,
        _ => return None,
    };
    let (unit, name) = name.split_once('.')?;
    Some((unit.to_owned(), number, Input { name: name.to_owned(), size, signed }))
}

/// Adds what a run says about the preconditions of its units. From the event `first_loss` on, the path does not cover
/// everything: what is checked there says nothing for sure about the unit's inputs.
pub fn add(
    preconditions: &mut BTreeMap<String, Precondition>,
    (trace, path, checks): (&Trace, &mut Path, &[Injected]),
    first_loss: Option<usize>,
    values: &Values,
    session: &mut Session,
) {
    const LOST: &str = "something before it is not covered by the path";
    let base = Model::of_input(values.clone().into());
    for ((unit, _), entry) in entries(trace) {
        let precondition = preconditions.entry(unit).or_default();
        precondition.entries += 1;
        let mut inputs: Vec<Input> = entry.values().cloned().collect();
        inputs.sort_by(|a, b| a.name.cmp(&b.name));
        precondition.inputs = inputs;
        for check in checks {
            let result = clause(path, check, &entry, &base, session);
            let is_lost = first_loss.is_some_and(|loss| check.event >= loss);
            match result.and_then(|clause| if is_lost && clause.is_some() { Err(LOST) } else { Ok(clause) }) {
                Ok(Some(text)) if !precondition.clauses.contains(&text) => precondition.clauses.push(text),
                Ok(_) => {}
                Err(reason) => *precondition.dropped.entry(reason).or_default() += 1,
            }
        }
    }
}

/// The clause of a check: nothing if it is about something else, or holds whenever the unit comes there.
fn clause(
    path: &mut Path,
    check: &Injected,
    entry: &Entry,
    base: &Model,
    session: &mut Session,
) -> Result<Option<String>, &'static str> {
    let of_check = parts(&path.store, check.holds.term);
    if !of_check.iter().any(|part| entry.contains_key(part)) {
        return Ok(None);
    }
    const FOREIGN: &str = "it depends on more than the unit's inputs";
    let is_own = |parts: &BTreeSet<u32>| parts.iter().all(|part| entry.contains_key(part));
    if !is_own(&of_check) {
        return Err(FOREIGN);
    }
    let mut decisions: Vec<Claim> = Vec::new();
    for constraint in path.constraints.iter().take(check.before) {
        let parts = parts(&path.store, constraint.holds);
        if is_own(&parts) {
            decisions.push(constraint.claim());
        } else if !decisions.is_empty() || parts.iter().any(|part| entry.contains_key(part)) {
            return Err(FOREIGN);
        }
    }
    if decisions.len() > MOST_DECISIONS {
        return Err("too many decisions come before it");
    }
    let violated = path.store.not(check.holds.term);
    let is_impossible = |store: &mut Store, session: &mut Session, terms: &[Term]| {
        matches!(session.solve(store, terms, base), Answer::Unsat)
    };
    let all: Vec<Term> = decisions.iter().map(|decision| decision.term).chain([violated]).collect();
    if is_impossible(&mut path.store, session, &all) {
        return Ok(None);
    }
    // A decision that the others make necessary need not be said.
    let mut index = 0;
    while let Some(decision) = decisions.get(index).copied() {
        let otherwise = path.store.not(decision.term);
        let rest = decisions.iter().map(|other| other.term).filter(|other| *other != decision.term);
        let rest: Vec<Term> = rest.chain([violated, otherwise]).collect();
        if is_impossible(&mut path.store, session, &rest) {
            decisions.remove(index);
        } else {
            index += 1;
        }
    }
    const UNSAYABLE: &str = "it cannot be written as a condition";
    // What was not simplified is closest to the source; simplification takes comparisons apart.
    let say = |claim: Claim| {
        let read = |term: Term| Express::new(&path.store, entry).formula(term);
        let readings = [read(claim.original), read(claim.term)];
        readings.into_iter().flatten().min_by_key(|formula| formula.text().len()).ok_or(UNSAYABLE)
    };
    let mut pieces = Vec::new();
    for decision in &decisions {
        pieces.push(say(*decision)?.negated());
    }
    pieces.push(say(check.holds)?);
    let text = any(pieces.into_iter()).text();
    let condition = Condition::parse(&text).map_err(|_| UNSAYABLE)?;
    let inputs: Vec<(u32, Input)> = entry.iter().map(|(part, input)| (*part, input.clone())).collect();
    let said = meaning(&mut path.store, &condition, &inputs).ok_or(UNSAYABLE)?;
    let mut meant = check.holds.term;
    for decision in &decisions {
        let otherwise = path.store.not(decision.term);
        meant = path.store.or(otherwise, meant);
    }
    let differs = path.store.xor(said, meant);
    match is_impossible(&mut path.store, session, &[differs]) {
        true => Ok(Some(text)),
        false => Err("what it says was not shown to be what is meant"),
    }
}

/// The parts of the input that a term depends on.
fn parts(store: &Store, term: Term) -> BTreeSet<u32> {
    let variables = expr::variables(store, &[term]);
    let part = |name: &VarName| match name {
        VarName::Input { part, .. } => Some(*part),
        VarName::Named(_) => None,
    };
    variables.into_iter().filter_map(|variable| part(store.var_name(variable))).collect()
}

impl Precondition {
    /// Leaves out what the rest implies, the longest clauses first.
    pub fn simplify(&mut self, session: &mut Session) {
        let mut store = Store::new();
        let inputs: Vec<(u32, Input)> = (0..).zip(self.inputs.iter().cloned()).collect();
        let values = Values { parts: self.inputs.iter().map(|input| vec![0; input.size as usize]).collect() };
        let base = Model::of_input(values.into());
        let mut said = |text: &String| meaning(&mut store, &Condition::parse(text).ok()?, &inputs);
        let mut clauses: Vec<(String, Term)> =
            self.clauses.iter().filter_map(|text| Some((text.clone(), said(text)?))).collect();
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
