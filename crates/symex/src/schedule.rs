//! Which state goes on: the one that is furthest behind, so that states meet.

use crate::Executor;
use crate::loops::Loops;
use crate::memory::{Default as Found, RegionInfo};
use crate::state::{Frame, State};
use crate::value::Value;
use ir::{BlockId, FunctionId, ObjectKind, Operand, Register, SiteId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// States that wait at the same place before they are merged.
const MERGED: usize = 6;

/// How far states are: for each frame the place of its block in the function's order, and the instruction. A state in a call
/// is behind one that has returned from it.
type Place = Vec<(u32, u32)>;

/// The states that wait.
#[derive(Debug, Default)]
pub struct Waiting {
    states: BTreeMap<Place, Vec<State>>,
}

impl Executor<'_> {
    /// Executes everything that there is.
    pub fn run(&mut self) {
        let start = self.start();
        self.wait(start);
        while let Some((_, states)) = self.waiting.states.pop_first() {
            let states = if states.len() > MERGED { self.merged(states) } else { states };
            for state in states {
                self.execution.paths += 1;
                self.advance(state);
                if self.execution.inconclusive.is_some() {
                    return;
                }
            }
        }
    }

    /// Says why nothing can be concluded.
    pub fn give_up(&mut self, why: impl Into<String>) {
        self.execution.inconclusive.get_or_insert(why.into());
    }

    /// The state at the start of the function.
    fn start(&mut self) -> State {
        let id = self.task.function;
        let mut state = State {
            frames: Vec::new(),
            memory: BTreeMap::new(),
            changed: Rc::default(),
            constraints: Vec::new(),
            model: Some(Rc::new(expr::Model::new())),
            taken: Vec::new(),
            looked: Vec::new(),
            stdin: Some(Vec::new()),
        };
        let frame = self.new_frame(id, None, SiteId(0));
        state.frames.push(frame);
        for (index, parameter) in (0..).zip(&self.subject.program.function(id).parameters) {
            let register = Register(index);
            let cells = self.subject.points_to.of(id, &Operand::Register(register));
            let null = self.task.null_parameters.get(index as usize).copied().unwrap_or(true);
            let may_be_null = null && !parameter.nonnull && parameter.by_value.is_none();
            let value = match self.argument_vector(index) {
                Some(vector) => vector,
                None => self.any_value(parameter.ty, cells, may_be_null),
            };
            state.set(Some(register), value);
        }
        state
    }

    /// A frame at the start of a function.
    pub fn new_frame(&mut self, function: FunctionId, result: Option<Register>, called_at: SiteId) -> Frame {
        Frame {
            function,
            block: BlockId(0),
            index: 0,
            previous: None,
            registers: Rc::default(),
            result,
            called_at,
            loops: Vec::new(),
            locals: Vec::new(),
        }
    }

    /// The loops of a function.
    pub fn loops_of(&mut self, function: FunctionId) -> Rc<Loops> {
        let subject = self.subject;
        self.loops.entry(function).or_insert_with(|| Rc::new(Loops::of(subject, function))).clone()
    }

    /// Puts a state where it goes on later.
    pub fn wait(&mut self, state: State) {
        let mut place = Place::new();
        for frame in &state.frames {
            let loops = self.loops.get(&frame.function);
            let order = loops.and_then(|loops| loops.order.get(frame.block.0 as usize)).copied();
            let order = match order {
                Some(order) => order,
                None => {
                    let loops = self.loops_of(frame.function);
                    loops.order.get(frame.block.0 as usize).copied().unwrap_or(0)
                }
            };
            place.push((order, frame.index as u32));
        }
        place.push((u32::MAX, 0));
        self.waiting.states.entry(place).or_default().push(state);
    }

    /// Makes a variable of the function that is being executed.
    pub fn new_variable(&mut self, state: &mut State, register: Register) -> Value {
        let Some(frame) = state.frames.last() else { return Value::Pointer(self.null_pointer()) };
        let object = self.subject.points_to.object_of_kind(ObjectKind::Variable(frame.function, register));
        let Some(object) = object else { return Value::Pointer(self.null_pointer()) };
        let is_single = self.subject.points_to.object(object).is_single;
        let known = self.single_regions.get(&object).copied().filter(|_| is_single);
        let region = known.unwrap_or_else(|| {
            let info = RegionInfo { objects: vec![object], default: Found::Anything, is_exact: true };
            self.new_region(info)
        });
        if is_single {
            self.single_regions.insert(object, region);
        }
        state.memory.insert(region, Rc::default());
        if let Some(frame) = state.frames.last_mut() {
            frame.locals.push(region);
        }
        let zero = self.store.small(64, 0);
        Value::Pointer(self.pointer_to(region, zero))
    }
}
