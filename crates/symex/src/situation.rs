//! How parameters and memory are when a function is called and takes a path.

use crate::state::State;
use crate::value::{Pointer, RegionId, Target, Value};
use crate::{Executor, Start};
use expr::{Evaluator, Model, Term};
use ir::{FunctionId, GlobalId, ObjectKind, Register};
use solver::Answer;
use std::collections::BTreeMap;

/// How far into an object a pointer points at most, where any distance would do.
const FURTHEST: u64 = 256;

/// Bytes of an object at least.
const SMALLEST: u64 = 64;

/// Bytes of an object at most.
const LARGEST: u64 = 1 << 20;

/// What is in a parameter or in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// A number.
    Number(u64),
    /// The null pointer.
    Null,
    /// The address of one of the objects, and bytes from there.
    Address(usize, u64),
    /// The address of a function.
    Function(FunctionId),
    /// Anything that is not null.
    Something,
}

/// Something in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The global variable that it is, if it is one.
    pub global: Option<GlobalId>,
    /// Its size.
    pub size: u64,
    /// What is in it, with its size, by the distance from the start; the rest does not matter.
    pub places: BTreeMap<u64, (u64, Held)>,
}

/// Parameters and memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The function that is called.
    pub function: FunctionId,
    /// Its parameters.
    pub parameters: Vec<Held>,
    /// What these and other objects point to.
    pub objects: Vec<Object>,
}

impl Executor<'_> {
    /// A situation in which a path is taken on which a condition holds.
    pub fn situation_for(&mut self, state: &State, condition: Term) -> Option<Situation> {
        let function = self.task.function;
        let parameters = &self.subject.program.function(function).parameters;
        let is_simple = parameters.iter().all(|parameter| parameter.by_value.is_none() && parameter.ty.bits <= 64);
        if !self.task.seeks_input || self.task.start != Start::Typed || !is_simple {
            return None;
        }
        let mut constraints = state.constraints.clone();
        constraints.push(condition);
        let starts: Vec<Term> = self.lazies.iter().filter_map(|lazy| lazy.region.map(|(_, start)| start)).collect();
        let [furthest, zero] = [(64, FURTHEST), (3, 0)].map(|(width, number)| self.store.small(width, number));
        for start in starts.into_iter().filter(|start| self.number(*start).is_none()).collect::<Vec<_>>() {
            constraints.push(self.store.ule(start, furthest));
            let unaligned = self.store.extract(start, 0, 3);
            constraints.push(self.store.eq(unaligned, zero));
        }
        self.execution.queries += 1;
        let base = state.model.as_deref().cloned().unwrap_or_default();
        let Answer::Sat(solution) = self.session.solve(&mut self.store, &constraints, &base) else { return None };
        let mut writer =
            Writer { executor: self, model: &solution.model, objects: Vec::new(), numbers: BTreeMap::new() };
        let registers = &state.frames.first()?.registers;
        let values = (0..parameters.len() as u32).map(|index| registers.get(&Register(index)).copied());
        let parameters = values.map(|value| value.map_or(Held::Number(0), |value| writer.held(value))).collect();
        for looked in &state.looked {
            writer.place(looked.region, looked.offset, looked.value);
        }
        Some(Situation { function, parameters, objects: writer.objects })
    }
}

/// A situation that is being written.
struct Writer<'a, 'b> {
    executor: &'a Executor<'b>,
    model: &'a Model,
    objects: Vec<Object>,
    numbers: BTreeMap<RegionId, usize>,
}

impl Writer<'_, '_> {
    fn number(&self, term: Term) -> u64 {
        Evaluator::new(&self.executor.store, self.model).eval(term).to_u64().unwrap_or(0)
    }

    fn held(&mut self, value: Value) -> Held {
        match value {
            Value::Bits(term) => Held::Number(self.number(term)),
            Value::Pointer(pointer) if self.number(pointer.null) != 0 => Held::Null,
            Value::Pointer(pointer) => self.address(pointer),
        }
    }

    fn address(&mut self, pointer: Pointer) -> Held {
        let offset = self.number(pointer.offset);
        let (region, start) = match pointer.target {
            Target::Nothing => return Held::Null,
            Target::Function(function) => return Held::Function(function),
            Target::Region(region) => (region, 0),
            Target::Lazy(lazy) => match self.executor.lazies.get(lazy.0 as usize).and_then(|lazy| lazy.region) {
                Some((region, start)) => (region, self.number(start)),
                None => return Held::Something,
            },
        };
        Held::Address(self.object(region), start.wrapping_add(offset))
    }

    fn object(&mut self, region: RegionId) -> usize {
        if let Some(number) = self.numbers.get(&region) {
            return *number;
        }
        let points_to = self.executor.subject.points_to;
        let objects = &self.executor.info(region).objects;
        let global = match objects.as_slice() {
            [one] => match points_to.object(*one).kind {
                ObjectKind::Global(global) => Some(global),
                _ => None,
            },
            _ => None,
        };
        let sizes = objects.iter().map(|object| points_to.object(*object).layout.size);
        let size = sizes.max().unwrap_or(0).clamp(SMALLEST, LARGEST);
        let number = self.objects.len();
        self.objects.push(Object { global, size, places: BTreeMap::new() });
        self.numbers.insert(region, number);
        number
    }

    /// Says what was found at a place.
    fn place(&mut self, region: RegionId, offset: Term, value: Value) {
        let width = match value {
            Value::Bits(term) => u64::from(self.executor.store.width(term)),
            Value::Pointer(_) => 64,
        };
        let (at, bytes) = (self.number(offset), width.div_ceil(8));
        let held = self.held(value);
        let number = self.object(region);
        let Some(object) = self.objects.get_mut(number).filter(|_| at < LARGEST && matches!(bytes, 1 | 2 | 4 | 8))
        else {
            return;
        };
        object.size = object.size.max(at + bytes);
        // What was found first was there at the start.
        object.places.entry(at).or_insert((bytes, held));
    }
}
