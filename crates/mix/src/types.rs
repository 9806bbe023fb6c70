//! What a symbolic block sees of the types.

use crate::blocks::{Follows, Placement};
use ir::{CellId, FunctionId};
use qualifiers::{Inference, Node, SinkKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use symex::Types;

/// Answers from the qualifiers as they are now; every answer is remembered, since the execution depends on it.
pub struct Border<'a> {
    inference: &'a Inference<'a>,
    placement: &'a Placement,
    function: FunctionId,
    follows: &'a Follows,
    answers: RefCell<FxHashMap<Node, bool>>,
}

impl<'a> Border<'a> {
    /// The border of a block that follows some calls.
    pub fn new(
        inference: &'a Inference<'a>,
        placement: &'a Placement,
        function: FunctionId,
        follows: &'a Follows,
    ) -> Border<'a> {
        Border { inference, placement, function, follows, answers: RefCell::default() }
    }

    /// What was asked, and answered.
    pub fn into_answers(self) -> FxHashMap<Node, bool> {
        self.answers.into_inner()
    }

    fn answer(&self, node: Node) -> bool {
        let null = self.inference.is_null(node);
        self.answers.borrow_mut().insert(node, null);
        null
    }
}

impl Types for Border<'_> {
    fn cell_is_null(&self, cell: CellId) -> bool {
        self.answer(self.inference.constraints().nodes.cell(cell))
    }

    fn cell_is_null_at_start(&self, cell: CellId) -> bool {
        let facts = self.inference.facts();
        !facts.is_some_and(|facts| facts.is_nonnull_at_entry(self.function, cell)) && self.cell_is_null(cell)
    }

    fn cell_is_never_null(&self, cell: CellId) -> bool {
        let node = self.inference.constraints().nodes.cell(cell);
        self.inference.facts().is_some_and(|facts| !facts.may_be_null(node))
    }

    fn never_fails(&self, function: FunctionId, at: (u32, u32), argument: Option<(FunctionId, u32)>) -> bool {
        let Some(facts) = self.inference.facts() else { return false };
        let Some(known) = self.inference.constraints().functions.get(function.0 as usize) else { return false };
        let mut sinks = known.sinks_at(at).filter(|number| {
            let kind = known.sinks.get(*number).map(|sink| &sink.kind);
            match (kind, argument) {
                (Some(SinkKind::Argument(function, index)), Some(argument)) => (*function, *index) == argument,
                (Some(SinkKind::Argument(..)) | None, None) | (_, Some(_)) => false,
                (Some(_), None) => true,
            }
        });
        let first = sinks.next();
        first.is_some_and(|first| !facts.can_fail(function, first))
            && sinks.all(|number| !facts.can_fail(function, number))
    }

    fn result_is_null(&self, function: FunctionId) -> bool {
        self.answer(self.inference.constraints().nodes.result(function))
    }

    fn follows(&self, function: FunctionId) -> bool {
        match self.follows {
            Follows::All => !self.placement.typed.contains(&function),
            Follows::Only(functions) => functions.contains(&function),
        }
    }
}
