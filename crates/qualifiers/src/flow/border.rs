//! What a walk tells of null to everybody, and is told.

use super::memory::{Stretch, overwrite};
use super::state::{Nullness, State, Value};
use super::walk::Walk;
use crate::node::{Edge, Flow, Node, SourceKind};
use ir::{BlockId, CellId, Operand, Touched};
use std::rc::Rc;

impl Walk<'_, '_> {
    /// Lets the constraints of an instruction hold, as far as null can be where they start from. What flows to `own` is returned.
    /// Zeros that nobody else can see yet are left out.
    pub fn constraints(
        &mut self,
        state: &State,
        at: (u32, u32),
        own: Option<Node>,
        arguments: &[Value],
        hides_zeros: bool,
    ) -> Nullness {
        let constraints = self.analysis.constraints;
        let Some(function) = constraints.functions.get(self.id.0 as usize) else { return Nullness::Maybe };
        let mut null = false;
        for edge in function.edges_at(at) {
            let is_own = Some(edge.to) == own;
            if is_own && null || !self.may_flow(state, edge, arguments) {
                continue;
            }
            match is_own {
                true => null = true,
                false => self.analysis.tell(edge.to),
            }
        }
        for source in function.sources_at(at) {
            if hides_zeros && source.kind == SourceKind::Zeroed {
                continue;
            }
            match Some(source.node) == own {
                true => null = true,
                false => self.analysis.tell(source.node),
            }
        }
        Nullness::of(null)
    }

    /// Whether null can be where an edge starts.
    fn may_flow(&mut self, state: &State, edge: &Edge, arguments: &[Value]) -> bool {
        if let Flow::Result(target) = edge.flow {
            let returned = self.analysis.summary(target, self.id).map(|summary| summary.returned.clone());
            let is_null = |index: &u32| match arguments.get(*index as usize) {
                Some(argument) => state.nullness(*argument).may_be_null(),
                None => true,
            };
            return returned.iter().flatten().any(is_null) || self.analysis.is_null(edge.from, self.id);
        }
        match self.analysis.constraints.nodes.as_register_of(self.id, edge.from) {
            Some(register) => {
                let value = state.registers.get(&register).copied();
                value.is_none_or(|value| state.nullness(value).may_be_null())
            }
            None => self.analysis.is_null(edge.from, self.id),
        }
    }

    /// The cells that an access touches.
    pub fn cells(&self, at: (u32, u32), address: &Operand, bytes: u64) -> Rc<[CellId]> {
        if let Some(known) = self.code.cells.borrow().get(&at) {
            return known.clone();
        }
        let points_to = self.analysis.points_to;
        let starts = points_to.of(self.id, address);
        let mut cells: Vec<CellId> = starts.iter().flat_map(|cell| points_to.accessed(CellId(cell), bytes)).collect();
        cells.sort_unstable();
        cells.dedup();
        let cells: Rc<[CellId]> = Rc::from(cells);
        self.code.cells.borrow_mut().insert(at, cells.clone());
        cells
    }

    /// What an instruction touches beside the functions with code that it calls.
    pub fn touched(&self, at: (u32, u32)) -> Rc<Touched> {
        if let Some(known) = self.code.touched.borrow().get(&at) {
            return known.clone();
        }
        let mut touched = Touched::default();
        let block = self.function.block(BlockId(at.0));
        if let Some(instruction) = block.instructions.get(at.1 as usize) {
            let (program, points_to) = (self.analysis.program, self.analysis.points_to);
            ir::touch(program, points_to, self.id, instruction, &mut touched);
        }
        let touched = Rc::new(touched);
        self.code.touched.borrow_mut().insert(at, touched.clone());
        touched
    }

    /// Lets go what an instruction may overwrite that calls nothing.
    pub fn overwritten_by(&mut self, state: &mut State, at: (u32, u32), stretch: Option<Stretch>) {
        let touched = self.touched(at);
        let lost = overwrite(state, |cell| touched.writes.contains(cell), stretch, None, |_| false);
        lost.into_iter().for_each(|value| self.publish_value(state, value));
        state.forget_globals(&touched.writes);
    }
}
