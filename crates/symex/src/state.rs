//! One state of the execution.

use crate::Turn;
use crate::input::Looked;
use crate::memory::Contents;
use crate::stdin::Chunk;
use crate::value::{RegionId, Value};
use expr::{Model, Term};
use ir::{BlockId, Cells, FunctionId, Register, SiteId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A loop that a frame is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopVisit {
    /// Its first block.
    pub header: BlockId,
    /// How often control has come back to that.
    pub rounds: u32,
    /// Whether what it changes was forgotten.
    pub is_cut: bool,
    /// Whether a branch could go both ways since it was entered.
    pub forked: bool,
}

/// A function that is being executed.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub block: BlockId,
    /// Number of the next instruction in the block.
    pub index: usize,
    pub previous: Option<BlockId>,
    pub registers: Rc<FxHashMap<Register, Value>>,
    /// Where the caller wants the result.
    pub result: Option<Register>,
    /// Where it was called.
    pub called_at: SiteId,
    pub loops: Vec<LoopVisit>,
    /// Its variables.
    pub locals: Vec<RegionId>,
}

/// Something that could have been otherwise, if `guard` holds: merged states have different pasts.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub guard: Option<Term>,
    pub condition: Term,
    pub site: SiteId,
    /// What happens if the condition holds; at a branch, whether it does or not.
    pub turn: Turn,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    pub frames: Vec<Frame>,
    pub memory: BTreeMap<RegionId, Rc<Contents>>,
    /// Cells that code which goes by types may have changed since the start.
    pub changed: Rc<Cells>,
    /// What holds on this path.
    pub constraints: Vec<Term>,
    /// Values with which it does, if they are known.
    pub model: Option<Rc<Model>>,
    pub taken: Vec<Taken>,
    /// What it has seen of the program's arguments, or of memory as it was at the start.
    pub looked: Vec<Looked>,
    /// What it has read from standard input; nothing if that is not known, since states were merged that have read different things.
    pub stdin: Option<Vec<Chunk>>,
}

impl State {
    /// Gives a register of the innermost frame its value.
    pub fn set(&mut self, register: Option<Register>, value: Value) {
        if let (Some(register), Some(frame)) = (register, self.frames.last_mut()) {
            Rc::make_mut(&mut frame.registers).insert(register, value);
        }
    }
}
