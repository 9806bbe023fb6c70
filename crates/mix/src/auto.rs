//! Automatic placement: symbolic blocks where the warnings are.
//!
//! Every function that a warning's flow goes through becomes a symbolic block, which calls others by types. Where null can still
//! be followed, the block also follows the calls that may write what was null, or return it. This goes on until there is
//! nothing new to try.

use crate::blocks::{Block, Follows, Placement, Solved};
use ir::{Effects, FunctionId, PointsTo, Program, Register};
use qualifiers::{Inference, Node, SourceKind, Warning};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use symex::{Budget, Start};

/// Blocks that are added in one round, so that there is a result after each.
const PER_ROUND: usize = 8;

/// Functions that one block may be asked to follow.
const FOLLOWED: usize = 24;

/// What placement needs to know.
pub struct Placer<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its pointers point to.
    pub points_to: &'a PointsTo,
    /// What its functions touch.
    pub effects: &'a Effects,
}

impl Placer<'_> {
    /// Adds blocks for what is left; false if there is nothing new to try.
    pub fn refine(
        &self,
        inference: &Inference<'_>,
        warnings: &[Warning],
        solved: &Solved,
        placement: &mut Placement,
    ) -> bool {
        // Where most warnings are, most can be refuted.
        let mut by_sink: FxHashMap<FunctionId, usize> = FxHashMap::default();
        for warning in warnings {
            *by_sink.entry(warning.sink.function).or_default() += 1;
        }
        let mut sinks: Vec<(FunctionId, usize)> = by_sink.into_iter().collect();
        sinks.sort_unstable_by_key(|(id, count)| (std::cmp::Reverse(*count), *id));
        let mut wanted: Vec<(FunctionId, String)> =
            sinks.into_iter().map(|(id, _)| (id, "a warning is about it".to_owned())).collect();
        for warning in warnings {
            wanted.extend(self.on_flow(warning.source.as_ref(), &warning.flow));
        }
        for (id, cached) in &solved.executions {
            if cached.execution.violations.is_empty() {
                continue;
            }
            for node in self.nulls_of(inference, *id, &cached.answers) {
                let (source, flow) = inference.explain(node);
                wanted.extend(self.on_flow(source.as_ref(), &flow));
            }
        }
        let mut added = 0;
        for (id, why) in wanted {
            let possible = self.program.function(id).has_code()
                && !placement.typed.contains(&id)
                && !placement.blocks.contains_key(&id);
            if possible && added < PER_ROUND {
                added += 1;
                let follows = Follows::Only(BTreeSet::new());
                let block = Block { why, follows, start: Start::Typed, budget: Budget::default(), seeks_input: false };
                placement.blocks.insert(id, block);
            }
        }
        added > 0 || self.follow_more(inference, solved, placement)
    }

    /// The functions that a flow goes through.
    fn on_flow(
        &self,
        source: Option<&qualifiers::Source>,
        flow: &[(qualifiers::Edge, FunctionId)],
    ) -> Vec<(FunctionId, String)> {
        let mut found: Vec<(FunctionId, String)> = Vec::new();
        if let Some(source) = source
            && !matches!(source.kind, SourceKind::SymbolicBlock(..))
        {
            found.extend(source.function.map(|id| (id, "a null pointer of a warning comes from it".to_owned())));
        }
        found.extend(flow.iter().map(|(_, id)| (*id, "the flow of a warning goes through it".to_owned())));
        found
    }

    /// What was null when a block was executed.
    fn nulls_of(&self, inference: &Inference<'_>, id: FunctionId, answers: &FxHashMap<Node, bool>) -> Vec<Node> {
        let nodes = &inference.constraints().nodes;
        let parameters =
            (0..self.program.function(id).parameters.len() as u32).map(|index| nodes.register(id, Register(index)));
        let mut nulls: Vec<Node> = answers.iter().filter(|(_, null)| **null).map(|(node, _)| *node).collect();
        nulls.extend(parameters.filter(|node| inference.is_null(*node)));
        nulls.sort_unstable();
        nulls
    }

    /// Lets blocks with violations follow the calls that may have to do with them.
    fn follow_more(&self, inference: &Inference<'_>, solved: &Solved, placement: &mut Placement) -> bool {
        let nodes = &inference.constraints().nodes;
        let mut changed = false;
        for (id, cached) in &solved.executions {
            if cached.execution.violations.is_empty() {
                continue;
            }
            let nulls = self.nulls_of(inference, *id, &cached.answers);
            let cells: Vec<_> = nulls.iter().filter_map(|node| nodes.as_cell(*node)).collect();
            let relevant = |callee: &FunctionId| {
                self.program.function(*callee).has_code()
                    && !placement.typed.contains(callee)
                    && *callee != *id
                    && (nulls.contains(&nodes.result(*callee))
                        || cells.iter().any(|cell| self.effects.of(*callee).writes.contains(*cell)))
            };
            let followed: BTreeSet<FunctionId> =
                self.points_to.reachable([*id]).into_iter().filter(relevant).take(FOLLOWED).collect();
            if let Some(block) = placement.blocks.get_mut(id)
                && let Follows::Only(known) = &block.follows
                && !followed.is_subset(known)
            {
                let all = known.union(&followed).copied().collect();
                block.follows = Follows::Only(all);
                changed = true;
            }
        }
        changed
    }
}
