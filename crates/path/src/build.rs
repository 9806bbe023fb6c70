//! Events to constraints.

use std::sync::atomic::{AtomicBool, Ordering};

use expr::{Claim, ImportError, Importer, Store, Term, VarName};
use rustc_hash::FxHashSet;
use trace::layout::{Counter, Event, EventKind, Label, Node, PartKind, Reason, Region};
use trace::reader::{InputPart, Note, Trace, event_kind, reason, size_use};
use trace::sites::{SiteKind, SiteTable};

use crate::ends::Arithmetic;
use crate::{Completeness, Constraint, Implied, Kind, Observation, Observed, Path, Sizes};

/// A trace that contradicts itself: a bug of Provoke, or a program that scribbled over its trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A label that is no term.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// What becomes of values that are not followed: those of addresses, and those that code got which nobody follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pins {
    /// They stay what they were: what was read or computed from them is right for all inputs that take the path.
    #[default]
    All,
    /// Nothing is said about addresses, though what was read is taken as it was: inputs may take another path than the one that
    /// they are made for. This is what other engines do, and is there to be compared with.
    NotOfAddresses,
    /// Nothing is said about any of them.
    None,
}

/// The path constraint of a trace. When `interrupt` becomes true, it ends with the event that it has come to,
/// and its record says so.
pub fn build(trace: &Trace, sites: &SiteTable, interrupt: &AtomicBool) -> Result<Path, Error> {
    build_with(trace, sites, interrupt, Pins::All)
}

/// The same with a choice of what is pinned.
pub fn build_with(trace: &Trace, sites: &SiteTable, interrupt: &AtomicBool, pins: Pins) -> Result<Path, Error> {
    build_some(trace, sites, interrupt, pins, usize::MAX)
}

/// The same as [`build`], for whoever has no use for more than so many constraints: it ends behind the last of them as if it had been
/// interrupted there. Most of what a long path costs is its terms.
pub fn build_first(trace: &Trace, sites: &SiteTable, interrupt: &AtomicBool, most: usize) -> Result<Path, Error> {
    build_some(trace, sites, interrupt, Pins::All, most)
}

fn build_some(
    trace: &Trace,
    sites: &SiteTable,
    interrupt: &AtomicBool,
    pins: Pins,
    most: usize,
) -> Result<Path, Error> {
    let mut store = Store::new();
    // Each label becomes a term that is simplified, and one that is not.
    store.reserve(2 * trace.nodes().len());
    let mut builder = Builder {
        store,
        importer: Importer::new(trace.nodes()),
        original_importer: Importer::new(trace.nodes()),
        nodes: trace.nodes(),
        sites,
        regions: trace.regions(),
        seen: FxHashSet::default(),
        seen_originals: FxHashSet::default(),
        constraints: Vec::new(),
        implied: Vec::new(),
        observations: Vec::new(),
        repeated: 0,
        targets: Vec::new(),
        pins,
        contradiction: None,
        interrupted: false,
    };
    for (index, part) in (0..).zip(trace.parts()) {
        let mut name = part_name(part);
        // Two files, or two buffers, may have the same name; terms must tell them apart.
        if name.is_empty() || builder.store.part_named(&name).is_some() {
            name = format!("{name}.{index}");
        }
        builder.store.set_part_name(index, &name);
    }
    for (index, event) in trace.events().iter().enumerate() {
        builder.interrupted = interrupt.load(Ordering::Relaxed) || builder.constraints.len() >= most;
        if builder.interrupted || builder.contradiction.is_some() {
            break;
        }
        builder.event(index, event)?;
    }
    Ok(builder.finish(trace))
}

/// What a part is called in terms.
fn part_name(part: &InputPart) -> String {
    match part.kind {
        PartKind::Stdin => "stdin".to_owned(),
        PartKind::Socket
        | PartKind::Folder
        | PartKind::Buffer
        | PartKind::Argument
        | PartKind::Variable
        | PartKind::Length
        | PartKind::String => part.name.clone(),
        PartKind::File => part.name.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

struct Builder<'a> {
    store: Store,
    importer: Importer<'a>,
    /// Makes terms that are not simplified.
    original_importer: Importer<'a>,
    nodes: &'a [Node],
    sites: &'a SiteTable,
    regions: &'a [Region],
    seen: FxHashSet<Term>,
    seen_originals: FxHashSet<Term>,
    constraints: Vec<Constraint>,
    implied: Vec<Implied>,
    observations: Vec<Observation>,
    repeated: usize,
    /// Where the next call or jump through an address can go.
    targets: Vec<u64>,
    pins: Pins,
    /// The first event that the terms before it exclude.
    contradiction: Option<usize>,
    /// There are events that were not looked at.
    interrupted: bool,
}

impl Builder<'_> {
    fn event(&mut self, index: usize, event: &Event) -> Result<(), Error> {
        self.observe(index, event)?;
        let kind = match event_kind(event.kind) {
            Some(EventKind::Branch) => Kind::Branch { taken: event.taken != 0 },
            Some(EventKind::Switch) => Kind::Switch { value: event.value, cases: self.cases(event.site) },
            Some(EventKind::Target) => {
                self.targets.push(event.value);
                return Ok(());
            }
            Some(EventKind::Pin) if self.pins == Pins::None => return Ok(()),
            Some(EventKind::Pin) => {
                Kind::Pin { value: event.value, reason: reason(event.reason).unwrap_or(Reason::None) }
            }
            // An address that is not pinned decides nothing by itself.
            Some(kind @ (EventKind::Read | EventKind::Write))
                if event.reason == Reason::Address as u16 && self.pins == Pins::All =>
            {
                Kind::Access { address: event.value, write: kind == EventKind::Write, region: event.aux.checked_sub(1) }
            }
            Some(EventKind::Bounds) => Kind::Bounds { region: event.aux.checked_sub(1) },
            Some(
                EventKind::Read
                | EventKind::Write
                | EventKind::Check
                | EventKind::Size
                | EventKind::Loss
                | EventKind::Loop
                | EventKind::Leave
                | EventKind::Enter
                | EventKind::Exit
                | EventKind::Object
                | EventKind::Mismatch,
            )
            | None => return Ok(()),
        };
        let subject = self.importer.term(&mut self.store, event.label)?;
        let holds = holds(&mut self.store, &kind, subject);
        let (original_subject, original_holds) = self.store.exactly(|store| -> Result<_, Error> {
            let subject = self.original_importer.term(store, event.label)?;
            Ok((subject, self::holds(store, &kind, subject)))
        })?;
        let is_new = match self.store.value(holds) {
            // The input cannot change what the event says, or the path so far says it already.
            Some(value) if value.is_true() => {
                self.repeated += 1;
                false
            }
            Some(_) => {
                self.contradiction = Some(index);
                return Ok(());
            }
            None => {
                let is_new = self.seen.insert(holds);
                self.repeated += usize::from(!is_new);
                is_new
            }
        };
        let is_said_first = self.seen_originals.insert(original_holds);
        self.importer.settle(&mut self.store, holds);
        if is_new {
            let site = event.site;
            let constraint = Constraint { holds, subject, kind, site, event: index, original_holds, original_subject };
            self.constraints.push(constraint);
        } else if is_said_first {
            self.implied.push(Implied { original: original_holds, before: self.constraints.len() });
        }
        Ok(())
    }

    /// Keeps what checkers look at.
    fn observe(&mut self, index: usize, event: &Event) -> Result<(), Error> {
        let region = event.aux.checked_sub(1);
        let mut what = match event_kind(event.kind) {
            Some(EventKind::Check) => Observed::Condition { held: event.taken != 0, subject: event.aux, below: None },
            Some(kind @ (EventKind::Read | EventKind::Write)) => Observed::Access {
                address: event.value,
                bytes: event.taken.into(),
                write: kind == EventKind::Write,
                region,
            },
            Some(EventKind::Bounds) if region.is_some() => Observed::Bounds { region, end: event.value },
            Some(EventKind::Size) => match size_use(event.taken) {
                Some(size_use) => Observed::Size { size_use, about: event.value, region },
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Claim { term, original } = self.claim(event.label)?;
        if let Observed::Condition { below, .. } = &mut what {
            *below = self.below(event.label)?;
        }
        let region = region.filter(|_| event_kind(event.kind) != Some(EventKind::Check));
        let extent = self.extent(region)?;
        let (label, site, before) = (event.label, event.site, self.constraints.len());
        self.observations.push(Observation { what, term, original, extent, label, site, event: index, before });
        Ok(())
    }

    /// The term of a label, in both of its forms.
    fn claim(&mut self, label: Label) -> Result<Claim, Error> {
        let term = self.importer.term(&mut self.store, label)?;
        let original = self.store.exactly(|store| self.original_importer.term(store, label))?;
        Ok(Claim { term, original })
    }

    /// Which end signed arithmetic leaves that a condition is about.
    fn below(&mut self, condition: Label) -> Result<Option<Claim>, Error> {
        let Some(arithmetic) = Arithmetic::of(self.nodes, condition) else { return Ok(None) };
        let labelled = arithmetic.labelled();
        let [a, b] = labelled.map(|label| self.claim(label));
        Ok(Some(arithmetic.is_below(&mut self.store, a?, b?)))
    }

    /// The size of a region that depends on input.
    fn extent(&mut self, region: Option<u32>) -> Result<Option<Claim>, Error> {
        let region = region.and_then(|index| self.regions.get(index as usize));
        let Some(label) = region.map(|region| region.extent).filter(|label| *label != 0) else { return Ok(None) };
        let term = self.importer.term(&mut self.store, label)?;
        let original = self.store.exactly(|store| self.original_importer.term(store, label))?;
        Ok(Some(Claim { term, original }))
    }

    fn cases(&mut self, site: u32) -> Vec<u64> {
        match &self.sites.site(site).kind {
            SiteKind::Switch(cases) => cases.clone(),
            // In an order that all runs have: the runtime begins with where its own went, and a way is known by its number.
            _ => {
                let mut targets = std::mem::take(&mut self.targets);
                targets.sort_unstable();
                targets
            }
        }
    }

    fn finish(self, trace: &Trace) -> Path {
        let count = |wanted: fn(&Kind) -> bool| self.constraints.iter().filter(|c| wanted(&c.kind)).count();
        let holds: Vec<Term> = self.constraints.iter().map(|constraint| constraint.holds).collect();
        let terms = expr::below(&self.store, &holds);
        let inputs = terms.iter().filter_map(|term| self.store.var_of(*term));
        let inputs = inputs.filter(|var| matches!(self.store.var_name(*var), VarName::Input { .. }));
        let is_check = |event: &&Event| event_kind(event.kind) == Some(EventKind::Check);
        let logged_checks = trace.events().iter().filter(is_check).count() as u64;
        let sizes = Sizes {
            branches: count(|kind| matches!(kind, Kind::Branch { .. })),
            switches: count(|kind| matches!(kind, Kind::Switch { .. })),
            pins: count(|kind| matches!(kind, Kind::Pin { .. } | Kind::Access { .. })),
            executed: trace.counter(Counter::Branches),
            repeated: self.repeated,
            repeated_checks: trace.counter(Counter::Checks).saturating_sub(logged_checks) as usize,
            nodes: trace.nodes().len().saturating_sub(1),
            events: trace.events().len(),
            input_bytes: inputs.count(),
            terms: terms.len(),
        };
        let mut record = Completeness::of(trace, self.sites);
        record.interrupted = self.interrupted;
        record.damage.extend(self.contradiction.map(|event| Note::Contradiction(event as u64)));
        Path {
            store: self.store,
            constraints: self.constraints,
            implied: self.implied,
            observations: self.observations,
            record,
            sizes,
            lengths: (0..)
                .zip(trace.parts())
                .filter(|(_, part)| part.kind == PartKind::Length)
                .map(|(i, _)| i)
                .collect(),
        }
    }
}

/// What must hold of the event's subject for the run to go on in the same way.
fn holds(store: &mut Store, kind: &Kind, subject: Term) -> Term {
    let width = store.width(subject);
    match kind {
        Kind::Branch { taken: true } | Kind::Bounds { .. } => subject,
        Kind::Branch { taken: false } => store.not(subject),
        // The default is taken by every value that has no case. Where the cases are not known, or the value is one
        // of them, only the value itself is sure to go the same way.
        Kind::Switch { value, cases } if !cases.is_empty() && !cases.contains(value) => {
            let mut others = Vec::with_capacity(cases.len());
            for case in cases {
                let case = store.small(width, *case);
                others.push(store.ne(subject, case));
            }
            store.conjunction(others)
        }
        Kind::Switch { value, .. } | Kind::Pin { value, .. } => equals(store, subject, *value),
        Kind::Access { address, .. } => equals(store, subject, *address),
    }
}

/// That the low 64 bits of a term, which are all that an event has of it, are `value`.
fn equals(store: &mut Store, term: Term, value: u64) -> Term {
    let low = if store.width(term) > 64 { store.extract(term, 0, 64) } else { term };
    let width = store.width(low);
    let value = store.small(width, value);
    store.eq(low, value)
}
