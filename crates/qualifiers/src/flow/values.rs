//! What instructions compute.

use super::memory::{Stretch, place_of};
use super::names::{Distance, Name, NameId, Sign};
use super::state::{Nullness, State, Value};
use super::walk::Walk;
use ir::{Binary, Cast, Comparison, Instruction, Op, Operand, Type};

impl Walk<'_, '_> {
    /// A truth value that is known, as a test of something that is not null.
    pub fn certain(&mut self, state: &mut State, at: (u32, u32), holds: bool) -> Value {
        let name = self.define(state, Name::Defined(at.0, at.1), Nullness::Nonnull);
        match holds {
            true => Value::Test { name, then: Nullness::Nonnull, otherwise: Nullness::Null },
            false => Value::Test { name, then: Nullness::Null, otherwise: Nullness::Nonnull },
        }
    }

    /// The value of an operand.
    pub fn value(&mut self, state: &mut State, operand: &Operand) -> Value {
        let (name, offset) = match operand {
            Operand::Register(register) => {
                return state.registers.get(register).copied().unwrap_or(Value::Nameless(Nullness::Maybe));
            }
            Operand::Global(global, offset) => (Name::Global(*global), *offset),
            Operand::Function(function) => (Name::Function(*function), 0),
            Operand::Null | Operand::Zero { .. } | Operand::Integer { value: 0, bits: 64.. } => {
                return Value::Nameless(Nullness::Null);
            }
            Operand::Integer { .. } | Operand::Any { .. } => return Value::Nameless(Nullness::Nonnull),
        };
        let name = self.names.id(name);
        if !self.analysis.program.may_be_missing(operand) {
            state.know(name, Nullness::Nonnull);
        }
        Value::Named(name, Some(Distance { bytes: offset, index: None }))
    }

    /// What an instruction computes. `typed` is what inference would say of it, with what is known here.
    pub fn computed(
        &mut self,
        state: &mut State,
        at: (u32, u32),
        instruction: &Instruction,
        typed: Nullness,
    ) -> Option<Value> {
        let ty = instruction.ty;
        Some(match &instruction.op {
            Op::Phi(_) => return None,
            Op::Variable { .. } => {
                let name = self.define(state, Name::Variable(instruction.result?), Nullness::Nonnull);
                Value::named(name)
            }
            Op::Load { address } => self.load(state, at, address, ty, typed),
            Op::Store { address, value, ty } => {
                let value = self.value(state, value);
                self.store(state, at, address, value, *ty);
                return None;
            }
            Op::Offset { base, constant, steps, .. } => match self.value(state, base) {
                Value::Named(name, distance) => {
                    let further = distance.and_then(|distance| distance.plus(*constant));
                    let distance = match (further, steps.as_slice()) {
                        (further, []) => further,
                        (Some(Distance { bytes, index: None }), [step]) => match self.value(state, &step.index) {
                            Value::Number(index, _) if step.bits == 64 => {
                                Some(Distance { bytes, index: Some((index, step.scale)) })
                            }
                            _ => None,
                        },
                        _ => None,
                    };
                    Value::Named(name, distance)
                }
                _ => Value::Nameless(typed),
            },
            Op::Cast { cast, value, .. } => {
                let value = self.value(state, value);
                match (cast, value) {
                    (Cast::Bits | Cast::PointerToInteger | Cast::IntegerToPointer, Value::Named(..)) => value,
                    (_, Value::Test { .. }) if !ty.is_pointer => value,
                    (Cast::SignExtend, Value::Number(name, null)) => {
                        Value::Number(self.names.id(Name::Extended(name, Sign::Signed)), null)
                    }
                    (Cast::ZeroExtend, Value::Number(name, null)) => {
                        Value::Number(self.names.id(Name::Extended(name, Sign::Unsigned)), null)
                    }
                    _ => self.unnamed(state, at, ty, typed),
                }
            }
            Op::Compare { comparison, left, right, ty } => self.compare(state, *comparison, left, right, *ty),
            Op::Binary(Binary::Xor, value, Operand::Integer { value: 1, bits: 1 }) => negated(self.value(state, value)),
            Op::Select(condition, a, b) => self.select(state, condition, a, b),
            Op::Copy { to, from, length } => {
                self.copy(state, at, to, from, known(length));
                return None;
            }
            Op::Fill { to, length, .. } => {
                let start = place_of(self.value(state, to));
                let stretch = start.zip(known(length)).map(|(start, bytes)| Stretch { start, bytes });
                self.overwritten_by(state, at, stretch);
                return None;
            }
            Op::Exchange { .. } | Op::Unknown { .. } | Op::StartVariadic { .. } => {
                self.overwritten_by(state, at, None);
                self.unnamed(state, at, ty, typed)
            }
            _ => self.unnamed(state, at, ty, typed),
        })
    }

    /// A value of which only the types know something. A pointer gets a name.
    pub fn unnamed(&mut self, state: &mut State, at: (u32, u32), ty: Type, typed: Nullness) -> Value {
        if !ty.is_pointer {
            return Value::NamelessNumber(typed);
        }
        Value::named(self.define(state, Name::Defined(at.0, at.1), typed))
    }

    /// Gives a name to something new.
    pub fn define(&mut self, state: &mut State, name: Name, nullness: Nullness) -> NameId {
        let known = self.names.existing(name);
        let id = known.unwrap_or_else(|| self.names.id(name));
        self.publish(state, id);
        match known {
            Some(_) => state.rename(&self.names, id, nullness),
            // Nothing can have had a name that was never used.
            None => state.know(id, nullness),
        }
        id
    }

    fn compare(
        &mut self,
        state: &mut State,
        comparison: Comparison,
        left: &Operand,
        right: &Operand,
        ty: Type,
    ) -> Value {
        let unknown = Value::Nameless(Nullness::Nonnull);
        let is_equal = match comparison {
            Comparison::Eq => true,
            Comparison::Ne => false,
            _ => return unknown,
        };
        let (a, b) = (self.value(state, left), self.value(state, right));
        let test = match (a, b) {
            (Value::Test { .. }, _) if matches!(right, Operand::Integer { value: 0, .. }) => negated(a),
            _ if !ty.is_pointer => return unknown,
            (Value::Named(name, Some(Distance::ZERO)), _) if is_just_null(state, b) => is_null(name),
            (_, Value::Named(name, Some(Distance::ZERO))) if is_just_null(state, a) => is_null(name),
            (Value::Named(name, Some(Distance::ZERO)), _) if state.nullness(b) == Nullness::Nonnull => {
                is_nonnull_if(name)
            }
            (_, Value::Named(name, Some(Distance::ZERO))) if state.nullness(a) == Nullness::Nonnull => {
                is_nonnull_if(name)
            }
            _ => return unknown,
        };
        if is_equal { test } else { negated(test) }
    }

    fn select(&mut self, state: &mut State, condition: &Operand, a: &Operand, b: &Operand) -> Value {
        let (a, b) = (self.value(state, a), self.value(state, b));
        if a == b {
            return a;
        }
        let Value::Test { name, then, otherwise } = self.value(state, condition) else {
            return Value::either(a, b, state.nullness(a).join(state.nullness(b)));
        };
        let sides = [(a, then), (b, otherwise)].map(|(value, learned): (Value, Nullness)| {
            let mut state = state.clone();
            state.learn(name, learned).then(|| state.nullness(value))
        });
        match sides {
            [Some(if_a), Some(if_b)] => Value::either(a, b, if_a.join(if_b)),
            [Some(_), None] => a,
            _ => b,
        }
    }
}

fn known(length: &Operand) -> Option<u64> {
    match length {
        Operand::Integer { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// Whether a value is null, and not something at a distance from it.
fn is_just_null(state: &State, value: Value) -> bool {
    let is_moved = !matches!(value, Value::Nameless(_) | Value::Named(_, Some(Distance::ZERO)));
    state.nullness(value) == Nullness::Null && !is_moved
}

fn is_null(name: NameId) -> Value {
    Value::Test { name, then: Nullness::Null, otherwise: Nullness::Nonnull }
}

/// A pointer that is the same as one that is not null.
fn is_nonnull_if(name: NameId) -> Value {
    Value::Test { name, then: Nullness::Nonnull, otherwise: Nullness::Maybe }
}

fn negated(value: Value) -> Value {
    match value {
        Value::Test { name, then, otherwise } => Value::Test { name, then: otherwise, otherwise: then },
        value => value,
    }
}
