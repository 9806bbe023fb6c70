//! Makes one state of several that are at the same place.

use crate::Executor;
use crate::memory::{Contents, Slot};
use crate::state::{Frame, State};
use crate::value::Value;
use expr::Term;
use ir::{Operand, Set, Type};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Executor<'_> {
    /// Merges states as far as they agree on the calls and loops that they are in.
    pub fn merged(&mut self, states: Vec<State>) -> Vec<State> {
        let mut groups: Vec<State> = Vec::new();
        for state in states {
            let position = groups.iter().position(|other| are_alike(other, &state));
            match position {
                Some(position) => {
                    let other = groups.swap_remove(position);
                    let merged = self.merge(other, state);
                    groups.push(merged);
                }
                None => groups.push(state),
            }
        }
        groups
    }

    fn merge(&mut self, mut a: State, mut b: State) -> State {
        let chosen = self.fresh_term(1);
        let common = a.constraints.iter().zip(&b.constraints).take_while(|(a, b)| a == b).count();
        let only = |state: &State| state.constraints.get(common..).unwrap_or_default().to_vec();
        let (only_a, only_b) = (only(&a), only(&b));
        let (held_a, held_b) = (self.store.conjunction(only_a), self.store.conjunction(only_b));
        let either = self.store.ite(chosen, held_a, held_b);

        let frames: Vec<Frame> = a
            .frames
            .iter()
            .zip(&b.frames)
            .map(|(left, right)| {
                let mut frame = left.clone();
                frame.registers = Rc::new(self.merge_registers(chosen, left, right));
                frame.locals.extend(right.locals.iter().filter(|region| !left.locals.contains(region)));
                frame
            })
            .collect();
        let mut regions: Vec<_> = a.memory.keys().chain(b.memory.keys()).copied().collect();
        regions.sort_unstable();
        regions.dedup();
        let mut memory = std::collections::BTreeMap::new();
        for region in regions {
            let contents = match (a.memory.get(&region).cloned(), b.memory.get(&region).cloned()) {
                (Some(left), Some(right)) if Rc::ptr_eq(&left, &right) => left,
                // A region that one state does not know holds there what is found in it.
                (left, right) => self.merge_contents(
                    chosen,
                    region,
                    (&mut a, left.unwrap_or_default()),
                    (&mut b, right.unwrap_or_default()),
                ),
            };
            memory.insert(region, contents);
        }
        let mut constraints = a.constraints.get(..common).unwrap_or_default().to_vec();
        if !self.is_true(either) {
            constraints.push(either);
        }
        let model = a.model.as_ref().map(|model| {
            let mut model = (**model).clone();
            if let Some(variable) = self.store.var_of(chosen) {
                model.set(variable, expr::BitVec::bool(true));
            }
            Rc::new(model)
        });
        let mut taken = a.taken.clone();
        let shared = a
            .taken
            .iter()
            .zip(&b.taken)
            .take_while(|(a, b)| a.condition == b.condition && a.guard == b.guard && a.turn == b.turn)
            .count();
        for step in taken.iter_mut().skip(shared) {
            let guard = step.guard.unwrap_or(chosen);
            step.guard = Some(self.store.and(guard, chosen));
        }
        let not_chosen = self.store.not(chosen);
        for step in b.taken.iter().skip(shared) {
            let guard = step.guard.unwrap_or(not_chosen);
            let guard = self.store.and(guard, not_chosen);
            taken.push(crate::state::Taken { guard: Some(guard), ..*step });
        }
        let mut changed = a.changed.clone();
        if !Rc::ptr_eq(&changed, &b.changed) {
            Rc::make_mut(&mut changed).add_all(&b.changed);
        }
        let mut looked = a.looked.clone();
        looked.extend(b.looked.iter().filter(|one| !a.looked.contains(one)));
        let stdin = a.stdin.filter(|read| b.stdin.as_ref() == Some(read));
        State { frames, memory, changed, constraints, model, taken, looked, stdin }
    }

    fn merge_registers(&mut self, chosen: Term, a: &Frame, b: &Frame) -> FxHashMap<ir::Register, Value> {
        let mut merged = FxHashMap::default();
        // A register that one of them does not have is not used any more.
        for (register, left) in a.registers.iter() {
            if let Some(right) = b.registers.get(register) {
                let bits = self.width_of(*left).max(self.width_of(*right));
                let points_to = self.subject.points_to;
                let value = self
                    .choose(chosen, *left, *right, bits, || points_to.of(a.function, &Operand::Register(*register)));
                merged.insert(*register, value);
            }
        }
        merged
    }

    fn width_of(&self, value: Value) -> u32 {
        match value {
            Value::Bits(term) => u32::from(self.store.width(term)),
            Value::Pointer(_) => 64,
        }
    }

    fn merge_contents(
        &mut self,
        chosen: Term,
        region: crate::value::RegionId,
        a: (&mut State, Rc<Contents>),
        b: (&mut State, Rc<Contents>),
    ) -> Rc<Contents> {
        let (a, left) = a;
        let (b, right) = b;
        let points_to = self.subject.points_to;
        let mut merged = Contents::default();
        let mut places: Vec<u64> = left.slots.keys().chain(right.slots.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        for at in places {
            let slots = (left.slots.get(&at).copied(), right.slots.get(&at).copied());
            let (bytes, pointer) = match slots {
                (Some(a), Some(b)) if a.bytes != b.bytes => continue,
                (Some(slot), _) | (None, Some(slot)) => (slot.bytes, matches!(slot.value, Value::Pointer(_))),
                (None, None) => continue,
            };
            let ty = Type { bits: (bytes * 8) as u32, is_pointer: pointer };
            let offset = self.store.small(64, at);
            let values = (
                slots.0.map(|slot| slot.value).unwrap_or_else(|| self.read(a, region, offset, ty)),
                slots.1.map(|slot| slot.value).unwrap_or_else(|| self.read(b, region, offset, ty)),
            );
            let cells = self.cells_at(region, Some(at));
            let value = self.choose(chosen, values.0, values.1, ty.bits, || points_to.contents_of(&cells));
            let dirty = slots.0.is_some_and(|slot| slot.dirty) || slots.1.is_some_and(|slot| slot.dirty);
            merged.slots.insert(at, Slot { value, bytes, dirty });
        }
        // What is at an index in one of them may be anywhere in the other: it is kept as something that may be there.
        let cells = self.cells_at(region, None);
        let pointees = || points_to.contents_of(&cells);
        for (term, slot) in left.indexed.iter().chain(&right.indexed) {
            let both =
                [&left, &right].map(|side| side.indexed.iter().find(|(other, _)| other == term).map(|(_, slot)| *slot));
            if merged.indexed.iter().any(|(known, _)| known == term) {
                continue;
            }
            let value = match both {
                [Some(a), Some(b)] if a.bytes == b.bytes => {
                    self.choose(chosen, a.value, b.value, (a.bytes * 8) as u32, pointees)
                }
                _ => {
                    let ty =
                        Type { bits: (slot.bytes * 8) as u32, is_pointer: matches!(slot.value, Value::Pointer(_)) };
                    self.any_value(ty, pointees(), true)
                }
            };
            let dirty = both.iter().flatten().any(|slot| slot.dirty);
            merged.indexed.push((*term, Slot { value, bytes: slot.bytes, dirty }));
        }
        // Slots that do not fit each other are forgotten; what is found there afterwards may be anything that was written.
        let lost = left.slots.keys().chain(right.slots.keys()).any(|at| !merged.slots.contains_key(at));
        let changed: Set = left.changed.iter().chain(right.changed.iter()).collect();
        merged.changed = Rc::new(changed);
        if lost {
            for at in left.slots.keys().chain(right.slots.keys()) {
                let bytes = left.slots.get(at).or(right.slots.get(at)).map_or(1, |slot| slot.bytes);
                let overlaps = crate::memory::overlapping(&merged, *at, bytes);
                if overlaps.is_empty() {
                    let value = Value::Bits(self.fresh_term((bytes * 8) as u32));
                    merged.slots.insert(*at, Slot { value, bytes, dirty: true });
                }
            }
        }
        Rc::new(merged)
    }
}

/// Whether two states are in the same calls and loops.
fn are_alike(a: &State, b: &State) -> bool {
    a.frames.len() == b.frames.len()
        && a.frames.iter().zip(&b.frames).all(|(a, b)| {
            a.function == b.function
                && a.block == b.block
                && a.index == b.index
                && a.called_at == b.called_at
                && a.result == b.result
                && a.loops == b.loops
                && (a.index > 0 || a.previous == b.previous)
        })
}
