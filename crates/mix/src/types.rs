//! What a symbolic block sees of the types.

use crate::blocks::{Follows, Placement};
use ir::{CellId, FunctionId};
use qualifiers::{Inference, Node};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use symex::Types;

/// Answers from the qualifiers as they are now; every answer is remembered, since the execution depends on it.
pub struct Border<'a> {
    inference: &'a Inference<'a>,
    placement: &'a Placement,
    follows: &'a Follows,
    answers: RefCell<FxHashMap<Node, bool>>,
}

impl<'a> Border<'a> {
    /// The border of a block that follows some calls.
    pub fn new(inference: &'a Inference<'a>, placement: &'a Placement, follows: &'a Follows) -> Border<'a> {
        Border { inference, placement, follows, answers: RefCell::default() }
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
