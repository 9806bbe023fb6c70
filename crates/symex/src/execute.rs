//! Instructions, one after the other.

use crate::Executor;
use crate::state::State;
use crate::value::{Pointer, Target, Value};
use expr::{BitVec, Kind, Term};
use ir::{Binary, FunctionId, Instruction, Op, Operand, Register, Set, Type};

/// Instructions between two looks at the clock.
const BETWEEN_LOOKS: u64 = 64;

/// How an instruction leaves a state.
pub enum Next {
    /// The next instruction follows.
    Onwards,
    /// The path ends here.
    End,
    /// The state waits somewhere else already.
    Elsewhere,
}

impl Executor<'_> {
    /// Executes a state to the end of its block, or to a call that is followed.
    pub fn advance(&mut self, mut state: State) {
        let program = self.subject.program;
        loop {
            self.instructions += 1;
            if self.instructions > self.budget.instructions {
                return self.give_up("more instructions than the budget allows");
            }
            if self.store.len() > self.budget.terms {
                return self.give_up("larger terms than the budget allows");
            }
            if self.instructions.is_multiple_of(BETWEEN_LOOKS) && (self.subject.stop)() {
                return self.give_up("the time was up");
            }
            if self.execution.inconclusive.is_some() {
                return;
            }
            let Some(frame) = state.frames.last() else { return };
            let (id, block, index) = (frame.function, frame.block, frame.index);
            let code = program.function(id).block(block);
            let Some(instruction) = code.instructions.get(index) else {
                return self.leave(state, id, &code.terminator, code.site);
            };
            let next = self.instruction(&mut state, id, instruction);
            match next {
                Next::Onwards => {
                    if let Some(frame) = state.frames.last_mut() {
                        frame.index += 1;
                    }
                }
                Next::End | Next::Elsewhere => return,
            }
        }
    }

    /// The value of an operand.
    pub fn operand(&mut self, state: &State, operand: &Operand) -> Value {
        match operand {
            Operand::Register(register) => {
                let known = state.frames.last().and_then(|frame| frame.registers.get(register).copied());
                // Only damaged code uses a register before it has a value.
                known.unwrap_or_else(|| Value::Bits(self.fresh_term(64)))
            }
            other => self.constant(other, Type::bits(64)),
        }
    }

    /// The value of a constant.
    pub fn constant(&mut self, operand: &Operand, ty: Type) -> Value {
        let is_missing = match self.subject.program.may_be_missing(operand) {
            true => self.missing(operand),
            false => self.store.bool(false),
        };
        match operand {
            Operand::Integer { value, bits } => {
                let words = [*value as u64, (*value >> 64) as u64];
                let bits = (*bits).clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
                let count = usize::from(bits.div_ceil(64)).min(2);
                Value::Bits(self.store.constant(BitVec::from_words(bits, &words[..count])))
            }
            Operand::Null => Value::Pointer(self.null_pointer()),
            Operand::Global(global, offset) => {
                let object = self.subject.points_to.object_of_kind(ir::ObjectKind::Global(*global));
                match object {
                    Some(object) => {
                        let region = self.single_region(object);
                        let offset = self.store.small(64, *offset as u64);
                        Value::Pointer(Pointer { null: is_missing, beyond: offset, ..self.pointer_to(region, offset) })
                    }
                    None => Value::Bits(self.fresh_term(64)),
                }
            }
            Operand::Function(function) => {
                let offset = self.store.small(64, 0);
                let target = Target::Function(*function);
                Value::Pointer(Pointer { null: is_missing, target, offset, beyond: offset })
            }
            Operand::Zero { bits } => {
                let bits = (*bits).clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
                Value::Bits(self.store.constant(BitVec::zero(bits)))
            }
            Operand::Any { bits } => Value::Bits(self.fresh_term(*bits)),
            Operand::Register(_) => Value::Bits(self.fresh_term(ty.bits)),
        }
    }

    /// Whether a weak symbol is missing: the same everywhere.
    fn missing(&mut self, symbol: &Operand) -> Term {
        let name = match symbol {
            Operand::Function(function) => format!("missing-f{}", function.0),
            Operand::Global(global, _) => format!("missing-g{}", global.0),
            _ => return self.fresh_term(1),
        };
        self.store.named(&name, 1)
    }

    /// A value of an operand as a pointer.
    pub fn pointer_operand(&mut self, state: &State, id: FunctionId, operand: &Operand) -> Pointer {
        let value = self.operand(state, operand);
        let points_to = self.subject.points_to;
        self.pointer(value, || points_to.of(id, operand))
    }

    fn instruction(&mut self, state: &mut State, id: FunctionId, instruction: &Instruction) -> Next {
        let ty = instruction.ty;
        let value = match &instruction.op {
            Op::Variable { .. } => {
                let register = instruction.result.unwrap_or(Register(0));
                self.new_variable(state, register)
            }
            Op::Load { address } => {
                let Some((region, offset)) = self.access(state, id, address) else { return Next::End };
                self.read(state, region, offset, ty)
            }
            Op::Store { address, value, ty } => {
                let stored = self.operand(state, value);
                let Some((region, offset)) = self.access(state, id, address) else { return Next::End };
                self.write(state, region, offset, stored, *ty);
                return Next::Onwards;
            }
            Op::Exchange { address, value, ty } => {
                let stored = self.operand(state, value);
                let Some((region, offset)) = self.access(state, id, address) else { return Next::End };
                let old = self.read(state, region, offset, *ty);
                // Whether a compare and exchange writes is not followed.
                let cells = self.cells_at(region, self.number(offset));
                let points_to = self.subject.points_to;
                let new = self.blur(&[old, stored], ty.bits, || points_to.contents_of(&cells));
                self.write(state, region, offset, new, *ty);
                old
            }
            Op::Offset { base, constant, steps, .. } => {
                let mut pointer = self.pointer_operand(state, id, base);
                let constant = self.store.small(64, *constant as u64);
                pointer = self.moved(pointer, constant);
                for step in steps {
                    let index = self.operand(state, &step.index);
                    let index = self.bits(index, step.bits);
                    let index = self.extended(index, 64, true);
                    let scale = self.store.small(64, step.scale);
                    let bytes = self.store.binary(Kind::Mul, index, scale);
                    pointer = self.moved(pointer, bytes);
                }
                Value::Pointer(pointer)
            }
            Op::Binary(operation, a, b) => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                self.arithmetic(*operation, a, b, ty)
            }
            Op::Overflows { operation, signed, left, right, bits } => {
                let (a, b) = (self.operand(state, left), self.operand(state, right));
                let (a, b) = (self.bits(a, *bits), self.bits(b, *bits));
                let kind = match (operation, signed) {
                    (Binary::Add, true) => Kind::SAddO,
                    (Binary::Add, false) => Kind::UAddO,
                    (Binary::Sub, true) => Kind::SSubO,
                    (Binary::Sub, false) => Kind::USubO,
                    (_, true) => Kind::SMulO,
                    (_, false) => Kind::UMulO,
                };
                Value::Bits(self.store.binary(kind, a, b))
            }
            Op::Compare { comparison, left, right, ty } => {
                let (a, b) = (self.operand(state, left), self.operand(state, right));
                Value::Bits(self.compare(*comparison, a, b, *ty))
            }
            Op::Cast { cast, value, from } => {
                let value = self.operand(state, value);
                self.cast(*cast, value, *from, ty, id, instruction.result)
            }
            Op::Select(condition, a, b) => {
                let condition = self.condition(state, condition);
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                let points_to = self.subject.points_to;
                self.choose(condition, a, b, ty.bits, || register_cells(points_to, id, instruction.result))
            }
            Op::Phi(_) => return self.phis(state, id),
            Op::Extract { value, bits, low } => {
                let value = self.operand(state, value);
                match value {
                    Value::Pointer(_) if *low == 0 && ty.bits == 64 => value,
                    Value::Bits(term) if ty.is_pointer && self.nonnull_results.contains(&term) => {
                        self.any_value(ty, register_cells(self.subject.points_to, id, instruction.result), false)
                    }
                    _ => {
                        let whole = self.bits(value, *bits);
                        let fits = u32::from(self.store.width(whole)) >= low + ty.bits;
                        let part = match fits && ty.bits > 0 {
                            true => Value::Bits(self.store.extract(whole, *low, ty.bits as u16)),
                            false => Value::Bits(self.fresh_term(ty.bits)),
                        };
                        let points_to = self.subject.points_to;
                        match ty.is_pointer {
                            true => {
                                let cells = || register_cells(points_to, id, instruction.result);
                                Value::Pointer(self.pointer(part, cells))
                            }
                            false => part,
                        }
                    }
                }
            }
            Op::Insert { value, part, part_bits, low } => {
                let (value, part) = (self.operand(state, value), self.operand(state, part));
                self.insert(value, part, *part_bits, *low, ty)
            }
            Op::Copy { to, from, length } => return self.copy_memory(state, id, to, from, length, instruction.site),
            Op::Fill { to, byte, length } => return self.fill_memory(state, id, to, byte, length, instruction.site),
            Op::Call { callee, arguments } => return self.call(state, id, instruction, callee, arguments),
            Op::StartVariadic { .. } => {
                self.touch_by_types(state, id, instruction, true);
                return Next::Onwards;
            }
            Op::Opaque(_) => self.any_value(ty, register_cells(self.subject.points_to, id, instruction.result), true),
            Op::Unknown { .. } => {
                self.touch_by_types(state, id, instruction, true);
                self.any_value(ty, register_cells(self.subject.points_to, id, instruction.result), true)
            }
            Op::Nonnull { value, .. } => {
                let checked = self.operand(state, value);
                return match self.require(state, checked, value, None, true) {
                    true => Next::Onwards,
                    false => Next::End,
                };
            }
        };
        state.set(instruction.result, value);
        Next::Onwards
    }

    /// Where an access goes; nothing if it goes nowhere on this path.
    pub fn access(
        &mut self,
        state: &mut State,
        id: FunctionId,
        address: &Operand,
    ) -> Option<(crate::value::RegionId, Term)> {
        let pointer = self.pointer_operand(state, id, address);
        let report = self.task.check_accesses;
        if !self.require(state, Value::Pointer(pointer), address, None, report) {
            return None;
        }
        let place = self.resolve(pointer);
        if place.is_none() && !self.can_only_be_null(pointer) {
            // Only code that nobody sees can have made such a pointer.
            self.give_up("an access through a pointer that is not null and of which nothing is known");
        }
        place
    }

    /// Whether nothing but null is ever put where a pointer comes from: where it is not null, nothing goes on.
    fn can_only_be_null(&self, pointer: Pointer) -> bool {
        match pointer.target {
            Target::Nothing => true,
            Target::Lazy(lazy) => {
                let lazy = self.lazies.get(lazy.0 as usize);
                lazy.is_some_and(|lazy| lazy.cells.is_empty() && !lazy.is_number)
            }
            Target::Region(_) | Target::Function(_) => false,
        }
    }

    /// A value of an operand as a condition.
    pub fn condition(&mut self, state: &State, operand: &Operand) -> Term {
        let value = self.operand(state, operand);
        self.bits(value, 1)
    }

    fn phis(&mut self, state: &mut State, id: FunctionId) -> Next {
        let program = self.subject.program;
        let Some(frame) = state.frames.last() else { return Next::End };
        let (block, previous, index) = (frame.block, frame.previous, frame.index);
        let is_cut = frame.loops.iter().any(|visit| visit.header == block && visit.is_cut);
        let code = program.function(id).block(block);
        let phis = code.instructions.iter().skip(index).take_while(|instruction| matches!(instruction.op, Op::Phi(_)));
        let mut values = Vec::new();
        for instruction in phis {
            let Op::Phi(incoming) = &instruction.op else { continue };
            let chosen = incoming.iter().find(|(from, _)| Some(*from) == previous).map(|(_, value)| value);
            let value = match chosen {
                Some(operand) if !is_cut => self.operand(state, operand),
                // In a later round of a loop it may be anything.
                _ => {
                    let cells = register_cells(self.subject.points_to, id, instruction.result);
                    self.any_value(instruction.ty, cells, true)
                }
            };
            values.push((instruction.result, value));
        }
        let count = values.len().max(1);
        for (register, value) in values {
            state.set(register, value);
        }
        if let Some(frame) = state.frames.last_mut() {
            frame.index += count - 1;
        }
        Next::Onwards
    }
}

/// What a register may point to.
pub fn register_cells(points_to: &ir::PointsTo, id: FunctionId, register: Option<Register>) -> Set {
    register.map(|register| points_to.of(id, &Operand::Register(register))).unwrap_or_default()
}
