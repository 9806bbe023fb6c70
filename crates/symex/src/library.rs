//! Functions without code, and stretches of memory.

use crate::execute::Next;
use crate::memory::{Default as Found, RegionInfo, Slot, overlapping};
use crate::state::{State, Taken};
use crate::value::{Pointer, RegionId, Value};
use crate::{Executor, Outflow, Turn};
use expr::BitVec;
use ir::library::{Effect, Model, Passed, Returns, model, returns_twice};
use ir::{Argument, CellId, FunctionId, Instruction, ObjectKind, Operand, SiteId, Type};
use std::rc::Rc;

/// Words that are set one by one; larger stretches of memory are left to the types.
const WORDS: u64 = 256;

impl Executor<'_> {
    /// Calls a function without code.
    pub fn call_library(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        target: FunctionId,
        arguments: &[Argument],
    ) -> Next {
        let function = self.subject.program.function(target);
        let known = model(&function.name);
        for index in known.map(|model| model.nonnull.clone()).unwrap_or_default() {
            if let Some(argument) = arguments.get(index) {
                let value = self.operand(state, &argument.value);
                if !self.require(state, value, &argument.value, Some((target, index as u32)), true) {
                    return Next::End;
                }
            }
        }
        for (index, (parameter, argument)) in (0..).zip(function.parameters.iter().zip(arguments)) {
            if parameter.nonnull {
                let value = self.operand(state, &argument.value);
                if !self.require(state, value, &argument.value, Some((target, index)), true) {
                    return Next::End;
                }
            }
        }
        if returns_twice(&function.name) {
            // The second time, memory is as it was when control came back.
            self.give_up(format!("`{}` returns more than once", function.name));
            return Next::End;
        }
        let Some(model) = known else {
            return self.call_unknown(state, id, instruction, target, arguments);
        };
        if model.is_noreturn || function.is_noreturn {
            if !ends_at_once(&function.name) {
                self.tell_the_rest(state, instruction.site);
            }
            return Next::End;
        }
        self.call_back(state, id, instruction, &model.effects, arguments);
        // Before anything is forgotten.
        let passed: Vec<Value> = arguments.iter().map(|argument| self.operand(state, &argument.value)).collect();
        if !model.effects.is_empty() || matches!(model.returns, Returns::Moved(_)) {
            self.touch_by_types(state, id, instruction, false);
        }
        for effect in &model.effects {
            if let Effect::FreshAt(to) | Effect::OwnAt(to) | Effect::KeptAt(to, _) = effect {
                self.tell_pointees(id, arguments.get(*to), instruction.site);
            }
            if let Effect::Zeros(to) = effect {
                self.tell_objects(id, arguments.get(*to), instruction.site);
            }
            if let Effect::Copies(..) = effect {
                arguments.iter().for_each(|argument| self.tell_pointees(id, Some(argument), instruction.site));
            }
        }
        if let Some(register) = instruction.result {
            let value = self.library_result(id, instruction, model, &passed, arguments);
            state.set(Some(register), value);
            if model.may_return_null {
                self.returned(state, value, instruction.site, target);
            }
            if let (Value::Pointer(pointer), true) = (value, is_fresh(model.returns))
                && let crate::value::Target::Region(region) = pointer.target
            {
                state.memory.insert(region, Rc::default());
            }
            if self.task.seeks_input {
                self.read_stdin(state, id, &function.name, arguments, instruction.result);
            }
        }
        Next::Onwards
    }

    fn library_result(
        &mut self,
        id: FunctionId,
        instruction: &Instruction,
        model: &Model,
        passed: &[Value],
        arguments: &[Argument],
    ) -> Value {
        let (returns, may_be_null) = (model.returns, model.may_return_null);
        let null = if may_be_null { self.fresh_term(1) } else { self.store.bool(false) };
        let operand = |index: usize| arguments.get(index).map(|argument| &argument.value);
        let points_to = self.subject.points_to;
        match returns {
            Returns::Fresh | Returns::Zeroed | Returns::FreshBytes | Returns::Moved(_) => {
                let default = match returns {
                    Returns::Zeroed => Found::Zeros,
                    Returns::Moved(_) => Found::Typed,
                    _ => Found::Anything,
                };
                let cells = crate::execute::register_cells(points_to, id, instruction.result);
                let own = |cell: &CellId| matches!(points_to.object_of(*cell).kind, ObjectKind::Heap(function, ..) if function == id);
                let objects = cells.iter().map(CellId).filter(own).map(|cell| points_to.cell(cell).object);
                let mut objects: Vec<_> = objects.collect();
                objects.dedup();
                if let Returns::Moved(from) = returns {
                    self.tell_moved(&objects, id, operand(from), instruction.site);
                }
                let region = self.new_region(RegionInfo { objects, default, is_exact: true });
                let zero = self.store.small(64, 0);
                let mut pointer = self.pointer_to(region, zero);
                pointer.null = null;
                Value::Pointer(pointer)
            }
            Returns::Argument(index) => {
                let (Some(value), Some(operand)) = (passed.get(index).copied(), operand(index)) else {
                    return self.result_value(id, instruction, true);
                };
                if !may_be_null {
                    return value;
                }
                let pointer = self.pointer(value, || points_to.of(id, operand));
                let zero = self.store.small(64, 0);
                let beyond = self.store.ite(null, zero, pointer.beyond);
                let null = self.store.or(pointer.null, null);
                Value::Pointer(Pointer { null, beyond, ..pointer })
            }
            Returns::Within(index) => {
                let (Some(value), Some(operand)) = (passed.get(index).copied(), operand(index)) else {
                    return self.result_value(id, instruction, true);
                };
                let mut pointer = self.pointer(value, || points_to.of(id, operand));
                if !model.nonnull.contains(&index) && !self.is_false(pointer.null) {
                    // Without an argument it goes on with another one.
                    return self.result_value(id, instruction, may_be_null);
                }
                let further = self.fresh_term(64);
                pointer.offset = self.store.add(pointer.offset, further);
                pointer.null = null;
                pointer.beyond = self.store.small(64, 0);
                Value::Pointer(pointer)
            }
            Returns::Plain | Returns::Own | Returns::Kept => self.result_value(id, instruction, may_be_null),
        }
    }

    /// `realloc`: what was null in the old memory is null in the new one.
    fn tell_moved(&mut self, objects: &[ir::ObjectId], id: FunctionId, from: Option<&Operand>, site: SiteId) {
        let points_to = self.subject.points_to;
        let sources = from.map(|operand| points_to.of(id, operand)).unwrap_or_default();
        let targets: Vec<CellId> = objects.iter().filter_map(|object| points_to.cell_at(*object, 0)).collect();
        for source in sources.iter().map(CellId) {
            for target in &targets {
                self.tell_copied(source, *target, u64::MAX, site);
            }
        }
    }

    /// What the types say to be null is so where it is copied to.
    pub fn tell_copied(&mut self, from: CellId, to: CellId, bytes: u64, site: SiteId) {
        for (from, to) in self.subject.points_to.copied(from, to, bytes) {
            if self.cell_is_null(from) {
                self.tell(Outflow::Cell(to), site);
            }
        }
    }

    /// Tells that everything in the objects that an argument points to may be null.
    fn tell_objects(&mut self, id: FunctionId, argument: Option<&Argument>, site: SiteId) {
        let points_to = self.subject.points_to;
        let cells = argument.map(|argument| points_to.of(id, &argument.value)).unwrap_or_default();
        for cell in cells.iter().map(CellId) {
            points_to.object_of(cell).cells.values().for_each(|cell| self.tell(Outflow::Cell(*cell), site));
        }
    }

    /// Tells that what an argument points to may be null.
    fn tell_pointees(&mut self, id: FunctionId, argument: Option<&Argument>, site: SiteId) {
        let points_to = self.subject.points_to;
        let cells = argument.map(|argument| points_to.of(id, &argument.value)).unwrap_or_default();
        for cell in cells.iter().map(CellId) {
            self.tell(Outflow::Cell(cell), site);
        }
    }

    /// The functions of the program that a library function calls go by types.
    fn call_back(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        effects: &[Effect],
        arguments: &[Argument],
    ) {
        for effect in effects {
            let Effect::Calls(callee, passed) = effect else { continue };
            let Some(callee) = arguments.get(*callee) else { continue };
            let points_to = self.subject.points_to;
            let cells = points_to.of(id, &callee.value);
            let functions = cells.iter().filter_map(|cell| points_to.object_of(CellId(cell)).kind.function());
            for function in
                functions.filter(|function| self.subject.program.function(*function).has_code()).collect::<Vec<_>>()
            {
                self.execution.called.insert(function);
                for (index, passed) in (0..).zip(passed) {
                    if let Passed::Argument(number) = passed
                        && let Some(argument) = arguments.get(*number)
                    {
                        let value = self.operand(state, &argument.value);
                        if self.can_be_null(state, value) {
                            self.tell(Outflow::Argument(function, index), instruction.site);
                        }
                    }
                }
            }
        }
    }

    /// Calls a function of which nothing is known.
    fn call_unknown(
        &mut self,
        state: &mut State,
        id: FunctionId,
        instruction: &Instruction,
        target: FunctionId,
        arguments: &[Argument],
    ) -> Next {
        let program = self.subject.program;
        let points_to = self.subject.points_to;
        for called in points_to.called_back(program, id, target, &instruction.op) {
            if program.function(called).has_code() {
                self.execution.called.insert(called);
                for index in 0..program.function(called).parameters.len() as u32 {
                    self.tell(Outflow::Argument(called, index), instruction.site);
                }
            }
        }
        self.touch_by_types(state, id, instruction, false);
        for argument in arguments {
            for cell in points_to.of(id, &argument.value).iter().map(CellId) {
                let object = points_to.object_of(cell);
                let is_constant =
                    matches!(object.kind, ObjectKind::Global(global) if program.global(global).is_constant);
                if !is_constant && !matches!(object.kind, ObjectKind::Function(_) | ObjectKind::External(_)) {
                    let cells: Vec<CellId> = object.cells.values().copied().collect();
                    cells.into_iter().for_each(|cell| self.tell(Outflow::Cell(cell), instruction.site));
                }
            }
        }
        let function = program.function(target);
        if function.is_noreturn {
            self.tell_the_rest(state, instruction.site);
            return Next::End;
        }
        let value = self.result_value(id, instruction, !function.result_nonnull);
        state.set(instruction.result, value);
        self.returned(state, value, instruction.site, target);
        Next::Onwards
    }

    /// Remembers that a function without code returned something that may be null.
    fn returned(&mut self, state: &mut State, value: Value, site: SiteId, function: FunctionId) {
        if let Value::Pointer(Pointer { null: condition, .. }) = value
            && !self.is_false(condition)
        {
            // This is no guess: such a function can fail whenever it is called.
            self.guesses.remove(&condition);
            state.taken.push(Taken { guard: None, condition, site, turn: Turn::ReturnsNull(function) });
        }
    }

    /// `memcpy`.
    pub fn copy_memory(
        &mut self,
        state: &mut State,
        id: FunctionId,
        to: &Operand,
        from: &Operand,
        length: &Operand,
        site: SiteId,
    ) -> Next {
        let length = self.operand(state, length);
        let length = self.bits(length, 64);
        let length = self.number(length);
        if length == Some(0) {
            return Next::Onwards;
        }
        let Some((source, source_at)) = self.access(state, id, from) else { return Next::End };
        let Some((target, target_at)) = self.access(state, id, to) else { return Next::End };
        let places = (self.number(source_at), self.number(target_at), length);
        let (Some(source_at), Some(target_at), Some(length)) = places else {
            self.copy_by_types(state, source, target, site);
            return Next::Onwards;
        };
        // Everything that may be a pointer is looked at first, so that it is there to be copied.
        for object in self.info(source).objects.clone() {
            let object = self.subject.points_to.object(object);
            if object.layout.element_at(source_at).is_some() && length > 8 {
                self.copy_by_types(state, source, target, site);
                return Next::Onwards;
            }
            let range = object.cells.range(source_at..source_at.saturating_add(length));
            let cells: Vec<(u64, CellId)> = range.map(|(at, cell)| (*at, *cell)).collect();
            let ends = cells.iter().skip(1).map(|(at, _)| *at).chain([source_at.saturating_add(length)]);
            for ((at, cell), end) in cells.iter().copied().zip(ends) {
                let known = state.memory.get(&source).is_some_and(|contents| !overlapping(contents, at, 8).is_empty());
                if known {
                    continue;
                }
                let may_point = !self.subject.points_to.contents(cell).is_empty() || self.cell_is_null(cell);
                let offset = self.store.small(64, at);
                if may_point && at + 8 <= source_at + length {
                    self.read(state, source, offset, Type::POINTER);
                } else if self.info(source).default == Found::Zeros && end > at {
                    // Only this execution knows of them.
                    self.read(state, source, offset, Type::bits(((end - at).min(8) * 8) as u32));
                }
            }
        }
        let found = state.memory.get(&source).cloned().unwrap_or_default();
        let reaches_over = |(start, slot): &(u64, Slot)| {
            *start < source_at || start.saturating_add(slot.bytes) > source_at.saturating_add(length)
        };
        if overlapping(&found, source_at, length).iter().any(reaches_over) {
            self.copy_by_types(state, source, target, site);
            return Next::Onwards;
        }
        self.erase(state, target, target_at, length, site);
        for (at, slot) in found.slots.range(source_at..source_at.saturating_add(length)) {
            if at + slot.bytes <= source_at + length {
                let offset = self.store.small(64, target_at + (at - source_at));
                let is_pointer = matches!(slot.value, Value::Pointer(_));
                let ty = Type { bits: (slot.bytes * 8) as u32, is_pointer };
                self.write(state, target, offset, slot.value, ty);
            }
        }
        Next::Onwards
    }

    /// Copies as the inference would: null anywhere in the source may be anywhere in the target.
    fn copy_by_types(&mut self, state: &mut State, source: RegionId, target: RegionId, site: SiteId) {
        let (sources, targets) = (self.cells_at(source, None), self.cells_at(target, None));
        let cares = |cell: CellId| sources.contains(&cell) || targets.contains(&cell);
        self.tell_memory(state, cares, site);
        if sources.iter().any(|cell| self.cell_is_null(*cell)) {
            targets.iter().for_each(|cell| self.tell(Outflow::Cell(*cell), site));
        }
        self.erase_all(state, target);
    }

    /// Forgets a stretch of memory, which is overwritten.
    fn erase(&mut self, state: &mut State, region: RegionId, at: u64, length: u64, site: SiteId) {
        let cells = self.cells_in(region, Some(at), length);
        let points_to = self.subject.points_to;
        let in_array = |cell: &CellId| {
            let place = points_to.cell(*cell);
            points_to.object(place.object).layout.element_at(place.offset).is_some()
        };
        if self.info(region).default == Found::Zeros && cells.iter().any(in_array) {
            // Elements that are not overwritten share their cell with those that are.
            let contents = state.memory.get(&region).cloned().unwrap_or_default();
            self.tell_zeros(region, &contents, &|cell| cells.contains(&cell), site);
        }
        self.carve(state, region, at, length);
        let contents = Rc::make_mut(state.memory.entry(region).or_default());
        let changed = contents.changed.iter().chain(cells.iter().map(|cell| cell.0)).collect();
        contents.changed = Rc::new(changed);
    }

    fn erase_all(&mut self, state: &mut State, region: RegionId) {
        let written = self.cells_at(region, None);
        let mut all = ir::Cells::default();
        written.into_iter().for_each(|cell| all.insert(cell));
        self.forget(state, &all);
    }

    /// `memset`.
    pub fn fill_memory(
        &mut self,
        state: &mut State,
        id: FunctionId,
        to: &Operand,
        byte: &Operand,
        length: &Operand,
        site: SiteId,
    ) -> Next {
        let (byte, length) = (self.operand(state, byte), self.operand(state, length));
        let (byte, length) = (self.bits(byte, 8), self.bits(length, 64));
        let (byte, length) = (self.number(byte), self.number(length));
        if length == Some(0) {
            return Next::Onwards;
        }
        let Some((target, at)) = self.access(state, id, to) else { return Next::End };
        match (self.number(at), length, byte) {
            (Some(at), Some(length), Some(0)) if length <= WORDS * 8 => {
                self.erase(state, target, at, length, site);
                let mut place = at;
                while place < at + length {
                    let bytes = (at + length - place).min(8);
                    let zero = Value::Bits(self.store.constant(BitVec::zero((bytes * 8) as u16)));
                    let offset = self.store.small(64, place);
                    self.write(state, target, offset, zero, Type::bits((bytes * 8) as u32));
                    place += bytes;
                }
            }
            (_, _, byte) => {
                let cells = self.cells_at(target, None);
                self.tell_memory(state, |cell| cells.contains(&cell), site);
                if byte.is_none_or(|byte| byte == 0) {
                    cells.iter().for_each(|cell| self.tell(Outflow::Cell(*cell), site));
                }
                self.erase_all(state, target);
            }
        }
        Next::Onwards
    }
}

/// Whether a function ends the program without running any more of it.
fn ends_at_once(name: &str) -> bool {
    matches!(name, "abort" | "_exit" | "_Exit" | "__assert_fail" | "__stack_chk_fail")
}

fn is_fresh(returns: Returns) -> bool {
    matches!(returns, Returns::Fresh | Returns::Zeroed | Returns::FreshBytes | Returns::Moved(_))
}
