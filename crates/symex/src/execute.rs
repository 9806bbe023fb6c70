//! Instructions, one after the other.

use crate::state::{LoopVisit, State, Taken};
use crate::value::{Pointer, Target, Value};
use crate::{Executor, Outflow};
use expr::{BitVec, Kind, Term};
use ir::{
    Binary, BlockId, Cast, Comparison, FunctionId, Instruction, Op, Operand, Register, Set, SiteId, Terminator, Type,
};

/// Rounds of a loop before what it changes is forgotten: where a branch in it could go both ways, and where none could.
const ROUNDS: u32 = 1;
const SURE_ROUNDS: u32 = 64;

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
                        Value::Pointer(Pointer { null: is_missing, ..self.pointer_to(region, offset) })
                    }
                    None => Value::Bits(self.fresh_term(64)),
                }
            }
            Operand::Function(function) => {
                let offset = self.store.small(64, 0);
                Value::Pointer(Pointer { null: is_missing, target: Target::Function(*function), offset })
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
                let pointees = self.contents_of(&cells);
                let new = self.blur(&[old, stored], ty.bits, || pointees);
                self.write(state, region, offset, new, *ty);
                old
            }
            Op::Offset { base, constant, steps, .. } => {
                let mut pointer = self.pointer_operand(state, id, base);
                let constant = self.store.small(64, *constant as u64);
                pointer.offset = self.store.add(pointer.offset, constant);
                for step in steps {
                    let index = self.operand(state, &step.index);
                    let index = self.bits(index, step.bits);
                    let index = self.extended(index, 64, true);
                    let scale = self.store.small(64, step.scale);
                    let bytes = self.store.binary(Kind::Mul, index, scale);
                    pointer.offset = self.store.add(pointer.offset, bytes);
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
                    _ => {
                        let whole = self.bits(value, *bits);
                        let fits = u32::from(self.store.width(whole)) >= low + ty.bits;
                        match fits && ty.bits > 0 {
                            true => Value::Bits(self.store.extract(whole, *low, ty.bits as u16)),
                            false => Value::Bits(self.fresh_term(ty.bits)),
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

    fn condition(&mut self, state: &State, operand: &Operand) -> Term {
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

    fn insert(&mut self, value: Value, part: Value, part_bits: u32, low: u32, ty: Type) -> Value {
        let (whole, part) = (self.bits(value, ty.bits), self.bits(part, part_bits));
        let (width, part_width) = (u32::from(self.store.width(whole)), u32::from(self.store.width(part)));
        let end = low + part_width;
        if end > width {
            return Value::Bits(self.fresh_term(ty.bits));
        }
        let mut term = part;
        if low > 0 {
            let below = self.store.extract(whole, 0, low as u16);
            term = self.store.concat(term, below);
        }
        if end < width {
            let above = self.store.extract(whole, end, (width - end) as u16);
            term = self.store.concat(above, term);
        }
        Value::Bits(term)
    }

    fn extended(&mut self, term: Term, bits: u16, signed: bool) -> Term {
        let width = self.store.width(term);
        match width.cmp(&bits) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.store.extract(term, 0, bits),
            std::cmp::Ordering::Less if signed => self.store.sext(term, bits),
            std::cmp::Ordering::Less => self.store.zext(term, bits),
        }
    }

    fn cast(
        &mut self,
        cast: Cast,
        value: Value,
        from: Type,
        to: Type,
        id: FunctionId,
        result: Option<Register>,
    ) -> Value {
        match cast {
            Cast::Bits | Cast::PointerToInteger => match value {
                Value::Bits(term) if to.is_pointer => self.integer_to_pointer(term, id, result),
                _ => value,
            },
            Cast::IntegerToPointer => match value {
                Value::Pointer(_) => value,
                Value::Bits(term) => {
                    let term = self.extended(term, 64, false);
                    self.integer_to_pointer(term, id, result)
                }
            },
            Cast::Truncate | Cast::ZeroExtend | Cast::SignExtend => {
                let term = self.bits(value, from.bits);
                let bits = to.bits.clamp(1, u32::from(expr::MAX_WIDTH)) as u16;
                Value::Bits(self.extended(term, bits, cast == Cast::SignExtend))
            }
        }
    }

    fn integer_to_pointer(&mut self, term: Term, id: FunctionId, result: Option<Register>) -> Value {
        let points_to = self.subject.points_to;
        Value::Pointer(self.pointer(Value::Bits(term), || register_cells(points_to, id, result)))
    }

    fn arithmetic(&mut self, operation: Binary, a: Value, b: Value, ty: Type) -> Value {
        if ty.bits == 64 {
            match (operation, a, b) {
                (Binary::Add, Value::Pointer(pointer), Value::Bits(bytes))
                | (Binary::Add, Value::Bits(bytes), Value::Pointer(pointer)) => {
                    let offset = self.store.add(pointer.offset, bytes);
                    return Value::Pointer(Pointer { offset, ..pointer });
                }
                (Binary::Sub, Value::Pointer(pointer), Value::Bits(bytes)) => {
                    let offset = self.store.sub(pointer.offset, bytes);
                    return Value::Pointer(Pointer { offset, ..pointer });
                }
                (Binary::Sub, Value::Pointer(a), Value::Pointer(b)) if a.target == b.target => {
                    return Value::Bits(self.store.sub(a.offset, b.offset));
                }
                _ => {}
            }
        }
        let (a, b) = (self.bits(a, ty.bits), self.bits(b, ty.bits));
        let kind = match operation {
            Binary::Add => Kind::Add,
            Binary::Sub => Kind::Sub,
            Binary::Mul => Kind::Mul,
            Binary::Udiv => Kind::UDiv,
            Binary::Sdiv => Kind::SDiv,
            Binary::Urem => Kind::URem,
            Binary::Srem => Kind::SRem,
            Binary::Shl => Kind::Shl,
            Binary::Lshr => Kind::LShr,
            Binary::Ashr => Kind::AShr,
            Binary::And => Kind::And,
            Binary::Or => Kind::Or,
            Binary::Xor => Kind::Xor,
        };
        Value::Bits(self.store.binary(kind, a, b))
    }

    fn compare(&mut self, comparison: Comparison, a: Value, b: Value, ty: Type) -> Term {
        let equality = matches!(comparison, Comparison::Eq | Comparison::Ne);
        if let (Value::Pointer(_), _) | (_, Value::Pointer(_)) = (a, b)
            && ty.bits == 64
        {
            let [a, b] = [a, b].map(|value| self.pointer(value, Set::default));
            let equal = match equality {
                true => self.same_pointer(a, b),
                false if a.target == b.target => return self.compare_bits(comparison, a.offset, b.offset),
                false => return self.fresh_term(1),
            };
            return if comparison == Comparison::Eq { equal } else { self.store.not(equal) };
        }
        let (a, b) = (self.bits(a, ty.bits), self.bits(b, ty.bits));
        self.compare_bits(comparison, a, b)
    }

    fn compare_bits(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        match comparison {
            Comparison::Eq => self.store.eq(a, b),
            Comparison::Ne => self.store.ne(a, b),
            Comparison::Ult => self.store.ult(a, b),
            Comparison::Ule => self.store.ule(a, b),
            Comparison::Ugt => self.store.ult(b, a),
            Comparison::Uge => self.store.ule(b, a),
            Comparison::Slt => self.store.binary(Kind::Slt, a, b),
            Comparison::Sle => self.store.binary(Kind::Sle, a, b),
            Comparison::Sgt => self.store.binary(Kind::Slt, b, a),
            Comparison::Sge => self.store.binary(Kind::Sle, b, a),
        }
    }

    /// When two pointers are the same.
    fn same_pointer(&mut self, a: Pointer, b: Pointer) -> Term {
        if self.is_true(b.null) {
            return a.null;
        }
        if self.is_true(a.null) {
            return b.null;
        }
        let both = self.store.and(a.null, b.null);
        let either = self.store.or(a.null, b.null);
        let else_same = match (a.target, b.target) {
            (left, right) if left == right => self.store.eq(a.offset, b.offset),
            (Target::Function(_), Target::Function(_)) => self.store.bool(false),
            (Target::Region(left), Target::Region(right)) if self.info(left).is_exact && self.info(right).is_exact => {
                self.store.bool(false)
            }
            // Whether they meet is not followed.
            _ => self.fresh_term(1),
        };
        self.store.ite(either, both, else_same)
    }

    /// Leaves a block.
    fn leave(&mut self, mut state: State, id: FunctionId, terminator: &Terminator, site: SiteId) {
        match terminator {
            Terminator::Jump(to) => self.enter(state, *to, site),
            Terminator::Unreachable => {}
            Terminator::Return(value) => {
                let value = value.as_ref().map(|operand| (self.operand(&state, operand), operand));
                if let Some((value, operand)) = value
                    && self.subject.program.function(id).result_nonnull
                    && !self.require(&mut state, value, operand, None, true)
                {
                    return;
                }
                self.leave_function(state, value.map(|(value, _)| value), site);
            }
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.condition(&state, condition);
                let negated = self.store.not(condition);
                if self.is_true(condition) {
                    return self.enter(state, *then, site);
                }
                if self.is_true(negated) {
                    return self.enter(state, *otherwise, site);
                }
                let mut other = state.clone();
                let goes = [self.assume(&mut state, condition), self.assume(&mut other, negated)];
                if goes == [true, true] {
                    [&mut state, &mut other].into_iter().for_each(mark_fork);
                }
                for (state, goes, to) in [(&mut state, goes[0], *then), (&mut other, goes[1], *otherwise)] {
                    if goes {
                        state.taken.push(Taken { guard: None, condition, site });
                        self.enter(state.clone(), to, site);
                    }
                }
            }
            Terminator::Switch { value, bits, cases, default } => {
                let value = self.operand(&state, value);
                let value = self.bits(value, *bits);
                self.switch(state, value, *bits, cases, *default, site);
            }
            Terminator::Any(targets) => {
                mark_fork(&mut state);
                for to in targets {
                    self.enter(state.clone(), *to, site);
                }
            }
        }
    }

    fn switch(
        &mut self,
        mut state: State,
        value: Term,
        bits: u32,
        cases: &[(u128, BlockId)],
        default: BlockId,
        site: SiteId,
    ) {
        // Cases that lead to the same block are one way.
        let mut ways: Vec<(BlockId, Term)> = Vec::new();
        let mut none = self.store.bool(true);
        for (case, to) in cases {
            let case = self.store.small(bits.clamp(1, 64) as u16, *case as u64);
            let same_width = self.store.width(value) == self.store.width(case);
            let hit = if same_width { self.store.eq(value, case) } else { self.fresh_term(1) };
            let miss = self.store.not(hit);
            none = self.store.and(none, miss);
            match ways.iter_mut().find(|(block, _)| block == to) {
                Some((_, condition)) => *condition = self.store.or(*condition, hit),
                None => ways.push((*to, hit)),
            }
        }
        ways.push((default, none));
        if self.store.value(value).is_none() {
            mark_fork(&mut state);
        }
        for (to, condition) in ways {
            let mut way = state.clone();
            if self.assume(&mut way, condition) {
                if !self.is_true(condition) {
                    way.taken.push(Taken { guard: None, condition, site });
                }
                self.enter(way, to, site);
            }
        }
    }

    /// Enters a block, and keeps count of the loops that this is about.
    fn enter(&mut self, mut state: State, to: BlockId, site: SiteId) {
        let Some(id) = state.frames.last().map(|frame| frame.function) else { return };
        let loops = self.loops_of(id);
        let Some(frame) = state.frames.last_mut() else { return };
        let from = frame.block;
        frame.loops.retain(|visit| loops.by_header.get(&visit.header).is_some_and(|known| known.body.contains(&to)));
        frame.previous = Some(from);
        frame.block = to;
        frame.index = 0;
        if let Some(known) = loops.by_header.get(&to) {
            match frame.loops.iter_mut().find(|visit| visit.header == to) {
                Some(visit) if known.body.contains(&from) => {
                    visit.rounds += 1;
                    let limit = if visit.forked { ROUNDS } else { SURE_ROUNDS };
                    if visit.rounds > limit {
                        let was_cut = visit.is_cut;
                        visit.is_cut = true;
                        let touched = &known.touched;
                        let cares = |cell| touched.writes.contains(cell);
                        self.tell_memory(&state, cares, site);
                        // What comes next was executed for any round already.
                        if was_cut {
                            return;
                        }
                        self.forget(&mut state, &touched.writes);
                    }
                }
                Some(visit) => *visit = LoopVisit { header: to, rounds: 0, is_cut: false, forked: false },
                None => frame.loops.push(LoopVisit { header: to, rounds: 0, is_cut: false, forked: false }),
            }
        }
        self.wait(state);
    }

    /// Returns to the caller, or ends the execution of the whole block.
    fn leave_function(&mut self, mut state: State, value: Option<Value>, site: SiteId) {
        let Some(frame) = state.frames.pop() else { return };
        for region in &frame.locals {
            state.memory.remove(region);
        }
        if state.frames.is_empty() {
            if let Some(value) = value
                && self.subject.program.function(frame.function).result.is_some_and(Type::can_hold_pointer)
                && !self.execution.outflows.contains_key(&Outflow::Result)
                && self.words(value).into_iter().any(|(_, word)| self.can_be_null(&state, word))
            {
                self.tell(Outflow::Result, site);
            }
            self.tell_memory(&state, |_| true, site);
            return;
        }
        if let Some(value) = value {
            state.set(frame.result, value);
        }
        if let Some(caller) = state.frames.last_mut() {
            caller.index += 1;
        }
        self.wait(state);
    }
}

fn mark_fork(state: &mut State) {
    for frame in &mut state.frames {
        frame.loops.iter_mut().for_each(|visit| visit.forked = true);
    }
}

/// What a register may point to.
pub fn register_cells(points_to: &ir::PointsTo, id: FunctionId, register: Option<Register>) -> Set {
    register.map(|register| points_to.of(id, &Operand::Register(register))).unwrap_or_default()
}
