//! The clause of one check: the path to it implies that it holds.

use checkers::inject::Injected;
use expr::{Claim, Model, Store, Term};
use path::Path;
use refine::{Condition, Place, Step};
use solver::{Answer, Session};
use trace::layout::{EventKind, LENGTH_BYTES};
use trace::reader::{Trace, event_kind};

use super::entry::{Entry, Pointer};
use super::express::{Express, Formula, Input, Sums, any};
use super::meaning::{WIDTH, meaning};
use super::parts::PartsOf;

/// A clause that has more decisions before its check than this is not for people.
const MOST_DECISIONS: usize = 32;
/// Nor is it found out which of so many are needed.
const MOST_BEFORE: usize = 48;

const FOREIGN: &str = "it depends on more than the unit's inputs";
const CALLERS: &str = "it is about the size of memory that the unit was given";
const SHARED: &str = "pointers that the unit was given point to the same memory";
const UNKNOWN_MEMORY: &str = "the unit was given memory that is not known, or too large to be looked at";
const TOO_MANY: &str = "too many decisions come before it";
pub(super) const UNSAYABLE: &str = "it cannot be written as a condition";
const NOT_SHOWN: &str = "what it says was not shown to be what is meant";

/// What the clauses of an entry are made from.
pub struct Clauses<'a> {
    trace: &'a Trace,
    path: &'a mut Path,
    entry: &'a Entry,
    /// The parts of the input that constraints and checks depend on.
    parts: &'a PartsOf,
    /// The input of the run.
    base: &'a Model,
    session: &'a mut Session,
    /// Found out when somebody asks.
    before: Option<Before>,
    /// What the clauses of earlier checks mean.
    required: Vec<Term>,
}

/// What comes before the checks of an entry.
struct Before {
    /// What is known of the unit's inputs when it is entered.
    facts: Vec<Term>,
    /// What was decided about them, with the index of the constraint; no more than could be said anyway.
    decisions: Vec<(usize, Claim)>,
    /// The first constraint that depends on something else.
    foreign: usize,
}

impl<'a> Clauses<'a> {
    /// Nothing is found out yet.
    pub fn new(
        (trace, path): (&'a Trace, &'a mut Path),
        entry: &'a Entry,
        parts: &'a PartsOf,
        base: &'a Model,
        session: &'a mut Session,
    ) -> Clauses<'a> {
        Clauses { trace, path, entry, parts, base, session, before: None, required: Vec::new() }
    }

    /// The clause of a check: nothing if it is about something else, or holds whenever the unit comes there.
    pub fn clause(&mut self, check: &Injected) -> Result<Option<String>, &'static str> {
        if !self.entry.events.contains(&check.event) {
            return Ok(None);
        }
        let of_check = self.parts.claim(check.holds);
        if !of_check.iter().any(|part| self.is_own(*part)) {
            return Ok(None);
        }
        if !of_check.iter().all(|part| self.is_own(*part)) {
            return Err(FOREIGN);
        }
        if !self.is_about_own_memory(check) {
            return Err(CALLERS);
        }
        if self.entry.is_shared {
            return Err(SHARED);
        }
        if self.entry.has_unknown_memory {
            return Err(UNKNOWN_MEMORY);
        }
        let (facts, mut decisions) = self.before(check)?;
        let violated = self.path.store.not(check.holds.term);
        let all: Vec<Term> = decisions.iter().map(|decision| decision.term).chain([violated]).collect();
        if self.is_impossible(&facts, &all) {
            return Ok(None);
        }
        // Nothing more is asked about what cannot be said.
        self.say(check.holds, Sums::Wrap).or_else(|_| self.say(check.holds, Sums::Fit))?;
        // A decision that the others make necessary need not be said.
        let mut index = 0;
        while let Some(decision) = decisions.get(index).copied() {
            let otherwise = self.path.store.not(decision.term);
            let rest = decisions.iter().map(|other| other.term).filter(|other| *other != decision.term);
            let rest: Vec<Term> = rest.chain([violated, otherwise]).collect();
            if self.is_impossible(&facts, &rest) {
                decisions.remove(index);
            } else {
                index += 1;
            }
        }
        if decisions.len() > MOST_DECISIONS {
            return Err(TOO_MANY);
        }
        // Whoever keeps to the clauses of earlier checks comes here without overflows there, which makes for shorter words.
        let known: Vec<Term> = facts.iter().chain(&self.required).copied().collect();
        let shorter = match self.required.is_empty() {
            true => None,
            false => self.written(check, &decisions, &known, Sums::Fit).ok(),
        };
        let (text, meant) = match self.written(check, &decisions, &facts, Sums::Wrap) {
            Ok(exact) => shorter.filter(|(text, _)| text.len() < exact.0.len()).unwrap_or(exact),
            Err(reason) => shorter.ok_or(reason)?,
        };
        self.required.push(meant);
        Ok(Some(text))
    }

    /// A clause as text, which is shown to say what is meant wherever `known` holds, and what that is.
    fn written(
        &mut self,
        check: &Injected,
        decisions: &[Claim],
        known: &[Term],
        sums: Sums,
    ) -> Result<(String, Term), &'static str> {
        let mut pieces = Vec::new();
        for decision in decisions {
            pieces.push(self.say(*decision, sums)?.negated());
        }
        pieces.push(self.say(check.holds, sums)?);
        let mut meant = check.holds.term;
        for decision in decisions {
            let otherwise = self.path.store.not(decision.term);
            meant = self.path.store.or(otherwise, meant);
        }
        let text = any(pieces.iter().cloned()).text();
        let names = Condition::parse(&text).map_err(|_| UNSAYABLE)?;
        let mut guarded = self.guards(&names.names());
        for (length, index, name) in self.lengths(&names.names()) {
            let at_most = format!("strlen({name}) <= {index}");
            guarded.push(Formula::Atom(at_most, format!("strlen({name}) > {index}")));
            let ends = self.ends_before(length, index);
            meant = self.path.store.or(ends, meant);
        }
        guarded.extend(pieces);
        let text = any(guarded.into_iter()).text();
        let condition = Condition::parse(&text).map_err(|_| UNSAYABLE)?;
        let entry = self.entry;
        let value_of = &mut |store: &mut Store, name: &str| value_of(store, entry, name);
        let said = meaning(&mut self.path.store, &condition, value_of).ok_or(UNSAYABLE)?;
        let differs = self.path.store.xor(said, meant);
        match self.is_impossible(known, &[differs]) {
            true => Ok((text, meant)),
            false => Err(NOT_SHOWN),
        }
    }

    /// What is known of the unit's inputs when it is entered, and what was decided about them before a check.
    fn before(&mut self, check: &Injected) -> Result<(Vec<Term>, Vec<Claim>), &'static str> {
        let before = match self.before.take() {
            Some(known) => known,
            None => self.look_back(),
        };
        let is_foreign = before.foreign < check.before;
        let earlier = before.decisions.iter().filter(|(index, _)| *index < check.before);
        let decisions: Vec<Claim> = earlier.map(|(_, claim)| *claim).collect();
        let facts = before.facts.clone();
        self.before = Some(before);
        match (is_foreign, decisions.len() > MOST_BEFORE) {
            (true, _) => Err(FOREIGN),
            (false, true) => Err(TOO_MANY),
            (false, false) => Ok((facts, decisions)),
        }
    }

    fn look_back(&self) -> Before {
        let constraints = &self.path.constraints;
        let start = constraints.partition_point(|constraint| constraint.event < self.entry.events.start);
        let is_own = |claim: Claim| self.parts.claim(claim).iter().all(|part| self.is_own(*part));
        // Its inputs are new: what is said of them so early is what strings are.
        let facts = constraints.iter().take(start).map(|constraint| constraint.claim());
        let facts = facts.filter(|claim| is_own(*claim) && !self.parts.claim(*claim).is_empty());
        let mut before =
            Before { facts: facts.map(|fact| fact.term).collect(), decisions: vec![], foreign: usize::MAX };
        for (index, constraint) in constraints.iter().enumerate().skip(start) {
            if !self.entry.events.contains(&constraint.event) || before.decisions.len() > MOST_BEFORE {
                break;
            }
            if !is_own(constraint.claim()) {
                before.foreign = index;
                break;
            }
            before.decisions.push((index, constraint.claim()));
        }
        before
    }

    fn is_own(&self, part: u32) -> bool {
        self.entry.inputs.contains_key(&part)
    }

    /// Whether a check says something about the unit, and not about how much memory somebody gave it.
    fn is_about_own_memory(&self, check: &Injected) -> bool {
        let Some(event) = self.trace.events().get(check.event) else { return false };
        use EventKind::{Bounds, Read, Size, Write};
        let region = match event_kind(event.kind) {
            Some(Read | Write | Bounds | Size) => event.aux.checked_sub(1),
            _ => None,
        };
        let region = region.and_then(|index| self.trace.regions().get(index as usize));
        region.is_none_or(|region| self.entry.owns(region))
    }

    fn is_impossible(&mut self, facts: &[Term], terms: &[Term]) -> bool {
        let all: Vec<Term> = facts.iter().chain(terms).copied().collect();
        matches!(self.session.solve(&mut self.path.store, &all, self.base), Answer::Unsat)
    }

    /// What was not simplified is closest to the source; simplification takes comparisons apart.
    fn say(&self, claim: Claim, sums: Sums) -> Result<Formula, &'static str> {
        let read = |term: Term| Express::new(&self.path.store, self.entry, sums).formula(term);
        let readings = [read(claim.original), read(claim.term)];
        readings.into_iter().flatten().min_by_key(|formula| formula.text().len()).ok_or(UNSAYABLE)
    }

    /// What has to be said of pointers before anything else: those on the way to what a clause names were not null. Nor were
    /// others, or they were, that the unit looks at; of those behind others it is not known whether it does.
    fn guards(&self, names: &[&str]) -> Vec<Formula> {
        let atom = |name: &str, is_null: bool| match is_null {
            true => Formula::Atom(format!("{name} != 0"), format!("{name} == 0")),
            false => Formula::Atom(format!("{name} == 0"), format!("{name} != 0")),
        };
        let mut guards: Vec<Formula> = Vec::new();
        for pointer in &self.entry.pointers {
            let is_named = self.inputs_of(pointer).any(|input| names.contains(&input));
            let is_behind = pointer.way.len() > 1;
            let is_looked_at = is_behind || pointer.is_null || pointer.is_compared;
            let way = match pointer.way.split_last() {
                Some((_, before)) if !is_named && is_behind => before,
                _ if is_named => pointer.way.as_slice(),
                _ => &[],
            };
            guards.extend(way.iter().map(|name| atom(name, false)));
            if !is_named && is_looked_at {
                guards.push(atom(&pointer.name, pointer.is_null));
            }
        }
        guards
    }

    /// The names of what a pointer points to.
    fn inputs_of(&self, pointer: &Pointer) -> impl Iterator<Item = &str> {
        let part = pointer.part;
        let length = part.and_then(|part| self.entry.strings.get(&part).copied());
        let parts = part.into_iter().chain(length);
        parts.filter_map(|part| self.entry.inputs.get(&part)).flatten().map(|input| input.name.as_str())
    }

    /// The strings whose bytes are named: the part of the length, the highest index, and the pointer. Behind the end of a shorter
    /// string nothing is known.
    fn lengths(&self, names: &[&str]) -> Vec<(u32, u64, String)> {
        let mut found = Vec::new();
        for pointer in &self.entry.pointers {
            let Some(length) = pointer.part.and_then(|part| self.entry.strings.get(&part)) else { continue };
            let index = |name: &&str| {
                let inner = name.strip_prefix(pointer.name.as_str())?;
                match Place::parse(&format!("x{inner}"))?.steps.as_slice() {
                    [Step::Index(index)] => Some(*index),
                    _ => None,
                }
            };
            if let Some(highest) = names.iter().filter_map(index).max() {
                found.push((*length, highest, pointer.name.clone()));
            }
        }
        found
    }

    /// That a string is no longer than this.
    fn ends_before(&mut self, length: u32, index: u64) -> Term {
        let store = &mut self.path.store;
        let input = Input { name: String::new(), offset: 0, size: LENGTH_BYTES, signed: false };
        let (length, index) = (input.value(store, length), store.small(WIDTH, index));
        store.ule(length, index)
    }
}

/// What a name in a clause stands for in the run that the clause was made from.
fn value_of(store: &mut Store, entry: &Entry, name: &str) -> Option<Term> {
    for (part, inputs) in &entry.inputs {
        if let Some(input) = inputs.iter().find(|input| input.name == name) {
            return Some(input.value(store, *part));
        }
    }
    let pointer = entry.pointers.iter().find(|pointer| pointer.name == name)?;
    Some(store.small(WIDTH, u64::from(!pointer.is_null)))
}
