//! A walk through one function.

use super::Analysis;
use super::code::Code;
use super::names::{Name, NameId, Names, Place};
use super::state::{Nullness, State, Value};
use crate::node::SinkKind;
use ir::{BlockId, Callee, CellId, Cells, Function, FunctionId, Instruction, Op, Operand, Register, Terminator};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often a block is walked through before all that is known of memory is dropped at its start.
const VISITS: u32 = 40;

/// A walk.
pub struct Walk<'a, 'b> {
    pub analysis: &'b mut Analysis<'a>,
    pub id: FunctionId,
    pub names: Names,
    pub code: Rc<Code>,
    /// Where fresh memory is returned, and its name.
    pub returned: Vec<(State, NameId)>,
    /// Whether anything is returned that is neither fresh memory nor null.
    pub returns_other: bool,
    pub function: &'a Function,
    inputs: Vec<Option<State>>,
    visits: Vec<u32>,
    /// Blocks that wait, by their place in the order.
    waiting: BTreeSet<(u32, BlockId)>,
}

impl<'a, 'b> Walk<'a, 'b> {
    /// Walks through a function, and tells the analysis what it finds.
    pub fn through(analysis: &'b mut Analysis<'a>, id: FunctionId) {
        let function = analysis.program.function(id);
        if !function.has_code() {
            return;
        }
        let Some(summary) = analysis.summaries.get_mut(id.0 as usize) else { return };
        let code = summary.code.get_or_insert_with(|| Rc::new(Code::of(function))).clone();
        let count = function.blocks.len();
        let mut walk = Walk {
            analysis,
            id,
            names: Names::default(),
            code,
            returned: Vec::new(),
            returns_other: false,
            function,
            inputs: vec![None; count],
            visits: vec![0; count],
            waiting: BTreeSet::new(),
        };
        let start = walk.start();
        walk.arrive(BlockId(0), start);
        while let Some((_, block)) = walk.waiting.pop_first() {
            if let Some(state) = walk.inputs.get(block.0 as usize).cloned().flatten() {
                walk.blocks_from(block, state);
            }
        }
        walk.finish_returns();
    }

    /// The state at the start of the function.
    fn start(&mut self) -> State {
        let mut state = State::default();
        for (index, parameter) in (0..).zip(&self.function.parameters) {
            let register = Register(index);
            let node = self.analysis.constraints.nodes.register(self.id, register);
            let never = parameter.nonnull || parameter.by_value.is_some();
            let nullness = Nullness::of(!never && self.analysis.is_null(node, self.id));
            let value = match parameter.ty.is_pointer {
                true => {
                    let name = self.names.id(Name::Parameter(index));
                    state.know(name, nullness);
                    Value::named(name)
                }
                false => Value::NamelessNumber(nullness),
            };
            state.set(register, value);
        }
        let entry = self.analysis.summaries.get(self.id.0 as usize).and_then(|summary| summary.entry.clone());
        state.globals = Rc::new(entry.unwrap_or_else(|| self.analysis.concerning(self.id)));
        state
    }

    /// The cell at a place, if it is one that is followed through the whole program.
    pub fn followed_cell(&self, place: Place) -> Option<CellId> {
        let (Some(Name::Global(global)), None) = (self.names.name(place.base), place.distance.index) else {
            return None;
        };
        self.analysis.followed_at.get(&(global, place.distance.bytes)).copied()
    }

    /// The global variables that are known not to be null, by cell.
    pub fn nonnull_globals(&self, state: &State) -> Cells {
        let mut found = (*state.globals).clone();
        for (place, slot) in state.slots.iter().filter(|(_, slot)| slot.bytes == 8) {
            if let Some(cell) = self.followed_cell(*place) {
                match state.nullness(slot.value) {
                    Nullness::Nonnull => found.insert(cell),
                    _ => found.remove(cell),
                }
            }
        }
        found
    }

    /// A state comes to the start of a block, with the block's own names taken away.
    fn arrive(&mut self, block: BlockId, mut state: State) {
        let index = block.0 as usize;
        let known = self.inputs.get_mut(index).and_then(Option::take);
        let crossing = &self.code.crossing;
        if state.registers.keys().any(|register| !crossing.contains(register)) {
            Rc::make_mut(&mut state.registers).retain(|register, _| crossing.contains(register));
        }
        state.globals = Rc::new(self.nonnull_globals(&state));
        let visits = self.visits.get(index).copied().unwrap_or(0);
        let (joined, is_new) = match known {
            None => (state, true),
            Some(known) => {
                let mut before = known.clone();
                self.agree(&mut before, &mut state);
                if visits > VISITS {
                    let fresh: Vec<NameId> = before.fresh().keys().copied().collect();
                    for name in fresh {
                        self.publish(&mut before, name);
                        self.publish(&mut state, name);
                    }
                    before.forget_memory(|_| false);
                }
                let joined = before.join(&state, block, &mut self.names);
                let is_new = joined != known;
                (joined, is_new)
            }
        };
        if let Some(input) = self.inputs.get_mut(index) {
            *input = Some(joined);
        }
        if is_new {
            if let Some(visits) = self.visits.get_mut(index) {
                *visits += 1;
            }
            let place = self.code.order.get(index).copied().unwrap_or(0);
            self.waiting.insert((place, block));
        }
    }

    /// Walks from the start of a block to where ways meet again.
    fn blocks_from(&mut self, block: BlockId, state: State) {
        let mut ways = vec![(block, state)];
        while let Some((block, mut state)) = ways.pop() {
            if !self.instructions(block, &mut state) {
                continue;
            }
            for (to, mut state) in self.ways_out(block, state) {
                let names = &self.names;
                state.drop_names(|name| names.is_joined_at(name, to));
                self.phis(block, to, &mut state);
                let index = to.0 as usize;
                let is_alone = self.code.ways.get(index) == Some(&1);
                let decides = self.code.decides.get(index) == Some(&true) && self.code.is_onwards(block, to);
                if to != BlockId(0) && (is_alone || decides) {
                    ways.push((to, state));
                } else {
                    self.arrive(to, state);
                }
            }
        }
    }

    /// Walks through the instructions of a block; false if control does not come to its end.
    fn instructions(&mut self, block: BlockId, state: &mut State) -> bool {
        let code = self.function.block(block);
        for (index, instruction) in (0..).zip(&code.instructions) {
            if !self.instruction(state, (block.0, index), instruction) {
                return false;
            }
        }
        self.check(state, (block.0, code.instructions.len() as u32), true)
    }

    /// Where control may go at the end of a block, with what is known there.
    fn ways_out(&mut self, block: BlockId, mut state: State) -> Vec<(BlockId, State)> {
        let code = self.function.block(block);
        match &code.terminator {
            Terminator::Branch { condition, then, otherwise } => match self.value(&mut state, condition) {
                Value::Test { name, then: if_then, otherwise: if_not } => {
                    let mut found = Vec::new();
                    for (to, learned) in [(*then, if_then), (*otherwise, if_not)] {
                        let mut state = state.clone();
                        if state.learn(name, learned) {
                            found.push((to, state));
                        }
                    }
                    found
                }
                _ => match condition {
                    Operand::Integer { value: 0, .. } => vec![(*otherwise, state)],
                    Operand::Integer { .. } => vec![(*then, state)],
                    _ => vec![(*then, state.clone()), (*otherwise, state)],
                },
            },
            Terminator::Return(value) => {
                self.leave(state, (block.0, code.instructions.len() as u32), value.as_ref());
                Vec::new()
            }
            terminator => {
                let mut targets = terminator.successors();
                targets.sort_unstable();
                targets.dedup();
                targets.into_iter().map(|to| (to, state.clone())).collect()
            }
        }
    }

    /// Returns to the caller.
    fn leave(&mut self, mut state: State, at: (u32, u32), value: Option<&Operand>) {
        let returned = match value.map(|value| self.value(&mut state, value)) {
            Some(Value::Named(name, _)) => match self.names.name(name) {
                Some(Name::Parameter(index)) if state.name_nullness(name).may_be_null() => Some(index),
                _ => None,
            },
            _ => None,
        };
        if returned.is_none() {
            self.constraints(&state, at, None, &[], false);
        }
        if let Some(value) = value {
            let value = self.value(&mut state, value);
            self.return_fresh(&state, value);
        }
        let checked = (0..self.function.parameters.len() as u32).filter(|index| {
            let name = self.names.existing(Name::Parameter(*index));
            name.is_some_and(|name| state.name_nullness(name) == Nullness::Nonnull)
        });
        let checked = checked.collect();
        let cells = self.nonnull_globals(&state);
        self.analysis.returns_with(self.id, cells, checked, returned);
    }

    /// Gives the choices at the start of a block their values for one way into it.
    fn phis(&mut self, from: BlockId, to: BlockId, state: &mut State) {
        let code = self.function.block(to);
        let mut values = Vec::new();
        for (index, instruction) in (0..).zip(&code.instructions) {
            let (Op::Phi(incoming), Some(register)) = (&instruction.op, instruction.result) else { break };
            let chosen = incoming.iter().find(|(block, _)| *block == from);
            let value = match chosen {
                Some((_, Operand::Integer { value, bits: 1 })) => self.certain(state, (to.0, index), *value != 0),
                Some((_, operand)) => self.value(state, operand),
                None => Value::Nameless(Nullness::Maybe),
            };
            values.push((register, value));
        }
        for (register, value) in values {
            state.set(register, value);
        }
    }

    /// Looks at what must not be null at a place; from there on it is not. False if it always is.
    fn check(&mut self, state: &mut State, at: (u32, u32), learns: bool) -> bool {
        let Some(function) = self.analysis.constraints.functions.get(self.id.0 as usize) else { return true };
        let mut goes_on = true;
        for number in function.sinks_at(at) {
            let Some(sink) = function.sinks.get(number) else { continue };
            let value = self.value(state, &sink.value);
            if state.nullness(value).may_be_null()
                && let Some(possible) = self.analysis.possible.get_mut(self.id.0 as usize)
            {
                possible.insert(number as u32);
            }
            // A function may have nothing to do with memory that it is to use none of.
            let is_access = matches!(sink.kind, SinkKind::Read | SinkKind::Written);
            if learns || !is_access {
                goes_on &= state.learn_value(value, Nullness::Nonnull);
            }
        }
        goes_on
    }

    fn instruction(&mut self, state: &mut State, at: (u32, u32), instruction: &Instruction) -> bool {
        let is_some_length = |length: &Operand| matches!(length, Operand::Integer { value: 1.., .. });
        let learns = match &instruction.op {
            Op::Copy { length, .. } | Op::Fill { length, .. } => is_some_length(length),
            _ => true,
        };
        if !self.check(state, at, learns) {
            return false;
        }
        if let Op::Load { address } | Op::Store { address, .. } | Op::Exchange { address, .. } = &instruction.op {
            let address = self.value(state, address);
            if !state.learn_value(address, Nullness::Nonnull) {
                return false;
            }
        }
        if let Op::Call { callee, arguments } = &instruction.op {
            if let Callee::Indirect(pointer) = callee {
                let pointer = self.value(state, pointer);
                if !state.learn_value(pointer, Nullness::Nonnull) {
                    return false;
                }
            }
            return self.call(state, at, instruction, callee, arguments);
        }
        self.publish_operands(state, instruction);
        let hides_zeros = match &instruction.op {
            Op::Fill { to, byte, length } => self.zero(state, to, byte, length),
            _ => false,
        };
        let own = instruction.result.map(|to| self.analysis.constraints.nodes.register(self.id, to));
        let typed = self.constraints(state, at, own, &[], hides_zeros);
        if let (Some(value), Some(register)) = (self.computed(state, at, instruction, typed), instruction.result) {
            state.set(register, value);
        }
        true
    }
}
