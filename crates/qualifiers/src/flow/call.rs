//! Calls.

use super::memory::overwrite;
use super::names::{Distance, NameId, Place};
use super::state::{Nullness, State, Value};
use super::walk::Walk;
use ir::library::{Returns, model};
use ir::{Argument, Callee, CellId, Cells, FunctionId, Instruction, Register};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Walk<'_, '_> {
    /// A call; false if control does not come back.
    pub fn call(
        &mut self,
        state: &mut State,
        at: (u32, u32),
        instruction: &Instruction,
        callee: &Callee,
        arguments: &[Argument],
    ) -> bool {
        let program = self.analysis.program;
        let targets = self.analysis.points_to.targets(self.id, callee);
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(state, &argument.value)).collect();
        let nonnull = self.nonnull_globals(state);
        for target in &targets {
            if program.function(*target).has_code() {
                self.analysis.called_with(*target, &nonnull);
            }
            let is_unknown = !program.function(*target).has_code() && model(&program.function(*target).name).is_none();
            for called in self.analysis.points_to.called_back(program, self.id, *target, &instruction.op) {
                self.called_sometime(called, is_unknown);
            }
        }
        let is_open = !self.analysis.points_to.outside(self.id, callee).is_empty();
        for called in self.analysis.points_to.called_from_outside(self.id, callee) {
            self.called_sometime(called, true);
        }
        for value in &values {
            self.publish_value(state, *value);
        }
        let allocated = self.allocated(&targets, instruction).filter(|_| !is_open);
        let own = instruction.result.map(|to| self.analysis.constraints.nodes.register(self.id, to));
        let typed = self.constraints(state, at, own, &values, allocated.is_some());
        let returning: Vec<FunctionId> =
            targets.iter().copied().filter(|target| !program.function(*target).is_noreturn).collect();
        if returning.is_empty() && !targets.is_empty() && !is_open {
            return false;
        }
        // Of what code does that nobody sees nothing is learned.
        let known: &[FunctionId] = if is_open { &[] } else { &returning };
        if !self.learn_of_arguments(state, known, &values) {
            return false;
        }
        if returning.iter().any(|target| self.returns_twice(*target)) {
            // It finds the variables as they are by then.
            self.publish_all(state);
            state.forget_memory(|_| false);
        } else if known.is_empty() {
            self.publish_all(state);
            state.forget_memory(|name| self.is_private_variable(name));
        } else {
            self.after_call(state, at, instruction, known, &nonnull);
        }
        if let Some(register) = instruction.result {
            let value = match self.returned_argument(&targets, &values).filter(|_| !is_open) {
                Some(value) => value,
                None => self.unnamed(state, at, instruction.ty, typed),
            };
            match (value, allocated, targets.as_slice()) {
                (Value::Named(name, Some(Distance::ZERO)), Some(fresh), _) => state.set_fresh(name, fresh),
                (Value::Named(name, Some(Distance::ZERO)), None, [target]) if !is_open => {
                    self.take_over(state, *target, name);
                }
                _ => self.publish_returned(&targets),
            }
            state.set(register, value);
        }
        true
    }

    /// A function was handed on: nobody knows when it is called, nor, by code of which nothing is known, with what.
    fn called_sometime(&mut self, called: FunctionId, is_unknown: bool) {
        self.analysis.called_with(called, &Cells::default());
        self.publish_returned(&[called]);
        let parameters = self.analysis.program.function(called).parameters.len() as u32;
        for index in (0..parameters).filter(|_| is_unknown) {
            let node = self.analysis.constraints.nodes.register(called, Register(index));
            self.analysis.tell(node);
        }
    }

    /// A function that has returned has looked at some of its arguments; false if it cannot have returned.
    fn learn_of_arguments(&mut self, state: &mut State, targets: &[FunctionId], values: &[Value]) -> bool {
        let program = self.analysis.program;
        let mut checked: BTreeSet<u32> = (0..values.len() as u32).collect();
        for target in targets {
            if !program.function(*target).has_code() {
                return true;
            }
            let known = self.analysis.summary(*target, self.id).and_then(|summary| summary.checked.clone());
            let parameters = program.function(*target).parameters.len() as u32;
            checked.retain(|index| *index < parameters && known.as_ref().is_none_or(|known| known.contains(index)));
        }
        let is_pointer = |index: &u32| {
            targets.iter().all(|target| {
                program
                    .function(*target)
                    .parameters
                    .get(*index as usize)
                    .is_some_and(|parameter| parameter.ty.is_pointer && parameter.by_value.is_none())
            })
        };
        // What is at a distance from null is not null, and a function that only tests it does not mind.
        let is_moved = |value: &&Value| matches!(value, Value::Named(_, distance) if *distance != Some(Distance::ZERO));
        let values = checked.into_iter().filter(is_pointer).filter_map(|index| values.get(index as usize));
        let mut learned = values.filter(|value| !is_moved(value));
        targets.is_empty() || learned.all(|value| state.learn_value(*value, Nullness::Nonnull))
    }

    fn returns_twice(&self, target: FunctionId) -> bool {
        let function = self.analysis.program.function(target);
        !function.has_code() && ir::library::returns_twice(&function.name)
    }

    /// What is left of memory after a call, and what the functions say about global variables.
    fn after_call(
        &mut self,
        state: &mut State,
        at: (u32, u32),
        instruction: &Instruction,
        targets: &[FunctionId],
        before: &Cells,
    ) {
        let program = self.analysis.program;
        let (effects, points_to) = (self.analysis.effects, self.analysis.points_to);
        let mut called: Vec<FunctionId> = targets.to_vec();
        for target in targets {
            called.extend(points_to.called_back(program, self.id, *target, &instruction.op));
        }
        let touched = self.touched(at);
        let written = |cell: CellId| {
            touched.writes.contains(cell) || called.iter().any(|id| effects.of(*id).writes.contains(cell))
        };
        // Where this function is called once more, its own variables are others.
        let fresh: Vec<NameId> = state.fresh().keys().copied().collect();
        let is_hidden = |place: Place| fresh.contains(&place.base) || self.is_private_variable(place.base);
        let lost = overwrite(state, written, None, None, is_hidden);
        lost.into_iter().for_each(|value| self.publish_value(state, value));
        state.forget_globals(&touched.writes);
        called.iter().for_each(|id| state.forget_globals(&effects.of(*id).writes));
        let is_plain =
            called.len() == targets.len() && targets.iter().all(|target| program.function(*target).has_code());
        if !is_plain {
            return;
        }
        let mut kept: Option<Cells> = None;
        for target in targets {
            let writes = &effects.of(*target).writes;
            let exit = self.analysis.summary(*target, self.id).and_then(|summary| summary.exit.clone());
            let mut nonnull = before.clone();
            nonnull.remove_all(writes);
            match exit {
                Some(exit) => nonnull.add_all(&exit),
                None => {
                    let mut all = writes.clone();
                    all.keep(&self.analysis.followed);
                    nonnull.add_all(&all);
                }
            }
            match &mut kept {
                None => kept = Some(nonnull),
                Some(kept) => {
                    kept.keep(&nonnull);
                }
            }
        }
        let mut kept = kept.unwrap_or_default();
        kept.remove_all(&touched.writes);
        state.globals = Rc::new(kept);
    }

    /// The argument that a function of the library returns.
    fn returned_argument(&self, targets: &[FunctionId], values: &[Value]) -> Option<Value> {
        let [target] = targets else { return None };
        let function = self.analysis.program.function(*target);
        let model = model(&function.name).filter(|model| !function.has_code() && !model.may_return_null)?;
        match model.returns {
            Returns::Argument(index) => values.get(index).copied(),
            _ => None,
        }
    }
}
