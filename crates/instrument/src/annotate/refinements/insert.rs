//! One check of a refinement, where a value is written.

use super::RefinementError;
use super::lower::{self, Lowering};
use super::names::{Named, Origin};
use super::stated::Stated;
use crate::annotate::Pass;
use llvm::debug_info::{Form, SourceType};
use llvm::{Kind, Opcode, Place, Type, Value};
use refine::Condition;
use trace::rule::Rule;
use trace::sites::CheckSubject;

/// A refinement whose names are known.
pub struct Refinement {
    condition: Condition,
    /// What it is about, as users know it.
    shown: String,
    ty: SourceType,
    named: Vec<Named>,
    width: u32,
    is_precondition: bool,
}

impl Refinement {
    pub fn new(
        stated: &Stated,
        shown: &str,
        ty: &SourceType,
        named: Vec<Named>,
    ) -> Result<Refinement, RefinementError> {
        let type_of = |name: &str| named.iter().find(|known| known.name == name).map(|known| known.ty.clone());
        let width = lower::width(stated.condition.formula(), &type_of);
        let too_wide = || stated.error("needs numbers of more than 128 bits: multiply less".to_owned());
        let width = width.ok_or_else(too_wide)?;
        let (condition, shown, ty) = (stated.condition.clone(), shown.to_owned(), ty.clone());
        Ok(Refinement { condition, shown, ty, named, width, is_precondition: false })
    }

    /// What has to hold where a unit is entered.
    pub fn precondition(
        stated: &Stated,
        unit: &str,
        ty: &SourceType,
        named: Vec<Named>,
    ) -> Result<Refinement, RefinementError> {
        Ok(Refinement { is_precondition: true, ..Refinement::new(stated, unit, ty, named)? })
    }
}

/// An instruction that gives a variable a value.
pub struct Write {
    pub instruction: Value,
    /// Where the value is there.
    pub before: Value,
    /// Where it is written to, and the value, if the instruction has it; one of them is known.
    pub pointer: Option<Value>,
    pub value: Option<Value>,
    pub place: Option<Place>,
}

/// Whether an instruction stores to an address.
pub fn is_stored(instruction: Value, address: Value) -> bool {
    instruction.is_instruction() && instruction.opcode() == Opcode::LLVMStore && instruction.operand(1) == address
}

/// All writes to an address, in the order in which they stand.
pub fn writes(address: Value) -> Vec<Write> {
    let mut found = Vec::new();
    for user in address.users().into_iter().filter(|user| user.is_instruction()) {
        let is_first = user.operand_count() > 0 && user.operand(0) == address;
        let value = match user.opcode() {
            Opcode::LLVMStore if is_stored(user, address) => Some(user.operand(0)),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg if is_first => None,
            Opcode::LLVMCall if is_first && is_block_write(user) => None,
            _ => continue,
        };
        if let Some(before) = user.next() {
            let place = user.place();
            found.push(Write { instruction: user, before, pointer: Some(address), value, place });
        }
    }
    // Uses are listed latest first.
    found.reverse();
    found
}

fn is_block_write(call: Value) -> bool {
    let callee = call.callee();
    let name = if callee.is_function() { callee.name() } else { String::new() };
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|prefix| name.starts_with(prefix))
}

impl Pass {
    /// Puts a check behind a write.
    pub(super) fn insert(&mut self, refinement: &Refinement, write: &Write) {
        let (shown, condition) = (refinement.shown.clone(), refinement.condition.text().to_owned());
        let subject = match refinement.is_precondition {
            true => CheckSubject::Precondition(shown, condition),
            false => CheckSubject::Refinement(shown, condition),
        };
        // What fails because a precondition does not hold is the mistake; the precondition by itself is none.
        let is_silent = refinement.is_precondition;
        let Some(number) = self.number(Rule::Refinement, subject, write.place, is_silent) else { return };
        self.builder.before(write.before);
        self.builder.set_place(write.place);
        let Some(written) = self.written(refinement, write) else { return };
        let ty = self.module.int(refinement.width);
        let values = refinement.named.iter().filter_map(|named| {
            let mut exists = None;
            let value = match (&named.origin, write.pointer) {
                (Origin::Written, _) => written,
                (Origin::At(address), _) => self.read(&named.ty, *address),
                (Origin::Through(route), _) => {
                    let (value, is_there) = self.read_place(route);
                    exists = is_there;
                    value
                }
                (Origin::Beside(distance), Some(pointer)) => {
                    let address = self.builder.offset(self.module, pointer, *distance as u64);
                    let value = self.read(&named.ty, address);
                    // Structures may be packed.
                    value.set_alignment(1);
                    value
                }
                (Origin::Beside(_), None) => return None,
                (Origin::Constant(value), _) => self.module.int(64).constant(*value),
            };
            Some((named.name.as_str(), self.widen(value, &named.ty, ty), exists))
        });
        let values: Vec<lower::Known<'_>> = values.collect();
        let lowering = Lowering { builder: &self.builder, ty, values: &values };
        let holds = lowering.holds(refinement.condition.formula());
        let (low, high) = self.words(written, &refinement.ty);
        self.call_check(number, holds, low, high, None);
    }

    /// What was written, as a number or an address.
    fn written(&self, refinement: &Refinement, write: &Write) -> Option<Value> {
        let is_number =
            |value: &Value| matches!(value.ty().kind(), Kind::LLVMIntegerTypeKind | Kind::LLVMPointerTypeKind);
        write.value.filter(is_number).or_else(|| {
            let value = self.read(&refinement.ty, write.pointer?);
            value.set_alignment(1);
            Some(value)
        })
    }

    fn read(&self, ty: &SourceType, address: Value) -> Value {
        let in_memory = if ty.form == Form::Pointer { self.module.ptr() } else { self.module.int(ty.bits) };
        self.builder.load(in_memory, address)
    }

    fn widen(&self, value: Value, ty: &SourceType, to: Type) -> Value {
        if value.ty().kind() == Kind::LLVMPointerTypeKind {
            return self.builder.resize(self.builder.ptr_to_int(value, self.module.int(64)), to);
        }
        let is_narrower = value.ty().int_width() < to.int_width();
        match ty.form {
            Form::Signed if is_narrower => self.builder.sext(value, to),
            _ => self.builder.resize(value, to),
        }
    }

    /// The low and the high half of a value of 128 bits.
    fn words(&self, value: Value, ty: &SourceType) -> (Value, Value) {
        let word = self.module.int(64);
        let is_wide = value.ty().kind() == Kind::LLVMIntegerTypeKind && value.ty().int_width() > 64;
        if is_wide {
            let high = self.builder.lshr(value, value.ty().constant(64));
            return (self.builder.resize(value, word), self.builder.resize(high, word));
        }
        let low = self.widen(value, ty, word);
        let high = match ty.form {
            Form::Signed => self.builder.ashr(low, word.constant(63)),
            _ => word.constant(0),
        };
        (low, high)
    }
}
