//! The state of a path: path condition, memory, assignable variables.

use std::rc::Rc;

use expr::{Model, Term};

use crate::environment::Environment;
use crate::execute::values::Sym;
use crate::span::Span;
use crate::verdict::{Rejection, Step};

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Fixed(Sym),
    /// An assignable variable: its place in [`State::slots`].
    Slot(usize),
}

/// The symbolic environment Σ.
pub(crate) type Sigma = Environment<Binding>;

/// The symbolic memory. The log of writes and allocations is the array term: an unknown array with one store for each
/// entry of the log.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub cells: Term,
    /// The set U of the judgement `⊢ m ok U`: writes that cells may still hold and whose value is not of the cell's type.
    pub inconsistent: Vec<Inconsistent>,
}

/// A write that left a cell with a value of another type.
#[derive(Clone, Debug)]
pub(crate) struct Inconsistent {
    pub address: Sym,
    /// When the write happened; always, unless a conditional was deferred.
    pub guard: Term,
    pub span: Span,
    /// What was written where, for messages.
    pub what: String,
}

/// The state S of a path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The path condition g.
    pub condition: Term,
    /// What is known of unknowns by their types.
    pub facts: Vec<Term>,
    pub memory: Memory,
    pub slots: Vec<Sym>,
    /// Number of cells allocated so far.
    pub allocations: u64,
    /// The decisions taken.
    pub trail: Vec<Step>,
    /// A model that satisfied the path condition not long ago, and may well satisfy the next question too.
    pub model: Rc<Model>,
}

impl State {
    /// Everything that holds on the path, and something more.
    pub fn with(&self, more: &[Term]) -> Vec<Term> {
        let mut all = vec![self.condition];
        all.extend(&self.facts);
        all.extend(more);
        all
    }
}

/// Why a path has no value.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A rule does not apply.
    Rejected(Vec<Rejection>),
    /// The path was left.
    Unfinished(Unfinished),
}

/// A path that was left.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished {
    pub span: Span,
    pub why: String,
}

/// A path and its value.
#[derive(Debug)]
pub(crate) struct Path {
    pub state: State,
    pub outcome: Result<Sym, Stop>,
}

impl Path {
    pub fn value(state: State, value: Sym) -> Path {
        Path { state, outcome: Ok(value) }
    }

    pub fn rejected(state: State, rejection: Rejection) -> Path {
        Path { state, outcome: Err(Stop::Rejected(vec![rejection])) }
    }

    pub fn unfinished(state: State, span: Span, why: impl Into<String>) -> Path {
        Path { state, outcome: Err(Stop::Unfinished(Unfinished { span, why: why.into() })) }
    }
}
