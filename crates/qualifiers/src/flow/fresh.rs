//! Memory that was just allocated and that nobody else knows of yet.
//!
//! Such memory is often zeros that are overwritten before anybody else can look. Only what is left of them when its address is
//! handed on may be null for others. Until then only this function has the address, in registers and variables that nothing
//! else can reach, and under one name; where that can no longer be told, it counts as handed on.

use super::names::{Distance, Name, NameId, Place};
use super::state::{Nullness, Slot, State, Value};
use super::walk::Walk;
use ir::library::{Returns, model};
use ir::{Cast, CellId, FunctionId, Instruction, ObjectId, ObjectKind, Op, Operand};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Memory that nobody else knows of.
#[derive(Clone, PartialEq, Debug)]
pub struct Fresh {
    /// What the analysis of pointers takes it for.
    pub objects: Rc<[ObjectId]>,
    /// Whether there are zeros where nothing was written.
    pub zeroed: bool,
}

/// Fresh memory that a function returns, and what it has written there.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned {
    fresh: Fresh,
    written: BTreeMap<i64, Nullness>,
}

impl Returned {
    /// What both have.
    fn join(&self, other: &Returned) -> Option<Returned> {
        if self.fresh.objects != other.fresh.objects {
            return None;
        }
        let both = self.written.iter().filter_map(|(at, nullness)| {
            let other = other.written.get(at)?;
            Some((*at, nullness.join(*other)))
        });
        let zeroed = self.fresh.zeroed || other.fresh.zeroed;
        Some(Returned { fresh: Fresh { zeroed, ..self.fresh.clone() }, written: both.collect() })
    }
}

impl Walk<'_, '_> {
    /// The address of fresh memory is handed on: zeros that are left in it are null pointers for everybody.
    pub fn publish(&mut self, state: &mut State, name: NameId) {
        let Some(fresh) = state.take_fresh(name) else { return };
        self.tell_zeros(&fresh, |bytes| {
            let distance = Distance { bytes, index: None };
            let slot = state.slots.get(&Place { base: name, distance }).filter(|slot| slot.bytes >= 8)?;
            Some(state.nullness(slot.value))
        });
    }

    /// Nothing is fresh any more.
    pub fn publish_all(&mut self, state: &mut State) {
        let names: Vec<NameId> = state.fresh().keys().copied().collect();
        names.into_iter().for_each(|name| self.publish(state, name));
    }

    /// What functions return that is fresh there goes where it is no longer followed.
    pub fn publish_returned(&mut self, targets: &[FunctionId]) {
        for target in targets {
            let summary = self.analysis.summary(*target, self.id);
            if let Some(Some(returned)) = summary.and_then(|summary| summary.fresh.clone()) {
                self.tell_zeros(&returned.fresh, |bytes| returned.written.get(&bytes).copied());
            }
        }
    }

    /// Zeros that are left in fresh memory are null pointers for everybody. `written` says what was written, by its distance.
    fn tell_zeros(&mut self, fresh: &Fresh, written: impl Fn(i64) -> Option<Nullness>) {
        let points_to = self.analysis.points_to;
        for object in fresh.objects.iter().filter(|_| fresh.zeroed).map(|object| points_to.object(*object)) {
            for (offset, cell) in &object.cells {
                let is_null = object.layout.element_at(*offset).is_some()
                    || written(i64::try_from(*offset).unwrap_or(i64::MAX)).is_none_or(Nullness::may_be_null);
                if is_null {
                    let node = self.analysis.constraints.nodes.cell(*cell);
                    self.analysis.tell(node);
                }
            }
        }
    }

    /// A value goes where it is no longer followed.
    pub fn publish_value(&mut self, state: &mut State, value: Value) {
        if let Value::Named(name, _) | Value::Number(name, _) = value {
            self.publish(state, name);
        }
    }

    /// Publishes what an instruction does more with than reading and writing it.
    pub fn publish_operands(&mut self, state: &mut State, instruction: &Instruction) {
        if state.fresh().is_empty() {
            return;
        }
        match &instruction.op {
            Op::Load { .. } | Op::Compare { .. } | Op::Phi(_) | Op::Offset { .. } | Op::Fill { .. } => {}
            Op::Cast { cast: Cast::Bits | Cast::PointerToInteger | Cast::IntegerToPointer, .. } => {}
            Op::Store { address, value, .. } => {
                let value = self.value(state, value);
                let address = self.value(state, address);
                if !self.is_private(address) {
                    self.publish_value(state, value);
                }
            }
            op => {
                for operand in op.operands() {
                    let value = self.value(state, operand);
                    self.publish_value(state, value);
                }
            }
        }
    }

    /// Whether an address is that of a variable that nothing else can reach.
    fn is_private(&self, address: Value) -> bool {
        let Value::Named(base, Some(Distance { index: None, .. })) = address else { return false };
        self.is_private_variable(base)
    }

    /// Whether a name is that of a variable that nothing else can reach.
    pub fn is_private_variable(&self, name: NameId) -> bool {
        matches!(self.names.name(name), Some(Name::Variable(register)) if self.code.private.contains(&register))
    }

    /// The fresh memory that a call of a library function returns.
    pub fn allocated(&self, targets: &[FunctionId], instruction: &Instruction) -> Option<Fresh> {
        let [target] = targets else { return None };
        let function = self.analysis.program.function(*target);
        if !instruction.ty.is_pointer {
            return None;
        }
        let returns = model(&function.name).filter(|_| !function.has_code())?.returns;
        if !matches!(returns, Returns::Fresh | Returns::Zeroed | Returns::FreshBytes) {
            return None;
        }
        let points_to = self.analysis.points_to;
        let own = |cell: u32| match points_to.object_of(CellId(cell)).kind {
            ObjectKind::Heap(by, ..) if by == self.id => Some(points_to.cell(CellId(cell)).object),
            _ => None,
        };
        let mut objects: Vec<ObjectId> =
            points_to.of(self.id, &Operand::Register(instruction.result?)).iter().filter_map(own).collect();
        objects.sort_unstable();
        objects.dedup();
        Some(Fresh { objects: Rc::from(objects), zeroed: returns == Returns::Zeroed })
    }

    /// The fresh memory that a function of the program returns is fresh for its caller.
    pub fn take_over(&mut self, state: &mut State, target: FunctionId, name: NameId) {
        let summary = self.analysis.summary(target, self.id);
        let Some(Some(returned)) = summary.and_then(|summary| summary.fresh.clone()) else { return };
        let points_to = self.analysis.points_to;
        for (bytes, nullness) in &returned.written {
            let cells = returned
                .fresh
                .objects
                .iter()
                .filter_map(|object| points_to.cell_at(*object, u64::try_from(*bytes).ok()?));
            let mut cells: Vec<CellId> = cells.collect();
            cells.sort_unstable();
            let place = Place { base: name, distance: Distance { bytes: *bytes, index: None } };
            if !cells.is_empty() {
                let slot = Slot { value: Value::Nameless(*nullness), bytes: 8, cells: Rc::from(cells) };
                Rc::make_mut(&mut state.slots).insert(place, slot);
            }
        }
        state.set_fresh(name, returned.fresh);
    }

    /// Memory that is set to zeros; true if nobody else can see them yet.
    pub fn zero(&mut self, state: &mut State, to: &Operand, byte: &Operand, length: &Operand) -> bool {
        let value = self.value(state, to);
        let Value::Named(name, distance) = value else { return false };
        let Some(fresh) = state.fresh().get(&name).cloned() else { return false };
        let is_zero = matches!(byte, Operand::Integer { value: 0, .. } | Operand::Zero { .. });
        let is_known = matches!(length, Operand::Integer { .. });
        if !is_zero || !is_known || distance != Some(Distance::ZERO) {
            self.publish(state, name);
            return false;
        }
        state.set_fresh(name, Fresh { zeroed: true, ..fresh });
        true
    }

    /// What is read from memory that had zeros in it; nothing if the types know more. Where nothing is known to be written, something
    /// may have been: what was written in only some of the ways here is forgotten.
    pub fn read_fresh(&self, state: &State, pointer: Value) -> Option<Nullness> {
        let Value::Named(name, _) = pointer else { return None };
        state.fresh().get(&name).filter(|fresh| fresh.zeroed).map(|_| Nullness::Maybe)
    }

    /// Makes two states that meet agree about what is fresh.
    pub fn agree(&mut self, a: &mut State, b: &mut State) {
        let names: Vec<NameId> = a.fresh().keys().chain(b.fresh().keys()).copied().collect();
        for name in names {
            let same = a.fresh().get(&name) == b.fresh().get(&name) && a.holds_like(b, name);
            if !same {
                self.publish(a, name);
                self.publish(b, name);
                continue;
            }
            // Where only one of them has written, there are zeros in the other.
            if a.fresh().get(&name).is_some_and(|fresh| fresh.zeroed) {
                a.add_zeros(b, name);
                b.add_zeros(a, name);
            }
        }
    }

    /// The function returns a value.
    pub fn return_fresh(&mut self, state: &State, value: Value) {
        match value {
            Value::Named(name, Some(Distance::ZERO)) if state.fresh().contains_key(&name) => {
                self.returned.push((state.clone(), name));
            }
            value if state.nullness(value) == Nullness::Null => {}
            value => {
                self.returns_other = true;
                self.publish_value(&mut state.clone(), value);
            }
        }
    }

    /// Says at the end of the walk whether the function returns fresh memory, and nothing else.
    pub fn finish_returns(&mut self) {
        let mut found: Option<Returned> = None;
        let mut is_fresh = !self.returns_other;
        for (state, name) in &self.returned {
            let Some(fresh) = state.fresh().get(name).cloned() else { continue };
            let one = Returned { fresh, written: state.written_to(*name) };
            match found.take() {
                None => found = Some(one),
                Some(known) => match known.join(&one) {
                    Some(both) => found = Some(both),
                    None => is_fresh = false,
                },
            }
        }
        if is_fresh && found.is_none() {
            return;
        }
        let before = self.analysis.summaries.get(self.id.0 as usize).and_then(|summary| summary.fresh.clone());
        let now = match (before, found.filter(|_| is_fresh)) {
            (Some(None), _) | (_, None) => None,
            (None, Some(now)) => Some(now),
            (Some(Some(before)), Some(now)) => before.join(&now),
        };
        if now.is_none() {
            for (mut state, name) in std::mem::take(&mut self.returned) {
                self.publish(&mut state, name);
            }
        }
        self.analysis.returns_fresh(self.id, now);
    }
}
