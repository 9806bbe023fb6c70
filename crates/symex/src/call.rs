//! Calls: followed, or by types.

use crate::execute::{Next, register_cells};
use crate::state::State;
use crate::value::{Target, Value};
use crate::{Executor, Outflow};
use ir::{Argument, Callee, CellId, FunctionId, Instruction, Register, Touched, Type};

/// Functions that one call through a pointer may reach and that are followed one by one.
const TARGETS: usize = 8;

impl Executor<'_> {
    /// A call.
    pub fn call(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        callee: &Callee,
        arguments: &[Argument],
    ) -> Next {
        let mut targets = self.subject.points_to.targets(id, callee);
        let mut is_open = !self.subject.points_to.outside(id, callee).is_empty();
        if let Callee::Indirect(pointer) = callee {
            let value = self.pointer_operand(state, id, pointer);
            let report = self.task.check_accesses;
            if !self.require(state, Value::Pointer(value), pointer, None, report) {
                return Next::End;
            }
            if let Target::Function(function) = value.target {
                targets = vec![function];
                is_open = false;
            }
        }
        if targets.is_empty() || is_open {
            self.give_up("a call through a pointer whose targets are not known");
            return Next::End;
        }
        let followed = |executor: &Self, state: &State, target: FunctionId| {
            let function = executor.subject.program.function(target);
            let is_active = state.frames.iter().any(|frame| frame.function == target);
            function.has_code()
                && !function.is_variadic
                && !is_active
                && state.frames.len() < executor.budget.depth
                && executor.types.follows(target)
        };
        match targets.as_slice() {
            [one] => {
                let one = *one;
                match followed(self, state, one) {
                    true => self.follow(state, id, instruction, one, arguments),
                    false => self.call_one_by_types(state, id, instruction, one, arguments),
                }
            }
            several => {
                let any_followed = several.iter().any(|target| followed(self, state, *target));
                let has_code = |target: &FunctionId| self.subject.program.function(*target).has_code();
                let (coded, others): (Vec<FunctionId>, Vec<FunctionId>) = several.iter().copied().partition(has_code);
                if several.len() <= TARGETS && any_followed {
                    for target in several {
                        let mut way = state.clone();
                        let next = match followed(self, &way, *target) {
                            true => self.follow(&mut way, id, instruction, *target, arguments),
                            false => self.call_one_by_types(&mut way, id, instruction, *target, arguments),
                        };
                        self.go_on(way, next);
                    }
                    return Next::Elsewhere;
                }
                if others.len() > TARGETS {
                    self.give_up("a call through a pointer to many functions without code");
                    return Next::End;
                }
                // What a function without code does is in no type of it.
                for target in others {
                    let mut way = state.clone();
                    let next = self.call_library(&mut way, id, instruction, target, arguments);
                    self.go_on(way, next);
                }
                if !coded.is_empty() {
                    let mut way = state.clone();
                    let next = self.call_all_by_types(&mut way, id, instruction, &coded, arguments);
                    self.go_on(way, next);
                }
                Next::Elsewhere
            }
        }
    }

    /// Lets a way out of a call wait for its turn, if it goes on behind the call.
    fn go_on(&mut self, mut way: State, next: Next) {
        if let Next::Onwards = next {
            if let Some(frame) = way.frames.last_mut() {
                frame.index += 1;
            }
            self.wait(way);
        }
    }

    /// Executes the body of a function.
    fn follow(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        target: FunctionId,
        arguments: &[Argument],
    ) -> Next {
        let function = self.subject.program.function(target);
        if arguments.iter().any(|argument| argument.by_value.is_some()) {
            // Structures that are passed as copies are not followed.
            return self.call_one_by_types(state, id, instruction, target, arguments);
        }
        self.execution.followed.insert(target);
        let mut frame = self.new_frame(target, instruction.result, instruction.site);
        for (index, parameter) in (0..).zip(&function.parameters) {
            let value = match arguments.get(index as usize) {
                Some(argument) => {
                    let value = self.operand(state, &argument.value);
                    if parameter.nonnull && !self.require(state, value, &argument.value, Some((target, index)), true) {
                        return Next::End;
                    }
                    value
                }
                None => {
                    let cells = register_cells(self.subject.points_to, target, Some(Register(index)));
                    self.any_value(parameter.ty, cells, true)
                }
            };
            std::rc::Rc::make_mut(&mut frame.registers).insert(Register(index), value);
        }
        state.frames.push(frame);
        self.wait(state.clone());
        Next::Elsewhere
    }

    fn call_one_by_types(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        target: FunctionId,
        arguments: &[Argument],
    ) -> Next {
        if !self.subject.program.function(target).has_code() {
            return self.call_library(state, id, instruction, target, arguments);
        }
        self.call_all_by_types(state, id, instruction, &[target], arguments)
    }

    /// Calls functions by their types: what they may read is told, what they may write is forgotten.
    fn call_all_by_types(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        targets: &[FunctionId],
        arguments: &[Argument],
    ) -> Next {
        let mut returns = false;
        let mut may_be_null = false;
        for target in targets {
            if !self.pass(state, *target, arguments, instruction) {
                return Next::End;
            }
            let function = self.subject.program.function(*target);
            returns |= !function.is_noreturn;
            if function.has_code() {
                self.execution.called.insert(*target);
                may_be_null |= !function.result_nonnull && self.types.result_is_null(*target);
            } else {
                may_be_null |= !function.result_nonnull;
            }
        }
        self.touch_by_types(state, id, instruction, false);
        for target in targets {
            self.tell_structures(id, *target, arguments, instruction);
        }
        if !returns {
            self.tell_the_rest(state, instruction.site);
            return Next::End;
        }
        let value = self.result_value(id, instruction, may_be_null);
        state.set(instruction.result, value);
        Next::Onwards
    }

    /// Passes arguments to a function by types; false if the path ends because one must not be null and is.
    pub fn pass(
        &mut self,
        state: &mut State,
        target: FunctionId,
        arguments: &[Argument],
        instruction: &Instruction,
    ) -> bool {
        let function = self.subject.program.function(target);
        for (index, argument) in (0..).zip(arguments) {
            if !argument.ty.can_hold_pointer() || argument.by_value.is_some() {
                continue;
            }
            let value = self.operand(state, &argument.value);
            let parameter = function.parameters.get(index as usize);
            if parameter.is_some_and(|parameter| parameter.nonnull) {
                if !self.require(state, value, &argument.value, Some((target, index)), true) {
                    return false;
                }
                continue;
            }
            let outflow = Outflow::Argument(target, index);
            if self.execution.outflows.contains_key(&outflow) {
                continue;
            }
            // Of an integer that may become a pointer elsewhere nobody wants to ask the solver.
            let may_be_null = match value {
                Value::Bits(_) if !argument.ty.is_pointer => self.words(value).into_iter().any(|(_, word)| {
                    let null = self.null_condition(word);
                    !self.is_false(null)
                }),
                _ => self.can_be_null(state, value),
            };
            if may_be_null {
                self.tell(outflow, instruction.site);
            }
        }
        true
    }

    /// Structures that are passed as copies: what is null in one, by what the types know by now, is so in the other.
    fn tell_structures(
        &mut self,
        id: FunctionId,
        target: FunctionId,
        arguments: &[Argument],
        instruction: &Instruction,
    ) {
        let points_to = self.subject.points_to;
        for (index, argument) in (0..).zip(arguments) {
            let Some(bytes) = argument.by_value else { continue };
            let copy = points_to.passed_copy(target, index);
            let Some(copy) = copy.and_then(|object| points_to.cell_at(object, 0)) else { continue };
            for source in points_to.of(id, &argument.value).iter().map(CellId) {
                self.tell_copied(source, copy, bytes, instruction.site);
            }
        }
    }

    /// Lets an instruction touch memory by types. If it is not understood, everything that it may write may be null.
    pub fn touch_by_types(&mut self, state: &mut State, id: FunctionId, instruction: &Instruction, unknown: bool) {
        let mut touched = Touched::default();
        let subject = self.subject;
        subject.effects.of_instruction(subject.program, subject.points_to, id, instruction, &mut touched);
        let cares = |cell| touched.reads.contains(cell) || touched.writes.contains(cell);
        self.tell_memory(state, cares, instruction.site);
        if unknown {
            for cell in touched.writes.iter() {
                self.tell(Outflow::Cell(cell), instruction.site);
            }
        }
        self.forget(state, &touched.writes);
    }

    /// A value for the result of a call.
    pub fn result_value(&mut self, id: FunctionId, instruction: &Instruction, may_be_null: bool) -> Value {
        let cells = register_cells(self.subject.points_to, id, instruction.result);
        let ty = match instruction.ty.bits {
            0 => Type::bits(1),
            _ => instruction.ty,
        };
        let value = self.any_value(ty, cells, may_be_null);
        if let (Value::Bits(term), false) = (value, may_be_null) {
            self.nonnull_results.insert(term);
        }
        value
    }
}
