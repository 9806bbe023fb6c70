//! Inputs of the program with which it takes a path.

use crate::memory::{Default as Found, RegionInfo};
use crate::state::State;
use crate::value::{Pointer, RegionId, Target, Value};
use crate::{Executor, Input, Start};
use expr::{BitVec, Evaluator, Kind, Model, Term};
use ir::{ObjectKind, Register};
use solver::Answer;
use std::collections::BTreeMap;

/// Arguments that are passed at most.
const ARGUMENTS: u64 = 16;

/// Bytes of an argument at most.
const LENGTH: u64 = 4096;

/// What is at places of an argument that the path does not look at.
const FILLER: u8 = b'x';

/// Something that was looked at as it was at the start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Looked {
    pub region: RegionId,
    pub offset: Term,
    pub value: Value,
}

impl Executor<'_> {
    /// Remembers what is found in the arguments of the program, or in memory as it is at the start.
    pub fn note_found(&mut self, state: &mut State, region: RegionId, offset: Term, value: Value) {
        let is_wanted = match self.task.start {
            Start::Program => self.is_input(self.info(region)),
            Start::Typed => {
                let mut cells = self.cells_at(region, self.number(offset)).into_iter();
                self.task.seeks_input
                    && self.info(region).default == Found::Typed
                    && !cells.any(|cell| state.changed.contains(cell))
            }
        };
        if is_wanted {
            state.looked.push(Looked { region, offset, value });
        }
    }

    /// `argv`, if it is a parameter with this number: it points to the first argument.
    pub fn argument_vector(&mut self, parameter: u32) -> Option<Value> {
        let (main, points_to) = (self.task.function, self.subject.points_to);
        let function = self.subject.program.function(main);
        let is_argv = parameter == 1 && function.name == "main" && function.parameters.len() == 2;
        let object = points_to.object_of_kind(ObjectKind::Arguments).filter(|_| is_argv)?;
        if points_to.is_recursive(main) || !points_to.object(object).is_single {
            return None;
        }
        let region = self.single_region(object);
        let start = self.store.small(64, 0);
        Some(Value::Pointer(self.pointer_to(region, start)))
    }

    /// What is found in `argv`: the pointer behind the last argument is null, and none before it.
    pub fn as_argument(&mut self, state: &State, region: RegionId, offset: Term, value: Value) -> Value {
        let main = self.task.function;
        let function = self.subject.program.function(main);
        let kind = |object: &ir::ObjectId| self.subject.points_to.object(*object).kind;
        let is_argv =
            self.info(region).is_exact && self.info(region).objects.iter().all(|o| kind(o) == ObjectKind::Arguments);
        let (true, Value::Pointer(pointer)) = (is_argv && function.name == "main", value) else {
            return value;
        };
        let count = state.frames.first().and_then(|frame| frame.registers.get(&Register(0)).copied());
        let (Some(Value::Bits(count)), false) = (count, self.subject.points_to.is_recursive(main)) else {
            return value;
        };
        let [count, word] = [self.extended(count, 64, true), self.store.small(64, 8)];
        let end = self.store.binary(Kind::Mul, count, word);
        // A pointer in front of the first one would be another error than null; loops that count up are not known not to get there.
        let (is_end, is_before) = (self.store.eq(offset, end), self.store.binary(Kind::Slt, offset, end));
        // Behind the end lies something else.
        let other = self.fresh_term(1);
        let is_behind = self.store.not(is_before);
        let is_other = self.store.and(is_behind, other);
        let null = self.store.or(is_end, is_other);
        Value::Pointer(Pointer { null, ..pointer })
    }

    fn is_input(&self, info: &RegionInfo) -> bool {
        let kind = |object: &ir::ObjectId| self.subject.points_to.object(*object).kind;
        info.objects.iter().any(|object| matches!(kind(object), ObjectKind::Arguments | ObjectKind::ArgumentTexts))
    }

    /// An input with which a path is taken on which a condition holds.
    pub fn input_for(&mut self, state: &State, condition: Term) -> Option<Input> {
        let program = self.subject.program;
        if self.task.start != Start::Program || program.function(self.task.function).name != "main" {
            return None;
        }
        let count = match state.frames.first()?.registers.get(&Register(0)).copied() {
            Some(Value::Bits(term)) => term,
            _ => self.store.small(32, 1),
        };
        let mut constraints = state.constraints.clone();
        constraints.push(condition);
        let width = self.store.width(count);
        let zero = self.store.small(width, 0);
        constraints.push(self.store.ult(zero, count));
        let pointers = self.looked_pointers(state);
        for (index, value) in &pointers {
            // What lies behind the end is not for us to choose.
            let index = self.store.small(width, *index);
            let (is_behind, null) = (self.store.ult(count, index), self.null_condition(*value));
            constraints.push(self.store.not(is_behind));
            let is_end = self.store.eq(count, index);
            constraints.push(self.store.eq(null, is_end));
        }
        let base = state.model.as_deref().cloned().unwrap_or_default();
        let (count, model) = self.fewest(count, &constraints, &base)?;
        let text = |index| pointers.get(&index).map_or_else(|| vec![FILLER], |value| self.text(state, *value, &model));
        let arguments = (1..count).map(text).collect();
        Some(Input { arguments, stdin: self.stdin_under(state, &model) })
    }

    /// A model with as small a number of arguments as there is, and the number.
    fn fewest(&mut self, count: Term, constraints: &[Term], base: &Model) -> Option<(u64, Model)> {
        let (mut fewest, mut least) = (None, 1);
        let mut limit = ARGUMENTS;
        while least <= limit {
            let mut limited = constraints.to_vec();
            let most = self.store.small(self.store.width(count), limit);
            limited.push(self.store.ule(count, most));
            self.execution.queries += 1;
            match self.session.solve(&mut self.store, &limited, base) {
                Answer::Sat(solution) => {
                    let number = Evaluator::new(&self.store, &solution.model).eval(count).to_u64()?.clamp(1, limit);
                    fewest = Some((number, solution.model));
                }
                _ if fewest.is_none() => return None,
                _ => least = limit + 1,
            }
            let known = fewest.as_ref().map_or(ARGUMENTS, |(number, _)| *number);
            if least >= known {
                break;
            }
            limit = (least + known - 1) / 2;
        }
        fewest
    }

    /// The pointers in `argv` that were looked at, by number.
    fn looked_pointers(&self, state: &State) -> BTreeMap<u64, Value> {
        let mut found = BTreeMap::new();
        for looked in &state.looked {
            if let (Value::Pointer(_), Some(offset)) = (looked.value, self.number(looked.offset)) {
                found.entry(offset / 8).or_insert(looked.value);
            }
        }
        found
    }

    /// The text of an argument.
    fn text(&self, state: &State, pointer: Value, model: &Model) -> Vec<u8> {
        let start = match pointer {
            Value::Pointer(pointer) => match pointer.target {
                Target::Lazy(lazy) => self.lazies.get(lazy.0 as usize).and_then(|lazy| lazy.region),
                _ => None,
            },
            Value::Bits(_) => None,
        };
        let Some((region, start)) = start else { return vec![FILLER] };
        let mut evaluator = Evaluator::new(&self.store, model);
        let mut number = |term: Term| BitVec::to_u64(&evaluator.eval(term));
        let mut bytes = BTreeMap::new();
        for looked in state.looked.iter().filter(|looked| looked.region == region) {
            if let Value::Bits(term) = looked.value
                && self.store.width(term) == 8
                && let (Some(at), Some(start), Some(byte)) = (number(looked.offset), number(start), number(term))
            {
                bytes.entry(at.wrapping_sub(start)).or_insert(byte as u8);
            }
        }
        let end = bytes.iter().find(|(_, byte)| **byte == 0).map(|(at, _)| *at);
        let end = end.or_else(|| bytes.keys().next_back().map(|at| at.saturating_add(1))).unwrap_or(1).min(LENGTH);
        (0..end).map(|at| bytes.get(&at).copied().unwrap_or(FILLER)).collect()
    }
}
