//! What the program reads from its standard input.

use crate::Executor;
use crate::state::State;
use crate::value::{RegionId, Value};
use expr::{Evaluator, Model, Term};
use ir::{Argument, CellId, FunctionId, ObjectKind, Register, Type};

/// Bytes that one call reads at most, where an input is looked for.
const BYTES: u64 = 64;

/// What one call has read.
#[derive(Clone, PartialEq, Debug)]
pub struct Chunk {
    bytes: Vec<Term>,
    /// How many of them there are.
    length: Term,
}

impl Executor<'_> {
    /// Says what a function of the library has read, if it is one that reads from standard input. Only where an input is looked for:
    /// what is read is taken to be short.
    pub fn read_stdin(
        &mut self,
        state: &mut State,
        id: FunctionId,
        name: &str,
        arguments: &[Argument],
        result: Option<Register>,
    ) {
        let result = result.and_then(|register| state.frames.last()?.registers.get(&register).copied());
        let Some(result) = result else { return };
        match (name, arguments) {
            ("getchar" | "getchar_unlocked", []) => self.read_character(state, result),
            ("getc" | "fgetc" | "_IO_getc" | "getc_unlocked" | "fgetc_unlocked", [stream])
                if self.is_stdin(id, stream) =>
            {
                self.read_character(state, result);
            }
            ("fgets" | "fgets_unlocked", [buffer, size, stream]) if self.is_stdin(id, stream) => {
                self.read_line(state, id, buffer, size, result);
            }
            ("read", [file, buffer, size]) => {
                let file = self.operand(state, &file.value);
                let file = self.bits(file, 32);
                if self.number(file) == Some(0) {
                    self.read_block(state, id, buffer, size, result);
                }
            }
            _ => {}
        }
    }

    /// Whether an argument is what the variable `stdin` holds, and nothing else.
    fn is_stdin(&self, id: FunctionId, stream: &Argument) -> bool {
        let (program, points_to) = (self.subject.program, self.subject.points_to);
        let cells = points_to.of(id, &stream.value);
        let is_it = |cell: u32| match points_to.object_of(CellId(cell)).kind {
            ObjectKind::Elsewhere(global) => program.global(global).name == "stdin",
            _ => false,
        };
        !cells.is_empty() && cells.iter().all(is_it)
    }

    fn read_character(&mut self, state: &mut State, result: Value) {
        let character = self.bits(result, 32);
        let [end, last, zero, one] = [(32, u64::from(u32::MAX)), (32, 255), (64, 0), (64, 1)]
            .map(|(width, number)| self.store.small(width, number));
        let is_end = self.store.eq(character, end);
        let is_byte = self.store.ule(character, last);
        let is_either = self.store.or(is_end, is_byte);
        self.take_for_granted(state, is_either);
        let byte = self.store.extract(character, 0, 8);
        let length = self.store.ite(is_end, zero, one);
        self.add_chunk(state, Chunk { bytes: vec![byte], length });
    }

    /// `fgets`: up to a line feed, and a zero behind it.
    fn read_line(&mut self, state: &mut State, id: FunctionId, buffer: &Argument, size: &Argument, result: Value) {
        let Some((region, start, size)) = self.buffer(state, id, buffer, size) else { return };
        let limit = size.saturating_sub(1).min(BYTES);
        let is_end = self.null_condition(result);
        let (bytes, length) = self.new_bytes(state, limit);
        let [zero, feed] = [0, u64::from(b'\n')].map(|byte| self.store.small(8, byte));
        let nothing = self.store.small(64, 0);
        let is_something = self.store.ne(length, nothing);
        self.take_for_granted(state, is_something);
        for (index, byte) in (0..).zip(&bytes) {
            let [at, next, most] = [index, index + 1, size - 1].map(|number| self.store.small(64, number));
            let (is_before, is_last) = (self.store.ult(next, length), self.store.eq(next, length));
            let (is_feed, is_zero) = (self.store.eq(*byte, feed), self.store.eq(*byte, zero));
            let is_short = self.store.ult(length, most);
            let ends_short = self.store.and(is_last, is_short);
            // A line feed at the end of a line that is not cut off, and nowhere else.
            let [not_feed, not_zero] = [is_feed, is_zero].map(|condition| self.store.not(condition));
            let is_read = self.store.ult(at, length);
            for (condition, holds) in [(is_before, not_feed), (ends_short, is_feed), (is_read, not_zero)] {
                let not = self.store.not(condition);
                let implied = self.store.or(not, holds);
                self.take_for_granted(state, implied);
            }
        }
        for index in 0..=limit {
            let at = self.store.small(64, index);
            let (is_read, is_behind) = (self.store.ult(at, length), self.store.eq(at, length));
            let unknown = self.fresh_term(8);
            let rest = self.store.ite(is_behind, zero, unknown);
            let byte = bytes.get(index as usize).copied().unwrap_or(zero);
            let found = self.store.ite(is_read, byte, rest);
            let found = self.store.ite(is_end, unknown, found);
            self.write_byte(state, region, start, index, found);
        }
        let length = self.store.ite(is_end, nothing, length);
        self.add_chunk(state, Chunk { bytes, length });
    }

    /// `read`.
    fn read_block(&mut self, state: &mut State, id: FunctionId, buffer: &Argument, size: &Argument, result: Value) {
        let Some((region, start, size)) = self.buffer(state, id, buffer, size) else { return };
        let (bytes, length) = self.new_bytes(state, size.min(BYTES));
        let result = self.bits(result, 64);
        let is_length = self.store.eq(result, length);
        self.take_for_granted(state, is_length);
        for (index, byte) in (0..).zip(&bytes) {
            let at = self.store.small(64, index);
            let is_read = self.store.ult(at, length);
            let unknown = self.fresh_term(8);
            let found = self.store.ite(is_read, *byte, unknown);
            self.write_byte(state, region, start, index, found);
        }
        self.add_chunk(state, Chunk { bytes, length });
    }

    /// Where a buffer is and how long, if that is known.
    fn buffer(
        &mut self,
        state: &mut State,
        id: FunctionId,
        buffer: &Argument,
        size: &Argument,
    ) -> Option<(RegionId, u64, u64)> {
        let size = self.operand(state, &size.value);
        let size = self.bits(size, 32);
        let size = self.number(size).filter(|size| *size > 1)?;
        let pointer = self.pointer_operand(state, id, &buffer.value);
        let (region, start) = self.resolve(pointer)?;
        Some((region, self.number(start)?, size))
    }

    /// New bytes, and how many of them there are.
    fn new_bytes(&mut self, state: &mut State, limit: u64) -> (Vec<Term>, Term) {
        let bytes = (0..limit).map(|_| self.fresh_term(8)).collect();
        let (length, most) = (self.fresh_term(64), self.store.small(64, limit));
        let is_short = self.store.ule(length, most);
        self.take_for_granted(state, is_short);
        (bytes, length)
    }

    fn write_byte(&mut self, state: &mut State, region: RegionId, start: u64, index: u64, byte: Term) {
        let offset = self.store.small(64, start.saturating_add(index));
        self.write(state, region, offset, Value::Bits(byte), Type::bits(8));
    }

    fn take_for_granted(&mut self, state: &mut State, condition: Term) {
        let not = self.store.not(condition);
        self.believe(state, not);
    }

    fn add_chunk(&self, state: &mut State, chunk: Chunk) {
        if let Some(chunks) = &mut state.stdin {
            chunks.push(chunk);
        }
    }

    /// The standard input with which a path is taken, if it reads any and it is known what.
    pub fn stdin_under(&self, state: &State, model: &Model) -> Option<Vec<u8>> {
        let chunks = state.stdin.as_ref().filter(|chunks| !chunks.is_empty())?;
        let mut evaluator = Evaluator::new(&self.store, model);
        let mut bytes = Vec::new();
        for chunk in chunks {
            let length = evaluator.eval(chunk.length).to_u64().and_then(|length| usize::try_from(length).ok());
            let read = chunk.bytes.iter().take(length.unwrap_or(0));
            bytes.extend(read.filter_map(|byte| evaluator.eval(*byte).to_u64()).map(|byte| byte as u8));
        }
        Some(bytes)
    }
}
