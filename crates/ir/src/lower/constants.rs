//! Constants: operands and what globals start with.

use super::Context;
use crate::program::{Initial, Operand};
use llvm::{Kind, Opcode, Value};

/// Parts of one initialiser that are kept; a table of bytes has more, and no pointers.
const PARTS: usize = 1 << 20;

/// Nested constant expressions that are followed.
const DEPTH: u32 = 64;

/// A constant as an operand.
pub fn operand(cx: &Context, value: Value) -> Operand {
    nested(cx, value, DEPTH)
}

fn nested(cx: &Context, value: Value, depth: u32) -> Operand {
    let value = value.without_alias();
    let ty = cx.type_of(value.ty());
    let any = Operand::Any { bits: ty.bits };
    if depth == 0 || value.is_undefined() {
        return any;
    }
    if let Some(function) = cx.functions.get(&value) {
        return Operand::Function(*function);
    }
    if let Some(global) = cx.globals.get(&value) {
        return Operand::Global(*global, 0);
    }
    if value.is_zero() {
        return match (ty.is_pointer, value.ty().kind()) {
            (true, _) => Operand::Null,
            (_, Kind::LLVMIntegerTypeKind) => Operand::Integer { value: 0, bits: ty.bits },
            _ => Operand::Zero { bits: ty.bits },
        };
    }
    if let Some(number) = value.as_constant() {
        return Operand::Integer { value: u128::from(number), bits: ty.bits };
    }
    match value.constant_operator() {
        Some(Opcode::LLVMGetElementPtr) => {
            let base = nested(cx, value.operand(0), depth - 1);
            match (base, constant_offset(cx, value)) {
                (Operand::Global(global, offset), Some(more)) => Operand::Global(global, offset.wrapping_add(more)),
                (Operand::Null, Some(offset)) if offset != 0 => {
                    Operand::Integer { value: offset as u64 as u128, bits: 64 }
                }
                (base @ (Operand::Function(_) | Operand::Null), Some(_)) => base,
                _ => any,
            }
        }
        Some(Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast) => {
            let inner = value.operand(0);
            let same_width = cx.type_of(inner.ty()).bits == ty.bits;
            match nested(cx, inner, depth - 1) {
                Operand::Integer { value: 0, .. } if ty.is_pointer => Operand::Null,
                inner if same_width => inner,
                Operand::Integer { value, bits } if bits < ty.bits => Operand::Integer { value, bits: ty.bits },
                _ => any,
            }
        }
        _ => any,
    }
}

/// The constant distance that a `getelementptr` of constants adds.
pub fn constant_offset(cx: &Context, value: Value) -> Option<i64> {
    let walked = super::instruction::offset_of(cx, value, &|_| None)?;
    walked.steps.is_empty().then_some(walked.constant)
}

/// Adds the parts of an initialiser that are not 0.
pub fn initial_value(cx: &Context, value: Value, at: u64, parts: &mut Vec<Initial>) {
    if value.is_zero() || value.is_undefined() || parts.len() >= PARTS {
        return;
    }
    let ty = value.ty();
    match ty.kind() {
        Kind::LLVMStructTypeKind => {
            for (index, _) in (0..).zip(ty.fields()) {
                if let Some(element) = value.element(index) {
                    initial_value(cx, element, at + cx.module.field_offset(ty, index), parts);
                }
            }
        }
        Kind::LLVMArrayTypeKind => {
            let (element, count) = ty.elements();
            let size = cx.module.alloc_size(element);
            for index in 0..count.min(PARTS as u64) as u32 {
                if let Some(element) = value.element(index) {
                    initial_value(cx, element, at + size * u64::from(index), parts);
                }
            }
        }
        _ => parts.push(Initial { offset: at, value: operand(cx, value), ty: cx.type_of(ty) }),
    }
}
