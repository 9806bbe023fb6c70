//! From a trace to the path constraint.
//!
//! [`build()`] turns the events of a trace into [`Constraint`]s over terms: what must hold of the input for the program
//! to go the same way again. What the constraint does not cover is in its [`Completeness`] record. [`selfcheck`] looks
//! for nodes whose value is not what the program computed. Nothing here does I/O.

mod build;
mod completeness;
mod ends;
mod input;
pub mod loops;
pub mod selfcheck;

use expr::{Claim, Store, Term};
use trace::layout::{Label, Reason, SizeUse};

pub use self::build::{Error, Pins, build, build_first, build_with};
pub use self::completeness::{Cause, Completeness, Place, first_loss, first_loss_in, last_loss, position};
pub use self::input::input;

/// What a run requires of its input.
pub struct Path {
    /// Owns the terms.
    pub store: Store,
    /// In the order in which the run came to them; no two say the same.
    pub constraints: Vec<Constraint>,
    /// What else the run's events say, before simplification: it made a constraint that was there already, or none.
    pub implied: Vec<Implied>,
    /// What checkers look at, in the same order.
    pub observations: Vec<Observation>,
    /// What the constraints do not cover.
    pub record: Completeness,
    /// How much there is of everything.
    pub sizes: Sizes,
    /// The parts of the input that are lengths of others, by index.
    pub lengths: Vec<u32>,
}

/// Something that had to hold of the input for the run to go on as it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// One bit wide, 1 in the run.
    pub holds: Term,
    /// What the event was about: the condition of a branch, the value of a switch, of a pin, of an address.
    pub subject: Term,
    /// Where it comes from.
    pub kind: Kind,
    /// Index into the view's site table.
    pub site: u32,
    /// Index of the event in the trace.
    pub event: usize,
    /// `holds` as the trace says it, for the check of models.
    pub original_holds: Term,
    /// `subject` as the trace says it.
    pub original_subject: Term,
}

impl Constraint {
    /// What holds, in both of its forms.
    pub fn claim(&self) -> Claim {
        Claim { term: self.holds, original: self.original_holds }
    }

    /// What the event was about, in both of its forms.
    pub fn subject_claim(&self) -> Claim {
        Claim { term: self.subject, original: self.original_subject }
    }
}

/// What an event says that led to no constraint of its own. If the simplifier is right, the constraints imply it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Implied {
    /// One bit wide, 1 in the run, as the trace says it.
    pub original: Term,
    /// How many constraints the run had come to before.
    pub before: usize,
}

impl Implied {
    /// What is implied, in both of its forms.
    pub fn claim(&self, store: &mut Store) -> Claim {
        Claim { term: store.bool(true), original: self.original }
    }
}

/// Where a constraint comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A conditional branch.
    Branch {
        /// Whether the condition was true.
        taken: bool,
    },
    /// A switch.
    Switch {
        /// What it was on.
        value: u64,
        /// The values that have a case. If `value` is none of them, the default was taken.
        cases: Vec<u64>,
    },
    /// A value that the run took as it was.
    Pin {
        /// The value.
        value: u64,
        /// Why.
        reason: Reason,
    },
    /// A read or write whose address depends on input, and which is followed only for the address that it had.
    Access {
        /// The address.
        address: u64,
        /// Whether it was a write.
        write: bool,
        /// Index of the region that was accessed, if it is known.
        region: Option<u32>,
    },
    /// An access through an address that depends on input went to memory that is known.
    Bounds {
        /// Index of the region that it went to, if it is one that checkers know.
        region: Option<u32>,
    },
}

/// Something that depends on input and that can be wrong without deciding which way the run goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// What it is.
    pub what: Observed,
    /// The condition, the address or the size.
    pub term: Term,
    /// The same as the trace says it, for the check of models.
    pub original: Term,
    /// The size of the region that it is about, where that depends on input.
    pub extent: Option<Claim>,
    /// Its label in the trace.
    pub label: Label,
    /// Index into the view's site table.
    pub site: u32,
    /// Index of the event in the trace.
    pub event: usize,
    /// How many constraints the run had come to before.
    pub before: usize,
}

impl Observation {
    /// The condition, the address or the size, in both of its forms.
    pub fn claim(&self) -> Claim {
        Claim { term: self.term, original: self.original }
    }
}

/// What an [`Observation`] is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// A condition that the program's code states; the site says which.
    Condition {
        /// Whether it held.
        held: bool,
        /// Label of the value that it is about, or 0.
        subject: Label,
        /// Where it says that the result of signed arithmetic fits: whether one that does not is too small, not too large.
        below: Option<Claim>,
    },
    /// An access to memory.
    Access {
        /// Its address in the run.
        address: u64,
        /// How many bytes, 255 for more.
        bytes: u64,
        /// Whether it was a write.
        write: bool,
        /// Index of the region that was accessed, if it is known.
        region: Option<u32>,
    },
    /// Whether an access goes to one of several regions, or whether a region is large enough.
    Bounds {
        /// Index of the region that was accessed, if it is known.
        region: Option<u32>,
        /// How many bytes of it there must be; 0 if this is about more than that.
        end: u64,
    },
    /// A size.
    Size {
        /// What of.
        size_use: SizeUse,
        /// The address of the block, the size of a new one, or the size of an array's elements.
        about: u64,
        /// Index of the region that the block lies in, if it is known.
        region: Option<u32>,
    },
}

/// How much there is of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Constraints from branches.
    pub branches: usize,
    /// Constraints from switches.
    pub switches: usize,
    /// Constraints from pins and accesses.
    pub pins: usize,
    /// Branches that were executed on values that depend on input.
    pub executed: u64,
    /// Events that said nothing that the constraints before them do not say.
    pub repeated: usize,
    /// Checks that said again what a check before them says; those that are alike only when they are injected come to it then.
    pub repeated_checks: usize,
    /// Nodes of the trace.
    pub nodes: usize,
    /// Events of the trace.
    pub events: usize,
    /// Terms that the constraints are made of.
    pub terms: usize,
    /// Bytes of input that the constraints depend on.
    pub input_bytes: usize,
}
