//! What a path constraint does not cover.

use std::collections::BTreeMap;

use trace::layout::{Counter, Event, EventKind, Reason, State};
use trace::reader::{Note, Trace, event_kind, reason};
use trace::sites::{Position, SiteKind, SiteTable};

/// Why something is not covered.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// A read at an address that depends on input was followed for one address only.
    SymbolicRead,
    /// A write at such an address.
    SymbolicWrite,
    /// A call of this function, which has neither bitcode nor a model; empty if its name is not known.
    UnmodelledCall(String),
    /// Anything else that the runtime or the instrumenter gives up on.
    Other(Reason),
}

impl Cause {
    /// A word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Cause::SymbolicRead => "symbolic-read",
            Cause::SymbolicWrite => "symbolic-write",
            Cause::UnmodelledCall(_) => "unmodelled-call",
            Cause::Other(reason) => trace::text::reason_name(*reason),
        }
    }
}

/// Where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// File, empty if unknown.
    pub file: String,
    /// Line, 0 if unknown.
    pub line: u32,
}

/// What a path constraint does not cover. Only if it [`is_empty`](Completeness::is_empty) does the constraint describe
/// exactly the inputs that take the path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completeness {
    /// How often each cause occurred at each source line.
    pub causes: BTreeMap<Cause, BTreeMap<Place, u64>>,
    /// Labels dropped because memory had been changed by code that is not instrumented.
    pub stale_labels: u64,
    /// Labels dropped in signal handlers.
    pub reentered: u64,
    /// Labels dropped because a call had too many arguments.
    pub argument_overflow: u64,
    /// Bytes of the input that code without bitcode has read by itself.
    pub unseen_input: u64,
    /// The trace ended before the program did, because it grew too large.
    pub cap_reached: bool,
    /// The program replaced itself by another one, which was not traced.
    pub replaced: bool,
    /// Events at the end of the trace were not looked at, because building the constraint was interrupted.
    pub interrupted: bool,
    /// Parts of the trace that were damaged.
    pub damage: Vec<Note>,
}

impl Completeness {
    /// The record of a trace.
    pub fn of(trace: &Trace, sites: &SiteTable) -> Completeness {
        let mut record = Completeness {
            stale_labels: trace.counter(Counter::StaleLabels),
            reentered: trace.counter(Counter::Reentered),
            argument_overflow: trace.counter(Counter::ArgumentOverflow),
            unseen_input: trace.counter(Counter::UnseenInput),
            cap_reached: trace.state() == State::CapReached,
            replaced: trace.state() == State::Replaced,
            damage: trace.notes().to_vec(),
            ..Completeness::default()
        };
        for event in trace.events() {
            if let Some(cause) = cause(event, sites) {
                *record.causes.entry(cause).or_default().entry(place(sites, event.site)).or_default() += 1;
            }
        }
        record
    }

    /// Whether there is nothing that the path constraint does not cover.
    pub fn is_empty(&self) -> bool {
        *self == Completeness::default()
    }

    /// Whether something was lost of which it is not known where: then nothing on the path is certain to be covered.
    pub fn has_loss_without_place(&self) -> bool {
        let counts = [self.stale_labels, self.reentered, self.argument_overflow, self.unseen_input];
        counts.iter().any(|count| *count > 0) || !self.damage.is_empty()
    }
}

/// Index of the first event of a trace that something is not covered from.
pub fn first_loss(trace: &Trace, sites: &SiteTable) -> Option<usize> {
    trace.events().iter().position(|event| cause(event, sites).is_some())
}

/// Index of the first event of a part of a trace that something is not covered from.
pub fn first_loss_in(trace: &Trace, sites: &SiteTable, events: std::ops::Range<usize>) -> Option<usize> {
    let within = trace.events().get(events.clone()).unwrap_or_default();
    within.iter().position(|event| cause(event, sites).is_some()).map(|index| events.start + index)
}

/// What was lost last before the event with an index.
pub fn last_loss(trace: &Trace, sites: &SiteTable, before: usize) -> Option<Cause> {
    trace.events().iter().take(before).rev().find_map(|event| cause(event, sites))
}

fn cause(event: &Event, sites: &SiteTable) -> Option<Cause> {
    match event_kind(event.kind)? {
        EventKind::Branch
        | EventKind::Switch
        | EventKind::Check
        | EventKind::Size
        | EventKind::Bounds
        | EventKind::Target
        | EventKind::Loop
        | EventKind::Leave
        | EventKind::Enter
        | EventKind::Exit
        | EventKind::Object
        | EventKind::Mismatch => None,
        EventKind::Read | EventKind::Write if event.reason != Reason::Address as u16 => None,
        EventKind::Read => Some(Cause::SymbolicRead),
        EventKind::Write => Some(Cause::SymbolicWrite),
        EventKind::Pin | EventKind::Loss => Some(match reason(event.reason)? {
            Reason::UnmodelledCall => match &sites.site(event.site).kind {
                SiteKind::Call(name) => Cause::UnmodelledCall(name.clone()),
                _ => Cause::UnmodelledCall(String::new()),
            },
            other => Cause::Other(other),
        }),
    }
}

/// Where a site is, for people: the innermost position, but where that is in a header of the system (`memcpy` that was
/// inlined), the place in the program's own code that it was inlined into.
pub fn position(sites: &SiteTable, site: u32) -> Option<&Position> {
    let positions = &sites.site(site).positions;
    positions.iter().find(|position| !position.file.starts_with("/usr/")).or(positions.first())
}

fn place(sites: &SiteTable, site: u32) -> Place {
    position(sites, site).map(|position| Place { file: position.file.clone(), line: position.line }).unwrap_or_default()
}
